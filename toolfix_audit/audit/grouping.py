"""The tables of a report that count calls by group: which ones, their order, and their bounds."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from toolfix_audit.audit.request import Request
from toolfix_audit.audit.retry import Answer, Pair
from toolfix_audit.model.report_groups import Grouping, GroupRow
from toolfix_audit.model.words import CHANGED, Outcome
from toolfix_audit.store.groups import (
    outcomes_by,
    outcomes_by_source_and_label,
    require_labels,
)
from toolfix_audit.store.store import Store

MAX_GROUPS: Final = 1_000
"""Groups of one table; the rest is counted."""


def check_keys(store: Store, request: Request) -> None:
    """Refuse keys that no call has, before anything is audited.

    Raises:
        ConfigError: a label is unknown.
    """
    require_labels(store, request.by, request.labels)


def groupings(
    store: Store, run: str, request: Request, answers: Iterable[tuple[Pair, Answer]]
) -> tuple[Grouping, ...]:
    """The calls of a run by source, by label where there is any, and by the keys asked for."""
    denied = [pair.call for pair, answer in answers if answer is Answer.CONTRADICTS]
    sources, labels = outcomes_by_source_and_label(
        store, run, labels=request.labels, accused=denied
    )
    found = [(("source",), sources), (("label", "value"), labels)]
    if request.by:
        asked = outcomes_by(store, run, request.by, labels=request.labels, accused=denied)
        found.append((request.by, asked))
    return tuple(_bounded(by, rows) for by, rows in found if rows)


def _bounded(by: tuple[str, ...], rows: Iterable[GroupRow]) -> Grouping:
    """The groups, worst first, as many as a report holds."""
    ranked = sorted(rows, key=_rank)
    kept, left = tuple(ranked[:MAX_GROUPS]), ranked[MAX_GROUPS:]
    return Grouping(by, kept, len(left), sum(row.calls for row in left))


def _rank(row: GroupRow) -> tuple[int, int, int, tuple[str, ...]]:
    malformed = sum(row.outcomes.get(word, 0) for word in (*CHANGED, Outcome.UNTOUCHED))
    return -row.misfixes, -malformed, -row.calls, row.values
