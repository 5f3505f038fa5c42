"""Results of tools and failed streams, pure: stringified images, swallowed errors, odd shapes.

Nothing here changes what it reads, and bad data is never an exception.
"""

from __future__ import annotations

from toolfix_audit.wire.results.cases import RESULT_FAMILIES, result_fault
from toolfix_audit.wire.results.causes.explained import explain_row, explain_stream, parsed_raw
from toolfix_audit.wire.results.causes.nature import nature_of
from toolfix_audit.wire.results.causes.stream_cause import CauseFinder, stream_cause
from toolfix_audit.wire.results.history import read_history
from toolfix_audit.wire.results.logged import log_faults
from toolfix_audit.wire.results.lowering import dry_run, image_finding, lower_batch
from toolfix_audit.wire.results.pairing import pair
from toolfix_audit.wire.results.shapes import result_shape
from toolfix_audit.wire.results.targets import Head

__all__ = [
    "RESULT_FAMILIES",
    "CauseFinder",
    "Head",
    "dry_run",
    "explain_row",
    "explain_stream",
    "image_finding",
    "log_faults",
    "lower_batch",
    "nature_of",
    "pair",
    "parsed_raw",
    "read_history",
    "result_fault",
    "result_shape",
    "stream_cause",
]
