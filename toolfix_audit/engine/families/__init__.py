"""The defect families, one file each; the order is the order in which they are tried."""

from __future__ import annotations

from typing import Final

from toolfix_audit.engine.families import (
    a_nested_wrapper,
    b_wrapper_alias,
    c_wrapper_siblings,
    d_key_alias,
)
from toolfix_audit.engine.proposal import Family
from toolfix_audit.model.words import Safety

FAMILIES: Final[tuple[Family, ...]] = (
    a_nested_wrapper.FAMILY,
    b_wrapper_alias.FAMILY,
    c_wrapper_siblings.FAMILY,
    d_key_alias.FAMILY,
)
ALL: Final = frozenset(family.code for family in FAMILIES)
SAFE: Final = frozenset(family.code for family in FAMILIES if family.safety is Safety.SAFE)
