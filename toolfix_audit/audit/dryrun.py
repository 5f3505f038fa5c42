"""The dry run: the kernel mapped over a store, folded into one report."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

import pyarrow as pa

from toolfix_audit.audit.fold import Partial, fold, shown
from toolfix_audit.audit.foreign import check_spec
from toolfix_audit.audit.foreign.pool import engine_info, judge_info
from toolfix_audit.audit.gate import decide
from toolfix_audit.audit.kernel import audit_batch
from toolfix_audit.audit.power import Sample, measure_power
from toolfix_audit.audit.request import Request, schema_set
from toolfix_audit.audit.retry import WITHIN, Answer, Pair, answer_of, confirmations
from toolfix_audit.audit.spec import SchemaSet, Spec
from toolfix_audit.engine import FAMILIES
from toolfix_audit.model.json import Json, dump_json
from toolfix_audit.model.report import (
    Corpus,
    Example,
    FamilyRow,
    Finding,
    Misfixes,
    MisfixExample,
    ModelRow,
    Report,
    ToolRow,
    UnjudgedTool,
)
from toolfix_audit.model.words import CHANGED, HostVerdict, MisfixKind, Origin, Outcome, Suspicion
from toolfix_audit.store.entries import Run
from toolfix_audit.store.store import Store

UNREADABLE_SHOWN: Final = 50

_FINDINGS: Final = {
    "host-accepted": "the host ran the original of a call that the engine changes",
    "shallow-judge": "no validator runs the tool's schema, so only its top level was judged",
    "truncated": "the arguments were cut by the output limit",
    "engine-unanswered": "the engine gave no answer, so the call counts as left",
    "judge-unanswered": "the judge gave no answer, so the call counts as left",
}


def dry_run(
    store: Store,
    request: Request,
    *,
    render: Callable[[Report], str],
    started: str | None = None,
    progress: Callable[[int], None] | None = None,
) -> Report:
    """Audit every call of the store, keep the outcomes there, and give the report.

    `render` writes the report as the JSON text that is kept with the run; `progress` is told the
    number of calls done.

    Raises:
        ConfigError: one tool was given two different schemas.
        ForeignError: a foreign engine or judge can't be used; nothing is kept.
        StoreWriteError: the store can't be written.
    """
    check_spec(request.spec)
    schemas = schema_set(store, request)
    run = _run(request.spec, started)
    total = Partial()
    sample = Sample()
    reports: list[Report] = []

    def outcomes() -> Iterator[pa.RecordBatch]:
        done = 0
        for batch in store.call_batches():
            audited = audit_batch(batch, schemas, request.spec)
            rows = audited.to_pylist()
            total.merge(fold(rows))
            sample.add(rows, batch.column("catalog").to_pylist())
            done += audited.num_rows
            if progress:
                progress(done)
            yield audited

    def finished() -> str:
        answers = [(pair, answer_of(pair)) for pair in _pairs(store, run.run)]
        evidence = Evidence(_power(total, sample, schemas, request.spec), tuple(answers))
        reports.append(make_report(store, total, request, evidence))
        return render(reports[0])

    store.save_run(run, outcomes(), report=finished)
    return reports[0]


@dataclass(frozen=True, slots=True)
class Evidence:
    """What is known beside the outcomes: the power of the checks, and the model's retries."""

    power: Mapping[str, Mapping[str, Mapping[str, int]]] = field(default_factory=dict)
    answers: tuple[tuple[Pair, Answer], ...] = ()


def _pairs(store: Store, run: str) -> Iterator[Pair]:
    for call, session, tool, families, before, after, retry in store.retries(run, WITHIN):
        yield Pair(call, session, tool, tuple(families), before, after, retry)


def _power(
    total: Partial, sample: Sample, schemas: SchemaSet, spec: Spec
) -> Mapping[str, Mapping[str, Mapping[str, int]]]:
    changed = {code for (code, outcome), n in total.families.items() if n and outcome in CHANGED}
    if not spec.probes or not changed or spec.engine is not None:
        return {}
    return measure_power(sample.calls(schemas), changed, ran=spec.families)


def _run(spec: Spec, started: str | None) -> Run:
    """The run; what its spec tells makes two runs the same."""
    told: dict[str, Json] = {"families": list(spec.families), "probes": spec.probes}
    foreign = {"engine": spec.engine, "judge": spec.judge}
    told.update({role: name for role, name in foreign.items() if name is not None})
    text = dump_json(told)
    return Run(hashlib.sha256(text.encode()).hexdigest()[:12], text, started=started)


def make_report(
    store: Store, total: Partial, request: Request, evidence: Evidence | None = None
) -> Report:
    """The report over folded outcomes and the store's own counts."""
    evidence = evidence or Evidence()
    corpus = store.corpus_counts()
    misfixes = _with_retries(_misfixes(total), evidence.answers)
    families = _families(total)
    outcomes = {outcome.value: total.outcomes[outcome] for outcome in Outcome}
    schemas = {origin.value: total.schemas[origin] for origin in Origin}
    return Report(
        tool_version=request.version,
        engine=engine_info(request.spec, request.version),
        judge=judge_info(request.spec),
        labels={**store.labels(), **request.labels},
        verdict=decide(
            corpus,
            outcomes,
            schemas,
            misfixes,
            families=families if request.spec.probes else (),
            power=evidence.power or None,
            policy=request.policy,
        ),
        corpus=_checked(corpus, total),
        schemas=schemas,
        outcomes=outcomes,
        host=_host(total),
        families=families,
        wrapper_depth={str(depth): count for depth, count in sorted(total.depth.items())},
        untouched=dict(sorted(total.untouched.items())),
        unjudged=dict(sorted(total.unjudged.items())),
        left_alone=dict(sorted(total.left_alone.items())),
        suspicions={
            word.value: total.suspicions[word] for word in Suspicion if total.suspicions[word]
        },
        findings=_findings(total),
        misfixes=misfixes,
        power=evidence.power,
        confirmations=confirmations(evidence.answers),
        tools=_tools(total),
        models=_models(total),
        sources=store.source_rows(),
        unreadable=store.unreadable_rows(UNREADABLE_SHOWN),
        unjudged_tools=_unjudged_tools(total),
        examples=_examples(total),
        notes=request.notes,
    )


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
    answered = [one for one in answers if one[1] is not Answer.NO_RETRY]
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


def _families(total: Partial) -> tuple[FamilyRow, ...]:
    return tuple(
        FamilyRow(
            code=family.code,
            name=family.name,
            calls=sum(total.families[family.code, outcome] for outcome in Outcome),
            fixed=total.families[family.code, Outcome.FIXED],
            still_failing=total.families[family.code, Outcome.STILL_FAILING],
            swallowed=total.families[family.code, Outcome.SWALLOWED],
            suspected=total.suspected[family.code],
            probes=sum(n for (code, _), n in total.probes.items() if code == family.code),
            misfixes=sum(n for (code, _), n in total.convictions.items() if code == family.code),
        )
        for family in sorted(FAMILIES, key=lambda family: family.code)
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
            family.code: total.model_families[provider, model, family.code]
            for family in FAMILIES
            if total.model_families[provider, model, family.code]
        }
        rows.append(ModelRow(provider, model, sum(counts.values()), counts, families))
    return tuple(rows)


def _unjudged_tools(total: Partial) -> tuple[UnjudgedTool, ...]:
    rows = [UnjudgedTool(tool, n, reason) for (tool, reason), n in total.unjudged_tools.items()]
    return tuple(sorted(rows, key=lambda row: (-row.calls, row.tool, row.reason)))


def _examples(total: Partial) -> tuple[Example, ...]:
    """The examples by kind, the most frequent first; ties by the call's id."""
    ordered = sorted(
        total.examples.items(), key=lambda item: (item[0][0], -item[1].count, item[1].call)
    )
    return tuple(example for _, example in ordered)
