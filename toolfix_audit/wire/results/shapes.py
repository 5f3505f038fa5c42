"""Family J, one result: the union of text, list and block that its content may be.

A text and a list that say the same are the same and stay as they are. What a strict provider
refuses is named, with the form that it takes; nothing is added and nothing left out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from toolfix_audit.model.json import Json, dump_json, same_json
from toolfix_audit.wire.results.blocks import is_typed, text_in
from toolfix_audit.wire.results.targets import target_of


class ShapeDefect(StrEnum):
    """What is odd about the content of a result."""

    OBJECT_CONTENT = "object_content"
    UNTYPED_OBJECTS = "untyped_objects"
    LOOSE_LIST = "loose_list"
    SINGLE_BLOCK = "single_block"
    EMPTY_LIST = "empty_list"
    NULL_CONTENT = "null_content"
    SCALAR_CONTENT = "scalar_content"
    CONTENT_EMPTY = "content_empty_structured_present"


@dataclass(frozen=True, slots=True)
class Shape:
    """A content and what is odd about it; `content` is then the form that a strict provider
    takes, and else the very object that was given."""

    defect: ShapeDefect | None
    content: Json


@dataclass(frozen=True, slots=True)
class Form:
    """Where a protocol's result keeps its content, and what counts as a block there. Where
    `may_be_empty`, no content and an empty list are legal."""

    key: str
    is_block: Callable[[Json], bool]
    may_be_empty: bool = False


def is_block(value: Json) -> bool:
    """Whether a value is a block that names its type."""
    return isinstance(value, dict) and isinstance(value.get("type"), str)


FORMS: Final[Mapping[str, Form]] = MappingProxyType(
    {
        "chat": Form("content", is_block),
        "responses": Form("output", is_block),
        "anthropic": Form("content", is_block, may_be_empty=True),
    }
)
"""The forms whose content is a union, by the name of their target."""


def shape_of(content: Json, form: Form) -> Shape:
    """Read a content liberally. Never raises."""
    if isinstance(content, list):
        return _list_shape(content, form)
    if isinstance(content, str) or (content is None and form.may_be_empty):
        return Shape(None, content)
    if content is None:
        return Shape(ShapeDefect.NULL_CONTENT, "")
    if form.is_block(content):
        return Shape(ShapeDefect.SINGLE_BLOCK, [content])
    defect = ShapeDefect.OBJECT_CONTENT if isinstance(content, dict) else ShapeDefect.SCALAR_CONTENT
    return Shape(defect, dump_json(content))


def _list_shape(content: list[Json], form: Form) -> Shape:
    """Texts and nulls among blocks are loose blocks; members of any other kind make it data."""
    if not content:
        return Shape(None, content) if form.may_be_empty else Shape(ShapeDefect.EMPTY_LIST, "")
    if all(map(form.is_block, content)):
        return Shape(None, content)
    if all(one is None or isinstance(one, str) or form.is_block(one) for one in content):
        loose: list[Json] = [
            {"type": "text", "text": one} if isinstance(one, str) else one
            for one in content
            if one is not None
        ]
        return Shape(ShapeDefect.LOOSE_LIST, loose or "")
    return Shape(ShapeDefect.UNTYPED_OBJECTS, dump_json(content))


@dataclass(frozen=True, slots=True)
class ResultShape:
    """A result whose content has an odd shape: its defect, and what should be sent instead, as a
    result where the protocol has one form for it, and as text."""

    defect: ShapeDefect
    normalized: dict[str, Json] | None
    text: str | None


def result_shape(result: Json) -> ResultShape | None:
    """What is odd about the shape of a result, in whatever protocol it is; None if nothing is."""
    if not isinstance(result, dict):
        return None
    structured = structured_text(result)
    if structured is not None:
        return ResultShape(ShapeDefect.CONTENT_EMPTY, None, structured)
    target = target_of(result)
    form = FORMS.get(target.name) if target is not None else None
    if form is None:
        return None
    shape = shape_of(result.get(form.key), form)
    if shape.defect is None:
        return None
    text = shape.content if isinstance(shape.content, str) else None
    return ResultShape(shape.defect, {**result, form.key: shape.content}, text)


def structured_text(result: Mapping[str, Json]) -> str | None:
    """The text of an MCP result whose payload is in its structured content alone; the content
    wins wherever it shows anything."""
    structured = result.get("structuredContent")
    if structured is None or _renders(result.get("content")):
        return None
    return dump_json(structured)


def _renders(content: Json) -> bool:
    if isinstance(content, list):
        return any(map(_renders, content))
    if isinstance(content, dict):
        return text_in(content) is None or _renders(content.get("text"))
    return isinstance(content, str) and bool(content.strip())


def same_content(left: Json, right: Json) -> bool:
    """Whether two contents say the same, a text like a list of one text block."""
    return same_json(_blocks(left), _blocks(right))


def _blocks(content: Json) -> Json:
    """A content as a list of blocks whose texts are all spelt alike."""
    if content is None or content == "":
        return []
    members = content if isinstance(content, list) else [content]
    if not all(one is None or isinstance(one, str) or is_typed(one) for one in members):
        return [_text_block(dump_json(content, sort_keys=True))]
    return [_spelt(one) for one in members if one is not None]


def _spelt(member: Json) -> Json:
    if isinstance(member, dict) and isinstance(text := member.get("text"), str):
        if text_in(member) is not None and member.keys() <= {"type", "text"}:
            return _text_block(text)
        return member
    return _text_block(member) if isinstance(member, str) else member


def _text_block(text: str) -> Json:
    return {"type": "text", "text": text}
