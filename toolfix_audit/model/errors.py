"""Errors that a person must act on: one line, and a mend. Bad data is never one of them."""

from __future__ import annotations


class ToolfixError(Exception):
    """Base of every error that the command line shows.

    `message` is one line that names the file (and line); `hint` is what to do about it.
    """

    exit_code = 2

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class ConfigError(ToolfixError):
    """An option or a configuration value is wrong."""


class SchemaFileError(ToolfixError):
    """A file of tool schemas can't be read or holds none."""


class ReadError(ToolfixError):
    """A log named on the command line can't be read."""


class NothingCheckedError(ToolfixError):
    """There was nothing to check: no records, no judged call."""

    exit_code = 3


class StoreError(ToolfixError):
    """The store is missing, locked, no store, or of another version."""


class StoreWriteError(ToolfixError):
    """The store can't be written (disk full, no permission)."""

    exit_code = 4


class BalanceError(ToolfixError):
    """A reader lost or invented a unit: a bug of ours, and never silent."""

    exit_code = 4
