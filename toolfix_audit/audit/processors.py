"""How much of the machine is ours."""

from __future__ import annotations

import os


def processors() -> int:
    """How many processors this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # a system that can't tell
        return os.cpu_count() or 1
