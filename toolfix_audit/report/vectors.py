"""The families' worked cases as case files, so that an engine in another language can check
parity with `toolfix-audit test`'s format alone."""

from __future__ import annotations

from collections.abc import Iterator

from toolfix_audit.engine.proposal import Case, Family
from toolfix_audit.model.json import Json, dump_json
from toolfix_audit.model.words import Safety


def vector_name(family: Family) -> str:
    """The file name of a family's vectors."""
    return f"{family.code.replace('+', '-opt-in')}-{family.name}.jsonl"


def as_vectors(family: Family) -> str:
    """The cases of a family, one JSON object a line."""
    return "".join(f"{dump_json(vector)}\n" for vector in _vectors(family))


def _vectors(family: Family) -> Iterator[dict[str, Json]]:
    for number, case in enumerate(family.cases, start=1):
        yield {
            "id": f"{family.code}-{number:02}",
            "family": family.code,
            "why": case.title,
            **(_name_case(case) if case.available else _arguments_case(case)),
            "expected": _expected(family, case),
        }


def _arguments_case(case: Case) -> dict[str, Json]:
    return {"schema": case.schema, "args_text" if case.text else "args": case.before}


def _name_case(case: Case) -> dict[str, Json]:
    tool: dict[str, Json] = {
        "called": case.before,
        "available": list(case.available),
        "expected": case.before if case.stays else case.after,
    }
    return {"schema": {"type": "object"}, "args": {}, "tool": tool}


def _expected(family: Family, case: Case) -> Json:
    if case.opt_in is not None:
        return {"outcome": "unsafe_fix_only", "value": case.opt_in}
    if case.stays:
        return {"outcome": "untouched"}
    outcome = "fixed" if family.safety is Safety.SAFE else "unsafe_fix_only"
    return {"outcome": outcome, "value": {} if case.available else case.after}
