"""Requests to models: the tools sent, and the history of calls, results and texts repeated."""

from __future__ import annotations

from typing import Final

from toolfix_audit.model.json import Json
from toolfix_audit.wire.blocks import add_content
from toolfix_audit.wire.chat import add_message
from toolfix_audit.wire.draft import MessageDraft
from toolfix_audit.wire.fields import object_of, objects_of, text_of
from toolfix_audit.wire.interactions import add_step
from toolfix_audit.wire.parts import Message, Part, Request, WireCall, WireResult
from toolfix_audit.wire.responses import add_item

_MODEL_ROLES: Final = ("assistant", "model", "ROLE_ASSISTANT")
_RESULT_ROLES: Final = ("tool", "function", "ROLE_TOOL")
_OUTPUT_TYPES: Final = ("function_call_output", "custom_tool_call_output")


def is_request(body: Json) -> bool:
    """Whether a body asks a model for an answer, in any of the known protocols."""
    if not isinstance(body, dict):
        return False
    if any(objects_of(body, key) for key in ("messages", "contents")):
        return True
    return "input" in body and ("model" in body or "agent" in body) and not _is_embedding(body)


def read_request(body: dict[str, Json]) -> Request:
    """The tools and the history of a request. Only what the model said, and what was answered to
    its calls, is history; what a user wrote is none."""
    told = [
        *(_of_message(message, message.get("content")) for message in objects_of(body, "messages")),
        *(_of_message(content, content.get("parts")) for content in objects_of(body, "contents")),
        *(_of_item(item) for item in objects_of(body, "input")),
    ]
    return Request(
        tuple(Message(_named(parts)) for parts in told if parts),
        _tools(body),
        text_of(body, "model", "modelId"),
        _previous(body),
    )


def _is_embedding(body: dict[str, Json]) -> bool:
    return "encoding_format" in body or "dimensions" in body


def _of_message(message: dict[str, Json], content: Json) -> tuple[Part, ...]:
    draft = MessageDraft()
    role = message.get("role")
    if role in _RESULT_ROLES and isinstance(message.get("parts"), list):
        add_content(draft, content)
    elif role in _RESULT_ROLES:
        call_id = text_of(message, "tool_call_id")
        tool = text_of(message, "name", "tool_name")
        failed = message.get("is_error") is True
        return (WireResult(call_id, tool, failed, _plain(content)),)
    elif role in _MODEL_ROLES:
        if "content" in message and not isinstance(content, str):
            add_content(draft, content)
            message = {key: message[key] for key in message if key != "content"}
        add_message(draft, message)
        if "parts" in message:
            add_content(draft, content)
    else:
        add_content(draft, content)
        return tuple(part for part in draft.parts() if isinstance(part, WireResult))
    return draft.parts()


def _of_item(item: dict[str, Json]) -> tuple[Part, ...]:
    """One item of a Responses or Interactions input."""
    kind = item.get("type")
    draft = MessageDraft()
    if kind in _OUTPUT_TYPES:
        call_id = text_of(item, "call_id")
        return (WireResult(call_id, None, False, item.get("output")),)
    if kind in ("function_result", "model_output") or (kind == "function_call" and _is_step(item)):
        add_step(draft, item)
    elif item.get("role") in (None, *_MODEL_ROLES):
        add_item(draft, {"type": "message", **item})
    return draft.parts()


def _is_step(item: dict[str, Json]) -> bool:
    return "call_id" not in item and isinstance(item.get("arguments"), dict)


def _plain(content: Json) -> Json:
    """A result's content; text blocks that tell no type are told one."""
    if not isinstance(content, list):
        return content
    return [
        {"type": "text", **block} if isinstance(block, dict) and list(block) == ["text"] else block
        for block in content
    ]


def _named(parts: tuple[Part, ...]) -> tuple[Part, ...]:
    """Parts without calls that name no tool: nothing can be said of those."""
    return tuple(part for part in parts if not isinstance(part, WireCall) or part.tool)


def _tools(body: dict[str, Json]) -> Json:
    """The list of tools, wherever the protocol has it; additions in the input count."""
    tools = body.get("tools", object_of(body, "toolConfig").get("tools"))
    if not isinstance(tools, list):
        tools = body.get("functions")
    added = [tool for item in objects_of(body, "input") for tool in objects_of(item, "tools")]
    if not isinstance(tools, list):
        return list(added) or None
    return [*tools, *added]


def _previous(body: dict[str, Json]) -> str | None:
    conversation = body.get("conversation")
    if isinstance(conversation, dict):
        conversation = conversation.get("id")
    named = text_of(body, "previous_response_id", "previous_interaction_id")
    return named or (conversation if isinstance(conversation, str) else None)
