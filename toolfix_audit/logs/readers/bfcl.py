"""BFCL result files: `{"id", "result": [{tool: arguments}]}` a line, for one model.

Arguments are JSON text or an object. A result that is plain text is what a model without native
calls wrote. In multi-turn results, lists of steps nest in lists of turns. Tool names may have a
`_` where the question has a dot; they are kept as the model gave them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from toolfix_audit.logs.fields import RowError, arguments_at, text_at, word_at
from toolfix_audit.logs.head import Head
from toolfix_audit.logs.reader import Reader, Tier
from toolfix_audit.logs.row_logs import ReadRow, Row, Sessions, read_rows
from toolfix_audit.logs.session_records import SessionRecords, Turn
from toolfix_audit.logs.sources import LogFile
from toolfix_audit.model.json import Json, escape_surrogates
from toolfix_audit.model.records import Record, Unit

_MAX_DEPTH: Final = 3
_BENCHMARK_KEYS: Final = ("latency", "input_token_count", "output_token_count", "inference_log")


def _open(sessions: Sessions) -> ReadRow:
    def read(row: Row) -> list[Record] | str:
        name = word_at(row, "id")
        if name is None or "result" not in row:
            return "row without a result"
        records = sessions.run(name)
        turn = Turn()
        made: list[Record] = [
            *records.text(text_at(row, "reasoning_content"), turn, reasoning=True)
        ]
        return [*made, *_answers(records, row["result"], _MAX_DEPTH)]

    return read


def _answers(records: SessionRecords, result: Json, depth: int) -> list[Record]:
    """The calls and texts of a result, whatever its nesting.

    Raises:
        RowError: it is nested deeper than turns and steps.
    """
    if isinstance(result, str):
        return [*records.text(escape_surrogates(result), Turn())]
    if isinstance(result, dict):
        return [
            records.call(escape_surrogates(tool), arguments_at(result, tool), Turn())
            for tool in result
        ]
    if isinstance(result, list):
        if not depth:
            raise RowError("a result that is nested deeper than turns and steps")
        return [made for item in result for made in _answers(records, item, depth - 1)]
    return []


def _read(file: LogFile) -> Iterator[Unit]:
    return read_rows(file, "bfcl", _open)


def _detect(head: Head) -> bool:
    return any(isinstance(value, dict) and _is_ours(value) for value in head.values)


def _is_ours(row: Row) -> bool:
    if "jsonrpc" in row or not isinstance(row.get("id"), str | int):
        return False
    result = row.get("result")
    if isinstance(result, list) and result and all(_is_call(item) for item in result):
        return True
    return isinstance(result, str | list) and any(key in row for key in _BENCHMARK_KEYS)


def _is_call(item: Json) -> bool:
    """Whether a value is one tool with its arguments."""
    return (
        isinstance(item, dict)
        and len(item) == 1
        and all(isinstance(value, dict | str) for value in item.values())
    )


READER = Reader(
    name="bfcl",
    summary="BFCL result files",
    tier=Tier.DOCUMENTED,
    detect=_detect,
    read=_read,
)
