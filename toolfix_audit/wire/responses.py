"""OpenAI Responses: items by id or output index; complete copies replace what was streamed."""

from __future__ import annotations

from typing import Final

from toolfix_audit.model.json import Json
from toolfix_audit.wire.draft import CallDraft, MessageDraft, TextDraft
from toolfix_audit.wire.fields import integer_of, object_of, objects_of, text_of
from toolfix_audit.wire.parts import Answer, WireResult

CALL_TYPES: Final = ("function_call", "custom_tool_call", "mcp_call")
"""Items that call a tool by name; searches, shells and the like have no arguments."""

_TERMINAL: Final = ("response.completed", "response.failed", "response.incomplete", "response.done")
_CALL_EVENTS: Final = (
    "response.function_call_arguments.",
    "response.custom_tool_call_input.",
    "response.mcp_call_arguments.",
)
_TEXT_EVENTS: Final = ("response.output_text.", "response.text.", "response.refusal.")
_REASONING_EVENTS: Final = ("response.reasoning_text.", "response.reasoning_summary_text.")


def is_responses(body: dict[str, Json]) -> bool:
    """Whether a body or an event is of this protocol."""
    kind = body.get("type")
    return (
        (isinstance(kind, str) and kind.startswith("response."))
        or body.get("object") == "response"
        or any(is_item(item) for item in objects_of(body, "output"))
    )


def is_item(item: dict[str, Json]) -> bool:
    """Whether an object is an output item: a message, a call or reasoning."""
    kind = item.get("type")
    return kind in CALL_TYPES or (kind == "message" and "content" in item) or kind == "reasoning"


def read_responses(body: dict[str, Json]) -> Answer:
    """The answer that a body holds whole, or as far as it has come."""
    draft = MessageDraft()
    tools: list[Json] = []
    for item in objects_of(body, "output"):
        add_item(draft, item)
        tools.extend(listed_tools(item))
    draft.finish_reason = _finish_of(body)
    complete = body.get("status") in ("completed", None)
    return Answer(
        (draft.message(),),
        text_of(body, "id"),
        text_of(body, "model"),
        body.get("created_at"),
        complete=complete,
        reason=None if complete else _why(body),
        tools=tuple(tools),
    )


def add_item(draft: MessageDraft, item: dict[str, Json]) -> None:
    """Add what an item holds that is whole; nothing for one of an unknown kind."""
    kind = item.get("type")
    if kind in CALL_TYPES:
        _fill_call(_open_call(draft, item), item)
        _add_hosted_result(draft, item)
    elif kind == "reasoning":
        draft.add_text(_text_of_item(item), reasoning=True)
    elif kind == "message":
        draft.add_text(_text_of_item(item))


def listed_tools(item: dict[str, Json]) -> list[Json]:
    """The tools that an item adds: those of a remote server, or those that a search found."""
    return list(objects_of(item, "tools"))


class ResponsesAssembler:
    """Puts the events of one answer together."""

    def __init__(self) -> None:
        self._draft = MessageDraft()
        self._by_id: dict[str, TextDraft | CallDraft] = {}
        self._by_index: dict[int, TextDraft | CallDraft] = {}
        self._answered: set[str] = set()
        self._tools: list[Json] = []
        self._head: dict[str, Json] = {}
        self._ended = False

    def feed(self, event: dict[str, Json]) -> None:
        """Take one event; unknown ones give nothing."""
        kind = text_of(event, "type") or ""
        if kind in ("response.output_item.added", "response.output_item.done"):
            self._take_item(
                object_of(event, "item"),
                integer_of(event, "output_index"),
                whole=kind.endswith("done"),
            )
        elif kind.startswith((*_CALL_EVENTS, *_TEXT_EVENTS, *_REASONING_EVENTS)):
            self._take_fragment(kind, event)
        elif kind in _TERMINAL:
            self._end(kind, object_of(event, "response"))
        elif kind.startswith("response.") and isinstance(event.get("response"), dict):
            self._head = object_of(event, "response")

    def starts_anew(self, event: dict[str, Json]) -> bool:
        """Whether an event begins another answer."""
        return event.get("type") == "response.created" and bool(self._by_index or self._ended)

    def is_finished(self) -> bool:
        """Whether the last event of an answer came."""
        return self._ended

    def answer(self) -> Answer:
        """The answer as it is now."""
        complete = self._ended and self._head.get("status", "completed") == "completed"
        return Answer(
            (self._draft.message(),),
            text_of(self._head, "id"),
            text_of(self._head, "model"),
            self._head.get("created_at"),
            complete=complete,
            reason=None if complete else _why(self._head) if self._ended else "no_terminal_event",
            tools=tuple(self._tools),
        )

    def _end(self, kind: str, response: dict[str, Json]) -> None:
        self._ended = True
        state = kind.removeprefix("response.")
        told = "completed" if state == "done" else state
        self._head = {**self._head, "status": told, **response}
        for index, item in enumerate(objects_of(response, "output")):
            self._take_item(item, index, whole=True)
        self._draft.finish_reason = _finish_of(self._head)

    def _take_item(self, item: dict[str, Json], index: int | None, *, whole: bool) -> None:
        draft = self._known(text_of(item, "id"), index, item)
        if draft is None:
            draft = self._open(item)
            if draft is None:
                self._tools.extend(listed_tools(item) if whole else [])
                return
        if index is not None:
            self._by_index[index] = draft
        if text_of(item, "id"):
            self._by_id[str(item["id"])] = draft
        if isinstance(draft, CallDraft):
            _fill_call(draft, item)
            if whole and draft.call_id not in self._answered:
                self._answered |= _add_hosted_result(self._draft, item)
        elif whole:
            draft.replace(_text_of_item(item))

    def _known(
        self, item_id: str | None, index: int | None, item: dict[str, Json]
    ) -> TextDraft | CallDraft | None:
        draft = self._by_id.get(item_id or "")
        if draft is None and index is not None:
            draft = self._by_index.get(index)
            if draft is not None and isinstance(draft, CallDraft) is not _is_call(item):
                return None
            if isinstance(draft, CallDraft) and item.get("call_id") != draft.call_id:
                return None
        return draft

    def _open(self, item: dict[str, Json]) -> TextDraft | CallDraft | None:
        if _is_call(item):
            return _open_call(self._draft, item)
        kind = item.get("type")
        if kind in ("message", "reasoning"):
            return self._draft.open_text(reasoning=kind == "reasoning")
        return None

    def _take_fragment(self, kind: str, event: dict[str, Json]) -> None:
        draft = self._by_id.get(text_of(event, "item_id") or "")
        index = integer_of(event, "output_index")
        if draft is None and index is not None:
            draft = self._by_index.get(index)
        if draft is None:
            draft = self._open_unannounced(kind, event, index)
        if isinstance(draft, CallDraft):
            if kind.endswith(".delta"):
                draft.arguments.add(event.get("delta"))
            elif kind.endswith(".done"):
                draft.arguments.replace(event.get("arguments", event.get("input")))
                draft.tool = draft.tool or text_of(event, "name") or ""
        elif kind.endswith(".delta"):
            draft.add(event.get("delta"))

    def _open_unannounced(
        self, kind: str, event: dict[str, Json], index: int | None
    ) -> TextDraft | CallDraft:
        """Begin an item whose announcement was lost."""
        draft: TextDraft | CallDraft
        if kind.startswith(_CALL_EVENTS):
            draft = self._draft.open_call(text_of(event, "call_id"), text_of(event, "name"))
        else:
            draft = self._draft.open_text(reasoning=kind.startswith(_REASONING_EVENTS))
        if index is not None:
            self._by_index[index] = draft
        if text_of(event, "item_id"):
            self._by_id[str(event["item_id"])] = draft
        return draft


def _is_call(item: dict[str, Json]) -> bool:
    return item.get("type") in CALL_TYPES


def _open_call(draft: MessageDraft, item: dict[str, Json]) -> CallDraft:
    call_id = text_of(item, "call_id") or text_of(item, "id")
    hosted = item.get("type") == "mcp_call"
    return draft.open_call(call_id, text_of(item, "name"), hosted=hosted)


def _fill_call(call: CallDraft, item: dict[str, Json]) -> None:
    call.call_id = text_of(item, "call_id") or call.call_id or text_of(item, "id")
    call.tool = call.tool or text_of(item, "name") or ""
    call.arguments.replace(item.get("arguments", item.get("input")))


def _add_hosted_result(draft: MessageDraft, item: dict[str, Json]) -> set[str]:
    """What the provider answered to a call that it ran itself; gives the id of that call."""
    error, output = item.get("error"), item.get("output")
    call_id = text_of(item, "call_id") or text_of(item, "id")
    if item.get("type") != "mcp_call" or call_id is None or (error is None and output is None):
        return set()
    failed = error is not None
    draft.add_result(
        WireResult(call_id, text_of(item, "name"), failed, error if failed else output)
    )
    return {call_id}


def _text_of_item(item: dict[str, Json]) -> str:
    texts = [
        text
        for block in (*objects_of(item, "summary"), *objects_of(item, "content"))
        if (text := text_of(block, "text", "transcript", "refusal"))
    ]
    content = item.get("content")
    return content if isinstance(content, str) else "".join(texts)


def _finish_of(response: dict[str, Json]) -> str | None:
    details = object_of(response, "incomplete_details")
    return text_of(details, "reason") or text_of(response, "status")


def _why(response: dict[str, Json]) -> str:
    return _finish_of(response) or "incomplete"
