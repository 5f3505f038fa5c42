"""pi and what is built on it (oh-my-pi, openclaw): each refusal names the tool."""

from __future__ import annotations

from typing import Final

from toolfix_audit.wire.host_verdict import mcp
from toolfix_audit.wire.host_verdict.wording import Wording, rejected_arguments, rejected_name

WORDING: Final = Wording(
    harnesses=("pi", "oh-my-pi", "openclaw"),
    flagged=(
        *rejected_arguments(r"Validation failed for tool \"(?P<tool>[^\"\n]*)\":\n"),
        *rejected_name(r"Tool \"?(?P<tool>[^\s\"]*)\"? not found\s*$"),
        *mcp.RULES,
    ),
)
