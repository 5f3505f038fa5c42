"""Gemini: `response` is data; images are `inlineData` of the function response's own `parts`."""

from __future__ import annotations

from typing import Final

from toolfix_audit.model.json import Json
from toolfix_audit.wire.results.blocks import Block, Text, plain
from toolfix_audit.wire.results.images import Image
from toolfix_audit.wire.results.stringified import Stringified, in_object, stringified
from toolfix_audit.wire.results.targets.target import Head, Lowered, ResultObject, Target
from toolfix_audit.wire.results.tokens import GEMINI

_KEYS: Final = ("functionResponse", "function_response")
_TEXT_KEYS: Final = ("output", "error", "result", "content")


def _owns(result: ResultObject) -> bool:
    return any(isinstance(result.get(key), dict) for key in _KEYS)


def _inner(result: ResultObject) -> tuple[str, dict[str, Json]]:
    for key in _KEYS:
        inner = result.get(key)
        if isinstance(inner, dict):
            return key, inner
    return _KEYS[0], {}


def _find(result: ResultObject) -> Stringified | None:
    response = _inner(result)[1].get("response")
    if not isinstance(response, dict):
        return stringified(response, lambda _: False)
    key = _text_key(response)
    return in_object(response) if key is None else stringified(response[key], lambda _: False)


def _text_key(response: dict[str, Json]) -> str | None:
    """The only key of a response, if that is one which holds the whole answer."""
    key = next(iter(response)) if len(response) == 1 else None
    return key if key in _TEXT_KEYS else None


def _lower(result: ResultObject, blocks: tuple[Block, ...]) -> Lowered:
    outer, inner = _inner(result)
    response = inner.get("response")
    key = _text_key(response) if isinstance(response, dict) else None
    held = [part for block in blocks for part in plain(block)]
    text = "\n".join(part.text for part in held if isinstance(part, Text))
    old = inner.get("parts")
    images: list[Json] = [
        {"inlineData": {"mimeType": part.media_type, "data": part.data}}
        for part in held
        if isinstance(part, Image)
    ]
    parts: Json = [*(old if isinstance(old, list) else []), *images]
    answer: Json = {key or "output": text}
    return Lowered({**result, outer: {**inner, "response": answer, "parts": parts}})


def _blank(head: Head) -> ResultObject:
    key = "error" if head.is_error else "output"
    response: Json = {key: ""}
    return {"functionResponse": {"id": head.call_id, "name": head.tool, "response": response}}


TARGET: Final = Target("gemini", _owns, _find, _lower, _blank, GEMINI)
