"""Annotations, read back by the rules of the runner's toolkit."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from toolfix_audit.model.report import MisfixExample, Report
from toolfix_audit.report import github
from toolfix_audit.report.redact import redact

from .samples import EMPTY, FAILING, HUGE, TYPICAL, hostile

COMMAND = re.compile(r"::(error|warning|notice) title=([^,:\r\n]*)::([^\r\n]*)")


def _read(report: Report) -> list[tuple[str, str, str]]:
    """Level, title and message of every line, unescaped as `actions/runner` does it: the percent
    sign last."""
    found = []
    for line in github.render(report).removesuffix("\n").split("\n"):
        match = COMMAND.fullmatch(line)
        assert match, line
        level, title, message = match.groups()
        title = title.replace("%2C", ",").replace("%3A", ":")
        found.append((level, _unescaped(title), _unescaped(message)))
    return found


def _unescaped(text: str) -> str:
    return text.replace("%0D", "\r").replace("%0A", "\n").replace("%25", "%")


def test_a_misfix_comes_first_and_the_verdict_last() -> None:
    found = _read(FAILING)
    assert found[0][:2] == ("error", "mis-fix: key-unrelated")
    assert "d00d01" in found[0][2]
    assert found[-1][0] == "notice"
    assert found[-1][2].startswith("FAIL  1 mis-fix in 10,260 probes")


def test_a_warning_is_a_warning() -> None:
    assert ("warning", "gate: still_failing", "29 <= 0 does not hold") in _read(TYPICAL)


@pytest.mark.parametrize("report", [EMPTY, hostile(), hostile(HUGE), redact(hostile())])
def test_nothing_in_a_log_starts_a_command_of_its_own(report: Report) -> None:
    assert len(_read(report)) <= 21


def test_a_percent_sign_comes_back() -> None:
    example = replace(FAILING.misfixes.examples[0], detail="100%0A, a:b")
    report = replace(FAILING, misfixes=replace(FAILING.misfixes, examples=(example,)))
    assert _read(report)[0][2].endswith("100%0A, a:b")


def test_no_more_than_ten_of_a_level_and_the_rest_counted() -> None:
    example: MisfixExample = FAILING.misfixes.examples[0]
    report = replace(FAILING, misfixes=replace(FAILING.misfixes, examples=(example,) * 40))
    errors = [one for one in _read(report) if one[0] == "error"]
    assert len(errors) == 10
    assert errors[-1][2].startswith("and 32 more")
