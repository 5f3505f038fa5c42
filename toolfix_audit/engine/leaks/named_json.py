"""Calls written as a name between tokens, and the arguments as JSON behind it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from toolfix_audit.engine.leaks.json_calls import read_body
from toolfix_audit.engine.leaks.syntax import Block, WrittenCall, skip_blank
from toolfix_audit.engine.leaks.words import Place, Reason

NOTHING: Final = re.compile("")


@dataclass(frozen=True, slots=True)
class Shape:
    """`opener` has the group `name`; `closer` must follow the JSON; `end` may follow the last
    call of a run."""

    opener: re.Pattern[str]
    closer: re.Pattern[str] = NOTHING
    end: re.Pattern[str] = NOTHING
    place: Place = Place.MARKED


def read_run(text: str, match: re.Match[str], shape: Shape) -> Block | None:
    """The run of calls that begins with the one opened by `match`; None if it is no call. JSON
    that is whole and lacks the closer is unterminated."""
    start, calls = match.start(), list[WrittenCall]()
    following: re.Match[str] | None = match
    end = match.end()
    while following is not None:
        body = read_body(text, following.end())
        if body is None or not (body.is_cut or isinstance(body.value, dict)):
            return Block(start, end, tuple(calls), shape.place) if calls else None
        calls.append(WrittenCall(following.group("name"), body.value))
        closer = None if body.is_cut else shape.closer.match(text, skip_blank(text, body.end))
        if closer is None:
            fault = Reason.UNTERMINATED
            return Block(start, body.end, tuple(calls), shape.place, fault)
        end = closer.end() if closer.group() else body.end
        following = shape.opener.match(text, skip_blank(text, end))
    tail = shape.end.match(text, skip_blank(text, end))
    end = tail.end() if tail is not None and tail.group() else end
    return Block(start, end, tuple(calls), shape.place)
