"""The kernel: one row out for each row in, whatever is in it."""

from __future__ import annotations

import json
import pickle
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolfix_audit.audit.arrow import CALLS, OUTCOMES
from toolfix_audit.audit.kernel import audit_batch
from toolfix_audit.audit.spec import SchemaSet, Spec

from .calls import ABCD, SCHEMAS, batch, row

SPEC = Spec(families=ABCD)


def audited(call: dict[str, Any], schemas: SchemaSet = SCHEMAS) -> dict[str, Any]:
    (outcome,) = audit_batch(batch([call]), schemas, SPEC).to_pylist()
    assert isinstance(outcome, dict)
    return outcome


@pytest.mark.parametrize(
    ("call", "outcome", "reason", "origin"),
    [
        (row(1, "read", '{"path":"a"}'), "valid", None, "request"),
        (row(1, "read", '{"arguments":{"path":"a"}}'), "fixed", None, "request"),
        (row(1, "read", '{"arguments":{"limit":"x"}}'), "still_failing", None, "request"),
        (row(1, "list", '{"arguments":{"scope":"x"}}'), "swallowed", None, "request"),
        (row(1, "read", "{}"), "untouched", "empty-arguments", "request"),
        (row(1, "read", ""), "untouched", "empty-arguments", "request"),
        (row(1, "read", '{"path":"a'), "untouched", "truncated", "request"),
        (row(1, "read", "words"), "untouched", "unparseable", "request"),
        (row(1, "read", '{"limit":1}'), "untouched", "omitted-required", "request"),
        (
            row(1, "read", '{"limit":1}', finish_reason="length"),
            "untouched",
            "truncated",
            "request",
        ),
        (
            row(1, "read", '{"arguments":{"path":"a"}}', finish_reason="length"),
            "fixed",
            None,
            "request",
        ),
        (row(1, "unheard_of", '{"path":"a"}'), "untouched", "unknown-tool", "request"),
        (row(1, "unheard_of", "{", finish_reason="length"), "untouched", "unknown-tool", "request"),
        (row(1, "unheard_of", "{}", dispatched=True), "unjudged", "no-schema", None),
        (row(1, "unheard_of", "{}", catalog=None), "unjudged", "no-schema", None),
        (row(1, "read", "{}", catalog=None), "unjudged", "no-schema", None),
        (row(1, "write", '{"path":"a"}', catalog=None), "valid", None, "catalogue"),
        (row(1, "write", '{"path":"a"}', dispatched=True), "valid", None, "catalogue"),
        (row(1, "named", "{}"), "unjudged", "no-schema", None),
        (row(1, "bad", "{}"), "unjudged", "schema-unusable", "request"),
        (row(1, "list", '{"scope":"x"}'), "valid", None, "request"),
        (row(1, "read", '{"path":"a"}', form="value"), "valid", None, "request"),
        (row(1, "read", '"{}"', form="value"), "untouched", "other", "request"),
        (row(1, "read", "", form="absent"), "untouched", "empty-arguments", "request"),
        (
            row(1, "list", '{"scope":"x"}', catalog="another"),
            "untouched",
            "unrelated-key",
            "catalogue",
        ),
    ],
)
def test_outcome_reason_and_origin(
    call: dict[str, Any], outcome: str, reason: str | None, origin: str | None
) -> None:
    got = audited(call)
    assert (got["outcome"], got["reason"], got["origin"]) == (outcome, reason, origin)
    assert (got["after"] is not None) is (outcome in {"fixed", "still_failing", "swallowed"})


def test_what_a_row_tells() -> None:
    got = audited(row(1, "read", '{ "arguments": {"arguments": {"path": "a"}}}'))
    assert (got["call"], got["tool"], got["resolved"], got["schema"]) == (
        "call-0001", "read", "read", "d-read",
    )  # fmt: skip
    assert (got["before"], got["after"]) == (
        '{"arguments":{"arguments":{"path":"a"}}}',
        '{"path":"a"}',
    )
    assert (got["families"], got["depth"], got["host"]) == (["A"], 2, "accepted")
    assert [step["action"] for step in got["steps"]] == ["unwrap:arguments"] * 2
    assert (len(got["violations_before"]), got["violations_after"]) == (1, [])
    assert got["findings"] == ["host-accepted"]
    assert got["probes"]
    assert not any(probe["convicted"] for probe in got["probes"])


def test_text_that_does_not_parse_is_shown_as_it_was() -> None:
    assert audited(row(1, "read", "{'path'"))["before"] == "{'path'"


def test_the_depth_counts_layers_of_a_and_b_only() -> None:
    assert audited(row(1, "read", '{"args":{"arguments":{"path":"a"}}}'))["depth"] == 2
    assert audited(row(1, "read", '{"args":{"path":"a"},"limit":1}'))["depth"] == 0


@pytest.mark.parametrize(
    ("arguments", "changes", "suspected"),
    [
        ('{"arguments":{"path":"a"}}', {}, "A"),
        ('{"arguments":"text"}', {}, None),
        ('{"path":"a"}', {}, None),
        (
            '{"args":{"path":"a"}}',
            {
                "is_error": True,
                "error_code": "INVALID_ARGS",
                "result_text": 'Error: invalid arguments: missing required property "path"',
            },
            "B",
        ),
        (
            '{"file_path":"a"}',
            {
                "is_error": True,
                "error_code": "INVALID_ARGS",
                "result_text": 'Error: invalid arguments: missing required property "path"',
            },
            "D",
        ),
        (
            '{"path":',
            {
                "is_error": True,
                "error_code": "INVALID_ARGS",
                "result_text": 'Error: invalid arguments: "arguments" must be an object',
            },
            "L",
        ),
    ],
)
def test_an_unjudged_call_is_still_classified(
    arguments: str, changes: dict[str, Any], suspected: str | None
) -> None:
    got = audited(row(1, "unheard_of", arguments, catalog=None, **changes))
    assert (got["outcome"], got["suspected"], got["families"]) == ("unjudged", suspected, [])


def test_a_valid_call_may_be_odd() -> None:
    assert audited(row(1, "list", '{"args":{"scope":"x"}}'))["suspicions"] == ["wrapper-kept"]
    assert audited(row(1, "read", '{"path":"[1]"}'))["left_alone"] == ["json-text-in-string"]
    assert audited(row(1, "read", '{"path":"5"}'))["left_alone"] == ["look-alike-value"]
    differs = row(1, "read", '{"path":"a"}', streamed='{"path":"b"}')
    assert audited(differs)["suspicions"] == ["recorded-differs"]
    same = row(1, "read", '{"path":"a"}', streamed='{ "path" : "a" }')
    assert audited(same)["suspicions"] == []


def test_rows_keep_their_order_and_columns() -> None:
    rows = [row(number, "read", json.dumps({"path": str(number)})) for number in range(50)]
    got = audit_batch(batch(rows), SCHEMAS, SPEC)
    assert got.schema.equals(OUTCOMES)
    assert got.column("call").to_pylist() == [call["call"] for call in rows]
    assert audit_batch(batch([]), SCHEMAS, SPEC).num_rows == 0


def test_other_columns_are_refused() -> None:
    short = pa.RecordBatch.from_pylist([], schema=pa.schema(list(CALLS)[:-1]))
    with pytest.raises(ValueError, match="columns"):
        audit_batch(short, SCHEMAS, SPEC)


def test_what_it_is_given_can_be_sent_to_another_process() -> None:
    schemas, spec = pickle.loads(pickle.dumps((SCHEMAS, SPEC)))
    calls = batch([row(1, "read", '{"arguments":{"path":"a"}}')])
    assert audit_batch(calls, schemas, spec).equals(audit_batch(calls, SCHEMAS, SPEC))


@pytest.mark.parametrize("depth", [38, 2_500])
@pytest.mark.parametrize("inner", ['{"path":"a"}', '"x"'])
def test_a_deep_call_is_audited(depth: int, inner: str) -> None:
    got = audited(row(1, "read", '{"arguments":' * depth + inner + "}" * depth))
    assert got["outcome"] == ("fixed" if inner.startswith("{") else "untouched")
    assert got["depth"] == (depth if inner.startswith("{") else 0)
    assert not any(probe["convicted"] for probe in got["probes"])


def test_a_deep_legal_call_is_audited() -> None:
    schemas = SchemaSet({"d": "{}"}, {"cat": {"any": "d"}})
    got = audited(row(1, "any", '{"a":[' * 5_000 + "]}" * 5_000), schemas)
    assert got["outcome"] in {"valid", "untouched"}


@settings(max_examples=200, deadline=None, database=None, derandomize=True)
@given(
    st.sampled_from(["read", "list", "bad", "named", "write", "x", ""]),
    st.text(st.sampled_from('{}[]",:\\ \nabtrue1`\ud800')) | st.sampled_from(
        ['{"type":[],"value":{}}', '{"arguments":{"type":{},"value":1}}', '{"path":{"a":NaN}}',
         '{"path":1e400,"limit":-0}', '{"path":"\\ud800"}', '{"a":1,"a":2}', '{"":{"":[]}}']
    ),
    st.sampled_from(["text", "value", "absent"]),
    st.booleans(),
)  # fmt: skip
def test_no_call_breaks_it(tool: str, arguments: str, form: str, dispatched: bool) -> None:
    text = arguments.encode("utf-8", "backslashreplace").decode()
    got = audited(row(1, tool, text, form=form, dispatched=dispatched))
    assert got["outcome"] in {
        "valid",
        "swallowed",
        "fixed",
        "still_failing",
        "untouched",
        "unjudged",
    }
    assert not any(probe["convicted"] for probe in got["probes"])
