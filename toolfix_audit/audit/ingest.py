"""Logs into the store: every file found, told by its content, loaded whole or not at all."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import islice
from typing import Final, TypeAlias

from toolfix_audit.audit.processors import processors
from toolfix_audit.audit.reading import Job, Message, Opened, is_unchanged, read_log
from toolfix_audit.logs.detect import FileKind
from toolfix_audit.logs.sources import LogFile, find_logs
from toolfix_audit.model.errors import NothingCheckedError, ReadError
from toolfix_audit.store.entries import Counts, KnownSource, SourceInfo, SourceTally
from toolfix_audit.store.load import Loading
from toolfix_audit.store.store import Store
from toolfix_audit.store.tables import Batch

PARALLEL_BYTES: Final = 16_000_000
"""Less is read faster by this process alone than others are started."""

_MENDS: Final = {
    FileKind.ARCHIVE: "unpack it, and give the folder",
    FileKind.BINARY: "give a session log: JSON lines or JSON, plain, .gz or .zst",
    FileKind.DAMAGED: "copy the file again: not one complete line can be decompressed",
    FileKind.UNKNOWN: "`toolfix-audit formats` lists what is read; or convert to native",
}


@dataclass(frozen=True, slots=True)
class Reading:
    """How far an ingest is: the file at hand, and bytes read of all that there are."""

    shown: str
    done: int
    total: int


OnReading: TypeAlias = Callable[[Reading], None]


@dataclass(frozen=True, slots=True)
class LoadedSource:
    """A log that is in the store now. `grown` says that it replaced its own beginning."""

    file: LogFile
    format: str
    tally: SourceTally
    grown: bool = False


@dataclass(frozen=True, slots=True)
class PassedOver:
    """A file that was found in a folder and not read. `is_fault` tells one that could not be read
    from one that is no log."""

    file: LogFile
    reason: str
    is_fault: bool = False


@dataclass(slots=True)
class Ingested:
    """What an ingest did: logs loaded (or there already), and files passed over."""

    loaded: list[LoadedSource] = field(default_factory=list)
    passed_over: list[PassedOver] = field(default_factory=list)

    def total(self, figure: Callable[[SourceTally], int]) -> int:
        """The sum of one figure over the loaded logs."""
        return sum(figure(source.tally) for source in self.loaded)


def ingest(
    store: Store,
    paths: Sequence[str],
    *,
    format_name: str | None = None,
    labels: Mapping[str, str] | None = None,
    progress: OnReading | None = None,
    processes: int | None = None,
) -> Ingested:
    """Load every log under `paths`; what the store has unchanged is not read again.

    A file in a directory that no reader recognises, or that can't be read, is passed over and
    listed; one that was named is an error, since its author meant it. With `processes` so many
    others read and this one only writes; 1 reads here, None decides by size. The store is the
    same in each case.

    Raises:
        ReadError: a path is missing, or a named file can't be read or is no log.
        NothingCheckedError: a named file is empty.
        ReadingStoppedError: a reading process ended early.
        StoreWriteError, BalanceError: see `Loading` and `gather`.
    """
    known = store.known_sources()
    jobs = [Job(file, format_name, known.get(file.shown)) for file in find_logs(paths)]
    with Loading(store) as loading, ExitStack() as stack:
        work = _Work(loading, jobs, labels or {}, progress)
        for job, messages in work.readings(processes, stack):
            work.load(job, messages)
    return work.done


class _Work:
    """An ingest under way."""

    def __init__(
        self,
        loading: Loading,
        jobs: list[Job],
        labels: Mapping[str, str],
        progress: OnReading | None,
    ) -> None:
        self.done = Ingested()
        self._loading = loading
        self._labels = labels
        self._progress = progress
        self._unchanged = [is_unchanged(job) for job in jobs]
        self._jobs = jobs
        self._sizes = [_size(job.file) for job in jobs]
        self._total = sum(self._sizes)
        self._bytes_done = 0

    def readings(
        self, processes: int | None, stack: ExitStack
    ) -> Iterator[tuple[Job, Iterator[Message | int]]]:
        """Every file in order, with what reading it gives; none for an unchanged one."""
        changed = [job for job, same in zip(self._jobs, self._unchanged, strict=True) if not same]
        size = sum(
            size for size, same in zip(self._sizes, self._unchanged, strict=True) if not same
        )
        count = min(_processes(size) if processes is None else processes, len(changed))
        readings: Iterator[Iterator[Message | int]]
        if count > 1 or (processes is None and count == 1 and size >= PARALLEL_BYTES):
            from toolfix_audit.audit.reading_processes import ReadingProcesses  # noqa: PLC0415

            others = stack.enter_context(ReadingProcesses(changed, count))
            readings = map(others.messages, range(len(changed)))
        else:
            readings = map(self._read_here, changed)
        before = 0
        for job, same, size in zip(self._jobs, self._unchanged, self._sizes, strict=True):
            self._bytes_done = before
            yield job, (iter(()) if same else next(readings))
            before += size

    def load(self, job: Job, messages: Iterator[Message | int]) -> None:
        """Load one file, or pass it over.

        Raises:
            ToolfixError: as `ingest`.
        """
        self._report(job, 0)
        try:
            first = next(self._without_progress(job, messages), None)
            if first is None:
                assert job.earlier is not None  # noqa: S101 — an unchanged file is known
                tally = self._loading.load(self._info(job, job.earlier), iter(()))
                self.done.loaded.append(LoadedSource(job.file, job.earlier.format, tally))
            elif isinstance(first, Opened):
                self._load_opened(job, first, messages)
        except ReadError as error:
            if job.file.named:
                raise
            self.done.passed_over.append(PassedOver(job.file, error.message, is_fault=True))

    def _load_opened(self, job: Job, opened: Opened, messages: Iterator[Message | int]) -> None:
        if opened.format is None:
            _refuse_if_named(job.file, opened)
            self.done.passed_over.append(PassedOver(job.file, opened.kind))
            return
        source = KnownSource(opened.digest, opened.format, opened.size, opened.stamp)
        rest = self._without_progress(job, messages)
        tally = self._loading.load(self._info(job, source), _rows(rest))
        for _ in rest:  # a content that is there already was perhaps read all the same
            pass
        grown = opened.grown and tally.replaced
        self.done.loaded.append(LoadedSource(job.file, opened.format, tally, grown))

    def _info(self, job: Job, source: KnownSource) -> SourceInfo:
        return SourceInfo(
            digest=source.digest,
            path=job.file.shown,
            format=source.format,
            size=source.size,
            labels=self._labels,
            stamp=source.stamp,
        )

    def _read_here(self, job: Job) -> Iterator[Message | int]:
        return read_log(job, lambda size: self._report(job, size))

    def _without_progress(self, job: Job, messages: Iterator[Message | int]) -> Iterator[Message]:
        for message in messages:
            if isinstance(message, int):
                self._report(job, message)
            else:
                yield message

    def _report(self, job: Job, size: int) -> None:
        self._bytes_done += size
        if self._progress:
            self._progress(Reading(job.file.shown, self._bytes_done, self._total))


def _rows(messages: Iterator[Message]) -> Iterator[Batch | Counts]:
    for message in messages:
        assert not isinstance(message, Opened)  # noqa: S101 — it comes once, and first
        yield message


def _processes(size: int) -> int:
    """How many processes are worth their start."""
    if size < PARALLEL_BYTES:
        return 0
    return processors()


def _size(file: LogFile) -> int:
    try:
        return file.path.stat().st_size
    except OSError:
        return 0


def _refuse_if_named(file: LogFile, opened: Opened) -> None:
    if not file.named:
        return
    if opened.kind is FileKind.EMPTY:
        raise NothingCheckedError(
            f"{file.shown}: the file is empty", hint="give a log with records"
        )
    detail = f" ({opened.detail})" if opened.detail else ""
    raise ReadError(f"{file.shown}: {opened.kind}{detail}", hint=_MENDS.get(opened.kind))


def unread_note(done: Ingested, limit: int = 5) -> Iterator[str]:
    """One line for each file that was passed over, cut after `limit`, faults first."""
    ordered = sorted(done.passed_over, key=lambda one: not one.is_fault)
    for one in islice(ordered, limit):
        yield (
            f"not read: {one.reason}"
            if one.is_fault
            else (f"not a log: {one.file.shown} ({one.reason})")
        )
    if len(ordered) > limit:
        yield f"… and {len(ordered) - limit} more files that were not read"
