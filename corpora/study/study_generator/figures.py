"""The figures that the corpus is composed after, and the counts that show that it holds them."""

from collections import Counter
from collections.abc import Iterable
from typing import Any, Final

SESSIONS: Final = 200
CALLS: Final = 16_535

# Damaged calls, by kind; the kinds are the ones of the truth file.
WRAPPED: Final = 499
STILL_FAILING: Final = 3
SWALLOWED: Final = 45
ALIAS_WRAPPERS: Final = ("args", "parameters")
SIBLINGS: Final = 1
# Renamed keys, by pair: the tools that the calls go to, open and closed ones.
RENAMED: Final[dict[str, tuple[str, ...]]] = {
    "skill_name>name": ("skill",) * 5,
    "path>file_path": ("read", "read", "write", "edit"),
    "file_path>path": ("str_replace_editor", "str_replace_editor", "list_dir"),
    "new_str>new_string": ("edit",) * 3,
    "query>queries": ("web_search",) * 3,
}
EMPTY: Final = 6
OMITTED: Final = 8
NESTED_GAPS: Final = 4

JSON_TEXTS: Final = 75
LOOK_ALIKES: Final[dict[str, int]] = {"A": 60, "B": 60, "C": 60, "D": 98}

DEEPEST: Final = 38
# Wrapped calls per session. The depth never falls in a spiral, and does in a relapse.
SPIRALS: Final = tuple(count for count in (8, 9, 10, 11, 12, 13) for _ in range(7))
RELAPSES: Final = (4,) * 14 + (5,) * 2
LONE: Final = (1,) * 40
# The depths that the published audit names, in one spiral of their own.
NAMED_DEPTHS: Final = (1, 8, 8, 13, 13, 33, 34, 34, 38, 38, 38, 38, 38)


def summary(truth: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """The figures of a finished truth, counted anew and not copied from the constants."""
    lines = list(truth)
    outcomes = Counter(line["expected_outcome"] for line in lines)
    families = Counter(line["family"] for line in lines if line["family"])
    kinds = Counter(line["kind"] for line in lines)
    return {
        "calls": len(lines),
        "sessions": len({line["session"] for line in lines}),
        "outcomes": dict(sorted(outcomes.items())),
        "families": dict(sorted(families.items())),
        "kinds": dict(sorted(kinds.items())),
        "host": dict(sorted(Counter(line["host"] for line in lines).items())),
        "deepest": max(line["wrapper_depth"] for line in lines),
    }
