"""A batch of calls audited, and what a report keeps of it. Needs no store, so that another process
can do it."""

from __future__ import annotations

from dataclasses import dataclass

import pyarrow as pa

from toolfix_audit.audit.fold import Partial, fold
from toolfix_audit.audit.kernel import audit_rows
from toolfix_audit.audit.sample import Sample
from toolfix_audit.audit.spec import SchemaSet, Spec


@dataclass(frozen=True, slots=True)
class Part:
    """The outcomes of a batch, their counts, and the calls that it offers for measuring power."""

    outcomes: pa.RecordBatch
    total: Partial
    sample: Sample


def audit_part(calls: pa.RecordBatch, schemas: SchemaSet, spec: Spec) -> Part:
    """Audit a batch of calls (columns CALLS).

    Raises:
        ForeignError: a foreign engine or judge gave no answer too often in a row.
    """
    rows, outcomes = audit_rows(calls, schemas, spec)
    sample = Sample()
    sample.add(rows, calls.column("catalog").to_pylist())
    return Part(outcomes, fold(rows), sample)
