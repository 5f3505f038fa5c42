"""The engine as a line protocol: a JSON request in, a JSON answer out. Pure text to text."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import Final

from toolfix_audit.engine.repair import repair, repair_call
from toolfix_audit.model.json import Json, JsonError, clip_json, dump_json, is_deeper, parse_json
from toolfix_audit.model.pointer import to_pointer
from toolfix_audit.model.repair import Repair, Step, Violation

STEP_CHARACTERS: Final = 100_000
"""Longer values of a step are left out of an answer (`null`); `arguments` is always whole."""


MAX_DEPTH: Final = 200


class RequestError(ValueError):
    """A line that is no request; `answer` is the line to write instead of an outcome."""

    def __init__(self, message: str, identity: Json = None) -> None:
        super().__init__(message)
        self.answer = dump_json({"id": identity, "error": message})


def answer_line(line: str, families: Collection[str]) -> str:
    """Answer one request: `{"id","schema"|"tools","tool"?,"args"|"args_text"|"arguments"}`.

    `args` is the value after one decode (a string there is a double-encoded root), `args_text`
    the recorded text, `arguments` either: an object, or text. `tools` maps names to schemas.

    Raises:
        RequestError: the line is no such request.
    """
    try:
        request = parse_json(line)
    except JsonError as error:
        raise RequestError(f"not JSON: {error}") from None
    if not isinstance(request, dict):
        raise RequestError("not an object")
    identity = request.get("id")
    given = given_arguments(request)
    if "tools" not in request:
        if not isinstance(request.get("schema"), dict | bool):
            raise RequestError("no schema and no tools", identity)
        done = repair(given, request["schema"], families=families)
        done = replace(done, tool=_text(request.get("tool")))
    else:
        tools, tool = request["tools"], request.get("tool")
        if not isinstance(tools, dict) or not isinstance(tool, str):
            raise RequestError("tools is no map of names to schemas, or tool no name", identity)
        done = repair_call(tool, given, tools, families=families)
    return dump_json({"id": identity, **answer(done), "tool": done.tool})


def given_arguments(request: dict[str, Json]) -> Json:
    """The arguments of a request or a case, as the engine takes them.

    Raises:
        RequestError: there are none.
    """
    if "args_text" in request:
        return request["args_text"]
    if "args" in request:
        args = request["args"]
        return dump_json(args) if isinstance(args, str) else args
    if "arguments" in request:
        return request["arguments"]
    raise RequestError("no args, args_text or arguments", request.get("id"))


def answer(done: Repair) -> dict[str, Json]:
    """A repair as the JSON object that `repair` prints.

    Recorded text that stays is shown parsed, unless it does not parse or is nested deeper than
    MAX_DEPTH, which ordinary JSON parsers refuse.
    """
    return {
        "outcome": done.outcome.value,
        "arguments": _shown(done.arguments),
        "steps": [_step(step) for step in done.steps],
        "violations_before": [_violation(one) for one in done.violations_before],
        "violations_after": [_violation(one) for one in done.violations_after],
        "reason": None if done.reason is None else done.reason.value,
    }


def _shown(arguments: Json) -> Json:
    if not isinstance(arguments, str):
        return arguments
    try:
        value = parse_json(arguments)
    except JsonError:
        return arguments
    return arguments if is_deeper(value, MAX_DEPTH) else value


def _step(step: Step) -> Json:
    return {
        "family": step.family,
        "action": step.action,
        "pointer": step.pointer,
        "before": _clipped(step.before),
        "after": _clipped(step.after),
    }


def _clipped(value: Json) -> Json:
    is_large = is_deeper(value, MAX_DEPTH) or clip_json(value, STEP_CHARACTERS) is None
    return None if is_large else value


def _violation(violation: Violation) -> Json:
    place = to_pointer(violation.path)
    return f"{place}: {violation.message}" if place else violation.message


def _text(value: Json) -> str | None:
    return value if isinstance(value, str) else None
