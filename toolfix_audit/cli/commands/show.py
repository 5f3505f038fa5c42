"""`toolfix-audit show`: one call, explained to a person."""

from __future__ import annotations

import shlex
from typing import Annotated

import typer

from toolfix_audit.cli.console import guarded, write_out
from toolfix_audit.cli.options import DEFAULT_DB, Db
from toolfix_audit.model.errors import NothingCheckedError

Call = Annotated[str, typer.Argument(metavar="CALL", help="The call's id, or how it begins.")]
Ndjson = Annotated[
    bool, typer.Option("--ndjson", help="Only the request line for `repair --ndjson`.")
]


@guarded
def show(call: Call, db: Db = None, ndjson: Ndjson = False) -> None:
    """Explain one call: session, schema, violations, steps and why, probes, the model's retry.

    Example: toolfix-audit show 3f9a1c --db audit.duckdb
    """
    from toolfix_audit.audit.explain import explain  # noqa: PLC0415
    from toolfix_audit.report.explanation import render  # noqa: PLC0415
    from toolfix_audit.store.store import Store  # noqa: PLC0415

    path = db or DEFAULT_DB
    with Store.open(path, create=False, read_only=True) as store:
        found = explain(store, call)
    if not ndjson:
        at = f" --db {shlex.quote(str(path))}" if path != DEFAULT_DB else ""
        command = f"toolfix-audit show {found.call}{at} --ndjson | toolfix-audit repair --ndjson"
        write_out(render(found, reproduce=command))
    elif found.request is None:
        raise NothingCheckedError(
            f"call {found.call} has no schema to repair under", hint="give one with --schemas"
        )
    else:
        write_out(found.request + "\n")
