"""Families G to J over a store: what stands beside the calls, found and never changed.

`find` is one pass over texts, results, failed streams and pairs. Each part is a pure function
over rows; memory is bounded by one page of rows and one session.
"""

from __future__ import annotations

from typing import Final

from toolfix_audit.audit.findings.images import find_images
from toolfix_audit.audit.findings.leaks import find_leaks
from toolfix_audit.audit.findings.result_shapes import find_shapes
from toolfix_audit.audit.findings.sightings import Sightings
from toolfix_audit.audit.findings.stream_errors import TOLD, find_stream_errors
from toolfix_audit.audit.spec import SchemaSet
from toolfix_audit.engine.reask import DEFAULT, Policy
from toolfix_audit.model.report import Finding
from toolfix_audit.model.report_findings import Found
from toolfix_audit.store.store import Store

__all__ = ["FAMILIES", "find", "found_rows"]

FAMILIES: Final = (
    ("G", "leaked-call", "calls that a model wrote as text or reasoning"),
    ("H", "stringified-image", "results that hold an image as text"),
    ("I", "swallowed-error", "failed streams whose cause was not shown, or is lost"),
    ("J", "result-shape", "results of an odd shape, or that answer no call as they should"),
)
"""The families, each with what its finds are."""


def find(store: Store, schemas: SchemaSet, policy: Policy = DEFAULT) -> Found:
    """Look for leaked calls, images as text, swallowed errors and odd results in a store.

    `policy` is the re-ask policy that is simulated. The same logs give the same finds, in whatever
    order they were read.

    Raises:
        StoreWriteError: there is no room for the plan of the pages.
    """
    sightings = Sightings()
    leaks = find_leaks(store, schemas, policy, sightings)
    images = find_images(store, sightings)
    streams = find_stream_errors(store, sightings)
    find_shapes(store, sightings)
    rows, more = sightings.rows()
    return Found(streams, leaks.untold, rows, more, leaks.reask, images)


def found_rows(found: Found) -> tuple[Finding, ...]:
    """A finding for each family of which something was found; causes that were shown are none."""
    counts = {
        code: sum(row.count for row in found.rows if row.family == code and row.kind != TOLD)
        for code, _, _ in FAMILIES
    }
    return tuple(
        Finding(code, name, counts[code], detail) for code, name, detail in FAMILIES if counts[code]
    )
