"""Every handed corpus through ingest, dry run and report: valid by the shipped schema, and no
file without a word."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from pathlib import Path

import jsonschema
import pytest

from toolfix_audit.audit.dryrun import dry_run
from toolfix_audit.audit.ingest import ingest
from toolfix_audit.audit.request import Request
from toolfix_audit.report import EMITTERS
from toolfix_audit.report.document import render
from toolfix_audit.store.store import Store

FOLDERS = (
    *("claude-agent-sdk", "claude-code", "cline", "codex", "dsh", "dsh-host", "dsh-stream"),
    *("dsh-thirdparty", "har-bedrock-agent", "inspect-ai", "invariant-traces"),
    *("multi-agent-fixtures", "openclaw", "opencode-host", "openhands", "openhands-sdk", "pi"),
    *("sse-vercel-ai", "swe-agent-traj", "tau-bench", "vcr-fantasy", "vcr-langsmith"),
    *("vcr-openinference", "vcr-otel-openllmetry", "vcr-pydantic-ai", "vscode-chatreplay"),
)


@cache
def _validator() -> jsonschema.Draft202012Validator:
    text = files("toolfix_audit.report").joinpath("report.schema.json").read_text("utf-8")
    return jsonschema.Draft202012Validator(json.loads(text))


def test_every_folder_is_named(shared: Path) -> None:
    found = {path.name for path in (shared / "corpora").iterdir() if path.is_dir()}
    assert found - {"schemas"} == set(FOLDERS)


@pytest.mark.parametrize("folder", FOLDERS)
def test_the_report_is_valid_and_nothing_is_mis_fixed(folder: str, shared: Path) -> None:
    with Store.temporary() as store:
        done = ingest(store, [str(shared / "corpora" / folder)])
        report = dry_run(store, Request(), render=render)
    assert done.loaded
    for source in done.loaded:
        tally = source.tally
        assert tally.units == tally.records + sum(tally.ignored.values()) + tally.unreadable
        assert tally.units
    _validator().validate(json.loads(render(report)))
    for emitter in EMITTERS:
        assert emitter.render(report) == emitter.render(report)
    assert report.misfixes.count == 0
