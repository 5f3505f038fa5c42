"""BAML's parser for model answers (`parse_llm_response`), on types made from the schema.

BAML gives an absent optional field as null. Such a null is left out again, unless null is what
was sent there.
"""

from __future__ import annotations

import json
from types import ModuleType
from typing import Any

import baml_py  # type: ignore[import-not-found, unused-ignore]  # in the peers' environment
from baml_py.errors import BamlError  # type: ignore[import-not-found, unused-ignore]  # the same

from bench.adapters.baml_schema import BamlSource
from bench.adapters.ndjson_loop import Refused, Repair, Request, serve, text_of


class _Types(ModuleType):
    """Stands for the generated module of classes: every class gives its fields as a dict."""

    def __init__(self, names: dict[str, dict[str, str]]) -> None:
        super().__init__("types")
        for name, fields in names.items():
            setattr(self, name, _class_of(name, fields))


def _class_of(name: str, fields: dict[str, str]) -> type:
    def read(values: dict[str, Any]) -> dict[str, Any]:
        return {fields.get(field, field): value for field, value in values.items()}

    return type(name, (), {"model_validate": staticmethod(read)})


def prepare(request: Request) -> Repair:
    """Compile the types and parse the text as a model's answer."""
    source, text = BamlSource(request["schema"]), text_of(request)
    runtime = baml_py.BamlRuntime.from_files("/", {"call.baml": source.text}, {})
    context, types = runtime.create_context_manager(), _Types(source.names)
    sent = _sent(text)

    def repair() -> object:
        try:
            value = runtime.parse_llm_response(
                "Call", text, types, types, types, False, context, None, None, {}
            )
        except BamlError as error:
            raise Refused(str(error)) from error
        return _without_absent(value, sent)

    return repair


def _sent(text: str) -> object:
    try:
        return json.loads(text)
    except ValueError:
        return None


def _without_absent(value: object, sent: object) -> object:
    if isinstance(value, list):
        given = sent if isinstance(sent, list) and len(sent) == len(value) else [None] * len(value)
        return [_without_absent(one, other) for one, other in zip(value, given, strict=True)]
    if not isinstance(value, dict):
        return value
    given_keys = sent if isinstance(sent, dict) else {}
    return {
        key: _without_absent(one, given_keys.get(key))
        for key, one in value.items()
        if one is not None or key in given_keys
    }


if __name__ == "__main__":
    serve(prepare)
