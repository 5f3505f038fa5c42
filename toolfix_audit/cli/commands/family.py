"""`toolfix-audit family`: what a family is, why its repair is safe, what it never touches."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from toolfix_audit.cli.console import guarded, say, write_out
from toolfix_audit.model.errors import ConfigError


class PageFormat(StrEnum):
    """How a page is written."""

    TEXT = "text"
    MARKDOWN = "markdown"
    JSON = "json"


Code = Annotated[str | None, typer.Argument(metavar="[CODE]", help="A family's code or name.")]
Format = Annotated[PageFormat, typer.Option("--format", help="text, markdown or json.")]
Write = Annotated[
    Path | None, typer.Option("--write", help="Write every page as markdown into this folder.")
]
Vectors = Annotated[
    Path | None, typer.Option("--vectors", help="Write the cases as case files into this folder.")
]


@guarded
def family(
    code: Code = None,
    page_format: Format = PageFormat.TEXT,
    write: Write = None,
    vectors: Vectors = None,
) -> None:
    """Show a defect family with its worked cases, or the list of families.

    Example: toolfix-audit family D
    """
    from toolfix_audit.report import family_page as pages  # noqa: PLC0415

    if write or vectors:
        _write_files(write, vectors)
        return
    if code is None:
        lists = {PageFormat.TEXT: pages.list_text, PageFormat.MARKDOWN: pages.list_markdown}
        made = lists.get(page_format)
        write_out(made() if made else pages.as_json(pages.SHOWN))
        return
    chosen = [one for one in pages.SHOWN if code.lower() in {one.code.lower(), one.name}]
    if not chosen:
        known = ", ".join(one.code for one in pages.SHOWN)
        raise ConfigError(f"no family {code!r}", hint=f"known: {known}")
    write_out(pages.FORMATS[page_format](chosen))


def _write_files(folder: Path | None, vectors: Path | None) -> None:
    from toolfix_audit.report import family_page as pages  # noqa: PLC0415
    from toolfix_audit.report.vectors import as_vectors, vector_name  # noqa: PLC0415

    texts: dict[Path, str] = {}
    if folder is not None:
        texts[folder / "README.md"] = pages.list_markdown()
        for one in pages.SHOWN:
            texts[folder / pages.page_name(one)] = pages.as_markdown([one])
    if vectors is not None:
        for one in pages.SHOWN:
            texts[vectors / vector_name(one)] = as_vectors(one)
    for path, text in texts.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
    say(f"{len(texts)} files written")
