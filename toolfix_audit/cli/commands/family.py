"""`toolfix-audit family`: what a family is, why its repair is safe, what it never touches."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from toolfix_audit.cli.console import guarded, say, write_out
from toolfix_audit.model.errors import ConfigError

if TYPE_CHECKING:
    from toolfix_audit.engine.proposal import Family


class PageFormat(StrEnum):
    """How a page is written."""

    TEXT = "text"
    MARKDOWN = "markdown"
    JSON = "json"


Code = Annotated[str | None, typer.Argument(metavar="[CODE]", help="A family's code or name.")]
Format = Annotated[PageFormat, typer.Option("--format", help="text, markdown or json.")]
Write = Annotated[
    Path | None,
    typer.Option("--write", help="Write the page (of all: every page) as markdown here."),
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

    chosen = pages.SHOWN if code is None else _chosen(code)
    if write or vectors:
        _write_files(chosen, write, vectors)
        return
    if code is None:
        lists = {PageFormat.TEXT: pages.list_text, PageFormat.MARKDOWN: pages.list_markdown}
        made = lists.get(page_format)
        write_out(made() if made else pages.as_json(pages.SHOWN))
        return
    write_out(pages.FORMATS[page_format](chosen))


def _chosen(code: str) -> tuple[Family, ...]:
    """The family of a code or a name.

    Raises:
        ConfigError: there is none.
    """
    from toolfix_audit.report import family_page as pages  # noqa: PLC0415

    chosen = tuple(one for one in pages.SHOWN if code.lower() in {one.code.lower(), one.name})
    if not chosen:
        known = ", ".join(one.code for one in pages.SHOWN)
        raise ConfigError(f"no family {code!r}", hint=f"known: {known}")
    return chosen


def _write_files(chosen: Sequence[Family], folder: Path | None, vectors: Path | None) -> None:
    """Write the pages and the case files of the chosen families; the list of families with all
    of them only."""
    from toolfix_audit.report import family_page as pages  # noqa: PLC0415
    from toolfix_audit.report.vectors import as_vectors, vector_name  # noqa: PLC0415

    texts: dict[Path, str] = {}
    if folder is not None:
        if len(chosen) == len(pages.SHOWN):
            texts[folder / "README.md"] = pages.list_markdown()
        for one in chosen:
            texts[folder / pages.page_name(one)] = pages.as_markdown([one])
    if vectors is not None:
        for one in chosen:
            texts[vectors / vector_name(one)] = as_vectors(one)
    for path, text in texts.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
    say(f"{len(texts)} file{'' if len(texts) == 1 else 's'} written")
