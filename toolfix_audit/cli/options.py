"""Options that several commands share, and how their texts are read."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from toolfix_audit.model.errors import ConfigError

if TYPE_CHECKING:
    from toolfix_audit.model.records import ToolDefinition

DEFAULT_DB = Path("toolfix-audit.duckdb")

Db = Annotated[
    Path | None,
    typer.Option(
        "--db", envvar="TOOLFIX_AUDIT_DB", help="The store (default: ./toolfix-audit.duckdb)."
    ),
]
Schemas = Annotated[
    list[Path] | None,
    typer.Option("--schemas", help="Tool schemas, a file or a folder, for logs without."),
]
AltSchemas = Annotated[
    list[Path] | None,
    typer.Option("--alt-schemas", help="Other versions of the schemas, for the mis-fix probes."),
]
Families = Annotated[
    str | None, typer.Option("--families", help="Only these families, such as A,B,C.")
]
OptIn = Annotated[
    bool, typer.Option("--opt-in", help="Also run the families that are not on by default.")
]
Engine = Annotated[
    str | None,
    typer.Option(
        "--engine",
        metavar="NAME",
        help="The engine under audit: json_repair, pydantic, ajv, or command:… (default: ours).",
    ),
]
JudgeName = Annotated[
    str | None,
    typer.Option(
        "--judge",
        metavar="NAME",
        help="Who decides: jsonschema, jsonschema-rs, shallow, dsh, ajv, or command:….",
    ),
]
Timeout = Annotated[
    float,
    typer.Option("--timeout", min=0.1, help="Seconds for one answer of a foreign engine or judge."),
]
Labels = Annotated[
    list[str] | None, typer.Option("--label", help="KEY=VALUE, shown with every figure.")
]
Policies = Annotated[
    list[str] | None,
    typer.Option(
        "--policy",
        metavar="NAME=VALUE",
        help="A limit of the gate: still_failing=0, unjudged=warn:5 (also in toolfix-audit.toml).",
    ),
]
Against = Annotated[
    Path | None,
    typer.Option("--against", help="An earlier JSON report: fail on what was fixed and is not."),
]
FormatName = Annotated[str | None, typer.Option("--format", help="Read every file as this format.")]
Jobs = Annotated[
    int | None,
    typer.Option(
        "--jobs", min=1, help="Processes that do the work (default: one for each processor)."
    ),
]


def chosen_families(families: str | None, *, opt_in: bool) -> tuple[str, ...]:
    """The family codes to run.

    Raises:
        ConfigError: a code is unknown.
    """
    from toolfix_audit.engine import ALL, SAFE  # noqa: PLC0415

    if families is None:
        return tuple(sorted(ALL if opt_in else SAFE))
    codes = tuple(
        dict.fromkeys(code.strip().upper() for code in families.split(",") if code.strip())
    )
    unknown = [code for code in codes if code not in ALL]
    if unknown or not codes:
        raise ConfigError(
            f"--families: unknown family {', '.join(unknown) or families!r}",
            hint=f"known families: {', '.join(sorted(ALL))}",
        )
    return tuple(sorted(codes))


def given_db(ctx: typer.Context, db: Path | None) -> Path | None:
    """The store, if it was named on the command line rather than in the environment."""
    source = ctx.get_parameter_source("db")
    return db if source is not None and source.name == "COMMANDLINE" else None


def read_labels(labels: Sequence[str] | None) -> dict[str, str]:
    """The labels as a mapping.

    Raises:
        ConfigError: one is not KEY=VALUE.
    """
    found: dict[str, str] = {}
    for label in labels or ():
        key, equals, value = label.partition("=")
        if not equals or not key:
            raise ConfigError(
                f"--label {label!r} is not KEY=VALUE", hint="for example: --label env=ci"
            )
        found[key] = value
    return found


def read_definitions(paths: Sequence[Path] | None) -> tuple[ToolDefinition, ...]:
    """The tool definitions of all given files and folders.

    Raises:
        SchemaFileError: one can't be read, or holds no tool schema.
    """
    from toolfix_audit.logs.tool_definitions import load_definitions  # noqa: PLC0415

    return tuple(definition for path in paths or () for definition in load_definitions(path))
