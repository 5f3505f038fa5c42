"""One recorded answer, in the pieces in which it came."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from toolfix_audit.model.json import Json, dump_json, parse_json
from toolfix_audit.model.records import ToolDefinition


@dataclass(frozen=True, slots=True)
class Piece:
    """Bytes, and the millisecond in which they came where the log tells it."""

    data: bytes
    time: int | None = None


@dataclass(frozen=True, slots=True)
class Captured:
    """One answer: its place in a file, its bytes, whether they are a stream of events or a
    whole body, and the tools that its request sent."""

    place: str
    pieces: Iterable[Piece]
    is_stream: bool
    tools: Mapping[str, Json] = field(default_factory=dict)


def sse_piece(event: dict[str, Json], time: int | None = None) -> Piece:
    """An event as a server sends it, named by its type if it has one."""
    kind = event.get("type")
    name = f"event: {kind}\n" if isinstance(kind, str) and kind.isprintable() else ""
    return Piece(f"{name}data: {dump_json(event)}\n\n".encode(), time)


def schemas_of(definitions: Iterable[ToolDefinition]) -> dict[str, Json]:
    """The schemas of tools by name; tools without one are left out."""
    return {tool.name: parse_json(tool.schema) for tool in definitions if tool.schema is not None}
