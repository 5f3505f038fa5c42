"""Cline and Roo Code. The editor extensions mark no result as an error, and wrap their refusals
in a fixed sentence or in `{"status":"error"}`; Cline's SDK gives `{"error": …}` with a flag."""

from __future__ import annotations

from typing import Final

from toolfix_audit.wire.host_verdict import mcp
from toolfix_audit.wire.host_verdict.wording import (
    Wording,
    denied,
    rejected_arguments,
    rejected_name,
)

_FAILED: Final = r"(?:The tool execution failed with the following error:\s*<error>\s*)?"
_STATUS: Final = r"(?:\{\"status\":\"(?:error|denied)\",[^\n]{0,80}\"(?:error|message)\":\")?"
_LEAD: Final = _FAILED + _STATUS
_OWN: Final = (
    *rejected_arguments(_LEAD + r"Missing value for required parameter '"),
    *rejected_name(
        _LEAD + r"Unknown tool \\?\"(?P<tool>[^\"\\\n]*)\\?\"\. This tool does not exist\."
    ),
    *denied(_LEAD + r"The user denied this operation\b"),
)

WORDING: Final = Wording(
    harnesses=("cline", "roo-code", "kilo-code"),
    flagged=(
        *_OWN,
        *rejected_arguments(r"\{\"error\":\"✖ "),
        *rejected_name(
            r"\{\"error\":\"Tool call (?P<tool>[^\s\"]*) was rejected before execution: "
            r"AI_NoSuchToolError: "
        ),
        *rejected_arguments(
            r"\{\"error\":\"Tool call [^\s\"]* was rejected before execution: "
            r"AI_(?:InvalidToolInput|TypeValidation|JSONParse)Error: "
        ),
        *mcp.RULES,
    ),
    plain=_OWN,
)
