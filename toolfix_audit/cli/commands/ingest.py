"""`toolfix-audit ingest`: logs into the store."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from toolfix_audit.cli.console import Progress, guarded, say
from toolfix_audit.cli.options import (
    DEFAULT_DB,
    Db,
    FormatName,
    Jobs,
    Labels,
    Schemas,
    read_definitions,
    read_labels,
)
from toolfix_audit.model.errors import NothingCheckedError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from toolfix_audit.audit.ingest import Ingested, LoadedSource

Paths = Annotated[
    list[str], typer.Argument(metavar="PATH...", help="Logs: files, folders, or - for stdin.")
]
Strict = Annotated[
    bool, typer.Option("--strict", help="Fail if anything in a log could not be read.")
]


@guarded
def ingest(
    paths: Paths,
    db: Db = None,
    format_name: FormatName = None,
    schemas: Schemas = None,
    label: Labels = None,
    strict: Strict = False,
    jobs: Jobs = None,
) -> None:
    """Read session logs into the store; what is there already, unchanged, is not read again.

    Example: toolfix-audit ingest ~/.dsh/sessions --db audit.duckdb --label host=laptop
    """
    from toolfix_audit.audit.ingest import ingest as load  # noqa: PLC0415
    from toolfix_audit.store.store import Store  # noqa: PLC0415

    labels = read_labels(label)
    definitions = [(path, read_definitions([path])) for path in schemas or ()]
    with Store.open(db or DEFAULT_DB, create=True) as store:
        for path, found in definitions:
            store.add_supplied(found, str(path), "catalogue")
        progress = Progress()
        try:
            done = load(
                store,
                paths,
                format_name=format_name,
                labels=labels,
                progress=progress,
                processes=jobs,
            )
        finally:
            progress.done()
        missing = store.calls_without_schema([source.tally.digest for source in done.loaded])
    summarize(done, missing)
    _require_records(done, strict=strict)


def _require_records(done: Ingested, *, strict: bool) -> None:
    if not done.total(lambda tally: tally.records):
        raise NothingCheckedError("no records were found", hint="give files or folders with logs")
    unreadable = done.total(lambda tally: tally.unreadable)
    if strict and unreadable:
        raise NothingCheckedError(
            f"{unreadable} lines could not be read, and --strict allows none",
            hint="see the table `unreadable` of the store",
        )


def summarize(done: Ingested, missing: Mapping[str, int] | None = None) -> None:
    """Say on stderr what was read, by format, and what was not. `missing` are the calls of each
    format that have no schema."""
    from toolfix_audit.audit.ingest import unread_note  # noqa: PLC0415

    for name in sorted({source.format for source in done.loaded}):
        sources = [source for source in done.loaded if source.format == name]
        tallies = [source.tally for source in sources]
        figures = [
            f"{sum(tally.calls for tally in tallies):,} calls",
            f"{sum(tally.results for tally in tallies):,} results",
            f"{sum(tally.texts for tally in tallies):,} texts",
            f"{sum(tally.unreadable for tally in tallies):,} unreadable",
        ]
        if missing is not None:
            figures.append(f"{missing.get(name, 0):,} calls without schema")
        say(f"{name}: {_files(sources)}, {', '.join(figures)}")
    for line in unread_note(done):
        say(line)


def _files(sources: list[LoadedSource]) -> str:
    """How many files, and how many of them were known, or grew."""
    count = f"{len(sources)} file{'' if len(sources) == 1 else 's'}"
    notes = [
        f"{number} {what}"
        for number, what in (
            (sum(source.tally.skipped for source in sources), "known already"),
            (sum(source.grown for source in sources), "grown and read again"),
            (
                sum(source.tally.replaced and not source.grown for source in sources),
                "in place of another content",
            ),
        )
        if number
    ]
    return f"{count} ({', '.join(notes)})" if notes else count
