"""The study corpus: every call ends as its truth says, for the kept seed and for another."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import zstandard

from .audited import Audit, Audited, audit, same
from .conftest import Once

STUDY = Path(__file__).resolve().parents[2] / "corpora" / "study"


@dataclass(frozen=True, slots=True)
class Study:
    """The audit beside the truth."""

    audit: Audit
    pairs: list[tuple[dict[str, Any], Audited]]


def read_truth(path: Path) -> Iterator[dict[str, Any]]:
    reader = zstandard.ZstdDecompressor().stream_reader(
        io.BytesIO(path.read_bytes()), read_across_frames=True
    )
    return (json.loads(line) for line in reader.read().decode().splitlines())


@pytest.fixture(scope="module", params=["kept", "seed-20261"])
def study(request: pytest.FixtureRequest, once: Once) -> Study:
    name = str(request.param)
    probes = name == "kept"  # they take half of the time
    done, folder = once(
        name, lambda folder: audit([_corpus(name, folder) / "sessions"], probes=probes)
    )
    places = {(call.session, call.event): call for call in done.calls}
    truth = (STUDY if name == "kept" else folder) / "truth.jsonl.zst"
    return Study(done, [(line, places[line["session"], line["seq"]]) for line in read_truth(truth)])


def _corpus(name: str, folder: Path) -> Path:
    """The folder of the corpus; another seed than the kept one is made anew."""
    if name == "kept":
        return STUDY
    seed = name.rpartition("-")[2]
    command = [sys.executable, str(STUDY / "generate.py"), "--seed", seed, "--out", str(folder)]
    subprocess.run(command, check=True, capture_output=True, timeout=120)
    return folder


def test_figures(study: Study) -> None:
    report = study.audit.report
    assert (report.corpus.calls, report.corpus.sessions) == (16_535, 200)
    assert len(study.pairs) == len(study.audit.calls) == 16_535
    assert (report.corpus.unreadable, report.corpus.duplicates) == (0, 0)
    assert report.outcomes == {
        "valid": 15_949, "swallowed": 45, "fixed": 520, "still_failing": 3, "untouched": 18,
        "unjudged": 0,
    }  # fmt: skip
    rows = {row.code: row for row in report.families}
    assert {code: row.calls for code, row in rows.items() if row.calls} == {
        "A": 547, "B": 2, "C": 1, "D": 18,
    }  # fmt: skip
    assert (rows["A"].fixed, rows["A"].still_failing, rows["A"].swallowed) == (499, 3, 45)
    assert report.host["rejected_arguments"] == {
        "fixed": 520,
        "still_failing": 3,
        "untouched": 18,
        "valid": 0,
        "swallowed": 0,
        "unjudged": 0,
    }


def test_every_call_ends_as_its_truth_says(study: Study) -> None:
    wrong = [
        (line["kind"], line["expected_outcome"], call.outcome, call.reason)
        for line, call in study.pairs
        if (call.outcome, call.host) != (line["expected_outcome"], line["host"])
        or (call.outcome == "untouched" and call.reason != line["expected_reason"])
    ]
    assert wrong == []


def test_every_repaired_call_is_what_was_meant(study: Study) -> None:
    changed = [(line, call) for line, call in study.pairs if call.after is not None]
    assert len(changed) == 568
    wrong = [
        (line["kind"], call.before, call.after)
        for line, call in changed
        if not same(
            call.result, line["expected"] if line["expected"] is not None else line["intended"]
        )
    ]
    assert wrong == []
    assert all(line["family"] in call.families for line, call in changed)
    assert all(call.outcome != "fixed" or line["expected"] is None for line, call in changed)


def test_what_stays_is_what_was_sent(study: Study) -> None:
    for line, call in study.pairs:
        if call.outcome == "valid":
            assert same(json.loads(call.before), line["intended"])
            assert line["family"] is None


def test_wrapper_depth(study: Study) -> None:
    truth = Counter(str(line["wrapper_depth"]) for line, _ in study.pairs if line["wrapper_depth"])
    assert study.audit.report.wrapper_depth == truth
    assert sum(truth.values()) == 549
    assert all(call.depth == line["wrapper_depth"] for line, call in study.pairs)
    assert max(call.depth for _, call in study.pairs) == 38


def test_look_alikes_and_json_text_are_left_alone(study: Study) -> None:
    calls = [
        call
        for line, call in study.pairs
        if line["kind"] == "json-text" or line["kind"].startswith("look-alike")
    ]
    assert len(calls) == 75 + 60 + 60 + 60 + 98
    assert {call.outcome for call in calls} == {"valid"}


def test_no_change_is_convicted(study: Study) -> None:
    misfixes = study.audit.report.misfixes
    if not misfixes.probes:
        pytest.skip("this corpus was audited without probes")
    assert [(one.tool, one.kind, one.detail) for one in misfixes.examples] == []
    assert misfixes.count == 0
    assert study.audit.report.verdict.exit_code == 0
