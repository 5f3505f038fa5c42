"""The tables that set calls beside each other: by judge, by group, and by an earlier report."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from toolfix_audit.model.report import Report
from toolfix_audit.model.report_groups import Earlier, Grouping
from toolfix_audit.model.words import Outcome
from toolfix_audit.report import wording
from toolfix_audit.report.facts import malformed_of
from toolfix_audit.report.tables import SPREAD_COLUMNS, Row, Table, make_table, spread
from toolfix_audit.report.visible import shown

_SOURCE: Final = ("source",)
_LABEL: Final = ("label", "value")
_NONE: Final = "—"
_NAME: Final = 40


def basis(report: Report) -> Table:
    """What every call was judged by: where the schema came from, and which judge decided."""
    rows: tuple[Row, ...] = tuple(
        (
            wording.ORIGINS[row.origin],
            wording.JUDGES[row.judge],
            row.calls,
            row.outcomes.get(Outcome.VALID, 0),
            malformed_of(row.outcomes),
            row.outcomes.get(Outcome.UNJUDGED, 0),
        )
        for row in report.basis
    )
    columns = ("schema from", "judge", "#calls", "#valid", "#malformed", "#unjudged")
    caption = "Under which schema, and by which judge, every verdict was reached"
    return make_table("basis", caption, columns, rows)


def by_source(report: Report) -> Table:
    """Outcomes by source, the worst first."""
    return _groups("by-source", "Calls by source, worst first", _found(report, _SOURCE))


def by_label(report: Report) -> Table:
    """Outcomes by label and value, the worst first."""
    return _groups("by-label", "Calls by label, worst first", _found(report, _LABEL))


def asked(report: Report) -> Table:
    """Outcomes by the keys that were asked for; without rows if none were."""
    others = [one for one in report.groups if one.by not in (_SOURCE, _LABEL)]
    found = others[0] if others else Grouping((), ())
    names = ", ".join(shown(name, _NAME) for name in found.by)
    return _groups("asked", f"Calls by {names}, as asked for, worst first", found)


def _found(report: Report, by: tuple[str, ...]) -> Grouping:
    return next((one for one in report.groups if one.by == by), Grouping(by, ()))


def _groups(key: str, caption: str, found: Grouping) -> Table:
    if found.more:
        left = wording.count_of(found.more, "group")
        calls = wording.count_of(found.more_calls, "call")
        caption = f"{caption}; {left} with {calls} left off"
    rows: tuple[Row, ...] = tuple(
        (*(value or _NONE for value in row.values), row.calls, *spread(row.outcomes), row.misfixes)
        for row in found.rows
    )
    names = (shown(name.removeprefix("#"), _NAME) for name in found.by)
    return make_table(key, caption, (*names, "#calls", *SPREAD_COLUMNS, "#mis-fixes"), rows)


def since(report: Report) -> Table:
    """The figures of the earlier report and of this one; without rows if there is none."""
    rows = () if report.earlier is None else tuple(_changes(report, report.earlier))
    columns = ("figure", "#earlier", "#now", "#change")
    return make_table("since", "Beside the earlier report", columns, rows)


def _changes(report: Report, earlier: Earlier) -> Iterator[Row]:
    pairs = [
        ("calls", earlier.calls, report.corpus.calls),
        ("malformed", malformed_of(earlier.outcomes), malformed_of(report.outcomes)),
        *(
            (wording.words_of(word), earlier.outcomes.get(word, 0), report.outcomes.get(word, 0))
            for word in Outcome
        ),
        ("unreadable", earlier.unreadable, report.corpus.unreadable),
        ("mis-fixes", earlier.misfixes, report.misfixes.count),
        ("probes", earlier.probes, report.misfixes.probes),
    ]
    fixed = {row.code: row.fixed + row.swallowed for row in report.families if row.calls}
    pairs += [
        (f"fixed by family {code}", earlier.fixed.get(code, 0), fixed.get(code, 0))
        for code in sorted({*fixed, *earlier.fixed})
    ]
    for name, before, now in pairs:
        yield name, before, now, wording.change_of(now - before)


def regressions(report: Report) -> Table:
    """Kinds of calls that were fixed in the earlier report and are not any more."""
    found = report.earlier.regressions if report.earlier else ()
    rows = tuple(
        (one.tool, " ".join(one.families), one.calls, one.shape, (one.schema or _NONE)[:12])
        for one in found
    )
    columns = ("tool", "was fixed by", "#calls", "shape", "schema")
    caption = "Regressions: what was fixed in the earlier report and is not any more"
    return make_table("regressions", caption, columns, rows)
