"""An engine in another process. It only says what the arguments should be; what that is worth,
our judge decides.

The engine may tell its `steps`, the resolved `tool` and the `reason` why it left a call; only its
`arguments` count. An answer that leaves the call says so; one that says neither is no answer.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from toolfix_audit.audit.foreign.process import NoAnswerError, Process
from toolfix_audit.audit.foreign.spelling import spelled_like
from toolfix_audit.audit.foreign.steps import derived_steps, told_steps
from toolfix_audit.audit.misfix.shapes import innermost
from toolfix_audit.engine import repair
from toolfix_audit.model.json import Json, JsonError, parse_json, same_json
from toolfix_audit.model.repair import Judge, JudgeLimitError, Repair, Unusable
from toolfix_audit.model.words import Outcome, UntouchedReason

Compile = Callable[[Json], Judge | Unusable]

LEAVES: Final = ("refused", "unusable", "error")
"""An answer with one of these keys leaves the call: the engine does not want to, can't read such
a request, or failed at it. A failure counts as no answer."""

_REASONS: Final = frozenset(reason.value for reason in UntouchedReason)


@dataclass(frozen=True, slots=True)
class ForeignEngine:
    """The engine of a supervised process, judged by the judge that `compile` gives."""

    process: Process
    compile: Compile

    def repair(
        self, arguments: Json, schema: Json, *, judge: Judge | None = None, tool: str | None = None
    ) -> Repair:
        """What the engine did with a call's arguments, as a repair of ours would be told.

        A call that the engine gave no answer for is left: `valid`, or `untouched` (`limit`).

        Raises:
            ForeignError: the engine gave no answer too often in a row.
        """
        compiled = judge or self.compile(schema)
        if isinstance(compiled, Unusable):
            return Repair(Outcome.UNJUDGED, tool, arguments, (), (), (), compiled.reason)
        left = replace(repair(arguments, schema, judge=compiled, families=()), tool=tool)
        if left.outcome is Outcome.UNJUDGED or left.reason is UntouchedReason.LIMIT:
            return left
        try:
            request = _request(arguments, schema, tool)
            answer = self.process.ask(request, holds=("arguments", *LEAVES))
        except NoAnswerError:
            return _left(left, UntouchedReason.LIMIT)
        start = _start(arguments)
        if "error" in answer:
            self.process.failures["error"] += 1
            return _left(left, UntouchedReason.LIMIT)
        if "arguments" not in answer:
            return _left(left, answer.get("reason"))
        result = spelled_like(answer["arguments"], start)
        if result is start or (isinstance(result, str) and result == arguments):
            return _left(left, answer.get("reason"))
        steps = told_steps(answer.get("steps"), start, result)
        steps = steps or derived_steps(arguments, start, result, schema)
        changed = replace(left, arguments=result, steps=steps, reason=None)
        return _judged(changed, left, schema, judge=compiled)

    def meant(self, tool: str, arguments: Json, tools: Mapping[str, Json]) -> str | None:
        """The available tool that the engine takes a name for; None if it tells none.

        Raises:
            ForeignError: the engine gave no answer too often in a row.
        """
        request: dict[str, Json] = {"tools": dict(tools), "tool": tool, **_given(arguments)}
        try:
            told = self.process.ask(request, holds=("tool", "arguments", *LEAVES)).get("tool")
        except NoAnswerError:
            return None
        return told if isinstance(told, str) and told in tools else None


def _judged(changed: Repair, left: Repair, schema: Json, *, judge: Judge) -> Repair:
    """A change with what the judge says of it; the call as it was `left` where it gives up."""
    try:
        after = tuple(judge.violations(changed.arguments))
    except JudgeLimitError:
        return _left(left, UntouchedReason.LIMIT)
    outcome = Outcome.STILL_FAILING if after else Outcome.FIXED
    valid = not left.violations_before
    if valid and is_swallowed(left.arguments, changed.arguments, schema, judge):
        outcome = Outcome.SWALLOWED
    return replace(changed, outcome=outcome, violations_after=after)


def is_swallowed(arguments: Json, result: Json, schema: Json, judge: Judge) -> bool:
    """Whether a change is the one that valid arguments may undergo, by the rule of family A."""
    ours = repair(arguments, schema, judge=judge)
    if ours.outcome is not Outcome.SWALLOWED:
        return False
    return same_json(result, ours.arguments) or same_json(result, innermost(_start(arguments)))


def _request(arguments: Json, schema: Json, tool: str | None) -> dict[str, Json]:
    request: dict[str, Json] = {"schema": schema, **_given(arguments)}
    return request if tool is None else {**request, "tool": tool}


def _given(arguments: Json) -> dict[str, Json]:
    return {"args_text" if isinstance(arguments, str) else "args": arguments}


def _start(arguments: Json) -> Json:
    """What the steps start from: the parsed value, or the text that does not parse."""
    try:
        return parse_json(arguments) if isinstance(arguments, str) else arguments
    except JsonError:
        return arguments


def _left(left: Repair, reason: Json) -> Repair:
    """The call as it is, with the reason that the engine told, if it is one of ours."""
    if left.outcome is not Outcome.UNTOUCHED or not isinstance(reason, str):
        return left
    return replace(left, reason=UntouchedReason(reason)) if reason in _REASONS else left
