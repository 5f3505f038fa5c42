"""The user's own valid calls: from a store, or made from tool schemas alone."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from heapq import nsmallest
from typing import Any, Final

from toolfix_audit.audit.inject.generate import generated
from toolfix_audit.audit.inject.ground import ground_of
from toolfix_audit.audit.inject.run import Injection, Plan, check_untouched
from toolfix_audit.audit.inject.subject import Subject
from toolfix_audit.audit.kernel import audit_call
from toolfix_audit.audit.request import Request, schema_set
from toolfix_audit.audit.spec import SchemaSet, Spec
from toolfix_audit.engine import compile_schema
from toolfix_audit.model.json import JsonError, has_repeated_keys, is_deeper, parse_json
from toolfix_audit.model.records import ToolDefinition
from toolfix_audit.model.repair import Unusable
from toolfix_audit.model.words import CHANGED, HostVerdict, Outcome
from toolfix_audit.store.store import Store

MAX_CHARACTERS: Final = 20_000
"""Longer calls are not damaged: copies of them are slow, and prove nothing more."""
MAX_DEPTH: Final = 50

Progress = Callable[[int], None]


@dataclass(slots=True)
class _Chosen:
    """The calls of one tool under one schema that come first in the seed's order."""

    limit: int
    calls: list[tuple[str, Subject]] = field(default_factory=list)

    def offer(self, key: str, subject: Subject) -> None:
        self.calls.append((key, subject))
        if len(self.calls) > 4 * self.limit:
            self.calls = self._smallest()

    def subjects(self) -> Iterator[Subject]:
        for _, subject in self._smallest():
            yield subject

    def _smallest(self) -> list[tuple[str, Subject]]:
        return nsmallest(self.limit, self.calls, key=lambda pair: pair[0])


def valid_calls(
    store: Store,
    definitions: Sequence[ToolDefinition],
    plan: Plan,
    *,
    per_tool: int,
    progress: Progress | None = None,
) -> tuple[Injection, list[Subject]]:
    """Look at every valid call of the store that its host accepted: the no-touch figures of all,
    and for each tool the `per_tool` calls that the seed chooses for damaging.

    Raises:
        ConfigError: one tool was given two different schemas.
    """
    schemas = schema_set(store, Request(definitions=definitions))
    spec = Spec(families=plan.engine_families, probes=False)
    done = Injection()
    chosen: dict[tuple[str, str], _Chosen] = {}
    seen = 0
    for batch in store.call_batches():
        for row in batch.to_pylist():
            subject = _subject(row, schemas, spec)
            if subject is None or not check_untouched(done, subject, plan):
                continue
            key = (subject.tool, _digest(subject.ground.schema_text))
            order = _digest(f"{plan.seed} {subject.call}")
            chosen.setdefault(key, _Chosen(per_tool)).offer(order, subject)
        seen += batch.num_rows
        if progress:
            progress(seen)
    return done, [subject for key in sorted(chosen) for subject in chosen[key].subjects()]


def made_calls(
    definitions: Sequence[ToolDefinition], plan: Plan, *, per_tool: int
) -> tuple[Injection, list[Subject]]:
    """Valid arguments made from tool schemas alone, and the no-touch figures of them."""
    done = Injection()
    subjects: list[Subject] = []
    names = tuple(sorted({tool.name for tool in definitions}))
    for tool in sorted(definitions, key=lambda one: one.name):
        if tool.schema is None:
            continue
        schema = parse_json(tool.schema)
        judge = compile_schema(schema)
        if not isinstance(judge, Unusable):
            subjects.extend(
                generated(tool.name, schema, judge, names=names, limit=per_tool, seed=plan.seed)
            )
    return done, [subject for subject in subjects if check_untouched(done, subject, plan)]


def _subject(row: Mapping[str, Any], schemas: SchemaSet, spec: Spec) -> Subject | None:
    """The call, if its host accepted it and the judge accepts it as it was emitted."""
    if len(row["arguments"]) > MAX_CHARACTERS:
        return None
    outcome = audit_call(row, schemas, spec)
    digest = outcome["schema"]
    if outcome["host"] != HostVerdict.ACCEPTED or digest is None:
        return None
    if outcome["resolved"] != row["tool"] or not _may_be_valid(outcome):
        return None
    try:
        value = parse_json(outcome["before"])
    except JsonError:
        return None
    judge = compile_schema(parse_json(schemas.texts[digest]))
    if not isinstance(value, dict) or has_repeated_keys(value) or is_deeper(value, MAX_DEPTH):
        return None
    if isinstance(judge, Unusable):
        return None
    tools = schemas.catalogs.get(row["catalog"] or "") or schemas.supplied
    ground = ground_of(schemas.texts[digest])
    found = Subject(row["call"], row["tool"], tuple(sorted(tools)), ground, judge, value)
    return found if found.count(value) == 0 else None


def _may_be_valid(outcome: Mapping[str, Any]) -> bool:
    """Whether the engine took the call for valid, or changed it: then the judge is asked."""
    return outcome["outcome"] == Outcome.VALID or outcome["outcome"] in CHANGED


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest()
