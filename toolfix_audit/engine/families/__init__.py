"""The defect families, one file each; the order is the order in which they are tried."""

from __future__ import annotations

from typing import Final

from toolfix_audit.engine.families import (
    a_nested_wrapper,
    b_wrapper_alias,
    c_wrapper_siblings,
    d_key_alias,
    e_stringified_container,
    f_stringified_scalar,
    k_tool_name_drift,
    l_argument_text,
    m_null_for_optional,
    n_scalar_for_array,
    o_enum_spelling,
    p_flattened_keys,
)
from toolfix_audit.engine.proposal import Family
from toolfix_audit.model.words import Safety

FAMILIES: Final[tuple[Family, ...]] = (
    l_argument_text.FAMILY,
    k_tool_name_drift.FAMILY,
    a_nested_wrapper.FAMILY,
    b_wrapper_alias.FAMILY,
    b_wrapper_alias.OPT_IN,
    c_wrapper_siblings.FAMILY,
    c_wrapper_siblings.OPT_IN,
    p_flattened_keys.FAMILY,
    d_key_alias.FAMILY,
    e_stringified_container.FAMILY,
    f_stringified_scalar.FAMILY,
    o_enum_spelling.FAMILY,
    n_scalar_for_array.FAMILY,
    n_scalar_for_array.OPT_IN,
    m_null_for_optional.FAMILY,
)
"""Every family. A code with `+` is the opt-in tier of the family with that letter."""

ALL: Final = frozenset(family.code for family in FAMILIES)
SAFE: Final = frozenset(family.code for family in FAMILIES if family.safety is Safety.SAFE)
