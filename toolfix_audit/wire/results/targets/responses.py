"""OpenAI Responses: `output` is a text, or a list of `input_text`, `input_image`, `input_file`."""

from __future__ import annotations

from typing import Final

from toolfix_audit.model.json import Json
from toolfix_audit.wire.results.blocks import Block
from toolfix_audit.wire.results.images import Image
from toolfix_audit.wire.results.stringified import Stringified, stringified
from toolfix_audit.wire.results.targets.target import (
    Head,
    Lowered,
    ResultObject,
    Target,
    elements,
)
from toolfix_audit.wire.results.tokens import OPENAI

_OUTPUTS: Final = ("function_call_output", "custom_tool_call_output")
_NATIVE: Final = ("input_text", "input_image", "input_file")


def _owns(result: ResultObject) -> bool:
    return result.get("type") in _OUTPUTS


def _find(result: ResultObject) -> Stringified | None:
    return stringified(result.get("output"), lambda block: block.get("type") in _NATIVE)


def _lower(result: ResultObject, blocks: tuple[Block, ...]) -> Lowered:
    return Lowered({**result, "output": elements(blocks, _image, _text)})


def _image(image: Image) -> Json:
    return {"type": "input_image", "image_url": image.url}


def _text(text: str) -> Json:
    return {"type": "input_text", "text": text}


def _blank(head: Head) -> ResultObject:
    return {"type": "function_call_output", "call_id": head.call_id, "output": ""}


TARGET: Final = Target("responses", _owns, _find, _lower, _blank, OPENAI)
