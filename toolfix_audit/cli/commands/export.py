"""`toolfix-audit export`: a private corpus as a small file that a public CI can gate on."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from toolfix_audit.cli.console import fail, guarded, say, write_out
from toolfix_audit.cli.options import DEFAULT_DB, Db
from toolfix_audit.model.errors import ConfigError

Out = Annotated[Path, typer.Argument(metavar="OUT", help="The file to write (- is stdout).")]
Minimal = Annotated[
    bool, typer.Option("--minimal", help="One call of each kind, its values replaced.")
]
SkipDiffering = Annotated[
    bool,
    typer.Option("--skip-differing", help="Leave out calls that can't be exported unchanged."),
]


@guarded
def export(
    out: Out, db: Db = None, minimal: Minimal = False, skip_differing: SkipDiffering = False
) -> None:
    """Write one call of each kind as native JSONL, every value replaced by one of its class.

    The file is audited before it is written: if the audit says something else of a single call,
    nothing is written and the exit code is 1.

    Example: toolfix-audit export --minimal tests/calls.jsonl --db audit.duckdb
    """
    from toolfix_audit.audit.export import export_minimal  # noqa: PLC0415
    from toolfix_audit.store.store import Store  # noqa: PLC0415

    if not minimal:
        raise ConfigError("export knows one form so far", hint="add --minimal")
    path = db or DEFAULT_DB
    if out.resolve() == path.resolve():
        raise ConfigError(f"{out} is the store itself", hint="give another file")
    with Store.open(path, create=False, read_only=True) as store:
        made = export_minimal(store)
    for one in made.differing[:20]:
        say(f"call {one.call} ({one.tool}): {one.before}, exported: {one.after}")
    if made.differing and not skip_differing:
        fail(
            1,
            f"{len(made.differing)} calls would be judged differently; nothing was written",
            "leave them out with --skip-differing",
        )
    if str(out) == "-":
        write_out(made.text)
    else:
        out.parent.mkdir(parents=True, exist_ok=True)
        out.write_text(made.text, encoding="utf-8", newline="\n")
    left = f", {len(made.differing)} left out" if made.differing else ""
    say(f"exported {made.calls:,} calls that stand for {made.total:,}{left}")
    say("calls alone: leaked calls, images, failed streams and odd results are not in it")
