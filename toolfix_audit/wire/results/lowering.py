"""The dry run of family H: what a result should have been, in the form of each provider."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from toolfix_audit.model.json import Json
from toolfix_audit.wire.results.blocks import Block, plain
from toolfix_audit.wire.results.stringified import Stringified, stringified
from toolfix_audit.wire.results.targets import TARGETS, Head, Lowered, Target, target_of
from toolfix_audit.wire.results.targets.target import ResultObject
from toolfix_audit.wire.results.tokens import TokenEstimate, estimate


@dataclass(frozen=True, slots=True)
class ImageFinding:
    """A result with stringified images. `lowered` is its right form in the protocol of `target`,
    None with the reason in `error` if it has none; then nothing is proposed."""

    target: Target
    found: Stringified
    lowered: Lowered | None
    error: str | None

    @property
    def characters_removed(self) -> int:
        """How many characters of text the right form saves."""
        return max(self.found.characters - self.found.remaining, 0) if self.lowered else 0

    @property
    def tokens(self) -> TokenEstimate:
        """The estimated tokens of what is replaced, before and after."""
        return estimate(
            self.found.images,
            before=self.found.characters,
            after=self.found.remaining,
            price=self.target.price,
        )


@dataclass(frozen=True, slots=True)
class Batch:
    """The results of one turn as they should be sent: those without a defect are the very
    objects that were given; `after` are messages to send behind them all."""

    results: tuple[Json, ...]
    after: tuple[Json, ...]
    findings: tuple[ImageFinding, ...]


def image_finding(result: Json) -> ImageFinding | None:
    """What is wrong with one result, in whatever provider's form it is; None if nothing is, or
    it is in the form of none. Never raises."""
    target = target_of(result)
    if target is None or not isinstance(result, dict):
        return None
    found = target.find(result)
    return None if found is None else _finding(target, result, found)


def lower_batch(results: Sequence[Json]) -> Batch:
    """Lower the results of one turn together, so that what a protocol takes only after them all
    comes after them all."""
    made: list[Json] = []
    findings: list[ImageFinding] = []
    carried: list[tuple[str, tuple[Json, ...]]] = []
    after: tuple[Json, ...] = ()
    for result in results:
        finding = image_finding(result)
        lowered = None if finding is None else finding.lowered
        made.append(result if lowered is None else lowered.result)
        if finding is None:
            continue
        findings.append(finding)
        if lowered is not None and lowered.carried:
            carried.append((_call_id(lowered.result), lowered.carried))
            after = finding.target.carry(carried)
    return Batch(tuple(made), after, tuple(findings))


def dry_run(content: Json, head: Head) -> tuple[ImageFinding, ...]:
    """Lower the content of a recorded result, whose protocol is not known, for every target;
    empty if it holds no stringified image."""
    found = stringified(content)
    if found is None:
        return ()
    blocks = tuple(part for block in found.blocks for part in plain(block))
    return tuple(_finding(target, target.blank(head), found, blocks=blocks) for target in TARGETS)


def _finding(
    target: Target,
    result: ResultObject,
    found: Stringified,
    *,
    blocks: tuple[Block, ...] | None = None,
) -> ImageFinding:
    error = target.refuses(result)
    if found.unsupported is not None:
        error = f"unsupported_media:{found.unsupported}"
    lowered = None if error else target.lower(result, blocks or found.blocks)
    return ImageFinding(target, found, lowered, error)


def _call_id(result: ResultObject) -> str:
    value = result.get("tool_call_id")
    return value if isinstance(value, str) else ""
