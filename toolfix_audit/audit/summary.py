"""Folded outcomes and the store's own counts, made into the report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from toolfix_audit.audit.compare import compared
from toolfix_audit.audit.findings import found_rows
from toolfix_audit.audit.fold import SHALLOW, Partial, shown
from toolfix_audit.audit.foreign.pool import engine_info, judge_info
from toolfix_audit.audit.gate import decided
from toolfix_audit.audit.request import Request
from toolfix_audit.audit.retry import Answer, Pair, confirmations
from toolfix_audit.audit.spec import NO_FAMILY
from toolfix_audit.engine import FAMILIES
from toolfix_audit.model.report import (
    Corpus,
    Example,
    FamilyRow,
    Finding,
    Imitation,
    KindRow,
    Misfixes,
    MisfixExample,
    ModelRow,
    RateRow,
    Report,
    ToolRow,
    UnjudgedTool,
    Verdict,
)
from toolfix_audit.model.report_findings import Found
from toolfix_audit.model.report_groups import BasisRow, Grouping
from toolfix_audit.model.words import HostVerdict, MisfixKind, Origin, Outcome
from toolfix_audit.store.store import Store

UNREADABLE_SHOWN: Final = 50
MAX_KINDS: Final = 20_000

_FINDINGS: Final = {
    "host-accepted": "the host ran the original of a call that the engine changes",
    SHALLOW: "no validator runs the tool's schema, so only its top level was judged",
    "truncated": "the arguments were cut by the output limit",
    "engine-unanswered": "the engine gave no answer, so the call counts as left",
    "judge-unanswered": "the judge gave no answer, so the call counts as left",
}


_ANSWERED: Final = frozenset({Answer.CONFIRMED, Answer.CONTRADICTS})


@dataclass(frozen=True, slots=True)
class Evidence:
    """What is known beside the outcomes: the power of the checks, the model's retries, and what
    was found in texts, results and failed streams."""

    power: Mapping[str, Mapping[str, Mapping[str, int]]] = field(default_factory=dict)
    answers: tuple[tuple[Pair, Answer], ...] = ()
    rates: tuple[RateRow, ...] = ()
    imitation: Imitation = field(default_factory=Imitation)
    groups: tuple[Grouping, ...] = ()
    found: Found = field(default_factory=Found)


def make_report(store: Store, total: Partial, request: Request, evidence: Evidence) -> Report:
    """The report over folded outcomes and the store's own counts."""
    report = Report(
        tool_version=request.version,
        engine=engine_info(request.spec, request.version),
        judge=judge_info(request.spec),
        labels={**store.labels(), **request.labels},
        verdict=Verdict("fail", 0, ()),
        corpus=_checked(store.corpus_counts(), total),
        schemas={origin.value: total.schemas[origin] for origin in Origin},
        outcomes={outcome.value: total.outcomes[outcome] for outcome in Outcome},
        host=_host(total),
        families=_families(total, evidence.answers),
        wrapper_depth={str(depth): count for depth, count in sorted(total.depth.items())},
        untouched=_sorted(total.untouched),
        unjudged=_sorted(total.unjudged),
        left_alone=_sorted(total.left_alone),
        suspicions=_sorted(total.suspicions),
        findings=(*_findings(total), *found_rows(evidence.found)),
        misfixes=_with_retries(_misfixes(total), evidence.answers),
        power=evidence.power,
        confirmations=confirmations(evidence.answers),
        tools=_tools(total),
        models=_models(total),
        sources=store.source_rows(),
        unreadable=store.unreadable_rows(UNREADABLE_SHOWN),
        unjudged_tools=_unjudged_tools(total),
        examples=_examples(total),
        kinds=_kinds(total),
        rates=evidence.rates,
        imitation=evidence.imitation,
        basis=_basis(total, is_default=request.spec.judge is None),
        groups=evidence.groups,
        found=evidence.found,
        inputs=request.inputs,
        store=request.store,
        notes=request.notes,
    )
    return _decided(report, request)


def _decided(report: Report, request: Request) -> Report:
    """The report with its verdict, and with the earlier report beside it, if there is one."""
    if request.earlier is not None:
        report = replace(report, earlier=compared(request.earlier, report))
    return decided(report, is_probed=request.spec.probes, policy=request.policy)


def _sorted(counts: Counter[str]) -> dict[str, int]:
    return dict(sorted(counts.items()))


def _basis(total: Partial, *, is_default: bool) -> tuple[BasisRow, ...]:
    """What the calls were judged by, most calls first; a judge that was asked for is foreign."""
    names = {"whole": "pair" if is_default else "foreign"}
    found: dict[tuple[str, str], Counter[str]] = {}
    for (origin, judge, outcome), number in total.basis.items():
        found.setdefault((origin, names.get(judge, judge)), Counter())[outcome] += number
    rows = [
        BasisRow(origin or None, judge, counts.total(), dict(sorted(counts.items())))
        for (origin, judge), counts in found.items()
    ]
    return tuple(sorted(rows, key=lambda row: (-row.calls, row.origin or "", row.judge)))


def _checked(corpus: Corpus, total: Partial) -> Corpus:
    audited = sum(total.outcomes.values())
    if audited != corpus.calls:
        raise AssertionError(f"{corpus.calls} calls in the store, {audited} audited")
    return corpus


def _misfixes(total: Partial) -> Misfixes:
    return Misfixes(
        probes=sum(total.probe_kinds.values()),
        count=total.misfixed_calls,
        by_kind=dict(sorted(total.misfix_kinds.items())),
        probes_by_kind=dict(sorted(total.probe_kinds.items())),
        examples=tuple(total.misfixes[key] for key in sorted(total.misfixes)),
    )


def _with_retries(misfixes: Misfixes, answers: tuple[tuple[Pair, Answer], ...]) -> Misfixes:
    """The mis-fixes, with the repairs that the model's own retry contradicts among them."""
    kind = MisfixKind.RETRY_CONTRADICTS.value
    answered = [one for one in answers if one[1] in _ANSWERED]
    against = [pair for pair, answer in answers if answer is Answer.CONTRADICTS]
    if not answered:
        return misfixes
    known = {example.call for example in misfixes.examples}
    by_kind = {**misfixes.by_kind, **({kind: len(against)} if against else {})}
    return replace(
        misfixes,
        probes=misfixes.probes + len(answered),
        count=misfixes.count + sum(pair.call not in known for pair in against),
        by_kind=dict(sorted(by_kind.items())),
        probes_by_kind=dict(sorted({**misfixes.probes_by_kind, kind: len(answered)}.items())),
        examples=(*misfixes.examples, *(_contradiction(pair) for pair in against[:20])),
    )


def _contradiction(pair: Pair) -> MisfixExample:
    detail = "the model's own later call has another value where the repair set one"
    kind, before, after = MisfixKind.RETRY_CONTRADICTS.value, pair.before, shown(pair.after)
    families = pair.families
    return MisfixExample(
        pair.call, pair.session, pair.tool, kind, families, detail, shown(before), after
    )


def _host(total: Partial) -> dict[str, dict[str, int]]:
    return {
        verdict.value: {outcome.value: total.host[verdict, outcome] for outcome in Outcome}
        for verdict in HostVerdict
    }


def _families(total: Partial, answers: tuple[tuple[Pair, Answer], ...]) -> tuple[FamilyRow, ...]:
    """A row for every family, and one for changes of no family, if there are any. A probe that is
    about several families counts in each, as a call does; a model's own retry is a probe too."""
    names = {family.code: family.name for family in sorted(FAMILIES, key=lambda one: one.code)}
    if any(code == NO_FAMILY for code, _ in total.families):
        names[NO_FAMILY] = "no-family"
    retried = Counter(code for pair, said in answers if said in _ANSWERED for code in pair.families)
    denied = Counter(
        code for pair, said in answers if said is Answer.CONTRADICTS for code in pair.families
    )
    return tuple(
        FamilyRow(
            code=code,
            name=name,
            calls=sum(total.families[code, outcome] for outcome in Outcome),
            fixed=total.families[code, Outcome.FIXED],
            still_failing=total.families[code, Outcome.STILL_FAILING],
            swallowed=total.families[code, Outcome.SWALLOWED],
            suspected=total.suspected[code],
            probes=sum(n for (one, _), n in total.probes.items() if one == code) + retried[code],
            misfixes=sum(n for (one, _), n in total.convictions.items() if one == code)
            + denied[code],
        )
        for code, name in names.items()
    )


def _findings(total: Partial) -> tuple[Finding, ...]:
    found = Counter(total.findings)
    found["truncated"] += total.untouched["truncated"]
    return tuple(
        Finding(name, name, found[name], detail)
        for name, detail in _FINDINGS.items()
        if found[name]
    )


def _tools(total: Partial) -> tuple[ToolRow, ...]:
    rows = []
    for tool in sorted({tool for tool, _ in total.tools}):
        counts = {outcome.value: total.tools[tool, outcome] for outcome in Outcome}
        rows.append(ToolRow(tool, sum(counts.values()), counts))
    return tuple(rows)


def _models(total: Partial) -> tuple[ModelRow, ...]:
    rows = []
    for provider, model in sorted({(provider, model) for provider, model, _ in total.models}):
        counts = {outcome.value: total.models[provider, model, outcome] for outcome in Outcome}
        families = {
            code: total.model_families[provider, model, code]
            for code in (*(family.code for family in FAMILIES), NO_FAMILY)
            if total.model_families[provider, model, code]
        }
        rows.append(ModelRow(provider, model, sum(counts.values()), counts, families))
    return tuple(rows)


def _unjudged_tools(total: Partial) -> tuple[UnjudgedTool, ...]:
    rows = [UnjudgedTool(tool, n, reason) for (tool, reason), n in total.unjudged_tools.items()]
    return tuple(sorted(rows, key=lambda row: (-row.calls, row.tool, row.reason)))


def _kinds(total: Partial) -> tuple[KindRow, ...]:
    """Every kind of malformed call, in a stable order; the rarest are left off a huge corpus."""
    counted = sorted(total.kinds.items(), key=lambda item: (-item[1], item[0]))[:MAX_KINDS]
    return tuple(
        KindRow(tool, schema or None, shape, families, outcome, calls)
        for (tool, schema, shape, families, outcome), calls in sorted(counted)
    )


def _examples(total: Partial) -> tuple[Example, ...]:
    """The examples by kind, the most frequent first; ties by the call's id."""
    ordered = sorted(
        total.examples.items(), key=lambda item: (item[0][0], -item[1].count, item[1].call)
    )
    return tuple(example for _, example in ordered)
