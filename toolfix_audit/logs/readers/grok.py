"""Grok CLI chat histories (`chat_history.jsonl`): flat calls, reasoning in rows of its own."""

from __future__ import annotations

from collections.abc import Iterator

from toolfix_audit.logs.chat_messages import read_reply, read_results
from toolfix_audit.logs.fields import content_texts, list_at, text_at
from toolfix_audit.logs.head import Head
from toolfix_audit.logs.reader import Reader, Tier
from toolfix_audit.logs.row_logs import ReadRow, Row, Sessions, read_rows
from toolfix_audit.logs.session_records import Turn
from toolfix_audit.logs.sources import LogFile
from toolfix_audit.model.records import Record, Unit


def _open(sessions: Sessions) -> ReadRow:
    def read(row: Row) -> list[Record] | str:
        kind = text_at(row, "type") or "row without a type"
        if kind == "assistant":
            turn = Turn(model=text_at(row, "model_id"))
            return read_reply(sessions.named(), row, turn) or kind
        if kind == "tool_result":
            return [*read_results(sessions.named(), row)]
        if kind == "reasoning":
            return [*sessions.named().text(_summary(row), Turn(), reasoning=True)] or kind
        return kind

    return read


def _summary(row: Row) -> str:
    blocks = [block for block in list_at(row, "summary") if isinstance(block, dict)]
    return content_texts([{**block, "type": "text"} for block in blocks])[0]


def _read(file: LogFile) -> Iterator[Unit]:
    return read_rows(file, "grok", _open)


def _detect(head: Head) -> bool:
    return any(isinstance(value, dict) and _is_ours(value) for value in head.values)


def _is_ours(row: Row) -> bool:
    if row.get("type") == "assistant":
        return isinstance(row.get("model_id"), str) and "content" in row
    return row.get("type") == "reasoning" and "encrypted_content" in row and "summary" in row


READER = Reader(
    name="grok",
    summary="Grok CLI chat histories",
    tier=Tier.PROVEN,
    detect=_detect,
    read=_read,
)
