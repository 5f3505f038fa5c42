"""Codex: a result has no error flag. What the host itself says is the whole of it, while the
output of a command stands below a head of its own (`Exit code: …`, `Chunk ID: …`)."""

from __future__ import annotations

from typing import Final

from toolfix_audit.wire.host_verdict import mcp
from toolfix_audit.wire.host_verdict.wording import (
    Wording,
    denied,
    rejected_arguments,
    rejected_name,
)

_OWN: Final = (
    *rejected_arguments(r"failed to parse function arguments: "),
    *rejected_name(r"unsupported (?:custom tool )?call: \S+\s*$"),
    *denied(
        r"(?:exec command|patch) rejected by user\b",
        r"This action was rejected due to unacceptable risk\b",
    ),
)

WORDING: Final = Wording(harnesses=("codex",), flagged=(*_OWN, *mcp.RULES), plain=_OWN)
