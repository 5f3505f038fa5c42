"""Reads the JSON form of a report back into the record, and names what is wrong with it."""

from __future__ import annotations

from typing import Final

from toolfix_audit.model import report as record
from toolfix_audit.model import report_groups as group
from toolfix_audit.model.errors import ToolfixError
from toolfix_audit.model.json import Json, JsonError, dump_json, parse_json
from toolfix_audit.model.words import (
    HostVerdict,
    LeftAlone,
    MisfixKind,
    Origin,
    Outcome,
    Suspicion,
    UnjudgedReason,
    UntouchedReason,
)
from toolfix_audit.report.json_fields import (
    FaultError,
    Later,
    Node,
    counts_of,
    many,
    mapping,
    one_of,
    or_null,
    read_count,
    read_exit_code,
    read_flag,
    read_json,
    read_text,
    record_of,
)
from toolfix_audit.report.load_findings import FOUND
from toolfix_audit.report.visible import shown

_HINT: Final = "make it again with: toolfix-audit dryrun LOGS --report json=FILE"


class ReportFileError(ToolfixError):
    """A report file is no JSON, no report, or a report of another version."""


def load(text: str, *, source: str = "report") -> record.Report:
    """Read a report that the `json` emitter wrote.

    Rendering the result gives the same bytes. `source` names the file in messages.

    Raises:
        ReportFileError: the text is not such a report; the message names the place.
    """
    try:
        value = parse_json(text)
    except JsonError as error:
        raise ReportFileError(f"{source}: not JSON: {error}", hint=_HINT) from None
    _check_version(value, source)
    try:
        return _REPORT(Node(value, ""))
    except FaultError as fault:
        raise ReportFileError(f"{source}: {fault}", hint=_HINT) from None


def _check_version(value: Json, source: str) -> None:
    if not isinstance(value, dict) or "schema_version" not in value:
        raise ReportFileError(f"{source}: not a report of toolfix-audit", hint=_HINT)
    version = value["schema_version"]
    if type(version) is not int or version != record.SCHEMA_VERSION:
        found = shown(dump_json(version), 20)
        raise ReportFileError(
            f"{source}: schema_version is {found}, this program reads {record.SCHEMA_VERSION}",
            hint=_HINT,
        )


_TEXTS = many(read_text)
_COUNTS = mapping(read_count)
_OUTCOMES = mapping(read_count, Outcome)
_KINDS = mapping(read_count, MisfixKind)

_POLICY = record_of(
    record.PolicyResult,
    policy=read_text,
    level=one_of(("error", "warn")),
    actual=read_count,
    relation=one_of(("<=", ">=")),
    limit=read_count,
    holds=read_flag,
)
_VERDICT = record_of(
    record.Verdict,
    status=one_of(("pass", "fail")),
    exit_code=read_exit_code,
    reasons=_TEXTS,
    policies=many(_POLICY),
)
_FAMILY = record_of(
    record.FamilyRow, **{**counts_of(record.FamilyRow), "code": read_text, "name": read_text}
)
_SOURCE = record_of(
    record.SourceRow, **{**counts_of(record.SourceRow), "path": read_text, "format": read_text}
)
_UNREADABLE = record_of(
    record.UnreadableRow, path=read_text, line=read_count, offset=read_count, cause=read_text
)
_STEP = record_of(
    record.StepRow,
    family=read_text,
    action=read_text,
    pointer=read_text,
    before=read_json,
    after=read_json,
)
_EXAMPLE = record_of(
    record.Example,
    call=read_text,
    session=read_text,
    tool=read_text,
    outcome=one_of(Outcome),
    reason=or_null(one_of((*UntouchedReason, *UnjudgedReason))),
    families=_TEXTS,
    steps=many(_STEP),
    before=read_json,
    after=read_json,
    violations_before=_TEXTS,
    violations_after=_TEXTS,
    schema_origin=or_null(one_of(Origin)),
    host=one_of(HostVerdict),
    path=read_text,
    model=or_null(read_text),
    count=read_count,
)
_MISFIX = record_of(
    record.MisfixExample,
    call=read_text,
    session=read_text,
    tool=read_text,
    kind=one_of(MisfixKind),
    families=_TEXTS,
    detail=read_text,
    before=read_json,
    after=read_json,
)
_GROUPING = record_of(
    group.Grouping,
    by=_TEXTS,
    rows=many(
        record_of(
            group.GroupRow, values=_TEXTS, calls=read_count, outcomes=_OUTCOMES, misfixes=read_count
        )
    ),
    more=read_count,
    more_calls=read_count,
)
_EARLIER = record_of(
    group.Earlier,
    tool_version=read_text,
    calls=read_count,
    unreadable=read_count,
    outcomes=_OUTCOMES,
    misfixes=read_count,
    probes=read_count,
    fixed=_COUNTS,
    regressed=read_count,
    regressions=many(
        record_of(
            group.Regression,
            tool=read_text,
            schema=or_null(read_text),
            shape=read_text,
            families=_TEXTS,
            calls=read_count,
        )
    ),
)
_BASIS = record_of(
    group.BasisRow,
    origin=or_null(one_of(Origin)),
    judge=one_of(("pair", "shallow", "foreign", "none")),
    calls=read_count,
    outcomes=_OUTCOMES,
)
_REPORT = record_of(
    record.Report,
    schema_version=read_count,
    tool_version=read_text,
    engine=record_of(record.EngineInfo, name=read_text, version=read_text, families=_TEXTS),
    judge=record_of(record.JudgeInfo, name=read_text, version=read_text),
    labels=mapping(read_text),
    verdict=_VERDICT,
    corpus=record_of(record.Corpus, **counts_of(record.Corpus)),
    schemas=mapping(read_count, Origin),
    outcomes=_OUTCOMES,
    host=mapping(_OUTCOMES, HostVerdict),
    families=many(_FAMILY),
    wrapper_depth=_COUNTS,
    untouched=mapping(read_count, UntouchedReason),
    unjudged=mapping(read_count, UnjudgedReason),
    left_alone=mapping(read_count, LeftAlone),
    suspicions=mapping(read_count, Suspicion),
    findings=many(
        record_of(
            record.Finding, code=read_text, name=read_text, count=read_count, detail=read_text
        )
    ),
    misfixes=record_of(
        record.Misfixes,
        probes=read_count,
        count=read_count,
        by_kind=_KINDS,
        probes_by_kind=_KINDS,
        examples=many(_MISFIX),
    ),
    power=mapping(mapping(mapping(read_count, ("wrong", "convicted")))),
    confirmations=many(
        record_of(
            record.ConfirmationRow,
            family=read_text,
            confirmed=read_count,
            contradicts=read_count,
            no_retry=read_count,
            low=read_count,
            high=read_count,
        )
    ),
    tools=many(record_of(record.ToolRow, tool=read_text, calls=read_count, outcomes=_OUTCOMES)),
    models=many(
        record_of(
            record.ModelRow,
            provider=read_text,
            model=read_text,
            calls=read_count,
            outcomes=_OUTCOMES,
            families=_COUNTS,
        )
    ),
    sources=many(_SOURCE),
    unreadable=many(_UNREADABLE),
    unjudged_tools=many(
        record_of(
            record.UnjudgedTool, tool=read_text, calls=read_count, reason=one_of(UnjudgedReason)
        )
    ),
    examples=many(_EXAMPLE),
    kinds=many(
        record_of(
            record.KindRow,
            tool=read_text,
            schema=or_null(read_text),
            shape=read_text,
            families=_TEXTS,
            outcome=one_of(Outcome),
            calls=read_count,
        )
    ),
    rates=many(
        record_of(
            record.RateRow,
            by=read_text,
            value=read_text,
            family=read_text,
            calls=read_count,
            touched=read_count,
        )
    ),
    imitation=record_of(
        record.Imitation,
        **{
            **counts_of(record.Imitation),
            "places": many(
                record_of(record.PlaceRow, **{**counts_of(record.PlaceRow), "place": read_text})
            ),
        },
    ),
    basis=Later(many(_BASIS)),
    groups=Later(many(_GROUPING)),
    found=Later(FOUND),
    earlier=Later(or_null(_EARLIER)),
    inputs=Later(_TEXTS),
    store=Later(or_null(read_text)),
    notes=_TEXTS,
)
