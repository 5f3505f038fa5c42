"""The judges of other projects beside `jsonschema`, on every handed case and every host call."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from toolfix_audit.audit.foreign import compiler_of
from toolfix_audit.audit.ingest import ingest
from toolfix_audit.audit.request import Request, schema_set
from toolfix_audit.audit.spec import Spec
from toolfix_audit.model.json import Json, JsonError, dump_json, parse_json
from toolfix_audit.model.repair import Judge, Unusable
from toolfix_audit.store.store import Store

TYPE_LIST = "the host knows no type lists, and rejects every value"
NO_TYPE = "the host reads an enum only beside its type"
PATTERN = "the host does not run patterns"
DIFFERENT = {
    "dsh": {
        "args-063": TYPE_LIST,
        "args-104": TYPE_LIST,
        "args-112": TYPE_LIST,
        "args-114": PATTERN,
        "args-119": TYPE_LIST,
        "args-120": NO_TYPE,
        "args-122": NO_TYPE,
        "args-123": NO_TYPE,
        "args-124": NO_TYPE,
        "args-129": "the host does not know patternProperties",
    },
    "ajv": {},
}
Asked = tuple[str, str, Json]


def cases(shared: Path) -> Iterator[Asked]:
    text = (shared / "cases" / "args.jsonl").read_text(encoding="utf-8")
    for line in text.splitlines():
        case = parse_json(line)
        assert isinstance(case, dict)
        yield from parsed(str(case["id"]), dump_json(case["schema"]), text_of(case))


def text_of(case: dict[str, Json]) -> str:
    return str(case["args_text"]) if "args_text" in case else dump_json(case["args"])


def host_calls(shared: Path) -> Iterator[Asked]:
    with Store.temporary() as store:
        ingest(store, [str(shared / "corpora" / "dsh-host" / "sessions")])
        schemas = schema_set(store, Request())
        for batch in store.call_batches():
            for row in batch.to_pylist():
                digest = schemas.catalogs.get(row["catalog"] or "", {}).get(row["tool"])
                if digest is not None:
                    yield from parsed(row["call"], schemas.texts[digest], row["arguments"])


def parsed(name: str, schema: str, arguments: str) -> Iterator[Asked]:
    try:
        yield name, schema, parse_json(arguments)
    except JsonError:
        return


def verdicts(judge: str, asked: list[Asked]) -> dict[str, int]:
    compile_schema = compiler_of(Spec(judge=judge, seconds=60))
    judges: dict[str, Judge] = {}
    found: dict[str, int] = {}
    for name, schema, value in asked:
        if schema not in judges:
            compiled = compile_schema(parse_json(schema))
            assert not isinstance(compiled, Unusable)
            judges[schema] = compiled
        found[name] = len(judges[schema].violations(value))
    return found


@pytest.mark.parametrize("judge", sorted(DIFFERENT))
def test_the_handed_cases(shared: Path, node_path: Path, judge: str) -> None:
    asked = list(cases(shared))
    assert len(asked) > 100
    ours, theirs = verdicts("jsonschema", asked), verdicts(judge, asked)
    other = {name for name in ours if bool(ours[name]) != bool(theirs[name])}
    assert other == set(DIFFERENT[judge])
    assert {name: ours[name] for name in ours if name not in other} == {
        name: theirs[name] for name in theirs if name not in other
    }


@pytest.mark.parametrize("judge", sorted(DIFFERENT))
def test_the_calls_of_the_host(shared: Path, node_path: Path, judge: str) -> None:
    asked = list(host_calls(shared))
    assert len(asked) > 3_500
    assert verdicts("jsonschema", asked) == verdicts(judge, asked)
