"""Messages of the model that a log tells in several rows, one block a row.

Only when all rows of a message have come is it known whether the message held calls, and why it
ended. So units wait a while before they go out.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from toolfix_audit.logs.finish_reasons import finish_word
from toolfix_audit.model.records import AssistantText, Call, Record, Unit

WAITING_UNITS: Final = 256
"""So many units after a row, no other row of its message is looked for."""

Key: TypeAlias = tuple[str | None, ...]


@dataclass(slots=True)
class _Known:
    has_calls: bool = False
    finish_reason: str | None = None


class SplitMessages:
    """What is known of the messages of the last few units."""

    __slots__ = ("_messages", "_rows")

    def __init__(self) -> None:
        self._messages: OrderedDict[Key, _Known] = OrderedDict()
        self._rows: dict[int, Key] = {}

    def add(self, message: Key, records: Iterable[Record], finish_reason: str | None) -> None:
        """One more row of a message, and what it gave."""
        known = self._messages.setdefault(message, _Known())
        self._messages.move_to_end(message)
        if len(self._messages) > 2 * WAITING_UNITS:
            self._messages.popitem(last=False)
        known.finish_reason = finish_word(finish_reason) or known.finish_reason
        for record in records:
            if isinstance(record, Call | AssistantText):
                self._rows[record.position] = message
                known.has_calls = known.has_calls or isinstance(record, Call)

    def settle(self, units: Iterable[Unit]) -> Iterator[Unit]:
        """The same units in the same order, each with all that is known of its messages."""
        waiting: deque[Unit] = deque()
        for unit in units:
            waiting.append(unit)
            if len(waiting) > WAITING_UNITS:
                yield self._settled(waiting.popleft())
        while waiting:
            yield self._settled(waiting.popleft())

    def _settled(self, unit: Unit) -> Unit:
        records = tuple(self._completed(record) for record in unit.records)
        return unit if records == unit.records else replace(unit, records=records)

    def _completed(self, record: Record) -> Record:
        if not isinstance(record, Call | AssistantText):
            return record
        message = self._rows.pop(record.position, None)
        known = None if message is None else self._messages.get(message)
        if known is None:
            return record
        reason = record.finish_reason or known.finish_reason
        if isinstance(record, AssistantText) and known.has_calls and not record.has_calls:
            return replace(record, finish_reason=reason, has_calls=True)
        if reason != record.finish_reason:
            return replace(record, finish_reason=reason)
        return record
