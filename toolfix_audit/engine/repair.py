"""`repair` and `repair_call`: one call in, one outcome out."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final

from toolfix_audit.engine.families import FAMILIES, SAFE
from toolfix_audit.engine.judges.python import compile_python
from toolfix_audit.engine.proposal import Family, Place
from toolfix_audit.engine.schema_view import SchemaView
from toolfix_audit.engine.search import Search, State
from toolfix_audit.engine.wrappers import ARGUMENTS, WRAPPERS, layers_of
from toolfix_audit.model.json import Json, JsonError, has_repeated_keys, parse_json
from toolfix_audit.model.pointer import value_at
from toolfix_audit.model.repair import (
    Judge,
    JudgeLimitError,
    Repair,
    Step,
    Unusable,
    Violation,
)
from toolfix_audit.model.words import Outcome, UnjudgedReason, UntouchedReason

NOT_JSON: Final = Violation((), "", None, "the arguments are not JSON")


def compile_schema(schema: Json) -> Judge | Unusable:
    """The default judge for a schema, compiled once per distinct schema; or why there is none."""
    return compile_python(schema)


def repair(
    arguments: Json,
    schema: Json,
    *,
    judge: Judge | None = None,
    families: Collection[str] = SAFE,
) -> Repair:
    """Say what is wrong with a call's arguments, and repair what can be repaired without a guess.

    `arguments` is the recorded text (a `str`) or the parsed value; `schema` the JSON Schema of
    the tool's parameters, `judge` its compiled judge if you keep one, `families` the codes that
    may run. Never changes what the judge accepts (but for a swallowed wrapper), never mutates
    its input, never raises on bad data: what can't be repaired is `untouched` with a reason.
    """
    compiled = judge or compile_schema(schema)
    if isinstance(compiled, Unusable):
        return _left(arguments, Outcome.UNJUDGED, compiled.reason)
    try:
        return _repair(arguments, schema, compiled, _chosen(families))
    except JudgeLimitError as limit:
        if isinstance(limit.reason, UnjudgedReason):
            return _left(arguments, Outcome.UNJUDGED, limit.reason)
        return _left(arguments, Outcome.UNTOUCHED, UntouchedReason.LIMIT, (NOT_SEEN,))
    except RecursionError:
        return _left(arguments, Outcome.UNTOUCHED, UntouchedReason.LIMIT, (NOT_SEEN,))


NOT_SEEN: Final = Violation((), "", None, "the arguments are nested too deeply to be judged")


def repair_call(
    tool: str,
    arguments: Json,
    tools: Mapping[str, Json],
    *,
    families: Collection[str] = SAFE,
) -> Repair:
    """Repair a call with the request's own tools (name to schema): the name first, then the
    arguments. A name that is none of them is a violation."""
    if tool not in tools:
        unknown = Violation((), "", None, f"unknown tool {tool!r}")
        return Repair(
            Outcome.UNTOUCHED,
            tool,
            arguments,
            (),
            (unknown,),
            (unknown,),
            UntouchedReason.UNKNOWN_TOOL,
        )
    done = repair(arguments, tools[tool], families=families)
    return Repair(
        done.outcome,
        tool,
        done.arguments,
        done.steps,
        done.violations_before,
        done.violations_after,
        done.reason,
        done.opt_in,
    )


def _repair(arguments: Json, schema: Json, judge: Judge, families: tuple[Family, ...]) -> Repair:
    try:
        value = parse_json(arguments) if isinstance(arguments, str) else arguments
    except JsonError as error:
        return _left(arguments, Outcome.UNTOUCHED, _text_reason(arguments, error), (NOT_JSON,))
    before = tuple(judge.violations(value))
    search = Search(judge, SchemaView.of(schema), families, _read_strict)
    if has_repeated_keys(value):
        if not before:
            return _left(arguments, Outcome.VALID)
        return _left(arguments, Outcome.UNTOUCHED, UntouchedReason.AMBIGUOUS, before)
    if not before:
        return _swallowed(value, search) or _left(arguments, Outcome.VALID)
    after = search.run(State(value, before))
    if not after.steps:
        reason = _untouched_reason(value, before, search)
        return _left(arguments, Outcome.UNTOUCHED, reason, before)
    outcome = Outcome.STILL_FAILING if after.violations else Outcome.FIXED
    return Repair(outcome, None, after.value, after.steps, before, after.violations)


def _swallowed(value: Json, search: Search) -> Repair | None:
    """The one repair of valid arguments: a sole undeclared `arguments` that hides declared keys
    from a tool which requires nothing."""
    view = search.view
    if not any(family.code == "A" for family in search.families) or not isinstance(value, dict):
        return None
    if set(value) != {ARGUMENTS} or view.required_names() or not view.declared_names():
        return None
    layers = layers_of(Place((), value, view, _no_text))
    inner = layers[-1].inner if layers else None
    if not isinstance(inner, dict) or not inner or any(layer.key != ARGUMENTS for layer in layers):
        return None
    if not all(view.declares(key) for key in inner):
        return None
    steps = []
    for layer in layers:
        steps.append(Step("A", f"unwrap:{ARGUMENTS}", "", value, layer.inner))
        value = layer.inner
    after = search.run(search.judged(inner, tuple(steps)))
    if after.violations:
        return None
    return Repair(Outcome.SWALLOWED, None, after.value, after.steps, (), ())


def _chosen(families: Collection[str]) -> tuple[Family, ...]:
    return tuple(family for family in FAMILIES if family.code in families)


def _left(
    arguments: Json,
    outcome: Outcome,
    reason: UntouchedReason | UnjudgedReason | None = None,
    violations: tuple[Violation, ...] = (),
) -> Repair:
    return Repair(outcome, None, arguments, (), violations, violations, reason)


def _text_reason(arguments: Json, error: JsonError) -> UntouchedReason:
    if isinstance(arguments, str) and not arguments.strip():
        return UntouchedReason.EMPTY_ARGUMENTS
    return UntouchedReason.TRUNCATED if error.at_end else UntouchedReason.UNPARSEABLE


def _untouched_reason(
    value: Json, violations: tuple[Violation, ...], search: Search
) -> UntouchedReason:
    if search.exhausted:
        return UntouchedReason.LIMIT
    if _is_empty(value):
        return UntouchedReason.EMPTY_ARGUMENTS
    if search.ambiguous:
        return UntouchedReason.AMBIGUOUS
    missing = [violation for violation in violations if _is_missing(violation)]
    if any(_has_undeclared(value, violation, search.view) for violation in missing):
        return UntouchedReason.UNRELATED_KEY
    return UntouchedReason.OMITTED_REQUIRED if missing else UntouchedReason.OTHER


def _is_empty(value: Json) -> bool:
    while isinstance(value, dict) and len(value) == 1:
        (key,) = value
        if key not in WRAPPERS:
            return False
        value = value[key]
        if value is None:
            return True
    return value is None or value == {}


def _is_missing(violation: Violation) -> bool:
    return violation.key is not None and violation.keyword.endswith("/required")


def _has_undeclared(value: Json, violation: Violation, view: SchemaView) -> bool:
    for part in violation.path:
        view = view.child(part)
    holder = value_at(value, violation.path)
    return isinstance(holder, dict) and any(not view.declares(key) for key in holder)


def _read_strict(text: str) -> Json:
    try:
        return parse_json(text)
    except JsonError:
        return None


def _no_text(_text: str) -> Json:
    return None
