"""This project's engine behind the same line protocol, with its default families."""

from __future__ import annotations

from typing import cast

from bench.adapters.ndjson_loop import Named, Repair, Request, serve
from toolfix_audit.engine import compile_schema, repair, repair_call
from toolfix_audit.model.json import Json, JsonError, dump_json, parse_json
from toolfix_audit.model.repair import Unusable


def prepare(request: Request) -> Repair:
    """Compile the judge, as a host does once per schema, and repair the call."""
    schema, given = cast(Json, request["schema"]), _given(cast("dict[str, Json]", request))
    tool = request.get("tool")
    if isinstance(tool, dict):
        tools: dict[str, Json] = dict.fromkeys(tool["available"], schema)
        called = str(tool["called"])
        return lambda: _named(called, given, tools)
    compiled = compile_schema(schema)
    judge = None if isinstance(compiled, Unusable) else compiled
    return lambda: _shown(repair(given, schema, judge=judge).arguments)


def _named(called: str, given: Json, tools: dict[str, Json]) -> Named:
    done = repair_call(called, given, tools)
    return Named(done.tool, _shown(done.arguments))


def _given(request: dict[str, Json]) -> Json:
    if "args_text" in request:
        return request["args_text"]
    args = request["args"]
    return dump_json(args) if isinstance(args, str) else args


def _shown(arguments: Json) -> Json:
    """Recorded text that stays, as the value that it spells."""
    if not isinstance(arguments, str):
        return arguments
    try:
        return parse_json(arguments)
    except JsonError:
        return arguments


if __name__ == "__main__":
    serve(prepare, loads=parse_json, dumps=lambda answer: dump_json(cast(Json, answer)))
