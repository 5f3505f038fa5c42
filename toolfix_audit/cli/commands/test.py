"""`toolfix-audit test`: case files through the engine."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

import typer

from toolfix_audit.cli.console import guarded, write_out
from toolfix_audit.cli.options import OptIn
from toolfix_audit.model.errors import NothingCheckedError

Cases = Annotated[
    list[Path], typer.Argument(metavar="PATH...", help="Case files, or folders of them (.jsonl).")
]
Only = Annotated[
    str | None, typer.Option("--family", help="Only the cases of these families, such as A,B.")
]


@guarded
def test(cases: Cases, family: Only = None, opt_in: OptIn = False) -> None:
    """Check that the engine does what case files expect; values compare with their types.

    Example: toolfix-audit test cases.jsonl --family A,B
    """
    from toolfix_audit.audit.cases import Mark, family_code, run_file  # noqa: PLC0415
    from toolfix_audit.engine import ALL, SAFE  # noqa: PLC0415

    only = None if family is None else {family_code(name.strip()) for name in family.split(",")}
    marks: Counter[Mark] = Counter()
    for path in _files(cases):
        results = run_file(path, families=ALL if opt_in else SAFE, only=only, opt_in=opt_in)
        for result in results:
            marks[result.mark] += 1
            if result.mark is Mark.WRONG:
                write_out(f"wrong: {result.identity} ({result.family}): {result.detail}\n")
    right, wrong, skipped = (marks[mark] for mark in (Mark.RIGHT, Mark.WRONG, Mark.SKIPPED))
    write_out(f"{right} right, {wrong} wrong, {skipped} skipped\n")
    if not marks:
        raise NothingCheckedError(
            "no case was found", hint="give case files or folders; --family may leave all out"
        )
    raise typer.Exit(1 if wrong or not right else 0)


def _files(paths: Sequence[Path]) -> Iterator[Path]:
    """The files as named, and every .jsonl file below a folder, sorted."""
    for path in paths:
        if path.is_dir():
            yield from sorted(file for file in path.rglob("*.jsonl") if file.is_file())
        else:
            yield path
