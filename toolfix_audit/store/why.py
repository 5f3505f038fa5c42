"""What the malformed calls of a run have in common: rates by trait, and imitation in a session."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Final

from toolfix_audit.model.report import Imitation, PlaceRow, RateRow
from toolfix_audit.store import queries
from toolfix_audit.store.connect import first_row, writing
from toolfix_audit.store.store import Store

MIN_CALLS: Final = 30
"""A trait that fewer calls share tells nothing, and is left out."""

_SCHEMA: Final = "schema depth"


def why(
    store: Store, run: str, schema_depth: Callable[[str], int | None]
) -> tuple[tuple[RateRow, ...], Imitation]:
    """The rates of every family by trait, and how wrapped calls follow each other.

    `schema_depth` tells how deeply the schema of a digest nests, None if that is not known.

    Raises:
        StoreWriteError: there is no room for the table of the traits.
    """
    with writing(store.path):
        store.connection.execute(queries.DROP_TRAITS)
        store.connection.execute(queries.TRAITS, [run])
        rates = _rates(store, schema_depth)
        imitation = _imitation(store)
        store.connection.execute(queries.DROP_TRAITS)
    return rates, imitation


def _rates(store: Store, schema_depth: Callable[[str], int | None]) -> tuple[RateRow, ...]:
    calls: Counter[tuple[str, str]] = Counter()
    touched: Counter[tuple[str, str, str]] = Counter()
    seen: set[tuple[str, str]] = set()
    rows = store.connection.execute(queries.RATES).fetchall()
    for trait, recorded, number, family, part in rows:
        value = _depth_text(schema_depth(recorded)) if trait == _SCHEMA else recorded
        if not value:
            continue
        if (trait, recorded) not in seen:
            seen.add((trait, recorded))
            calls[trait, value] += number
        if family is not None:
            touched[trait, value, family] += part
    return tuple(
        RateRow(trait, value, family, calls[trait, value], part)
        for (trait, value, family), part in sorted(touched.items())
        if calls[trait, value] >= MIN_CALLS
    )


def _depth_text(depth: int | None) -> str | None:
    if depth is None:
        return None
    return str(depth) if depth < 4 else "4 and more"


def _imitation(store: Store) -> Imitation:
    row = first_row(store.connection, queries.IMITATION) or (0,) * 8
    places = store.connection.execute(queries.PLACES).fetchall()
    wrapped, wrapped_of, other, other_of, first, first_of, runs, longest = map(int, row)
    return Imitation(
        after_wrapped=wrapped,
        after_wrapped_of=wrapped_of,
        after_other=other,
        after_other_of=other_of,
        first=first,
        first_of=first_of,
        runs=runs,
        longest_run=longest,
        places=tuple(PlaceRow(*place) for place in places),
    )
