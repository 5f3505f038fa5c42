"""Family I over a store: why streams failed, beside what the user was shown."""

from __future__ import annotations

from toolfix_audit.audit.findings.sightings import Sighting, Sightings, cut
from toolfix_audit.model.report_findings import FoundRow
from toolfix_audit.store.finding_rows import StreamRow, failed_streams, place_key
from toolfix_audit.store.store import Store
from toolfix_audit.wire.results import explain_row, nature_of, parsed_raw
from toolfix_audit.wire.results.causes.explained import SHOWN, Explanation

HIDDEN, LOST, TOLD = "hidden_cause", "lost_cause", "told_cause"
"""The cause is in the log and was not shown; the log has lost it; it was shown."""


def find_stream_errors(store: Store, sightings: Sightings) -> int:
    """Count the failed streams of a store by what became of their cause, and say how many there
    are."""
    streams = 0
    for row in failed_streams(store):
        streams += 1
        sightings.add(explained(row))
    return streams


def explained(row: StreamRow) -> Sighting:
    """What is known of one failed stream."""
    found = explain_row(row.shown, row.code, parsed_raw(row.raw))
    nature = nature_of(found.cause)
    return Sighting(
        place_key(row.digest, row.position),
        FoundRow(
            family="I",
            kind=LOST if found.lost else HIDDEN if found.hidden else TOLD,
            variant=" ".join(map(str, filter(None, (nature, found.cause.code)))),
            tool=None,
            model=row.model,
            count=1,
            repairable=int(found.hidden),
            session=row.session,
            path=row.path,
            call=None,
            shown=cut(row.shown),
            says=cut(_says(found)),
        ),
    )


def _says(found: Explanation) -> str:
    """The cause and the place where it stands, or that it is lost; never a guess."""
    cause = found.cause
    if found.lost:
        code = "" if cause.code is None else f" ({cause.code})"
        return f"the log has lost the cause{code}"
    where = f"at {cause.pointer}" if cause.pointer else "in the recorded failure"
    if cause.place == SHOWN:
        where = "in the words that were shown"
    return f"{cause.display} ({cause.kind.value}, {where})"
