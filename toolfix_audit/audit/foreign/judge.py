"""A validator in another process, behind the judge protocol."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from toolfix_audit.audit.foreign.process import NoAnswerError, Process
from toolfix_audit.model.json import Json, dump_json
from toolfix_audit.model.pointer import Path
from toolfix_audit.model.repair import JudgeLimitError, Violation
from toolfix_audit.model.words import UnjudgedReason, UntouchedReason

NOT_AN_OBJECT: Final = Violation((), "/type", None, "the arguments are not an object")
UNPLACED: Final = "/anyOf"
"""The keyword of a violation whose place was not told: like one of a branch, it may come from
anywhere below, so the search looks everywhere."""

_REMEMBERED: Final = 64
_MESSAGE_CHARACTERS: Final = 500


class ForeignJudge:
    """One schema for the judge of a process; see the protocol `Judge`.

    A value that the judge gives no answer for raises JudgeLimitError (`limit`), as does a schema
    that it refuses (`schema-unusable`).
    """

    def __init__(self, process: Process, schema: Json) -> None:
        self.name = process.command.label
        self._process = process
        self._schema_text = dump_json(schema)
        self._known: dict[str, tuple[Violation, ...]] = {}

    @property
    def version(self) -> str:
        """What the process told of itself."""
        return self._process.version

    def is_valid(self, value: Json) -> bool:
        """Whether the judge finds no violation; False where it gives no answer."""
        try:
            return not self.violations(value)
        except JudgeLimitError:
            return False

    def violations(self, value: Json) -> Sequence[Violation]:
        """Every violation, as the judge lists them."""
        if not isinstance(value, dict):
            return (NOT_AN_OBJECT,)
        text = dump_json(value)
        known = self._known.get(text)
        if known is None:
            known = self._asked(value)
            if len(self._known) >= _REMEMBERED:
                self._known.clear()
            self._known[text] = known
        return known

    def _asked(self, value: Json) -> tuple[Violation, ...]:
        try:
            holds, text = ("violations", "error"), self._schema_text
            answer = self._process.ask({"args": value}, holds=holds, schema_text=text)
        except NoAnswerError:
            raise JudgeLimitError(UntouchedReason.LIMIT) from None
        listed = answer.get("violations")
        if not isinstance(listed, list):
            raise JudgeLimitError(UnjudgedReason.SCHEMA_UNUSABLE)
        return tuple(_violation(one) for one in listed)


def _violation(told: Json) -> Violation:
    """A violation as text, or as `{"message", "path"?, "keyword"?, "key"?}`."""
    if not isinstance(told, dict):
        text = told if isinstance(told, str) else dump_json(told)
        return Violation((), UNPLACED, None, text[:_MESSAGE_CHARACTERS])
    path, keyword, key = _path(told.get("path")), told.get("keyword"), told.get("key")
    message = told.get("message")
    return Violation(
        path or (),
        keyword if isinstance(keyword, str) and path is not None else UNPLACED,
        key if isinstance(key, str) else None,
        (message if isinstance(message, str) else dump_json(told))[:_MESSAGE_CHARACTERS],
    )


def _path(told: Json) -> Path | None:
    """A place told as a list of keys and indexes."""
    if not isinstance(told, list):
        return None
    return tuple(_parts(told))


def _parts(told: list[Json]) -> Iterator[str | int]:
    for part in told:
        yield part if isinstance(part, int) and not isinstance(part, bool) else str(part)
