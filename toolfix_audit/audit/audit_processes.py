"""Batches audited in other processes, several at once, and given in their order.

Each process is sent the schemas once, then one batch at a time, and answers each with its part.
It ends when its input does. As the parts come in the order of the batches, nothing depends on how
many processes there are.
"""

from __future__ import annotations

import pickle
import subprocess
import sys
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from queue import SimpleQueue
from types import TracebackType
from typing import Final

import pyarrow as pa

from toolfix_audit.audit.parts import Part
from toolfix_audit.audit.spec import SchemaSet, Spec
from toolfix_audit.model.errors import ToolfixError

HELD_BYTES: Final = 48_000_000
"""How much of the calls that are being audited, or were, may wait in memory."""

_COMMAND: Final = (sys.executable, "-P", "-m", "toolfix_audit.audit.audit_worker")


class AuditStoppedError(ToolfixError):
    """A process that audits calls ended before its work was done."""

    exit_code = 4


class AuditProcesses:
    """Processes that audit batches. Use it in a `with` block: its end stops them."""

    def __init__(self, schemas: SchemaSet, spec: Spec, count: int) -> None:
        self._task = pickle.dumps((schemas, spec), pickle.HIGHEST_PROTOCOL)
        self._processes = [_start() for _ in range(count)]
        self._fresh = list(self._processes)
        self._idle: SimpleQueue[subprocess.Popen[bytes]] = SimpleQueue()
        self._threads = ThreadPoolExecutor(count)
        for process in self._processes:
            self._idle.put(process)

    def __enter__(self) -> AuditProcesses:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for process in self._processes:
            process.kill()
        self._threads.shutdown(cancel_futures=True)
        for process in self._processes:
            process.communicate()

    def parts(self, batches: Iterable[pa.RecordBatch]) -> Iterator[Part]:
        """The parts of these batches, in their order; no more than a few are taken ahead.

        Raises:
            AuditStoppedError: a process ended.
        """
        waiting: deque[tuple[Future[Part], int]] = deque()
        held = 0
        for batch in batches:
            waiting.append((self._threads.submit(self._audited, batch), batch.nbytes))
            held += batch.nbytes
            while len(waiting) > 2 * len(self._processes) or (held > HELD_BYTES and waiting):
                part, size = waiting.popleft()
                held -= size
                yield part.result()
        for part, _ in waiting:
            yield part.result()

    def _audited(self, batch: pa.RecordBatch) -> Part:
        """Let an idle process audit a batch."""
        process = self._idle.get()
        assert process.stdin is not None  # noqa: S101 — it is a pipe
        assert process.stdout is not None  # noqa: S101 — it is a pipe
        try:
            if process in self._fresh:
                self._fresh.remove(process)
                process.stdin.write(self._task)
            pickle.dump(batch, process.stdin, pickle.HIGHEST_PROTOCOL)
            process.stdin.flush()
            part: Part = pickle.load(process.stdout)  # noqa: S301 — from our own process
        except (OSError, EOFError, pickle.UnpicklingError):
            raise _stopped(process) from None
        finally:
            self._idle.put(process)
        return part


def _start() -> subprocess.Popen[bytes]:
    return subprocess.Popen(  # noqa: S603 — our own module
        _COMMAND,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        start_new_session=True,  # an interrupt is for this process alone
    )


def _stopped(process: subprocess.Popen[bytes]) -> AuditStoppedError:
    code = process.wait()
    how = f"signal {-code}" if code < 0 else f"code {code}"
    return AuditStoppedError(
        f"a process that audits calls ended early ({how})",
        hint="the store is as it was before: run again, with --jobs 1 if it happens again",
    )
