"""A guess at the family of a call that could not be judged: from its shape and the host's text.

A hint for a person, in a column of its own; it never counts as a defect.
"""

from __future__ import annotations

import re
from typing import Final

from toolfix_audit.engine.names import are_related
from toolfix_audit.engine.observe import spelled_container
from toolfix_audit.engine.wrappers import ARGUMENTS, WRAPPERS
from toolfix_audit.model.json import Json
from toolfix_audit.model.words import HostVerdict

_QUOTED: Final = re.compile(r"""["'`]([^"'`]{1,80})["'`]""")
_CONTAINER_WANTED: Final = re.compile(r"(?i)\b(?:array|list|object|dict)")
_SCALAR_WANTED: Final = re.compile(r"(?i)\b(?:number|integer|boolean|int|float|bool)\b")


def suspected_family(value: Json, *, parses: bool, host: HostVerdict, text: str) -> str | None:
    """The code of the family that the call looks like, or None.

    A sole `arguments` around an object is enough; everything else needs a host that rejected.
    """
    if isinstance(value, dict) and set(value) == {ARGUMENTS} and _is_object(value[ARGUMENTS]):
        return "A"
    if host is HostVerdict.REJECTED_NAME:
        return "K"
    if host is not HostVerdict.REJECTED_ARGUMENTS:
        return None
    if not parses:
        return "L"
    return _of_rejected(value, text) if isinstance(value, dict) else None


def _of_rejected(value: dict[str, Json], text: str) -> str | None:
    wrapped = [key for key in value if key in WRAPPERS and _is_object(value[key])]
    if wrapped:
        return "B" if len(value) == 1 else "C"
    named = set(_QUOTED.findall(text))
    if any(are_related(key, name) for key in value for name in named - set(value)):
        return "D"
    texts = [member for member in value.values() if isinstance(member, str)]
    if _CONTAINER_WANTED.search(text) and any(
        spelled_container(member) is not None for member in texts
    ):
        return "E"
    if _SCALAR_WANTED.search(text) and texts:
        return "F"
    return "M" if None in value.values() else None


def _is_object(value: Json) -> bool:
    return isinstance(value, dict) or (
        isinstance(value, str) and isinstance(spelled_container(value), dict)
    )
