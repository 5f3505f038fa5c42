"""Empties every cache before the tests of a mutant run.

mutmut forks a process for each mutant from one that has run all tests: what that one remembers
would answer for the code that was changed.
"""

from __future__ import annotations

import functools
import gc


def pytest_sessionstart() -> None:
    """Forget what was worked out before."""
    from toolfix_audit.audit import derived, proof  # noqa: PLC0415  # the changed tree's

    gc.collect()
    for thing in gc.get_objects():
        if isinstance(thing, functools._lru_cache_wrapper):
            thing.cache_clear()
    derived._KNOWN.clear()
    proof._PROBE_MEMO.clear()
