"""`toolfix-audit repair`: one call, or a stream of them, through the engine."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from toolfix_audit.cli.console import guarded, say, write_out
from toolfix_audit.cli.options import Families, OptIn, chosen_families
from toolfix_audit.model.errors import ConfigError, SchemaFileError

if TYPE_CHECKING:
    from toolfix_audit.model.json import Json

SchemaFile = Annotated[
    Path | None, typer.Option("--schema", help="The JSON Schema of the tool's parameters.")
]
Arguments = Annotated[
    str | None, typer.Argument(metavar="[ARGS|-]", help="The arguments as recorded (- is stdin).")
]
Ndjson = Annotated[
    bool, typer.Option("--ndjson", help="Read one request a line, write one answer a line.")
]


@guarded
def repair(
    arguments: Arguments = None,
    schema: SchemaFile = None,
    ndjson: Ndjson = False,
    families: Families = None,
    opt_in: OptIn = False,
) -> None:
    """Repair the arguments of one call and print what was done as JSON (exit 0 whatever it was).

    Example: toolfix-audit repair --schema read.json '{"arguments":{"path":"a.md"}}'

    With --ndjson: lines {"id","schema"|"tools","tool"?,"args"|"args_text"} in, answers out;
    "tools" is a map from name to schema, or a list of tools in any common shape.
    """
    codes = chosen_families(families, opt_in=opt_in)
    if ndjson:
        if schema or arguments:
            raise ConfigError("--ndjson takes no schema and no arguments: each line holds its own")
        _serve(codes)
        return
    if schema is None:
        raise ConfigError("no schema", hint="toolfix-audit repair --schema FILE [ARGS|-]")
    _once(arguments, _read_schema(schema), codes)


def _once(arguments: str | None, schema: Json, codes: tuple[str, ...]) -> None:
    from toolfix_audit.engine import repair as repair_one  # noqa: PLC0415
    from toolfix_audit.engine.answers import answer  # noqa: PLC0415
    from toolfix_audit.model.json import dump_json  # noqa: PLC0415

    if arguments is None or arguments == "-":
        arguments = sys.stdin.buffer.read().decode("utf-8", "surrogateescape")
        arguments = arguments.removesuffix("\n").removesuffix("\r")
    done = repair_one(arguments, schema, families=codes)
    write_out(dump_json(answer(done)) + "\n")


def _read_schema(path: Path) -> Json:
    from toolfix_audit.model.json import JsonError, parse_json  # noqa: PLC0415

    try:
        schema = parse_json(path.read_text(encoding="utf-8-sig"))
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or error
        raise SchemaFileError(f"{path}: {why}", hint="give a readable JSON file") from error
    except JsonError as error:
        raise SchemaFileError(f"{path}: {error}", hint="give a JSON Schema as JSON") from error
    _require_schema(path, schema)
    return schema


def _require_schema(path: Path, schema: Json) -> None:
    """Refuse what is no JSON Schema, above all a catalogue of tools, which would read as the
    schema that says nothing."""
    from toolfix_audit.cli.tool_maps import catalogue_in  # noqa: PLC0415

    tools = catalogue_in(path, schema)
    if tools:
        names = ", ".join(tools[:3]) + (", …" if len(tools) > 3 else "")
        noun = "tool" if len(tools) == 1 else "tools"
        raise SchemaFileError(
            f"{path}: {len(tools)} {noun} ({names}), not the JSON Schema of one",
            hint='give the parameters schema of one tool, or: repair --ndjson with {"tools":…}',
        )
    if not isinstance(schema, dict | bool):
        raise SchemaFileError(f"{path}: not a JSON Schema", hint="a schema is an object")


def _serve(codes: tuple[str, ...]) -> None:
    """Answer every line until the input ends; a line that is no request is answered as such."""
    from toolfix_audit.engine.answers import RequestError, answer_line  # noqa: PLC0415

    bad = 0
    for number, line in enumerate(sys.stdin.buffer, start=1):
        text = line.decode("utf-8", "replace").strip()
        if not text:
            continue
        try:
            write_out(answer_line(_with_tool_map(text), codes) + "\n")
        except RequestError as error:
            bad += 1
            say(f"error: line {number}: {error}")
            write_out(error.answer + "\n")
    if bad:
        raise ConfigError(
            f"{bad} lines were no requests", hint='{"id","schema","args"}, one a line'
        )


def _with_tool_map(line: str) -> str:
    """A request line with its tools, if it brings a list of them, as a map.

    Raises:
        RequestError: one name has two different schemas.
    """
    from toolfix_audit.cli.tool_maps import tool_map  # noqa: PLC0415
    from toolfix_audit.engine.answers import RequestError  # noqa: PLC0415
    from toolfix_audit.model.json import JsonError, dump_json, parse_json  # noqa: PLC0415

    if '"tools"' not in line:
        return line
    try:
        request = parse_json(line)
    except JsonError:
        return line
    if not isinstance(request, dict) or "tools" not in request:
        return line
    try:
        return dump_json({**request, "tools": tool_map(request["tools"])})
    except ValueError as error:
        raise RequestError(str(error), request.get("id")) from None
