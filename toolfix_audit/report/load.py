"""Reads the JSON form of a report back into the record, and names what is wrong with it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields
from typing import Final, TypeVar

from toolfix_audit.model import report as record
from toolfix_audit.model.errors import ToolfixError
from toolfix_audit.model.json import Json, JsonError, RepeatedKeys, dump_json, kind_of, parse_json
from toolfix_audit.model.words import (
    HostVerdict,
    LeftAlone,
    MisfixKind,
    Origin,
    Outcome,
    Suspicion,
    UnjudgedReason,
    UntouchedReason,
)
from toolfix_audit.report.visible import shown

T = TypeVar("T")

_HINT: Final = "make it again with: toolfix-audit dryrun LOGS --report json=FILE"
_EXIT_CODES: Final = (0, 1, 2, 3, 4, 130)


class ReportFileError(ToolfixError):
    """A report file is no JSON, no report, or a report of another version."""


def load(text: str, *, source: str = "report") -> record.Report:
    """Read a report that the `json` emitter wrote.

    Rendering the result gives the same bytes. `source` names the file in messages.

    Raises:
        ReportFileError: the text is not such a report; the message names the place.
    """
    try:
        value = parse_json(text)
    except JsonError as error:
        raise ReportFileError(f"{source}: not JSON: {error}", hint=_HINT) from None
    _check_version(value, source)
    try:
        return _REPORT(_Node(value, ""))
    except _FaultError as fault:
        raise ReportFileError(f"{source}: {fault}", hint=_HINT) from None


def _check_version(value: Json, source: str) -> None:
    if not isinstance(value, dict) or "schema_version" not in value:
        raise ReportFileError(f"{source}: not a report of toolfix-audit", hint=_HINT)
    version = value["schema_version"]
    if type(version) is not int or version != record.SCHEMA_VERSION:
        found = shown(dump_json(version), 20)
        raise ReportFileError(
            f"{source}: schema_version is {found}, this program reads {record.SCHEMA_VERSION}",
            hint=_HINT,
        )


class _FaultError(Exception):
    """What is wrong, and where."""


@dataclass(frozen=True, slots=True)
class _Node:
    """A value of the file and where it stands."""

    value: Json
    where: str

    def fault(self, wanted: str) -> _FaultError:
        return _FaultError(f"{self.where or 'the report'}: expected {wanted}")

    def members(self) -> dict[str, Json]:
        if not isinstance(self.value, dict):
            raise self.fault(f"an object, found {kind_of(self.value)}")
        if isinstance(self.value, RepeatedKeys):
            raise self.fault("every key once")
        return self.value

    def at(self, key: str) -> _Node:
        return _Node(self.members()[key], f"{self.where}/{shown(key, 60)}")


Reader = Callable[[_Node], object]


def _text(node: _Node) -> str:
    if not isinstance(node.value, str):
        raise node.fault(f"a string, found {kind_of(node.value)}")
    return node.value


def _count(node: _Node) -> int:
    if isinstance(node.value, bool) or not isinstance(node.value, int) or node.value < 0:
        raise node.fault(f"a whole number from 0, found {kind_of(node.value)}")
    return node.value


def _flag(node: _Node) -> bool:
    if not isinstance(node.value, bool):
        raise node.fault(f"true or false, found {kind_of(node.value)}")
    return node.value


def _exit_code(node: _Node) -> int:
    code = _count(node)
    if code not in _EXIT_CODES:
        raise node.fault("an exit code: 0, 1, 2, 3, 4 or 130")
    return code


def _json(node: _Node) -> Json:
    return node.value


def _or_null(read: Callable[[_Node], T]) -> Callable[[_Node], T | None]:
    return lambda node: None if node.value is None else read(node)


def _word(words: Iterable[str]) -> Callable[[_Node], str]:
    known = tuple(str(word) for word in words)

    def read(node: _Node) -> str:
        if _text(node) not in known:
            raise node.fault(f"one of {', '.join(known)}")
        return _text(node)

    return read


def _many(read: Callable[[_Node], T]) -> Callable[[_Node], tuple[T, ...]]:
    def read_all(node: _Node) -> tuple[T, ...]:
        if not isinstance(node.value, list):
            raise node.fault(f"an array, found {kind_of(node.value)}")
        return tuple(
            read(_Node(member, f"{node.where}/{index}")) for index, member in enumerate(node.value)
        )

    return read_all


def _mapping(
    read: Callable[[_Node], T], words: Iterable[str] | None = None
) -> Callable[[_Node], Mapping[str, T]]:
    known = None if words is None else tuple(str(word) for word in words)

    def read_all(node: _Node) -> Mapping[str, T]:
        for key in node.members():
            if known is not None and key not in known:
                raise node.at(key).fault(f"one of the keys {', '.join(known)}")
        return {key: read(node.at(key)) for key in node.members()}

    return read_all


def _record(make: Callable[..., T], **readers: Reader) -> Callable[[_Node], T]:
    """A reader of one closed object; every key is needed and no other is allowed."""

    def read(node: _Node) -> T:
        members = node.members()
        for key in readers:
            if key not in members:
                raise node.fault(f"the key {key}")
        for key in members:
            if key not in readers:
                raise node.at(key).fault("no such key")
        return make(**{key: reader(node.at(key)) for key, reader in readers.items()})

    return read


def _counts_of(names: type) -> dict[str, Reader]:
    return {entry.name: _count for entry in fields(names)}


_TEXTS = _many(_text)
_COUNTS = _mapping(_count)
_OUTCOMES = _mapping(_count, Outcome)
_KINDS = _mapping(_count, MisfixKind)

_POLICY = _record(
    record.PolicyResult,
    policy=_text,
    level=_word(("error", "warn")),
    actual=_count,
    relation=_word(("<=", ">=")),
    limit=_count,
    holds=_flag,
)
_VERDICT = _record(
    record.Verdict,
    status=_word(("pass", "fail")),
    exit_code=_exit_code,
    reasons=_TEXTS,
    policies=_many(_POLICY),
)
_FAMILY = _record(
    record.FamilyRow, **{**_counts_of(record.FamilyRow), "code": _text, "name": _text}
)
_SOURCE = _record(
    record.SourceRow, **{**_counts_of(record.SourceRow), "path": _text, "format": _text}
)
_UNREADABLE = _record(record.UnreadableRow, path=_text, line=_count, offset=_count, cause=_text)
_STEP = _record(
    record.StepRow, family=_text, action=_text, pointer=_text, before=_json, after=_json
)
_EXAMPLE = _record(
    record.Example,
    call=_text,
    session=_text,
    tool=_text,
    outcome=_word(Outcome),
    reason=_or_null(_word((*UntouchedReason, *UnjudgedReason))),
    families=_TEXTS,
    steps=_many(_STEP),
    before=_json,
    after=_json,
    violations_before=_TEXTS,
    violations_after=_TEXTS,
    schema_origin=_or_null(_word(Origin)),
    host=_word(HostVerdict),
    path=_text,
    model=_or_null(_text),
    count=_count,
)
_MISFIX = _record(
    record.MisfixExample,
    call=_text,
    session=_text,
    tool=_text,
    kind=_word(MisfixKind),
    families=_TEXTS,
    detail=_text,
    before=_json,
    after=_json,
)
_REPORT = _record(
    record.Report,
    schema_version=_count,
    tool_version=_text,
    engine=_record(record.EngineInfo, name=_text, version=_text, families=_TEXTS),
    judge=_record(record.JudgeInfo, name=_text, version=_text),
    labels=_mapping(_text),
    verdict=_VERDICT,
    corpus=_record(record.Corpus, **_counts_of(record.Corpus)),
    schemas=_mapping(_count, Origin),
    outcomes=_OUTCOMES,
    host=_mapping(_OUTCOMES, HostVerdict),
    families=_many(_FAMILY),
    wrapper_depth=_COUNTS,
    untouched=_mapping(_count, UntouchedReason),
    unjudged=_mapping(_count, UnjudgedReason),
    left_alone=_mapping(_count, LeftAlone),
    suspicions=_mapping(_count, Suspicion),
    findings=_many(_record(record.Finding, code=_text, name=_text, count=_count, detail=_text)),
    misfixes=_record(
        record.Misfixes,
        probes=_count,
        count=_count,
        by_kind=_KINDS,
        probes_by_kind=_KINDS,
        examples=_many(_MISFIX),
    ),
    power=_mapping(_mapping(_mapping(_count, ("wrong", "convicted")))),
    confirmations=_many(
        _record(
            record.ConfirmationRow,
            family=_text,
            confirmed=_count,
            contradicts=_count,
            no_retry=_count,
            low=_count,
            high=_count,
        )
    ),
    tools=_many(_record(record.ToolRow, tool=_text, calls=_count, outcomes=_OUTCOMES)),
    models=_many(
        _record(
            record.ModelRow,
            provider=_text,
            model=_text,
            calls=_count,
            outcomes=_OUTCOMES,
            families=_COUNTS,
        )
    ),
    sources=_many(_SOURCE),
    unreadable=_many(_UNREADABLE),
    unjudged_tools=_many(
        _record(record.UnjudgedTool, tool=_text, calls=_count, reason=_word(UnjudgedReason))
    ),
    examples=_many(_EXAMPLE),
    kinds=_many(
        _record(
            record.KindRow,
            tool=_text,
            schema=_or_null(_text),
            shape=_text,
            families=_TEXTS,
            outcome=_word(Outcome),
            calls=_count,
        )
    ),
    rates=_many(
        _record(record.RateRow, by=_text, value=_text, family=_text, calls=_count, touched=_count)
    ),
    imitation=_record(
        record.Imitation,
        **{
            **_counts_of(record.Imitation),
            "places": _many(
                _record(record.PlaceRow, **{**_counts_of(record.PlaceRow), "place": _text})
            ),
        },
    ),
    notes=_TEXTS,
)
