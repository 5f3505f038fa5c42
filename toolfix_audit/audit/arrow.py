"""The two Arrow schemas of the kernel: a batch of calls in, a batch of outcomes out."""

from __future__ import annotations

from typing import Any, Final

import pyarrow as pa

_TEXTS = pa.list_(pa.string())

_CALL_FIELDS: list[pa.Field[Any]] = [
    pa.field("call", pa.string(), nullable=False),  # stable id, unique in a store
    pa.field("session", pa.string(), nullable=False),
    pa.field("path", pa.string(), nullable=False),  # source, as shown
    pa.field("tool", pa.string(), nullable=False),
    pa.field("arguments", pa.string(), nullable=False),
    pa.field("form", pa.string(), nullable=False),  # text | value | absent
    pa.field("streamed", pa.string()),
    pa.field("dispatched", pa.bool_(), nullable=False),
    pa.field("catalog", pa.string()),  # id of the request's tool list; null: none in force
    pa.field("finish_reason", pa.string()),
    pa.field("harness", pa.string()),
    pa.field("version", pa.string()),  # of the harness
    pa.field("provider", pa.string()),
    pa.field("model", pa.string()),
    pa.field("has_result", pa.bool_(), nullable=False),
    pa.field("is_error", pa.bool_()),
    pa.field("result_text", pa.string()),
    pa.field("error_code", pa.string()),
]

_OUTCOME_FIELDS: list[pa.Field[Any]] = [
    pa.field("call", pa.string(), nullable=False),
    pa.field("session", pa.string(), nullable=False),
    pa.field("path", pa.string(), nullable=False),
    pa.field("tool", pa.string(), nullable=False),  # as called
    pa.field("resolved", pa.string()),  # the name after repair
    pa.field("provider", pa.string()),
    pa.field("model", pa.string()),
    pa.field("outcome", pa.string(), nullable=False),
    pa.field("reason", pa.string()),
    pa.field("opt_in", pa.string()),
    pa.field("origin", pa.string()),  # request | catalogue | inferred
    pa.field("schema", pa.string()),  # digest of the schema text
    pa.field("host", pa.string(), nullable=False),
    pa.field("families", _TEXTS, nullable=False),
    pa.field("suspected", pa.string()),
    pa.field("depth", pa.int32(), nullable=False),  # wrapper layers removed (A and B)
    pa.field("before", pa.string(), nullable=False),  # JSON text, or the recorded text
    pa.field("after", pa.string()),  # JSON text; null where nothing changed
    pa.field(
        "steps",
        pa.list_(
            pa.struct(
                [
                    pa.field("family", pa.string()),
                    pa.field("action", pa.string()),
                    pa.field("pointer", pa.string()),
                    pa.field("before", pa.string()),
                    pa.field("after", pa.string()),
                ]
            )
        ),
        nullable=False,
    ),
    pa.field("violations_before", _TEXTS, nullable=False),
    pa.field("violations_after", _TEXTS, nullable=False),
    pa.field("left_alone", _TEXTS, nullable=False),
    pa.field("suspicions", _TEXTS, nullable=False),
    pa.field("findings", _TEXTS, nullable=False),
    pa.field("shape", pa.string(), nullable=False),  # keys and types of `before`, no values
    pa.field(
        "probes",
        pa.list_(
            pa.struct(
                [
                    pa.field("kind", pa.string()),
                    pa.field("families", _TEXTS),
                    pa.field("convicted", pa.bool_()),
                    pa.field("detail", pa.string()),
                ]
            )
        ),
        nullable=False,
    ),
]

CALLS: Final = pa.schema(_CALL_FIELDS)
OUTCOMES: Final = pa.schema(_OUTCOME_FIELDS)
