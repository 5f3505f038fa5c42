"""The page of a defect family, and their list: text, markdown, JSON. Pure."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from toolfix_audit.engine import FAMILIES
from toolfix_audit.engine.proposal import Case, Family
from toolfix_audit.model.json import Json, dump_json

SHOWN: Final = tuple(sorted(FAMILIES, key=lambda family: family.code))
"""The families in the order of their codes."""


def as_text(families: Sequence[Family]) -> str:
    """The pages as plain text."""
    return "\n".join("\n".join(_text_lines(family)) + "\n" for family in families)


def as_markdown(families: Sequence[Family]) -> str:
    """The pages as markdown."""
    return "\n".join("\n".join(_markdown_lines(family)) + "\n" for family in families)


def as_json(families: Sequence[Family]) -> str:
    """The pages as one JSON document: a list of families."""
    return json.dumps([_record(family) for family in families], indent=1, ensure_ascii=False) + "\n"


def list_text() -> str:
    """The list of families, one a line."""
    rows = (f"{one.code:3} {one.name:22} {one.safety.value:7} {one.summary}" for one in SHOWN)
    return "\n".join(rows) + "\n"


def list_markdown() -> str:
    """The list of families as a markdown table that links to their pages."""
    lines = [
        "# Defect families",
        "",
        "| code | name | safety | what is wrong |",
        "|---|---|---|---|",
    ]
    lines.extend(
        f"| {one.code} | [{one.name}]({page_name(one)}) | {one.safety} | {_cell(one.summary)} |"
        for one in SHOWN
    )
    return "\n".join(lines) + "\n"


def page_name(family: Family) -> str:
    """The file name of a family's page."""
    return f"{family.code.replace('+', '-opt-in')}-{family.name}.md"


FORMATS: Final[Mapping[str, Callable[[Sequence[Family]], str]]] = {
    "text": as_text,
    "markdown": as_markdown,
    "json": as_json,
}


def _text_lines(family: Family) -> Iterator[str]:
    yield f"{family.code} {family.name} ({family.safety.value})"
    yield ""
    yield family.summary
    yield ""
    yield family.rationale
    yield ""
    for heading, cases in _parted(family):
        yield f"{heading}:"
        yield from (f"  {case.title}: {_change(case)}" for case in cases)


def _markdown_lines(family: Family) -> Iterator[str]:
    yield f"# {family.code} {family.name}"
    yield ""
    yield f"**What is wrong.** {family.summary}"
    yield ""
    yield f"**Why the repair is safe.** {family.rationale}"
    yield ""
    yield f"**Safety.** {family.safety.value}"
    for heading, cases in _parted(family):
        yield from ("", f"## {heading}", "", "| case | arguments | becomes |", "|---|---|---|")
        for case in cases:
            after = "stays" if case.stays else f"`` {_cell(_shown(case.after))} ``"
            yield f"| {_cell(case.title)} | `` {_cell(_before(case))} `` | {after} |"


def _parted(family: Family) -> Iterator[tuple[str, list[Case]]]:
    yield "Repaired", [case for case in family.cases if not case.stays]
    yield "Never touched", [case for case in family.cases if case.stays]


def _change(case: Case) -> str:
    return f"{_before(case)} " + ("stays" if case.stays else f"-> {_shown(case.after)}")


def _before(case: Case) -> str:
    if case.available:
        return f"{case.before} among {', '.join(case.available)}"
    return (
        str(case.before).replace("\n", "\\n").replace("\t", "\\t")
        if case.text
        else _shown(case.before)
    )


def _shown(value: Json) -> str:
    return dump_json(value)


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _record(family: Family) -> dict[str, object]:
    return {
        "code": family.code,
        "name": family.name,
        "safety": family.safety.value,
        "summary": family.summary,
        "rationale": family.rationale,
        "cases": [
            {
                "title": case.title,
                "schema": case.schema,
                "args_text" if case.text else "args": case.before,
                "available": list(case.available),
                "after": case.after,
                "stays": case.stays,
            }
            for case in family.cases
        ],
    }
