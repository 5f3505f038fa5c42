"""One call explained to a person, as plain lines. Untrusted text is made visible and cut."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from toolfix_audit.model.explanation import ExplainedStep, Explanation
from toolfix_audit.model.json import Json, JsonError, parse_json
from toolfix_audit.report import wording
from toolfix_audit.report.diff import diff_lines, value_lines
from toolfix_audit.report.visible import shown

_CELL: Final = 160
_LINES: Final = 60


def render(one: Explanation, *, reproduce: str) -> str:
    """The explanation; ends with `reproduce`, the command that runs the repair again."""
    return "\n".join(_lines(one, reproduce)) + "\n"


def _lines(one: Explanation, reproduce: str) -> Iterator[str]:
    yield f"call {one.call}: {_title(one)}"
    yield f"  {shown(one.path, 400)}"
    facts = (("session", one.session), *one.facts)
    yield "  " + " · ".join(f"{name} {shown(text, _CELL)}" for name, text in facts)
    yield from _session(one)
    yield from _host(one)
    yield from _schema(one)
    yield from _section("Violations before", one.violations_before)
    yield from _arguments(one)
    for number, step in enumerate(one.steps, 1):
        yield from _step(number, step)
    if one.steps:
        yield from _section("Violations after", one.violations_after)
    yield from _section("Also seen", one.remarks)
    yield from _checks(one)
    yield from _heading("Reproduce")
    yield f"  {reproduce}" if one.request else "  there is no schema to repair under"


def _title(one: Explanation) -> str:
    meaning = wording.OUTCOMES.get(one.outcome, "")
    reason = f" ({one.reason}: {wording.UNTOUCHED.get(one.reason, '')})" if one.reason else ""
    return f"{shown(one.tool, _CELL)} {wording.words_of(one.outcome)}{reason}: {meaning}"


def _heading(text: str) -> Iterator[str]:
    yield ""
    yield text


def _section(title: str, lines: tuple[str, ...]) -> Iterator[str]:
    yield from _heading(title)
    yield from (f"  {shown(line, 3 * _CELL)}" for line in lines[:_LINES])
    if not lines:
        yield "  none"


def _session(one: Explanation) -> Iterator[str]:
    total = one.around[0].total if one.around else 0
    yield from _heading(f"In the session, of {wording.count_of(total, 'call')}")
    for near in one.around:
        mark = ">" if near.call == one.call else " "
        outcome = wording.words_of(near.outcome or "not audited")
        host = wording.HOSTS.get(near.host or "", near.host or "")
        yield f"{mark} {near.place:>6}  {shown(near.tool, 40)}  {outcome}; the host: {host}"


def _host(one: Explanation) -> Iterator[str]:
    yield from _heading(f"The host: {wording.HOSTS.get(one.host, one.host)}")
    if one.result is not None:
        yield f"  {shown(one.result, 4 * _CELL)}"


def _schema(one: Explanation) -> Iterator[str]:
    yield from _heading(f"Schema, from the {one.origin}" if one.origin else "Schema: none")
    if one.schema is not None:
        for line in value_lines(_value(one.schema), lines=_LINES, width=_CELL):
            yield f"  {line.text}"


def _arguments(one: Explanation) -> Iterator[str]:
    before = _value(one.before)
    if one.after is None:
        yield from _heading("Arguments, as recorded")
        lines = value_lines(before, lines=_LINES, width=_CELL)
    else:
        yield from _heading("Arguments, before (-) and after (+)")
        lines = diff_lines(before, _value(one.after), lines=_LINES, width=_CELL)
    yield from (f"  {line.mark} {line.text}" for line in lines)


def _step(number: int, step: ExplainedStep) -> Iterator[str]:
    place = f" at {shown(step.pointer, _CELL)}" if step.pointer else ""
    yield from _heading(
        f"Step {number}: {step.family} {step.name}, {shown(step.action, _CELL)}{place}"
    )
    yield f"  from {shown(step.before, 2 * _CELL)}"
    yield f"  to   {shown(step.after, 2 * _CELL)}"
    yield f"  why  {step.why}"


def _checks(one: Explanation) -> Iterator[str]:
    if not one.probes and one.retry is None:
        return
    yield from _heading("Checked for mis-fixes")
    for kind, number, details in one.probes:
        said = "CONVICTED" if details else "nothing found"
        yield f"  {kind}: {wording.count_of(number, 'probe')}, {said}"
        yield from (f"    {shown(detail, 3 * _CELL)}" for detail in details)
    if one.retry is None:
        yield "  the model's own retry: none"
    else:
        answer, arguments = one.retry
        yield f"  the model's own retry: {answer}: {shown(arguments, 2 * _CELL)}"


def _value(text: str) -> Json:
    """A value as it was recorded; a text that is no JSON is shown as the text that it is."""
    try:
        return parse_json(text)
    except JsonError:
        return text
