"""What goes to stderr and how the process ends. stdout belongs to the chosen output alone."""

from __future__ import annotations

import errno
import os
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from functools import wraps
from typing import TYPE_CHECKING, NoReturn, ParamSpec

import typer

from toolfix_audit.model.errors import ToolfixError

if TYPE_CHECKING:
    from toolfix_audit.audit.ingest import Reading

P = ParamSpec("P")

USAGE, INTERNAL, INTERRUPTED = 2, 4, 130
_SECONDS_BETWEEN_LINES = 10.0


def say(line: str) -> None:
    """Print one line on stderr, with control characters made visible."""
    shown = "".join(char if char.isprintable() else f"\\x{ord(char):02x}" for char in line)
    with suppress(OSError, ValueError):  # a stderr that can't be written changes no exit code
        print(shown.encode("utf-8", "backslashreplace").decode(), file=sys.stderr, flush=True)  # noqa: T201


def write_out(text: str) -> None:
    """Write to stdout, as UTF-8 whatever the locale."""
    if sys.stdout is None:  # closed by the caller
        return
    sys.stdout.buffer.write(text.encode("utf-8", "backslashreplace"))
    sys.stdout.buffer.flush()


def fail(code: int, message: str, hint: str | None = None) -> NoReturn:
    """Say what is wrong in one line (and the mend in another), and end with `code`."""
    say(f"error: {message}")
    if hint:
        say(f"  mend: {hint}")
    raise typer.Exit(code)


def guarded(command: Callable[P, None]) -> Callable[P, None]:
    """Wrap a command so that every error ends in one line and the right exit code."""

    @wraps(command)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        try:
            command(*args, **kwargs)
        except ToolfixError as error:
            fail(error.exit_code, error.message, error.hint)
        except KeyboardInterrupt:
            say("interrupted")
            raise typer.Exit(INTERRUPTED) from None
        except BrokenPipeError:
            sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115
            raise typer.Exit(0) from None
        except OSError as error:
            full = error.errno in {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
            name = f"{error.filename}: " if error.filename else ""
            hint = "free some space, and run the command again" if full else None
            fail(INTERNAL if full else USAGE, f"{name}{error.strerror or error}", hint)
        except typer.Exit:
            raise
        except Exception as error:  # noqa: BLE001 — the outermost edge
            _internal(error)

    return run


def _internal(error: Exception) -> NoReturn:
    if os.environ.get("TOOLFIX_AUDIT_DEBUG"):
        import traceback  # noqa: PLC0415

        traceback.print_exception(error)
    fail(
        INTERNAL,
        f"internal error: {type(error).__name__}: {str(error)[:300]}",
        "this is a bug: set TOOLFIX_AUDIT_DEBUG=1 for the trace, and report it",
    )


class Progress:
    """A progress line on stderr: rewritten in place on a terminal, else one line each 10 s."""

    def __init__(self) -> None:
        self._live = sys.stderr.isatty() and not os.environ.get("TOOLFIX_AUDIT_NO_PROGRESS")
        self._begun = self._last = time.monotonic()
        self._open = False

    def __call__(self, state: str | Reading) -> None:
        """Show the state, if it is time to."""
        now = time.monotonic()
        pause = 0.1 if self._live else _SECONDS_BETWEEN_LINES
        if now - self._last < pause:
            return
        self._last = now
        line = state if isinstance(state, str) else reading_line(state, now - self._begun)
        if not self._live:
            say(line)
            return
        shown = "".join(char for char in line if char.isprintable())[:100]
        print(f"\r\x1b[K{shown}", end="", file=sys.stderr, flush=True)  # noqa: T201
        self._open = True

    def done(self) -> None:
        """Remove the line from the terminal."""
        if self._open:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)  # noqa: T201
            self._open = False


def reading_line(reading: Reading, seconds: float) -> str:
    """Bytes, rate, time left and file of an ingest that runs for so long."""
    line = f"read {_size(reading.done)} of {_size(reading.total)}"
    rate = reading.done / seconds if seconds > 0 else 0.0
    if rate >= 1:
        left = max(reading.total - reading.done, 0) / rate
        line += f", {_size(rate)}/s, {_duration(left)} left"
    return f"{line}: {reading.shown}"


def _size(count: float) -> str:
    for unit in ("B", "kB", "MB"):
        if count < 1000:
            return f"{count:.0f} {unit}"
        count /= 1000
    return f"{count:.1f} GB"


def _duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes:02} min"
    return f"{minutes} min {rest:02} s" if minutes else f"{rest} s"
