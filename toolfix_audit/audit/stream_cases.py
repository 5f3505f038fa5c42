"""Cases of family S: what a stream must be put together to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from toolfix_audit.logs.bodies import from_base64
from toolfix_audit.model.json import Json, dump_json, same_json
from toolfix_audit.wire.arguments import lost_prefix_candidate, parsed_arguments
from toolfix_audit.wire.parts import Answer, WireCall
from toolfix_audit.wire.sse import SseDecoder
from toolfix_audit.wire.stream import StreamReader


def stream_fault(case: Mapping[str, Json], expected: Mapping[str, Json]) -> str | None:
    """What differs between the answers that a case's stream gives and those that it must; None
    if nothing does.

    Raises:
        TypeError, KeyError: the case has no events, or expects no calls.
    """
    given = case["input"]
    if not isinstance(given, dict):
        raise TypeError("input is no object")
    wanted = expected["calls"]
    if not isinstance(wanted, list):
        raise TypeError("expected.calls is no list")
    answers = _answers(given)
    calls = [call for answer in answers for call in answer.calls]
    told = [_told(call) for call in calls]
    if len(told) != len(wanted) or not all(map(_agrees, told, wanted)):
        return f"wanted {dump_json(wanted)[:200]}, was {dump_json([*told])[:200]}"
    complete = bool(answers) and all(answer.complete for answer in answers)
    if "complete" in expected and complete is not expected["complete"]:
        return f"wanted complete={expected['complete']}, was {complete}"
    if "candidate" in expected:
        found = [lost_prefix_candidate(call.arguments) for call in calls]
        if not any(same_json(value, expected["candidate"]) for value in found):
            return f"wanted the candidate {dump_json(expected['candidate'])[:200]}"
    return None


def _answers(given: Mapping[str, Json]) -> list[Answer]:
    """The answers of a stream that is told as events or as base64 chunks of its bytes; `then` is
    a message that follows it."""
    decoder, reader = SseDecoder(), StreamReader()
    answers: list[Answer] = []
    for chunk in _chunks(given):
        for event in decoder.feed(chunk):
            answers.extend(reader.take_sse(event))
    for event in decoder.close():
        answers.extend(reader.take_sse(event))
    answers.extend(reader.take(given.get("then")))
    return [*answers, *reader.close()]


def _chunks(given: Mapping[str, Json]) -> Iterator[bytes]:
    coded = given.get("byte_chunks_b64")
    if isinstance(coded, list):
        yield from (from_base64(str(chunk)) or b"" for chunk in coded)
        return
    events = given["events"]
    if not isinstance(events, list):
        raise TypeError("input.events is no list")
    for event in events:
        if not isinstance(event, dict):
            raise TypeError("an event is no object")
        name, data = event.get("event"), event["data"]
        text = data if isinstance(data, str) else dump_json(data)
        head = f"event: {name}\n" if isinstance(name, str) else ""
        lines = "".join(f"data: {line}\n" for line in text.split("\n"))
        yield f"{head}{lines}\n".encode("utf-8", "surrogatepass")


def _told(call: WireCall) -> dict[str, Json]:
    value = parsed_arguments(call.arguments)
    told: dict[str, Json] = {"id": call.call_id, "name": call.tool, "arguments": value}
    if value is None:
        told.update(raw=call.arguments, valid=False)
    return told


def _agrees(told: dict[str, Json], wanted: Json) -> bool:
    """Whether a call is as wanted, in all that the case tells of it."""
    return isinstance(wanted, dict) and all(
        key in told and same_json(told[key], wanted[key]) for key in wanted
    )
