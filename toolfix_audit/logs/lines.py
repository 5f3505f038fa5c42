"""From a line to a unit: parsing, and a cause where that fails."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from toolfix_audit.logs.fields import RowError
from toolfix_audit.logs.sources import Line
from toolfix_audit.model.json import Json, JsonError
from toolfix_audit.model.json_fast import parse_row
from toolfix_audit.model.records import Record, Unit, Unreadable


def read_json_lines(
    lines: Iterable[Line], read_row: Callable[[Json], tuple[Record, ...] | str]
) -> Iterator[Unit]:
    """One unit a line. `read_row` gives the records of a row, or the kind it is ignored as; it
    raises RowError for a row that lacks what it must have."""
    for line in lines:
        data = line.data
        if data is None:
            yield _unreadable(line, line.cause or "unreadable")
            continue
        try:
            found = read_row(parse_row(data))
        except JsonError as error:
            yield _unreadable(line, json_cause(error))
        except RowError as error:
            yield _unreadable(line, str(error))
        else:
            yield Unit((), found) if isinstance(found, str) else Unit(found)


def json_cause(error: JsonError) -> str:
    """Why a line is no JSON, in one line."""
    if error.at_end:
        return f"the line is cut: it ends inside a value at character {error.position}"
    return f"not JSON: {error}"


def _unreadable(line: Line, cause: str) -> Unit:
    return Unit(unreadable=Unreadable(line.number, line.offset, cause))
