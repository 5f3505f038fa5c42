"""Pages opened from `file://` in a real browser, and a report that is huge."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path

from playwright.sync_api import Browser, Page

from toolfix_audit.model.report import Report, SourceRow, ToolRow

from .samples import TYPICAL, counts

FINDINGS = 100_000


def huge() -> Report:
    """A report of 100,000 examples, 3,000 tools and as many sources."""
    example = TYPICAL.examples[0]
    return replace(
        TYPICAL,
        examples=tuple(
            replace(
                example,
                call=f"{number:012x}",
                tool=f"tool_{number % 3000}",
                outcome=("fixed", "swallowed", "still_failing")[number % 3],
                families=("ABCDEFKLMNOP"[number % 12],),
                count=1,
            )
            for number in range(FINDINGS)
        ),
        tools=tuple(
            ToolRow(f"tool_{number}_{'x' * 60}", 40, counts(6, 0, 34, 0, 0, 0))
            for number in range(3000)
        ),
        sources=tuple(
            SourceRow(f"logs/{number}/{'deep/' * 20}session.jsonl", "dsh", 40, 40, 1, 0)
            for number in range(3000)
        ),
    )


@dataclass
class Opened:
    """A page, and what it complained of or asked for."""

    page: Page
    errors: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)
    name: str = ""


def open_page(
    browser: Browser, file: Path, *, width: int, scheme: str, scripts: bool = True
) -> Opened:
    """Open a file at a width and in a colour scheme, and note every error and request."""
    context = browser.new_context(
        viewport={"width": width, "height": 900},
        color_scheme="dark" if scheme == "dark" else "light",
        java_script_enabled=scripts,
        bypass_csp=False,
    )
    opened = Opened(context.new_page())
    opened.page.on("console", lambda message: opened.errors.append(message.text))
    opened.page.on("pageerror", lambda error: opened.errors.append(str(error)))
    opened.page.on("request", lambda request: opened.requests.append(request.url))
    opened.page.goto(file.as_uri())
    return opened
