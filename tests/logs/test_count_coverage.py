"""Every counted file is compared with its count by one of the tests, or has a truth of its own."""

from __future__ import annotations

import json
from pathlib import Path

from toolfix_audit.logs.detect import FileKind, detect
from toolfix_audit.logs.sources import LogFile, find_logs

from . import test_capture_counts, test_counted_agents, test_counted_corpora, test_dsh_corpora
from .conftest import ReadLog

FOLDERS = {
    *test_capture_counts.READERS,
    *test_counted_agents.READERS,
    *test_counted_corpora.READERS,
    *(folder.rstrip("/") for folder in test_dsh_corpora.MIRRORED_BY_COUNTS),
}
SEVERAL_AGENTS = "multi-agent-fixtures"
MARKS = (
    *test_counted_agents.AGENTS,
    *(f"agents__{agent}__" for agent in test_counted_corpora.AGENTS),
    *test_counted_agents.NO_LOGS,
)
WITH_A_TRUTH = {"dsh-host", "opencode-host"}
NO_LOGS = {"truth.jsonl", "README.md"}
"""Files that lie beside the logs and tell of them."""


def test_every_counted_file_is_compared(shared: Path) -> None:
    lines = (shared / "corpora" / "COUNTS.jsonl").read_text("utf-8").splitlines()
    files = {json.loads(line)["file"] for line in lines}
    assert len(files) == 573  # two of them are counted twice
    for file in files:
        folder = file.split("/", 1)[0]
        assert folder in FOLDERS or (
            folder == SEVERAL_AGENTS and any(mark in file for mark in MARKS)
        ), file


def test_every_folder_is_counted_or_has_a_truth(shared: Path) -> None:
    folders = {path.name for path in (shared / "corpora").iterdir() if path.is_dir()}
    assert folders - {"schemas"} == FOLDERS | WITH_A_TRUTH | {SEVERAL_AGENTS}


def test_no_file_is_silent(shared: Path, read_log: ReadLog) -> None:
    """A file is no log by the word of one of the tests, or it gives units of which each says what
    became of it."""
    told = (
        *NO_LOGS,
        *test_counted_corpora.NO_LOGS,
        *test_counted_agents.NO_LOGS,
        *test_capture_counts.NO_LOGS,
    )
    folders = [path for path in (shared / "corpora").iterdir() if path.is_dir()]
    for file in find_logs([str(path) for path in folders if path.name != "schemas"]):
        if detect(LogFile(file.path, "x", named=False)).kind is FileKind.UNKNOWN:
            assert file.shown.endswith(told), file.shown
        else:
            assert read_log(file.path).units, file.shown
