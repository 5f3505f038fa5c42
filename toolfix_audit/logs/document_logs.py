"""Logs that are one object with a list of messages: each member, and each message, is a unit."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

from toolfix_audit.logs.cut_documents import Member, iter_members
from toolfix_audit.logs.fields import RowError
from toolfix_audit.logs.reader import BalancedUnits
from toolfix_audit.logs.row_logs import Sessions
from toolfix_audit.logs.session_records import Source
from toolfix_audit.logs.sources import LogFile
from toolfix_audit.model.records import Record, Unit, Unreadable

ReadMember: TypeAlias = Callable[[Member], "list[Record] | str"]


def read_document(
    file: LogFile, harness: str, open_log: Callable[[Sessions], ReadMember]
) -> BalancedUnits[Member]:
    """The units of such a file. What `open_log` gives reads one member: its records, or the kind
    that it is ignored as; it raises RowError for a member that lacks something.

    Raises:
        ReadError: the file can't be read.
    """
    sessions = Sessions(Source(file), harness)
    read_member = open_log(sessions)

    def unit(member: Member) -> Unit:
        if member.cause is not None:
            return Unit(unreadable=Unreadable(member.line, member.offset, member.cause))
        try:
            made = read_member(member)
        except RowError as error:
            return Unit(unreadable=Unreadable(member.line, member.offset, str(error)))
        if isinstance(made, str):
            return Unit(ignored=made)
        records = (*sessions.take_opening(), *made)
        return Unit(records=records) if records else Unit(ignored="nothing to record")

    def units(members: Iterator[Member]) -> Iterator[Unit]:
        return map(unit, members)

    return BalancedUnits(file, iter_members(file), units)
