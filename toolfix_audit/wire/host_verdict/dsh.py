"""DeepSeek Harness: an error code in most results, and `Error: …` in all."""

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
    harnesses=("dsh",),
    flagged=(
        *rejected_arguments(r"(?:Error: )?invalid arguments: "),
        *rejected_name(r"(?:Error: )?unknown tool \""),
        *denied(
            r"(?:Error: )?the user rejected\b",
            r"(?:Error: )?\[sandbox: [^\]\n]{0,60}\bdenied\b",
            r"(?:Error: )?tool output rejected by policy\b",
            r"(?:Error: )?(?:tool )?(?:call|use|command|request)?[^\n]{0,60}\b"
            r"(?:denied|rejected) by (?:the )?(?:user|policy|approval|hook)\b",
            r"[^\n]{0,100}\bapproval (?:was )?(?:denied|rejected|refused|declined)\b",
        ),
        *mcp.RULES,
    ),
    codes={
        "INVALID_ARGS": HostVerdict.REJECTED_ARGUMENTS,
        "UNKNOWN_TOOL": HostVerdict.REJECTED_NAME,
        "FS_SANDBOX_DENIED": HostVerdict.DENIED,
        "APPROVAL_DENIED": HostVerdict.DENIED,
        "PERMISSION_DENIED": HostVerdict.DENIED,
    },
)
