"""Argument texts joined from the fragments in which a model streamed them."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from toolfix_audit.model.json import escape_surrogates

Step: TypeAlias = tuple[int | None, int | None]
"""The turn and the step of a session in which something happened."""

_KEPT_STEPS: Final = 8


@dataclass(slots=True)
class _Stream:
    index: int | None
    call_id: str | None
    parts: list[str] = field(default_factory=list)


class StreamedArguments:
    """The streams of the last few steps of one session; older ones are let go."""

    __slots__ = ("_steps",)

    def __init__(self) -> None:
        self._steps: OrderedDict[Step, list[_Stream]] = OrderedDict()

    def add(self, step: Step, index: int | None, call_id: str | None, text: str) -> None:
        """One more fragment, as it was written (it may end inside a character). Without an id
        it goes on with the last stream of that index."""
        if step not in self._steps:
            self._steps[step] = []
            if len(self._steps) > _KEPT_STEPS:
                self._steps.popitem(last=False)
        streams = self._steps[step]
        for stream in reversed(streams):
            if stream.index == index and call_id in (None, stream.call_id):
                stream.parts.append(text)
                return
        streams.append(_Stream(index, call_id, [text]))

    def restart(self, step: Step, index: int | None = None) -> None:
        """Forget a step whose stream failed or was tried again, or one block that starts anew."""
        streams = self._steps.get(step)
        if streams is not None:
            streams[:] = [] if index is None else [one for one in streams if one.index != index]

    def take(self, step: Step, call_id: str | None) -> str | None:
        """The whole text of the first stream of that call; None if nothing was streamed."""
        streams = self._steps.get(step, [])
        for stream in streams:
            if stream.call_id == call_id:
                streams.remove(stream)
                return _whole(stream.parts)
        return None


def _whole(parts: list[str]) -> str:
    """The joined text. A character whose two halves came in two fragments is one again."""
    text = "".join(parts)
    if text.isascii():
        return text
    halves = text.encode("utf-16-le", "surrogatepass")
    return escape_surrogates(halves.decode("utf-16-le", "surrogatepass"))
