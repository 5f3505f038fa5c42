"""Placeholders: the class stays, the content goes."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolfix_audit.audit.export.placeholders import KEPT_LENGTH, Placeholders
from toolfix_audit.audit.export.schemas import placeholder_schema

MASK = Placeholders("salt")

STAYS = [
    '{"a": "True", "b": "null", "c": ""}',
    '{"a": 5, "b": 1.50, "c": -0, "d": 1e400}',
    '{"enabled": true, "other": null}',
    '{"a": "5", "b": "140.0", "c": " 5 "}',
    "[]",
    "",
    "{}",
    '{"arguments": {"arguments": {}}}',
]


@pytest.mark.parametrize("text", STAYS)
def test_what_holds_no_content_stays(text: str) -> None:
    assert MASK.text(text) == text


SPELLINGS = [
    '{"path": "src/main.py"}',
    '{"items": "[\\"one\\", \\"two\\"]"}',
    '{"text": "Hello\\nWorld \\"quoted\\" \\\\ done"}',
    '{"text": "\\u8868 and \\u00e9"}',
    "{'path': 'source', 'on': True}",
    '```json\n{"path": "source"}\n```',
    '{"path": "source", "rest": "unfinished',
    '{"path": "source",}',
    '{"id": 12345678901234567890, "x": -123456789.5e10}',
    '{"id": "0012345678901"}',
    '{"text": "raw\nline\tbreak"}',
    '"{\\"path\\": \\"source\\"}"',
]


@pytest.mark.parametrize("text", SPELLINGS)
def test_spelling_stays_and_content_goes(text: str) -> None:
    made = MASK.text(text)
    assert _skeleton(made) == _skeleton(text)
    assert made != text
    assert "source" not in made


def _skeleton(text: str) -> str:
    """The text with every letter and digit of a class made the same, escapes too."""
    text = re.sub(r"\\u[0-9a-f]{4}", "U", text)
    text = re.sub("[^\\W\\d_]", lambda match: "A" if match.group().isupper() else "a", text)
    return re.sub("[1-9]", "9", text)


def test_a_member_and_its_misspelling_stay_a_pair() -> None:
    one, two = MASK.string("in_progress"), MASK.string("In_Progress")
    assert one != two
    assert one == two.lower()
    assert MASK.string('"in_progress"') == f'"{one}"'


def test_a_schema_admits_what_it_admitted() -> None:
    schema = {
        "type": "object",
        "description": "private words",
        "properties": {
            "status": {"enum": ["in_progress", "completed"], "description": "more"},
            "description": {"type": "string"},
            "enum": {"const": "a long constant"},
        },
        "required": ["status"],
    }
    made = json.loads(placeholder_schema(json.dumps(schema), MASK))
    assert made["properties"]["status"] == {
        "enum": [MASK.string("in_progress"), MASK.string("completed")]
    }
    assert made["properties"]["description"] == {"type": "string"}
    assert made["properties"]["enum"] == {"const": MASK.string("a long constant")}
    assert made["required"] == ["status"]
    assert "private" not in json.dumps(made)


def _leaves(value: object) -> list[object]:
    if isinstance(value, dict):
        return [leaf for one in value.values() for leaf in _leaves(one)]
    if isinstance(value, list):
        return [leaf for one in value for leaf in _leaves(one)]
    return [value]


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.text(max_size=40)
    | st.sampled_from(
        ["src/main.py", "2026-11-30", "a b c d e f g", "<tool_call>words</tool_call>"]
    ),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4)
    ),
    max_leaves=12,
)


@given(VALUES, st.booleans(), st.booleans())
def test_structure_and_types_stay_and_no_long_leaf_survives(
    value: object, is_ascii: bool, is_nested: bool
) -> None:
    text = json.dumps(value, ensure_ascii=is_ascii)
    if is_nested:
        text = json.dumps({"text": text}, ensure_ascii=is_ascii)
    made = json.loads(MASK.text(text))
    if is_nested:
        made = json.loads(made["text"])
    before, after = _leaves(value), _leaves(made)
    assert [type(leaf) for leaf in before] == [type(leaf) for leaf in after]
    for old, new in zip(before, after, strict=True):
        if isinstance(old, str) and len(old) > KEPT_LENGTH and any(map(_has_content, old)):
            assert new != old or not any(map(_is_random, old))


def _has_content(letter: str) -> bool:
    return letter.isalnum()


def _is_random(letter: str) -> bool:
    """Letters that are likely to change: a string of few others may come back by chance."""
    return letter.isascii() and letter.isalpha()
