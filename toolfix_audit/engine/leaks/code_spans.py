"""Which parts of a message are quoted: fences, inline code, quoted lines, indented code."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

_LINE: Final = re.compile(r"[^\n]*\n?")
_FENCE: Final = re.compile(r"[ \t]*(?:>[ \t]*)*(?P<mark>`{3,}|~{3,})(?P<info>[^\n]*)")
_MARKS: Final = re.compile(r"`+|\n[ \t]*\n")
_ONE_FENCE: Final = re.compile(
    r"(?P<mark>`{3,}|~{3,})[ \t]*(?P<info>[^\n`]*)\n(?P<inner>.*)", re.DOTALL
)
_BEFORE: Final = 2_000
_ROUNDS: Final = 4
_INDENT: Final = re.compile(r" {4}| {0,3}\t")
_QUOTES: Final = {'"': '"', "'": "'", "\u201c": "\u201d", "\u00ab": "\u00bb", "\u300c": "\u300d"}


@dataclass(frozen=True, slots=True)
class Fence:
    """What stands inside the one fence that a message is, and where; `info` is its language."""

    info: str
    inner: str
    offset: int


class CodeSpans:
    """The fences and inline code of a text, in which the given spans count as plain words: what
    a value holds neither opens nor closes a fence."""

    def __init__(self, text: str, opaque: Iterable[tuple[int, int]] = ()) -> None:
        self._text = text
        spans = list(_spans(_hide(text, opaque)))
        self._starts = [start for start, _ in spans]
        self._ends = [end for _, end in spans]

    def holds(self, position: int) -> bool:
        """Whether a position is inside a fence or inline code, behind its first backtick."""
        index = bisect_left(self._starts, position) - 1
        return index >= 0 and position < self._ends[index]

    def quotes(self, start: int, end: int) -> bool:
        """Whether a span is shown rather than said: in code, in a quoted or indented line, or
        between quotation marks."""
        if self.holds(start):
            return True
        before = self._text[max(0, start - _BEFORE) : start]
        closer = _QUOTES.get(before[-1:])
        if closer and self._text.startswith(closer, end):
            return True
        line = before.rpartition("\n")[2]
        return line.lstrip().startswith(">") or _is_indented(before, line)


def code_around(text: str, spans: Sequence[tuple[int, int]]) -> CodeSpans:
    """The code of a text in which those of the spans that are not in code are plain words."""
    opaque: list[tuple[int, int]] = []
    code = CodeSpans(text)
    for _ in range(_ROUNDS):
        free = [span for span in spans if not code.holds(span[0])]
        if free == opaque:
            break
        opaque, code = free, CodeSpans(text, free)
    return code


def only_fence(text: str) -> Fence | None:
    """The one fence that a message is, with nothing around it; None for any other message."""
    stripped = text.strip()
    match = _ONE_FENCE.fullmatch(stripped)
    if match is None:
        return None
    mark, inner = match.group("mark"), match.group("inner")
    body = inner.rstrip(mark[0])
    if len(inner) - len(body) < len(mark) or not (body.endswith("\n") or not body.strip()):
        return None
    if any(_closes(line.group(), mark) for line in _LINE.finditer(body)):
        return None
    offset = text.find(stripped) + match.start("inner")
    return Fence(match.group("info").strip().lower(), body, offset)


def _is_indented(before: str, line: str) -> bool:
    """Whether a line is indented code: by four blanks or a tab, in a run of such lines after an
    empty line and text."""
    if line.strip() or not _INDENT.match(line):
        return False
    above = before[: len(before) - len(line)]
    while above.endswith("\n") and _INDENT.match(last := above[:-1].rpartition("\n")[2]):
        above = above[: -len(last) - 1]
    return (
        bool(above.strip()) and above.endswith("\n") and not above[:-1].rpartition("\n")[2].strip()
    )


def _hide(text: str, opaque: Iterable[tuple[int, int]]) -> str:
    parts: list[str] = []
    position = 0
    for start, end in sorted(opaque):
        if end > position:
            begin = max(start, position)
            parts.extend((text[position:begin], "x" * (end - begin)))
            position = end
    return "".join((*parts, text[position:]))


def _spans(text: str) -> Iterator[tuple[int, int]]:
    """Fences and inline code in order; a fence without an end reaches to the end of the text."""
    plain = opened = 0
    mark: str | None = None
    for line in _LINE.finditer(text):
        if mark is None:
            match = _FENCE.match(line.group())
            if match and not (match.group("mark")[0] == "`" and "`" in match.group("info")):
                yield from _inline(text, plain, line.start())
                mark, opened = match.group("mark"), line.start() + match.start("mark")
        elif _closes(line.group(), mark):
            yield opened, line.end()
            mark, plain = None, line.end()
    if mark is None:
        yield from _inline(text, plain, len(text))
    else:
        yield opened, len(text)


def _closes(line: str, mark: str) -> bool:
    match = _FENCE.match(line)
    return match is not None and match.group("mark").startswith(mark) and not match["info"].strip()


def _inline(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Code between runs of equally many backticks of one paragraph."""
    runs = list(_MARKS.finditer(text, start, end))
    partner: dict[int, int] = {}
    following: dict[str, int] = {}
    for index in range(len(runs) - 1, -1, -1):
        run = runs[index].group()
        if run.startswith("\n"):
            following.clear()
            continue
        if run in following:
            partner[index] = following[run]
        following[run] = index
    index = 0
    while index < len(runs):
        if index in partner:
            yield runs[index].start(), runs[partner[index]].end()
            index = partner[index]
        index += 1
