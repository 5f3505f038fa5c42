"""Bedrock Agents: the trace of a hosted agent, whose models, tools and answers it tells.

A model's output is a message. What the service then runs is its call, unless the output held the
call itself; the observation is the result. Agents that call agents have runs of their own, whose
steps are told between each other's.
"""

from __future__ import annotations

from typing import Final

from toolfix_audit.model.json import Json, JsonError, parse_json
from toolfix_audit.wire.blocks import add_content
from toolfix_audit.wire.draft import MessageDraft
from toolfix_audit.wire.fields import object_of, objects_of, text_of
from toolfix_audit.wire.parts import Answer, WireCall, WireResult

_TRACES: Final = (
    "preProcessingTrace",
    "orchestrationTrace",
    "routingClassifierTrace",
    "postProcessingTrace",
)
_INPUTS: Final = ("InvocationInput", "LookupInput")
_OUTPUTS: Final = ("InvocationOutput", "LookupOutput")
_ACTION: Final = "actionGroupInvocationInput"


def is_agent_trace(body: dict[str, Json]) -> bool:
    """Whether an event is of this protocol."""
    return any(key in object_of(object_of(body, "trace"), "trace") for key in _TRACES)


class AgentAssembler:
    """Puts the trace of one run together."""

    def __init__(self) -> None:
        self._messages: list[MessageDraft] = []
        self._waiting: dict[str, list[str]] = {}
        self._native: dict[str, int] = {}
        self._model: str | None = None
        self._count = 0
        self._finished = False

    def feed(self, event: dict[str, Json]) -> None:
        """Take one event; unknown ones give nothing."""
        trace = object_of(object_of(event, "trace"), "trace")
        for kind in _TRACES:
            step = object_of(trace, kind)
            asked = text_of(object_of(step, "modelInvocationInput"), "foundationModel")
            self._model = self._model or asked
            if "modelInvocationOutput" in step:
                self._take_output(object_of(step, "modelInvocationOutput"))
            self._take_call(object_of(step, "invocationInput"))
            self._take_observation(object_of(step, "observation"))

    def starts_anew(self, _: dict[str, Json]) -> bool:
        """A connection holds one run."""
        return False

    def is_finished(self) -> bool:
        """Whether the run gave its final response."""
        return self._finished

    def answer(self) -> Answer:
        """The run as it is now."""
        return Answer(
            tuple(draft.message() for draft in self._messages),
            model=self._model,
            complete=self._finished,
            reason=None if self._finished else "no_final_response",
        )

    def _take_output(self, output: dict[str, Json]) -> None:
        draft = MessageDraft()
        self._messages.append(draft)
        run = _run(output)
        text = text_of(object_of(output, "rawResponse"), "content") or ""
        message = _anthropic_message(text)
        if message is None:
            draft.add_text(text)
            self._waiting[run], self._native[run] = [], 0
            return
        add_content(draft, message.get("content"))
        draft.finish_reason = text_of(message, "stop_reason")
        calls = [part.call_id or "" for part in draft.parts() if isinstance(part, WireCall)]
        self._waiting[run], self._native[run] = calls, len(calls)

    def _take_call(self, invocation: dict[str, Json]) -> None:
        for key, told in invocation.items():
            if not key.endswith(_INPUTS) or not isinstance(told, dict):
                continue
            run = _run(invocation)
            if self._native.get(run):
                self._native[run] -= 1
                return
            self._count += 1
            call_id = f"{text_of(invocation, 'traceId') or 'trace'}#{self._count}"
            tool, arguments = _action(told) if key == _ACTION else _hosted(key, told)
            self._last().add_call(call_id, tool, arguments, hosted=True)
            self._waiting.setdefault(run, []).append(call_id)

    def _take_observation(self, observation: dict[str, Json]) -> None:
        self._finished = self._finished or "finalResponse" in observation
        waiting = self._waiting.get(_run(observation), [])
        for key, told in observation.items():
            if key.endswith(_OUTPUTS) and isinstance(told, dict) and waiting:
                failed = "executionError" in told
                content = {name: told[name] for name in told if name != "metadata"}
                text = text_of(told, "text", "executionOutput", "executionError")
                result = WireResult(waiting.pop(0), None, failed, text or content)
                self._last().add_result(result)

    def _last(self) -> MessageDraft:
        if not self._messages:
            self._messages.append(MessageDraft())
        return self._messages[-1]


def _run(step: dict[str, Json]) -> str:
    """The run that a step belongs to: its trace id without the number at the end."""
    return (text_of(step, "traceId") or "").rpartition("-")[0]


def _anthropic_message(text: str) -> dict[str, Json] | None:
    try:
        value = parse_json(text)
    except JsonError:
        return None
    return value if isinstance(value, dict) and "content" in value else None


def _action(told: dict[str, Json]) -> tuple[str, Json]:
    """An action group's function with its parameters, whose values the trace tells as text."""
    tool = text_of(told, "function", "apiPath", "actionGroupName") or _ACTION
    named = {
        str(parameter.get("name")): parameter.get("value")
        for parameter in objects_of(told, "parameters")
    }
    return tool, named


def _hosted(key: str, told: dict[str, Json]) -> tuple[str, Json]:
    end = next(end for end in _INPUTS if key.endswith(end))
    return text_of(told, "agentCollaboratorName") or key.removesuffix(end), told
