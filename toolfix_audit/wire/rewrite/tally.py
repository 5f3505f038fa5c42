"""What a rewriter did, in numbers."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from enum import StrEnum


class Refusal(StrEnum):
    """Why a tool block, or the rest of a stream, was left as it came."""

    CUT = "cut"
    """The stream or the answer ended inside the block, or at a limit of its length."""
    ERROR = "error"
    """The stream told an error."""
    UNREADABLE = "unreadable"
    """An event is no JSON, no UTF-8, or lines that belong to no event."""
    OUT_OF_ORDER = "out-of-order"
    """An event names a block that is not open, or opens one that is."""
    LATE_FRAGMENT = "late-fragment"
    """Arguments went on after their block was rewritten."""
    COPIES_DIFFER = "copies-differ"
    """Two copies of the arguments of one call are not equal."""
    NO_TEXT = "no-text"
    """A fragment is neither text nor the only object."""
    NO_PLACE = "no-place"
    """The stream has no place that holds the arguments."""
    REPEATED_KEY = "repeated-key"
    """A key on the way to the arguments occurs twice."""
    TOO_LARGE = "too-large"
    """The block is larger than the rewriter may hold."""


@dataclass(slots=True)
class Tally:
    """Tool blocks seen, by what became of them: `blocks` is the sum of the three others, once
    none is open. `tools` and `changed_tools` count them by name.

    `stopped` says why the rest of a stream passed unread, if it did.
    """

    blocks: int = 0
    changed: int = 0
    unchanged: int = 0
    refused: Counter[Refusal] = field(default_factory=Counter)
    tools: Counter[str] = field(default_factory=Counter)
    changed_tools: Counter[str] = field(default_factory=Counter)
    stopped: Refusal | None = None

    def note(self, tool: str, outcome: Refusal | bool) -> None:
        """A block of that tool was refused, or changed or not."""
        self.tools[tool] += 1
        if isinstance(outcome, Refusal):
            self.refused[outcome] += 1
        elif outcome:
            self.changed += 1
            self.changed_tools[tool] += 1
        else:
            self.unchanged += 1

    def add(self, other: Tally) -> None:
        """Add the counts of another."""
        self.blocks += other.blocks
        self.changed += other.changed
        self.unchanged += other.unchanged
        self.refused.update(other.refused)
        self.tools.update(other.tools)
        self.changed_tools.update(other.changed_tools)
