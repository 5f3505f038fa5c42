"""Whether rewritten bytes tell what they should: read again by the readers of whole streams,
which share nothing with the rewriter but the protocols' rules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from toolfix_audit.logs.bodies import open_body, read_answers
from toolfix_audit.model.json import Json, JsonError, dump_json, parse_json
from toolfix_audit.model.records import ArgumentsForm
from toolfix_audit.wire.parts import Answer, Message, WireCall


def tells_the_same(
    before: bytes, after: bytes, texts: Mapping[tuple[str, str], str], changed: int
) -> bool:
    """Whether two answers differ in the arguments of exactly so many calls, each of which has the
    text that `texts` gives for its tool and its text before."""
    if not changed:
        return before == after
    old, new = _answers(before), _answers(after)
    if [_bare(answer) for answer in old] != [_bare(answer) for answer in new]:
        return False
    differing = 0
    for was, now in zip(_calls(old), _calls(new), strict=True):
        if _value(was.arguments) == _value(now.arguments):
            continue
        wanted = texts.get((was.tool, was.arguments))
        if wanted is None or _value(wanted) != _value(now.arguments):
            return False
        differing += 1
    return differing == changed


def _answers(data: bytes) -> list[Answer]:
    return read_answers(open_body(data.decode("utf-8", "surrogatepass")))


def _calls(answers: list[Answer]) -> list[WireCall]:
    return [call for answer in answers for call in answer.calls]


def _bare(answer: Answer) -> Answer:
    """An answer without what may differ."""
    return replace(answer, messages=tuple(_bare_message(one) for one in answer.messages))


def _bare_message(message: Message) -> Message:
    parts = (
        replace(part, arguments="", form=ArgumentsForm.TEXT, streamed=None, flags=())
        if isinstance(part, WireCall)
        else part
        for part in message.parts
    )
    return replace(message, parts=tuple(parts))


def _value(text: str) -> Json:
    """One spelling for texts of equal value."""
    try:
        return dump_json(parse_json(text))
    except JsonError:
        return text
