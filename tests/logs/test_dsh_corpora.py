"""The dsh reader against logs of the real harness, with the truth known for each."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from toolfix_audit.model.records import (
    ArgumentsForm,
    AssistantText,
    Call,
    Result,
    Session,
    StreamError,
    ToolCatalog,
)
from toolfix_audit.model.words import HostVerdict
from toolfix_audit.wire.host_verdict import host_verdict

from .conftest import Reading, ReadLog

Truth = dict[str, Any]
HOST_WORDS = {
    "accepted": HostVerdict.ACCEPTED,
    "accepted_then_failed": HostVerdict.FAILED,
    "rejected_args": HostVerdict.REJECTED_ARGUMENTS,
    "rejected_unknown_tool": HostVerdict.REJECTED_NAME,
}
MIRRORED_BY_COUNTS = ("dsh/", "dsh-stream/", "dsh-thirdparty/")


@pytest.fixture(scope="session")
def host_logs(shared: Path, read_log: ReadLog) -> list[Reading]:
    files = sorted((shared / "corpora" / "dsh-host" / "sessions").iterdir())
    return [read_log(file) for file in files]


@pytest.fixture(scope="session")
def truth(shared: Path) -> list[Truth]:
    text = (shared / "corpora" / "dsh-host" / "truth.jsonl").read_text("utf-8")
    return [json.loads(line) for line in text.splitlines()]


def calls_of(logs: list[Reading]) -> Iterator[Call]:
    return (call for log in logs for call in log.of(Call))


def test_every_line_is_accounted_for(host_logs: list[Reading]) -> None:
    assert len(host_logs) == 52
    assert {log.reader for log in host_logs} == {"dsh"}
    assert sum(log.units for log in host_logs) == 46_367
    assert not any(log.unreadable for log in host_logs)


def test_every_call_is_counted_once(host_logs: list[Reading]) -> None:
    kinds = Counter(
        "dispatched" if call.dispatched else "inherited" if call.inherited else "called"
        for call in calls_of(host_logs)
    )
    assert kinds == {"called": 3978, "inherited": 12, "dispatched": 22}


def test_every_call_has_its_result(host_logs: list[Reading]) -> None:
    for log in host_logs:
        positions = {call.position: call for call in log.of(Call)}
        results = log.of(Result)
        assert sorted(positions) == sorted(result.call_position or 0 for result in results)
        for result in results:
            assert result.call_position is not None
            assert positions[result.call_position].call_id == result.call_id
            assert positions[result.call_position].inherited == result.inherited


def test_positions_rise(host_logs: list[Reading]) -> None:
    for log in host_logs:
        positions = [record.position for record in log.records if not isinstance(record, Session)]
        assert positions == list(range(len(positions)))


def test_every_call_is_what_was_emitted(host_logs: list[Reading], truth: list[Truth]) -> None:
    """Streamed text is what the model sent; recorded text is what the harness judged."""
    calls = {(call.session, call.event): call for call in calls_of(host_logs) if not call.inherited}
    emitted = [line for line in truth if line.get("call_seq") is not None]
    assert len(emitted) == 3978
    for line in emitted:
        call = calls[line["session"], line["call_seq"]]
        recorded = line["recorded_args"]
        assert call.streamed == line["emitted_args"]
        assert call.arguments == (line["emitted_args"] if recorded is None else recorded)
        assert call.form is ArgumentsForm.TEXT
        assert (call.call_id, call.tool) == (line["call_id"], line["tool"])
        assert call.finish_reason == "tool-calls"
        assert call.model is not None
        assert call.provider is not None


def test_the_host_said_what_the_truth_says(host_logs: list[Reading], truth: list[Truth]) -> None:
    verdicts: dict[tuple[str, int | None], HostVerdict] = {}
    for log in host_logs:
        results = {result.call_position: result for result in log.of(Result)}
        for call in log.of(Call):
            result = results[call.position]
            verdicts[call.session, call.event] = host_verdict(
                "dsh", True, result.is_error, result.text, result.error_code
            )
    for line in truth:
        if line.get("call_seq") is not None:
            assert verdicts[line["session"], line["call_seq"]] == HOST_WORDS[line["host"]], line


def test_the_tools_of_the_request_are_in_force(host_logs: list[Reading]) -> None:
    catalogues = [catalogue for log in host_logs for catalogue in log.of(ToolCatalog)]
    assert len(catalogues) == 54
    assert all(tool.schema for catalogue in catalogues for tool in catalogue.tools)
    for log in host_logs:
        first = min(catalogue.position for catalogue in log.of(ToolCatalog))
        assert all(first < call.position for call in log.of(Call))


def test_a_stream_error_is_told_once(host_logs: list[Reading]) -> None:
    errors = [error for log in host_logs for error in log.of(StreamError)]
    assert Counter(error.code for error in errors) == {
        "TRANSPORT": 3,
        "STREAM_CLOSED": 1,
        "SERVER": 1,
        "RATE_LIMIT": 1,
    }


def test_leaked_calls_stay_in_the_texts(host_logs: list[Reading], truth: list[Truth]) -> None:
    texts = defaultdict(list)
    for log in host_logs:
        for text in log.of(AssistantText):
            texts[text.session].append(text)
    leaks = [line for line in truth if line["family"] == "G"]
    assert len(leaks) == 9
    for line in leaks:
        found = [text for text in texts[line["session"]] if line["emitted_text"] in text.text]
        assert len(found) == 1
        assert found[0].has_calls == (line["host"] == "text_kept_next_to_a_real_call")


def test_a_seeded_fork_tells_its_parent(host_logs: list[Reading]) -> None:
    forks = [
        session
        for log in host_logs
        for session in log.of(Session)
        if session.seed_length is not None
    ]
    assert len(forks) == 1
    assert forks[0].parent is not None
    assert all(session.harness == "dsh" for log in host_logs for session in log.of(Session))


def counted(shared: Path) -> Iterator[dict[str, Any]]:
    for line in (shared / "corpora" / "COUNTS.jsonl").read_text("utf-8").splitlines():
        counts = json.loads(line)
        if counts["file"].startswith(MIRRORED_BY_COUNTS):
            yield counts


# Where the independent count differs, and why ours is right (looked up in the rows):
# it counts a code dispatch at its start but not its result, which stands in the end row; in the
# third-party file, which has an end row without a start, it counts neither;
OTHER_RESULTS = {
    "python-sdk-single-exe__advanced__session.jsonl": 1,
    "code-mode-turn__session.jsonl": 2,
    "code-mode-round__session.jsonl": 2,
    "code-mode-read-image__session.jsonl": 2,
    "both-mode-turn__session.jsonl": 1,
    "code-mode-workspace-context__session.jsonl": 1,
    "advanced-toolchain__stream-json.expected.jsonl": 2,
    "tests__fixtures__session.jsonl": 1,
}
OTHER_CALLS = {"tests__fixtures__session.jsonl": 1}
# and it does not see the texts of the older assistant/message, whose content is not in `message`.
OTHER_TEXTS = {
    "cordis-tool-round__session.jsonl": 1,
    "code-mode-round__session.jsonl": 1,
    "question-composer__session.jsonl": 1,
    "steering__session.jsonl": 1,
    "lifecycle-chrome__session.jsonl": 1,
    "feedback-command__session.jsonl": 1,
}


def extra(table: dict[str, int], file: str) -> int:
    name = file.rsplit("/", 1)[-1]
    return sum(more for end, more in table.items() if name == end or name.endswith("__" + end))


def test_snapshots_agree_with_the_independent_count(shared: Path, read_log: ReadLog) -> None:
    files = 0
    for counts in counted(shared):
        files += 1
        file = counts["file"]
        log = read_log(shared / "corpora" / file)
        texts = [text for text in log.of(AssistantText) if not text.reasoning]
        assert len(log.of(Call)) == counts["calls"] + extra(OTHER_CALLS, file), file
        assert len(log.of(Result)) == counts["results"] + extra(OTHER_RESULTS, file), file
        assert len(texts) == counts["texts"] + extra(OTHER_TEXTS, file), file
        assert not log.unreadable
    assert files == 97


def test_a_third_party_log_keeps_objects_and_absent_arguments(
    shared: Path, read_log: ReadLog
) -> None:
    folder = shared / "corpora" / "dsh-thirdparty" / "dsh-fail-logger"
    log = read_log(folder / "tests__fixtures__session.jsonl")
    assert [(call.tool, call.form.value, call.dispatched) for call in log.of(Call)] == [
        ("bash", "value", False),
        ("read", "value", False),
        ("bash", "value", True),
        ("run_code", "absent", False),
    ]
    assert log.of(Call)[0].arguments == '{"command":"rm -rf /tmp/x"}'
    assert [result.call_position for result in log.of(Result)] == [0, None, 3, 5, 7, None]
    assert log.of(Result)[2].error_code == "READ_FAILED"


def test_names_alone_are_a_catalogue_without_schemas(shared: Path, read_log: ReadLog) -> None:
    folder = shared / "corpora" / "dsh" / "deepseek-harness"
    log = read_log(folder / "scripts__snapshots__python-sdk-single-exe__advanced__session.jsonl")
    catalogues = log.of(ToolCatalog)
    assert len(catalogues) == 3
    assert all(tool.schema is None for catalogue in catalogues for tool in catalogue.tools)
    masked = read_log(folder / "apps__web__tests__snapshots__approval-composer__session.jsonl")
    assert not masked.of(ToolCatalog)
