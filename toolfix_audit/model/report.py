"""The report: the one record from which every output format is made.

Field for field the JSON contract (`schema_version` 1). Mappings are sorted by key when they are
written; tuples are in their final order. Every count counts calls unless its name says else.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from toolfix_audit.model.json import Json
from toolfix_audit.model.report_findings import Found
from toolfix_audit.model.report_groups import BasisRow, Earlier, Grouping

SCHEMA_VERSION = 1
Counts = Mapping[str, int]


@dataclass(frozen=True, slots=True)
class EngineInfo:
    """The engine under audit and the codes of the families that ran."""

    name: str
    version: str
    families: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class JudgeInfo:
    """The validator that decided."""

    name: str
    version: str


@dataclass(frozen=True, slots=True)
class PolicyResult:
    """One gate policy: the two integers that were compared, as `actual <= limit` or
    `actual >= limit` (`relation`), its level (`error` or `warn`) and whether it holds."""

    policy: str
    level: str
    actual: int
    relation: str
    limit: int
    holds: bool


@dataclass(frozen=True, slots=True)
class Verdict:
    """`status` is `pass` or `fail`; `reasons` are one-line sentences, worst first."""

    status: str
    exit_code: int
    reasons: tuple[str, ...]
    policies: tuple[PolicyResult, ...] = ()


@dataclass(frozen=True, slots=True)
class Corpus:
    """What was read. `records` are units that gave records; `calls` are counted after
    duplicates of repeated history are set aside, `duplicates` is how many were."""

    sources: int = 0
    sessions: int = 0
    records: int = 0
    calls: int = 0
    results: int = 0
    texts: int = 0
    unreadable: int = 0
    duplicates: int = 0


@dataclass(frozen=True, slots=True)
class FamilyRow:
    """One family: calls that it touched, by outcome; unjudged calls whose shape or error
    suggests it; probes run on its changes, and mis-fixes among them."""

    code: str
    name: str
    calls: int
    fixed: int
    still_failing: int
    swallowed: int
    suspected: int
    probes: int
    misfixes: int


@dataclass(frozen=True, slots=True)
class ToolRow:
    """One tool name with its calls by outcome."""

    tool: str
    calls: int
    outcomes: Counts


@dataclass(frozen=True, slots=True)
class ModelRow:
    """One model with its calls by outcome, and its touched calls by family."""

    provider: str
    model: str
    calls: int
    outcomes: Counts
    families: Counts


@dataclass(frozen=True, slots=True)
class SourceRow:
    """One file as it was read, duplicates included."""

    path: str
    format: str
    calls: int
    results: int
    texts: int
    unreadable: int


@dataclass(frozen=True, slots=True)
class UnreadableRow:
    """One thing that could not be read (the first few are kept)."""

    path: str
    line: int
    offset: int
    cause: str


@dataclass(frozen=True, slots=True)
class UnjudgedTool:
    """A tool whose calls could not be judged, and why."""

    tool: str
    calls: int
    reason: str


@dataclass(frozen=True, slots=True)
class StepRow:
    """A step of an example."""

    family: str
    action: str
    pointer: str
    before: Json
    after: Json


@dataclass(frozen=True, slots=True)
class Example:
    """One call, shown whole. `before` is the recorded value (or the text, if it does not
    parse), `after` what the engine made of it. `count` calls have the same tool, outcome,
    families and shape."""

    call: str
    session: str
    tool: str
    outcome: str
    reason: str | None
    families: tuple[str, ...]
    steps: tuple[StepRow, ...]
    before: Json
    after: Json
    violations_before: tuple[str, ...]
    violations_after: tuple[str, ...]
    schema_origin: str | None
    host: str
    path: str
    model: str | None
    count: int


@dataclass(frozen=True, slots=True)
class MisfixExample:
    """One convicted change."""

    call: str
    session: str
    tool: str
    kind: str
    families: tuple[str, ...]
    detail: str
    before: Json
    after: Json


@dataclass(frozen=True, slots=True)
class Misfixes:
    """The zero-mis-fix check: probes run, probes by kind, convictions by kind."""

    probes: int
    count: int
    by_kind: Counts
    probes_by_kind: Counts
    examples: tuple[MisfixExample, ...]


@dataclass(frozen=True, slots=True)
class ConfirmationRow:
    """What the model's own retries say of the repairs of one family: calls confirmed,
    contradicted, without a retry of the same target, and the 95 % Wilson interval of the share of
    confirmed among those answered, in permille."""

    family: str
    confirmed: int
    contradicts: int
    no_retry: int
    low: int
    high: int


@dataclass(frozen=True, slots=True)
class Finding:
    """Something worth reading beside the outcomes, with the number of calls that show it; of
    families G to J, whose rows are in `found`, the number of finds."""

    code: str
    name: str
    count: int
    detail: str


@dataclass(frozen=True, slots=True)
class KindRow:
    """Malformed calls of one kind: the same tool, schema (its digest), shape of the arguments,
    families and outcome. Two reports are compared by these."""

    tool: str
    schema: str | None
    shape: str
    families: tuple[str, ...]
    outcome: str
    calls: int


@dataclass(frozen=True, slots=True)
class RateRow:
    """How often a family occurs among the calls that share one trait: `by` names the trait
    (`model`, `tool`, `place in session`, …), `value` its value, `calls` how many share it and
    `touched` how many of those the family touched."""

    by: str
    value: str
    family: str
    calls: int
    touched: int


@dataclass(frozen=True, slots=True)
class PlaceRow:
    """Wrapped calls by their place in the session: how many calls stood there, how many of them
    were wrapped, how many layers these had together, and the most that one had."""

    place: str
    calls: int
    wrapped: int
    layers: int
    deepest: int


@dataclass(frozen=True, slots=True)
class Imitation:
    """Whether a wrapped call is followed by another: wrapped calls and all calls that come right
    after a wrapped one, right after any other, and first in their session; runs of wrapped calls
    in a row, and the longest."""

    after_wrapped: int = 0
    after_wrapped_of: int = 0
    after_other: int = 0
    after_other_of: int = 0
    first: int = 0
    first_of: int = 0
    runs: int = 0
    longest_run: int = 0
    places: tuple[PlaceRow, ...] = ()


@dataclass(frozen=True, slots=True)
class Report:
    """Everything that is known after a dry run. `inputs` are the paths that it read, as they were
    given, and `store` the store that it left, if any."""

    tool_version: str
    engine: EngineInfo
    judge: JudgeInfo
    labels: Mapping[str, str]
    verdict: Verdict
    corpus: Corpus
    schemas: Counts
    outcomes: Counts
    host: Mapping[str, Counts]
    families: tuple[FamilyRow, ...]
    wrapper_depth: Counts
    untouched: Counts
    unjudged: Counts
    left_alone: Counts
    suspicions: Counts
    findings: tuple[Finding, ...]
    misfixes: Misfixes
    power: Mapping[str, Mapping[str, Counts]]
    confirmations: tuple[ConfirmationRow, ...]
    tools: tuple[ToolRow, ...]
    models: tuple[ModelRow, ...]
    sources: tuple[SourceRow, ...]
    unreadable: tuple[UnreadableRow, ...]
    unjudged_tools: tuple[UnjudgedTool, ...]
    examples: tuple[Example, ...]
    kinds: tuple[KindRow, ...] = ()
    rates: tuple[RateRow, ...] = ()
    imitation: Imitation = Imitation()
    basis: tuple[BasisRow, ...] = ()
    groups: tuple[Grouping, ...] = ()
    found: Found = field(default_factory=Found)
    earlier: Earlier | None = None
    inputs: tuple[str, ...] = ()
    store: str | None = None
    notes: tuple[str, ...] = field(default=())
    schema_version: int = SCHEMA_VERSION
