"""A process for the tests to kill, to starve and to compete with.

Arguments: what to do, the store's file, and a number. Prints one line when it is under way.
"""

from __future__ import annotations

import resource
import signal
import sys
import time
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

from toolfix_audit.model.errors import ToolfixError
from toolfix_audit.model.records import ArgumentsForm, Call, Result, Unit
from toolfix_audit.store.entries import SourceInfo
from toolfix_audit.store.load import load_source
from toolfix_audit.store.store import Store


def say(*words: object) -> None:
    """Tell the test, at once."""
    sys.stdout.write(" ".join(map(str, words)) + "\n")
    sys.stdout.flush()


def many(count: int, seed: str) -> Iterator[Unit]:
    """`count` calls with their results, each with text that does not compress."""
    for number in range(count):
        noise = "".join(sha256(f"{seed}{number}{part}".encode()).hexdigest() for part in "abcd")
        position = 2 * number + 1
        call = Call(
            session=f"session of {seed}",
            position=position,
            call_id=f"c{number}",
            tool="write",
            arguments=f'{{"text":"{noise}"}}',
            form=ArgumentsForm.TEXT,
        )
        result = Result(
            session=call.session,
            position=position + 1,
            call_position=position,
            call_id=call.call_id,
            is_error=False,
            text=noise,
        )
        yield Unit(records=(call, result))


def load_many(store: Store, count: int, name: str) -> None:
    """Load one source of `count` calls."""
    digest = sha256(name.encode()).hexdigest()
    load_source(store, SourceInfo(digest, name, "native", 1), many(count, name))


def load_without_end(path: Path, count: int) -> None:
    """Load one source after the other until killed."""
    with Store.open(path, create=True) as store:
        say("under way")
        for number in range(1_000_000):
            load_many(store, count, f"{time.time_ns()}-{number}")


def load_too_much(path: Path, limit: int) -> None:
    """Load more than a file may hold, then say what was raised."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
    fill(path)


def fill(path: Path) -> None:
    """Load a small source and one that is too large, then say what was raised."""
    with Store.open(path, create=True) as store:
        load_many(store, 3, "small")
        try:
            load_many(store, 100_000, "large")
        except ToolfixError as error:
            say(type(error).__name__, error.exit_code, error.message)


def hold(path: Path) -> None:
    """Keep the store open until the other side closes its end."""
    with Store.open(path, create=True):
        say("under way")
        sys.stdin.read()


def measure(path: Path, count: int) -> None:
    """Load and read `count` calls; print the most memory that was held, in kB."""
    with Store.open(path, create=True) as store:
        load_many(store, count, "measured")
        held = sum(batch.num_rows for batch in store.call_batches())
    say(held, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)


def main(action: str, path: Path, number: int) -> None:
    """Do what the first argument says."""
    if action == "load":
        load_without_end(path, number)
    elif action == "limit":
        load_too_much(path, number)
    elif action == "fill":
        fill(path)
    elif action == "hold":
        hold(path)
    elif action == "measure":
        measure(path, number)


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]))
