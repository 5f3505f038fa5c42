"""OpenCode's older storage folder: every session, message and part in a JSON file of its own.

A part tells its call and result, but not who wrote it: texts are not read from here, since those
of the user look the same. Exports and the data base tell all.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from toolfix_audit.logs.documents import Item, iter_items
from toolfix_audit.logs.fields import RowError, iso_time, object_at, text_at
from toolfix_audit.logs.head import Head
from toolfix_audit.logs.opencode_parts import part_records
from toolfix_audit.logs.reader import BalancedUnits, Reader, Tier
from toolfix_audit.logs.row_logs import Row, Sessions
from toolfix_audit.logs.session_records import Source, Turn
from toolfix_audit.logs.sources import LogFile
from toolfix_audit.model.json import Json
from toolfix_audit.model.records import Record, Unit, Unreadable

_MODELS_PARTS: Final = ("tool", "reasoning")


def _read(file: LogFile) -> Iterator[Unit]:
    sessions = Sessions(Source(file), "opencode")

    def units(items: Iterator[Item]) -> Iterator[Unit]:
        return (_unit(sessions, item) for item in items)

    return BalancedUnits(file, iter_items(file), units)


def _unit(sessions: Sessions, item: Item) -> Unit:
    cause = item.cause
    if cause is None:
        try:
            made = _records(sessions, item.value)
        except RowError as error:
            cause = str(error)
        else:
            records = (*sessions.take_opening(), *made)
            return Unit(records=records) if records else Unit(ignored=_kind(item.value))
    return Unit(unreadable=Unreadable(item.line, item.offset, cause))


def _records(sessions: Sessions, value: Json) -> list[Record]:
    if not isinstance(value, dict):
        raise RowError("not a JSON object")
    if _is_session(value):
        started = iso_time(object_at(value, "time").get("created"))
        sessions.begin(text_at(value, "id"), version=text_at(value, "version"), started=started)
        return []
    if not _is_part(value) or value.get("type") not in _MODELS_PARTS:
        return []
    records = sessions.begin(text_at(value, "sessionID", "messageID"))
    return part_records(records, value, Turn())


def _kind(value: Json) -> str:
    kind = text_at(value, "type") if isinstance(value, dict) else None
    return "message" if kind is None else f"{kind} part"


def _detect(head: Head) -> bool:
    return any(
        isinstance(value, dict) and (_is_part(value) or _is_message(value) or _is_session(value))
        for value in head.values
    )


def _is_part(value: Row) -> bool:
    return all(isinstance(value.get(key), str) for key in ("id", "messageID", "type"))


def _is_message(value: Row) -> bool:
    keys = ("id", "sessionID", "role")
    return all(isinstance(value.get(key), str) for key in keys) and "time" in value


def _is_session(value: Row) -> bool:
    return {"id", "projectID", "directory", "time"} <= value.keys()


READER = Reader(
    name="opencode-storage",
    summary="OpenCode's storage folder (session, message and part files)",
    tier=Tier.DOCUMENTED,
    detect=_detect,
    read=_read,
)
