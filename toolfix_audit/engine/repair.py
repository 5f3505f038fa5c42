"""`repair` and `repair_call`: one call in, one outcome out."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from toolfix_audit.engine.families import ALL, FAMILIES, SAFE
from toolfix_audit.engine.families.k_tool_name_drift import repair_name
from toolfix_audit.engine.judges import shallow as shallow_judge
from toolfix_audit.engine.judges.pair import compile_pair
from toolfix_audit.engine.judges.patterns import pattern_budget
from toolfix_audit.engine.judges.shallow import ShallowJudge, compile_shallow, is_sloppy
from toolfix_audit.engine.proposal import Place, RecordedText
from toolfix_audit.engine.relaxed import read_container
from toolfix_audit.engine.schema_view import SchemaView
from toolfix_audit.engine.search import Search
from toolfix_audit.engine.state import State
from toolfix_audit.engine.wrappers import ARGUMENTS, WRAPPERS, TooManyLayersError, layers_of
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
NOT_SEEN: Final = Violation((), "", None, "the arguments are nested too deeply to be judged")


def compile_schema(schema: Json) -> Judge | Unusable:
    """The default judge for a schema, compiled once per distinct schema; or why there is none.

    A schema that no validator runs, or whose `nullable` they would ignore, gets the shallow
    judge. One that refers to another document, or holds a pattern that can't be run, is
    unusable.
    """
    judge = compile_pair(schema)
    if isinstance(judge, Unusable):
        is_unusable = judge.reason is UnjudgedReason.SCHEMA_UNUSABLE
        return (compile_shallow(schema) if is_unusable else None) or judge
    return (compile_shallow(schema, judge) if is_sloppy(schema) else None) or judge


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
    return repair_read(arguments, _read(arguments), schema, judge=judge, families=families)


def repair_read(
    arguments: Json,
    value: Json | JsonError,
    schema: Json,
    *,
    judge: Judge | None = None,
    families: Collection[str] = SAFE,
) -> Repair:
    """What `repair` gives, for one who has read the arguments already: as this value, or not."""
    compiled = judge or compile_schema(schema)
    if isinstance(compiled, Unusable):
        return _left(arguments, Outcome.UNJUDGED, compiled.reason)
    try:
        if _is_plainly_valid(value, compiled):
            return _left(arguments, Outcome.VALID)
        with pattern_budget():
            return _Call(arguments, value, schema, compiled, _codes(families, compiled)).repaired()
    except JudgeLimitError as limit:
        if isinstance(limit.reason, UnjudgedReason):
            return _left(arguments, Outcome.UNJUDGED, limit.reason)
        return _left(arguments, Outcome.UNTOUCHED, UntouchedReason.LIMIT, (NOT_SEEN,))
    except RecursionError:
        return _left(arguments, Outcome.UNTOUCHED, UntouchedReason.LIMIT, (NOT_SEEN,))


def repair_call(
    tool: str,
    arguments: Json,
    tools: Mapping[str, Json],
    *,
    families: Collection[str] = SAFE,
) -> Repair:
    """Repair a call with the request's own tools (name to schema): the name first, then the
    arguments. A name that is none of them is a violation."""
    may_rename = tool not in tools and "K" in families
    name = repair_name(tool, tools) if may_rename else tool
    unknown = (Violation((), "", None, f"unknown tool {tool!r}"),)
    if name is None or name not in tools:
        reason = UntouchedReason.UNKNOWN_TOOL
        return Repair(Outcome.UNTOUCHED, tool, arguments, (), unknown, unknown, reason)
    done = replace(repair(arguments, tools[name], families=families), tool=name)
    if name == tool or done.outcome is Outcome.UNJUDGED:
        return done
    return replace(
        done,
        outcome=Outcome.STILL_FAILING if done.violations_after else Outcome.FIXED,
        steps=(Step("K", f"name:{tool}→{name}", "", tool, name), *done.steps),
        violations_before=unknown + done.violations_before,
        reason=None,
    )


@dataclass(frozen=True)
class _Call:
    """One call on its way through the engine."""

    arguments: Json
    value: Json | JsonError
    schema: Json
    judge: Judge
    codes: frozenset[str]

    @cached_property
    def view(self) -> SchemaView:
        return SchemaView.of(self.schema)

    def repaired(self) -> Repair:
        arguments, value = self.arguments, self.value
        if isinstance(value, JsonError):
            return self._of_text(str(arguments), value)
        before = tuple(self.judge.violations(value))
        if has_repeated_keys(value):
            if not before:
                return _left(arguments, Outcome.VALID)
            return _left(arguments, Outcome.UNTOUCHED, UntouchedReason.AMBIGUOUS, before)
        if not before:
            swallowed = _swallowed(value, self._search(self.codes))
            return swallowed or _left(arguments, Outcome.VALID)
        search = self._search(self.codes)
        after = _run(search, State(value, before))
        if after is None:
            return self._untouched(before, UntouchedReason.LIMIT)
        if after.steps:
            return self._changed(before, after)
        reason = _first_reason(value, search) or self._opt_in_reason(State(value, before))
        return self._untouched(before, reason or _last_reason(value, before, search.view))

    def _of_text(self, text: str, error: JsonError) -> Repair:
        """A text that does not parse is one violation, and fixed only if all of it is."""
        is_blank = not text.strip()
        if error.at_end and not is_blank:  # no reading closes what is cut
            return self._untouched((NOT_JSON,), UntouchedReason.TRUNCATED)
        after = _run(self._search(self.codes), State(RecordedText(text), (NOT_JSON,)))
        if after is None:
            return self._untouched((NOT_JSON,), UntouchedReason.LIMIT)
        if after.steps:
            return self._changed((NOT_JSON,), after)
        reason = UntouchedReason.EMPTY_ARGUMENTS if is_blank else UntouchedReason.UNPARSEABLE
        return self._untouched((NOT_JSON,), reason)

    def _changed(self, before: tuple[Violation, ...], after: State) -> Repair:
        """What came of a search; a wrapper that is left and swallows the rest goes as well."""
        if after.violations:
            outcome = Outcome.STILL_FAILING
            return Repair(outcome, None, after.value, after.steps, before, after.violations)
        value, steps = after.value, after.steps
        swallowed = _swallowed(value, self._search(self.codes))
        if swallowed is not None:
            value, steps = swallowed.arguments, steps + swallowed.steps
        return Repair(Outcome.FIXED, None, value, steps, before, ())

    def _search(self, codes: frozenset[str]) -> Search:
        chosen = tuple(family for family in FAMILIES if family.code in codes)
        read_text = read_container if "E" in codes else read_strict
        return Search(self.judge, self.view, chosen, read_text)

    def _opt_in_reason(self, start: State) -> str | None:
        """The letter of the opt-in family that would fix the call, if one would."""
        more = self.codes | {f"{code}+" for code in self.codes if f"{code}+" in ALL}
        if more == self.codes:
            return None
        after = _run(self._search(more), start)
        if after is None or after.violations or not after.steps:
            return None
        return after.steps[-1].family

    def _untouched(
        self, violations: tuple[Violation, ...], reason: UntouchedReason | str
    ) -> Repair:
        if isinstance(reason, UntouchedReason):
            return _left(self.arguments, Outcome.UNTOUCHED, reason, violations)
        left = _left(self.arguments, Outcome.UNTOUCHED, UntouchedReason.OPT_IN, violations)
        return replace(left, opt_in=reason)


def _run(search: Search, state: State) -> State | None:
    """What comes of a search; None where it reached a bound, of which nothing may stand."""
    try:
        return search.run(state)
    except JudgeLimitError as limit:
        if isinstance(limit.reason, UnjudgedReason):
            raise
        return None


def _read(arguments: Json) -> Json | JsonError:
    """The value of recorded arguments, or why their text does not parse."""
    try:
        return parse_json(arguments) if isinstance(arguments, str) else arguments
    except JsonError as error:
        return error


def _is_plainly_valid(value: Json | JsonError, judge: Judge) -> bool:
    """Whether the value is valid and can't be a swallowed wrapper: the way of nearly all calls."""
    return (
        isinstance(value, dict)
        and not (ARGUMENTS in value and len(value) == 1)
        and judge.is_valid(value)
    )


def _codes(families: Collection[str], judge: Judge) -> frozenset[str]:
    codes = frozenset(families)
    return codes & shallow_judge.FAMILIES if isinstance(judge, ShallowJudge) else codes


def _swallowed(value: Json, search: Search) -> Repair | None:
    """The one repair of valid arguments: a sole undeclared `arguments` that hides declared keys
    from a tool which requires nothing."""
    view = search.view
    if not any(family.code == "A" for family in search.families) or not isinstance(value, dict):
        return None
    if set(value) != {ARGUMENTS} or view.required_names() or not view.declared_names():
        return None
    try:
        layers = layers_of(Place((), value, view, _no_text))
    except TooManyLayersError:
        return None
    inner = layers[-1].inner if layers else None
    if not isinstance(inner, dict) or not inner or any(layer.key != ARGUMENTS for layer in layers):
        return None
    if not all(view.declares(key) for key in inner):
        return None
    steps = []
    for layer in layers:
        steps.append(Step("A", f"unwrap:{ARGUMENTS}", "", value, layer.inner))
        value = layer.inner
    try:
        start = search.judged(inner, tuple(steps))
        after = search.run(start) if start.violations else start
    except JudgeLimitError:
        return None
    if after.violations:
        return None
    return Repair(Outcome.SWALLOWED, None, after.value, after.steps, (), ())


def _left(
    arguments: Json,
    outcome: Outcome,
    reason: UntouchedReason | UnjudgedReason | None = None,
    violations: tuple[Violation, ...] = (),
) -> Repair:
    return Repair(outcome, None, arguments, (), violations, violations, reason)


def _first_reason(value: Json, search: Search) -> UntouchedReason | None:
    if search.exhausted:
        return UntouchedReason.LIMIT
    if _is_empty(value, search.view):
        return UntouchedReason.EMPTY_ARGUMENTS
    return UntouchedReason.AMBIGUOUS if search.ambiguous else None


def _last_reason(
    value: Json, violations: tuple[Violation, ...], view: SchemaView
) -> UntouchedReason:
    missing = [violation for violation in violations if _is_missing(violation)]
    if any(_has_undeclared(value, violation, view) for violation in missing):
        return UntouchedReason.UNRELATED_KEY
    return UntouchedReason.OMITTED_REQUIRED if missing else UntouchedReason.OTHER


def _is_empty(value: Json, view: SchemaView) -> bool:
    """Whether nothing was sent: null, `{}`, or null inside undeclared wrappers."""
    if value == {}:
        return True
    while isinstance(value, dict) and len(value) == 1:
        (key,) = value
        if key not in WRAPPERS or view.declares(key):
            return False
        value = value[key]
    return value is None


def _is_missing(violation: Violation) -> bool:
    return violation.key is not None and violation.keyword.endswith("/required")


def _has_undeclared(value: Json, violation: Violation, view: SchemaView) -> bool:
    for part in violation.path:
        view = view.child(part)
    holder = value_at(value, violation.path)
    return isinstance(holder, dict) and any(not view.declares(key) for key in holder)


def read_strict(text: str) -> Json:
    """The value that a text spells as strict JSON; None for any other text."""
    try:
        return parse_json(text)
    except JsonError:
        return None


def _no_text(_text: str) -> Json:
    return None
