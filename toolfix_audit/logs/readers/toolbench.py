"""ToolBench answers: raw search trees and chains, and the trees that ToolEval makes of them.

Raw answers hold an `Action` node (the tool) and below it an `Action Input` node (the argument
text, with the observation). In ToolEval's a node of role `tool` has a Python dict as its text,
which is cut at a fixed length at times: what it still tells is read. Every branch counts.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Final

from toolfix_audit.logs.dialogues import (
    Conversation,
    Dialogue,
    Part,
    Row,
    Shape,
    read_dialogues,
)
from toolfix_audit.logs.fields import RowError, integer_at, list_at, object_at, text_at
from toolfix_audit.logs.head import Head
from toolfix_audit.logs.reader import Reader, Tier
from toolfix_audit.logs.session_records import Fault, SessionRecords, Source, Turn
from toolfix_audit.logs.sources import LogFile
from toolfix_audit.model.json import Json, escape_surrogates
from toolfix_audit.model.records import ArgumentsForm, Record, Session, Unit

_TEXT: Final = r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*\""""
_CALLED: Final = re.compile(
    rf"\s*{{\s*'name':\s*({_TEXT}),\s*'arguments':\s*({_TEXT})(?:,\s*'response':\s*)?", re.DOTALL
)
_CUT_CALL: Final = re.compile(rf"\s*{{\s*'name':\s*({_TEXT}),\s*'arguments':\s*'(.*)", re.DOTALL)
_ERROR_TEXT: Final = re.compile(r'\s*\{\s*"error":\s*"[^"]')
_FAILED_CODES: Final = (1, 2, 5, 6, 7, 8, 9, 10, 11, 12)
"""Unknown tool, bad input, time-out and the answers of a server; 0 ran, 3 and 4 are the end."""


class _Tree:
    """The nodes of one answer, parents before children."""

    def __init__(self, records: SessionRecords) -> None:
        self._records = records
        self._tool: str | None = None

    def read(self, node: Row) -> list[Record] | str:
        """The records of a node, or the kind that it is ignored as.

        Raises:
            RowError: arguments stand without an action before them.
        """
        role = text_at(node, "role")
        if role is not None:
            return self._evaluated(role, node)
        kind = text_at(node, "node_type") or "node without a type"
        told = text_at(node, "description") or ""
        if kind == "Thought":
            return [*self._records.text(told, Turn(has_calls=True), reasoning=True)] or kind
        if kind == "Action":
            self._tool = told
            return kind
        return self._input(node, told) if kind == "Action Input" else kind

    def _input(self, node: Row, arguments: str) -> list[Record] | str:
        if not node.get("depth"):
            return "root"
        if self._tool is None:
            raise RowError("an action input without an action")
        tool, self._tool = self._tool, None
        call = self._records.call(tool, (arguments, ArgumentsForm.TEXT), Turn())
        if "observation" not in node:
            return [call]
        return [call, self._records.result(node["observation"], tool=tool, fault=_fault(node))]

    def _evaluated(self, role: str, node: Row) -> list[Record] | str:
        message = text_at(node, "message") or ""
        if role == "assistant":
            return [*self._records.text(message, Turn())] or role
        return self._called(message) if role == "tool" else role

    def _called(self, message: str) -> list[Record]:
        whole = _CALLED.match(message)
        if whole is None:
            cut = _CUT_CALL.match(message)
            if cut is None:
                raise RowError("a tool node that tells no name and arguments")
            arguments = (cut[2], ArgumentsForm.TEXT)
            return [self._records.call(_unquoted(cut[1]), arguments, Turn())]
        tool = _unquoted(whole[1])
        call = self._records.call(tool, (_unquoted(whole[2]), ArgumentsForm.TEXT), Turn())
        answer = message[whole.end() :].strip()
        if answer in ("", "}"):
            return [call]
        return [call, self._records.result(_answer(answer), tool=tool)]


def _fault(node: Row) -> Fault | None:
    """Whether a call failed: its code says so, or the observation's own `error` text."""
    code = integer_at(node, "observation_code")
    if code in _FAILED_CODES:
        return Fault(code=str(code))
    observation = text_at(node, "observation") or ""
    return Fault() if _ERROR_TEXT.match(observation) else None


def _answer(text: str) -> str:
    """The response of a call, as far as it goes."""
    whole = re.match(rf"({_TEXT})\s*}}\s*$", text, re.DOTALL)
    return _unquoted(whole[1]) if whole else text


def _unquoted(literal: str) -> str:
    try:
        value = ast.literal_eval(literal)
    except (ValueError, SyntaxError):
        return literal[1:-1]
    return escape_surrogates(value) if isinstance(value, str) else literal


def _split(document: Json) -> list[Part] | None:
    """The answers of a file: one raw answer, one of ToolEval, or a map of those by question."""
    if not isinstance(document, dict):
        return None
    part = _answer_part(document)
    if part is not None:
        return [part]
    parts = [_answer_part(value) for value in document.values() if isinstance(value, dict)]
    return [found for found in parts if found is not None] or None


def _answer_part(document: Row) -> Part | None:
    details = list_at(object_at(document, "answer"), "answer_details")
    if details:
        tools = document.get("available_tools")
        return Part({"tools": tools}, list(_walk(details, "next")))
    generation = object_at(document, "answer_generation")
    kept: Row = {"tools": generation.get("function"), "method": document.get("method")}
    root = object_at(object_at(document, "tree"), "tree")
    if root:
        return Part(kept, list(_walk([root], "children")))
    chains = [list_at(run, "chain") for run in list_at(document, "trys") if isinstance(run, dict)]
    return Part(kept, [node for chain in chains for node in chain]) if chains else None


def _walk(nodes: list[Json], below: str) -> Iterator[Json]:
    """Every node, parents before children, of a tree of any depth."""
    waiting = nodes[::-1]
    while waiting:
        node = waiting.pop()
        yield node
        if isinstance(node, dict):
            waiting.extend(list_at(node, below)[::-1])


def _open(conversation: Conversation, source: Source) -> Dialogue:
    records = SessionRecords(source.name(conversation.ordinal), source.positions)
    opening: list[Record] = [Session(records.session, harness="toolbench")]
    opening += records.catalog(conversation.document.get("tools"))
    return Dialogue(opening, _Tree(records).read)


def _read(file: LogFile) -> Iterator[Unit]:
    return read_dialogues(file, _SHAPE)


def _detect(head: Head) -> bool:
    return any(_split(value) for value in head.values)


_SHAPE: Final = Shape(_split, _open)

READER = Reader(
    name="toolbench",
    summary="ToolBench raw answers and ToolEval answers",
    tier=Tier.DOCUMENTED,
    detect=_detect,
    read=_read,
)
