"""Everything that is known of one call, gathered from the store and its last dry run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from toolfix_audit.audit.beside import shipped_for
from toolfix_audit.audit.findings.of_call import CallPlace, found_at
from toolfix_audit.audit.retry import WITHIN, Pair, answer_of
from toolfix_audit.engine import FAMILIES
from toolfix_audit.model.errors import NothingCheckedError
from toolfix_audit.model.explanation import ExplainedStep, Explanation
from toolfix_audit.model.json import Json, JsonError, dump_json, parse_json
from toolfix_audit.store.one_call import (
    call_facts,
    find_call,
    neighbours,
    outcome_facts,
)
from toolfix_audit.store.store import Store

AROUND: Final = 3
"""Calls of the session that are shown before and after."""

_WHOLE_SCHEMA: Final = 1_500


def explain(store: Store, prefix: str) -> Explanation:
    """Explain the call whose id starts with `prefix`, as the last dry run of the store saw it.

    Raises:
        ConfigError: there is no such call, or more than one.
        NothingCheckedError: no dry run of this store saw it.
    """
    call = find_call(store, prefix)
    run = store.latest_run()
    found = outcome_facts(store, run.run, call) if run else None
    if run is None or found is None:
        raise NothingCheckedError(
            f"{store.path}: no dry run has seen call {call}",
            hint=f"run: toolfix-audit dryrun --db {store.path}",
        )
    return _Sources(store, run.run, call_facts(store, call), found).explanation()


@dataclass(frozen=True, slots=True)
class _Sources:
    """What an explanation is made from: the store, the run, and the rows of log and outcome."""

    store: Store
    run: str
    log: Mapping[str, Any]
    found: Mapping[str, Any]

    def explanation(self) -> Explanation:
        log, found = self.log, self.found
        schema = self.schema_text()
        return Explanation(
            call=log["call"],
            session=log["session"],
            path=log["path"],
            tool=log["tool"],
            resolved=found["resolved"],
            facts=_facts(log),
            around=neighbours(self.store, self.run, log, AROUND),
            outcome=found["outcome"],
            reason=found["reason"],
            families=tuple(found["families"]),
            host=found["host"],
            result=log["result_text"],
            origin=found["origin"],
            schema=None if schema is None else _excerpt(schema, found),
            before=found["before"],
            after=found["after"],
            steps=tuple(_step(step) for step in found["steps"]),
            violations_before=tuple(found["violations_before"]),
            violations_after=tuple(found["violations_after"]),
            remarks=(*_remarks(found), *self.beside()),
            probes=_probes(found["probes"]),
            retry=self.retry(),
            request=self.request(schema),
        )

    def beside(self) -> tuple[str, ...]:
        """What was found in the result of the call, and in how they are paired."""
        log = self.log
        place = CallPlace(log["call"], log["source"], log["session"], log["position"])
        rows = found_at(self.store, place)
        return tuple(f"{row.family} {row.kind.replace('_', ' ')}: {row.says}" for row in rows)

    def schema_text(self) -> str | None:
        digest = self.found["schema"]
        return None if digest is None else self.texts().get(digest)

    def texts(self) -> dict[str, str]:
        return {**shipped_for(self.store).texts, **self.store.schemas()}

    def retry(self) -> tuple[str, str] | None:
        for row in self.store.retries(self.run, WITHIN):
            name, session, tool, families, before, after, retry = row
            if name == self.log["call"] and retry is not None:
                pair = Pair(name, session, tool, tuple(families), before, after, retry)
                return answer_of(pair).value, retry
        return None

    def request(self, schema: str | None) -> str | None:
        """A line of `repair --ndjson`; with the tool list where the name itself was at fault."""
        if schema is None:
            return None
        log, texts = self.log, self.texts()
        request: dict[str, Json] = {"id": log["call"], "args_text": log["arguments"]}
        if self.found["resolved"] in (None, log["tool"]):
            return dump_json({**request, "schema": parse_json(schema)})
        listed = self.store.catalogs().get(log["catalog"] or "", {})
        tools: dict[str, Json] = {
            name: parse_json(texts[digest]) for name, digest in listed.items() if digest in texts
        }
        return dump_json({**request, "tool": log["tool"], "tools": tools})


def _facts(log: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    model = "/".join(str(log[key]) for key in ("provider", "model") if log[key])
    pairs = (("harness", log["harness"]), ("model", model), ("time", log["time"]))
    return tuple((name, str(value)) for name, value in pairs if value)


def _remarks(found: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(
        str(word) for key in ("left_alone", "suspicions", "findings") for word in found[key]
    )


def _step(step: Mapping[str, Any]) -> ExplainedStep:
    family = next((one for one in FAMILIES if one.code == step["family"]), None)
    return ExplainedStep(
        family=step["family"],
        name=family.name if family else "not one of our families",
        action=step["action"],
        pointer=step["pointer"],
        before=step["before"],
        after=step["after"],
        why=family.rationale if family else "the engine gave no reason",
    )


def _probes(probes: Iterable[Mapping[str, Any]]) -> tuple[tuple[str, int, tuple[str, ...]], ...]:
    """Each kind of probe, how many ran, and what the convicting ones say."""
    rows = list(probes)
    counts = Counter(str(probe["kind"]) for probe in rows)
    return tuple(
        (
            kind,
            number,
            tuple(str(one["detail"]) for one in rows if one["kind"] == kind and one["convicted"]),
        )
        for kind, number in sorted(counts.items())
    )


def _excerpt(schema: str, found: Mapping[str, Any]) -> str:
    """The schema, or of a long one the top level with the properties that the call speaks of."""
    value = parse_json(schema)
    if len(schema) <= _WHOLE_SCHEMA or not isinstance(value, dict):
        return schema
    properties = value.get("properties")
    if not isinstance(properties, dict):
        return schema[:_WHOLE_SCHEMA]
    required = value.get("required")
    wanted = _keys(found["before"]) | _keys(found["after"])
    wanted |= (
        {key for key in required if isinstance(key, str)} if isinstance(required, list) else set()
    )
    kept: dict[str, Json] = {key: part for key, part in properties.items() if key in wanted}
    rest = {key: part for key, part in value.items() if key not in ("$defs", "definitions")}
    return dump_json({**rest, "properties": kept})


def _keys(text: str | None) -> set[str]:
    try:
        value = parse_json(text or "null")
    except JsonError:
        return set()
    return set(value) if isinstance(value, dict) else set()
