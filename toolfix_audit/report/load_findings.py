"""Reads what was found beside the calls back from the JSON form of a report."""

from __future__ import annotations

from typing import Final

from toolfix_audit.model import report_findings as record
from toolfix_audit.report.json_fields import (
    counts_of,
    many,
    mapping,
    one_of,
    or_null,
    read_count,
    read_text,
    record_of,
)

_ROW: Final = record_of(
    record.FoundRow,
    family=one_of("GHIJ"),
    kind=read_text,
    variant=read_text,
    tool=or_null(read_text),
    model=or_null(read_text),
    count=read_count,
    repairable=read_count,
    session=read_text,
    path=read_text,
    call=or_null(read_text),
    shown=read_text,
    says=read_text,
)
_REASK: Final = record_of(
    record.Reask,
    **{**counts_of(record.Reask), "policy": read_text, "why": mapping(read_count)},
)
_LOWERING: Final = record_of(
    record.LoweringRow,
    **{**counts_of(record.LoweringRow), "target": read_text, "method": read_text},
)

FOUND: Final = record_of(
    record.Found,
    streams=read_count,
    untold=read_count,
    rows=many(_ROW),
    more=read_count,
    reask=_REASK,
    images=record_of(
        record.Images,
        results=read_count,
        images=read_count,
        characters=read_count,
        targets=many(_LOWERING),
    ),
)
"""The reader of everything found beside the calls."""
