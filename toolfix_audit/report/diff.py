"""The difference of two values as lines to show; indentation and closing commas don't count."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Final

from toolfix_audit.model.json import Json
from toolfix_audit.report.pretty import pretty_lines
from toolfix_audit.report.visible import shown

MAX_READ: Final = 300
"""Lines of either value that are compared at all."""

_CONTEXT: Final = 3


@dataclass(frozen=True, slots=True)
class Line:
    """One line: `mark` is `-`, `+`, a blank, or `…` for lines that were left out."""

    mark: str
    text: str


def diff_lines(before: Json, after: Json, *, lines: int, width: int) -> tuple[Line, ...]:
    """At most `lines` lines (and a last `…` line if there were more), cut at `width` characters.

    Lines that are the same but for their indentation are shown as they are in `after`.
    """
    old, old_cut = pretty_lines(before, MAX_READ)
    new, new_cut = pretty_lines(after, MAX_READ)
    matcher = SequenceMatcher(None, _keys(old), _keys(new), autojunk=False)
    found: list[Line] = []
    for group in matcher.get_grouped_opcodes(_CONTEXT):
        if found or group[0][1]:
            found.append(Line("…", ""))
        for tag, i1, i2, j1, j2 in group:
            if tag == "equal":
                found.extend(Line(" ", text) for text in new[j1:j2])
            else:
                found.extend(Line("-", text) for text in old[i1:i2])
                found.extend(Line("+", text) for text in new[j1:j2])
    return _limited(found, lines, width, is_cut=old_cut or new_cut)


def value_lines(value: Json, *, lines: int, width: int) -> tuple[Line, ...]:
    """One value, with the limits of `diff_lines`."""
    found, is_cut = pretty_lines(value, lines)
    return _limited([Line(" ", text) for text in found], lines, width, is_cut=is_cut)


def _keys(lines: list[str]) -> list[str]:
    return [line.strip().removesuffix(",") for line in lines]


def _limited(found: list[Line], limit: int, width: int, *, is_cut: bool) -> tuple[Line, ...]:
    kept = [Line(line.mark, shown(line.text, width)) for line in found[:limit]]
    left = len(found) - len(kept)
    if left:
        kept.append(Line("…", "more lines" if is_cut else f"{left:,} more lines"))
    elif is_cut:
        kept.append(Line("…", "more lines"))
    return tuple(kept)
