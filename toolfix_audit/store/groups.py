"""The outcomes of a run counted by whatever the user asks for: model, tool, label, …"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, cast

from toolfix_audit.model.errors import ConfigError
from toolfix_audit.model.json import parse_json
from toolfix_audit.store import queries
from toolfix_audit.store.store import Store

LABEL: Final = "label:"
COLUMNS: Final = ("source", "format", "session", "tool", "provider", "model")
"""What calls can be counted by, beside `label:NAME`."""


@dataclass(frozen=True, slots=True)
class Group:
    """The calls that have these values, one for each key; an absent one is the empty text."""

    values: tuple[str, ...]
    calls: int
    outcomes: Mapping[str, int]


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


def outcomes_by(store: Store, run: str, keys: Sequence[str]) -> tuple[Group, ...]:
    """Count the outcomes of a run by these keys (see `read_keys`), ordered by their values."""
    labels = _labels(store)
    counts: dict[tuple[str, ...], Counter[str]] = {}
    for number, outcome, calls, *row in store.connection.execute(
        queries.OUTCOME_GROUPS, {"run": run}
    ).fetchall():
        told = dict(zip(COLUMNS, row, strict=True))
        told |= {f"{LABEL}{name}": value for name, value in labels[number].items()}
        values = tuple(told.get(key) or "" for key in keys)
        counts.setdefault(values, Counter())[outcome] += calls
    return tuple(
        Group(values, found.total(), dict(sorted(found.items())))
        for values, found in sorted(counts.items())
    )


def _labels(store: Store) -> dict[int, Mapping[str, str]]:
    rows = store.connection.execute(queries.SOURCE_LABELS).fetchall()
    return {number: cast("dict[str, str]", parse_json(text)) for number, text in rows}
