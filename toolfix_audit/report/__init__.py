"""Report -> text, JSON, HTML, Markdown, JUnit, annotations: emitters of one record.

Boundary: a record comes in, text goes out. No store, no clock, no terminal, no environment, no
file is touched but the package's own templates. `load` reads the JSON form back.
"""

from __future__ import annotations

from typing import Final

from toolfix_audit.report import document, github, html, junit, markdown, text
from toolfix_audit.report.emitter import Emitter
from toolfix_audit.report.load import ReportFileError, load

EMITTERS: Final[tuple[Emitter, ...]] = (
    text.EMITTER,
    document.EMITTER,
    html.EMITTER,
    markdown.EMITTER,
    junit.EMITTER,
    github.EMITTER,
)

__all__ = ["EMITTERS", "Emitter", "ReportFileError", "load"]
