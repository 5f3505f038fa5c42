"""Which calls stand for all: one of every tool, schema, shape, families and outcome."""

from __future__ import annotations

from dataclasses import dataclass

from toolfix_audit.store import queries
from toolfix_audit.store.store import Store


@dataclass(frozen=True, slots=True)
class Kept:
    """A call to export: what the log has of it, and what the run said."""

    call: str
    tool: str
    arguments: str
    model: str | None
    provider: str | None
    finish_reason: str | None
    harness: str | None
    version: str | None
    catalog: str | None
    dispatched: bool
    schema: str | None
    resolved: str | None
    host: str
    outcome: str
    reason: str | None
    families: tuple[str, ...]

    @property
    def verdict(self) -> tuple[str, str | None, tuple[str, ...]]:
        """What must be the same after the export."""
        return self.outcome, self.reason, self.families


def representatives(store: Store, run: str) -> tuple[Kept, ...]:
    """One call of each kind, the shortest, in the order of their ids."""
    rows = store.connection.execute(queries.REPRESENTATIVES, [run]).fetchall()
    return tuple(Kept(*[*row[:-1], tuple(row[-1])]) for row in rows)
