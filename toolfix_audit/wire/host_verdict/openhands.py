"""OpenHands: the agent server of old, and the SDK."""

from __future__ import annotations

from typing import Final

from toolfix_audit.wire.host_verdict import mcp
from toolfix_audit.wire.host_verdict.wording import (
    Wording,
    denied,
    rejected_arguments,
    rejected_name,
)

_OLD_NAME: Final = (
    r"Tool (?P<tool>\S{1,200}) is not registered\. \(arguments: "
    r"[^\n]{0,400}Please check the tool name"
)

WORDING: Final = Wording(
    harnesses=("openhands",),
    flagged=(
        *rejected_arguments(
            r"Error validating (?:args [^\n]{0,400} for )?tool '(?P<tool>[^'\n]*)': ",
            r"Missing required argument \"[^\"\n]{1,100}\" in tool call (?P<tool>\S+)",
        ),
        *rejected_name(r"Tool '(?P<tool>[^'\n]*)' not found\. Available: ", _OLD_NAME),
        *denied(r"User rejected the action\b"),
        *mcp.RULES,
    ),
)
