"""No log makes a reader raise: every value of a log replaced by values of other types."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from toolfix_audit.logs.detect import reader_named
from toolfix_audit.logs.head import read_head
from toolfix_audit.logs.readers import READERS
from toolfix_audit.logs.sources import LogFile
from toolfix_audit.model.records import Call, Record, Result, Session

from .test_agent_rows import LOGS
from .test_benchmark_runs import BFCL, agentdojo, tau2, toolbench
from .test_request_logs import CHAT, EXCHANGES, TOOL, event, export, request, response, span
from .test_run_documents import inspect_log, inspect_sample, openhands, swe_agent

ODD: Final[tuple[object, ...]] = (None, True, 7, 1.5e300, "x", "\ud800", [], [[7]], {}, {"a": {}})

SAMPLES: dict[str, tuple[str, ...]] = {
    **{name: tuple(lines) for name, lines in LOGS.items()},
    "openhands": (json.dumps(openhands()),),
    "swe-agent": (json.dumps(swe_agent()),),
    "inspect-ai": (json.dumps(inspect_log(inspect_sample())),),
    "tau2-bench": (json.dumps(tau2()),),
    "agentdojo": (json.dumps(agentdojo()),),
    "toolbench": (json.dumps(toolbench()),),
    "bfcl": BFCL,
    "otlp-genai": (export(span(0, CHAT), span(1, TOOL, {"code": 2})),),
    "openai-messages": (
        json.dumps({"messages": agentdojo()["messages"], "tools": [{"name": "x"}]}),
    ),
    "openhands-sdk": (
        *(json.dumps(one) for one in EXCHANGES["openhands-sdk"]),
        event("ActionEvent", tool_call={"name": "t", "arguments": "{}"}, thought=[{}]),
        event("ObservationEvent", tool_call_id="c", observation={"content": []}),
        event("MessageEvent", llm_message={"role": "assistant", "content": []}),
    ),
    "litellm": tuple(json.dumps(one) for one in EXCHANGES["litellm"]),
    "mcp-jsonrpc": (
        request(1, "tools/list"),
        response(1, {"tools": [{"name": "t"}]}),
        request(2, "tools/call", name="t", arguments={}),
        response(2, {"content": [{"type": "text", "text": "x"}], "isError": True}),
    ),
}


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The path of every value inside, the outermost first."""
    yield path
    if isinstance(value, dict | list):
        for key, member in value.items() if isinstance(value, dict) else enumerate(value):
            yield from places(member, (*path, key))


def with_value(document: Any, path: tuple[Any, ...], value: object) -> Any:
    if not path:
        return value
    changed = copy.deepcopy(document)
    holder = changed
    for key in path[:-1]:
        holder = holder[key]
    holder[path[-1]] = value
    return changed


def mutants(lines: tuple[str, ...]) -> Iterator[list[str]]:
    for index, line in enumerate(lines):
        document = json.loads(line)
        for path in places(document):
            for odd in ODD:
                changed = json.dumps(with_value(document, path, odd))
                yield [*lines[:index], changed, *lines[index + 1 :]]


def check_records(records: list[Record]) -> None:
    """Positions rise, sessions are told first, and results answer calls that were given."""
    last = -1
    sessions: set[str] = set()
    calls: set[int] = set()
    for record in records:
        repr(record).encode()
        if isinstance(record, Session):
            sessions.add(record.session)
            continue
        assert record.session in sessions
        assert record.position > last
        last = record.position
        if isinstance(record, Call):
            calls.add(record.position)
        if isinstance(record, Result) and record.call_position is not None:
            calls.remove(record.call_position)


@pytest.mark.parametrize("name", SAMPLES)
def test_odd_values_are_data(tmp_path: Path, name: str) -> None:
    reader = reader_named(name.removesuffix("-stream"))
    path = tmp_path / "log"
    file = LogFile(path, "log", named=True)
    for number, lines in enumerate(mutants(SAMPLES[name])):
        path.write_text("\n".join(lines))
        if number % 5 == 0:  # detection of every format looks at every file
            head = read_head(file)
            for other in READERS:
                other.detect(head)
        check_records([record for unit in reader.read(file) for record in unit.records])


@pytest.mark.parametrize("name", SAMPLES)
def test_a_sample_is_recognised_by_one_reader(tmp_path: Path, name: str) -> None:
    path = tmp_path / "log"
    path.write_text("\n".join(SAMPLES[name]))
    head = read_head(LogFile(path, "log", named=True))
    found = [reader.name for reader in READERS if reader.detect(head)]
    assert found == [name.removesuffix("-stream")]
