"""What a host made of a call, read from the result that it wrote.

Each harness has its own error codes and wording. For others there is the wording of the common
validators (jsonschema, ajv, zod, pydantic, Python's own call errors), which counts only in a
result that is marked as an error: any tool may print such words.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, TypeAlias

from toolfix_audit.model.words import HostVerdict

Rules: TypeAlias = tuple[tuple[HostVerdict, re.Pattern[str]], ...]

_ERROR_HEAD: Final = 600
"""A host says what is wrong at the start of its text; what follows may be quoted data."""


def host_verdict(  # noqa: PLR0917  # the fields of one record, in its order
    harness: str | None,
    has_result: bool,
    is_error: bool | None,
    text: str | None,
    code: str | None,
) -> HostVerdict:
    """Say what the host did with a call; total and deterministic, and never an exception.

    A result that is no error is `accepted`, whatever its text says. An error that matches
    neither a known code nor a known wording is `failed`: the call ran.
    """
    if not has_result:
        return HostVerdict.MISSING
    if not is_error:
        return HostVerdict.ACCEPTED
    known = _CODES.get(harness, {}).get(code) if code is not None else None
    if known is not None:
        return known
    head = (text or "")[:_ERROR_HEAD]
    for verdict, pattern in _WORDING.get(harness, _GENERIC):
        if pattern.search(head):
            return verdict
    return HostVerdict.FAILED


def _rules(verdict: HostVerdict, *patterns: str) -> Rules:
    return tuple((verdict, re.compile(pattern, re.IGNORECASE)) for pattern in patterns)


_CODES: Final[Mapping[str | None, Mapping[str, HostVerdict]]] = {
    "dsh": {
        "INVALID_ARGS": HostVerdict.REJECTED_ARGUMENTS,
        "UNKNOWN_TOOL": HostVerdict.REJECTED_NAME,
        "FS_SANDBOX_DENIED": HostVerdict.DENIED,
        "APPROVAL_DENIED": HostVerdict.DENIED,
        "PERMISSION_DENIED": HostVerdict.DENIED,
    },
}

_MCP_ARGUMENTS: Final = r"^(?:Error: )?MCP error -32602\b(?!.{0,80}\btool\b.{0,80}\bnot found)"
_MCP_NAME: Final = r"^(?:Error: )?MCP error -3260[12]\b.{0,80}\b(?:tool|method)\b.{0,80}not found"

_DSH: Final[Rules] = (
    *_rules(
        HostVerdict.REJECTED_ARGUMENTS,
        r"^(?:Error: )?invalid arguments: ",
        _MCP_ARGUMENTS,
    ),
    *_rules(HostVerdict.REJECTED_NAME, r"^(?:Error: )?unknown tool \"", _MCP_NAME),
    *_rules(
        HostVerdict.DENIED,
        r"^(?:Error: )?the user rejected\b",
        r"^(?:Error: )?\[sandbox: [^\]\n]{0,60}\bdenied\b",
        r"^(?:Error: )?tool output rejected by policy\b",
        r"^(?:Error: )?(?:tool )?(?:call|use|command|request)?[^\n]{0,60}\b"
        r"(?:denied|rejected) by (?:the )?(?:user|policy|approval|hook)\b",
        r"\bapproval (?:was )?(?:denied|rejected|refused|declined)\b",
    ),
)

_GENERIC: Final[Rules] = (
    *_rules(
        HostVerdict.DENIED,
        r"\buser (?:has )?(?:rejected|denied|declined|refused|doesn't want|does not want)\b",
        r"\b(?:rejected|denied|declined|cancelled) by (?:the )?(?:user|policy|hook)\b",
        r"\bapproval (?:was )?(?:denied|rejected|refused|declined)\b",
        r"\bpermission to use \S{1,80} has been denied\b",
        r"\bthis command requires approval\b",
    ),
    *_rules(
        HostVerdict.REJECTED_NAME,
        r"\bno such tool\b",
        r"\b(?:unknown|unavailable|unrecognized|undefined) (?:tool|function)\b",
        r"\b(?:tool|function) [\"'`]?[\w.:/-]{1,100}[\"'`]? (?:is |was )?"
        r"(?:not found|unknown|does not exist|not available|not registered|unavailable)",
        r"\bnot a (?:valid|known|registered) (?:tool|function)\b",
        _MCP_NAME,
    ),
    *_rules(
        HostVerdict.REJECTED_ARGUMENTS,
        r"\binput ?validation ?error\b",
        r"\b(?:invalid|malformed) (?:tool )?(?:arguments|parameters|input) (?:for|to) ",
        r"\b(?:invalid|malformed) (?:tool )?(?:arguments|parameters)\b",
        r"\bwas called with invalid arguments\b",
        r"\bis a required property\b",
        r"\b(?:must|should) have required propert(?:y|ies)\b",
        r"\b(?:missing|lacks) (?:a |the )?(?:\d+ )?required "
        r"(?:propert(?:y|ies)|parameters?|arguments?|fields?|keys?|positional|keyword)\b",
        r"\brequired (?:propert(?:y|ies)|parameters?|arguments?|fields?|keys?)"
        r" [^\n]{0,80}(?:is|are|was|were) missing\b",
        r"\bmissing \d{1,3} required (?:positional|keyword-only) arguments?\b",
        r"\bgot an unexpected keyword argument\b",
        r"\bis not of types? ['\"]",
        r"\bis not one of \[",
        r"\bmust be (?:a |an )?"
        r"(?:string|number|integer|boolean|array|object|null|equal to (?:one of|constant))\b",
        r"\bmust not have additional properties\b",
        r"\badditional properties are not allowed\b",
        r"\b\d{1,4} validation errors? for\b",
        r"\bfield required\b",
        r"\binput should be (?:a |an )?(?:valid|'|less|greater)",
        r"\bextra inputs are not permitted\b",
        r"\bexpected [\w|]{1,40}, (?:received|got) \w",
        r"\binvalid input: expected \w",
        r"\"code\": ?\"(?:invalid_type|unrecognized_keys|invalid_enum_value|invalid_union)\"",
        r"\bschemaerror\(",
        _MCP_ARGUMENTS,
    ),
)

_WORDING: Final[Mapping[str | None, Rules]] = {"dsh": _DSH}
"""The wording of harnesses that have their own; all others speak like the common validators."""
