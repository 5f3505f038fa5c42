"""The dry run: the kernel mapped over a store, folded into one report."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

import pyarrow as pa

from toolfix_audit.audit.audit_processes import AuditProcesses
from toolfix_audit.audit.beside import shipped_for
from toolfix_audit.audit.findings import find
from toolfix_audit.audit.fold import Partial
from toolfix_audit.audit.foreign import check_spec
from toolfix_audit.audit.foreign.steps import LETTERS
from toolfix_audit.audit.grouping import check_keys, groupings
from toolfix_audit.audit.parts import Part, audit_part
from toolfix_audit.audit.power import Sample, measure_power
from toolfix_audit.audit.processors import processors
from toolfix_audit.audit.request import Request, schema_set
from toolfix_audit.audit.retry import WITHIN, Pair, answer_of
from toolfix_audit.audit.shape import nesting_of
from toolfix_audit.audit.spec import NO_FAMILY, SchemaSet, Spec
from toolfix_audit.audit.summary import Evidence, make_report
from toolfix_audit.model.json import Json, dump_json, parse_json
from toolfix_audit.model.report import (
    Report,
)
from toolfix_audit.model.words import CHANGED
from toolfix_audit.store.entries import Run
from toolfix_audit.store.store import BATCH_ROWS, Store
from toolfix_audit.store.why import why

PARALLEL_CALLS: Final = 20_000
"""Fewer are audited faster by this process alone than others are started."""


def dry_run(
    store: Store,
    request: Request,
    *,
    render: Callable[[Report], str],
    started: str | None = None,
    progress: Callable[[int], None] | None = None,
    processes: int | None = None,
) -> Report:
    """Audit every call of the store, keep the outcomes there, and give the report.

    `render` writes the report as the JSON text that is kept with the run; `progress` is told the
    number of calls done. With `processes` so many others audit and this one only writes; 1 audits
    here, None decides by the number of calls. The outcome is the same in each case. Foreign
    engines and judges are always asked from here.

    Raises:
        AuditStoppedError: a process that audits ended early; nothing is kept.
        ConfigError: one tool was given two different schemas, or a label to count by is unknown.
        ForeignError: a foreign engine or judge can't be used; nothing is kept.
        StoreWriteError: the store can't be written.
    """
    check_spec(request.spec)
    check_keys(store, request)
    run = _run(request.spec, started)
    audit = _Audit(store, request, schema_set(store, request), processes)
    request = replace(request, notes=(*request.notes, *shipped_for(store).notes))
    made: list[Report] = []

    def finished() -> str:
        made.append(make_report(store, audit.total, request, audit.evidence(run.run)))
        return render(made[0])

    store.save_run(run, audit.outcomes(progress), report=finished)
    return made[0]


@dataclass(slots=True)
class _Audit:
    """The kernel over every call of a store, and what is kept of it in memory."""

    store: Store
    request: Request
    schemas: SchemaSet
    processes: int | None
    total: Partial = field(default_factory=Partial)
    sample: Sample = field(default_factory=Sample)

    def outcomes(self, progress: Callable[[int], None] | None) -> Iterator[pa.RecordBatch]:
        done = 0
        for part in self._parts():
            self.total.merge(part.total)
            self.sample.merge(part.sample)
            done += part.outcomes.num_rows
            if progress:
                progress(done)
            yield part.outcomes

    def _parts(self) -> Iterator[Part]:
        spec, batches = self.request.spec, self.store.call_batches(BATCH_ROWS)
        is_foreign = spec.engine is not None or spec.judge is not None
        count = 1 if is_foreign else self.processes or _processes(self.store.count_calls())
        if count == 1:
            yield from (audit_part(batch, self.schemas, spec) for batch in batches)
            return
        with AuditProcesses(self.schemas, spec, count) as processes:
            yield from processes.parts(batches)

    def evidence(self, run: str) -> Evidence:
        answers = tuple((pair, answer_of(pair)) for pair in _pairs(self.store, run))
        rates, imitation = why(self.store, run, self._schema_depth)
        groups = groupings(self.store, run, self.request, answers)
        found = find(self.store, self.schemas, self.request.reask)
        return Evidence(self._power(), answers, rates, imitation, groups, found)

    def _schema_depth(self, digest: str) -> int | None:
        text = self.schemas.texts.get(digest)
        return None if text is None else nesting_of(parse_json(text))

    def _power(self) -> Mapping[str, Mapping[str, Mapping[str, int]]]:
        """Measured for every family that changed a call, whoever the engine was; for all of them
        where it made a change that no family makes."""
        spec, counts = self.request.spec, self.total.families
        changed = {code for (code, outcome), n in counts.items() if n and outcome in CHANGED}
        if not spec.probes or not changed:
            return {}
        letters = LETTERS if NO_FAMILY in changed else changed
        return measure_power(self.sample.calls(self.schemas), letters, ran=spec.families)


def _processes(calls: int) -> int:
    """How many processes are worth their start."""
    return 1 if calls < PARALLEL_CALLS else min(processors(), calls // BATCH_ROWS)


def _pairs(store: Store, run: str) -> Iterator[Pair]:
    for call, session, tool, families, before, after, retry in store.retries(run, WITHIN):
        yield Pair(call, session, tool, tuple(families), before, after, retry)


def _run(spec: Spec, started: str | None) -> Run:
    """The run; what its spec tells makes two runs the same."""
    told: dict[str, Json] = {"families": list(spec.families), "probes": spec.probes}
    foreign = {"engine": spec.engine, "judge": spec.judge}
    told.update({role: name for role, name in foreign.items() if name is not None})
    text = dump_json(told)
    return Run(hashlib.sha256(text.encode()).hexdigest()[:12], text, started=started)
