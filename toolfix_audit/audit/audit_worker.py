"""The process at the other end of `audit_processes`: takes batches of calls, gives parts.

Both sides are ours, and so are the pipes between them: what goes through is pickled.
"""

from __future__ import annotations

import gc
import os
import pickle
from contextlib import suppress
from typing import IO, Final

from toolfix_audit.audit.parts import audit_part

_GARBAGE_THRESHOLD: Final = 100_000  # rows are no cycles, and looking for some takes its time


def serve(batches: IO[bytes], parts: IO[bytes]) -> None:
    """Take the schemas and the spec, then audit batches until there are no more."""
    with suppress(EOFError):
        schemas, spec = pickle.load(batches)  # noqa: S301 — from our own parent
        while True:
            calls = pickle.load(batches)  # noqa: S301 — from our own parent
            pickle.dump(audit_part(calls, schemas, spec), parts, pickle.HIGHEST_PROTOCOL)
            parts.flush()


def main() -> None:
    """Serve standard input and output; whoever takes the output may go at any time."""
    gc.set_threshold(_GARBAGE_THRESHOLD)
    with suppress(BrokenPipeError), os.fdopen(0, "rb") as batches, os.fdopen(1, "wb") as parts:
        serve(batches, parts)


if __name__ == "__main__":
    main()
