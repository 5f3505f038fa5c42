"""The store of an audit: one DuckDB file, opened as a context manager."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Any, Final, cast

import duckdb
import pyarrow as pa

from toolfix_audit.model.json import escape_surrogates, parse_json
from toolfix_audit.model.records import ToolDefinition
from toolfix_audit.model.report import Corpus, SourceRow, UnreadableRow
from toolfix_audit.store import queries
from toolfix_audit.store.connect import first_row, open_file, transaction, write_error, writing
from toolfix_audit.store.entries import KnownSource, QueryResult, Run, SuppliedOrigin
from toolfix_audit.store.reading import read_calls, read_query
from toolfix_audit.store.runs import drop_run, gathered, put_outcomes, put_run
from toolfix_audit.store.supplied import put_definitions

BATCH_ROWS: Final = 4096


class Store:
    """What was read and what was found. Open it with `Store.open` or `Store.temporary`, and use
    it in a `with` block: its end frees the file for other processes.

    Every method may raise StoreError, and those that write StoreWriteError.
    """

    def __init__(self, path: Path, connection: duckdb.DuckDBPyConnection) -> None:
        self.path = path
        self.connection = connection
        self._cursors: list[duckdb.DuckDBPyConnection] = []
        self._folder: Path | None = None

    @classmethod
    def open(cls, path: str | Path, *, create: bool, read_only: bool = False) -> Store:
        """Open the store at `path`; with `create` an absent one is made, unless `read_only`.

        Raises:
            StoreError: it is missing, its folder is, it is no store, of another version, or in
                use by another process.
            StoreWriteError: a new store can't be written.
        """
        path = Path(path)
        return cls(path, open_file(path, create=create, read_only=read_only))

    @classmethod
    def temporary(cls) -> Store:
        """Make a store that goes with its files when it is closed, error or not.

        Raises:
            StoreWriteError: there is no room for it.
        """
        try:
            folder = Path(tempfile.mkdtemp(prefix="toolfix-audit-"))
        except OSError as error:
            raise write_error(Path(tempfile.gettempdir()), error) from error
        try:
            store = cls.open(folder / "store.duckdb", create=True)
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            raise
        store._folder = folder
        return store

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Free the file. What was committed is kept, even if there is no room to tidy up."""
        for connection in (*self._cursors, self.connection):
            with suppress(duckdb.Error):
                connection.close()
        self._cursors.clear()
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)

    def call_batches(self, batch_rows: int = BATCH_ROWS) -> Iterator[pa.RecordBatch]:
        """Every call that is kept, once, with its first result, in the order of the sources and
        of the positions in them; at most `batch_rows` a batch, and never more than one batch
        held. Other methods may be used between two batches."""
        with self._cursor() as cursor:
            yield from read_calls(cursor, self.path, batch_rows)

    def schemas(self) -> dict[str, str]:
        """The text of every tool schema, by its digest."""
        return dict(self.connection.execute(queries.TOOL_SCHEMAS).fetchall())

    def catalogs(self) -> dict[str, dict[str, str | None]]:
        """The tool lists of the requests, by their ids: tool name to schema digest. None where
        only the name is known, or one name had two schemas in one list."""
        found: dict[str, dict[str, str | None]] = {}
        for catalog, tool, digest in self.connection.execute(queries.CATALOGS).fetchall():
            found.setdefault(catalog, {})[tool] = digest
        return found

    def supplied(self, origin: SuppliedOrigin) -> dict[str, tuple[str, ...]]:
        """The schema digests supplied for each tool, in the order they came, each once."""
        found: dict[str, dict[str, None]] = {}
        for tool, digest in self.connection.execute(queries.SUPPLIED, [origin]).fetchall():
            digests = found.setdefault(tool, {})
            if digest is not None:
                digests[digest] = None
        return {tool: tuple(digests) for tool, digests in found.items()}

    def programs(self) -> list[tuple[str, str | None]]:
        """The harnesses, each with its versions, whose calls came without a tool list."""
        return self.connection.execute(queries.PROGRAMS).fetchall()

    def count_calls(self) -> int:
        """How many calls were read, duplicates included."""
        row = first_row(self.connection, queries.COUNT_CALLS)
        return int(row[0]) if row else 0

    def calls_by_tool(self) -> dict[str, int]:
        """How often each tool was called, duplicates set aside."""
        return dict(self.connection.execute(queries.CALLS_BY_TOOL).fetchall())

    def supplied_names(self) -> list[tuple[str, str, str, int]]:
        """What supplied the schemas beside the logs: origin, the name of the file or server, tool,
        and how many schemas it has of it."""
        return self.connection.execute(queries.SUPPLIED_NAMES).fetchall()

    def called_names(self) -> list[str]:
        """Every tool name that was called."""
        return [name for (name,) in self.connection.execute(queries.CALLED_NAMES).fetchall()]

    def add_supplied(
        self, definitions: Sequence[ToolDefinition], source_name: str, origin: SuppliedOrigin
    ) -> None:
        """Keep the schemas of a file or catalogue, in place of what it supplied before.

        Raises:
            StoreWriteError: the store can't be written; it is as it was before.
        """
        name = escape_surrogates(source_name)
        with transaction(self.connection, self.path), writing(self.path):
            put_definitions(self.connection, definitions, origin=origin, name=name)

    def save_run(
        self,
        run: Run,
        batches: Iterator[pa.RecordBatch],
        *,
        report: Callable[[], str] | None = None,
    ) -> None:
        """Keep a dry run and its outcomes, in place of an earlier one of the same id, and whole
        or not at all. `report` is asked for the report's JSON after the last batch.

        Raises:
            StoreWriteError: the store can't be written; it is as it was before.
        """
        with transaction(self.connection, self.path):
            with writing(self.path):
                drop_run(self.connection, run.run)
            # The batches may come from `call_batches` of this very store, and may fail in their
            # own way: they are drawn outside of any statement.
            for rows in gathered(batches):
                with writing(self.path):
                    put_outcomes(self.connection, run.run, rows)
            text = report() if report else run.report
            with writing(self.path):
                put_run(self.connection, replace(run, report=text))

    def retries(self, run: str, within: int) -> Iterator[tuple[Any, ...]]:
        """The calls of a run that the host had rejected and the engine fixed: call, session, tool,
        families, before, after, and the arguments of the first later call to that tool in the
        session, at most `within` calls on, that was valid and ran (None: there is none)."""
        found = self.connection.execute(queries.RETRIES, {"run": run, "within": within})
        while rows := found.fetchmany(BATCH_ROWS):
            yield from rows

    def latest_run(self) -> Run | None:
        """The dry run that was saved last."""
        row = first_row(self.connection, queries.LATEST_RUN)
        if row is None:
            return None
        name, started, spec, report = row
        return Run(run=name, spec=spec, report=report, started=started)

    def corpus_counts(self) -> Corpus:
        """The corpus in figures: calls and results without those set aside as duplicates."""
        row = first_row(self.connection, queries.CORPUS)
        return Corpus(*row) if row else Corpus()

    def labels(self) -> dict[str, str]:
        """The labels that the sources were given; values that differ are joined by commas."""
        found: dict[str, dict[str, None]] = {}
        for (text,) in self.connection.execute(queries.LABELS).fetchall():
            for key, value in cast("dict[str, str]", parse_json(text)).items():
                found.setdefault(key, {})[value] = None
        return {key: ", ".join(values) for key, values in sorted(found.items())}

    def known_sources(self) -> dict[str, KnownSource]:
        """The content that was last read at each path."""
        rows = self.connection.execute(queries.KNOWN_SOURCES).fetchall()
        return {path: KnownSource(*row) for path, *row in rows}

    def calls_without_schema(self, digests: Sequence[str]) -> dict[str, int]:
        """How many calls of these sources have a schema neither in their log nor supplied, by
        the format of the source; formats without any are left out."""
        rows = self.connection.execute(queries.WITHOUT_SCHEMA, {"digests": list(digests)})
        return dict(rows.fetchall())

    def source_rows(self) -> tuple[SourceRow, ...]:
        """The sources as they were read, duplicates included, in their order."""
        rows = self.connection.execute(queries.SOURCE_ROWS).fetchall()
        return tuple(SourceRow(*row) for row in rows)

    def unreadable_rows(self, limit: int) -> tuple[UnreadableRow, ...]:
        """The first units that could not be read."""
        rows = self.connection.execute(queries.UNREADABLE_ROWS, [limit]).fetchall()
        return tuple(UnreadableRow(*row) for row in rows)

    def query(self, sql: str) -> QueryResult:
        """Answer one SELECT. It can't write, nor read anything but the store.

        Raises:
            StoreError: it is no single reading statement, or it fails.
        """
        with self._cursor() as cursor:
            return read_query(cursor, sql)

    @contextmanager
    def _cursor(self) -> Iterator[duckdb.DuckDBPyConnection]:
        """A second connection, which the store closes itself if its user forgets to: an open one
        would keep the file locked."""
        cursor = self.connection.cursor()
        self._cursors.append(cursor)
        try:
            cursor.execute(queries.USE)
            yield cursor
        finally:
            cursor.close()
            if cursor in self._cursors:
                self._cursors.remove(cursor)
