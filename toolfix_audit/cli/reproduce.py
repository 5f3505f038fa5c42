"""The command line that makes a report again."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from pathlib import Path

import typer

_LEFT_OUT = frozenset({"db", "report", "out", "exit_zero", "redact", "jobs"})
"""What changes only where a report goes or how fast it is made, and the store, which is told as
it was opened."""


def reproduce_line(ctx: typer.Context, store: Path | None) -> str:
    """Everything that was given on the command line and steers what a dry run says; `store` is
    the store that was named or taken."""
    words = ["toolfix-audit", ctx.info_name or "", *_given(ctx)]
    if store is not None:
        words += ["--db", str(store)]
    return f"reproduce: {shlex.join([*words, '--report', 'html'])}"


def _given(ctx: typer.Context) -> Iterator[str]:
    """The words of the arguments, then those of the options, in the order of the help."""
    order = sorted(ctx.command.params, key=lambda one: one.param_type_name == "option")
    for parameter in order:
        source = ctx.get_parameter_source(parameter.name or "")
        if source is None or source.name != "COMMANDLINE" or parameter.name in _LEFT_OUT:
            continue
        value = ctx.params.get(parameter.name or "")
        lead = [parameter.opts[0]] if parameter.param_type_name == "option" else []
        if isinstance(value, bool):
            yield from lead
            continue
        for one in value if isinstance(value, list | tuple) else (value,):
            yield from (*lead, str(one))
