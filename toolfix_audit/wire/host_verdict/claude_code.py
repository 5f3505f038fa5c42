"""Claude Code: its own refusals stand in `<tool_use_error>`, in older versions without it."""

from __future__ import annotations

from typing import Final

from toolfix_audit.wire.host_verdict import mcp
from toolfix_audit.wire.host_verdict.wording import (
    Wording,
    denied,
    rejected_arguments,
    rejected_name,
)

_LEAD: Final = r"(?:<tool_use_error>)?(?:Error: )?"

WORDING: Final = Wording(
    harnesses=("claude-code", "claude-agent-sdk"),
    flagged=(
        *rejected_arguments(_LEAD + r"InputValidationError: "),
        *rejected_name(_LEAD + r"No such tool available: (?P<tool>[^\s<.]+)"),
        *denied(
            _LEAD + r"The user doesn't want to (?:proceed with|take) this (?:tool use|action)\b",
            _LEAD + r"Claude requested permissions? to [^\n]{1,400}, but you haven't granted it",
            _LEAD + r"Permission to use [^\n]{1,400} has been denied\b",
            _LEAD + r"This command requires approval\b",
            _LEAD + r"PreToolUse:\S{1,100} hook (?:blocking )?error\b",
            _LEAD + r"Hook PreToolUse:\S{1,100} denied this tool\b",
        ),
        *mcp.RULES,
    ),
)
