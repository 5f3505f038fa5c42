"""Outcomes to counts: partial reports that merge associatively, whatever the split.

Examples are the ones with the smallest keys, so any order of batches keeps the same ones.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from operator import itemgetter
from typing import Any, Final

from toolfix_audit.model.json import Json, JsonError, clip_json, parse_json
from toolfix_audit.model.report import Example, MisfixExample, StepRow
from toolfix_audit.model.words import CHANGED, Outcome, UntouchedReason

EXAMPLES_PER_KIND: Final = 25
EXAMPLE_CHARACTERS: Final = 8_000
MISFIX_EXAMPLES: Final = 200
SHALLOW: Final = "shallow-judge"
"""The finding that marks a call which the shallow judge decided."""

_CHANGED: Final = frozenset(outcome.value for outcome in CHANGED)
_PLAIN: Final = itemgetter("host", "tool", "provider", "model", "origin", "reason")
"""What tells two plain outcomes apart, beside what was left alone and found."""

_MALFORMED: Final = _CHANGED | {Outcome.UNTOUCHED.value}


@dataclass(slots=True)
class Partial:
    """Counts over some of the outcomes. `merge` is associative and commutative."""

    outcomes: Counter[str] = field(default_factory=Counter)
    host: Counter[tuple[str, str]] = field(default_factory=Counter)
    schemas: Counter[str] = field(default_factory=Counter)
    basis: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    families: Counter[tuple[str, str]] = field(default_factory=Counter)
    suspected: Counter[str] = field(default_factory=Counter)
    depth: Counter[int] = field(default_factory=Counter)
    untouched: Counter[str] = field(default_factory=Counter)
    unjudged: Counter[str] = field(default_factory=Counter)
    unjudged_tools: Counter[tuple[str, str]] = field(default_factory=Counter)
    left_alone: Counter[str] = field(default_factory=Counter)
    suspicions: Counter[str] = field(default_factory=Counter)
    findings: Counter[str] = field(default_factory=Counter)
    probes: Counter[tuple[str, str]] = field(default_factory=Counter)
    probe_kinds: Counter[str] = field(default_factory=Counter)
    convictions: Counter[tuple[str, str]] = field(default_factory=Counter)
    misfix_kinds: Counter[str] = field(default_factory=Counter)
    misfixed_calls: int = 0
    tools: Counter[tuple[str, str]] = field(default_factory=Counter)
    models: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    model_families: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    kinds: Counter[tuple[str, str, str, tuple[str, ...], str]] = field(default_factory=Counter)
    examples: dict[tuple[str, str], Example] = field(default_factory=dict)
    misfixes: dict[tuple[str, str], MisfixExample] = field(default_factory=dict)

    def add(self, row: Mapping[str, Any]) -> None:
        """Count one outcome (columns OUTCOMES)."""
        self.add_plain(row, 1)
        self._add_reason(row)
        self._add_families(row)
        self.suspicions.update(row["suspicions"])
        if row["outcome"] in _MALFORMED:
            families = tuple(row["families"])
            kind = (row["tool"], row["schema"] or "", row["shape"], families, row["outcome"])
            self.kinds[kind] += 1
        self._add_probes(row)
        self._add_example(row)

    def add_plain(self, row: Mapping[str, Any], times: int) -> None:
        """Count what there is to count of a valid call without suspicions, so many times."""
        outcome = row["outcome"]
        self.outcomes[outcome] += times
        self.host[row["host"], outcome] += times
        self.tools[row["tool"], outcome] += times
        self.models[(*_model(row), outcome)] += times
        if row["origin"] and outcome != Outcome.UNJUDGED:
            self.schemas[row["origin"]] += times
        self.basis[row["origin"] or "", judge_of(row), outcome] += times
        for name in row["left_alone"]:
            self.left_alone[name] += times
        for name in row["findings"]:
            self.findings[name] += times

    def merge(self, other: Partial) -> None:
        """Add the counts of another part."""
        for name in _COUNTERS:
            getattr(self, name).update(getattr(other, name))
        self.misfixed_calls += other.misfixed_calls
        for key, example in other.examples.items():
            self._keep(key, example)
        self.misfixes = _smallest({**self.misfixes, **other.misfixes}, MISFIX_EXAMPLES)

    def _add_reason(self, row: Mapping[str, Any]) -> None:
        if row["outcome"] == Outcome.UNTOUCHED:
            self.untouched[row["reason"]] += 1
        elif row["outcome"] == Outcome.UNJUDGED:
            self.unjudged[row["reason"]] += 1
            self.unjudged_tools[row["tool"], row["reason"]] += 1
            if row["suspected"]:
                self.suspected[row["suspected"]] += 1

    def _add_families(self, row: Mapping[str, Any]) -> None:
        for family in row["families"]:
            self.families[family, row["outcome"]] += 1
            self.model_families[(*_model(row), family)] += 1
        if row["depth"] and set(row["families"]) & {"A", "B"}:
            self.depth[row["depth"]] += 1

    def _add_probes(self, row: Mapping[str, Any]) -> None:
        convicted = [probe for probe in row["probes"] if probe["convicted"]]
        for probe in row["probes"]:
            self.probe_kinds[probe["kind"]] += 1
            self.probes.update((family, probe["kind"]) for family in probe["families"])
        for kind, families in sorted({(one["kind"], tuple(one["families"])) for one in convicted}):
            self.misfix_kinds[kind] += 1
            self.convictions.update((family, kind) for family in families)
        self.misfixed_calls += bool(convicted)
        shown = {(row["call"], one["kind"]): _misfix_example(row, one) for one in convicted}
        self.misfixes = (
            _smallest({**self.misfixes, **shown}, MISFIX_EXAMPLES) if shown else self.misfixes
        )

    def _add_example(self, row: Mapping[str, Any]) -> None:
        kind = _example_kind(row)
        if kind is not None:
            self._keep((kind, _group(row)), _example(row))

    def _keep(self, key: tuple[str, str], example: Example) -> None:
        """Join the example to its group, if the group is among the smallest of its kind."""
        known = self.examples.get(key)
        if known is not None:
            shown = min(known, example, key=lambda one: one.call)
            self.examples[key] = replace(shown, count=known.count + example.count)
            return
        self.examples[key] = example
        rivals = [other for other in self.examples if other[0] == key[0]]
        if len(rivals) > EXAMPLES_PER_KIND:
            del self.examples[max(rivals)]


_COUNTERS: Final = (
    "outcomes",
    "host",
    "schemas",
    "basis",
    "families",
    "suspected",
    "depth",
    "untouched",
    "unjudged",
    "unjudged_tools",
    "left_alone",
    "suspicions",
    "findings",
    "probes",
    "probe_kinds",
    "convictions",
    "misfix_kinds",
    "tools",
    "models",
    "model_families",
    "kinds",
)


def judge_of(row: Mapping[str, Any]) -> str:
    """Who decided on a call: `none` where nobody looked at its arguments, `shallow`, or `whole`
    for a validator that ran the whole schema."""
    if row["outcome"] == Outcome.UNJUDGED or row["reason"] == UntouchedReason.UNKNOWN_TOOL:
        return "none"
    return "shallow" if SHALLOW in row["findings"] else "whole"


def fold(rows: Iterable[Mapping[str, Any]]) -> Partial:
    """The partial report of some outcomes; plain ones that count alike are counted at once."""
    partial = Partial()
    plain: dict[tuple[Any, ...], Mapping[str, Any]] = {}
    times: Counter[tuple[Any, ...]] = Counter()
    for row in rows:
        if row["outcome"] == Outcome.VALID and not row["suspicions"]:
            key = (*_PLAIN(row), *row["left_alone"], None, *row["findings"])
            plain.setdefault(key, row)
            times[key] += 1
        else:
            partial.add(row)
    for key, row in plain.items():
        partial.add_plain(row, times[key])
    return partial


def _model(row: Mapping[str, Any]) -> tuple[str, str]:
    return row["provider"] or "", row["model"] or ""


def _smallest(
    found: dict[tuple[str, str], MisfixExample], limit: int
) -> dict[tuple[str, str], MisfixExample]:
    return {key: found[key] for key in sorted(found)[:limit]}


def _example_kind(row: Mapping[str, Any]) -> str | None:
    if row["outcome"] in _CHANGED:
        return f"{row['outcome']}:{''.join(row['families'])}"
    if row["outcome"] in {Outcome.UNTOUCHED, Outcome.UNJUDGED}:
        return f"{row['outcome']}:{row['reason']}"
    return f"suspicion:{row['suspicions'][0]}" if row["suspicions"] else None


def _group(row: Mapping[str, Any]) -> str:
    """What makes two calls the same example; a digest, so that no tool crowds out another."""
    parts = (row["tool"], row["outcome"], row["reason"] or "", *row["families"], row["shape"])
    text = "\x1f".join(parts).encode("utf-8", "backslashreplace")
    return hashlib.sha256(text).hexdigest()


def _example(row: Mapping[str, Any]) -> Example:
    return Example(
        call=row["call"],
        session=row["session"],
        tool=row["tool"],
        outcome=row["outcome"],
        reason=row["reason"],
        families=tuple(row["families"]),
        steps=tuple(_step(step) for step in row["steps"][:50]),
        before=shown(row["before"]),
        after=None if row["after"] is None else shown(row["after"]),
        violations_before=tuple(row["violations_before"][:20]),
        violations_after=tuple(row["violations_after"][:20]),
        schema_origin=row["origin"],
        host=row["host"],
        path=row["path"],
        model=row["model"],
        count=1,
    )


def _misfix_example(row: Mapping[str, Any], probe: Mapping[str, Any]) -> MisfixExample:
    return MisfixExample(
        call=row["call"],
        session=row["session"],
        tool=row["tool"],
        kind=probe["kind"],
        families=tuple(probe["families"]),
        detail=probe["detail"],
        before=shown(row["before"]),
        after=None if row["after"] is None else shown(row["after"]),
    )


def _step(step: Mapping[str, Any]) -> StepRow:
    before, after = (shown(step[name] or '"…"') for name in ("before", "after"))
    return StepRow(step["family"], step["action"], step["pointer"], before, after)


def shown(text: str) -> Json:
    """What an example shows: the value that a JSON text holds; text that is no JSON, or too long,
    stays text, cut."""
    if len(text) > EXAMPLE_CHARACTERS:
        return f"{text[:EXAMPLE_CHARACTERS]}… +{len(text) - EXAMPLE_CHARACTERS} chars"
    try:
        value = parse_json(text)
    except JsonError:
        return text
    return value if clip_json(value, EXAMPLE_CHARACTERS) is not None else text
