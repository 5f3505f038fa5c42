"""`toolfix-audit dryrun`: classify, repair on paper, probe, report, decide."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from toolfix_audit.cli.commands.ingest import summarize
from toolfix_audit.cli.config import read_policy
from toolfix_audit.cli.console import Progress, guarded, say
from toolfix_audit.cli.options import (
    DEFAULT_DB,
    Against,
    AltSchemas,
    Db,
    Engine,
    Families,
    FormatName,
    Jobs,
    JudgeName,
    Labels,
    OptIn,
    Policies,
    Schemas,
    Timeout,
    chosen_families,
    given_db,
    read_definitions,
    read_labels,
)
from toolfix_audit.cli.outputs import (
    Outputs,
    Redaction,
    plan_outputs,
    report_stem,
    show_verdict,
)
from toolfix_audit.cli.previous import read_report
from toolfix_audit.cli.reask_option import ReaskOptions, read_reask
from toolfix_audit.cli.reproduce import reproduce_line

if TYPE_CHECKING:
    from toolfix_audit.audit.request import Request
    from toolfix_audit.audit.spec import Spec
    from toolfix_audit.model.report import Report
    from toolfix_audit.store.store import Store

Paths = Annotated[
    list[str] | None,
    typer.Argument(metavar="[PATH]...", help="Logs: files, folders, or - (default: the store)."),
]
Reports = Annotated[
    list[str] | None,
    typer.Option(
        "--report",
        help="FORMAT or FORMAT=FILE (- is stdout): text, json, html, markdown, junit, github.",
    ),
]
Out = Annotated[Path, typer.Option("--out", help="Where reports go that name no file.")]
ExitZero = Annotated[
    bool, typer.Option("--exit-zero", help="End with 0 where the gate fails (still prints FAIL).")
]
Redact = Annotated[
    Redaction,
    typer.Option(
        "--redact",
        help="Mask secrets, long values and home paths: in html, markdown, junit and github "
        "(auto), in every format (on), in none (off).",
    ),
]


By = Annotated[
    str | None,
    typer.Option(
        "--by",
        metavar="KEYS",
        help="Also count the outcomes by these: model,tool,label:NAME (and provider, source, "
        "format, session).",
    ),
]


@guarded
def dryrun(
    ctx: typer.Context,
    paths: Paths = None,
    db: Db = None,
    schemas: Schemas = None,
    alt_schemas: AltSchemas = None,
    families: Families = None,
    opt_in: OptIn = False,
    report: Reports = None,
    out: Out = Path("reports"),
    label: Labels = None,
    format_name: FormatName = None,
    exit_zero: ExitZero = False,
    engine: Engine = None,
    judge: JudgeName = None,
    timeout: Timeout = 10.0,
    redact: Redact = Redaction.AUTO,
    policy: Policies = None,
    by: By = None,
    against: Against = None,
    jobs: Jobs = None,
    reask: ReaskOptions = None,
) -> None:
    """Say what the repair engine would do with every recorded call, and prove that it harms none.

    Example: toolfix-audit dryrun ~/.dsh/sessions --report html --report json=audit.json
    """
    outputs = plan_outputs(report, out, report_stem(paths[0] if paths else db or DEFAULT_DB))
    path = given_db(ctx, db) or (None if paths else db or DEFAULT_DB)
    request = replace(
        _request(_told(ctx, path), label, policy, by, against, reask),
        spec=_checked_spec(chosen_families(families, opt_in=opt_in), engine, judge, timeout),
        definitions=read_definitions(schemas),
        alternates=read_definitions(alt_schemas),
    )
    outputs.spare([*(paths or ()), *(schemas or ()), *(alt_schemas or ()), against])
    with _store(paths, path) as store:
        outputs.spare([store.path, *(row.path for row in store.source_rows())])
        made = _audit(store, paths, format_name, request, jobs)
    finish(made, outputs, redact, exit_zero=exit_zero)


def _told(ctx: typer.Context, store: Path | None) -> Request:
    """How the report is made again, by which version, and which store stays."""
    from toolfix_audit.audit.request import Request  # noqa: PLC0415

    return Request(
        notes=(reproduce_line(ctx, store),),
        store=None if store is None else str(store),
        version=version("toolfix-audit"),
    )


def _request(
    told: Request,
    labels: list[str] | None,
    policy: list[str] | None,
    by: str | None,
    against: Path | None,
    reask: list[str] | None,
) -> Request:
    from toolfix_audit.store.groups import read_keys  # noqa: PLC0415

    return replace(
        told,
        labels=read_labels(labels),
        policy=read_policy(policy),
        reask=read_reask(reask),
        by=() if by is None else read_keys(by),
        earlier=None if against is None else read_report(against),
    )


def _checked_spec(
    families: tuple[str, ...], engine: str | None, judge: str | None, seconds: float
) -> Spec:
    """What to run; a foreign engine or judge that can't be started is told at once."""
    from toolfix_audit.audit.foreign import check_spec  # noqa: PLC0415
    from toolfix_audit.audit.spec import Spec  # noqa: PLC0415

    spec = Spec(families=families, engine=engine, judge=judge, seconds=seconds)
    check_spec(spec)
    return spec


def _store(paths: list[str] | None, path: Path | None) -> Store:
    from toolfix_audit.store.store import Store  # noqa: PLC0415

    if path is None:
        return Store.temporary()
    return Store.open(path, create=bool(paths))


def _audit(
    store: Store,
    paths: list[str] | None,
    format_name: str | None,
    request: Request,
    jobs: int | None,
) -> Report:
    from toolfix_audit.audit.dryrun import dry_run  # noqa: PLC0415
    from toolfix_audit.audit.foreign.pool import failure_notes  # noqa: PLC0415
    from toolfix_audit.audit.ingest import ingest  # noqa: PLC0415
    from toolfix_audit.report.document import render  # noqa: PLC0415

    progress = Progress()
    if paths:
        done = ingest(store, paths, format_name=format_name, progress=progress, processes=jobs)
        progress.done()
        summarize(done)
    total = store.corpus_counts().calls
    made = dry_run(
        store,
        replace(request, inputs=tuple(paths or ())),
        render=render,
        started=datetime.now(UTC).isoformat(timespec="seconds"),
        progress=lambda count: progress(f"audited {count:,} of {total:,} calls"),
        processes=jobs,
    )
    progress.done()
    for note in failure_notes(request.spec):
        say(note)
    return made


def finish(report: Report, outputs: Outputs, redaction: Redaction, *, exit_zero: bool) -> None:
    """Write the reports, then say the verdict and end with its exit code."""
    for line in outputs.write(report, redaction):
        say(line)
    show_verdict(report, on_stdout=outputs.shows_text)
    code = report.verdict.exit_code
    raise typer.Exit(0 if exit_zero and code == 1 else code)
