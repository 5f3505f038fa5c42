"""`detect`: the calls that a model wrote as text in one message."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from operator import itemgetter
from typing import Final

from toolfix_audit.engine.leaks import residue
from toolfix_audit.engine.leaks.code_spans import CodeSpans, Fence, code_around, only_fence
from toolfix_audit.engine.leaks.guards import Candidate, refused_by
from toolfix_audit.engine.leaks.leak import Detection, Leak, LeakedCall, Message, Refusal
from toolfix_audit.engine.leaks.syntax import Block, Syntax
from toolfix_audit.engine.leaks.syntaxes import SYNTAXES
from toolfix_audit.engine.leaks.words import Channel, Guard, Kind, Place
from toolfix_audit.model.json import Json

_TELLING: Final = ("<", "[", "{", "(", "to=functions.")
_TRANSPARENT: Final = frozenset({"", "json", "xml", "text", "txt", "plaintext", "markup"})
"""Languages of a fence that is the whole message and may be a call all the same."""


def detect(message: Message, tools: Mapping[str, Json], *, may_call: bool = True) -> Detection:
    """Find the calls that leaked into a message of an assistant.

    `tools` are those of the request, name to schema; without any, or if the request forbade
    calls (`may_call`), nothing is a leak. Deterministic, linear in the size of the message, and
    never raises.
    """
    if not tools or not may_call:
        return Detection((), (), message.text, message.reasoning)
    leaks = [leak for call in message.calls if (leak := residue.in_call(call, tools))]
    refusals: list[Refusal] = []
    for channel, text in ((Channel.TEXT, message.text), (Channel.REASONING, message.reasoning)):
        for found in _scan(text, channel, tools):
            (leaks if isinstance(found, Leak) else refusals).append(found)  # type: ignore[arg-type]
    if message.calls and not any(leak.channel is Channel.TEXT for leak in leaks):
        beside = residue.beside_calls(message.text)
        leaks.extend((beside,) if beside else ())
    return Detection(
        tuple(leaks),
        tuple(refusals),
        _rest(message.text, leaks, Channel.TEXT),
        _rest(message.reasoning, leaks, Channel.REASONING),
    )


def _scan(text: str, channel: Channel, tools: Mapping[str, Json]) -> Iterator[Leak | Refusal]:
    if not any(mark in text for mark in _TELLING):
        return
    found = list(_scan_text(text, channel, tools))
    spans = [(one.start, one.end) for one in found if isinstance(one, Leak)]
    inner = list(_scan_fence(only_fence(text), channel, tools))
    found.extend(one for one in inner if not _is_inside(one, spans))
    spans = sorted((one.start, one.end) for one in found if isinstance(one, Leak))
    yield from (one for one in found if isinstance(one, Leak) or not _is_inside(one, spans))


def _is_inside(one: Leak | Refusal, spans: Sequence[tuple[int, int]]) -> bool:
    """Whether it begins in one of the spans, which are in order."""
    index = bisect_right(spans, one.start, key=itemgetter(0)) - 1
    return index >= 0 and one.start < spans[index][1]


def _scan_fence(
    fence: Fence | None, channel: Channel, tools: Mapping[str, Json]
) -> Iterator[Leak | Refusal]:
    """What the one fence holds that a message is."""
    if fence is None or fence.info not in _TRANSPARENT:
        return
    for one in _scan_text(fence.inner, channel, tools):
        yield replace(one, start=one.start + fence.offset, end=one.end + fence.offset)


def _scan_text(text: str, channel: Channel, tools: Mapping[str, Json]) -> Iterator[Leak | Refusal]:
    """Judge the blocks of all syntaxes; where they overlap, the one that begins first counts."""
    found = [
        Candidate(block, syntax, text, tools)
        for syntax in SYNTAXES
        for block in _runs(text, syntax)
    ]
    found.sort(key=lambda candidate: candidate.block.start)
    spans = [(one.block.start, one.block.end) for one in found if one.is_known]
    code, end = code_around(text, spans), 0
    for candidate in found:
        if candidate.block.start < end:
            continue
        result = _judged(candidate, code, channel)
        yield result
        if isinstance(result, Leak) or _has_extent(candidate, result.guard):
            end = candidate.block.end


def _has_extent(candidate: Candidate, guard: Guard) -> bool:
    """Whether a refused block surely ends where it seems to, so that nothing inside is another."""
    is_sure = candidate.is_known and candidate.block.is_closed and not candidate.syntax.is_weak
    return is_sure and guard is not Guard.QUOTED


def _runs(text: str, syntax: Syntax) -> Iterator[Block]:
    """The blocks of a syntax, those with nothing but blanks between them as one."""
    run: Block | None = None
    for block in syntax.find(text):
        if run is None:
            run = block
        elif run.is_closed and not text[run.end : block.start].strip():
            run = _joined(run, block)
        else:
            yield run
            run = block
    if run is not None:
        yield run


def _joined(run: Block, block: Block) -> Block:
    return Block(
        run.start,
        block.end,
        run.calls + block.calls,
        run.place if run.place is block.place else Place.TERMINAL,
        run.fault or block.fault,
        run.strays + block.strays,
        run.stray_token or block.stray_token,
    )


def _judged(candidate: Candidate, code: CodeSpans, channel: Channel) -> Leak | Refusal:
    block, syntax = candidate.block, candidate.syntax
    guard = refused_by(candidate, code)
    if guard is not None:
        name = block.calls[0].name
        return Refusal(guard, syntax.name, channel, name, block.start, block.end)
    return Leak(
        Kind.LEAKED_CALL,
        syntax.name,
        channel,
        block.start,
        block.end,
        tuple(LeakedCall(call.name, call.arguments) for call in candidate.calls),
        candidate.reason,
        block.strays,
        block.stray_token,
        block.appended,
        candidate.is_last and not candidate.text[: block.start].strip(),
    )


def _rest(text: str, leaks: Iterable[Leak], channel: Channel) -> str:
    """The text without the leaks that can be repaired, trimmed where they stood."""
    gone = sorted(
        (leak.start, leak.end) for leak in leaks if leak.channel is channel and leak.is_repairable
    )
    if not gone:
        return text
    parts, position = [], 0
    for start, end in gone:
        parts.append(text[position:start])
        position = end
    parts.append(text[position:])
    return "\n\n".join(part for part in map(str.strip, parts) if part)
