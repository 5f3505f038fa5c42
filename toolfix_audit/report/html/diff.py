"""The difference of two values as lines to show; indentation and closing commas don't count."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Final

from toolfix_audit.model.json import Json
from toolfix_audit.report.html.pretty import pretty_lines
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
                found.extend(_lines(" ", new[j1:j2], width))
            else:
                found.extend(_lines("-", old[i1:i2], width))
                found.extend(_lines("+", new[j1:j2], width))
    return _limited(found, lines, is_cut=old_cut or new_cut)


def value_lines(value: Json, *, lines: int, width: int) -> tuple[Line, ...]:
    """One value, with the limits of `diff_lines`."""
    found, is_cut = pretty_lines(value, lines)
    return _limited(_lines(" ", found, width), lines, is_cut=is_cut)


def _keys(lines: list[str]) -> list[str]:
    return [line.strip().removesuffix(",") for line in lines]


def _lines(mark: str, lines: list[str], width: int) -> list[Line]:
    return [Line(mark, shown(line, width)) for line in lines]


def _limited(found: list[Line], limit: int, *, is_cut: bool) -> tuple[Line, ...]:
    left = len(found) - limit
    if left > 0:
        more = f"{left:,} more lines" if not is_cut else "more lines"
        return (*found[:limit], Line("…", more))
    return (*found, Line("…", "more lines")) if is_cut else tuple(found)
