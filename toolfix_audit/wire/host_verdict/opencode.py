"""OpenCode: a schema error is an error; text that is no JSON and unknown tools are rewritten to
calls of a tool `invalid`, which completes."""

from __future__ import annotations

from typing import Final

from toolfix_audit.wire.host_verdict import mcp
from toolfix_audit.wire.host_verdict.wording import (
    Wording,
    denied,
    rejected_arguments,
    rejected_name,
)

_INVALID: Final = r"The arguments provided to the tool are invalid: "
_UNKNOWN: Final = r"Model tried to call unavailable tool "

_REWRITTEN: Final = (
    *rejected_name(_INVALID + _UNKNOWN, only="invalid"),
    *rejected_arguments(_INVALID, only="invalid"),
)

WORDING: Final = Wording(
    harnesses=("opencode",),
    flagged=(
        *_REWRITTEN,
        *rejected_name(f"(?:{_INVALID})?{_UNKNOWN}'(?P<tool>[^'\n]*)'"),
        *rejected_arguments(
            r"The (?P<tool>\S{1,200}) tool was called with invalid arguments: ",
            f"(?:{_INVALID})?" + r"Invalid input for tool (?P<tool>\S{1,200}): ",
        ),
        *denied(
            r"The user rejected permission to use this (?:specific )?(?:tool|tool call)\b",
            r"The user has specified a rule which prevents you from using this\b",
        ),
        *mcp.RULES,
    ),
    plain=_REWRITTEN,
)
