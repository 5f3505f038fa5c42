"""What is passed over for speed when valid arguments are looked at holds nothing to see."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from toolfix_audit.engine import observe
from toolfix_audit.engine.proposal import Place
from toolfix_audit.engine.schema_view import SchemaView
from toolfix_audit.engine.wrappers import WRAPPERS
from toolfix_audit.model.json import Json

KEYS = ["path", "file_path", "arguments", "args", "input", "x y", "id", "a[0]", "a"]
TEXTS = st.one_of(
    st.text(max_size=12),
    st.text('{}[]":1truefalsnNEL \u2003\x1c\x85', max_size=8),
    st.sampled_from(["\u00a0True", " null ", "-1e5", '\u3000{"a":1}', "[1]", "\x1f0", "None"]),
)
SCHEMAS = st.fixed_dictionaries(
    {},
    optional={
        "properties": st.dictionaries(st.sampled_from(KEYS), st.just({}), max_size=6),
        "patternProperties": st.just({"^a": {}}),
        "additionalProperties": st.sampled_from([True, False, {"type": "string"}]),
        "required": st.lists(st.sampled_from(KEYS), max_size=2),
    },
)
OBJECTS = st.dictionaries(
    st.sampled_from(KEYS), st.sampled_from([1, "{}", '{"path":"a"}', {}, {"path": "a"}]), max_size=4
)


@given(TEXTS)
def test_what_looks_alike_begins_so(text: str) -> None:
    if observe._look_alike(text) is not None:
        assert text.lstrip()[:1] in observe._TELLING_STARTS


@given(SCHEMAS, OBJECTS)
def test_an_object_of_declared_keys_has_no_odd_one(schema: Json, value: dict[str, Json]) -> None:
    view = SchemaView.of(schema)
    place = Place((), value, view, observe.spelled_container)
    assert view.declares_each(value.keys()) == all(view.declares(key) for key in value)
    if view.declares_each(value.keys()):
        assert not list(observe._odd_keys(place, value))
    if WRAPPERS.isdisjoint(value):
        assert not list(observe._object_look_alikes(place, value))
