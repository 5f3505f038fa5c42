"""The rehearsal: every answer through the rewriter, read again, and counted."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from toolfix_audit.audit.replay.captured import Opened
from toolfix_audit.audit.replay.pieces import Captured
from toolfix_audit.audit.replay.reading_back import tells_the_same
from toolfix_audit.engine import repair_call
from toolfix_audit.model.json import Json, dump_json
from toolfix_audit.wire.rewrite import Refusal, StreamRewriter, Tally, rewrite_body

KEPT_CHANGES: Final = 50
NAME_FAMILY: Final = "K"
"""Not run here: the name of a call is sent before its arguments are known."""


@dataclass(frozen=True, slots=True)
class Change:
    """A rewritten tool block: where, its tool, its argument text before and after, the families
    that acted."""

    place: str
    tool: str
    before: str
    after: str
    families: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SourceFigures:
    """What one file gave. `format` is None for what is no log."""

    path: str
    format: str | None
    streams: int = 0
    bodies: int = 0


@dataclass(slots=True)
class Rehearsal:
    """The figures of a replay; each answer is a stream or a body.

    `identical` answers left byte for byte; `broken` names those whose rewritten bytes no longer
    tell what they should: a bug. `judged` blocks have a tool schema. `waits` are the milliseconds
    for which blocks were held, where the log has times.
    """

    streams: int = 0
    bodies: int = 0
    identical: int = 0
    judged: int = 0
    tally: Tally = field(default_factory=Tally)
    stopped: Counter[Refusal] = field(default_factory=Counter)
    families: Counter[str] = field(default_factory=Counter)
    changes: list[Change] = field(default_factory=list)
    waits: list[int] = field(default_factory=list)
    broken: list[str] = field(default_factory=list)
    sources: list[SourceFigures] = field(default_factory=list)

    @property
    def verdict(self) -> str:
        """`fail` if the rewriter broke an answer; `nothing checked` if no tool block could be
        judged; else `pass`."""
        if self.broken:
            return "fail"
        return "pass" if self.judged else "nothing checked"

    @property
    def median_wait(self) -> float:
        """The wait in the middle; 0 without any."""
        return float(statistics.median(self.waits)) if self.waits else 0.0


def replay(
    opened: Iterable[Opened], catalogue: Mapping[str, Json], families: Collection[str]
) -> Rehearsal:
    """Run every answer through the rewriter. Tools are those of its own request, else those of
    the catalogue."""
    done = Rehearsal()
    codes = frozenset(families) - {NAME_FAMILY}
    for source in opened:
        counts = Counter(
            _replay_one(done, captured, catalogue, codes) for captured in source.answers
        )
        done.sources.append(
            SourceFigures(source.file.shown, source.format, counts[True], counts[False])
        )
    return done


def _replay_one(
    done: Rehearsal, captured: Captured, catalogue: Mapping[str, Json], codes: frozenset[str]
) -> bool:
    """Run one answer; says whether it was a stream."""
    tools = captured.tools or catalogue
    bench = _Bench(captured.place, codes)
    if captured.is_stream:
        before, after, tally = _stream(captured, tools, bench, done.waits)
        done.streams += 1
    else:
        before = b"".join(piece.data for piece in captured.pieces)
        after, tally = rewrite_body(before, tools, bench.repair)
        done.bodies += 1
    done.identical += before == after
    if not tells_the_same(before, after, bench.texts, tally.changed):
        done.broken.append(captured.place)
    done.tally.add(tally)
    if tally.stopped is not None:
        done.stopped[tally.stopped] += 1
    done.judged += sum(count for tool, count in tally.tools.items() if tool in tools)
    done.families.update(code for change in bench.changes.values() for code in change.families)
    done.changes.extend(list(bench.changes.values())[: KEPT_CHANGES - len(done.changes)])
    return captured.is_stream


def _stream(
    captured: Captured, tools: Mapping[str, Json], bench: _Bench, waits: list[int]
) -> tuple[bytes, bytes, Tally]:
    rewriter = StreamRewriter(tools, bench.repair)
    before: list[bytes] = []
    after: list[bytes] = []
    since: int | None = None
    for piece in captured.pieces:
        before.append(piece.data)
        after.append(rewriter.feed(piece.data))
        if rewriter.held and since is None:
            since = piece.time
        elif not rewriter.held and since is not None:
            waits.append((piece.time or since) - since)
            since = None
    after.append(rewriter.close())
    return b"".join(before), b"".join(after), rewriter.tally


class _Bench:
    """The engine as the rewriter calls it, with notes on what it changed."""

    def __init__(self, place: str, codes: frozenset[str]) -> None:
        self._place = place
        self._codes = codes
        self.changes: dict[tuple[str, str], Change] = {}

    @property
    def texts(self) -> Mapping[tuple[str, str], str]:
        """The text after, by tool and text before."""
        return {key: change.after for key, change in self.changes.items()}

    def repair(self, tool: str, text: str, tools: Mapping[str, Json]) -> str | None:
        """The repaired text, or None."""
        known = self.changes.get((tool, text))
        if known is not None:
            return known.after
        made = repair_call(tool, text, tools, families=self._codes)
        if not made.changed:
            return None
        after = dump_json(made.arguments)
        codes = tuple(dict.fromkeys(step.family for step in made.steps))
        self.changes[tool, text] = Change(self._place, tool, text, after, codes)
        return after
