"""Chat Completions and the protocols that are built like it (xAI, Cohere, Ollama)."""

from __future__ import annotations

from typing import Final

from toolfix_audit.model.json import Json
from toolfix_audit.wire.call_keys import CallKeys, Fragment
from toolfix_audit.wire.draft import CallDraft, MessageDraft
from toolfix_audit.wire.fields import integer_of, object_of, objects_of, text_of
from toolfix_audit.wire.parts import Answer, Message

_HOSTED: Final = ("TOOL_CALL_TYPE_MCP_TOOL",)
_BUILT_IN: Final = "TOOL_CALL_TYPE_"
_CLIENT_SIDE: Final = ("TOOL_CALL_TYPE_CLIENT_SIDE_TOOL", *_HOSTED)
_COHERE_EVENTS: Final = frozenset(
    {
        "message-start",
        "content-start",
        "content-delta",
        "content-end",
        "tool-plan-delta",
        "tool-call-start",
        "tool-call-delta",
        "tool-call-end",
        "message-end",
    }
)


def is_chat(body: dict[str, Json]) -> bool:
    """Whether a body or an event is of this protocol."""
    return (
        isinstance(body.get("choices"), list)
        or body.get("object") in ("chat.completion", "chat.completion.chunk")
        or bool(objects_of(body, "outputs") and _looks_like_choice(objects_of(body, "outputs")[0]))
        or _is_single(body)
        or _is_cohere(body)
    )


def is_whole_chat(body: dict[str, Json]) -> bool:
    """Whether a body holds its messages whole, and is no chunk of a stream."""
    if "done" in body or body.get("object") == "chat.completion.chunk":
        return False
    return any("message" in choice and "delta" not in choice for choice in _choices(body))


def read_chat(body: dict[str, Json]) -> Answer:
    """The answer that a body holds whole."""
    messages: list[Message] = []
    for choice in _choices(body):
        draft = MessageDraft()
        add_message(draft, object_of(choice, "message", "delta"))
        draft.finish_reason = text_of(choice, "finish_reason")
        messages.append(draft.message())
    return Answer(
        tuple(messages),
        text_of(body, "id"),
        text_of(body, "model"),
        body.get("created", body.get("created_at")),
    )


def add_message(draft: MessageDraft, message: dict[str, Json]) -> None:
    """Add the parts of a message that is whole."""
    _add_texts(draft, message)
    for entry in _entries(message):
        function = _function(entry)
        draft.add_call(
            text_of(entry, "id"),
            text_of(function, "name"),
            function.get("arguments"),
            hosted=entry.get("type") in _HOSTED,
        )


class ChatAssembler:
    """Puts the chunks of one answer together."""

    def __init__(self) -> None:
        self._choices: dict[int, _Choice] = {}
        self._head: dict[str, Json] = {}

    def feed(self, event: dict[str, Json]) -> None:
        """Take one chunk."""
        for key in ("id", "model", "created", "created_at"):
            if event.get(key):
                self._head.setdefault(key, event[key])
        for position, choice in enumerate(_choices(event)):
            number = integer_of(choice, "index")
            number = position if number is None else number
            self._choices.setdefault(number, _Choice()).take(choice)

    def starts_anew(self, event: dict[str, Json]) -> bool:
        """Whether a chunk belongs to another answer than those before."""
        mine, other = self._head.get("id"), event.get("id")
        return bool(mine and other and mine != other and self.is_finished())

    def is_finished(self) -> bool:
        """Whether every choice has its finish reason."""
        return bool(self._choices) and all(
            choice.draft.finish_reason for choice in self._choices.values()
        )

    def answer(self) -> Answer:
        """The answer as it is now."""
        complete = self.is_finished()
        return Answer(
            tuple(choice.draft.message() for choice in self._choices.values()),
            text_of(self._head, "id"),
            text_of(self._head, "model"),
            self._head.get("created", self._head.get("created_at")),
            complete=complete,
            reason=None if complete else "no_finish_reason",
        )


def read_fragment(entry: dict[str, Json]) -> Fragment:
    """What one entry of a delta's calls holds."""
    function = _function(entry)
    index = integer_of(entry, "index")
    return Fragment(
        text_of(entry, "id"),
        integer_of(function, "index") if index is None else index,
        text_of(function, "name"),
        function.get("arguments"),
    )


class _Choice:
    """One choice: its message, and which call a fragment belongs to."""

    def __init__(self) -> None:
        self.draft = MessageDraft()
        self._keys: CallKeys[CallDraft] = CallKeys()

    def take(self, choice: dict[str, Json]) -> None:
        delta = object_of(choice, "delta", "message")
        _add_texts(self.draft, delta)
        for entry in _entries(delta):
            self._add(entry)
        reason = text_of(choice, "finish_reason")
        if reason:
            self.draft.finish_reason = reason

    def _add(self, entry: dict[str, Json]) -> None:
        hosted = entry.get("type") in _HOSTED
        fragment = read_fragment(entry)
        call = self._keys.call_of(
            fragment,
            lambda: self.draft.open_call(fragment.call_id, fragment.tool, hosted=hosted),
        )
        call.arguments.add(fragment.arguments)


def _choices(body: dict[str, Json]) -> list[dict[str, Json]]:
    """The choices of a body or chunk, whatever the protocol calls them."""
    if _is_cohere(body):
        delta = object_of(body, "delta")
        entry: dict[str, Json] = {"delta": object_of(delta, "message")}
        if "index" in body:
            entry["delta"] = _cohere_indexed(object_of(delta, "message"), body["index"])
        return [{"index": 0, **entry, "finish_reason": delta.get("finish_reason")}]
    if _is_single(body):
        reason = text_of(body, "finish_reason", "done_reason")
        return [{"index": 0, "message": object_of(body, "message"), "finish_reason": reason}]
    return objects_of(body, "choices", "outputs")


def _is_single(body: dict[str, Json]) -> bool:
    """Whether a body holds its one message bare, as Ollama and Cohere write it."""
    told = "choices" not in body and ("done" in body or "finish_reason" in body)
    return told and object_of(body, "message").get("role") == "assistant"


def _cohere_indexed(message: dict[str, Json], index: Json) -> dict[str, Json]:
    """Cohere tells a call's index beside the message and not in the call."""
    call = object_of(message, "tool_calls")
    return {**message, "tool_calls": [{**call, "index": index}]} if call else message


def _entries(message: dict[str, Json]) -> list[dict[str, Json]]:
    """The calls of a message or delta that name functions; the older single `function_call` is
    one without id and index. What a provider searches or runs by itself is none."""
    entries = objects_of(message, "tool_calls", "toolCalls")
    legacy = object_of(message, "function_call")
    if legacy:
        entries = [*entries, {"function": legacy}]
    return [entry for entry in entries if not is_built_in(entry)]


def is_built_in(entry: dict[str, Json]) -> bool:
    """Whether an entry calls what the provider runs by itself."""
    kind = entry.get("type")
    return isinstance(kind, str) and kind.startswith(_BUILT_IN) and kind not in _CLIENT_SIDE


def _function(entry: dict[str, Json]) -> dict[str, Json]:
    function = object_of(entry, "function", "custom") or entry
    if "arguments" not in function and "input" in function:
        return {**function, "arguments": function["input"]}
    return function


def _add_texts(draft: MessageDraft, message: dict[str, Json]) -> None:
    for key in ("reasoning_content", "reasoning", "thinking", "tool_plan"):
        if isinstance(message.get(key), str):
            draft.add_text(message[key], reasoning=True)
            break
    content = message.get("content")
    if isinstance(content, str):
        draft.add_text(content)
    blocks = [content] if isinstance(content, dict) else objects_of(message, "content")
    for block in blocks:
        if "thinking" in block:
            for inner in objects_of(block, "thinking"):
                draft.add_text(inner.get("text"), reasoning=True)
            draft.add_text(block["thinking"], reasoning=True)
        else:
            draft.add_text(block.get("text"))


def _is_cohere(body: dict[str, Json]) -> bool:
    return ("delta" in body or "index" in body) and text_of(body, "type") in _COHERE_EVENTS


def _looks_like_choice(output: dict[str, Json]) -> bool:
    return "message" in output or "delta" in output
