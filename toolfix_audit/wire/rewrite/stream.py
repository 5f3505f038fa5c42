"""The rewriter of streams: bytes in, bytes out, nothing held but the tool block that is open."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping
from typing import Final

from toolfix_audit.model.json import Json, JsonError, escape_surrogates, parse_json
from toolfix_audit.wire.anthropic import is_anthropic
from toolfix_audit.wire.errors import stream_error
from toolfix_audit.wire.rewrite.acts import Act, Begin, Doubt, End, Lens, Take
from toolfix_audit.wire.rewrite.anthropic import AnthropicLens
from toolfix_audit.wire.rewrite.block import Block, Fate, HeldEvent, Place, Repair, Role, digest_of
from toolfix_audit.wire.rewrite.chat import ChatLens
from toolfix_audit.wire.rewrite.responses import ResponsesLens
from toolfix_audit.wire.rewrite.tally import Refusal, Tally
from toolfix_audit.wire.sse import SseDecoder, SseEvent
from toolfix_audit.wire.stream import DONE

MAX_BLOCK_BYTES: Final = 16 * 1024 * 1024
"""A larger block passes as it came."""


def _is_responses(event: dict[str, Json]) -> bool:
    kind = event.get("type")
    return isinstance(kind, str) and kind.startswith("response.")


def _is_chat(event: dict[str, Json]) -> bool:
    return isinstance(event.get("choices"), list)


_LENSES: Final[tuple[tuple[Callable[[dict[str, Json]], bool], Callable[[], Lens]], ...]] = (
    (is_anthropic, AnthropicLens),
    (_is_responses, ResponsesLens),
    (_is_chat, ChatLens),
)


class StreamRewriter:
    """Rewrites one stream of server-sent events as it comes.

    The arguments of a tool block are held until they are whole. If `repair` gives another text
    for them, the block leaves with that text in one fragment (and in every complete copy);
    else it leaves as it came. Everything else passes byte for byte, in order. What can't be put
    together with certainty is not rewritten: from the first doubt on the stream passes as it is.

    The same bytes come out however the stream is cut into pieces.
    """

    def __init__(
        self, tools: Mapping[str, Json], repair: Repair, *, limit: int = MAX_BLOCK_BYTES
    ) -> None:
        self.tally = Tally()
        self.held = 0
        """How many bytes came in and are neither sent nor dropped yet."""
        self._tools = tools
        self._repair = repair
        self._limit = limit
        self._decoder = SseDecoder(limit)
        self._queue: deque[HeldEvent] = deque()
        self._queued = 0
        self._open: dict[Block, None] = {}
        self._lens: Lens | None = None

    def feed(self, data: bytes) -> bytes:
        """The bytes that may be sent now."""
        if self._is_stopped():
            return data
        self.held += len(data)
        out: list[bytes] = []
        for event in self._decoder.feed(data):
            self._take(event, out)
        if self._is_stopped():
            self._drain(out)
        return b"".join(out)

    def close(self) -> bytes:
        """What is left when the stream has ended; a block that is not whole goes as it came."""
        out: list[bytes] = []
        for event in self._decoder.close():
            self._take(event, out)
        if self._open:
            self._stop(Refusal.CUT)
        self._release(out)
        return b"".join(out)

    def _is_stopped(self) -> bool:
        return self.tally.stopped is not None

    def _take(self, event: SseEvent, out: list[bytes]) -> None:
        held = HeldEvent(event)
        self._queue.append(held)
        self._queued += len(event.raw)
        for act in () if self._is_stopped() else self._acts(event):
            self._do(act, held)
            if self._is_stopped():
                break
        if self._queued > self._limit and self._open:
            for block in list(self._open):
                self._settle(block, Refusal.TOO_LARGE)
        self._release(out)

    def _acts(self, event: SseEvent) -> Iterable[Act]:
        """What an event does. A comment or an unknown event does nothing."""
        text = event.data
        if event.fault or event.stray:
            return (Doubt(Refusal.UNREADABLE),)
        if text is None or not text.strip():
            return ()
        if not event.ended:
            return (Doubt(Refusal.CUT),)
        if text.strip().startswith(DONE):
            return () if self._lens is None else self._lens.done()
        try:
            value = parse_json(text)
        except JsonError:
            return (Doubt(Refusal.UNREADABLE),)
        if stream_error(value, event.name) is not None:
            return (Doubt(Refusal.ERROR),)
        return self._look(value) if isinstance(value, dict) else ()

    def _look(self, value: dict[str, Json]) -> Iterable[Act]:
        if self._lens is None:
            self._lens = next((lens() for owns, lens in _LENSES if owns(value)), None)
        return () if self._lens is None else self._lens.look(value)

    def _do(self, act: Act, held: HeldEvent) -> None:
        match act:
            case Begin(block):
                self.tally.blocks += 1
                self._open[block] = None
            case Take(block) if block.fate is Fate.OPEN:
                held.bare = act.bare
                held.fragments += act.role is Role.FRAGMENT
                block.take(Place(held, act.role, act.path, act.value))
            case Take(block) if block.fate is Fate.CHANGED:
                self._take_late(act, held)
            case End(block):
                if block.fate is Fate.OPEN:
                    self._settle(block, Refusal.CUT if act.cut else block.doubt())
            case Doubt(refusal):
                self._stop(refusal)

    def _take_late(self, act: Take, held: HeldEvent) -> None:
        """Arguments of a block that was rewritten: a copy of them is rewritten alike."""
        if not act.value:
            return
        if act.role is not Role.COPY:
            self._stop(Refusal.LATE_FRAGMENT)
            return
        if not isinstance(act.value, str) or digest_of(act.value) != act.block.digest:
            self._stop(Refusal.COPIES_DIFFER)
            return
        new = self._repair(act.block.tool, escape_surrogates(act.value), self._tools)
        edit = Place(held, act.role, act.path, act.value).edit(new) if new is not None else None
        if edit is None:
            self._stop(Refusal.REPEATED_KEY)
        else:
            held.edits.append(edit[1:])

    def _settle(self, block: Block, refusal: Refusal | None) -> None:
        is_changed = False
        if refusal is None:
            text = block.text()
            new = self._repair(block.tool, text, self._tools)
            if new is not None and new != text:
                refusal = block.rewrite(new)
                is_changed = refusal is None
        self.tally.note(block.tool, is_changed if refusal is None else refusal)
        block.settle(Fate.CHANGED if is_changed else Fate.KEPT)
        self._open.pop(block, None)

    def _stop(self, refusal: Refusal) -> None:
        """Rewrite nothing more, whatever comes."""
        for block in list(self._open):
            self._settle(block, refusal)
        self.tally.stopped = refusal
        self._lens = None

    def _release(self, out: list[bytes]) -> None:
        """Send the events at the head of the queue that wait for no block."""
        while self._queue and not self._queue[0].waits:
            held = self._queue.popleft()
            self._queued -= len(held.event.raw)
            self.held -= len(held.event.raw)
            out.append(held.out())

    def _drain(self, out: list[bytes]) -> None:
        """Send what the decoder still holds."""
        out.extend(event.raw for event in self._decoder.close())
        self.held = 0
