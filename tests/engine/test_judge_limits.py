"""The judge never reaches out, never runs away, and takes any number."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest

from toolfix_audit.engine import repair
from toolfix_audit.engine.judges.patterns import PATTERN_SECONDS, matches
from toolfix_audit.model.json import Json, parse_json
from toolfix_audit.model.repair import JudgeLimitError
from toolfix_audit.model.words import Outcome, UnjudgedReason, UntouchedReason

from .judging import DRAFTS, count, judge_of


class _Counter(BaseHTTPRequestHandler):
    seen: list[str] = []  # noqa: RUF012 — shared on purpose

    def do_GET(self) -> None:
        self.seen.append(self.path)
        body = b'{"type":"object"}'
        self.send_response(200)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        pass


@contextmanager
def loopback() -> Iterator[tuple[str, list[str]]]:
    _Counter.seen.clear()
    with HTTPServer(("127.0.0.1", 0), _Counter) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}", _Counter.seen
        server.shutdown()


def _remote(base: str) -> dict[str, Json]:
    ref: Json = {"$ref": f"{base}/x.json"}
    return {
        "root": ref,
        "property": {"properties": {"a": ref}},
        "branch": {"anyOf": [{"required": ["z"]}, ref]},
        "through id": {"$id": f"{base}/tools/", "properties": {"a": {"$ref": "x.json"}}},
        "dynamic": {"properties": {"a": {"$dynamicRef": f"{base}/x.json#node"}}},
        "draft 7": {"$schema": DRAFTS["7"], "allOf": [ref]},
        "draft 4": {
            "$schema": DRAFTS["4"],
            "id": f"{base}/",
            "properties": {"a": {"$ref": "y.json#/b"}},
        },
        "draft 3": {"$schema": "http://json-schema.org/draft-03/schema#", "properties": {"a": ref}},
        "conditional": {"if": {"required": ["a"]}, "then": ref},
        "dependent": {"dependentSchemas": {"a": ref}},
        "names": {"propertyNames": ref},
        "definitions": {"$defs": {"d": ref}, "properties": {"a": {"$ref": "#/$defs/d"}}},
        "encoded": {"properties": {"a": {"$ref": f"{base}/x%2Ejson#/%24defs/a"}}},
        "nested draft": {"properties": {"a": {"$schema": DRAFTS["7"], "$ref": f"{base}/x.json"}}},
    }


def test_remote_references_are_never_fetched() -> None:
    with loopback() as (base, seen):
        for name, schema in _remote(base).items():
            done = repair({"arguments": {"a": {"b": 1}}}, schema)
            assert done.outcome is Outcome.UNJUDGED, name
            assert done.reason is UnjudgedReason.REMOTE_REF, name
        for dialect in (f"{base}/meta.json", f"{base}/meta.json#"):
            repair({"a": {"b": 1}}, {"$schema": dialect, "type": "object", "required": ["z"]})
            repair({"a": 1}, {"properties": {"a": {"$schema": dialect, "type": "string"}}})
        assert seen == []


EVIL = "^(a|aa)+$"  # too slow even for an engine that sees through `^(a+)+$`
LONG = "a" * 32 + "!"
NESTED = "^(a+)+$"
NESTED_TEXT = "a" * 26 + "!"


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"properties": {"s": {"pattern": NESTED}}}, {"s": NESTED_TEXT}),
        ({"properties": {"s": {"pattern": EVIL}}}, {"s": LONG * 2}),
        ({"patternProperties": {EVIL: {"type": "string"}}}, {LONG: 1}),
        ({"patternProperties": {EVIL: {}}, "additionalProperties": False}, {LONG: 1}),
        ({"propertyNames": {"pattern": EVIL}}, {LONG: 1}),
        ({"anyOf": [{"properties": {"s": {"pattern": EVIL}}}, {"required": ["z"]}]}, {"s": LONG}),
        ({"patternProperties": {NESTED: {}}, "unevaluatedProperties": False}, {NESTED_TEXT: 1}),
        (
            {
                "$schema": DRAFTS["2019-09"],
                "patternProperties": {NESTED: {}},
                "unevaluatedProperties": False,
            },
            {NESTED_TEXT: 1},
        ),
        (
            {
                "$schema": "http://json-schema.org/draft-03/schema#",
                "properties": {"s": {"pattern": NESTED}},
            },
            {"s": NESTED_TEXT},
        ),
    ],
    ids=[
        "nested",
        "pattern",
        "patternProperties",
        "closed",
        "propertyNames",
        "anyOf",
        "unevaluated",
        "unevaluated-2019-09",
        "draft-3",
    ],
)
def test_a_pattern_that_explodes_is_bounded(schema: Json, value: Json) -> None:
    done = repair(value, schema)
    assert not done.steps
    assert done.outcome in {Outcome.UNJUDGED, Outcome.UNTOUCHED, Outcome.VALID}


@pytest.mark.parametrize(
    "pattern", ["((a{1000}){1000}){1000}", "(?:(?:x{999}){999})+", "a" * 30_000, "[ab]{200000}"]
)
def test_a_pattern_that_would_fill_the_memory_is_not_run(pattern: str) -> None:
    done = repair({"s": 5}, {"properties": {"s": {"type": "string", "pattern": pattern}}})
    assert (done.outcome, done.reason) == (Outcome.UNJUDGED, UnjudgedReason.PATTERN_UNSUPPORTED)


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        ("^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$", "00000000-0000-0000-0000-000000000000"),
        ("^\\{{1,5}[()]{2,}$", "{{()"),
        ("^(?:a{0,1000}){0,1000}$", "aaa"),
        ("^[]a]{2}$", "]a"),
    ],
)
def test_a_pattern_with_counts_is_run(pattern: str, text: str) -> None:
    schema: Json = {"properties": {"s": {"type": "string", "pattern": pattern}}}
    assert repair({"s": text}, schema).outcome is Outcome.VALID


@pytest.mark.parametrize(
    ("number", "bounds"),
    [
        (10**5000, {"multipleOf": 0.1}),
        (-(10**5000), {"minimum": 5}),
        (10**5000, {"maximum": 5, "minimum": 0.5}),
        (float("inf"), {"maximum": 5}),
        (float("-inf"), {"minimum": 5}),
    ],
    ids=["step", "minimum", "maximum", "infinite", "minus-infinite"],
)
def test_numbers_that_only_python_has_are_never_valid(number: Json, bounds: Json) -> None:
    done = repair({"n": number, "o": [number]}, {"properties": {"n": bounds}})
    assert done.outcome is Outcome.UNTOUCHED


def _slow_text() -> str:
    """A text on which one match takes long, and yet less than what one match may take."""
    for length in range(16, 60):
        text = "a" * length + "!"
        start = time.process_time()
        matches(EVIL, text)
        if time.process_time() - start > PATTERN_SECONDS / 5:
            return text
    pytest.skip("the pattern is never slow here")


def test_many_slow_matches_of_one_call_are_bounded() -> None:
    schema: Json = {"properties": {"l": {"items": {"pattern": EVIL}}}, "required": ["z"]}
    texts: list[Json] = [_slow_text()] * 80
    assert not repair({"l": texts}, schema).steps


def test_a_pattern_that_takes_too_long_says_so() -> None:
    judge = judge_of({"properties": {"s": {"pattern": EVIL}}})
    with pytest.raises(JudgeLimitError) as caught:
        judge.violations({"s": "a" * 200 + "!"})
    assert caught.value.reason is UnjudgedReason.PATTERN_UNSUPPORTED


def test_patterns_are_not_anchored() -> None:
    assert count({"properties": {"s": {"pattern": "b"}}}, {"s": "abc"}) == 0
    assert count({"patternProperties": {"b": {"type": "string"}}}, {"abc": 1}) == 1


def test_a_value_deeper_than_the_validator_goes_is_a_limit() -> None:
    schema: Json = {"properties": {"c": {"$ref": "#"}}, "additionalProperties": False}
    text = '{"c":' * 5_000 + '{"x":1}' + "}" * 5_000
    with pytest.raises(JudgeLimitError) as caught:
        judge_of(schema).violations(parse_json(text))
    assert caught.value.reason is UntouchedReason.LIMIT
    done = repair(text, schema)
    assert (done.outcome, done.reason) == (Outcome.UNTOUCHED, UntouchedReason.LIMIT)
    assert done.arguments is text


@pytest.mark.parametrize(
    ("schema", "text"),
    [
        ({"properties": {"n": {"type": "integer"}}}, '{"n":' + "9" * 5000 + "}"),
        ({"properties": {"n": {"type": "integer"}}}, '{"n":1.0}'),
        ({"properties": {"n": {"type": "integer"}}}, '{"n":-0}'),
        ({"properties": {"n": {"type": "number"}}}, '{"n":1e400}'),
        ({"properties": {"n": {"type": "number", "multipleOf": 0.5}}}, '{"n":1' + "0" * 400 + "}"),
        ({"properties": {"n": {"const": 9007199254740993}}}, '{"n":9007199254740993}'),
        ({"properties": {"n": {"enum": [0.1]}}}, '{"n":0.10}'),
    ],
    ids=["5000-digits", "1.0", "-0", "1e400", "multipleOf-of-400-digits", "beyond-2^53", "0.10"],
)
def test_numbers_that_are_legal(schema: Json, text: str) -> None:
    assert repair(text, schema).outcome is Outcome.VALID


@pytest.mark.parametrize(
    ("schema", "text"),
    [
        ({"properties": {"n": {"const": 9007199254740993}}}, '{"n":9007199254740992}'),
        ({"properties": {"n": {"type": "integer"}}}, '{"n":1.5}'),
        ({"properties": {"n": {"enum": [1]}}}, '{"n":true}'),
        ({"properties": {"n": {"enum": [0]}}}, '{"n":false}'),
        ({"properties": {"n": {"multipleOf": 2}}}, '{"n":1e400}'),
        ({"properties": {"n": {"maximum": 5}}}, '{"n":1' + "0" * 5000 + "}"),
    ],
)
def test_numbers_that_are_not_legal(schema: Json, text: str) -> None:
    done = repair(text, schema)
    assert (done.outcome, done.arguments) == (Outcome.UNTOUCHED, text)
