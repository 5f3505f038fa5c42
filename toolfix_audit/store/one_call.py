"""One call of the store, with its outcome in a run and its neighbours in the session."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from toolfix_audit.model.errors import ConfigError
from toolfix_audit.model.explanation import Neighbour
from toolfix_audit.store import queries
from toolfix_audit.store.store import Store


def find_call(store: Store, prefix: str) -> str:
    """The id of the one call that starts with `prefix`.

    Raises:
        ConfigError: there is none, or more than one.
    """
    rows = store.connection.execute(queries.CALLS_NAMED, [prefix]).fetchall()
    found = [str(row[0]) for row in rows]
    if not prefix or not found:
        raise ConfigError(
            f"{store.path}: no call {prefix!r}",
            hint="the reports name the calls; the store must be the one that they were made with",
        )
    if len(found) > 1 and prefix not in found:
        raise ConfigError(
            f"{prefix!r} begins the ids of more than one call", hint=f"give one: {', '.join(found)}"
        )
    return prefix if prefix in found else found[0]


def call_facts(store: Store, call: str) -> Mapping[str, Any]:
    """What the log says of a call, by column of `queries.ONE_CALL`."""
    return _named(store, queries.ONE_CALL, [call]) or {}


def outcome_facts(store: Store, run: str, call: str) -> Mapping[str, Any] | None:
    """What a run says of a call, by column of `queries.ONE_OUTCOME`; None if it did not see it."""
    return _named(store, queries.ONE_OUTCOME, [run, call])


def neighbours(
    store: Store, run: str, facts: Mapping[str, Any], around: int
) -> tuple[Neighbour, ...]:
    """The calls of the session within `around` calls of this one, itself among them."""
    parameters = {
        "run": run,
        "source": facts["source"],
        "session": facts["session"],
        "position": facts["position"],
        "around": around,
    }
    rows = store.connection.execute(queries.NEIGHBOURS, parameters).fetchall()
    return tuple(Neighbour(*row) for row in rows)


def _named(store: Store, statement: str, parameters: list[object]) -> dict[str, Any] | None:
    cursor = store.connection.execute(statement, parameters)
    names = [column[0] for column in cursor.description or ()]
    row = cursor.fetchone()
    return None if row is None else dict(zip(names, row, strict=True))
