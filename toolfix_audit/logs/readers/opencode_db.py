"""OpenCode's data base `opencode.db`: SQLite with the tables session, message and part.

`message.data` and `part.data` hold the JSON of an export, without the ids. The data base is
copied with its write-ahead log and the copy is read, so that nothing beside it changes.
"""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from toolfix_audit.logs.blocks import Damage
from toolfix_audit.logs.fields import RowError, iso_time, object_at, text_at
from toolfix_audit.logs.head import Head
from toolfix_audit.logs.opencode_parts import part_records
from toolfix_audit.logs.reader import BalancedUnits, Reader, Tier
from toolfix_audit.logs.row_logs import Row, Sessions
from toolfix_audit.logs.session_records import Source, Turn
from toolfix_audit.logs.sources import LogFile
from toolfix_audit.model.errors import ReadError
from toolfix_audit.model.json import JsonError, escape_surrogates, parse_json
from toolfix_audit.model.records import Record, Unit, Unreadable

_MAGIC: Final = b"SQLite format 3\0"
_TABLES: Final = (b"part", b"message", b"message_id", b"session_id")
_PARTS: Final = """
SELECT part.rowid, part.id, part.session_id, part.message_id,
    CAST(part.data AS BLOB), CAST(message.data AS BLOB)
FROM part LEFT JOIN message ON message.id = part.message_id
ORDER BY part.session_id, part.message_id, part.id
"""
_WITH_CALLS: Final = """
SELECT DISTINCT message_id FROM part
WHERE CASE WHEN json_valid(data) THEN data ->> 'type' END = 'tool'
"""
_SESSIONS: Final = "SELECT id, version, time_created FROM session"


@dataclass(frozen=True, slots=True)
class _Part:
    """A row of the table part with what belongs to it."""

    number: int
    part: str
    session: str
    message: str
    data: bytes
    message_data: bytes | None


class _Log:
    """The sessions of a data base, and which messages hold calls."""

    def __init__(self, sessions: Sessions, connection: sqlite3.Connection) -> None:
        self._sessions = sessions
        self._with_calls: set[str] = set()
        with suppress(sqlite3.Error):  # damaged, or a version without these columns
            self._with_calls = {str(row[0]) for row in connection.execute(_WITH_CALLS)}
            for name, version, created in connection.execute(_SESSIONS).fetchall():
                told = None if version is None else str(version)
                sessions.begin(str(name), version=told, started=iso_time(created))

    def unit(self, row: _Part | Damage) -> Unit:
        """What a row gives."""
        if isinstance(row, Damage):
            return Unit(unreadable=Unreadable(0, 0, row.cause))
        try:
            made = self._records(row)
        except (JsonError, UnicodeDecodeError) as error:
            return Unit(unreadable=Unreadable(row.number, 0, f"not JSON: {error}"))
        except RowError as error:
            return Unit(unreadable=Unreadable(row.number, 0, str(error)))
        if isinstance(made, str):
            return Unit(ignored=made)
        return Unit(records=(*self._sessions.take_opening(), *made))

    def _records(self, row: _Part) -> list[Record] | str:
        data = _object(row.data, "a part")
        info = _object(row.message_data or b"{}", "a message")
        kind = text_at(data, "type") or "part"
        if info.get("role") != "assistant" and kind != "tool":
            return f"{kind} of the user"
        turn = Turn(
            model=text_at(info, "modelID"),
            provider=text_at(info, "providerID"),
            time=iso_time(object_at(info, "time").get("created")),
            finish_reason=text_at(info, "finish"),
            has_calls=row.message in self._with_calls,
        )
        records = self._sessions.begin(escape_surrogates(row.session))
        return part_records(records, {**data, "id": row.part}, turn) or kind


def _object(data: bytes, kind: str) -> Row:
    value = parse_json(data.decode())
    if not isinstance(value, dict):
        raise RowError(f"{kind} that is no object")
    return value


def _read(file: LogFile) -> Iterator[Unit]:
    """One unit for every part.

    Raises:
        ReadError: the file can't be read or copied.
    """
    with (
        tempfile.TemporaryDirectory(prefix="toolfix-audit-") as folder,
        closing(sqlite3.connect(_copied(file, Path(folder)))) as connection,
    ):
        log = _Log(Sessions(Source(file), "opencode"), connection)
        yield from BalancedUnits(file, _parts(connection), lambda rows: map(log.unit, rows))


def _parts(connection: sqlite3.Connection) -> Iterator[_Part | Damage]:
    """The parts, message by message; a Damage, if any, comes last."""
    try:
        for number, part, session, message, data, message_data in connection.execute(_PARTS):
            yield _Part(int(number), str(part), str(session), str(message), data, message_data)
    except sqlite3.Error as error:
        yield Damage(f"damaged data base: {error}")


def _copied(file: LogFile, folder: Path) -> Path:
    copy = folder / "opencode.db"
    try:
        shutil.copyfile(file.path, copy)
        log = file.path.with_name(file.path.name + "-wal")
        if log.is_file():
            shutil.copyfile(log, copy.with_name(copy.name + "-wal"))
    except OSError as error:
        reason = error.strerror or str(error)
        raise ReadError(f"{file.shown}: {reason}", hint="check that it may be read") from error
    return copy


def _detect(head: Head) -> bool:
    return head.first.startswith(_MAGIC) and all(word in head.first for word in _TABLES)


READER = Reader(
    name="opencode-db",
    summary="OpenCode's data base (opencode.db)",
    tier=Tier.DOCUMENTED,
    detect=_detect,
    read=_read,
)
