"""Gemini CLI and Qwen Code, which share their tool scheduler: an error type, and the words of the
validator ajv, which calls the arguments `params`."""

from __future__ import annotations

from typing import Final

from toolfix_audit.model.words import HostVerdict
from toolfix_audit.wire.host_verdict import mcp
from toolfix_audit.wire.host_verdict.wording import (
    Wording,
    denied,
    rejected_arguments,
    rejected_name,
)

WORDING: Final = Wording(
    harnesses=("gemini-cli", "qwen-code"),
    flagged=(
        *rejected_arguments(
            r"params(?:[/.][^\s:]{1,200})? must ",
            r"Value of params must be an object\b",
            r"(?:Error: )?Invalid parameters provided\. Reason: ",
        ),
        *rejected_name(r"Tool \"(?P<tool>[^\"\n]*)\" not found(?: in registry)?\."),
        *denied(
            r"Tool execution (?:for \"[^\"\n]*\" )?denied by policy\b",
            r"(?:\[Operation Cancelled\] Reason: )?"
            r"User (?:denied execution|did not allow tool call)\b",
        ),
        *mcp.RULES,
    ),
    codes={
        "invalid_tool_params": HostVerdict.REJECTED_ARGUMENTS,
        "tool_not_registered": HostVerdict.REJECTED_NAME,
        "policy_violation": HostVerdict.DENIED,
    },
)
