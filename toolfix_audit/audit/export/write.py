"""The exported calls as lines of the native format, each a session of its own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from toolfix_audit.audit.export.placeholders import Placeholders
from toolfix_audit.audit.export.schemas import placeholder_schema
from toolfix_audit.audit.export.select import Kept
from toolfix_audit.model.json import Json, dump_json, parse_json
from toolfix_audit.model.words import HostVerdict

_ANSWERS: Final[Mapping[str, tuple[bool, str]]] = {
    HostVerdict.ACCEPTED: (False, ""),
    HostVerdict.REJECTED_ARGUMENTS: (True, "Error: invalid arguments"),
    HostVerdict.REJECTED_NAME: (True, 'Error: unknown tool "it"'),
    HostVerdict.FAILED: (True, "Error: failed"),
    HostVerdict.DENIED: (True, "Error: permission denied"),
}


def session_name(number: int) -> str:
    """The name of the session of an exported call, counted from 1."""
    return f"s{number:06}"


def session_lines(
    number: int,
    kept: Kept,
    *,
    schemas: Mapping[str, str],
    offered: Mapping[str, str | None],
    placeholders: Placeholders,
) -> Iterator[str]:
    """The lines of one call: its session, the tools that matter to it, the call, the answer.

    `offered` are the tools of its request; where the name itself was at fault, all their names go
    along.
    """
    session = session_name(number)
    yield _line("session", session=session)
    tools = _tools(kept, schemas, offered, placeholders)
    if tools:
        yield _line("tools", session=session, tools=tools)
    facts = {"model": kept.model, "provider": kept.provider, "finish_reason": kept.finish_reason}
    yield _line(
        "tool/call",
        session=session,
        id="c1",
        tool=kept.tool,
        arguments=placeholders.text(kept.arguments),
        **{name: value for name, value in facts.items() if value},
        **({"dispatched": True} if kept.dispatched else {}),
    )
    answer = _ANSWERS.get(kept.host)
    if answer is not None:
        is_error, content = answer
        yield _line("tool/result", session=session, id="c1", is_error=is_error, content=content)


def _tools(
    kept: Kept,
    schemas: Mapping[str, str],
    offered: Mapping[str, str | None],
    placeholders: Placeholders,
) -> list[Json]:
    """The tool that was meant, with its schema; and the names of the others where the call's own
    name is none of them."""
    name = kept.resolved or kept.tool
    found: list[Json] = []
    if kept.schema is not None:
        schema = parse_json(placeholder_schema(schemas[kept.schema], placeholders))
        found.append({"name": name, "input_schema": schema})
    if kept.tool not in offered and offered:
        found.extend({"name": other} for other in sorted(offered) if other != name or not found)
    return found


def _line(kind: str, **members: Json) -> str:
    return dump_json({"type": kind, **members})
