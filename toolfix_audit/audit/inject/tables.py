"""An injection as text for a person, and as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from toolfix_audit.audit.inject.planters import PLANTERS, TOGETHER
from toolfix_audit.audit.inject.run import Deviation, Fate, Injection, Plan
from toolfix_audit.engine import FAMILIES
from toolfix_audit.model.json import Json, clip_json, dump_json

SHOWN_DEVIATIONS: Final = 20
SHOWN_CHARACTERS: Final = 300
KEPT_CHARACTERS: Final = 8_000

_NAMES: Final = {family.code: family.name for family in FAMILIES}
_LABELS: Final = (*(code for code, _ in PLANTERS), *(label for label, _ in TOGETHER))
_PLANTED: Final = (Fate.RESTORED, Fate.CHANGED, Fate.LEFT)
_TOOL_WIDTH: Final = 32


def as_text(done: Injection, plan: Plan) -> str:
    """The figures as tables, then what was not restored; ends with the verdict."""
    lines = [*_no_touch(done), "", *_family_table(done), "", *_tool_table(done)]
    shown = _one_of_each(sorted(done.deviations, key=_worst_first))[:SHOWN_DEVIATIONS]
    for deviation in shown:
        lines.extend(("", *_told(deviation)))
    if len(done.deviations) > len(shown):
        lines.extend(("", f"… and {len(done.deviations) - len(shown)} more: see --report json"))
    verdict = "PASS" if done.is_clean else "FAIL"
    lines.extend(
        ("", f"{verdict}  {done.misfixes} mis-fixes, {done.touched} valid calls touched "
         f"(seed {plan.seed})")
    )  # fmt: skip
    return "\n".join(lines) + "\n"


def as_json(done: Injection, plan: Plan) -> str:
    """Everything that is known, as one JSON document."""
    families: dict[str, Json] = {label: _counts(done, label) for label in _labels(done)}
    tools: list[Json] = [
        {"tool": tool, "family": label, **_counts(done, label, tool)}
        for tool in _tools(done)
        for label in _labels(done)
        if sum(done.fates[label, tool, fate] for fate in Fate)
    ]
    document: dict[str, Json] = {
        "seed": plan.seed,
        "calls": done.subjects,
        "no_touch": {"valid": done.valid, "touched": done.touched, "swallowed": done.swallowed},
        "families": families,
        "tools": tools,
        "misfixes": done.misfixes,
        "deviations": [_as_json(one) for one in sorted(done.deviations, key=_worst_first)],
        "verdict": "pass" if done.is_clean else "fail",
    }
    return dump_json(document) + "\n"


def _no_touch(done: Injection) -> Iterator[str]:
    kept = done.valid - done.touched
    yield f"valid calls left as they are: {kept:,} of {done.valid:,} ({_percent(kept, done.valid)})"
    if done.swallowed:
        yield f"set aside: {done.swallowed:,} calls whose wrapper swallows all arguments"
    yield f"damaged copies were made of {done.subjects:,} calls"


def _family_table(done: Injection) -> Iterator[str]:
    yield "family                    planted  restored          changed     left  stays valid"
    for label in _labels(done):
        counts = {fate: done.count(label, fate) for fate in Fate}
        planted = sum(counts[fate] for fate in _PLANTED)
        restored = counts[Fate.RESTORED]
        name = f"{label} {_NAMES.get(label, 'together')}"
        yield (
            f"{name:<24}{planted:>9,}{restored:>10,} {_percent(restored, planted):>7}"
            f"{counts[Fate.CHANGED]:>9,}{counts[Fate.LEFT]:>9,}{counts[Fate.STAYS_VALID]:>13,}"
        )


def _tool_table(done: Injection) -> Iterator[str]:
    """Restored by tool and family; where some were not, `restored/planted`."""
    labels = [label for label in _labels(done) if "+" not in label]
    yield f"{'restored, by tool':<{_TOOL_WIDTH}}" + "".join(f"{label:>8}" for label in labels)
    for tool in _tools(done):
        cells = "".join(f"{_cell(done, label, tool):>8}" for label in labels)
        yield f"{_visible(tool)[: _TOOL_WIDTH - 1]:<{_TOOL_WIDTH}}{cells}"


def _cell(done: Injection, label: str, tool: str) -> str:
    planted = sum(done.fates[label, tool, fate] for fate in _PLANTED)
    restored = done.fates[label, tool, Fate.RESTORED]
    if not planted:
        return "·"
    return str(planted) if planted == restored else f"{restored}/{planted}"


def _told(one: Deviation) -> Iterator[str]:
    convicted = f", mis-fix: {', '.join(one.kinds)}" if one.kinds else ""
    reason = f" ({one.reason})" if one.reason else ""
    place = one.place or "the root"
    yield (
        f"{one.family} {one.fate}: {_visible(one.tool)}, call {_visible(one.call)}: "
        f"{_visible(one.variant)} at {_visible(place)}: {one.outcome}{reason}{convicted}"
    )
    yield f"  sent  {_shown(one.damaged)}"
    yield f"  truth {_shown(one.truth)}"
    if one.fate != Fate.LEFT.value:
        yield f"  made  {_shown(one.result)}"


def _as_json(one: Deviation) -> dict[str, Json]:
    return {
        "family": one.family,
        "fate": one.fate,
        "tool": one.tool,
        "call": one.call,
        "variant": one.variant,
        "place": one.place,
        "outcome": one.outcome,
        "reason": one.reason,
        "kinds": list(one.kinds),
        "damaged": _kept(one.damaged),
        "truth": _kept(one.truth),
        "result": _kept(one.result),
    }


def _counts(done: Injection, label: str, tool: str | None = None) -> dict[str, Json]:
    counts = {
        fate: done.count(label, fate) if tool is None else done.fates[label, tool, fate]
        for fate in Fate
    }
    return {
        "planted": sum(counts[fate] for fate in _PLANTED),
        "restored": counts[Fate.RESTORED],
        "changed": counts[Fate.CHANGED],
        "left": counts[Fate.LEFT],
        "stays_valid": counts[Fate.STAYS_VALID],
    }


def _labels(done: Injection) -> list[str]:
    known = {label for label, _, _ in done.fates}
    return [label for label in _LABELS if label in known]


def _tools(done: Injection) -> list[str]:
    return sorted({tool for _, tool, _ in done.fates})


def _worst_first(one: Deviation) -> tuple[bool, str, str, str, str]:
    return (not one.kinds, one.family, one.tool, one.call, one.variant)


def _one_of_each(deviations: list[Deviation]) -> list[Deviation]:
    """The first deviation of every family and tool that went the same way."""
    found: dict[tuple[str, ...], Deviation] = {}
    for one in deviations:
        found.setdefault((one.family, one.tool, one.fate, *one.kinds), one)
    return list(found.values())


def _kept(value: Json) -> Json:
    if clip_json(value, KEPT_CHARACTERS) is not None:
        return value
    return dump_json(value)[:KEPT_CHARACTERS] + "…"


def _shown(value: Json) -> str:
    text = _visible(dump_json(value))
    return text if len(text) <= SHOWN_CHARACTERS else text[:SHOWN_CHARACTERS] + "…"


def _visible(text: str) -> str:
    return "".join(char if char.isprintable() else f"\\u{ord(char):04x}" for char in text)


def _percent(part: int, whole: int) -> str:
    """Rounded down, so that only all is 100 %."""
    return f"{100 * part // whole} %" if whole else "-"
