"""Rows of a dsh session log, in the order and shape in which the harness writes them."""

import json
import string
import uuid
from itertools import pairwise
from random import Random
from typing import Any, Final

from study_generator.calls import Call
from study_generator.tools import Tool
from study_generator.words import Words

_BASE62: Final = string.digits + string.ascii_letters
_SAYINGS: Final = (
    "Let me look.",
    "Next I check the module.",
    "Now the tests.",
    "One more look at the callers.",
    "Ich sehe mir das an.",
    "That did not work; again.",
)
_THOUGHTS: Final = (
    "The callers matter here, so read them before any change.",
    "The test names the case; the module must handle it.",
    "A smaller change is safer than a new helper.",
)
_DELTAS: Final = {"text": "text-delta", "reasoning": "reasoning-delta"}
# The harness packs a run of at least so many fragments into one row.
_PACKED_RUN: Final = 3


def new_session_id(rng: Random) -> str:
    """An id as the harness gives a top-level session."""
    return f"session-{uuid.UUID(int=rng.getrandbits(128), version=4)}"


class SessionLog:
    """The rows of one session; `step` adds calls and gives back their ids and row numbers."""

    def __init__(
        self, rng: Random, *, session: str, cwd: str, provider: str, model: str, packs: bool
    ) -> None:
        self._rng = rng
        self._words = Words(rng)
        self._route = {"provider": provider, "model": model}
        self._cwd = cwd
        self._packs = packs
        self._spaced = rng.randrange(2) == 0
        self._seq = 0
        self._turn = 0
        self._step = 0
        self._in_step = False
        self._calls = 0
        self._prompt = ""
        self._messages = rng.getrandbits(64) << 64
        self._time = 1_790_000_000_000 + rng.randrange(10**9)
        self.header = _line(
            {
                "type": "session",
                "version": 0,
                "id": session,
                "createdAt": self._time,
                "cwd": cwd,
                "delegationDepth": 0,
            }
        )
        self.rows: list[str] = []

    def open_session(self) -> None:
        """The rows before the first turn."""
        self._emit("permission/preset", {"preset": "danger-full-access"})
        self._emit("sandbox/mode", {"mode": "danger-full-access"})
        self._emit("approval/policy", {"policy": "never"})

    def open_turn(self, tools: list[Tool] | None, reason: str) -> None:
        """A user's message; with tools, also a request header that puts them in force."""
        self._turn += 1
        self._step = 0
        self._prompt = self._words.task()
        message = {
            "content": [{"type": "text", "text": self._prompt}],
            "source": {"kind": "user"},
            "role": "user",
            "id": self._message_id(),
        }
        inbox = {"target": "next-turn", "start": 0}
        self._emit("agent/inbox/spliced", {**inbox, "inserted": [message]})
        self._emit("turn/start", {"turn": self._turn})
        self._emit("agent/inbox/spliced", {**inbox, "removedCount": 1, "inserted": []})
        self._open_step()
        seq = self._emit("user/message", message, surfaceOp="append")
        if self._turn == 1:
            title = {"title": self._prompt[:24], "messageSeqs": [seq]}
            self._emit("session/title", {**title, "source": {"kind": "fallback"}})
        if tools is not None:
            self._emit_header(tools, reason)

    def _emit_header(self, tools: list[Tool], reason: str) -> None:
        header = {
            "config": {**self._route, "maxTokens": 256000, "reasoningEffort": "high"},
            "adapterDefaults": {"reasoningEffort": True, "maxTokens": True},
            "system": f"You are a coding agent. Your working directory is {self._cwd}.",
            "tools": [tool._asdict() for tool in tools],
        }
        self._emit("request/header", {"header": header, "reason": reason})
        self._emit("request/context", {**self._route, "contextWindow": 128000})

    def step(self, calls: list[Call]) -> list[tuple[str, int]]:
        """One answer of the model with these calls, and their results."""
        if not self._in_step:
            self._open_step()
        blocks = self._prose_blocks()
        for call in calls:
            blocks.append(self._call_block(call))
        self._emit_message(blocks, "tool-calls")
        written = [self._emit_call(block) for block in blocks if block["type"] == "tool-call"]
        for call, (call_id, seq) in zip(calls, written, strict=True):
            self._emit_result(call, call_id, seq)
        self._close_step()
        return written

    def close_turn(self) -> None:
        """A last answer without a call."""
        self._open_step()
        self._emit_message([{"type": "text", "text": f"Done: {self._prompt}."}], "stop")
        self._close_step()
        self._emit("turn/end", {"turn": self._turn, "reason": {"kind": "completed"}})

    def _open_step(self) -> None:
        self._time += self._rng.randint(20, 900)
        self._step += 1
        self._in_step = True
        self._emit("step/start", self._here())

    def _message_id(self) -> str:
        # Random at the front and counted at the back: unique, and packs better than noise.
        self._messages += 1
        return str(uuid.UUID(int=self._messages, version=4))

    def _close_step(self) -> None:
        self._emit("step/end", self._here())
        self._in_step = False

    def _here(self) -> dict[str, int]:
        return {"turn": self._turn, "step": self._step}

    def _prose_blocks(self) -> list[dict[str, str]]:
        blocks = []
        if self._words.may(6):
            blocks.append({"type": "reasoning", "text": self._words.pick(_THOUGHTS)})
        if self._words.may(25):
            blocks.append({"type": "text", "text": self._words.pick(_SAYINGS)})
        return blocks

    def _call_block(self, call: Call) -> dict[str, str]:
        self._calls += 1
        code = "".join(self._rng.choices(_BASE62, k=8))
        separators = (", ", ": ") if self._spaced else (",", ":")
        text = json.dumps(call.damage.sent, ensure_ascii=False, separators=separators)
        call_id = f"call_{self._calls % 100:02d}_{code}"
        return {"type": "tool-call", "id": call_id, "name": call.tool, "arguments": text}

    def _emit_message(self, blocks: list[dict[str, str]], finish: str) -> None:
        first = self._seq
        for index, block in enumerate(blocks):
            self._emit_chunk({"type": "block-start", "index": index, "blockType": block["type"]})
            self._emit_stream(index, block)
        for index, block in enumerate(blocks):
            self._emit_chunk({"type": "block-end", "index": index, "block": block})
        tokens = 300 + 16 * self._calls
        usage = {"inputTokens": tokens, "outputTokens": 60, "cacheReadTokens": 4 * tokens}
        self._emit_chunk({"type": "usage", "usage": usage})
        self._emit_chunk({"type": "finish", "reason": {"kind": finish}})
        message = {
            "role": "assistant",
            "content": blocks,
            "source": {"kind": "model", **self._route},
            "id": self._message_id(),
        }
        self._emit(
            "assistant/message",
            {**self._here(), "message": message, "usage": usage},
            sourceEventSeqs=list(range(first, self._seq)),
            surfaceOp="append",
        )

    def _emit_chunk(self, chunk: dict[str, Any]) -> None:
        self._emit("assistant/chunk", {**self._here(), "chunk": chunk})

    def _emit_stream(self, index: int, block: dict[str, str]) -> None:
        kind = block["type"]
        is_call = kind == "tool-call"
        pieces = _fragments(self._rng, block["arguments" if is_call else "text"])
        named = {"id": block["id"], "name": block["name"]} if is_call else {}
        if is_call:
            pieces.insert(0, "")
        if self._packs and len(pieces) >= _PACKED_RUN:
            self._emit_packed(kind, {"index": index, **named}, pieces)
            return
        for piece in pieces:
            delta = {"argumentsDelta": piece} if is_call else {"text": piece}
            name = "tool-call-delta" if is_call else _DELTAS[kind]
            self._emit_chunk({"type": name, "index": index, **named, **delta})

    def _emit_packed(self, kind: str, which: dict[str, Any], pieces: list[str]) -> None:
        gaps = [self._rng.choice((0, 0, 0, 1)) for _ in pieces[1:]]
        index = which.pop("index")
        texts = {"args": pieces} if kind == "tool-call" else {"texts": pieces}
        data = {**self._here(), "index": index, "dt": gaps, **which, **texts}
        row = {"type": f"{kind}-chunks", "seq0": self._seq, "time0": self._time, "data": data}
        self.rows.append(_line(row))
        self._seq += len(pieces)
        self._time += sum(gaps)

    def _emit_call(self, block: dict[str, str]) -> tuple[str, int]:
        call = {"callId": block["id"], "name": block["name"], "arguments": block["arguments"]}
        return block["id"], self._emit("tool/call", {**self._here(), **call})

    def _emit_result(self, call: Call, call_id: str, seq: int) -> None:
        answer = call.answer
        result = {
            "type": "tool-result",
            "toolCallId": call_id,
            "content": [{"type": "text", "text": answer.text}],
            "isError": answer.is_error,
        }
        message = {
            "source": {"kind": "tool", "callId": call_id},
            "content": [result],
            "role": "user",
            "id": self._message_id(),
        }
        data: dict[str, Any] = {**self._here(), "message": message}
        if answer.error:
            data["error"] = answer.error
        self._time += self._rng.randint(2, 60)
        self._emit("tool/result", data, sourceEventSeqs=[seq], surfaceOp="append")

    def _emit(self, kind: str, data: dict[str, Any], **beside: Any) -> int:
        seq = self._seq
        self.rows.append(
            _line({"type": kind, "seq": seq, "time": self._time, "data": data, **beside})
        )
        self._seq += 1
        self._time += self._rng.choice((0, 0, 0, 1))
        return seq


def _fragments(rng: Random, text: str) -> list[str]:
    cuts = min(len(text) - 1, 1 + len(text) // 40, 6)
    places = [0, *sorted(rng.sample(range(1, len(text)), cuts)), len(text)]
    return [text[start:end] for start, end in pairwise(places)]


def _line(row: dict[str, Any]) -> str:
    return json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n"
