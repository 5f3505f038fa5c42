"""What the words of a report mean, in one plain sentence each, and how figures are written.

The sentences say what was seen of any engine, ours or another; none of them praises it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from toolfix_audit.model.words import (
    HostVerdict,
    LeftAlone,
    MisfixKind,
    Outcome,
    Suspicion,
    UntouchedReason,
)

OUTCOMES: Final[Mapping[str, str]] = {
    Outcome.VALID: "the judge accepts it as sent; nothing was changed",
    Outcome.SWALLOWED: "a wrapper hid every argument: the tool would have run with none",
    Outcome.FIXED: "changed, and no violation is left",
    Outcome.STILL_FAILING: "changed, and violations are left",
    Outcome.UNTOUCHED: "violations, and nothing was changed",
    Outcome.UNJUDGED: "no usable tool schema, so no verdict",
}

HOSTS: Final[Mapping[str, str]] = {
    HostVerdict.REJECTED_ARGUMENTS: "rejected the arguments",
    HostVerdict.REJECTED_NAME: "knew no such tool",
    HostVerdict.ACCEPTED: "accepted",
    HostVerdict.FAILED: "ran, and failed",
    HostVerdict.DENIED: "denied",
    HostVerdict.MISSING: "no result in the log",
}

UNTOUCHED: Final[Mapping[str, str]] = {
    UntouchedReason.UNKNOWN_TOOL: "the request offered no tool of that name",
    UntouchedReason.TRUNCATED: "the text stops inside a value, and what is missing is unknown",
    UntouchedReason.UNPARSEABLE: "not JSON, and left as it is",
    UntouchedReason.LIMIT: "nested too deeply, a pattern took too long, or no answer came",
    UntouchedReason.EMPTY_ARGUMENTS: "nothing was sent where something is required",
    UntouchedReason.AMBIGUOUS: "two readings differ, and neither was taken",
    UntouchedReason.OPT_IN: "an opt-in family would fix it",
    UntouchedReason.UNRELATED_KEY: "a required key is absent; the key sent is not related to it",
    UntouchedReason.OMITTED_REQUIRED: "a required key was not sent, and none was made up",
    UntouchedReason.OTHER: "another violation, for which no change was made",
}

LEFT_ALONE: Final[Mapping[str, str]] = {
    LeftAlone.JSON_TEXT_IN_STRING: "JSON text where the schema admits a string",
    LeftAlone.DECLARED_WRAPPER: "a wrapper key that the schema declares",
    LeftAlone.FREE_FORM: "a schema that declares nothing admits anything",
    LeftAlone.LOOK_ALIKE_VALUE: "a string that looks like another type, and may be one",
}

SUSPICIONS: Final[Mapping[str, str]] = {
    Suspicion.WRAPPER_KEPT: "a wrapper on a call that the judge accepts",
    Suspicion.IGNORED_KEY: "a key that an open schema lets through and the host ignores",
    Suspicion.MARKUP_IN_VALUE: "chat or tool markup inside a value",
    Suspicion.INTEGER_AS_FLOAT: "1.0 where an integer is meant",
    Suspicion.JUNK_KEY: "a key that is no name",
    Suspicion.RECORDED_DIFFERS: "the parsed arguments in the log differ from the streamed text",
}

KINDS: Final[Mapping[str, str]] = {
    MisfixKind.ALTERNATE_SCHEMA: "changed although a schema declares the original legal",
    MisfixKind.TOUCHED_VALID: "arguments that the judge accepts were changed",
    MisfixKind.SWALLOW_UNPROVEN: "unwrapped a valid call without the proof that it needs",
    MisfixKind.NOT_BETTER: "not fewer violations than before",
    MisfixKind.VALUE_LOST: "a value of the original is gone",
    MisfixKind.VALUE_INVENTED: "a value that the model never sent",
    MisfixKind.MISPLACED: "a value sits at a place that it can't have come from",
    MisfixKind.NEEDLESS: "one of the changes was not needed",
    MisfixKind.BAD_VALUE: "a key was filled with a value that does not fit it",
    MisfixKind.KEY_UNRELATED: "a value moved to a key that shares no word with its own",
    MisfixKind.KEY_CROSSED: "a value moved to a key that was taken, or wanted by two",
    MisfixKind.NOT_IDEMPOTENT: "a second repair changes something again",
    MisfixKind.JUDGE_DISAGREES: "a second validator rejects the result",
    MisfixKind.RETRY_CONTRADICTS: "the model's own accepted retry says otherwise",
}


ORIGINS: Final[Mapping[str | None, str]] = {
    "request": "the request itself",
    "catalogue": "a catalogue",
    "inferred": "inferred from the calls",
    None: "nowhere",
}

JUDGES: Final[Mapping[str, str]] = {
    "pair": "pair (the default)",
    "shallow": "shallow (top level only)",
    "foreign": "foreign (--judge)",
    "none": "none",
}


def count_of(number: int, noun: str, plural: str | None = None) -> str:
    """A number with its noun: `1 call`, `1,204 calls`, `2 mis-fixes` (by `plural`)."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def misfixes_of(number: int) -> str:
    """`0 mis-fixes`, `1 mis-fix`."""
    return count_of(number, "mis-fix", "mis-fixes")


def change_of(number: int) -> str:
    """A change with its sign: `+12`, `−3`, `0`."""
    return f"{number:+,}".replace("-", "−") if number else "0"


def share_of(number: int, total: int) -> str:
    """A share in per cent with one decimal, which never rounds to nothing or to all."""
    if number <= 0 or total <= 0:
        return "0 %"
    if number >= total:
        return "100 %"
    permille = (number * 2000 + total) // (total * 2)
    if permille == 0:
        return "<0.1 %"
    if permille >= 1000:
        return ">99.9 %"
    return f"{permille // 10}.{permille % 10} %"


def words_of(word: str) -> str:
    """A vocabulary word as people read it: `still_failing` becomes `still failing`."""
    return word.replace("_", " ")
