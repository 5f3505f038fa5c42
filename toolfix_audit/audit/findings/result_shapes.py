"""Family J over a store: odd forms of results, and results that answer no call as they should."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

from toolfix_audit.audit.findings.sightings import Sighting, Sightings, cut
from toolfix_audit.model.json import Json, JsonError, parse_json
from toolfix_audit.model.records import ArgumentsForm, AssistantText, Call, Record, Result
from toolfix_audit.model.report_findings import FoundRow
from toolfix_audit.store.finding_rows import (
    ActRow,
    ResultRow,
    odd_results,
    odd_sessions,
    place_key,
)
from toolfix_audit.store.store import Store
from toolfix_audit.wire.results.blocks import is_typed
from toolfix_audit.wire.results.logged import LogFault, log_pairing
from toolfix_audit.wire.results.shapes import Form, ShapeDefect, shape_of, structured_text

_FORM: Final = Form("content", is_typed)
_SHOWN: Final = 160

_SAYS: Final[Mapping[str, str]] = {
    "missing_result": "a call without a result, and the session went on; reported only",
    "orphan_result": "a result that answers no call; reported only",
    "duplicate_result": "a second result for one call; reported only",
    "result_before_call": "a result before its call",
    "result_not_adjacent": "a result apart from its call",
    "missing_id": "a result without the id of its call",
    "reused_id": "an id that an earlier call of the session has; paired by place, reported only",
}


def find_shapes(store: Store, sightings: Sightings) -> None:
    """Count the odd results of a store and the faults in its pairs."""
    for row in odd_results(store):
        for sighting in shapes_in(row):
            sightings.add(sighting)
    split: dict[tuple[str, str, str], list[Sighting]] = {}
    for acts in odd_sessions(store):
        here: Counter[tuple[str, str, str]] = Counter()
        for fault, sighting in faults_in(acts):
            if not acts[0].is_split:
                sightings.add(sighting)
                continue
            key = (acts[0].session, fault.defect.value, fault.call_id or "")
            here[key] += 1
            if here[key] > len(split.setdefault(key, [])):
                split[key].append(sighting)
    for told in split.values():
        for sighting in told:
            sightings.add(sighting)


def shapes_in(row: ResultRow) -> Iterator[Sighting]:
    """What is odd about the content of a result. An object is what some providers want."""
    content = _parsed(row.blocks)
    if isinstance(content, dict) and structured_text(content) is not None:
        yield _shape(row, ShapeDefect.CONTENT_EMPTY, "send the structured content as text")
        return
    shape = shape_of(content, _FORM)
    if shape.defect is not None and shape.defect is not ShapeDefect.OBJECT_CONTENT:
        form = "text" if isinstance(shape.content, str) else "a list of blocks"
        yield _shape(row, shape.defect, f"a strict provider takes it as {form}")


def _parsed(text: str | None) -> Json:
    try:
        return parse_json(text or '""')
    except JsonError:
        return ""


def _shape(row: ResultRow, defect: ShapeDefect, says: str) -> Sighting:
    return Sighting(
        place_key(row.digest, row.position),
        FoundRow(
            family="J",
            kind=defect.value,
            variant="",
            tool=row.tool,
            model=row.model,
            count=1,
            repairable=1,
            session=row.session,
            path=row.path,
            call=row.call,
            shown=cut(row.blocks or "", _SHOWN),
            says=says,
        ),
    )


def faults_in(acts: list[ActRow]) -> Iterator[tuple[LogFault, Sighting]]:
    """What is wrong with the pairs of one session, given in order."""
    by_place = {act.position: act for act in acts}
    calls = {act.position: act for act in acts if act.part == "call"}
    for fault in log_pairing([_record(act) for act in acts]):
        act = by_place[fault.index]
        if not act.is_copy:
            call = act if act.part == "call" else _call_of(act, calls)
            yield fault, _fault(fault, act, call)


def _call_of(act: ActRow, calls: Mapping[int, ActRow]) -> ActRow | None:
    """The call that a result answers, or whose id it has."""
    if act.call_position is not None:
        return calls.get(act.call_position)
    named = (call for call in calls.values() if call.call_id == act.call_id)
    return None if act.call_id is None else next(named, None)


def _record(act: ActRow) -> Record:
    """The record of an act, without its content."""
    match act.part:
        case "call":
            form = ArgumentsForm.ABSENT
            return Call(act.session, act.position, act.call_id, act.tool or "", "", form)
        case "result":
            return Result(act.session, act.position, act.call_position, act.call_id, False, "")
        case _:
            return AssistantText(act.session, act.position, "")


def _fault(fault: LogFault, act: ActRow, call: ActRow | None) -> Sighting:
    says = _SAYS[fault.defect.value]
    row = FoundRow(
        family="J",
        kind=fault.defect.value,
        variant="",
        tool=call.tool if call else None,
        model=call.model if call else None,
        count=1,
        repairable=int(fault.fix is not None),
        session=act.session,
        path=act.path,
        call=call.call if call else None,
        shown=cut(f"{act.part} {act.call_id or 'without id'}", _SHOWN),
        says=says,
    )
    if fault.fix is not None:
        row = replace(row, says=cut(f"{says}; {fault.fix}"))
    elif "reported only" not in says:
        row = replace(row, says=f"{says}; more than one answer is possible")
    return Sighting(place_key(act.digest, act.position), row)
