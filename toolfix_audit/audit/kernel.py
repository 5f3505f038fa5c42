"""The kernel: a batch of calls in, a batch of outcomes out. Pure: no DB, no clock, no files.

`audit_batch` may be mapped over batches in any order and any process; compiled schemas, probes
and the processes of foreign engines and judges are cached per process.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

import pyarrow as pa

from toolfix_audit.audit.arrow import CALLS, OUTCOMES
from toolfix_audit.audit.foreign import ForeignError, engine_of
from toolfix_audit.audit.foreign.pool import unanswered
from toolfix_audit.audit.judged import Given, Judged, Judging, given_arguments
from toolfix_audit.audit.proof import probe_rows
from toolfix_audit.audit.shape import shape_digest
from toolfix_audit.audit.spec import SchemaSet, Spec
from toolfix_audit.audit.suspect import suspected_family
from toolfix_audit.engine import repair_call
from toolfix_audit.engine.judges.shallow import ShallowJudge
from toolfix_audit.engine.observe import differs, observe
from toolfix_audit.engine.repair import repair_read
from toolfix_audit.model.json import JsonError, clip_json, dump_json, escape_surrogates
from toolfix_audit.model.pointer import to_pointer
from toolfix_audit.model.repair import Repair, Step, Unusable, Violation
from toolfix_audit.model.words import (
    HostVerdict,
    Outcome,
    Suspicion,
    UntouchedReason,
)
from toolfix_audit.wire.host_verdict import host_verdict

STEPS_KEPT: Final = 200
"""Steps of one call that its record holds; `depth` counts all layers."""

STEP_CHARACTERS: Final = 4_000
"""Longer values of a step are left out of its record; `before` and `after` hold them whole."""


def audit_batch(calls: pa.RecordBatch, schemas: SchemaSet, spec: Spec) -> pa.RecordBatch:
    """Audit every call of a batch (columns CALLS); one row of OUTCOMES each, in order."""
    return audit_rows(calls, schemas, spec)[1]


def audit_rows(
    calls: pa.RecordBatch, schemas: SchemaSet, spec: Spec
) -> tuple[list[dict[str, Any]], pa.RecordBatch]:
    """What `audit_batch` gives, as rows and as a batch."""
    if not calls.schema.equals(CALLS):
        raise ValueError(f"the batch has other columns than CALLS: {calls.schema.names}")
    judging = Judging(schemas, spec)
    rows = [_watched(row, judging, spec) for row in calls.to_pylist()]
    try:
        return rows, pa.RecordBatch.from_pylist(rows, schema=OUTCOMES)
    except UnicodeEncodeError:  # a lone surrogate in a key or a name
        rows = [_storable(row) for row in rows]
        return rows, pa.RecordBatch.from_pylist(rows, schema=OUTCOMES)


def _storable(value: Any) -> Any:
    """A value of a row with its lone surrogates escaped."""
    if isinstance(value, str):
        return escape_surrogates(value)
    if isinstance(value, dict):
        return {name: _storable(member) for name, member in value.items()}
    return [_storable(item) for item in value] if isinstance(value, list) else value


def audit_call(call: Mapping[str, Any], schemas: SchemaSet, spec: Spec) -> dict[str, Any]:
    """Audit one call: a mapping with the columns of CALLS to one with those of OUTCOMES.

    Raises:
        ForeignError: a foreign engine or judge gave no answer too often in a row.
    """
    return _watched(call, Judging(schemas, spec), spec)


def _watched(call: Mapping[str, Any], judging: Judging, spec: Spec) -> dict[str, Any]:
    """Audit one call; one of which a foreign process said nothing is marked."""
    if spec.engine is None and spec.judge is None:
        return _audited(call, judging, spec)
    before = unanswered(spec)
    try:
        outcome = _audited(call, judging, spec)
    except ForeignError as error:
        raise error.at(call["call"]) from None
    silent = [role for role, count in unanswered(spec).items() if count > before.get(role, 0)]
    outcome["findings"] = [*outcome["findings"], *(f"{role}-unanswered" for role in silent)]
    return outcome


def _audited(call: Mapping[str, Any], judging: Judging, spec: Spec) -> dict[str, Any]:
    read = given_arguments(call)
    value = None if isinstance(read.value, JsonError) else read.value
    host = host_verdict(
        call["harness"],
        call["has_result"],
        call["is_error"],
        call["result_text"],
        call["error_code"],
        tool=call["tool"],
    )
    judged = judging.of(call)
    done = _with_finish_reason(_repair(read, judged, spec), call["finish_reason"])
    outcome = _outcome_row(call, done, host, judged)
    outcome["before"] = read.text
    changed = done.changed
    if changed:
        outcome["after"] = dump_json(value if done.arguments is read.given else done.arguments)
    outcome["shape"] = shape_digest(value)
    if done.outcome is Outcome.UNJUDGED:
        parses, text = value is read.value, call["result_text"] or ""
        outcome["suspected"] = suspected_family(value, parses=parses, host=host, text=text)
    if done.outcome is Outcome.VALID and judged.digest is not None:
        seen = observe(value, judged.view)
        outcome["left_alone"] = sorted(seen.left_alone)
        outcome["suspicions"] = sorted(seen.suspicions)
    if call["streamed"] is not None and differs(call["arguments"], call["streamed"]):
        outcome["suspicions"] = sorted({*outcome["suspicions"], Suspicion.RECORDED_DIFFERS})
    outcome["findings"] = list(_findings(host, judged, changed=changed))
    outcome["probes"] = probe_rows(read.given, done, judged, spec) if changed else []
    return outcome


def _findings(host: HostVerdict, judged: Judged, *, changed: bool) -> Iterator[str]:
    if changed and host is HostVerdict.ACCEPTED:
        yield "host-accepted"
    if isinstance(judged.judge, ShallowJudge):
        yield "shallow-judge"


def _repair(read: Given, judged: Judged, spec: Spec) -> Repair:
    given = read.given
    if judged.fault is UntouchedReason.UNKNOWN_TOOL:
        return repair_call(judged.tool, given, {}, families=spec.families)
    if judged.fault is not None:
        return Repair(Outcome.UNJUDGED, judged.tool, given, (), (), (), judged.fault)
    if isinstance(judged.judge, Unusable):
        reason = judged.judge.reason
        return Repair(Outcome.UNJUDGED, judged.resolved, given, (), (), (), reason)
    foreign = engine_of(spec)
    schema, judge = judged.schema, judged.judge
    if foreign is None:
        done = repair_read(given, read.value, schema, judge=judge, families=spec.families)
    else:
        done = foreign.repair(given, schema, judge=judge, tool=judged.resolved)
    return _renamed(done, judged.tool, judged.resolved)


def _renamed(done: Repair, tool: str, name: str) -> Repair:
    """The repair of a call whose tool was resolved: the unknown name was a violation."""
    if name == tool and done.tool is None:
        return done  # nearly all calls
    if name == tool or done.outcome is Outcome.UNJUDGED:
        return replace(done, tool=name)
    return replace(
        done,
        tool=name,
        outcome=Outcome.STILL_FAILING if done.violations_after else Outcome.FIXED,
        steps=(Step("K", f"name:{tool}→{name}", "", tool, name), *done.steps),
        violations_before=(_unknown_tool(tool), *done.violations_before),
        reason=None,
    )


def _unknown_tool(tool: str) -> Violation:
    return Violation((), "", None, f"unknown tool {tool!r}")


def _with_finish_reason(done: Repair, finish_reason: str | None) -> Repair:
    """A call that was left, in a message that ran out of tokens, counts as truncated."""
    if done.outcome is not Outcome.UNTOUCHED or finish_reason not in {"length", "max-tokens"}:
        return done
    if done.reason is UntouchedReason.UNKNOWN_TOOL:
        return done
    before, after = done.violations_before, done.violations_after
    reason = UntouchedReason.TRUNCATED
    return Repair(done.outcome, done.tool, done.arguments, done.steps, before, after, reason)


def _outcome_row(
    call: Mapping[str, Any], done: Repair, host: HostVerdict, judged: Judged
) -> dict[str, Any]:
    return {
        "call": call["call"],
        "session": call["session"],
        "path": call["path"],
        "tool": call["tool"],
        "provider": call["provider"],
        "model": call["model"],
        "resolved": done.tool or call["tool"],
        "outcome": done.outcome.value,
        "reason": None if done.reason is None else done.reason.value,
        "opt_in": done.opt_in,
        "origin": None if judged.origin is None else judged.origin.value,
        "schema": judged.digest,
        "host": host.value,
        "families": sorted({step.family for step in done.steps}) if done.steps else [],
        "suspected": None,
        "depth": sum(map(_is_unwrap, done.steps)),
        "after": None,
        "steps": [_step_row(step) for step in done.steps[:STEPS_KEPT]],
        "violations_before": [violation_text(one) for one in done.violations_before],
        "violations_after": [violation_text(one) for one in done.violations_after],
        "left_alone": [],
        "suspicions": [],
        "findings": [],
        "probes": [],
    }


def _is_unwrap(step: Step) -> bool:
    return step.family in {"A", "B"} and step.action.startswith("unwrap:")


def _step_row(step: Step) -> dict[str, Any]:
    return {
        "family": step.family,
        "action": step.action,
        "pointer": step.pointer,
        "before": clip_json(step.before, STEP_CHARACTERS),
        "after": clip_json(step.after, STEP_CHARACTERS),
    }


def violation_text(violation: Violation) -> str:
    """A violation in one line: the place, then what is wrong there."""
    place = to_pointer(violation.path)
    return f"{place}: {violation.message}" if place else violation.message
