"""The closed vocabularies of leaked calls: where, what kind, refused by what, left for what."""

from __future__ import annotations

from enum import StrEnum


class Channel(StrEnum):
    """Where in a message something was found."""

    TEXT = "text"
    REASONING = "reasoning"
    CALL = "call"


class Kind(StrEnum):
    """What leaked: a whole call, markup inside a structured call, or bits of markup beside one."""

    LEAKED_CALL = "leaked_call"
    RESIDUE_IN_NAME = "markup_residue_in_name"
    RESIDUE_IN_KEY = "markup_residue_in_key"
    RESIDUE_ONLY = "residue_only"


class Place(StrEnum):
    """Where a shape must stand to be a call, since elsewhere it is ordinary writing."""

    MARKED = "marked"  # anywhere but in the middle of a sentence: its tokens are no words
    TERMINAL = "terminal"  # on a line of its own, with nothing after it
    WHOLE = "whole"  # the entire message


class Guard(StrEnum):
    """Why something that reads like a call is none; the first that applies, in this order."""

    QUOTED = "quoted"
    NOT_CLOSED = "not_closed"
    UNKNOWN_NAME = "unknown_name"
    INVALID_ARGUMENTS = "invalid_arguments"
    MISPLACED = "misplaced"
    PLACEHOLDER = "placeholder"
    SHOWN = "shown"


class Reason(StrEnum):
    """Why a leak can be counted and not repaired.

    `unterminated`: the block is cut. `unterminated_write`: every value could be read, but the
    last one has no end, so that half of it may be missing. `untyped_value`: the text of a value
    could stand for two values that the schema both admits.
    """

    UNTERMINATED = "unterminated"
    UNTERMINATED_WRITE = "unterminated_write"
    DELIMITER_IN_VALUE = "delimiter_in_value"
    UNKNOWN_NAME = "unknown_name"
    INVALID_ARGUMENTS = "invalid_arguments"
    UNTYPED_VALUE = "untyped_value"
    UNJUDGED = "unjudged"


OPEN_ENDED = frozenset({Reason.UNTERMINATED, Reason.UNTERMINATED_WRITE})
"""The reasons of a block that never closes."""
