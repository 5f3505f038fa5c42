"""`toolfix-audit replay`: recorded answers through the stream rewriter."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from toolfix_audit.cli.console import Progress, guarded, say, write_out
from toolfix_audit.cli.options import Families, OptIn, Schemas, chosen_families, read_definitions
from toolfix_audit.model.errors import NothingCheckedError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolfix_audit.audit.replay import Opened, Rehearsal


class ReplayFormat(StrEnum):
    """How the figures are written."""

    TEXT = "text"
    JSON = "json"


Captures = Annotated[
    list[str],
    typer.Argument(
        metavar="CAPTURE...", help="Recorded streams: SSE, HAR, VCR, logs with fragments; or -."
    ),
]
Report = Annotated[ReplayFormat, typer.Option("--report", help="text or json, on stdout.")]


@guarded
def replay(
    captures: Captures,
    schemas: Schemas = None,
    families: Families = None,
    opt_in: OptIn = False,
    report: Report = ReplayFormat.TEXT,
) -> None:
    """Rehearse a repairing proxy: run recorded answers through the rewriter, and say what it did.

    Example: toolfix-audit replay captures/ --schemas tools.json

    Nothing is written but the figures. Where nothing is repaired the bytes must come out as they
    went in; where something is, the rewritten answer is read again and must tell exactly that.
    """
    from toolfix_audit.audit.replay import replay as rehearse  # noqa: PLC0415
    from toolfix_audit.audit.replay import schemas_of  # noqa: PLC0415
    from toolfix_audit.audit.replay.tables import as_json, as_text  # noqa: PLC0415

    codes = chosen_families(families, opt_in=opt_in)
    catalogue = schemas_of(read_definitions(schemas))
    done = rehearse(_opened(captures), catalogue, codes)
    write_out(as_json(done) if report is ReplayFormat.JSON else as_text(done))
    if not done.broken:
        _require_something(done)
    raise typer.Exit(1 if done.broken else 0)


def _opened(captures: list[str]) -> Iterator[Opened]:
    """The files, with a progress line."""
    from toolfix_audit.audit.replay import captured_answers  # noqa: PLC0415
    from toolfix_audit.logs.sources import find_logs  # noqa: PLC0415

    progress = Progress()
    for file in find_logs(captures):
        progress(f"replaying {file.shown}")
        opened = captured_answers(file)
        if opened.format is None:
            say(f"{file.shown}: not a log")
        yield opened
    progress.done()


def _require_something(done: Rehearsal) -> None:
    """Refuse to pass what was not checked.

    Raises:
        NothingCheckedError: there was no answer, no tool block, or no schema for any.
    """
    if not done.streams and not done.bodies:
        raise NothingCheckedError(
            "no recorded answer was found", hint="give SSE, HAR or VCR files, or dsh logs"
        )
    if not done.tally.blocks:
        raise NothingCheckedError("no answer holds a tool block", hint="give other captures")
    if not done.judged:
        raise NothingCheckedError(
            "no tool block has a schema", hint="give the tools of the requests with --schemas"
        )
