"""A process that is none: it answers as a test says."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from toolfix_audit.audit.foreign import Command, Process
from toolfix_audit.model.json import Json

Reply = Callable[[Mapping[str, Json]], dict[str, Json]]


class Scripted(Process):
    """Answers with `reply`, and keeps what it was asked in `seen`."""

    def __init__(self, reply: Reply) -> None:
        super().__init__(Command("scripted", ("scripted",), ""))
        self.reply = reply
        self.seen: list[dict[str, Json]] = []

    def ask(
        self, request: Mapping[str, Json], *, schema_text: str | None = None
    ) -> dict[str, Json]:
        assert schema_text is None or schema_text.startswith(("{", "true", "false"))
        self.seen.append(dict(request))
        return self.reply(request)


def always(answer: dict[str, Json]) -> Scripted:
    """Gives the same answer to every request."""
    return Scripted(lambda _request: answer)
