"""Opening a store file, and saying in one line why it can't be opened or written."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Final

import duckdb

from toolfix_audit.model.errors import StoreError, StoreWriteError
from toolfix_audit.store import ddl, queries

_SETTINGS: Final[dict[str, str | bool | int | float | list[str]]] = {
    "memory_limit": "128MB",
    "python_enable_replacements": "false",
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "allow_community_extensions": "false",
}
_MAGIC: Final = b"DUCK"
_HOLDER: Final = re.compile(r"PID (\d+)")
_DISK_FULL: Final = re.compile(
    r"no space left|disk quota|file too large|could not write all bytes|out of disk", re.IGNORECASE
)


def tool_version() -> str:
    """The version of the installed tool; `0` where it runs uninstalled."""
    try:
        return version("toolfix-audit")
    except PackageNotFoundError:
        return "0"


def open_file(path: Path, *, create: bool, read_only: bool) -> duckdb.DuckDBPyConnection:
    """Connect to the store at `path`, with no way out of it: no other file, no network, no
    extension, no Python variable.

    Raises:
        StoreError: there is no store, it is locked, no store of ours, or of another version.
        StoreWriteError: a new store can't be written, or one that was interrupted not tidied up.
    """
    path = path.absolute()  # a bare name such as `md:x` would mean another database to DuckDB
    if not os.path.lexists(path):
        _require_folder(path)
        if not create or read_only:
            raise StoreError(
                f"there is no store at {path}",
                hint=f"make one: toolfix-audit dryrun LOGS --db {path}",
            )
        _require_no_leftover(path)
        _create(path)
    _require_database(path)
    interrupted = _journal(path).exists()
    connection = _connect(path, read_only=read_only)
    try:
        _require_version(connection, path)
        if first_row(connection, queries.IS_LOCKED_DOWN) == (False,):
            connection.execute(queries.LOCK_DOWN)  # else open already, in this very process
        if interrupted and not read_only:
            # An interrupted load may have left a file full of blocks that nothing refers to.
            with writing(path), suppress(duckdb.TransactionException):
                connection.execute(queries.CHECKPOINT)
    except BaseException:
        connection.close()
        raise
    return connection


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Turn what DuckDB says while writing into one line.

    Raises:
        StoreWriteError: the disk is full, or the file can't be written for another reason.
    """
    try:
        yield
    except (duckdb.Error, OSError) as error:
        raise write_error(path, error) from error


@contextmanager
def transaction(connection: duckdb.DuckDBPyConnection, path: Path) -> Iterator[None]:
    """All of the block, or nothing of it; its errors pass as they are.

    Raises:
        StoreWriteError: the transaction can't be begun or committed.
    """
    with writing(path):
        connection.execute(queries.BEGIN)
    try:
        yield
        with writing(path):
            connection.execute(queries.COMMIT)
    except BaseException:
        with suppress(duckdb.Error):  # a failed write may have ended the transaction itself
            connection.execute(queries.ROLLBACK)
        raise


def write_error(path: Path, error: Exception) -> StoreWriteError:
    """The one line, and the mend, for a store that could not be written."""
    if _DISK_FULL.search(str(error)):
        return StoreWriteError(
            f"{path} can't be written: the disk is full",
            hint="make room and run again; what was stored before is intact",
        )
    return StoreWriteError(
        f"{path} can't be written: {first_line(error)}",
        hint="what was stored before is intact; check the disk and the permissions",
    )


def first_row(
    connection: duckdb.DuckDBPyConnection, statement: str, parameters: Sequence[object] = ()
) -> tuple[Any, ...] | None:
    """The first row of an answer, None if there is none. The answer is fetched to its end: a
    connection does nothing else while one is open.

    Raises:
        duckdb.Error: the statement failed.
    """
    rows = connection.execute(statement, list(parameters)).fetchall()
    return rows[0] if rows else None


def first_line(error: Exception) -> str:
    """What an error says, without the advice that follows."""
    text = str(error).strip().split("\n", 1)[0]
    return text.split(" See also http", 1)[0]


def _require_folder(path: Path) -> None:
    if not path.parent.is_dir():
        raise StoreError(
            f"there is no folder {path.parent}",
            hint="make the folder first, or give another --db",
        )


def _journal(path: Path) -> Path:
    """Where DuckDB keeps what is committed and not yet in the file itself."""
    return path.with_name(f"{path.name}.wal")


def _require_no_leftover(path: Path) -> None:
    """Refuse a journal without its store: DuckDB would hold it against the new one. It is asked
    for first, since a store that another process makes now is there before its journal."""
    journal = _journal(path)
    if journal.exists() and not path.exists():
        raise StoreError(
            f"{journal} is left over from a store that is gone",
            hint="put that store back, remove the file, or give another --db",
        )


def _create(path: Path) -> None:
    """Make an empty store beside `path`, then give it its name: half a store is never seen."""
    fresh = path.with_name(f".{path.name}.new-{os.getpid()}")
    leftovers = (fresh, _journal(fresh))
    try:
        with writing(path):
            _drop(leftovers)
            _fill(fresh)
            _publish(fresh, path)
    finally:
        _drop(leftovers)


def _fill(fresh: Path) -> None:
    with _attach(fresh) as connection:
        connection.execute(queries.BEGIN)
        for statement in (*ddl.TABLES, *ddl.VIEWS):
            connection.execute(statement)
        connection.execute(queries.PUT_META, [ddl.SCHEMA_VERSION, tool_version()])
        connection.execute(queries.COMMIT)
        connection.execute(queries.CHECKPOINT)
    _require_filled(fresh)


def _require_filled(fresh: Path) -> None:
    """Read the new store back: closing one says nothing if the disk was full.

    Raises:
        duckdb.Error: it is not whole.
    """
    with _attach(fresh, read_only=True) as connection:
        if first_row(connection, queries.GET_META) is None:
            raise duckdb.IOException("the new store is not whole")


def _publish(fresh: Path, path: Path) -> None:
    try:
        path.hardlink_to(fresh)
    except FileExistsError:
        return  # another process was quicker; its store is as good
    except OSError:
        fresh.replace(path)  # a file system without links


def _drop(paths: tuple[Path, ...]) -> None:
    for path in paths:
        path.unlink(missing_ok=True)


def _require_database(path: Path) -> None:
    """Look at the file ourselves: DuckDB would try an extension for a file of another kind."""
    try:
        with path.open("rb") as file:
            head = file.read(12)
    except OSError as error:
        raise StoreError(
            f"{path} can't be read: {error.strerror}", hint="give the store's file with --db"
        ) from error
    if head[8:12] != _MAGIC:
        raise StoreError(
            f"{path} is no store: not a DuckDB file",
            hint="give another --db, or remove the file",
        )


def _attach(path: Path, *, read_only: bool = False) -> duckdb.DuckDBPyConnection:
    """A connection of which the file is the database in use. Within one process all of a file are
    of one and the same instance.

    Raises:
        duckdb.Error: it can't be opened.
    """
    config = {**_SETTINGS, "temp_directory": f"{path}.tmp"}
    connection = duckdb.connect(f":memory:{path}", config=config)
    try:
        statement = queries.ATTACH_READ_ONLY if read_only else queries.ATTACH
        connection.execute(statement, [str(path)])
        connection.execute(queries.USE)
    except BaseException:
        connection.close()
        raise
    return connection


def _connect(path: Path, *, read_only: bool) -> duckdb.DuckDBPyConnection:
    try:
        return _attach(path, read_only=read_only)
    except duckdb.Error as error:
        holder = _HOLDER.search(str(error))
        if "lock on file" in str(error):
            who = f"process {holder.group(1)}" if holder else "another process"
            raise StoreError(
                f"{path} is in use by {who}", hint="wait until it is done, or end it"
            ) from error
        if _DISK_FULL.search(str(error)):
            raise write_error(path, error) from error
        raise StoreError(
            f"{path} can't be opened: {first_line(error)}",
            hint="ingest the logs again into another --db",
        ) from error


def _require_version(connection: duckdb.DuckDBPyConnection, path: Path) -> None:
    try:
        row = first_row(connection, queries.GET_META)
    except (duckdb.CatalogException, duckdb.BinderException):
        row = None
    if row is None:
        raise StoreError(
            f"{path} is a DuckDB file, but no store of toolfix-audit", hint="give another --db"
        )
    if row[0] != ddl.SCHEMA_VERSION:
        raise StoreError(
            f"{path} is a store of version {row[0]}, written by toolfix-audit {row[1]}; "
            f"toolfix-audit {tool_version()} reads version {ddl.SCHEMA_VERSION}",
            hint=f"ingest the logs again into another --db, or use toolfix-audit {row[1]}",
        )
