"""Judges of schemas that the mis-fix check derives from a call's own.

A derived schema is the same object whenever the same places are probed, so its judge is looked up
by identity: to write a large schema as text again would take longer than the probe.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from toolfix_audit.model.json import Json
from toolfix_audit.model.repair import Judge, Unusable

Compile = Callable[[Json], Judge | Unusable]

_KEPT: Final = 4096
_KNOWN: dict[tuple[int, Compile], tuple[Json, Judge | Unusable]] = {}
"""By the identity of a schema, which is kept beside its judge."""


def remembered(compile_schema: Compile) -> Compile:
    """The same compiler, which remembers the judges of the schema objects that it has seen."""

    def compile_once(schema: Json) -> Judge | Unusable:
        known = _KNOWN.get((id(schema), compile_schema))
        if known is not None and known[0] is schema:
            return known[1]
        made = compile_schema(schema)
        if len(_KNOWN) >= _KEPT:
            _KNOWN.clear()
        _KNOWN[id(schema), compile_schema] = (schema, made)
        return made

    return compile_once
