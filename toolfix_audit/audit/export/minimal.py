"""The export: lines are made, audited in a store of their own, and compared call by call."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from toolfix_audit.audit.dryrun import dry_run
from toolfix_audit.audit.export.placeholders import Placeholders
from toolfix_audit.audit.export.select import Kept, representatives
from toolfix_audit.audit.export.write import session_lines, session_name
from toolfix_audit.audit.ingest import ingest
from toolfix_audit.audit.request import Request
from toolfix_audit.audit.spec import Spec
from toolfix_audit.model.errors import NothingCheckedError
from toolfix_audit.model.json import parse_json
from toolfix_audit.store import queries
from toolfix_audit.store.entries import Run
from toolfix_audit.store.store import Store


@dataclass(frozen=True, slots=True)
class Differing:
    """A call of which the audit says something else after the export."""

    call: str
    tool: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Exported:
    """The lines to write, how many calls they stand for, and the calls that could not be made
    safe without changing what the audit says of them."""

    text: str
    calls: int
    total: int
    differing: tuple[Differing, ...]


def export_minimal(store: Store) -> Exported:
    """Export the calls of the last dry run.

    Short values are replaced too, but for the calls whose outcome hangs on them. Calls in
    `differing` are not in the text.

    Raises:
        NothingCheckedError: the store has no dry run, or it saw no call.
    """
    run = store.latest_run()
    kept = representatives(store, run.run) if run else ()
    if run is None or not kept:
        raise NothingCheckedError(
            f"{store.path}: no dry run to export",
            hint=f"run: toolfix-audit dryrun --db {store.path}",
        )
    export = _Export(store, run, kept)
    first = dict.fromkeys(range(len(kept)), False)
    changed = export.differing(first)
    second = {place: place in changed for place in first}
    changed = export.differing(second) if changed else changed
    good = {place: short for place, short in second.items() if place not in changed}
    return Exported(
        text=export.text(good),
        calls=len(good),
        total=export.total,
        differing=tuple(changed.values()),
    )


class _Export:
    """The representatives of a run, and how they are written."""

    def __init__(self, store: Store, run: Run, kept: tuple[Kept, ...]) -> None:
        self._kept = kept
        self._spec = _spec(run)
        self._schemas = store.schemas() | _shipped(store)
        self._catalogs = store.catalogs()
        self.total = int(store.corpus_counts().calls)
        salt = sha256("".join(one.call for one in kept).encode()).hexdigest()
        self._placeholders = {short: Placeholders(salt, short=short) for short in (False, True)}

    def text(self, places: Mapping[int, bool]) -> str:
        """The lines of the calls at those places, numbered anew."""
        lines: list[str] = []
        for number, (place, short) in enumerate(sorted(places.items()), 1):
            one = self._kept[place]
            offered = self._catalogs.get(one.catalog or "", {})
            lines.extend(
                session_lines(
                    number,
                    one,
                    schemas=self._schemas,
                    offered=offered,
                    placeholders=self._placeholders[short],
                )
            )
        return "".join(f"{line}\n" for line in lines)

    def differing(self, places: Mapping[int, bool]) -> dict[int, Differing]:
        """The places of which an audit of the lines says something else."""
        found = self._audited(self.text(places))
        changed: dict[int, Differing] = {}
        for number, place in enumerate(sorted(places), 1):
            one, after = self._kept[place], found.get(session_name(number))
            if after != one.verdict:
                changed[place] = Differing(one.call, one.tool, _words(one.verdict), _words(after))
        return changed

    def _audited(self, text: str) -> dict[str, tuple[str, str | None, tuple[str, ...]]]:
        with tempfile.TemporaryDirectory(prefix="toolfix-audit-") as folder:
            file = Path(folder) / "export.jsonl"
            file.write_text(text, encoding="utf-8", newline="\n")
            with Store.temporary() as store:
                ingest(store, [str(file)])
                dry_run(store, Request(spec=self._spec), render=lambda _: "")
                rows = store.connection.execute(queries.VERDICTS).fetchall()
        return {
            session: (outcome, reason, tuple(families))
            for session, outcome, reason, families in rows
        }


def _spec(run: Run) -> Spec:
    """What was run; the probes are not needed to compare outcomes."""
    told: Any = parse_json(run.spec)
    return Spec(
        families=tuple(told["families"]),
        probes=False,
        engine=told.get("engine"),
        judge=told.get("judge"),
    )


def _shipped(store: Store) -> dict[str, str]:
    from toolfix_audit.audit.beside import shipped_for  # noqa: PLC0415

    return dict(shipped_for(store).texts)


def _words(verdict: tuple[str, str | None, Iterable[str]] | None) -> str:
    if verdict is None:
        return "absent"
    outcome, reason, families = verdict
    return " ".join(part for part in (outcome, reason or "", ",".join(families)) if part)
