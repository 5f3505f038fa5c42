"""The forms of tool results, one module for each provider that takes images in or beside them."""

from __future__ import annotations

from typing import Final

from toolfix_audit.model.json import Json
from toolfix_audit.wire.results.targets import (
    anthropic,
    chat,
    converse,
    gemini,
    mcp,
    responses,
)
from toolfix_audit.wire.results.targets.target import Head, Lowered, Target

__all__ = ["TARGETS", "Head", "Lowered", "Target", "target_of"]

TARGETS: Final[tuple[Target, ...]] = (
    responses.TARGET,
    anthropic.TARGET,
    chat.TARGET,
    converse.TARGET,
    gemini.TARGET,
    mcp.TARGET,
)
"""Every target, in the order in which they are asked."""


def target_of(result: Json) -> Target | None:
    """The target in whose form a result is; None if it is in none."""
    if not isinstance(result, dict):
        return None
    return next((target for target in TARGETS if target.owns(result)), None)
