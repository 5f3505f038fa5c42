"""The outcomes of a run counted by source, by label, and by whatever the user asks for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, cast

from toolfix_audit.model.errors import ConfigError
from toolfix_audit.model.json import parse_json
from toolfix_audit.model.report_groups import GroupRow
from toolfix_audit.store import queries
from toolfix_audit.store.store import Store

LABEL: Final = "label:"
COLUMNS: Final = ("source", "format", "session", "tool", "provider", "model")
"""What calls can be counted by, beside `label:NAME`."""

_NO_LABELS: Final[Mapping[str, str]] = {}


def read_keys(text: str) -> tuple[str, ...]:
    """The keys in a text such as `model,tool,label:template`.

    Raises:
        ConfigError: one is unknown, or there is none.
    """
    keys = tuple(dict.fromkeys(key.strip() for key in text.split(",") if key.strip()))
    unknown = [
        key for key in keys if key not in COLUMNS and (not key.startswith(LABEL) or key == LABEL)
    ]
    if unknown or not keys:
        raise ConfigError(
            f"--by: unknown key {', '.join(unknown) or repr(text)}",
            hint=f"known keys: {', '.join(COLUMNS)}, label:NAME",
        )
    return keys


def require_labels(store: Store, keys: Iterable[str], labels: Mapping[str, str]) -> None:
    """Refuse a key `label:NAME` where neither a source nor the run has a label of that name.

    Raises:
        ConfigError: there is none; those that there are are named.
    """
    known = {*labels, *(name for told in _labels(store).values() for name in told)}
    unknown = [key for key in keys if key.startswith(LABEL) and key[len(LABEL) :] not in known]
    if unknown:
        labelled = "".join(f", {LABEL}{name}" for name in sorted(known)) or "; no label was given"
        raise ConfigError(
            f"--by: unknown key {', '.join(unknown)}",
            hint=f"known keys: {', '.join(COLUMNS)}{labelled}",
        )


@dataclass(slots=True)
class _Sums:
    """Calls by outcome, and those with a mis-fix, of every group so far."""

    outcomes: dict[tuple[str, ...], Counter[str]] = field(default_factory=dict)
    misfixes: Counter[tuple[str, ...]] = field(default_factory=Counter)

    def add(self, values: tuple[str, ...], outcome: str, calls: int, misfixes: int) -> None:
        self.outcomes.setdefault(values, Counter())[outcome] += calls
        self.misfixes[values] += misfixes

    def rows(self) -> tuple[GroupRow, ...]:
        return tuple(
            GroupRow(values, found.total(), dict(sorted(found.items())), self.misfixes[values])
            for values, found in sorted(self.outcomes.items())
        )


def outcomes_by(
    store: Store,
    run: str,
    keys: Sequence[str],
    *,
    labels: Mapping[str, str] = _NO_LABELS,
    accused: Sequence[str] = (),
) -> tuple[GroupRow, ...]:
    """Count the outcomes of a run by these keys (see `read_keys`), ordered by their values.

    `labels` are those of the run itself, which win over those of a source; `accused` are calls
    with a mis-fix beside those that a probe convicted.
    """
    known, sums = _labels(store), _Sums()
    for number, outcome, calls, misfixes, *row in store.connection.execute(
        queries.OUTCOME_GROUPS, {"run": run, "named": list(accused)}
    ).fetchall():
        told = dict(zip(COLUMNS, row, strict=True))
        told |= {f"{LABEL}{name}": value for name, value in {**known[number], **labels}.items()}
        sums.add(tuple(told.get(key) or "" for key in keys), outcome, calls, misfixes)
    return sums.rows()


def outcomes_by_source_and_label(
    store: Store,
    run: str,
    *,
    labels: Mapping[str, str] = _NO_LABELS,
    accused: Sequence[str] = (),
) -> tuple[tuple[GroupRow, ...], tuple[GroupRow, ...]]:
    """Count the outcomes of a run by the path of the source, and by every label and its value;
    a call counts once for each of its labels."""
    known, sources, labelled = _labels(store), _Sums(), _Sums()
    for number, outcome, calls, misfixes, path in store.connection.execute(
        queries.SOURCE_GROUPS, {"run": run, "named": list(accused)}
    ).fetchall():
        sources.add((path,), outcome, calls, misfixes)
        for name, value in {**known[number], **labels}.items():
            labelled.add((name, value), outcome, calls, misfixes)
    return sources.rows(), labelled.rows()


def _labels(store: Store) -> dict[int, Mapping[str, str]]:
    rows = store.connection.execute(queries.SOURCE_LABELS).fetchall()
    return {number: cast("dict[str, str]", parse_json(text)) for number, text in rows}
