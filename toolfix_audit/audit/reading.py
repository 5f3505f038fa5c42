"""One log, from its file to batches of rows: told by its content, identified, read as it was at
the moment it was opened. Needs no store, so that another process can do it."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from toolfix_audit.logs.detect import FileKind, detect
from toolfix_audit.logs.reader import Reader
from toolfix_audit.logs.sources import LogFile, content_digest, content_digests
from toolfix_audit.model.errors import ReadError
from toolfix_audit.store.entries import Counts, KnownSource
from toolfix_audit.store.gather import gather
from toolfix_audit.store.tables import Batch

_SETTLED_NANOSECONDS: Final = 2_000_000_000
"""A file changed more recently may change again without its status telling."""


@dataclass(frozen=True, slots=True)
class Job:
    """A log to read. `earlier` is what was last read at its path."""

    file: LogFile
    format_name: str | None = None
    earlier: KnownSource | None = None


@dataclass(frozen=True, slots=True)
class Opened:
    """What a file is. Without a `format` it is no log, and nothing follows. `grown` says that it
    begins with what was read earlier at its path."""

    kind: FileKind
    detail: str | None = None
    format: str | None = None
    digest: str = ""
    size: int = 0
    stamp: str | None = None
    grown: bool = False


Message: TypeAlias = Opened | Batch | Counts


def read_log(job: Job, on_read: Callable[[int], None] | None = None) -> Iterator[Message]:
    """Say what the file is, then give its batches, and its counts at the end.

    The file is read up to the size that it has now. `on_read` is told of the bytes read, without
    those that only serve to identify it.

    Raises:
        ReadError: it can't be read, or was rewritten meanwhile.
        ConfigError: no format has that name.
        BalanceError: a reader lost or invented a unit.
    """
    status = _status(job.file)
    file = replace(job.file, size=status.st_size)
    found = detect(file, job.format_name)
    reader = found.reader
    if reader is None:
        yield Opened(found.kind, found.detail)
        return
    opened = _identify(file, reader, status, job.earlier)
    yield opened
    units = reader.read(replace(file, on_read=on_read))
    for item in gather(iter(units), file.shown, reader.name):
        if isinstance(item, Counts):
            _require_unchanged(file, status, opened.digest)
        yield item


def stamp_of(status: os.stat_result) -> str:
    """What tells, without reading a file, that it is still the same."""
    return f"{status.st_size} {status.st_mtime_ns} {status.st_ctime_ns} {status.st_ino}"


def is_unchanged(job: Job) -> bool:
    """Whether the status of a file tells that it holds what was read earlier, in that format."""
    earlier = job.earlier
    if earlier is None or earlier.stamp is None or job.format_name not in (None, earlier.format):
        return False
    try:
        return stamp_of(job.file.path.stat()) == earlier.stamp
    except OSError:
        return False


def _identify(
    file: LogFile, reader: Reader, status: os.stat_result, earlier: KnownSource | None
) -> Opened:
    may_have_grown = earlier is not None and earlier.size < status.st_size
    digest, first = content_digests(file, earlier.size if earlier and may_have_grown else 0)
    settled = time.time_ns() - max(status.st_mtime_ns, status.st_ctime_ns) > _SETTLED_NANOSECONDS
    return Opened(
        FileKind.LOG,
        format=reader.name,
        digest=digest,
        size=status.st_size,
        stamp=stamp_of(status) if settled else None,
        grown=may_have_grown and earlier is not None and first == earlier.digest,
    )


def _require_unchanged(file: LogFile, before: os.stat_result, digest: str) -> None:
    """Refuse what was read from a file that was meanwhile rewritten; one that only grew is fine."""
    if stamp_of(_status(file)) != stamp_of(before) and content_digest(file) != digest:
        raise ReadError(
            f"{file.shown}: it was rewritten while it was read",
            hint="read it again when nothing writes to it",
        )


def _status(file: LogFile) -> os.stat_result:
    try:
        return file.path.stat()
    except OSError as error:
        reason = error.strerror or str(error)
        hint = "check the path and that you may read it"
        raise ReadError(f"{file.shown}: {reason}", hint=hint) from error
