"""The judge of a schema, as several test modules ask it."""

from __future__ import annotations

from toolfix_audit.engine import compile_schema
from toolfix_audit.model.json import Json
from toolfix_audit.model.repair import Judge, Unusable

DRAFTS = {
    "4": "http://json-schema.org/draft-04/schema#",
    "6": "http://json-schema.org/draft-06/schema#",
    "7": "http://json-schema.org/draft-07/schema#",
    "2019-09": "https://json-schema.org/draft/2019-09/schema",
    "2020-12": "https://json-schema.org/draft/2020-12/schema",
}


def judge_of(schema: Json) -> Judge:
    judge = compile_schema(schema)
    assert not isinstance(judge, Unusable), judge
    return judge


def count(schema: Json, value: Json) -> int:
    judge = judge_of(schema)
    found = judge.violations(value)
    assert judge.is_valid(value) is (not found)
    return len(found)
