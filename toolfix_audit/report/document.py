"""The JSON form of a report: the contract that other programs read.

Its JSON Schema ships beside this module as `report.schema.json`. Same report, same bytes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Final, TypeVar, cast

from toolfix_audit.model.json import Json, dump_json
from toolfix_audit.model.report import Counts, ModelRow, Report, ToolRow
from toolfix_audit.model.report_groups import BasisRow, Earlier, GroupRow
from toolfix_audit.model.words import HostVerdict, Origin, Outcome
from toolfix_audit.report.emitter import Emitter

R = TypeVar("R", ToolRow, ModelRow, BasisRow, GroupRow, Earlier)

_AS_RECORDED: Final = frozenset({"before", "after"})
"""Fields that hold JSON from a log: written as they are, keys in their own order."""

_OPEN_DEPTH: Final = 3
_UNSAFE: Final = re.compile("[\x7f-\x9f\xad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]")


def render(report: Report) -> str:
    """Write the report as JSON: one row a line, mappings sorted, the fixed counts all present.

    Characters that could steer a terminal or a reader's eye stand as escapes, which mean the
    same in JSON.
    """
    text = "".join(_layout(_plain(_filled(report)), 0)) + "\n"
    return _UNSAFE.sub(lambda match: f"\\u{ord(match.group()):04x}", text)


def _filled(report: Report) -> Report:
    """The report with every outcome, origin and host verdict present, zero where none was."""
    earlier = report.earlier
    return replace(
        report,
        schemas=_with_zeros(report.schemas, Origin),
        outcomes=_with_zeros(report.outcomes, Outcome),
        host={
            **{word.value: _with_zeros({}, Outcome) for word in HostVerdict},
            **{key: _with_zeros(counts, Outcome) for key, counts in report.host.items()},
        },
        tools=_all_outcomes(report.tools),
        models=_all_outcomes(report.models),
        basis=_all_outcomes(report.basis),
        groups=tuple(replace(one, rows=_all_outcomes(one.rows)) for one in report.groups),
        earlier=None if earlier is None else _all_outcomes((earlier,))[0],
    )


def _all_outcomes(rows: tuple[R, ...]) -> tuple[R, ...]:
    return tuple(replace(row, outcomes=_with_zeros(row.outcomes, Outcome)) for row in rows)


def _with_zeros(counts: Counts, words: Iterable[str]) -> Counts:
    return {**{str(word): 0 for word in words}, **counts}


def _plain(value: object) -> Json:
    if isinstance(value, Report):
        rest = _members(value)
        return {"schema_version": rest.pop("schema_version"), **rest}
    if is_dataclass(value) and not isinstance(value, type):
        return _members(value)
    if isinstance(value, Mapping):
        return {str(key): _plain(value[key]) for key in sorted(value)}
    if isinstance(value, tuple):
        return [_plain(member) for member in value]
    return cast(Json, value)


def _members(record: object) -> dict[str, Json]:
    members: dict[str, Json] = {}
    for entry in fields(cast("Report", record)):
        value = getattr(record, entry.name)
        members[entry.name] = value if entry.name in _AS_RECORDED else _plain(value)
    return members


def _layout(value: Json, depth: int) -> Iterable[str]:
    """Open the outer levels over lines; what is deeper or flat stays on one line."""
    members: list[tuple[str, Json]] = []
    if isinstance(value, dict):
        members = [(f"{dump_json(key)}: ", member) for key, member in value.items()]
    elif isinstance(value, list):
        members = [("", member) for member in value]
    if depth >= _OPEN_DEPTH or not any(isinstance(member, dict | list) for _, member in members):
        yield dump_json(value)
        return
    indent = "\n" + "  " * (depth + 1)
    opener, closer = "{}" if isinstance(value, dict) else "[]"
    yield opener
    for index, (lead, member) in enumerate(members):
        yield f"{',' if index else ''}{indent}{lead}"
        yield from _layout(member, depth + 1 if isinstance(value, dict) else _OPEN_DEPTH)
    yield f"\n{'  ' * depth}{closer}"


EMITTER: Final = Emitter(
    name="json",
    suffix=".json",
    render=render,
    summary="the whole report for other programs; has a JSON Schema; `gate --from` reads it back",
)
