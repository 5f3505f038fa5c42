"""Commands that a reader may copy: about the same input and the same store, ready for a shell."""

from __future__ import annotations

import shlex
from typing import Final

from toolfix_audit.model.report import Report
from toolfix_audit.report.visible import visible

DEFAULT_STORE: Final = "toolfix-audit.duckdb"
"""The store that commands open where none is named."""

_MOST_INPUTS: Final = 8
_MOST_CHARACTERS: Final = 600


def audit_again(report: Report, *options: str) -> str:
    """Audit the same input again, with these options more."""
    store = ["--db", _store(report.store)] if report.store else []
    return " ".join(["toolfix-audit", "dryrun", *_inputs(report), *store, *options])


def keep_store(report: Report) -> str | None:
    """Audit the same input into a store that stays, so that `show` and `query` can ask it; None if
    the store is there."""
    return None if report.store else audit_again(report, "--db", DEFAULT_STORE)


def list_unreadable(report: Report) -> str:
    """Show what could not be read; from logs without a store, one is made first."""
    query = f'toolfix-audit query "from unreadable"{_at(report)}'
    if report.store:
        return query
    return " ".join(["toolfix-audit", "ingest", *_inputs(report), "&&", query])


def show_call(report: Report, call: str) -> str | None:
    """Show one call whole; None if its id can't be typed."""
    if visible(call) != call or len(call) > 200 or call.startswith("-"):
        return None
    return f"toolfix-audit show {shlex.quote(call)}{_at(report)}"


def _at(report: Report) -> str:
    is_default = report.store in (None, DEFAULT_STORE)
    return "" if is_default else f" --db {_store(report.store or '')}"


def _store(path: str) -> str:
    return _quoted(path) if visible(path) == path and len(path) <= _MOST_CHARACTERS else "STORE"


def _inputs(report: Report) -> list[str]:
    """The paths as they were given, and `LOGS` for those that can't be typed or are too many."""
    if report.store and not report.inputs:
        return []
    words = [_quoted(path) for path in report.inputs]
    can_be_typed = all(visible(path) == path for path in report.inputs)
    is_short = len(words) <= _MOST_INPUTS and len(" ".join(words)) <= _MOST_CHARACTERS
    return words if words and can_be_typed and is_short else ["LOGS"]


def _quoted(path: str) -> str:
    """A path for a shell; a home folder that was shortened to `~` still means the home folder."""
    if path.startswith("~/"):
        return f"~/{shlex.quote(path[2:])}" if path[2:] else path
    return shlex.quote(path)
