"""The tables of what was found beside the calls: leaks, images, failed streams, odd results."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from toolfix_audit.model.report import Report
from toolfix_audit.model.report_findings import FoundRow, LoweringRow
from toolfix_audit.report.tables import Row, Share, Table, make_table
from toolfix_audit.report.wording import count_of, words_of

_LIKE: Final = ("one of them", "what a repair would do")
_COUNTS: Final = ("tool", "model", "#finds", "#repairable")


def looked(report: Report) -> str | None:
    """What was looked through, if nothing was found there; None if something was."""
    corpus = report.corpus
    if report.found.rows or not (corpus.texts or corpus.results):
        return None
    return (
        f"looked for leaked calls in {count_of(corpus.texts, 'text')}, and for images as text and "
        f"odd shapes in {count_of(corpus.results, 'result')}: none; no stream failed"
    )


def leaks(report: Report) -> Table:
    """Calls that were written as text, by syntax."""
    rows = _rows(report, "G", lambda row: (_leaked(row),))
    untold = report.found.untold
    note = f"; {count_of(untold, 'more text')} could not be judged, for no tool is known"
    caption = f"G leaked-call: calls written as text or reasoning{note if untold else ''}"
    return make_table("leaks", caption, ("written as", *_COUNTS, *_LIKE), rows)


def _leaked(row: FoundRow) -> str:
    whole = row.kind == "leaked_call"
    return row.variant if whole else f"{row.variant} ({words_of(row.kind)})"


def reask(report: Report) -> Table:
    """What a policy that asks the model again would have done."""
    found = report.found.reask
    missed = ", ".join(f"{words_of(why)} {number:,}" for why, number in sorted(found.why.items()))
    rows: tuple[Row, ...] = (
        ("turns answered", found.answered, found.policy),
        ("of these, wrongly", found.wrong, "nothing leaked there"),
        ("leaks missed", found.missed, missed),
        ("sessions given up", found.limited, f"of {found.sessions:,} with a leak or an answer"),
        ("next turn clean", found.clean, "neither a leak nor another answer"),
        ("next turn not clean", found.unclean, ""),
        ("no next turn", found.unfollowed, ""),
    )
    caption = "A leak answered with a request to call, simulated; nothing was sent"
    columns = ("the policy", "#count", "remark")
    return make_table("reask", caption, columns, rows if found.sessions else ())


def images(report: Report) -> Table:
    """Results that hold an image as text."""
    found = report.found.images
    caption = (
        f"H stringified-image: {count_of(found.images, 'image')} as text, "
        f"{count_of(found.characters, 'character')} too many"
    )
    rows = _rows(report, "H", lambda row: (row.variant,))
    return make_table("images", caption, ("medium", *_COUNTS, *_LIKE), rows)


def lowering(report: Report) -> Table:
    """What each provider's form of these results would be."""
    rows: tuple[Row, ...] = tuple(
        (
            row.target,
            row.lowered,
            row.refused,
            *_tokens(row),
            row.method,
        )
        for row in report.found.images.targets
    )
    columns = (
        *("provider's form", "#possible", "#refused"),
        *("#tokens as text", "#tokens as image", "#share", "how estimated"),
    )
    return make_table("lowering", "These results as image blocks, tokens estimated", columns, rows)


def _tokens(row: LoweringRow) -> Row:
    if not row.estimated:
        return ("", "", "")
    return row.tokens_before, row.tokens_after, Share(row.tokens_after, row.tokens_before)


def streams(report: Report) -> Table:
    """Failed streams: what was shown, and the cause where the log holds it."""
    rows: tuple[Row, ...] = tuple(
        (words_of(row.kind), row.variant, row.model or "", row.count, row.shown, row.says)
        for row in report.found.rows
        if row.family == "I"
    )
    number = count_of(report.found.streams, "failed stream")
    caption = f"I swallowed-error: {number}, what was shown of each, and its cause"
    columns = ("the cause", "class", "model", "#streams", "one of them was shown", "and its cause")
    return make_table("streams", caption, columns, rows)


def shapes(report: Report) -> Table:
    """Results of an odd form, and pairs that do not match."""
    rows = _rows(report, "J", lambda row: (words_of(row.kind),))
    caption = "J result-shape: odd results, and calls and results that do not match"
    return make_table("shapes", caption, ("what is odd", *_COUNTS, *_LIKE), rows)


def _rows(
    report: Report, family: str, head: Callable[[FoundRow], tuple[str, ...]]
) -> tuple[Row, ...]:
    return tuple(
        (
            *head(row),
            row.tool or "",
            row.model or "",
            row.count,
            row.repairable,
            row.shown,
            row.says,
        )
        for row in report.found.rows
        if row.family == family
    )


FOUND: Final[tuple[Callable[[Report], Table], ...]] = (
    leaks,
    reask,
    images,
    lowering,
    streams,
    shapes,
)
"""Every table, in the order in which they are shown."""


def brief(report: Report) -> tuple[Table, ...]:
    """The tables for a terminal: figures without the examples, of streams with them."""
    made = (make(report) for make in FOUND)
    return tuple(table if table.key == "streams" else _without_words(table) for table in made)


def _without_words(table: Table) -> Table:
    gone = {*_LIKE, "how estimated"}
    kept = [place for place, name in enumerate(table.columns) if name not in gone]
    return Table(
        table.key,
        table.caption,
        tuple(table.columns[place] for place in kept),
        tuple(table.numeric[place] for place in kept),
        tuple(tuple(row[place] for place in kept) for row in table.rows),
        table.more,
    )
