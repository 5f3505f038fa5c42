"""A search by parts ends as a search of the whole, on calls and schemas of any kind."""

from __future__ import annotations

from typing import Any, cast

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from toolfix_audit.engine import ALL, SAFE, compile_schema, repair
from toolfix_audit.engine.judges.shallow import ShallowJudge
from toolfix_audit.model.json import Json
from toolfix_audit.model.repair import Repair, Unusable

from .effort import law
from .garbage import any_schemas, sound_schemas
from .many_repairs import calls
from .values import anything


class _Whole:
    """A judge that says nothing of parts, so that every trial is judged as a whole."""

    def __init__(self, judge: Any) -> None:
        self.name, self.version = judge.name, judge.version
        self.is_valid, self.violations = judge.is_valid, judge.violations


def _both(arguments: Json, schema: Json, families: frozenset[str]) -> tuple[Repair, Repair] | None:
    judge = compile_schema(schema)
    if isinstance(judge, Unusable | ShallowJudge):
        return None
    whole = repair(arguments, schema, judge=cast(Any, _Whole(judge)), families=families)
    return repair(arguments, schema, families=families), whole


@pytest.mark.parametrize("families", [SAFE, ALL], ids=["safe", "all"])
def test_fixed_calls(families: frozenset[str]) -> None:
    for arguments, schema in calls():
        pair = _both(arguments, schema, families)
        assert pair is None or pair[0] == pair[1]


@law
@given(st.one_of(anything, st.dictionaries(st.text(max_size=3), anything)),
       st.one_of(any_schemas, sound_schemas), st.booleans())  # fmt: skip
def test_any_calls(arguments: Json, schema: Json, more: bool) -> None:
    pair = _both(arguments, schema, ALL if more else SAFE)
    assume(pair is not None)
    assert pair is not None
    assert pair[0] == pair[1]
