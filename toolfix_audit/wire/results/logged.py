"""Family J in a log: the pairs are those of the format's own rule, wherever it has one."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from toolfix_audit.model.records import AssistantText, Call, Record, Result
from toolfix_audit.wire.results.history import Act, Entry, History
from toolfix_audit.wire.results.pairing import ORDER, Fault, Pairing, PairingDefect, pair


@dataclass(frozen=True, slots=True)
class LogFault:
    """A fault at the position of its record, with the call id of the log, and what would mend it,
    where one answer is possible."""

    defect: PairingDefect
    index: int
    call_id: str | None
    fix: str | None = None


def log_faults(records: Sequence[Record]) -> tuple[Fault, ...]:
    """What is wrong with the calls and results of one session, given in their order; each fault
    with the position of its record and the call id of the log.

    A log writes results as they come, so they need not be adjacent, and calls that it ends with
    are not missed.
    """
    return tuple(Fault(one.defect, one.index, one.call_id) for one in log_pairing(records))


def log_pairing(records: Sequence[Record]) -> tuple[LogFault, ...]:
    """The same faults, each with what would mend it."""
    keys = _Keys(records)
    entries = tuple(entry for record in records for entry in _entries(record, keys))
    pairing = pair(History(entries, adjacent=False, id_field="id"))
    faults = [
        LogFault(fault.defect, fault.index, keys.call_id(fault.call_id), _fix(fault, pairing, keys))
        for fault in pairing.faults
        if fault.defect is not PairingDefect.REUSED_ID
    ]
    return tuple(sorted([*faults, *_reused(records)], key=lambda fault: fault.index))


def _fix(fault: Fault, pairing: Pairing, keys: _Keys) -> str | None:
    """The order of whole records, or the one id that a result can have."""
    if fault.defect in ORDER and pairing.order is not None:
        return "put behind its call"
    key = dict(pairing.filled).get(fault.index)
    return None if key is None else f"its id can only be {keys.call_id(key)}"


class _Keys:
    """The name of each call in its session: its position, which no other call has."""

    def __init__(self, records: Sequence[Record]) -> None:
        calls = [record for record in records if isinstance(record, Call)]
        answered = {one.call_position for one in records if isinstance(one, Result)}
        self._ids = {str(call.position): call.call_id for call in calls}
        self._by_id: dict[str | None, list[Call]] = defaultdict(list)
        for call in sorted(calls, key=lambda one: (one.position in answered, one.position)):
            self._by_id[call.call_id].append(call)

    def of_result(self, result: Result) -> str | None:
        """The key of the call that a result answers: by the format's rule, else by its id, where
        a call that has no answer yet comes first; the id itself if no call has it."""
        if result.call_position is not None:
            return str(result.call_position)
        if result.call_id is None:
            return None
        calls = self._by_id.get(result.call_id)
        return str(calls[0].position) if calls else f"id:{result.call_id}"

    def call_id(self, key: str | None) -> str | None:
        """The call id that a key stands for."""
        if key is None or not key.startswith("id:"):
            return self._ids.get(key or "")
        return key.removeprefix("id:")


def _entries(record: Record, keys: _Keys) -> tuple[Entry, ...]:
    match record:
        case Call():
            return (Entry(record.position, (Act(str(record.position), True),), moves_on=False),)
        case Result():
            return (Entry(record.position, (Act(keys.of_result(record), False),), pure=True),)
        case AssistantText():
            return (Entry(record.position),)
        case _:
            return ()


def _reused(records: Sequence[Record]) -> list[LogFault]:
    """Calls whose id an earlier call of the session has."""
    seen: Counter[str] = Counter()
    faults: list[LogFault] = []
    for record in records:
        if isinstance(record, Call) and record.call_id is not None:
            if seen[record.call_id]:
                faults.append(LogFault(PairingDefect.REUSED_ID, record.position, record.call_id))
            seen[record.call_id] += 1
    return faults
