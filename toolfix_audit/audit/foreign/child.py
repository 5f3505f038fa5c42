"""One running child that answers lines with lines; pipes are served by threads.

Nothing that the child does can block the caller beyond its deadline: it may flood stderr, stop
reading, write without end, or leave a grandchild behind.
"""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from queue import Empty, Queue
from threading import Thread
from typing import IO, Final

MAX_LINE_BYTES: Final = 32 * 1024 * 1024
"""A longer line is no answer."""

_TAIL_BYTES: Final = 4096
_WAITING_LINES: Final = 16
_SECONDS_TO_END: Final = 0.5
_POLL_SECONDS: Final = 0.01


class NoLineError(Exception):
    """No line came, or none that is an answer: `kind` is one word (`died` where the child ended),
    `str()` the cause in one line."""

    def __init__(self, kind: str, cause: str) -> None:
        super().__init__(cause)
        self.kind = kind


class Child:
    """A started child process, with the environment and the folder of ours unless told other.

    Raises:
        OSError: it can't be started.
    """

    def __init__(
        self,
        argv: Sequence[str],
        *,
        environment: Mapping[str, str] | None = None,
        folder: str | None = None,
    ) -> None:
        self._popen = subprocess.Popen(  # noqa: S603 — the command is the user's own
            list(argv),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment,
            cwd=folder,
            start_new_session=os.name == "posix",
        )
        self._tail: deque[bytes] = deque()
        self._outgoing: Queue[bytes | None] = Queue()
        self._incoming: Queue[bytes | None] = Queue(maxsize=_WAITING_LINES)
        self._is_closed = False
        self._threads = (
            _started(self._write, self._popen.stdin),
            _started(self._read, self._popen.stdout),
            _started(self._drain, self._popen.stderr),
        )

    def send(self, line: str) -> None:
        """Hand over one line; it is written as fast as the child reads."""
        self._outgoing.put(line.encode("utf-8") + b"\n")

    def line(self, deadline: float) -> bytes:
        """The next line that the child writes, until `deadline` (of the monotonic clock).

        Raises:
            NoLineError: it ended, stayed silent, or wrote a line that is too long.
        """
        try:
            line = self._incoming.get(timeout=max(0.0, deadline - time.monotonic()))
        except Empty:
            raise NoLineError("timeout", "no answer in time") from None
        if line is None:
            raise NoLineError("died", self._end())
        if len(line) > MAX_LINE_BYTES:
            raise NoLineError("garbage", "a line without end")
        return line

    def has_ended(self, seconds: float) -> bool:
        """Whether the child ends within that time."""
        with suppress(subprocess.TimeoutExpired):
            self._popen.wait(seconds)
        return self._popen.poll() is not None

    def last_words(self) -> tuple[str, ...]:
        """The last lines of the child's stderr, made printable."""
        text = b"".join(self._tail).decode("utf-8", "replace")
        lines = (line.strip() for line in text.splitlines())
        return tuple(
            "".join(char if char.isprintable() else "?" for char in line)[:300]
            for line in lines
            if line
        )

    def close(self, *, gently: bool = False) -> None:
        """End the child and all that it started; `gently` lets it end by itself first."""
        self._outgoing.put(None)
        if gently:
            self.has_ended(_SECONDS_TO_END)
        self._is_closed = True
        self._kill()
        with suppress(subprocess.TimeoutExpired):
            self._popen.wait(_SECONDS_TO_END)
        for thread in self._threads:
            thread.join(_SECONDS_TO_END)
        for pipe in (self._popen.stdin, self._popen.stdout, self._popen.stderr):
            with suppress(OSError, ValueError):
                if pipe and not any(thread.is_alive() for thread in self._threads):
                    pipe.close()

    def _kill(self) -> None:
        with suppress(OSError):
            if os.name == "posix":
                os.killpg(self._popen.pid, signal.SIGKILL)
            else:
                self._popen.kill()

    def _end(self) -> str:
        self.has_ended(_SECONDS_TO_END)
        self._threads[-1].join(_SECONDS_TO_END)
        code = self._popen.returncode
        words = self.last_words()
        if code is None:
            ended = "closed its output"
        else:
            ended = f"was killed by signal {-code}" if code < 0 else f"ended with code {code}"
        return f"{ended}: {words[-1]}" if words else ended

    def _write(self, pipe: IO[bytes]) -> None:
        while (line := self._outgoing.get()) is not None:
            pipe.write(line)
            pipe.flush()
        pipe.close()

    def _read(self, pipe: IO[bytes]) -> None:
        try:
            while line := pipe.readline(MAX_LINE_BYTES + 1):
                self._keep(line)
        finally:
            self._keep(None)

    def _keep(self, line: bytes | None) -> None:
        """Queue a line unless nobody will read it any more."""
        while not self._is_closed:
            if not self._incoming.full():
                self._incoming.put(line)
                return
            time.sleep(_POLL_SECONDS)

    def _drain(self, pipe: IO[bytes]) -> None:
        size = 0
        while piece := os.read(pipe.fileno(), 65536):
            self._tail.append(piece[-_TAIL_BYTES:])
            size += len(self._tail[-1])
            while size - len(self._tail[0]) >= _TAIL_BYTES:
                size -= len(self._tail.popleft())


def _started(serve: Callable[[IO[bytes]], None], pipe: IO[bytes] | None) -> Thread:
    assert pipe is not None  # noqa: S101 — every pipe was asked for
    thread = Thread(target=_quietly, args=(serve, pipe), daemon=True)
    thread.start()
    return thread


def _quietly(serve: Callable[[IO[bytes]], None], pipe: IO[bytes]) -> None:
    """Serve a pipe until it breaks, which the reader of lines then tells."""
    with suppress(OSError, ValueError):
        serve(pipe)
