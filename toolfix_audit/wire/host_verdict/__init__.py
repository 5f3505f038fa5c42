"""What a host made of a call, read from the result that it wrote.

Each harness has a module with its own error codes and wording. A host that is not known speaks
like the common frameworks and validators, and only in a result that is marked as an error: any
tool may print such words.
"""

from __future__ import annotations

from typing import Final

from toolfix_audit.model.words import HostVerdict
from toolfix_audit.wire.host_verdict import (
    claude_code,
    cline,
    codex,
    dsh,
    frameworks,
    gemini_cli,
    mcp,
    opencode,
    openhands,
    pi,
    validators,
)
from toolfix_audit.wire.host_verdict.wording import HEAD, Wording

__all__ = ["UNFLAGGED", "WORDINGS", "host_verdict"]

WORDINGS: Final[tuple[Wording, ...]] = (
    dsh.WORDING,
    claude_code.WORDING,
    codex.WORDING,
    opencode.WORDING,
    pi.WORDING,
    cline.WORDING,
    gemini_cli.WORDING,
    openhands.WORDING,
)
"""The hosts whose own wording is known."""

OTHERS: Final = Wording((), (*frameworks.RULES, *mcp.RULES, *validators.RULES))
UNFLAGGED: Final = tuple(
    sorted(name for wording in WORDINGS if wording.plain for name in wording.harnesses)
)
"""The hosts whose refusals may not be marked as errors. Of all others, the text of a result that
is no error does not matter."""

_BY_HARNESS: Final = {name: wording for wording in WORDINGS for name in wording.harnesses}


def host_verdict(  # noqa: PLR0917  # the fields of one record, in its order
    harness: str | None,
    has_result: bool,
    is_error: bool | None,
    text: str | None,
    code: str | None,
    *,
    tool: str | None = None,
) -> HostVerdict:
    """Say what the host did with a call of `tool`; total, deterministic, never an exception.

    A result that is no error is `accepted`, whatever its text says, unless the host marks no
    errors and the text starts with its own words. An error that matches neither a known code nor
    a known wording is `failed`: the call ran.
    """
    if not has_result:
        return HostVerdict.MISSING
    wording = _BY_HARNESS.get(harness or "", OTHERS)
    if is_error and code is not None and code in wording.codes:
        return wording.codes[code]
    head = (text or "")[:HEAD]
    for rule in wording.flagged if is_error else wording.plain:
        if rule.holds(head, tool):
            return rule.verdict
    return HostVerdict.FAILED if is_error else HostVerdict.ACCEPTED
