"""The application: its commands, `--version`, and the entry point."""

from __future__ import annotations

from importlib.metadata import version
from typing import Annotated

import typer

from toolfix_audit.cli.commands import (
    dryrun,
    export,
    family,
    formats,
    gate,
    ingest,
    inject,
    query,
    repair,
    replay,
    schemas,
    show,
)
from toolfix_audit.cli.commands import test as test_cases
from toolfix_audit.cli.console import INTERRUPTED, write_out

EPILOG = """
Start: toolfix-audit dryrun ~/.dsh/sessions --report html

Exit codes: 0 passed, 1 failed, 2 usage, 3 nothing checked, 4 internal, 130 interrupted.
"""

app = typer.Typer(
    name="toolfix-audit",
    help="Prove, on your own agent logs, what a tool-call repair engine would do.",
    epilog=EPILOG,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _show_version(wanted: bool) -> None:
    if wanted:
        write_out(f"toolfix-audit {version('toolfix-audit')}\n")
        raise typer.Exit


@app.callback()
def options(
    _version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    """Prove, on your own agent logs, what a tool-call repair engine would do."""


app.command("ingest")(ingest.ingest)
app.command("dryrun")(dryrun.dryrun)
app.command("gate")(gate.gate)
app.command("inject")(inject.inject)
app.command("export")(export.export)
app.command("show")(show.show)
app.command("query")(query.query)
app.command("repair")(repair.repair)
app.command("replay")(replay.replay)
app.command("family")(family.family)
app.command("formats")(formats.formats)
app.add_typer(schemas.app, name="schemas")
app.command("test")(test_cases.test)


def main() -> None:
    """Run the command line."""
    try:
        app()
    except KeyboardInterrupt:
        raise SystemExit(INTERRUPTED) from None
