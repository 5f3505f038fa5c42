"""What an emitter is: a pure function from the one record to the text of a file."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from toolfix_audit.model.report import Report


@dataclass(frozen=True, slots=True)
class Emitter:
    """One output format.

    `render` is pure: the same report gives the same text, which is always encodable as UTF-8.
    `suffix` ends the name of a file in this format; `summary` is one line for a list of formats.
    A `shared` format is made to leave the machine, so its report is redacted unless asked
    otherwise; `to_stdout` says that it makes sense on the standard output alone.
    """

    name: str
    suffix: str
    render: Callable[[Report], str]
    summary: str
    shared: bool = False
    to_stdout: bool = False
