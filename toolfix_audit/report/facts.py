"""Sentences and sums that every format for people shows, made once from the record."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from toolfix_audit.model.report import Counts, Report
from toolfix_audit.model.words import CHANGED, Outcome, UnjudgedReason, UntouchedReason
from toolfix_audit.report import commands
from toolfix_audit.report.wording import count_of, misfixes_of

MALFORMED: Final = (*sorted(CHANGED), Outcome.UNTOUCHED)
"""The outcomes of calls that were wrong as sent."""

_UNSEEN: Final = {
    UnjudgedReason.NO_SCHEMA: ("no tool schema, so no verdict", "tools.json"),
    UnjudgedReason.SCHEMA_UNUSABLE: (
        "a schema that no validator runs; mend it, then give it",
        "mended.json",
    ),
    UnjudgedReason.PATTERN_UNSUPPORTED: (
        "a pattern that can't be run safely; simplify it, then give the schema",
        "mended.json",
    ),
    UnjudgedReason.REMOTE_REF: (
        "a schema that refers to another document; inline it, then give the schema",
        "inlined.json",
    ),
}
"""Why calls have no verdict, and the name of the file that would change that."""


@dataclass(frozen=True, slots=True)
class Advice:
    """Something that was not checked, and the command that would change that, if any."""

    text: str
    command: str | None = None


def is_pass(report: Report) -> bool:
    """Whether the gate passed; anything but the word `pass` is a fail."""
    return report.verdict.status == "pass"


def status_word(report: Report) -> str:
    """`PASS` or `FAIL`."""
    return "PASS" if is_pass(report) else "FAIL"


def is_foreign(report: Report) -> bool:
    """Whether the engine under audit is not ours: it has none of the families, and what a change
    of its is called is a guess from its shape."""
    return not report.engine.families


def malformed_of(outcomes: Counts) -> int:
    """How many of these calls were wrong as sent."""
    return sum(outcomes.get(word, 0) for word in MALFORMED)


def judged_of(outcomes: Counts) -> int:
    """How many of these calls the judge decided."""
    return sum(outcomes.values()) - outcomes.get(Outcome.UNJUDGED, 0)


def proof_line(report: Report) -> str:
    """Mis-fixes against probes, in words."""
    probes = count_of(report.misfixes.probes, "probe")
    return f"{misfixes_of(report.misfixes.count)} in {probes}"


def verdict_line(report: Report) -> str:
    """The last line of a run: verdict, proof, what became of the calls, exit code."""
    counts = report.outcomes
    parts = [f"{counts.get(Outcome.FIXED, 0):,} fixed"]
    for word, label in (
        (Outcome.SWALLOWED, "swallowed"),
        (Outcome.STILL_FAILING, "still failing"),
        (Outcome.UNTOUCHED, "untouched"),
        (Outcome.UNJUDGED, "unjudged"),
    ):
        if counts.get(word, 0):
            parts.append(f"{counts[word]:,} {label}")
    return (
        f"{status_word(report)}  {proof_line(report)}; {', '.join(parts)}"
        f"  exit {report.verdict.exit_code}"
    )


def power_of(report: Report) -> tuple[int, int]:
    """Wrong changes that the built-in broken engines made, and how many were convicted."""
    cells = [counts for kinds in report.power.values() for counts in kinds.values()]
    return sum(c.get("wrong", 0) for c in cells), sum(c.get("convicted", 0) for c in cells)


def power_line(report: Report) -> str:
    """What the checks are worth, in one sentence."""
    wrong, convicted = power_of(report)
    if not wrong:
        return "the power of the checks was not measured on these calls"
    changes = count_of(wrong, "wrong change")
    return f"power: the checks convicted {convicted:,} of {changes} by built-in broken engines"


def depth_line(report: Report) -> str:
    """How many wrapper layers were removed from how many calls; empty if from none."""
    counts = report.wrapper_depth
    order = sorted(counts, key=lambda layers: (len(layers), layers))
    parts = [f"{layers} ({counts[layers]:,})" for layers in order if counts[layers]]
    return f"wrapper layers removed (calls): {' · '.join(parts)}" if parts else ""


def corpus_kind(report: Report) -> str | None:
    """The label `corpus`, else the first note that speaks of a synthetic corpus."""
    label = report.labels.get("corpus")
    if label:
        return label
    return next((note for note in report.notes if "synthetic" in note.lower()), None)


def unseen(report: Report) -> tuple[Advice, ...]:
    """Everything that this run did not judge, read or prove, with the next command to run."""
    found: list[Advice] = []
    for reason, (text, file) in _UNSEEN.items():
        if number := report.unjudged.get(reason, 0):
            command = commands.audit_again(report, "--schemas", file)
            found.append(Advice(f"{count_of(number, 'call')} ({reason}): {text}", command))
    found.extend(_unread(report))
    if (number := report.untouched.get(UntouchedReason.OPT_IN, 0)) and not is_foreign(report):
        text = f"{count_of(number, 'call')}: only an opt-in family would fix them"
        found.append(Advice(text, commands.audit_again(report, "--opt-in")))
    if number := report.schemas.get("inferred", 0):
        text = f"{count_of(number, 'call')}: judged by a schema inferred from the calls themselves"
        found.append(Advice(text, commands.audit_again(report, "--schemas", "tools.json")))
    if not report.misfixes.probes:
        changed = sum(report.outcomes.get(word, 0) for word in CHANGED)
        why = (
            f"although {count_of(changed, 'call')} changed" if changed else "since no call changed"
        )
        found.append(Advice(f"no mis-fix probe ran, {why}"))
    return tuple(found)


def _unread(report: Report) -> list[Advice]:
    found: list[Advice] = []
    if number := report.corpus.unreadable:
        text = f"{count_of(number, 'record')} could not be read"
        found.append(Advice(text, commands.list_unreadable(report)))
    if number := report.corpus.duplicates:
        found.append(Advice(f"{count_of(number, 'call')} of repeated history set aside"))
    return found
