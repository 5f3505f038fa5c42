"""Records made by hand, as a reader would give them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pyarrow as pa

from toolfix_audit.model.records import (
    ArgumentsForm,
    AssistantText,
    Call,
    Record,
    Result,
    Session,
    StreamError,
    ToolCatalog,
    ToolDefinition,
    Unit,
    Unreadable,
)
from toolfix_audit.store.entries import SourceInfo, SourceTally
from toolfix_audit.store.load import load_source
from toolfix_audit.store.store import Store

READ_SCHEMA = '{"type":"object","properties":{"path":{"type":"string"}},"required":["path"]}'


def source(path: str = "logs/a.jsonl", content: str | None = None, *, size: int = 10) -> SourceInfo:
    """A source whose digest is that of `content`, by default of its path."""
    text = path if content is None else content
    digest = sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    return SourceInfo(digest=digest, path=path, format="native", size=size)


def call(position: int, session: str = "s1", **changes: object) -> Call:
    """A call with plain fields, changed as told."""
    plain = Call(
        session=session,
        position=position,
        call_id=f"c{position}",
        tool="read",
        arguments=f'{{"path":"f{position}"}}',
        form=ArgumentsForm.TEXT,
    )
    return replace(plain, **changes)  # type: ignore[arg-type]  # field names checked at run time


def result(position: int, call_position: int | None, session: str = "s1") -> Result:
    """A result that went well."""
    return Result(
        session=session,
        position=position,
        call_position=call_position,
        call_id=None if call_position is None else f"c{call_position}",
        is_error=False,
        text=f"answer to {call_position}",
    )


def units(*records: Record) -> Iterator[Unit]:
    """One unit for each record."""
    for record in records:
        yield Unit(records=(record,))


def load(store: Store, info: SourceInfo, *records: Record) -> SourceTally:
    """Load records as the whole content of a source."""
    return load_source(store, info, units(*records))


def every_kind() -> tuple[Unit, ...]:
    """A source that holds each kind of record, with every field filled, and each other unit."""
    tools = (ToolDefinition("read", READ_SCHEMA), ToolDefinition("run_code", None))
    return (
        Unit(records=(Session("s1", "dsh", "0.9", "2026-11-30T10:00:00Z", "s0", 4),)),
        Unit(records=(ToolCatalog("s1", 1, tools),)),
        Unit(
            records=(
                Call(
                    "s1",
                    2,
                    "c1",
                    "read",
                    '{"arguments":{"path":"x"}}',
                    ArgumentsForm.VALUE,
                    streamed='{"arguments": {"path":"x"}}',
                    model="m",
                    provider="p",
                    time="2026-11-30T10:00:01Z",
                    finish_reason="tool_calls",
                    event=7,
                    inherited=False,
                    dispatched=True,
                ),
                Result(
                    "s1",
                    3,
                    2,
                    "c1",
                    is_error=True,
                    text="missing path",
                    blocks='[{"type":"text"}]',
                    error_name="ToolError",
                    error_code="INVALID_ARGUMENTS",
                    inherited=True,
                ),
            )
        ),
        Unit(
            records=(
                AssistantText(
                    "s1",
                    4,
                    "hello",
                    reasoning=True,
                    finish_reason="stop",
                    model="m",
                    provider="p",
                    has_calls=True,
                    inherited=True,
                ),
            )
        ),
        Unit(records=(StreamError("s1", 5, "stream error", "E1", '{"a":1}'),)),
        Unit(ignored="turn/start"),
        Unit(ignored="turn/start"),
        Unit(ignored="turn/end"),
        Unit(unreadable=Unreadable(9, 1234, "not JSON: cut")),
    )


def rows(store: Store, sql: str) -> list[tuple[object, ...]]:
    """The rows that a query gives."""
    return store.query(sql).rows


def kept(store: Store) -> list[dict[str, object]]:
    """Every kept call, as the kernel gets it."""
    table = pa.Table.from_batches(list(store.call_batches()))
    found: list[dict[str, object]] = table.to_pylist()
    return found


def fresh(folder: Path) -> Store:
    """A new store in a folder."""
    return Store.open(folder / "audit.duckdb", create=True)
