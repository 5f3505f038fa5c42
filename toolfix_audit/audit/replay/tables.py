"""A rehearsal as text for a person, and as JSON."""

from __future__ import annotations

from collections import Counter
from typing import Final

from toolfix_audit.audit.replay.run import Change, Rehearsal
from toolfix_audit.engine import FAMILIES
from toolfix_audit.model.json import Json, dump_json
from toolfix_audit.wire.rewrite import Refusal

SHOWN_CHANGES: Final = 10
SHOWN_CHARACTERS: Final = 160

_NAMES: Final = {family.code: family.name for family in FAMILIES}


def as_text(done: Rehearsal) -> str:
    """The figures, then what was rewritten; ends with the verdict."""
    tally = done.tally
    lines = [
        f"{done.streams:,} streams, {done.bodies:,} whole bodies; "
        f"{done.identical:,} left byte for byte",
        f"{tally.blocks:,} tool blocks: {tally.changed:,} changed, {tally.unchanged:,} unchanged, "
        f"{tally.refused.total():,} refused; {done.judged:,} have a tool schema",
        *_reasons("refused", tally.refused),
        *_reasons("passed from there on", done.stopped),
    ]
    if done.waits:
        lines.append(
            f"buffering held {len(done.waits):,} runs of tool blocks for {done.median_wait:g} ms "
            f"in the median, {max(done.waits):,} ms at most"
        )
    for code, count in sorted(done.families.items()):
        lines.append(f"  {code} {_NAMES[code]}: {count:,}")
    for change in done.changes[:SHOWN_CHANGES]:
        lines.extend(("", *_told(change)))
    if tally.changed > SHOWN_CHANGES:
        lines.extend(("", "… more: see --report json"))
    lines.extend(
        f"broken: {_visible(place)} tells other calls than it should" for place in done.broken
    )
    lines.extend(
        ("", f"{done.verdict.upper()}  {len(done.broken):,} answers broken by the rewriter")
    )
    return "\n".join(lines) + "\n"


def as_json(done: Rehearsal) -> str:
    """Everything that is known, as one JSON document."""
    tally = done.tally
    document: dict[str, Json] = {
        "streams": done.streams,
        "bodies": done.bodies,
        "identical": done.identical,
        "blocks": tally.blocks,
        "judged": done.judged,
        "changed": tally.changed,
        "unchanged": tally.unchanged,
        "refused": _counts(tally.refused),
        "stopped": _counts(done.stopped),
        "families": _counts(done.families),
        "tools": [
            {"tool": tool, "blocks": count, "changed": tally.changed_tools[tool]}
            for tool, count in sorted(tally.tools.items())
        ],
        "delay": _delay(done),
        "sources": [
            {
                "path": source.path,
                "format": source.format,
                "streams": source.streams,
                "bodies": source.bodies,
            }
            for source in done.sources
        ],
        "changes": [_change(change) for change in done.changes],
        "broken": list(done.broken),
        "verdict": done.verdict,
    }
    return dump_json(document) + "\n"


def _delay(done: Rehearsal) -> Json:
    if not done.waits:
        return None
    return {
        "runs": len(done.waits),
        "median_ms": done.median_wait,
        "max_ms": max(done.waits),
        "total_ms": sum(done.waits),
    }


def _change(change: Change) -> Json:
    return {
        "place": change.place,
        "tool": change.tool,
        "families": list(change.families),
        "before": change.before,
        "after": change.after,
    }


def _counts(counts: Counter[Refusal] | Counter[str]) -> dict[str, Json]:
    return {str(key): count for key, count in sorted(counts.items())}


def _reasons(what: str, counts: Counter[Refusal]) -> list[str]:
    return [f"  {what}: {reason}: {count:,}" for reason, count in sorted(counts.items())]


def _told(change: Change) -> list[str]:
    return [
        f"{_visible(change.place)}  {_visible(change.tool)}  {', '.join(change.families)}",
        f"  - {_clipped(change.before)}",
        f"  + {_clipped(change.after)}",
    ]


def _clipped(text: str) -> str:
    cut = text if len(text) <= SHOWN_CHARACTERS else text[: SHOWN_CHARACTERS - 1] + "…"
    return _visible(cut)


def _visible(text: str) -> str:
    return "".join(char if char.isprintable() else f"\\x{ord(char):02x}" for char in text)
