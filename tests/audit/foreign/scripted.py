"""A process that is none: it answers as a test says."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from toolfix_audit.audit.foreign import Command, Process
from toolfix_audit.model.json import Json

Reply = Callable[[Mapping[str, Json]], dict[str, Json]]


class Scripted(Process):
    """Answers with `reply`, and keeps what it was asked in `seen`, and what for in
    `wanted`."""

    def __init__(self, reply: Reply) -> None:
        super().__init__(Command("scripted", ("scripted",), ""))
        self.reply = reply
        self.wanted: tuple[str, ...] = ()
        self.seen: list[dict[str, Json]] = []

    def ask(
        self,
        request: Mapping[str, Json],
        *,
        holds: Collection[str] = (),
        schema_text: str | None = None,
    ) -> dict[str, Json]:
        self.wanted = tuple(holds)
        assert schema_text is None or schema_text.startswith(("{", "true", "false"))
        self.seen.append(dict(request))
        return self.reply(request)


def always(answer: dict[str, Json]) -> Scripted:
    """Gives the same answer to every request."""
    return Scripted(lambda _request: answer)
