"""Whatever parser reads the rows, the records are the same."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from toolfix_audit.logs import fields, lines
from toolfix_audit.logs.detect import detect
from toolfix_audit.logs.sources import LogFile
from toolfix_audit.model.json import Json, dump_json, parse_json
from toolfix_audit.model.records import ArgumentsForm, Call, ToolCatalog, Unit

from .conftest import ReadLog, WriteLog

EXACT = [
    '{"n":9007199254740993}',
    '{"n":12345678901234567890123456}',
    '{"n":0.10}',
    '{"n":1e400}',
    '{"n":-0}',
    '{"n":1,"n":2}',
    '{"n":[1.0,{"m":1E5,"m":"x"}]}',
    '{"n":"é\\u0000\\ud83d"}',
    '{"n":18446744073709551616}',
]


@pytest.mark.parametrize("arguments", EXACT)
@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('{"type":"tool/call","session":"s","id":"c","tool":"t","arguments":', "}"),
        ('{"type":"tool/call","data":{"callId":"c","name":"t","arguments":', "}}"),
        (
            '{"role": "assistant", "x": 0.5, "tool_calls": [{"function": {"name": "t", "args": ',
            "}}]}",
        ),
    ],
)
def test_recorded_values_stay_exact(
    write_log: WriteLog, read_log: ReadLog, *, before: str, after: str, arguments: str
) -> None:
    row = before + arguments + after
    if "role" in before:
        row = f'{{"messages": [{row}]}}'
    [call] = read_log(write_log(row)).of(Call)
    assert call.form is ArgumentsForm.VALUE
    assert call.arguments == arguments.encode().decode()


def test_schemas_stay_exact(write_log: WriteLog, read_log: ReadLog) -> None:
    schema = '{"properties":{"a":{"maximum":0.10},"b":{"const":1e400,"const":2}}}'
    row = f'{{"type":"tools","session":"s","tools":[{{"name":"t","input_schema":{schema}}}]}}'
    [catalog] = read_log(write_log(row)).of(ToolCatalog)
    assert [tool.schema for tool in catalog.tools] == [schema]


def logs_below(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.stat().st_size < 3_000_000:
            yield path


def units_of(path: Path) -> list[Unit]:
    file = LogFile(path, path.name, named=False)
    found = detect(file)
    return [] if found.reader is None else list(found.reader.read(file))


def slow_row(data: bytes) -> Json:
    return parse_json(data.decode())


def test_the_corpora_give_equal_records_by_both_parsers(
    shared: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    paths = list(logs_below(shared / "corpora"))
    fast = [units_of(path) for path in paths]
    monkeypatch.setattr(lines, "parse_row", slow_row)
    monkeypatch.setattr(fields, "dump_value", dump_json)
    assert sum(map(len, fast)) > 10_000
    for path, units in zip(paths, fast, strict=True):
        assert units_of(path) == units, path
