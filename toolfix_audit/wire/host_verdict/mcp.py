"""What MCP servers answer, whichever harness passes it on: errors -32602 and -32601 of the
protocol, and the words of the official Python and TypeScript servers."""

from __future__ import annotations

from typing import Final

from toolfix_audit.wire.host_verdict.wording import Rule, rejected_arguments, rejected_name

_LEAD: Final = r"(?:Error: |MCP tool call failed: )?MCP error:? "

RULES: Final[tuple[Rule, ...]] = (
    *rejected_name(
        _LEAD + r"-3260[12]\b[^\n]{0,80}\b(?:tool|method)\b[^\n]{0,80}not found",
        _LEAD + r"-3260[12]: Unknown tool\b",
        r"Unknown tool: (?P<tool>\S+)\s*$",
        r"Tool (?P<tool>\S+) not found\s*$",
    ),
    *rejected_arguments(
        _LEAD + r"-32602\b",
        r"Input validation error: ",
        r"Error executing tool \S{1,200}: \d{1,4} validation errors? for \w",
    ),
)
"""For results that are marked as errors."""
