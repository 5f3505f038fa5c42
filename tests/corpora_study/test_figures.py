"""The figures of the study corpus, counted from the logs and judged by jsonschema."""

from __future__ import annotations

import ast
import json
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from jsonschema import Draft202012Validator

from .study_logs import Corpus, LoggedCall

WRAPPERS = {
    "arguments", "args", "parameters", "params", "input", "inputs", "kwargs", "tool_input",
    "tool_arguments", "function_arguments", "_",
}  # fmt: skip
PAIRS = {
    ("skill_name", "name"), ("path", "file_path"), ("file_path", "path"),
    ("new_str", "new_string"), ("query", "queries"),
}  # fmt: skip


def _unwrapped(value: dict[str, Any]) -> tuple[dict[str, Any], int]:
    depth = 0
    while set(value) == {"arguments"}:
        value, depth = value["arguments"], depth + 1
    return value, depth


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for child in value.values():
            yield from _strings(child)
    elif isinstance(value, list):
        for child in value:
            yield from _strings(child)


def _is_container_text(text: str) -> bool:
    for parse in (json.loads, ast.literal_eval):
        try:
            value = parse(text.strip())
        except (ValueError, SyntaxError):
            continue
        if isinstance(value, (dict, list, tuple, set)):
            return True
    return False


def _undeclared(call: LoggedCall) -> set[str]:
    declares_any = isinstance(call.schema.get("additionalProperties"), dict)
    return set() if declares_any else set(call.sent) - set(call.schema.get("properties", {}))


def _is_closed(call: LoggedCall) -> bool:
    return call.schema.get("additionalProperties") is False


def test_outcomes_families_and_verdicts(corpus: Corpus) -> None:
    calls = list(corpus.all())
    assert len(corpus.calls) == 200
    assert len(calls) == 16_535
    outcomes = Counter(call.truth["expected_outcome"] for call in calls)
    assert outcomes == {
        "valid": 15_949, "fixed": 520, "swallowed": 45, "untouched": 18, "still_failing": 3,
    }  # fmt: skip
    families = Counter((call.truth["family"], call.truth["expected_outcome"]) for call in calls)
    del families[(None, "valid")]
    assert families == {
        ("A", "fixed"): 499, ("A", "still_failing"): 3, ("A", "swallowed"): 45,
        ("B", "fixed"): 2, ("C", "fixed"): 1, ("D", "fixed"): 18, (None, "untouched"): 18,
    }  # fmt: skip
    reasons = Counter(call.truth["expected_reason"] for call in calls)
    assert reasons == {None: 16_517, "empty-arguments": 6, "omitted-required": 12}


def test_the_host_rejects_missing_properties_only(corpus: Corpus) -> None:
    assert all(call.host == call.truth["host"] for call in corpus.all())
    rejected = [call for call in corpus.all() if call.host == "rejected_arguments"]
    outcomes = Counter(call.truth["expected_outcome"] for call in rejected)
    assert outcomes == {"fixed": 520, "still_failing": 3, "untouched": 18}
    for call in rejected:
        assert call.answer.startswith("Error: invalid arguments: missing required property ")
        for key in set(call.schema["required"]) - set(call.sent):
            assert f'missing required property "{key}"' in call.answer
        assert ("is not a declared property" in call.answer) is (
            _is_closed(call) and bool(_undeclared(call))
        )
    gaps = {call.answer.split('"')[1] for call in corpus.of_kind("nested-gap")}
    assert {"todos[3].status", "steps[0].checks[1].done"} <= gaps


def test_jsonschema_judges_what_was_meant_and_what_was_sent(corpus: Corpus) -> None:
    judges: dict[str, Draft202012Validator] = {}
    for call in corpus.all():
        judge = judges.setdefault(call.tool, Draft202012Validator(call.schema))
        assert judge.schema == call.schema
        assert judge.is_valid(call.truth["intended"])
        if call.sent != call.truth["intended"]:
            legal = call.truth["expected_outcome"] in ("valid", "swallowed")
            assert judge.is_valid(call.sent) is legal


def test_only_damaged_calls_differ_from_what_was_meant(corpus: Corpus) -> None:
    for call in corpus.all():
        damaged = call.truth["expected_outcome"] != "valid"
        assert (call.sent != call.truth["intended"]) is damaged


def test_each_damage_leads_to_the_expected_arguments(corpus: Corpus) -> None:
    for call in corpus.of_kind("wrapped", "swallowed", "still-failing"):
        inner, depth = _unwrapped(call.sent)
        assert depth == call.truth["wrapper_depth"] > 0
        assert inner == (call.truth["expected"] or call.truth["intended"])
        assert not WRAPPERS & set(inner)
    for call in corpus.of_kind("still-failing"):
        assert call.tool == "glob"
        assert set(call.truth["expected"]) == {"file_path"}
        assert not _is_closed(call)
    assert {tuple(call.sent) for call in corpus.of_kind("alias-wrapper")} == {
        ("args",), ("parameters",),
    }  # fmt: skip
    for call in corpus.of_kind("alias-wrapper"):
        assert next(iter(call.sent.values())) == call.truth["intended"]
    (call,) = corpus.of_kind("siblings")
    assert call.sent["offset"] == 5
    assert {**call.sent["arguments"], "offset": 5} == call.truth["intended"]
    for call in corpus.of_kind("empty", "omission", "nested-gap"):
        assert call.sent == call.truth["expected"]
        assert not _undeclared(call)


def test_renamed_keys_cover_the_named_pairs(corpus: Corpus) -> None:
    pairs, closed = Counter[tuple[str, str]](), Counter[bool]()
    for call in corpus.of_kind("renamed"):
        (source,) = _undeclared(call)
        (target,) = set(call.truth["intended"]) - set(call.sent)
        assert call.sent[source] == call.truth["intended"][target]
        assert target in call.schema["required"]
        pairs[(source, target)] += 1
        closed[_is_closed(call)] += 1
        assert isinstance(call.sent[source], list) is (source == "query")
    assert set(pairs) == PAIRS
    assert min(closed.values()) > 3


def test_untouched_kinds(corpus: Corpus) -> None:
    kinds = Counter(call.truth["kind"] for call in corpus.all())
    assert (kinds["empty"], kinds["omission"], kinds["nested-gap"]) == (6, 8, 4)
    assert all(call.sent == {} for call in corpus.of_kind("empty"))
    assert all(call.sent for call in corpus.of_kind("omission", "nested-gap"))


def test_depth_grows_by_imitation(corpus: Corpus) -> None:
    depths = {
        session: [call.truth["wrapper_depth"] for call in calls if call.truth["wrapper_depth"]]
        for session, calls in corpus.calls.items()
    }
    steady = [d for d in depths.values() if len(d) > 2 and all(a <= b for a, b in pairwise(d))]
    assert len(steady) >= 30
    assert max(max(d) for d in steady) == 38
    assert any(b < a for d in depths.values() for a, b in pairwise(d))
    assert any(len(d) == 1 for d in depths.values())
    assert sum(len(d) for d in depths.values()) == 549
    assert all(calls[0].truth["kind"] == "valid" for calls in corpus.calls.values())


def test_damaged_tools_are_native_and_plain(corpus: Corpus) -> None:
    for call in corpus.all():
        if call.truth["family"] or call.truth["expected_outcome"] == "untouched":
            assert not call.tool.startswith("mcp__")
            assert not any(word in json.dumps(call.schema) for word in ("anyOf", "oneOf", "$ref"))
            assert not WRAPPERS & set(call.schema["properties"])
        if call.truth["wrapper_depth"] and _is_closed(call):
            assert call.schema["required"]


def test_swallowed_calls_lose_declared_arguments(corpus: Corpus) -> None:
    for call in corpus.of_kind("swallowed"):
        inner, _ = _unwrapped(call.sent)
        assert inner
        assert set(inner) <= set(call.schema["properties"])
        assert "required" not in call.schema
        assert not _is_closed(call)
        assert call.host == "accepted"


def test_json_text_is_legal_and_nothing_else_parses(corpus: Corpus) -> None:
    texts = corpus.of_kind("json-text")
    assert len(texts) == 75
    for call in texts:
        assert (call.host, call.code) == ("failed", "FS_NOT_OBSERVED")
        found = [text for text in _strings(call.sent) if _is_container_text(text)]
        assert len(found) == 1
        assert isinstance(json.loads(found[0]), (dict, list))
    for call in corpus.all():
        if call.truth["kind"] != "json-text":
            for text in _strings(call.sent):
                # The readers of families E and L need such a first character.
                assert text.lstrip()[:1] not in {"{", "[", '"', "`", "<"}
    distinct = {t for c in corpus.all() if c.truth["kind"] != "json-text" for t in _strings(c.sent)}
    assert not any(_is_container_text(text) for text in distinct)


def test_valid_calls_send_no_undeclared_key_but_the_trap(corpus: Corpus) -> None:
    for call in corpus.all():
        if call.truth["expected_outcome"] == "valid" and (found := _undeclared(call)):
            assert found == {"configuration"}
            assert "description" in call.schema["properties"]
            assert "description" not in call.schema["required"]
            assert "description" not in call.sent
            assert call.truth["kind"] == "look-alike:D"


def test_look_alikes_of_every_family(corpus: Corpus) -> None:
    for family in "ABCD":
        calls = corpus.of_kind(f"look-alike:{family}")
        assert len(calls) >= 40
        assert len({call.tool for call in calls}) >= 3
    for call in corpus.of_kind("look-alike:A"):
        assert set(call.sent) == {"arguments"}
    for call in corpus.of_kind("look-alike:B"):
        assert len(call.sent) == 1
        assert set(call.sent) <= WRAPPERS - {"arguments"}
    for call in corpus.of_kind("look-alike:C"):
        assert len(call.sent) > 1
        assert WRAPPERS & set(call.sent)
    traps = [call for call in corpus.of_kind("look-alike:D") if "configuration" in call.sent]
    assert len(traps) >= 10


def test_tools_models_and_schemas_are_varied(corpus: Corpus) -> None:
    calls = list(corpus.all())
    schemas = {call.tool: call.schema for call in calls}
    assert len(schemas) >= 25
    assert len({call.truth["model"] for call in calls}) == 6
    assert len({call.provider for call in calls}) >= 3
    closed = {t for t, s in schemas.items() if s.get("additionalProperties") is False}
    maps = {t for t, s in schemas.items() if isinstance(s.get("additionalProperties"), dict)}
    unions = {t for t, s in schemas.items() if "anyOf" in json.dumps(s) or "oneOf" in json.dumps(s)}
    free = {t for t, s in schemas.items() if not s.get("required")}
    nested = {t for t, s in schemas.items() if '"items": {"type": "object"' in json.dumps(s)}
    assert min(len(closed), len(schemas) - len(closed)) >= 8
    assert min(len(maps), len(unions), len(nested)) >= 2
    assert len(free) >= 4


def test_no_later_call_contradicts_a_repair(corpus: Corpus) -> None:
    for calls in corpus.calls.values():
        for place, call in enumerate(calls):
            if not call.truth["family"]:
                continue
            meant = call.truth["intended"]
            later = [c for c in calls[place + 1 :] if c.tool == call.tool and c.host == "accepted"]
            if call.truth["expected_outcome"] == "swallowed":
                assert all(other.truth["intended"] == meant for other in later)
                continue
            texts = {value for value in meant.values() if isinstance(value, str)}
            texts -= {"view", "create", "str_replace", "insert", "python", "javascript"}
            texts -= {"short", "full", "text", "markdown"}
            for other in later:
                assert other.sent == meant or not texts & set(_strings(other.sent))
