"""A report that may leave the machine: secrets, long values, home paths and base64 are masked.

A mask names what it stands for, with its size and a number: equal values get equal numbers, so
that a diff of before and after still tells what moved. No digest is shown: it would confirm a
guess.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from toolfix_audit.model.json import Json
from toolfix_audit.model.report import Example, MisfixExample, Report, StepRow
from toolfix_audit.model.report_findings import Found
from toolfix_audit.model.report_groups import Grouping
from toolfix_audit.report.wording import count_of

MAX_VALUE: Final = 200
"""Longer strings inside arguments are cut."""

MAX_TEXT: Final = 10_000
"""Longer texts of any kind are cut before they are searched."""

NOTE: Final = "redacted: "
"""How the note begins that says what was masked."""

_SECRETS: Final = re.compile(
    r"-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)"
    r"|\bsk-[A-Za-z0-9_-]{16,}"  # OpenAI, Anthropic and their relatives
    r"|\bgh[pousr]_[A-Za-z0-9]{20,}|\bgithub_pat_[A-Za-z0-9_]{20,}"
    r"|\bglpat-[A-Za-z0-9_-]{16,}"
    r"|\bxox[abprs]-[A-Za-z0-9-]{10,}"  # Slack
    r"|\b(?:AKIA|ASIA)[A-Z0-9]{16}\b"  # AWS
    r"|\bAIza[A-Za-z0-9_-]{30,}"  # Google
    r"|\bhf_[A-Za-z0-9]{20,}|\bnpm_[A-Za-z0-9]{30,}|\bpypi-[A-Za-z0-9_-]{30,}"
    r"|\beyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]*"  # JSON Web Token
)
_ASSIGNED: Final = re.compile(
    r"(?i)((?:password|passwd|secret|token|api[_-]?key|access[_-]?key|authorization)"
    r"[\"']?\s*[:=]\s*(?:bearer\s+|basic\s+)?[\"']?)([^\s\"',;&]{6,})"
)
_BEARER: Final = re.compile(r"(?i)\b(bearer\s+)([A-Za-z0-9._~+/=-]{12,})")
_USERINFO: Final = re.compile(r"(?i)\b([a-z][a-z0-9+.-]*://[^\s/:@]*:)([^\s/@]+)(?=@)")
_SECRET_KEY: Final = re.compile(
    r"(?i)(?:^|[_-])(?:password|passwd|secret|token|api_?key|access_?key|private_?key|authorization"
    r"|credentials?|cookie)$"
)
_HOME: Final = re.compile(r"(?i)(/home/|/Users/|[A-Z]:\\Users\\)[^/\\\s\"':]+|(?<![\w/])/root(?=/)")
_BASE64: Final = re.compile(r"(?:[A-Za-z0-9+/]{4}){40,}={0,2}|(?:[A-Za-z0-9_-]{4}){60,}")


def redact(report: Report) -> Report:
    """The report with a note that says what was masked. Redacting it again changes nothing.

    Figures, names of tools, keys, models and families stay: they are what the report is about.
    """
    if any(note.startswith(NOTE) for note in report.notes):
        return report
    mask = _Mask()
    redacted = replace(
        report,
        labels={key: mask.text(value) for key, value in report.labels.items()},
        sources=tuple(replace(row, path=mask.text(row.path)) for row in report.sources),
        unreadable=tuple(
            replace(row, path=mask.text(row.path), cause=mask.text(row.cause))
            for row in report.unreadable
        ),
        examples=tuple(_example(one, mask) for one in report.examples),
        misfixes=replace(
            report.misfixes, examples=tuple(_misfix(one, mask) for one in report.misfixes.examples)
        ),
        groups=tuple(_grouping(one, mask) for one in report.groups),
        found=_found(report.found, mask),
        inputs=tuple(mask.text(path) for path in report.inputs),
        store=None if report.store is None else mask.text(report.store),
        notes=tuple(mask.text(note) for note in report.notes),
    )
    return replace(redacted, notes=(*redacted.notes, mask.note()))


def redaction_of(report: Report) -> str:
    """What was masked, in one line; or that nothing was looked for."""
    return next((note for note in report.notes if note.startswith(NOTE)), "not redacted")


def _found(found: Found, mask: _Mask) -> Found:
    rows = (
        replace(
            row,
            path=mask.text(row.path),
            shown=mask.long(row.shown),
            says=mask.long(row.says),
        )
        for row in found.rows
    )
    return replace(found, rows=tuple(rows))


def _grouping(found: Grouping, mask: _Mask) -> Grouping:
    rows = (replace(row, values=tuple(map(mask.text, row.values))) for row in found.rows)
    return replace(found, rows=tuple(rows))


def _example(example: Example, mask: _Mask) -> Example:
    return replace(
        example,
        path=mask.text(example.path),
        before=mask.value(example.before),
        after=mask.value(example.after),
        steps=tuple(_step(step, mask) for step in example.steps),
        violations_before=tuple(mask.long(text) for text in example.violations_before),
        violations_after=tuple(mask.long(text) for text in example.violations_after),
    )


def _step(step: StepRow, mask: _Mask) -> StepRow:
    return replace(step, before=mask.value(step.before), after=mask.value(step.after))


def _misfix(example: MisfixExample, mask: _Mask) -> MisfixExample:
    return replace(
        example,
        detail=mask.long(example.detail),
        before=mask.value(example.before),
        after=mask.value(example.after),
    )


class _Mask:
    """Masks, and counts what it masked."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self._numbers: dict[tuple[str, str], int] = {}

    def text(self, text: str, most: int = MAX_TEXT) -> str:
        """Secrets, base64 and home folders masked, and cut where it is longer than `most`."""
        masked = self._masked(text[:MAX_TEXT])
        if len(masked) <= most and len(text) <= MAX_TEXT:
            return masked
        self.counts["long value"] += 1
        return f"{masked[:most]}… +{max(len(text), len(masked)) - most:,} chars"

    def _masked(self, text: str) -> str:
        text = _SECRETS.sub(lambda match: self._hidden("secret", match.group()), text)
        for pattern in (_ASSIGNED, _BEARER, _USERINFO):
            text = pattern.sub(self._second("secret"), text)
        text = _BASE64.sub(self._base64, text)
        text, homes = _HOME.subn("~", text)
        self.counts["home path"] += homes
        return text

    def long(self, text: str) -> str:
        """Also cut where it is longer than a person reads."""
        return self.text(text, MAX_VALUE)

    def value(self, value: Json, key: str = "") -> Json:
        """Every string inside masked; the shape stays."""
        if isinstance(value, str):
            if _SECRET_KEY.search(key) and value:
                return self._hidden("secret", value)
            return self.long(value)
        if isinstance(value, dict):
            return {self.text(name): self.value(one, name) for name, one in value.items()}
        if isinstance(value, list):
            return [self.value(one, key) for one in value]
        return value

    def note(self) -> str:
        """What was masked, in one line."""
        counts = sorted((+self.counts).items())
        parts = [count_of(number, kind) for kind, number in counts]
        return f"{NOTE}{', '.join(parts) or 'nothing had to be'}"

    def _hidden(self, kind: str, text: str) -> str:
        if text.startswith("‹"):
            return text
        self.counts[kind] += 1
        number = self._numbers.setdefault((kind, text), len(self._numbers) + 1)
        return f"‹{kind} {number}, {len(text):,} chars›"

    def _base64(self, match: re.Match[str]) -> str:
        text = match.group()
        is_mixed = text.lower() != text != text.upper() and any(map(str.isdigit, text))
        return self._hidden("base64 value", text) if is_mixed else text

    def _second(self, kind: str) -> Callable[[re.Match[str]], str]:
        return lambda match: match.group(1) + self._hidden(kind, match.group(2))
