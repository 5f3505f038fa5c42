"""Cases of family G: what must be found in a given message."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from toolfix_audit.engine.leaks.detect import detect
from toolfix_audit.engine.leaks.leak import Detection, Leak, LeakedCall, Message, StructuredCall
from toolfix_audit.engine.leaks.syntaxes import SYNTAXES
from toolfix_audit.engine.leaks.words import Kind
from toolfix_audit.model.json import Json, dump_json, same_json


def leak_fault(case: Mapping[str, Json], expected: Mapping[str, Json]) -> str | None:
    """What differs between what is found in a case's message and what must be, in all that
    `expected` names; None if nothing does. `why` and the like are for people.

    Raises:
        TypeError, KeyError: the case has no message or no tools, or expects what is unknown.
    """
    given = case["input"]
    if not isinstance(given, dict):
        raise TypeError("input is no object")
    tools = given["tools"]
    if not isinstance(tools, dict):
        raise TypeError("input.tools is no object")
    may_call = given.get("tool_choice") != "none"
    found = detect(message_of(given["message"]), tools, may_call=may_call)
    if bool(found.leaks) is not expected["leak"]:
        return f"wanted leak={dump_json(expected['leak'])}, was {_told(found)}"
    if not found.leaks:
        return None
    for key, wanted in expected.items():
        was = _FACTS[key](found, found.leaks[0])
        if key == "repair_note":  # words for people: there must be something to tell
            was = wanted if was else None
        if not same_json(was, wanted):
            return f"wanted {key} {dump_json(wanted)[:200]}, was {dump_json(was)[:200]}"
    return None


def message_of(value: Json) -> Message:
    """The message that an OpenAI or Anthropic message object is.

    Raises:
        TypeError: it is none.
    """
    if not isinstance(value, dict):
        raise TypeError("input.message is no object")
    content = value.get("content")
    texts, thoughts = [_text(content)], [_text(value.get("reasoning_content"))]
    calls = _calls(value.get("tool_calls"))
    for block in content if isinstance(content, list) else []:
        if isinstance(block, dict):
            texts.append(_text(block.get("text")))
            thoughts.append(_text(block.get("thinking")))
            calls.extend(_calls([block] if block.get("type") == "tool_use" else []))
    return Message("\n".join(filter(None, texts)), "\n".join(filter(None, thoughts)), tuple(calls))


def _text(value: Json) -> str:
    return value if isinstance(value, str) else ""


def _calls(value: Json) -> list[StructuredCall]:
    calls = []
    for item in value if isinstance(value, list) else []:
        call = item.get("function", item) if isinstance(item, dict) else None
        if isinstance(call, dict) and isinstance(call.get("name"), str):
            arguments = call.get("arguments", call.get("input"))
            calls.append(StructuredCall(str(call["name"]), arguments))
    return calls


def _told(found: Detection) -> str:
    leaks = [f"{leak.syntax} {leak.name}" for leak in found.leaks]
    return ", ".join(leaks or [f"{one.syntax}: {one.guard}" for one in found.refusals] or ["none"])


def _call(call: LeakedCall) -> Json:
    return {"name": call.name, "arguments": call.arguments}


def _needs_registry(_found: Detection, leak: Leak) -> Json:
    return any(syntax.needs_registry for syntax in SYNTAXES if syntax.name == leak.syntax)


_FACTS: Final[Mapping[str, Callable[[Detection, Leak], Json]]] = {
    "leak": lambda found, _leak: bool(found.leaks),
    "kind": lambda _found, leak: leak.kind.value,
    "syntax": lambda _found, leak: leak.syntax,
    "channel": lambda _found, leak: leak.channel.value,
    "name": lambda _found, leak: leak.name,
    "arguments": lambda _found, leak: leak.arguments,
    "calls": lambda found, _leak: [_call(call) for leak in found.leaks for call in leak.calls],
    "calls_added": lambda found, _leak: sum(len(leak.calls) for leak in found.leaks),
    "repairable": lambda _found, leak: leak.is_repairable,
    "reason": lambda _found, leak: leak.reason.value if leak.reason else None,
    "repair_note": lambda _found, leak: leak.appended,
    "residual_text": lambda found, _leak: found.text,
    "stray_token": lambda _found, leak: leak.stray_token,
    "stripped": lambda _found, leak: list(leak.strays),
    "strip": lambda _found, leak: leak.strays[0] if leak.kind is Kind.RESIDUE_ONLY else None,
    "whole_message": lambda _found, leak: leak.is_whole,
    "needs_registry": _needs_registry,
}
"""What a case may expect of the first leak, by the key that names it."""
