"""Cases of families H, I and J: what a case expects, by the keys that it names."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Final

from toolfix_audit.model.json import Json, dump_json, same_json
from toolfix_audit.wire.results.causes.cause import Cause, CauseKind
from toolfix_audit.wire.results.causes.explained import Explanation, explain_stream
from toolfix_audit.wire.results.causes.nature import nature_of
from toolfix_audit.wire.results.causes.stream_cause import TAIL, CauseFinder, stream_cause
from toolfix_audit.wire.results.history import read_history
from toolfix_audit.wire.results.lowering import lower_batch
from toolfix_audit.wire.results.pairing import Pairing, PairingDefect, pair
from toolfix_audit.wire.results.shapes import result_shape
from toolfix_audit.wire.results.targets import target_of

Told = dict[str, Json]


def result_fault(family: str, case: Mapping[str, Json]) -> str | None:
    """What differs between what a case of a family in `RESULT_FAMILIES` expects and what was
    found; None if nothing does.

    Raises:
        TypeError, KeyError: the case has no input, or expects nothing.
    """
    given, expected = case["input"], case["expected"]
    if not isinstance(given, dict) or not isinstance(expected, dict):
        raise TypeError("input or expected is no object")
    told = _TELLERS[family](given, expected)
    for key, wanted in expected.items():
        if key not in told:
            return f"nothing tells of {key}"
        if not same_json(told[key], wanted):
            return f"{key}: wanted {dump_json(wanted)[:200]}, was {dump_json(told[key])[:200]}"
    return None


def _told_of_image(given: Told, _: Told) -> Told:
    sent = given.get("sent", given.get("mcp", given))
    batch = lower_batch([sent])
    target = target_of(sent)
    if not batch.findings:
        return {"defect": False, "lowered": sent, "error": None}
    finding = batch.findings[0]
    lowered: Json = None
    if finding.lowered is not None:
        chat = target is not None and target.name == "chat"
        lowered = [*batch.results, *batch.after] if chat else batch.results[0]
    return {"defect": True, "lowered": lowered, "error": finding.error}


def _told_of_stream(given: Told, expected: Told) -> Told:
    explained = _explained(given)
    cause = explained.cause
    return {
        "code": cause.code if "type" in expected or expected.get("code") is None else cause.word,
        "message": cause.message,
        "type": cause.type,
        "status": cause.status,
        "detail": cause.detail,
        "provider": cause.provider,
        "display": cause.display,
        "found_at": _found_at(cause),
        "class": _class(cause, expected.get("class")),
        "recoverable": cause.kind is not CauseKind.NONE and not explained.lost,
    }


def _explained(given: Told) -> Explanation:
    shown = given.get("recorded")
    raw = given.get("raw")
    if isinstance(raw, str):
        cause = stream_cause(raw.encode("utf-8", "surrogatepass"))
    else:
        finder = CauseFinder()
        for name, data in _events(given):
            finder.take(data, name)
        cause = finder.cause()
    return explain_stream(cause, shown if isinstance(shown, str) else None)


def _events(given: Told) -> Iterator[tuple[str | None, Json]]:
    events = given["events"]
    if not isinstance(events, list):
        raise TypeError("input.events is no list")
    for event in events:
        if not isinstance(event, dict):
            raise TypeError("an event is no object")
        name = event.get("event")
        yield (name if isinstance(name, str) else None), event["data"]


def _found_at(cause: Cause) -> str | None:
    """The place as a path: `$.response.error`; of what follows the events, a word."""
    if cause.kind is CauseKind.NONE or cause.place == "lost":
        return None
    return "trailing_bytes" if cause.place == TAIL else "$" + cause.pointer.replace("/", ".")


def _class(cause: Cause, wanted: Json) -> Json:
    """The kind of the outcome, or the nature of the failure where a case asks for that."""
    kinds = [kind.value for kind in CauseKind]
    nature = nature_of(cause)
    return cause.kind.value if wanted in kinds or nature is None else nature.value


def _told_of_shape(given: Told, _: Told) -> Told:
    history = read_history(given)
    if history is not None:
        return _told_of_pairing(pair(history), history.id_field)
    shape = result_shape(given.get("mcp", given))
    if shape is None:
        return {"defect": None, "normalized": given, "normalized_text": None}
    return {
        "defect": shape.defect.value,
        "normalized": shape.normalized,
        "normalized_text": shape.text,
    }


def _told_of_pairing(pairing: Pairing, id_field: str) -> Told:
    """The first fault, and all ids of its kind."""
    if not pairing.faults:
        return {"defect": None, "ids": [], "order": None, "filled": None}
    first = pairing.faults[0].defect
    name = f"missing_{id_field}" if first is PairingDefect.MISSING_ID else first.value
    ids = [fault.call_id for fault in pairing.faults if fault.defect is first]
    return {
        "defect": name,
        "ids": [*ids],
        "order": None if pairing.order is None else [*pairing.order],
        "filled": pairing.filled[0][1] if len(pairing.filled) == 1 else None,
    }


_TELLERS: Final[Mapping[str, Callable[[Told, Told], Told]]] = MappingProxyType(
    {"H": _told_of_image, "I": _told_of_stream, "J": _told_of_shape}
)

RESULT_FAMILIES: Final = frozenset(_TELLERS)
"""The families whose cases run here."""
