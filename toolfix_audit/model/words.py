"""The closed vocabularies of the project: outcomes, reasons, verdicts, kinds."""

from __future__ import annotations

from enum import StrEnum


class Outcome(StrEnum):
    """What became of one call; exactly one of these."""

    VALID = "valid"
    SWALLOWED = "swallowed"
    FIXED = "fixed"
    STILL_FAILING = "still_failing"
    UNTOUCHED = "untouched"
    UNJUDGED = "unjudged"


CHANGED = frozenset({Outcome.SWALLOWED, Outcome.FIXED, Outcome.STILL_FAILING})
"""The outcomes in which the engine changed the arguments."""


class UntouchedReason(StrEnum):
    """Why a call with violations was left; the first that applies."""

    UNKNOWN_TOOL = "unknown-tool"
    TRUNCATED = "truncated"
    UNPARSEABLE = "unparseable"
    LIMIT = "limit"
    EMPTY_ARGUMENTS = "empty-arguments"
    AMBIGUOUS = "ambiguous"
    OPT_IN = "opt-in"
    UNRELATED_KEY = "unrelated-key"
    OMITTED_REQUIRED = "omitted-required"
    OTHER = "other"


class UnjudgedReason(StrEnum):
    """Why no verdict could be given."""

    NO_SCHEMA = "no-schema"
    SCHEMA_UNUSABLE = "schema-unusable"
    PATTERN_UNSUPPORTED = "pattern-unsupported"
    REMOTE_REF = "remote-ref"


class Safety(StrEnum):
    """Whether a family runs by default (`safe`) or only when asked for (`opt-in`)."""

    SAFE = "safe"
    OPT_IN = "opt-in"


class Origin(StrEnum):
    """Where the schema of a call came from."""

    REQUEST = "request"
    CATALOGUE = "catalogue"
    INFERRED = "inferred"


class HostVerdict(StrEnum):
    """What the host made of a call, read from its result."""

    REJECTED_ARGUMENTS = "rejected_arguments"
    REJECTED_NAME = "rejected_name"
    ACCEPTED = "accepted"
    FAILED = "failed"
    DENIED = "denied"
    MISSING = "missing"


class LeftAlone(StrEnum):
    """What looks broken and is legal; counted, never changed."""

    JSON_TEXT_IN_STRING = "json-text-in-string"
    DECLARED_WRAPPER = "declared-wrapper"
    FREE_FORM = "free-form"
    LOOK_ALIKE_VALUE = "look-alike-value"


class Suspicion(StrEnum):
    """What is valid and yet odd; reported, never changed."""

    WRAPPER_KEPT = "wrapper-kept"
    IGNORED_KEY = "ignored-key"
    MARKUP_IN_VALUE = "markup-in-value"
    INTEGER_AS_FLOAT = "integer-as-float"
    JUNK_KEY = "junk-key"
    RECORDED_DIFFERS = "recorded-differs"


class MisfixKind(StrEnum):
    """How a change can be wrong."""

    ALTERNATE_SCHEMA = "alternate-schema"
    TOUCHED_VALID = "touched-valid"
    SWALLOW_UNPROVEN = "swallow-unproven"
    NOT_BETTER = "not-better"
    VALUE_LOST = "value-lost"
    VALUE_INVENTED = "value-invented"
    MISPLACED = "misplaced"
    NEEDLESS = "needless"
    BAD_VALUE = "bad-value"
    KEY_UNRELATED = "key-unrelated"
    KEY_CROSSED = "key-crossed"
    NOT_IDEMPOTENT = "not-idempotent"
    JUDGE_DISAGREES = "judge-disagrees"
    RETRY_CONTRADICTS = "retry-contradicts"
