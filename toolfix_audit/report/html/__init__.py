"""The report as one HTML file: no network, no outside file, readable without JavaScript."""

from __future__ import annotations

from typing import Final

from toolfix_audit.report.emitter import Emitter
from toolfix_audit.report.html.render import MAX_BYTES, render

EMITTER: Final = Emitter(
    name="html",
    suffix=".html",
    render=render,
    summary="one page for people; opens offline by a double click, at most 1.5 MB",
    shared=True,
)

__all__ = ["EMITTER", "MAX_BYTES", "render"]
