"""Agent frameworks, which give their tools' results to programs of every kind: Vercel AI SDK,
LangChain and LangGraph, Pydantic AI."""

from __future__ import annotations

from typing import Final

from toolfix_audit.wire.host_verdict.wording import Rule, rejected_arguments, rejected_name

_LEAD: Final = r"(?:Error: |AI_NoSuchToolError: |AI_InvalidToolInputError: )*"

RULES: Final[tuple[Rule, ...]] = (
    *rejected_name(
        _LEAD + r"Model tried to call unavailable tool '(?P<tool>[^'\n]*)'",
        _LEAD + r"(?P<tool>\S{1,200}) is not a valid tool, try one of \[",
        _LEAD + r"Unknown tool name: '(?P<tool>[^'\n]*)'",
    ),
    *rejected_arguments(
        _LEAD + r"Invalid (?:input|arguments) for tool (?P<tool>\S{1,200}): ",
        _LEAD + r"Error invoking tool '(?P<tool>[^'\n]*)' with kwargs ",
        _LEAD + r"Received tool input did not match expected schema\b",
        r"\d{1,4} validation errors?:\s*```json\b",
    ),
)
"""For results that are marked as errors."""
