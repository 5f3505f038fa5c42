"""Commands that a reader may copy: the real paths, ready for a shell."""

from __future__ import annotations

import shlex
from dataclasses import replace

import pytest

from toolfix_audit.report import commands
from toolfix_audit.report.facts import unseen
from toolfix_audit.report.redact import redact

from .samples import TYPICAL


@pytest.mark.parametrize(
    ("inputs", "store", "words"),
    [
        (("logs",), None, "logs"),
        (("my logs", "b.jsonl"), None, "'my logs' b.jsonl"),
        (("$(rm x)",), None, "'$(rm x)'"),
        (("logs",), "a b.duckdb", "logs --db 'a b.duckdb'"),
        ((), "audit.duckdb", "--db audit.duckdb"),
        ((), None, "LOGS"),
        (("a\x1bb",), None, "LOGS"),
        (tuple(f"{number}.jsonl" for number in range(9)), None, "LOGS"),
        (("~/my logs/a",), None, "~/'my logs/a'"),
    ],
)
def test_the_same_input_again(inputs: tuple[str, ...], store: str | None, words: str) -> None:
    report = replace(TYPICAL, inputs=inputs, store=store)
    assert commands.audit_again(report, "--opt-in") == f"toolfix-audit dryrun {words} --opt-in"


def test_no_advice_speaks_of_logs_where_the_paths_are_known() -> None:
    report = replace(TYPICAL, inputs=("my logs",), untouched={"opt-in": 1})
    given = [advice.command for advice in unseen(report) if advice.command]
    assert len(given) >= 4
    for command in given:
        assert "my logs" in shlex.split(command)
        assert "LOGS" not in command


def test_the_store_of_the_run_is_asked() -> None:
    kept = replace(TYPICAL, store="audits/a.duckdb")
    assert commands.show_call(kept, "3f") == "toolfix-audit show 3f --db audits/a.duckdb"
    assert commands.list_unreadable(kept).endswith("--db audits/a.duckdb")
    assert commands.keep_store(kept) is None
    usual = replace(TYPICAL, store=commands.DEFAULT_STORE)
    assert commands.show_call(usual, "3f") == "toolfix-audit show 3f"


def test_a_store_that_was_thrown_away_is_made_first() -> None:
    assert commands.keep_store(TYPICAL) == "toolfix-audit dryrun logs --db toolfix-audit.duckdb"
    assert commands.list_unreadable(TYPICAL) == (
        'toolfix-audit ingest logs && toolfix-audit query "from unreadable"'
    )


def test_a_shared_report_shows_no_home_folder() -> None:
    report = replace(TYPICAL, inputs=("/home/jane/my logs",), store="/home/jane/a.duckdb")
    assert commands.audit_again(redact(report)) == (
        "toolfix-audit dryrun ~/'my logs' --db ~/a.duckdb"
    )
