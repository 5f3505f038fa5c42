"""Logs read in other processes, several at once, and given in their order.

Each process is sent jobs as lines of JSON, and answers in frames: a letter, the length, and then
JSON or a batch as Arrow writes it. It ends when its input does, or when nobody takes its output.
Files that finish early are held until their turn comes, up to a limit; so the order, and with it
the store, does not depend on how many processes there are.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import suppress
from threading import Condition, Thread
from types import TracebackType
from typing import IO, Any, Final, TypeAlias

import pyarrow as pa

from toolfix_audit.audit.reading import Job, Message, Opened
from toolfix_audit.audit.reading_worker import FRAME, job_line
from toolfix_audit.logs.detect import FileKind
from toolfix_audit.model import errors
from toolfix_audit.model.errors import ToolfixError
from toolfix_audit.store.entries import Counts
from toolfix_audit.store.tables import TABLES, Batch

HELD_BYTES: Final = 48_000_000
"""How much of the files that are not next may wait in memory."""

_COMMAND: Final = (sys.executable, "-P", "-m", "toolfix_audit.audit.reading_worker")
_TABLES: Final = tuple(TABLES.values())

_Item: TypeAlias = Message | ToolfixError | int | None  # an int: bytes read; None: the end


class ReadingStoppedError(ToolfixError):
    """A reading process ended before its work was done."""

    exit_code = 4


class _Shelf:
    """What was read of every file, until its turn comes."""

    def __init__(self, files: int) -> None:
        self._items: list[deque[tuple[_Item, int]]] = [deque() for _ in range(files)]
        self._changed = Condition()
        self._held = 0
        self._turn = 0
        self._next = 0
        self._closed = False

    def next_job(self) -> int | None:
        """The number of a file that nobody reads yet."""
        with self._changed:
            number = self._next
            self._next += 1
        return number if number < len(self._items) and not self._closed else None

    def put(self, number: int, item: _Item, size: int = 0) -> bool:
        """Keep an item as soon as there is room, or it is the very next; False: not wanted."""
        with self._changed:
            while not self._closed and self._held + size > HELD_BYTES:
                if number == self._turn and not self._items[number]:
                    break
                self._changed.wait()
            self._held += size
            self._items[number].append((item, size))
            self._changed.notify_all()
            return not self._closed

    def take(self, number: int) -> _Item:
        """The next item of the file whose turn it is."""
        with self._changed:
            if self._turn != number:
                self._turn = number
                self._changed.notify_all()
            while not self._items[number]:
                self._changed.wait()
            item, size = self._items[number].popleft()
            self._held -= size
            self._changed.notify_all()
            return item

    def close(self) -> None:
        """Nothing is wanted any more."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()


class ReadingProcesses:
    """Processes that read `jobs`, at work from the start. Use it in a `with` block: its end stops
    them."""

    def __init__(self, jobs: Sequence[Job], count: int) -> None:
        self._jobs = jobs
        self._shelf = _Shelf(len(jobs))
        self._processes: list[subprocess.Popen[bytes]] = []
        self._threads: list[Thread] = []
        for _ in range(count):
            process = subprocess.Popen(  # noqa: S603 — our own module
                _COMMAND,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                start_new_session=True,  # an interrupt is for this process alone
            )
            self._processes.append(process)
            thread = Thread(target=self._serve, args=(process,), daemon=True)
            self._threads.append(thread)
            thread.start()

    def __enter__(self) -> ReadingProcesses:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._shelf.close()
        for process in self._processes:
            process.kill()
        for thread in self._threads:
            thread.join()
        for process in self._processes:
            process.wait()

    def messages(self, number: int) -> Iterator[Message | int]:
        """What was read of a file, in the order of the files; a number tells of bytes read.

        Raises:
            ToolfixError: reading raised it, or the process ended.
        """
        while (item := self._shelf.take(number)) is not None:
            if isinstance(item, ToolfixError):
                raise item
            yield item

    def _serve(self, process: subprocess.Popen[bytes]) -> None:
        """Keep one process at work, in a thread of its own."""
        assert process.stdin is not None  # noqa: S101 — it is a pipe
        assert process.stdout is not None  # noqa: S101 — it is a pipe
        with suppress(OSError, ValueError), process.stdin as jobs, process.stdout as frames:
            while (number := self._shelf.next_job()) is not None:
                with suppress(BrokenPipeError):  # then its output ends as well
                    jobs.write(job_line(self._jobs[number]))
                    jobs.flush()
                if not self._receive(number, process, frames):
                    break

    def _receive(self, number: int, process: subprocess.Popen[bytes], frames: IO[bytes]) -> bool:
        while True:
            item, size = _read_frame(frames) or (_ended(process), 0)
            wanted = self._shelf.put(number, item, size)
            if item is None or not wanted:
                return wanted
            if isinstance(item, ReadingStoppedError):
                return False


def _read_frame(frames: IO[bytes]) -> tuple[_Item, int] | None:
    """The next frame and its size; None if the output ended before it."""
    head = frames.read(FRAME.size)
    if len(head) < FRAME.size:
        return None
    letter, table, size = FRAME.unpack(head)
    body = frames.read(size)
    if len(body) < size:
        return None
    if letter == b"B":
        columns = _TABLES[table].columns
        rows = pa.ipc.read_record_batch(pa.py_buffer(body), columns)
        return Batch(_TABLES[table].name, rows), size
    return _told(letter, json.loads(body)), 0


def _told(letter: bytes, told: Any) -> _Item:
    if letter == b"P":
        return int(told)
    if letter == b"O":
        return Opened(**{**told, "kind": FileKind(told["kind"])})
    if letter == b"C":
        return Counts(**told)
    if letter == b"E":
        kind: type[ToolfixError] = getattr(errors, told["kind"], ReadingStoppedError)
        return kind(told["message"], hint=told["hint"])
    return None


def _ended(process: subprocess.Popen[bytes]) -> ReadingStoppedError:
    code = process.wait()
    how = f"signal {-code}" if code < 0 else f"code {code}"
    return ReadingStoppedError(
        f"a process that reads logs ended early ({how})",
        hint="what was stored before is intact: run again, with --jobs 1 if it happens again",
    )
