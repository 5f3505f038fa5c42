"""Values that hypothesis-jsonschema makes for a schema, with the Hypothesis that is locked.

hypothesis-jsonschema 0.23 asks `many(…).more()` whether an object gets another key; Hypothesis
has turned that into `with` and `for`. It also changes its own constants `TRUTHY` and `FALSEY` on
the way, and from then on makes values for few schemas.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from types import SimpleNamespace
from typing import Any, cast

from hypothesis import strategies as st
from hypothesis.internal.conjecture.utils import many
from hypothesis_jsonschema import _from_schema, from_schema
from hypothesis_jsonschema._canonicalise import FALSEY, TRUTHY, HypothesisRefResolutionError

from toolfix_audit.model.json import Json, dump_json, parse_json

FAULTS = (HypothesisRefResolutionError, ValueError, TypeError, AssertionError)
"""What is raised for schemas that are recursive, that it can't make values for, or that it gets
wrong itself."""


class _Many(many):
    """`many` as hypothesis-jsonschema uses it."""

    _turns: Iterator[None] | None = None

    def more(self) -> bool:
        """Whether another element is to be made."""
        if self._turns is None:
            self._turns = iter(self.__enter__())
        return next(self._turns, self) is None


if not hasattr(many, "more"):
    vars(_from_schema)["cu"] = SimpleNamespace(many=_Many)


def example(data: st.DataObject, schema: Json) -> dict[str, Json] | None:
    """An object that the schema accepts, if one is found easily."""
    _mend_constants()
    try:
        value = data.draw(_examples(dump_json(schema)))
    except FAULTS:
        return None
    return value if isinstance(value, dict) else None


def _mend_constants() -> None:
    TRUTHY.clear()
    FALSEY.clear()
    FALSEY["not"] = {}


@lru_cache(maxsize=8192)
def _examples(schema: str) -> st.SearchStrategy[Any]:
    return from_schema(cast(Any, parse_json(schema)))
