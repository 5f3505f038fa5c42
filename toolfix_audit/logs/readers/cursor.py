"""Cursor agent transcripts: rows of blocks, in which calls have no id.

So a result answers the oldest call that still waits, of its tool where it names one.
"""

from __future__ import annotations

from collections.abc import Iterator

from toolfix_audit.logs.anthropic_blocks import assistant_records, result_records
from toolfix_audit.logs.fields import list_at, object_at, text_at
from toolfix_audit.logs.head import Head
from toolfix_audit.logs.reader import Reader, Tier
from toolfix_audit.logs.row_logs import ReadRow, Row, Sessions, read_rows
from toolfix_audit.logs.session_records import Turn
from toolfix_audit.logs.sources import LogFile
from toolfix_audit.model.records import Record, Unit


def _open(sessions: Sessions) -> ReadRow:
    def read(row: Row) -> list[Record] | str:
        role = text_at(row, "role")
        content = object_at(row, "message").get("content")
        if role == "assistant":
            turn = Turn(model=text_at(row, "model"))
            return assistant_records(sessions.named(), content, turn) or role
        if role is None:
            return text_at(row, "type") or "row without a role"
        return [*result_records(sessions.named(), content)] or role

    return read


def _read(file: LogFile) -> Iterator[Unit]:
    return read_rows(file, "cursor", _open)


def _detect(head: Head) -> bool:
    return any(isinstance(value, dict) and _is_ours(value) for value in head.values)


def _is_ours(row: Row) -> bool:
    """Whether a row has a role beside its message: others have a type there, or no envelope."""
    return (
        row.get("role") in ("user", "assistant")
        and "type" not in row
        and "content" not in row
        and bool(list_at(object_at(row, "message"), "content"))
    )


READER = Reader(
    name="cursor",
    summary="Cursor agent transcripts",
    tier=Tier.PROVEN,
    detect=_detect,
    read=_read,
)
