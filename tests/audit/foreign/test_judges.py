"""Judges by name: what each says, and what happens where one can't say anything."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from toolfix_audit.audit.foreign import ForeignJudge, Process, compiler_of
from toolfix_audit.audit.foreign.engine import ForeignEngine
from toolfix_audit.audit.foreign.judge import UNPLACED
from toolfix_audit.audit.foreign.pool import judge_info
from toolfix_audit.audit.spec import Spec
from toolfix_audit.engine import repair
from toolfix_audit.model.errors import ConfigError
from toolfix_audit.model.json import Json
from toolfix_audit.model.repair import Judge, JudgeLimitError, Unusable, Violation
from toolfix_audit.model.words import Outcome, UnjudgedReason, UntouchedReason

from .conftest import fake_command
from .scripted import Scripted, always

Fake = Callable[..., Process]
SCHEMA: Json = {
    "type": "object",
    "properties": {
        "path": {"type": "string"},
        "items": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"id": {"type": "integer"}},
                "required": ["id", "name"],
                "additionalProperties": False,
            },
        },
    },
    "required": ["path"],
}
BAD: Json = {"items": [{"id": "5", "why": 1, "who": 2}]}
PLACES = {
    ((), "path"),
    (("items", 0), "name"),
    (("items", 0), "why"),
    (("items", 0), "who"),
    (("items", 0, "id"), None),
}


def judge_of(name: str, schema: Json) -> Judge:
    judge = compiler_of(Spec(judge=name))(schema)
    assert not isinstance(judge, Unusable)
    return judge


def places(violations: object) -> set[tuple[object, object]]:
    assert isinstance(violations, tuple)
    return {(violation.path, violation.key) for violation in violations}


@pytest.mark.parametrize("name", ["jsonschema", "jsonschema-rs"])
def test_judges_of_this_process(name: str) -> None:
    judge = judge_of(name, SCHEMA)
    assert places(judge.violations(BAD)) == PLACES
    assert not judge.is_valid(BAD)
    assert judge.is_valid({"path": "a"})
    assert len(judge.violations(["path"])) == 1
    assert (judge.name, judge.version) == (name, judge_info(Spec(judge=name)).version)
    assert judge.violations({"path": "x" * 9999, "items": "y" * 9999})[0].message


@pytest.mark.parametrize("name", ["dsh", "ajv"])
def test_judges_of_node(node_path: object, name: str) -> None:
    judge = judge_of(name, SCHEMA)
    assert places(judge.violations(BAD)) == PLACES
    assert judge.is_valid({"path": "a"})
    assert len(judge.violations(["path"])) == 1
    assert judge_info(Spec(judge=name)).version[0].isdigit()


def test_ajv_counts_branches_once(node_path: object) -> None:
    schema: Json = {
        "type": "object",
        "properties": {
            "a": {"anyOf": [{"$ref": "#/$defs/s"}, {"required": ["x"], "type": "object"}]},
            "b": {"type": "integer"},
        },
        "if": {"required": ["a"]},
        "then": {"required": ["c"]},
        "$defs": {"s": {"type": "string"}},
    }
    assert places(judge_of("ajv", schema).violations({"a": 1, "b": "x"})) == {
        (("a",), None),
        (("b",), None),
        ((), "c"),
    }


def test_dsh_places_with_awkward_names(node_path: object) -> None:
    schema: Json = {
        "type": "object",
        "properties": {
            "a.b": {"type": "object", "properties": {"c[0]": {"type": "string"}}},
            "list": {"type": "array", "items": {"type": "array", "items": {"type": "string"}}},
        },
    }
    value: Json = {"a.b": {"c[0]": 1}, "list": [["x"], ["y", 2]]}
    assert places(judge_of("dsh", schema).violations(value)) == {
        (("a.b", "c[0]"), None),
        (("list", 1, 1), None),
    }


def test_ajv_refuses_what_it_can_not_compile(node_path: object) -> None:
    refused: list[Json] = [{"type": "nonsense"}, {"$ref": "https://x.test/s.json"}]
    for schema in refused:
        done = repair({}, schema, judge=judge_of("ajv", schema))
        assert (done.outcome, done.reason) == (Outcome.UNJUDGED, UnjudgedReason.SCHEMA_UNUSABLE)


def test_the_shallow_judge() -> None:
    judge = judge_of("shallow", SCHEMA)
    assert places(judge.violations(BAD)) == {((), "path")}
    assert isinstance(compiler_of(Spec(judge="shallow"))({}), Unusable)


def test_rust_says_why_a_schema_is_unusable() -> None:
    compile_rust = compiler_of(Spec(judge="jsonschema-rs"))
    found = compile_rust({"$ref": "https://x.test/s.json"})
    assert isinstance(found, Unusable)
    assert found.reason is UnjudgedReason.REMOTE_REF
    found = compile_rust({"type": 5})
    assert isinstance(found, Unusable)
    assert found.reason is UnjudgedReason.SCHEMA_UNUSABLE
    assert isinstance(compile_rust("text"), Unusable)


def test_violations_as_text_or_with_a_place() -> None:
    told: Json = [
        "something is wrong",
        {"message": "m", "path": ["a", 0], "keyword": "/type"},
        {"message": "m", "path": [], "keyword": "/required", "key": "k"},
        {"message": "m", "path": "/a", "keyword": "/type"},
        7,
    ]
    judge = ForeignJudge(always({"violations": told}), {})
    assert judge.violations({}) == (
        Violation((), UNPLACED, None, "something is wrong"),
        Violation(("a", 0), "/type", None, "m"),
        Violation((), "/required", "k", "m"),
        Violation((), UNPLACED, None, "m"),
        Violation((), UNPLACED, None, "7"),
    )


def test_an_unplaced_violation_lets_the_engine_look_everywhere() -> None:
    def reply(request: Mapping[str, Json]) -> dict[str, Json]:
        is_right = request["args"] == {"options": {"limit": 5}}
        return {"violations": [] if is_right else ["limit is no integer"]}

    limit: Json = {"type": "object", "properties": {"limit": {"type": "integer"}}}
    schema: Json = {"type": "object", "properties": {"options": limit}}
    done = repair({"options": {"limit": "5"}}, schema, judge=ForeignJudge(Scripted(reply), schema))
    assert done.outcome is Outcome.FIXED
    assert done.arguments == {"options": {"limit": 5}}


def test_no_answer_is_a_limit(fake: Fake) -> None:
    judge = ForeignJudge(fake("hang"), {})
    assert judge.is_valid({"a": 1})
    with pytest.raises(JudgeLimitError):
        judge.violations({"trigger": 1})
    assert not judge.is_valid({"trigger": 1})
    done = repair({"trigger": 1}, {}, judge=judge)
    assert (done.outcome, done.reason) == (Outcome.UNTOUCHED, UntouchedReason.LIMIT)


def test_an_error_of_the_judge_makes_the_schema_unusable(fake: Fake) -> None:
    done = repair({"trigger": 1}, {}, judge=ForeignJudge(fake("own_error"), {}))
    assert (done.outcome, done.reason) == (Outcome.UNJUDGED, UnjudgedReason.SCHEMA_UNUSABLE)


def test_a_judge_that_gives_up_on_the_result(fake: Fake) -> None:
    judge = ForeignJudge(fake("hang"), {})
    done = ForeignEngine(always({"arguments": {"trigger": 1}}), compiler_of(Spec())).repair(
        {"a": 1}, {}, judge=judge
    )
    assert done.outcome is Outcome.VALID


def test_unknown_names_are_told() -> None:
    with pytest.raises(ConfigError, match="unknown name 'nope'") as raised:
        compiler_of(Spec(judge="nope"))({}).violations({})  # type: ignore[union-attr]
    assert "jsonschema, jsonschema-rs, shallow, dsh, ajv" in (raised.value.hint or "")


def test_the_command_is_its_name() -> None:
    command = fake_command("honest")
    judge = judge_of(command, {})
    assert judge.is_valid({})
    assert (judge.name, judge_info(Spec(judge=command)).name) == (command, command)
