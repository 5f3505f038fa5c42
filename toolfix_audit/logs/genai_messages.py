"""What a GenAI span tells: the model's answers, the results sent to it, and the tools.

Three spellings: the OpenTelemetry conventions (`gen_ai.output.messages` with parts), the numbered
attributes of OpenLLMetry (`gen_ai.completion.0.…`) and of OpenInference
(`llm.output_messages.0.message.…`). All come out as messages in OpenAI's chat form.
"""

from __future__ import annotations

from toolfix_audit.logs.dialogues import Row
from toolfix_audit.logs.fields import list_at, object_at, text_at
from toolfix_audit.logs.span_attributes import decoded, items_at, numbered
from toolfix_audit.model.json import Json


def answers_in(attributes: Row) -> list[Row]:
    """The messages that the model wrote."""
    standard = _messages(attributes.get("gen_ai.output.messages"))
    if standard:
        return [_answer(message) for message in standard]
    legacy = [_numbered_answer(item) for item in numbered(attributes, "gen_ai.completion")]
    return legacy or [
        _numbered_answer(object_at(item, "message"))
        for item in numbered(attributes, "llm.output_messages")
    ]


def results_in(attributes: Row) -> list[Row]:
    """The results of earlier calls that were sent to the model, as messages of the tool."""
    standard = _messages(attributes.get("gen_ai.input.messages"))
    if standard:
        return [
            {"role": "tool", "tool_call_id": part.get("id"), "content": _response(part)}
            for message in standard
            for part in _parts(message)
            if part.get("type") == "tool_call_response"
        ]
    prompts = numbered(attributes, "gen_ai.prompt") + [
        object_at(item, "message") for item in numbered(attributes, "llm.input_messages")
    ]
    return [prompt for prompt in prompts if prompt.get("role") == "tool"]


def tools_in(attributes: Row) -> list[Json]:
    """The tools that were offered."""
    standard = decoded(attributes.get("gen_ai.tool.definitions"))
    if isinstance(standard, list):
        return standard
    functions: list[Json] = [
        {**item, "parameters": decoded(item.get("parameters"))}
        for item in numbered(attributes, "llm.request.functions")
    ]
    return functions or [
        decoded(object_at(item, "tool").get("json_schema"))
        for item in numbered(attributes, "llm.tools")
    ]


def _messages(value: Json) -> list[Row]:
    found = decoded(value)
    return (
        [message for message in found if isinstance(message, dict)]
        if isinstance(found, list)
        else []
    )


def _parts(message: Row) -> list[Row]:
    return [part for part in list_at(message, "parts") if isinstance(part, dict)]


def _response(part: Row) -> Json:
    return part.get("response", part.get("result"))


def _answer(message: Row) -> Row:
    parts = _parts(message)
    calls: list[Json] = [part for part in parts if part.get("type") == "tool_call"]
    return {
        "role": "assistant",
        "reasoning": _joined(parts, "reasoning"),
        "content": _joined(parts, "text"),
        "tool_calls": calls,
        "finish_reason": message.get("finish_reason"),
    }


def _joined(parts: list[Row], kind: str) -> str:
    texts = [text_at(part, "content") for part in parts if part.get("type") == kind]
    return "\n".join(text for text in texts if text)


def _numbered_answer(message: Row) -> Row:
    calls = [call for call in items_at(message, "tool_calls") if isinstance(call, dict)]
    return {
        "role": "assistant",
        "content": message.get("content"),
        "tool_calls": [object_at(call, "tool_call") or call for call in calls],
        "finish_reason": message.get("finish_reason"),
    }
