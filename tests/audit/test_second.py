"""The second validators: they convict what a broken judge accepts, and keep silent where they
are known to differ."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path
from typing import Any

import pytest

from toolfix_audit.audit.foreign import compiler_of
from toolfix_audit.audit.foreign.pool import close_all
from toolfix_audit.audit.kernel import audit_call
from toolfix_audit.audit.second import second_judges
from toolfix_audit.audit.spec import Spec
from toolfix_audit.engine import compile_schema
from toolfix_audit.engine.judges.pair import PairJudge
from toolfix_audit.model.json import Json
from toolfix_audit.model.repair import Judge, Unusable

from .calls import SCHEMAS, row

READ: Json = {"type": "object", "properties": {"limit": {"type": "integer"}}}
LOOSE_JUDGE = """
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    found = ["a wrapper"] if "arguments" in asked["args"] else []
    print(json.dumps({"id": asked["id"], "violations": found}), flush=True)
"""


def judge_of(spec: Spec, schema: Json) -> Judge:
    judge = compiler_of(spec)(schema)
    assert not isinstance(judge, Unusable)
    return judge


def names(spec: Spec, schema: Json) -> list[str]:
    return [one.name for one in second_judges(spec, judge_of(spec, schema), json.dumps(schema))]


@pytest.fixture
def loose(tmp_path: Path) -> str:
    script = tmp_path / "judge.py"
    script.write_text(LOOSE_JUDGE, encoding="utf-8")
    return "command:" + shlex.join([sys.executable, str(script)])


def convicted(call: dict[str, Any], spec: Spec) -> dict[str, str]:
    probes = audit_call(call, SCHEMAS, spec)["probes"]
    return {one["kind"]: one["detail"] for one in probes if one["convicted"]}


def test_what_a_foreign_judge_accepts_wrongly_is_convicted(loose: str) -> None:
    wrong = row(1, "read", '{"arguments":{"path":"a","limit":"soon"}}')
    right = row(2, "read", '{"arguments":{"path":"a","limit":5}}')
    spec = Spec(judge=loose)
    assert convicted(wrong, spec)["judge-disagrees"] == "jsonschema rejects the result"
    assert "judge-disagrees" not in convicted(right, spec)
    close_all()


@pytest.mark.parametrize("judge", [None, "jsonschema", "jsonschema-rs"])
def test_what_our_own_judge_accepts_wrongly_is_convicted(
    judge: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each of our judges is made to accept a wrong type; another one sees it."""
    spec = Spec(judge=judge)
    call = row(3, "read", '{"arguments":{"path":"broken","limit":"soon"}}')
    broken = type(judge_of(spec, READ))
    sound = broken.violations

    def violations(self: Any, value: Json) -> Any:
        return [one for one in sound(self, value) if one.path != ("limit",)]

    monkeypatch.setattr(broken, "violations", violations)
    assert "judge-disagrees" in convicted(call, spec)


def test_every_fixed_call_has_its_probe() -> None:
    probes = audit_call(row(4, "read", '{"path":"a","limit":"5"}'), SCHEMAS, Spec())["probes"]
    assert [one["kind"] for one in probes].count("judge-disagrees") == 1


def test_the_second_is_another_one_than_the_judge() -> None:
    assert isinstance(compile_schema(READ), PairJudge)
    assert names(Spec(), READ) == ["jsonschema", "jsonschema-rs"]
    assert names(Spec(judge="jsonschema"), READ) == ["jsonschema-rs"]
    assert names(Spec(judge="jsonschema-rs"), READ) == ["jsonschema"]
    assert names(Spec(judge="command:cat"), READ) == ["jsonschema"]
    assert names(Spec(judge="shallow"), READ) == []


@pytest.mark.parametrize(
    "part",
    [
        {"multipleOf": 0.1},
        {"type": "string", "pattern": "^a"},
        {"type": "string", "format": "date"},
        {"$id": "https://a.test/x", "type": "string"},
        {"type": ["string", "null"], "nullable": True},
    ],
)
def test_it_is_silent_where_validators_are_known_to_differ(part: Json) -> None:
    schema: Json = {"type": "object", "properties": {"a": part}}
    for judge in (None, "jsonschema", "jsonschema-rs"):
        assert names(Spec(judge=judge), schema) == []


def test_a_property_of_such_a_name_is_no_keyword() -> None:
    schema: Json = {"type": "object", "properties": {"pattern": {"type": "string"}}}
    assert names(Spec(), schema) == ["jsonschema-rs"]  # `jsonschema` is the judge here


@pytest.mark.parametrize(
    ("part", "is_read"),
    [
        ({"type": "string"}, True),
        ({"type": "string", "enum": ["a"]}, True),
        ({"description": "anything"}, True),
        ({"type": "array", "items": {"type": "integer"}}, True),
        ({"enum": ["a"]}, False),
        ({"type": ["string", "null"]}, False),
        ({"type": "string", "minLength": 2}, False),
        ({"anyOf": [{"type": "string"}]}, False),
        ({"type": "object", "additionalProperties": {"type": "string"}}, False),
    ],
)
def test_beside_the_host_it_speaks_where_the_host_knows_all_keywords(
    part: Json, is_read: bool
) -> None:
    schema: Json = {"type": "object", "properties": {"a": part}, "required": ["a"]}
    spec = Spec(judge="dsh")
    found = second_judges(spec, judge_of(Spec(judge="command:cat"), schema), json.dumps(schema))
    assert [one.name for one in found] == (["jsonschema"] if is_read else [])
