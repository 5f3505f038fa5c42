"""What the common validators say of a value: jsonschema, ajv, zod, pydantic, Python's own call
errors. It counts only in the first line of a result that is marked as an error."""

from __future__ import annotations

from typing import Final

from toolfix_audit.wire.host_verdict.wording import (
    Rule,
    denied,
    failed,
    rejected_arguments,
    rejected_name,
)

_LINE: Final = r"[^\n]{0,300}?"

RULES: Final[tuple[Rule, ...]] = (
    *failed(
        r"(?:\[?(?:command|process|script)\b[^\n]{0,40}\b)?(?:exit(?:ed)?(?: with)?|status) "
        r"(?:code|status)\b",
        r"(?:Error: )?(?:Command|Process|Script) (?:failed|exited|terminated)\b",
        r"(?:Traceback|stderr|stdout|output|npm|make|bash|sh|zsh|error TS\d+|\$|>)[ :(!]",
        r"(?:/[^\s:]+|[\w.-]+): line \d+: ",
    ),
    *denied(
        _LINE + r"\buser (?:has )?"
        r"(?:rejected|denied|declined|refused|doesn't want|does not want)\b",
        _LINE + r"\b(?:rejected|denied|declined|cancelled) by (?:the )?(?:user|policy|hook)\b",
        _LINE + r"\bapproval (?:was )?(?:denied|rejected|refused|declined)\b",
        _LINE + r"\bpermission to use \S{1,80} has been denied\b",
        _LINE + r"\bthis command requires approval\b",
    ),
    *rejected_name(
        _LINE + r"\bno such tool\b",
        _LINE + r"\b(?:unknown|unavailable|unrecognized|undefined) (?:tool|function)\b",
        _LINE + r"\b(?:tool|function) [\"'`]?[\w.:/-]{1,100}[\"'`]? (?:is |was )?"
        r"(?:not found|unknown|does not exist|not available|not registered|unavailable)",
        _LINE + r"\bnot a (?:valid|known|registered) (?:tool|function)\b",
    ),
    *rejected_arguments(
        r"\[\s*\{[^{}]{0,400}\"code\": ?\"(?:invalid_type|unrecognized_keys|invalid_enum_value|"
        r"invalid_union|invalid_value|too_small|too_big)\"",
        *(
            _LINE + pattern
            for pattern in (
                r"\binput ?validation ?error\b",
                r"\b(?:invalid|malformed) (?:tool )?(?:arguments|parameters|input) (?:for|to) ",
                r"\b(?:invalid|malformed) (?:tool )?(?:arguments|parameters)\b",
                r"\bwas called with invalid arguments\b",
                r"\bvalidation failed for tool\b",
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
                r"(?:string|number|integer|boolean|array|object|null|"
                r"equal to (?:one of|constant))\b",
                r"\bmust not have additional properties\b",
                r"\badditional properties are not allowed\b",
                r"\b\d{1,4} validation errors? for\b",
                r"\bfield required\b",
                r"\binput should be (?:a |an )?(?:valid|'|less|greater)",
                r"\bextra inputs are not permitted\b",
                r"\bexpected [\w|]{1,40}, (?:received|got) \w",
                r"\binvalid input: expected \w",
                r"\bschemaerror\(",
            )
        ),
    ),
)
"""For results that are marked as errors, of hosts whose own wording is not known."""
