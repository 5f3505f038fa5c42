"""Logs into the store: every file found, told by its content, loaded whole or not at all."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Final

from toolfix_audit.logs.detect import Detection, FileKind, detect
from toolfix_audit.logs.sources import LogFile, content_digest, find_logs
from toolfix_audit.model.errors import NothingCheckedError, ReadError
from toolfix_audit.model.records import Unit
from toolfix_audit.store.entries import SourceInfo, SourceTally
from toolfix_audit.store.load import load_source
from toolfix_audit.store.store import Store

Progress = Callable[[str], None]

_MENDS: Final = {
    FileKind.BINARY: "give a session log: JSON lines or JSON, plain, .gz or .zst",
    FileKind.DAMAGED: "copy the file again: not one complete line can be decompressed",
    FileKind.UNKNOWN: "see `toolfix-audit ingest --help` for the formats, or convert to native",
}


@dataclass(frozen=True, slots=True)
class LoadedSource:
    """A log that is in the store now."""

    file: LogFile
    format: str
    tally: SourceTally


@dataclass(slots=True)
class Ingested:
    """What an ingest did: logs loaded (or there already), and files that are no logs."""

    loaded: list[LoadedSource] = field(default_factory=list)
    passed_over: list[tuple[LogFile, FileKind]] = field(default_factory=list)

    def total(self, figure: Callable[[SourceTally], int]) -> int:
        """The sum of one figure over the loaded logs."""
        return sum(figure(source.tally) for source in self.loaded)


def ingest(
    store: Store,
    paths: Sequence[str],
    *,
    format_name: str | None = None,
    labels: Mapping[str, str] | None = None,
    progress: Progress | None = None,
) -> Ingested:
    """Load every log under `paths`.

    A file in a directory that no reader recognises is passed over and listed; one that was named
    is an error, since its author meant it.

    Raises:
        ReadError: a path is missing, or a named file is no log.
        NothingCheckedError: a named file is empty.
        StoreWriteError, BalanceError: see `load_source`.
    """
    done = Ingested()
    for file in find_logs(paths):
        found = detect(file, format_name)
        if found.reader is None:
            _refuse_if_named(file, found)
            done.passed_over.append((file, found.kind))
            continue
        if progress:
            progress(f"reading {file.shown}")
        tally = _load(store, file, found, labels or {})
        done.loaded.append(LoadedSource(file, found.reader.name, tally))
    return done


def _load(store: Store, file: LogFile, found: Detection, labels: Mapping[str, str]) -> SourceTally:
    reader = found.reader
    assert reader is not None  # noqa: S101 — the caller has looked
    info = SourceInfo(
        digest=content_digest(file),
        path=file.shown,
        format=reader.name,
        size=file.path.stat().st_size,
        labels=labels,
    )
    return load_source(store, info, _as_iterator(reader.read(file)))


def _as_iterator(units: Iterable[Unit]) -> Iterator[Unit]:
    return iter(units)


def _refuse_if_named(file: LogFile, found: Detection) -> None:
    if not file.named:
        return
    if found.kind is FileKind.EMPTY:
        raise NothingCheckedError(
            f"{file.shown}: the file is empty", hint="give a log with records"
        )
    detail = f" ({found.detail})" if found.detail else ""
    raise ReadError(f"{file.shown}: {found.kind}{detail}", hint=_MENDS.get(found.kind))


def unread_note(done: Ingested, limit: int = 5) -> Iterator[str]:
    """One line for each file that was passed over, cut after `limit`."""
    for file, kind in islice(done.passed_over, limit):
        yield f"not a log: {file.shown} ({kind})"
    if len(done.passed_over) > limit:
        yield f"… and {len(done.passed_over) - limit} more files that are no logs"
