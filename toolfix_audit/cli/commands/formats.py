"""`toolfix-audit formats`: the log formats that are read, and how sure each reader is."""

from __future__ import annotations

import json
from enum import StrEnum
from typing import Annotated, Final

import typer

from toolfix_audit.cli.commands.schemas import text_table
from toolfix_audit.cli.console import guarded, write_out


class ListFormat(StrEnum):
    """How the list is written."""

    TEXT = "text"
    JSON = "json"


Format = Annotated[ListFormat, typer.Option("--format", help="text or json.")]

NOT_OFFERED: Final = (
    ("langfuse", "Langfuse exports"),
    ("goose", "Goose sessions"),
    ("xlam", "xLAM and Hermes training sets, JSON Lines"),
    ("appworld", "AppWorld runs"),
)
"""Formats that are known and not read, since no public sample was at hand: convert to native."""


@guarded
def formats(list_format: Format = ListFormat.TEXT) -> None:
    """Show every log format and its tier: proven on real logs, documented, or not offered.

    Example: toolfix-audit formats --format json
    """
    rows = _rows()
    if list_format is ListFormat.JSON:
        keys = ("format", "tier", "summary")
        listed = [dict(zip(keys, row, strict=True)) for row in rows]
        write_out(json.dumps(listed, indent=1, ensure_ascii=False) + "\n")
        return
    write_out(text_table(("format", "tier", "what it is"), rows))


def _rows() -> list[tuple[str, str, str]]:
    """The readers by tier and name, then what is not offered."""
    from toolfix_audit.logs.reader import Tier  # noqa: PLC0415
    from toolfix_audit.logs.readers import READERS  # noqa: PLC0415

    order = list(Tier)
    known = sorted(READERS, key=lambda reader: (order.index(reader.tier), reader.name))
    names = {reader.name for reader in known}
    return [
        *((reader.name, reader.tier.value, reader.summary) for reader in known),
        *((name, "not offered", what) for name, what in NOT_OFFERED if name not in names),
    ]
