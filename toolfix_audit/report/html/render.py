"""The page as text: templates with autoescape, one choke point for strings, a size that holds."""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from importlib.resources import files
from typing import Final

from jinja2 import DictLoader, Environment, StrictUndefined
from markupsafe import Markup

from toolfix_audit.model.report import Report
from toolfix_audit.report.facts import is_pass
from toolfix_audit.report.html.cards import FULL, Limits
from toolfix_audit.report.html.page import make_page
from toolfix_audit.report.tables import Ratio, Share
from toolfix_audit.report.visible import shown, visible
from toolfix_audit.report.wording import share_of

MAX_BYTES: Final = 1_500_000

_TIGHTER: Final = (
    FULL,
    Limits(examples=10, rows=100, cell=120, lines=40, width=120),
    Limits(examples=3, rows=60, cell=80, lines=24, width=100),
    Limits(examples=1, rows=20, cell=60, lines=12, width=80),
    Limits(examples=0, rows=10, cell=40, lines=0, width=0),
)
"""Tried in turn until the page is small enough; the last is small whatever the report."""

_TEMPLATES: Final = ("page.html.j2", "parts.html.j2", "charts.html.j2", "findings.html.j2")


def render(report: Report) -> str:
    """One page that needs nothing but itself, of at most `MAX_BYTES` bytes as UTF-8."""
    page = ""
    for limits in _TIGHTER:
        page = _render(report, limits)
        if len(page.encode()) <= MAX_BYTES:
            break
    return page


def _render(report: Report, limits: Limits) -> str:
    style, script = _asset("page.css"), _asset("page.js")
    return (
        _environment()
        .get_template("page.html.j2")
        .render(
            page=make_page(report, limits),
            is_pass=is_pass(report),
            exit_code=report.verdict.exit_code,
            style=Markup(style),  # noqa: S704  # a file of this package
            script=Markup(script),  # noqa: S704  # a file of this package
            style_hash=_digest(style),
            script_hash=_digest(script),
        )
    )


@cache
def _environment() -> Environment:
    """Autoescape everywhere; every string that is printed is made visible first."""
    environment = Environment(
        loader=DictLoader({name: _asset(name) for name in _TEMPLATES}),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_finalize,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["count"] = lambda number: f"{number:,}"
    environment.filters["shown"] = shown
    environment.filters["share"] = share_of
    environment.filters["tone"] = _tone
    environment.tests["ratio"] = lambda cell: isinstance(cell, Ratio)
    environment.tests["share"] = lambda cell: isinstance(cell, Share)
    return environment


def _tone(cell: Ratio, key: str) -> str:
    """Bad for any mis-fix; a warning where a broken engine got away with a change."""
    if key == "power":
        return "warn" if cell.part < cell.whole else ""
    return "bad" if cell.part else ""


def _finalize(value: object) -> object:
    if isinstance(value, str) and not isinstance(value, Markup):
        return visible(value)
    return value


@cache
def _asset(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


def _digest(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return f"sha256-{base64.b64encode(digest).decode()}"
