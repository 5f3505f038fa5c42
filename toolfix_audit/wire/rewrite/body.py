"""Answers that came whole: the argument texts are replaced, every other byte stays."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from toolfix_audit.model.json import Json, JsonError, dump_json, escape_surrogates, parse_json
from toolfix_audit.wire.anthropic import is_anthropic
from toolfix_audit.wire.chat import is_built_in
from toolfix_audit.wire.fields import object_of, text_of
from toolfix_audit.wire.parts import CUT_REASONS
from toolfix_audit.wire.responses import is_responses
from toolfix_audit.wire.rewrite import anthropic, responses
from toolfix_audit.wire.rewrite.block import Repair
from toolfix_audit.wire.rewrite.spans import Path, Span, Spans, literal_of, replaced
from toolfix_audit.wire.rewrite.tally import Refusal, Tally

_BOM: Final = "\ufeff"


@dataclass(frozen=True, slots=True)
class _Call:
    """A call in a body: its tool, where its arguments stand, and whether the answer was cut."""

    tool: str
    path: Path
    arguments: Json
    is_cut: bool


def rewrite_body(data: bytes, tools: Mapping[str, Json], repair: Repair) -> tuple[bytes, Tally]:
    """The body with repaired arguments, and what was done. Bytes that are no answer of a known
    protocol come back as they are."""
    tally = Tally()
    try:
        text = data.decode()
        mark = _BOM if text.startswith(_BOM) else ""
        text = text[len(mark) :]
        body = parse_json(text)
    except (UnicodeDecodeError, JsonError):
        tally.stopped = Refusal.UNREADABLE
        return data, tally
    spans, edits = Spans(text), list[tuple[Span, str]]()
    for call in _calls(body) if isinstance(body, dict) else ():
        tally.blocks += 1
        edit = _edit(spans, call, tools, repair)
        tally.note(call.tool, edit if isinstance(edit, Refusal) else edit is not None)
        if isinstance(edit, tuple):
            edits.append(edit)
    return (mark + replaced(text, edits)).encode() if edits else data, tally


def _edit(
    spans: Spans, call: _Call, tools: Mapping[str, Json], repair: Repair
) -> tuple[Span, str] | Refusal | None:
    if call.is_cut:
        return Refusal.CUT
    given = call.arguments
    before = escape_surrogates(given) if isinstance(given, str) else dump_json(given)
    new = repair(call.tool, before, tools)
    if new is None or new == before:
        return None
    span = spans.of(call.path)
    return Refusal.REPEATED_KEY if span is None else (span, literal_of(new, given))


def _calls(body: dict[str, Json]) -> Iterator[_Call]:
    if is_anthropic(body):
        is_cut = text_of(body, "stop_reason") in CUT_REASONS
        for path, block in _objects(body, "content"):
            if block.get("type") == anthropic.CALL_TYPE:
                yield from _call(block, path, "input", is_cut)
    elif is_responses(body):
        is_cut = body.get("status") not in ("completed", None)
        for path, item in _objects(body, "output"):
            if item.get("type") == responses.CALL_TYPE:
                yield from _call(item, path, "arguments", is_cut)
    else:
        for path, choice in _objects(body, "choices"):
            yield from _choice_calls(choice, path)


def _choice_calls(choice: dict[str, Json], path: Path) -> Iterator[_Call]:
    is_cut = (text_of(choice, "finish_reason") or "").lower() in CUT_REASONS
    message = object_of(choice, "message")
    path = (*path, "message")
    for inner, entry in _objects(message, "tool_calls"):
        if not is_built_in(entry):
            place = (*path, *inner, "function")
            yield from _call(object_of(entry, "function"), place, "arguments", is_cut)
    place = (*path, "function_call")
    yield from _call(object_of(message, "function_call"), place, "arguments", is_cut)


def _call(holder: dict[str, Json], path: Path, key: str, is_cut: bool) -> Iterator[_Call]:
    if isinstance(holder.get(key), str | dict):
        yield _Call(text_of(holder, "name") or "", (*path, key), holder[key], is_cut)


def _objects(body: dict[str, Json], key: str) -> Iterator[tuple[Path, dict[str, Json]]]:
    values = body.get(key)
    for number, value in enumerate(values if isinstance(values, list) else ()):
        if isinstance(value, dict):
            yield (key, number), value
