"""`toolfix-audit schemas`: tool schemas into the store, what is there, and what can be inferred."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from enum import StrEnum
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from toolfix_audit.cli.console import guarded, say, write_out
from toolfix_audit.cli.options import DEFAULT_DB, Db
from toolfix_audit.model.errors import ConfigError, NothingCheckedError, ToolfixError

if TYPE_CHECKING:
    from toolfix_audit.audit.schema_list import ListedTool
    from toolfix_audit.model.records import ToolDefinition

app = typer.Typer(
    name="schemas",
    help="""Import, list or infer the tool schemas that calls are judged by.

    Example: toolfix-audit schemas import tools.json --db audit.duckdb
    """,
    no_args_is_help=True,
    rich_markup_mode=None,
)


class ListFormat(StrEnum):
    """How a list is written."""

    TEXT = "text"
    JSON = "json"


Files = Annotated[
    list[Path] | None,
    typer.Argument(metavar="[FILE]...", help="Tool definitions in any common shape, or folders."),
]
McpFiles = Annotated[
    list[Path] | None,
    typer.Option("--mcp", help="An .mcp.json: its stdio servers are STARTED and asked for tools."),
]
McpSeconds = Annotated[
    float, typer.Option("--timeout", min=0.1, help="Seconds for one MCP server, start to end.")
]
Format = Annotated[ListFormat, typer.Option("--format", help="text or json.")]
MinCalls = Annotated[
    int, typer.Option("--min-calls", min=1, help="From no fewer accepted calls of a tool.")
]
Out = Annotated[
    Path | None, typer.Option("--out", help="Write the schemas to this file, not to the store.")
]


@app.command("import")
@guarded
def import_schemas(
    files: Files = None,
    mcp: McpFiles = None,
    timeout: McpSeconds = 30.0,
    db: Db = None,
) -> None:
    """Keep tool schemas in the store; calls without a schema of their own are judged by them.

    Example: toolfix-audit schemas import tools.json --mcp .mcp.json
    """
    from toolfix_audit.logs.tool_definitions import load_definitions  # noqa: PLC0415
    from toolfix_audit.store.store import Store  # noqa: PLC0415

    if not files and not mcp:
        raise ConfigError("nothing to import", hint="give a file, or --mcp .mcp.json")
    found = {str(path): load_definitions(path) for path in files or ()}
    failures: list[ToolfixError] = []
    for path in mcp or ():
        found.update(_ask_servers(path, timeout, failures))
    tools = sum(map(len, found.values()))
    if tools:
        with Store.open(db or DEFAULT_DB, create=True) as store:
            for name, definitions in found.items():
                store.add_supplied(definitions, name, "catalogue")
    for name, definitions in found.items():
        say(f"{name}: {_count(len(definitions), 'tool')}")
    if failures:
        raise failures[0] if len(failures) == 1 else _several(failures)
    if not tools:
        raise NothingCheckedError("no tool schema was found", hint="see docs/schemas.md")


def _ask_servers(
    path: Path, seconds: float, failures: list[ToolfixError]
) -> dict[str, tuple[ToolDefinition, ...]]:
    """The tools of every stdio server of a file; one that fails does not stop the others."""
    from toolfix_audit.audit.mcp_servers import (  # noqa: PLC0415
        McpServerError,
        list_tools,
        read_servers,
    )

    found: dict[str, tuple[ToolDefinition, ...]] = {}
    for server in read_servers(path, dict(os.environ)):
        if server.address is not None:
            say(f"MCP server {server.name!r}: not asked, it is reached over a network")
            continue
        try:
            tools = list_tools(server, version=version("toolfix-audit"), seconds=seconds)
        except McpServerError as error:
            failures.append(error)
            continue
        found[f"mcp:{server.name}"] = tools
    return found


def _several(failures: Sequence[ToolfixError]) -> ToolfixError:
    for failure in failures:
        say(failure.message)
    return ToolfixError(
        f"{len(failures)} MCP servers gave no tools", hint=failures[0].hint or "see above"
    )


@app.command("list")
@guarded
def list_known(db: Db = None, list_format: Format = ListFormat.TEXT) -> None:
    """Show each tool, where its schema comes from, how many versions there are, and its calls.

    Example: toolfix-audit schemas list
    """
    from toolfix_audit.audit.schema_list import list_schemas  # noqa: PLC0415
    from toolfix_audit.store.store import Store  # noqa: PLC0415

    with Store.open(db or DEFAULT_DB, create=False, read_only=True) as store:
        rows = list_schemas(store)
    if list_format is ListFormat.JSON:
        write_out(json.dumps([asdict(row) for row in rows], indent=1, ensure_ascii=False) + "\n")
        return
    write_out(_table(rows))


def _table(rows: Sequence[ListedTool]) -> str:
    head = ("tool", "origin", "versions", "calls", "from")
    cells = [
        (row.tool, row.origin or "none", str(row.versions), str(row.calls), row.source)
        for row in rows
    ]
    return text_table(head, cells, right=frozenset({2, 3}))


def text_table(
    head: Sequence[str], cells: Sequence[Sequence[str]], *, right: frozenset[int] = frozenset()
) -> str:
    """Lines of columns, as wide as what is in them; the columns of `right` end together."""
    rows = [tuple(map(_printable, row)) for row in (head, *cells)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [
        "  ".join(
            cell.rjust(width) if place in right else cell.ljust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
    return "".join(f"{line}\n" for line in lines)


def _printable(text: str) -> str:
    return "".join(char if char.isprintable() else f"\\x{ord(char):02x}" for char in text)


@app.command("infer")
@guarded
def infer(db: Db = None, min_calls: MinCalls = 5, out: Out = None) -> None:
    """Infer schemas from calls that their host accepted, for tools that have no other.

    What is judged by them is marked `inferred` and does not count for the gate by itself.

    Example: toolfix-audit schemas infer --min-calls 20
    """
    from toolfix_audit.audit.inferred import infer_schemas  # noqa: PLC0415
    from toolfix_audit.store.store import Store  # noqa: PLC0415

    with Store.open(db or DEFAULT_DB, create=False) as store:
        found = infer_schemas(store, min_calls=min_calls)
        if out is None:
            definitions = [one.definition for one in found]
            store.add_supplied(definitions, "inferred", "inferred")
    if out is not None:
        texts = {one.definition.name: json.loads(one.definition.schema or "{}") for one in found}
        _write(out, texts)
    for one in found:
        say(f"{one.definition.name}: from {_count(one.calls, 'accepted call')}")
    if not found:
        raise NothingCheckedError(
            f"no tool without a schema has {_count(min_calls, 'accepted call')} or more",
            hint="ingest more logs, or lower --min-calls",
        )


def _write(path: Path, schemas: Mapping[str, object]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps(schemas, indent=1, sort_keys=True)
    path.write_text(text + "\n", encoding="utf-8", newline="\n")


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"
