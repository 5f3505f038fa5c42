"""Arguments that were text, typed by the schema and by nothing else."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Final

from toolfix_audit.engine.leaks.syntax import WrittenCall
from toolfix_audit.engine.leaks.words import Reason
from toolfix_audit.engine.repair import compile_schema, repair
from toolfix_audit.model.json import Json, JsonError, parse_json
from toolfix_audit.model.repair import Judge, JudgeLimitError, Unusable
from toolfix_audit.model.words import Outcome

_GOOD: Final = frozenset({Outcome.VALID, Outcome.FIXED, Outcome.SWALLOWED})


@dataclass(frozen=True, slots=True)
class TypedCall:
    """A call as it would be made, or why it can't be."""

    name: str
    arguments: Json
    reason: Reason | None = None


def typed_call(
    call: WrittenCall, name: str | None, tools: Mapping[str, Json], families: Collection[str]
) -> TypedCall:
    """The call of a tool, its arguments repaired by the families given. Text without a type is
    read as another type only where the schema takes no text; where it takes both, it stays text
    and the call can't be repaired. Never raises."""
    if name is None or call.arguments is None:
        return TypedCall(name or call.name, call.arguments)
    done = repair(call.arguments, tools[name], families=families)
    if done.outcome is Outcome.UNJUDGED:
        return TypedCall(name, call.arguments, Reason.UNJUDGED)
    if done.outcome not in _GOOD:
        return TypedCall(name, call.arguments, Reason.INVALID_ARGUMENTS)
    reason = Reason.UNTYPED_VALUE if _has_two_readings(call, done.arguments, tools[name]) else None
    return TypedCall(name, done.arguments, reason)


def _has_two_readings(call: WrittenCall, typed: Json, schema: Json) -> bool:
    """Whether the text of an untyped value stayed text although what it spells is valid too."""
    if not isinstance(typed, dict) or not isinstance(call.arguments, dict):
        return False
    texts = {key: call.arguments[key] for key in call.untyped if key in typed}
    spelled = {key: _spelled(text) for key, text in texts.items() if typed[key] is text}
    if not any(spelled.values()):
        return False
    judge = compile_schema(schema)
    return not isinstance(judge, Unusable) and any(
        _takes(judge, {**typed, key: values[0]}) for key, values in spelled.items() if values
    )


def _takes(judge: Judge, arguments: Json) -> bool:
    try:
        return judge.is_valid(arguments)
    except JudgeLimitError:
        return True


def _spelled(text: Json) -> tuple[Json, ...]:
    """The value that a text spells as JSON, unless it is text again."""
    try:
        value = parse_json(text) if isinstance(text, str) else text
    except JsonError:
        return ()
    return () if isinstance(value, str) else (value,)
