"""The opt-in readings: what may count as the same information where it was asked for.

A licence widens one reading and no rule: what the judge accepts stays, nothing is invented, every
change is needed, an alternate that makes the original legal brings it back. Each is written down
here from the rules of its tier, not from the families that act on it.

- `B+`: the two-key envelope around an object may go whatever text its `type` holds;
- `C+`: a key that stands beside the one wrapper and in it, with equal values, was sent once;
- `N+`: a text where an array of texts belongs may be its parts between commas, every one of them
  something; or, without a comma, one item as it stands.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import Final, TypeAlias


class Licence(StrEnum):
    """One opt-in reading, by the code of its tier."""

    TELLING_ENVELOPE = "B+"
    EQUAL_SIBLINGS = "C+"
    TEXT_FOR_ARRAY = "N+"


Licences: TypeAlias = frozenset[Licence]

NO_LICENCE: Final[Licences] = frozenset()


def licences_of(codes: Iterable[str]) -> Licences:
    """The readings that the codes of an opt-in run license; other codes license none."""
    asked = set(codes)
    return frozenset(licence for licence in Licence if licence.value in asked)
