"""Codex rollouts: one `{timestamp, type, payload}` a line; older ones have the bare items.

Calls, results and texts are `response_item`s; `event_msg` rows mirror them and are not counted.
A custom tool takes free text, which is no JSON and no defect: it is recorded as the value
`{"input": text}`, which is how the same tools take it as functions. A rollout lists only the
tools that a client added, so the names of all others count as known once they are called.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from toolfix_audit.logs.codex_outputs import fault_of, output_content
from toolfix_audit.logs.copied_history import Owners, is_random, lasting_number
from toolfix_audit.logs.fields import (
    RowError,
    arguments_at,
    content_texts,
    iso_time,
    list_at,
    object_at,
    required_text,
    text_at,
)
from toolfix_audit.logs.head import Head
from toolfix_audit.logs.reader import Reader, Tier
from toolfix_audit.logs.row_logs import Row, Sessions, read_rows
from toolfix_audit.logs.session_records import Turn
from toolfix_audit.logs.sources import LogFile
from toolfix_audit.logs.split_messages import SplitMessages
from toolfix_audit.model.json import Json, dump_json, escape_surrogates
from toolfix_audit.model.records import ArgumentsForm, Record, Unit

_ENVELOPES: Final = (
    "session_meta",
    "response_item",
    "event_msg",
    "turn_context",
    "compacted",
    "world_state",
)
_BUILT_IN: Final = {
    "local_shell_call": "local_shell",
    "web_search_call": "web_search",
    "tool_search_call": "tool_search",
}
_CALLS: Final = ("function_call", "custom_tool_call", "tool_call", *_BUILT_IN)
_OUTPUT_KEYS: Final = {
    "function_call_output": "output",
    "custom_tool_call_output": "output",
    "local_shell_call_output": "output",
    "tool_search_output": "tools",
    "function_result": "result",
    "tool_result": "result",
}
_ERRORS: Final = ("error", "stream_error")


class _Log:
    """The session of one rollout."""

    def __init__(self, sessions: Sessions, messages: SplitMessages) -> None:
        self._sessions = sessions
        self._messages = messages
        self._seen = Owners()
        self._turn = Turn()
        self._tools: list[Json] | None = None
        self._reply = 0
        self._begun = False

    def read_row(self, row: Row) -> list[Record] | str:
        """The records of a row, or the kind that it is ignored as.

        Raises:
            RowError: the row lacks what its kind must have.
        """
        kind = text_at(row, "type")
        if kind in _ENVELOPES:
            payload = row.get("payload")
            if not isinstance(payload, dict):
                raise RowError(f"{kind} without a payload")
            return self._enveloped(kind, payload, iso_time(row.get("timestamp")))
        if kind is None and "role" in row:
            row, kind = {**row, "type": "message"}, "message"
        if kind is None:
            return self._old_header(row)
        return self._item(row, iso_time(row.get("timestamp"))) or kind

    def _enveloped(self, kind: str, payload: Row, time: str | None) -> list[Record] | str:
        if kind == "session_meta":
            return self._begin(payload)
        if kind == "turn_context":
            self._turn = replace(self._turn, model=text_at(payload, "model") or self._turn.model)
            return kind
        inner = text_at(payload, "type")
        if kind == "response_item":
            return self._item(payload, time) or f"{kind}/{inner}"
        if kind == "event_msg" and inner in _ERRORS:
            error = object_at(payload, "error") or payload
            shown = text_at(error, "message") or "unknown error"
            return [self._sessions.named().error(shown, code=_error_code(error), raw=payload)]
        return kind if inner is None else f"{kind}/{inner}"

    def _begin(self, meta: Row) -> list[Record] | str:
        """The header; a later one was copied with the history of the session forked from."""
        if self._begun:
            return "session_meta of a copied history"
        self._begun = True
        self._turn = Turn(provider=text_at(meta, "model_provider"))
        records = self._sessions.begin(
            text_at(meta, "id", "session_id"),
            version=text_at(meta, "cli_version"),
            started=iso_time(meta.get("timestamp")),
        )
        self._tools = _dynamic_tools(meta) or None
        return [*records.catalog(self._tools)]

    def _old_header(self, row: Row) -> list[Record] | str:
        if "id" in row and "timestamp" in row:
            return self._begin(row)
        return text_at(row, "record_type") or "untyped"

    def _item(self, item: Row, time: str | None) -> list[Record]:
        kind = text_at(item, "type")
        turn = replace(self._turn, time=time)
        if kind in _CALLS:
            made = self._call(kind, item, turn)
        elif kind in _OUTPUT_KEYS:
            self._reply += 1
            return [self._output(item, item.get(_OUTPUT_KEYS[kind]))]
        elif kind == "reasoning":
            made = [*self._sessions.named().text(_reasoning(item), turn, reasoning=True)]
        elif kind == "message" and item.get("role") == "assistant":
            text = content_texts(item.get("content"))[0]
            made = [*self._sessions.named().text(text, turn)]
        else:
            self._reply += kind == "message"
            return []
        self._messages.add((str(self._reply),), made, None)
        return made

    def _call(self, kind: str, item: Row, turn: Turn) -> list[Record]:
        named = item if "name" in item else object_at(item, "function")
        tool = _BUILT_IN.get(kind) or required_text(named, "name", kind)
        call_id = text_at(item, "call_id", "id")
        records = self._sessions.named()
        repeated = self._seen.put(lasting_number(kind, text_at(item, "call_id")), "")
        known = self._known_tools(tool)
        call = records.call(
            tool, _arguments(kind, item), replace(turn, inherited=repeated), call_id=call_id
        )
        return [*known, replace(call, event=_lasting(item))]

    def _known_tools(self, tool: str) -> list[Record]:
        """The catalogue, anew, when a tool is called that is not in it."""
        if self._tools is None or any(_name(entry) == tool for entry in self._tools):
            return []
        self._tools = [*self._tools, tool]
        return [*self._sessions.named().catalog(self._tools)]

    def _output(self, item: Row, output: Json) -> Record:
        content = output_content(output)
        call_id = text_at(item, "call_id")
        repeated = self._seen.put(lasting_number("output", call_id), "")
        return self._sessions.named().result(
            content,
            call_id,
            tool=text_at(item, "name"),
            fault=fault_of(output, content),
            inherited=repeated,
        )


def _lasting(item: Row) -> int | None:
    """What a copy of the item in a forked session keeps: its ids, of which only the call's is
    always there."""
    call_id = text_at(item, "call_id")
    if is_random(call_id):
        return lasting_number(call_id)
    return lasting_number(call_id, text_at(item, "id"))


def _arguments(kind: str, item: Row) -> tuple[str, ArgumentsForm]:
    if kind == "custom_tool_call":
        return dump_json({"input": item.get("input")}), ArgumentsForm.VALUE
    return arguments_at(item, "action" if "action" in item else "arguments")


def _reasoning(item: Row) -> str:
    parts = [part for key in ("summary", "content") for part in list_at(item, key)]
    texts = [text_at(part, "text") for part in parts if isinstance(part, dict)]
    return "\n".join(text for text in texts if text)


def _dynamic_tools(meta: Row) -> list[Json]:
    """The tools that a client added: flat, or in namespaces."""
    given = meta.get("dynamic_tools")
    found: list[Json] = []
    for entry in given if isinstance(given, list) else [given]:
        if isinstance(entry, dict):
            found += list_at(entry, "tools") if "tools" in entry else [entry]
    return found


def _name(entry: Json) -> str | None:
    return text_at(entry, "name") if isinstance(entry, dict) else escape_surrogates(str(entry))


def _error_code(payload: Row) -> str | None:
    info = payload.get("codex_error_info")
    if isinstance(info, dict):
        return next(iter(info), None)
    return text_at(payload, "codex_error_info", "kind")


def _read(file: LogFile) -> Iterator[Unit]:
    messages = SplitMessages()
    return messages.settle(
        read_rows(file, "codex", lambda sessions: _Log(sessions, messages).read_row)
    )


def _detect(head: Head) -> bool:
    return any(_is_ours(value) for value in head.values if isinstance(value, dict))


def _is_ours(row: Row) -> bool:
    kind = row.get("type")
    if kind in _ENVELOPES:
        return isinstance(row.get("payload"), dict)
    if kind in ("function_call", "function_call_output", "tool_call"):
        function = object_at(row, "function")
        return isinstance(row.get("call_id"), str) or ("name" in function and "arguments" in row)
    return kind is None and "instructions" in row and {"id", "timestamp"} <= row.keys()


READER = Reader(
    name="codex",
    summary="Codex CLI rollouts (~/.codex/sessions)",
    tier=Tier.PROVEN,
    detect=_detect,
    read=_read,
)
