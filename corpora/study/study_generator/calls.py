"""The calls of a session: intended arguments that validate, what was sent, what came of it."""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Final

from jsonschema import Draft202012Validator

from study_generator import verdicts
from study_generator.damage import DAMAGED_KINDS, Damage, damage, fit, target_tool
from study_generator.intents import BUILDERS, WEIGHTS
from study_generator.jsontext import json_text_call
from study_generator.lookalikes import LOOK_ALIKES, LookAlike
from study_generator.plan import SessionPlan, Slot
from study_generator.schemas import Arguments
from study_generator.servers import SERVERS, TOOLS, server_of
from study_generator.tools import NATIVE_TOOLS, Tool
from study_generator.words import Words

_VALIDATORS: Final = {name: Draft202012Validator(tool.parameters) for name, tool in TOOLS.items()}
# Asked again and again with the same filter in one session, so that no later call contradicts
# an unwrapped one.
_POLLED: Final = frozenset({"job_list", "get_goal", "list_agents", "repo_status"})


class BrokenPromiseError(Exception):
    """A call that the figures don't allow; it would be a fault of the generator."""


@dataclass(frozen=True, slots=True)
class Call:
    """One call with its truth and the host's answer."""

    slot: Slot
    tool: str
    intended: Arguments
    damage: Damage
    answer: verdicts.Answer


def offered_tools(plan: SessionPlan, rng: Random) -> list[Tool]:
    """The tools of a session: all native ones, and some servers; those that it calls for sure."""
    needed = {server_of(_look_alike(slot).tool) for slot in plan.slots if ":" in slot.kind}
    tools = list(NATIVE_TOOLS)
    for server, group in SERVERS.items():
        if rng.randrange(100) < 45 or server in needed:
            tools += group
    return tools


def _look_alike(slot: Slot) -> LookAlike:
    choices = LOOK_ALIKES[slot.kind.split(":")[1]]
    return choices[int(slot.detail) % len(choices)]


class SessionCalls:
    """Makes the calls of one session, in order."""

    def __init__(
        self, plan: SessionPlan, tools: list[Tool], *, rng: Random, tags: Iterator[int], cwd: str
    ) -> None:
        self._plan = plan
        self._names = [tool.name for tool in tools]
        self._weights = [WEIGHTS.get(name, 4) for name in self._names]
        self._rng = rng
        self._tags = tags
        self._cwd = cwd
        self._polled: dict[str, Arguments] = {}
        self._swallows = any(slot.kind == "swallowed" for slot in plan.slots)

    def all(self) -> list[Call]:
        """Every call of the session."""
        calls: list[Call] = []
        for place, slot in enumerate(self._plan.slots):
            if slot.kind == "retry":
                first = calls[self._plan.retry_of[place]]
                tool, intended = first.tool, first.intended
            else:
                tool, intended = self._intend(slot)
            calls.append(self._call(slot, tool, intended))
        return calls

    def _intend(self, slot: Slot) -> tuple[str, Arguments]:
        words = Words(self._rng)
        if slot.kind in DAMAGED_KINDS:
            words = Words(self._rng, str(next(self._tags)))
            tool = target_tool(slot, words)
            return tool, fit(slot, self._arguments(tool, words), words)
        if slot.kind == "json-text":
            return json_text_call(words)
        if ":" in slot.kind:
            look_alike = _look_alike(slot)
            return look_alike.tool, look_alike.build(words)
        tool = self._rng.choices(self._names, self._weights)[0]
        return tool, self._arguments(tool, words)

    def _arguments(self, tool: str, words: Words) -> Arguments:
        if tool not in _POLLED:
            return BUILDERS[tool](words)
        while tool not in self._polled:
            arguments = BUILDERS[tool](words)
            if arguments or not self._swallows:
                self._polled[tool] = arguments
        return self._polled[tool]

    def _call(self, slot: Slot, tool: str, intended: Arguments) -> Call:
        if not _VALIDATORS[tool].is_valid(intended):
            raise BrokenPromiseError(f"{tool}: intended arguments do not validate: {intended}")
        done = Damage(intended, None, "valid")
        if slot.kind in DAMAGED_KINDS:
            done = damage(slot, intended)
        answer = self._answer(slot, tool, done.sent)
        rejected = answer.host == "rejected_arguments"
        if rejected is _VALIDATORS[tool].is_valid(done.sent):
            raise BrokenPromiseError(f"{tool}: the host and the validator differ: {done.sent}")
        if rejected is (done.outcome in ("valid", "swallowed")):
            raise BrokenPromiseError(f"{tool}: the host and the truth differ: {done.sent}")
        return Call(slot, tool, intended, done, answer)

    def _answer(self, slot: Slot, tool: str, sent: Arguments) -> verdicts.Answer:
        words = Words(self._rng)
        rejected = verdicts.rejection(TOOLS[tool].parameters, sent)
        if rejected:
            return rejected
        if slot.kind == "json-text":
            return verdicts.unread_file(tool, self._cwd, sent["file_path"])
        failure = None
        if slot.kind == "valid":
            failure = verdicts.domain_failure(tool, sent, self._cwd, words)
        return failure or verdicts.success(tool, words)
