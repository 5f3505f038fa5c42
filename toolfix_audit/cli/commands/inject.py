"""`toolfix-audit inject`: planted defects, and what the engine makes of them."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from toolfix_audit.cli.commands.ingest import summarize
from toolfix_audit.cli.console import Progress, guarded, say, write_out
from toolfix_audit.cli.options import (
    DEFAULT_DB,
    Db,
    Families,
    FormatName,
    Schemas,
    chosen_families,
    given_db,
    read_definitions,
)
from toolfix_audit.model.errors import NothingCheckedError

if TYPE_CHECKING:
    from toolfix_audit.audit.inject import Injection, Plan, Subject
    from toolfix_audit.model.records import ToolDefinition


class TableFormat(StrEnum):
    """How the figures are written."""

    TEXT = "text"
    JSON = "json"


Paths = Annotated[
    list[str] | None,
    typer.Argument(metavar="[PATH]...", help="Logs: files, folders, or - (default: the store)."),
]
Seed = Annotated[int, typer.Option("--seed", help="Which calls and places are damaged.")]
PerTool = Annotated[
    int, typer.Option("--per-tool", min=1, help="So many calls of each tool are damaged.")
]
ReportFormat = Annotated[TableFormat, typer.Option("--report", help="text or json, on stdout.")]


@guarded
def inject(
    ctx: typer.Context,
    paths: Paths = None,
    db: Db = None,
    schemas: Schemas = None,
    seed: Seed = 1,
    per_tool: PerTool = 10,
    families: Families = None,
    report: ReportFormat = TableFormat.TEXT,
    format_name: FormatName = None,
) -> None:
    """Damage valid calls on purpose, and say what the repair engine would make of each.

    Example: toolfix-audit inject ~/.dsh/sessions --per-tool 20

    With --schemas alone, valid arguments are made from the schemas: no logs are needed.
    """
    from toolfix_audit.audit.inject import Plan, made_calls  # noqa: PLC0415
    from toolfix_audit.audit.inject import inject as plant  # noqa: PLC0415
    from toolfix_audit.audit.inject.tables import as_json, as_text  # noqa: PLC0415

    plan = Plan(seed=seed) if families is None else Plan(families=_letters(families), seed=seed)
    definitions = read_definitions(schemas)
    given = given_db(ctx, db)
    if definitions and not paths and given is None:
        done, subjects = made_calls(definitions, plan, per_tool=per_tool)
    else:
        path = given or (None if paths else db or DEFAULT_DB)
        done, subjects = _recorded(paths, path, format_name, (definitions, plan, per_tool))
    if not subjects:
        raise NothingCheckedError(
            "no valid call that its host accepted", hint="give logs with tool schemas, or --schemas"
        )
    for subject in _counted(subjects):
        plant((subject,), plan, done=done)
    write_out(as_json(done, plan) if report is TableFormat.JSON else as_text(done, plan))
    raise typer.Exit(0 if done.is_clean else 1)


def _counted(subjects: list[Subject]) -> Iterator[Subject]:
    """The calls, with a progress line."""
    progress = Progress()
    for number, subject in enumerate(subjects, start=1):
        yield subject
        progress(f"damaged {number:,} of {len(subjects):,} calls")
    progress.done()


def _letters(families: str) -> frozenset[str]:
    return frozenset(code[:1] for code in chosen_families(families, opt_in=False))


def _recorded(
    paths: list[str] | None,
    path: Path | None,
    format_name: str | None,
    wanted: tuple[tuple[ToolDefinition, ...], Plan, int],
) -> tuple[Injection, list[Subject]]:
    """The valid calls of logs or of a store."""
    from toolfix_audit.audit.ingest import ingest  # noqa: PLC0415
    from toolfix_audit.audit.inject import valid_calls  # noqa: PLC0415
    from toolfix_audit.store.store import Store  # noqa: PLC0415

    definitions, plan, per_tool = wanted
    progress = Progress()
    with Store.temporary() if path is None else Store.open(path, create=bool(paths)) as store:
        if paths:
            loaded = ingest(store, paths, format_name=format_name, progress=progress)
            progress.done()
            summarize(loaded)
        total = store.corpus_counts().calls
        found = valid_calls(
            store,
            definitions,
            plan,
            per_tool=per_tool,
            progress=lambda seen: progress(f"looked at {seen:,} of {total:,} calls"),
        )
        progress.done()
    if not found[1]:
        say(f"{total:,} calls in the store, none of them valid and accepted")
    return found
