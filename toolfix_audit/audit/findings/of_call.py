"""What was found at one call: in its result, and in how the two are paired."""

from __future__ import annotations

from typing import NamedTuple

from toolfix_audit.audit.findings.images import images_in, sighting_of
from toolfix_audit.audit.findings.result_shapes import faults_in, shapes_in
from toolfix_audit.model.report_findings import FoundRow
from toolfix_audit.store.finding_rows import acts_of, results_of
from toolfix_audit.store.store import Store


class CallPlace(NamedTuple):
    """A call, and where it stands."""

    call: str
    source: int
    session: str
    position: int


def found_at(store: Store, place: CallPlace) -> list[FoundRow]:
    """The finds that belong to a call.

    Raises:
        StoreWriteError: there is no room for the plan of the rows.
    """
    found: list[FoundRow] = []
    for row in results_of(store, place.source, place.position):
        finds = images_in(row)
        found += [sighting_of(row, finds).row] if finds else []
        found += [sighting.row for sighting in shapes_in(row)]
    faults = faults_in(acts_of(store, place.source, place.session))
    return [*found, *(sighting.row for _, sighting in faults if sighting.row.call == place.call)]
