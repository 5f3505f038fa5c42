"""How much is judged: every keyword that is applied counts, and the count has a limit.

A schema that refers to itself, or that applies one definition twice at each of many levels, may
take longer than anyone waits. Time would depend on the machine, so applications are counted.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Final

from toolfix_audit.model.repair import JudgeLimitError
from toolfix_audit.model.words import UntouchedReason

MAX_CHECKS: Final = 400_000
"""Keywords that one judgement may apply; long lists and many keys count as more than one."""


@dataclass(slots=True)
class Effort:
    """What was spent inside a `limited` block."""

    limit: int
    spent: int = 0

    def add(self, amount: int) -> None:
        """Count something.

        Raises:
            JudgeLimitError: the limit is passed.
        """
        self.spent += amount
        if self.spent > self.limit:
            raise JudgeLimitError(UntouchedReason.LIMIT)


_open: ContextVar[Effort | None] = ContextVar("_open", default=None)


@contextmanager
def limited(limit: int) -> Iterator[Effort]:
    """Count what is spent inside, up to a limit; it counts for the surrounding block as well,
    whose limit holds inside too."""
    outer = _open.get()
    most = limit if outer is None else min(limit, outer.limit - outer.spent)
    inner = Effort(most)
    token = _open.set(inner)
    try:
        yield inner
    finally:
        _open.reset(token)
        if outer is not None:
            outer.spent += inner.spent


def spend(amount: int = 1) -> None:
    """Count something in the block that is open, if one is.

    Raises:
        JudgeLimitError: its limit is passed.
    """
    effort = _open.get()
    if effort is not None:
        effort.add(amount)
