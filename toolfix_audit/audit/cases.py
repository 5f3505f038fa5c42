"""Case files: what must happen to given arguments, and whether it does."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final

from toolfix_audit.audit.stream_cases import stream_fault
from toolfix_audit.engine import ALL, repair, repair_call
from toolfix_audit.engine.answers import RequestError, given_arguments
from toolfix_audit.engine.leaks.cases import leak_fault
from toolfix_audit.model.errors import ConfigError
from toolfix_audit.model.json import Json, JsonError, dump_json, parse_json, same_json
from toolfix_audit.model.repair import Repair
from toolfix_audit.model.words import Outcome
from toolfix_audit.wire.results.cases import RESULT_FAMILIES, result_fault

FAMILY_CODES: Final[Mapping[str, str]] = {
    "tool-name": "K",
    "envelope": "B",
    "null-optional": "M",
    "null-string": "M",
    "empty-placeholder": "M",
    "extra-keys": "M",
    "enum-case": "O",
    "quoted-enum": "O",
    "number-for-string": "O",
    "scalar-for-array": "N",
    "object-for-array": "N",
    "flattened-keys": "P",
    "fenced-json": "L",
    "trailing-junk": "L",
    "trailing-comma": "L",
    "python-literal": "L",
    "control-chars": "L",
    "concatenated": "L",
    "truncated": "L",
    "whole-double-encoded": "L",
    "empty-arguments": "M",
}
"""Family names in case files to codes; names that are no key here must simply stay untouched."""

_UNCHANGED: Final = frozenset({Outcome.VALID, Outcome.UNTOUCHED, Outcome.UNJUDGED})
_STREAM: Final = "S"
_LEAK: Final = "G"
_BUILT: Final = frozenset({*ALL, *RESULT_FAMILIES, _STREAM, _LEAK})


class Mark(StrEnum):
    """How a case went."""

    RIGHT = "right"
    WRONG = "wrong"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True)
class CaseResult:
    """One case; `detail` says what was expected and what came, where it went wrong."""

    identity: str
    family: str
    mark: Mark
    detail: str = ""


def run_file(
    path: Path, *, families: Collection[str], only: Collection[str] | None = None, opt_in: bool
) -> Iterator[CaseResult]:
    """Run the cases of a file, those of the families `only` if given.

    Raises:
        ConfigError: the file can't be read, or a line is no case.
    """
    for number, case in _cases(path):
        code = family_code(str(case.get("family", "")))
        if only is not None and code not in only:
            continue
        try:
            yield run_case(case, code, families=families, opt_in=opt_in)
        except (RequestError, KeyError, TypeError) as error:
            why = f"it has no {error}" if isinstance(error, KeyError) else str(error)
            raise ConfigError(
                f"{path}:{number}: not a case: {why}", hint="see docs/cases.md for the format"
            ) from error


def family_code(name: str) -> str:
    """The code that a case's family name stands for, or the name itself."""
    return FAMILY_CODES.get(name, name)


def run_case(
    case: Mapping[str, Json], code: str, *, families: Collection[str], opt_in: bool
) -> CaseResult:
    """Run one case. A case of a family that is not built is skipped."""
    identity, family = str(case["id"]), str(case.get("family", ""))
    if len(code) == 1 and code not in _BUILT:
        return CaseResult(identity, family, Mark.SKIPPED)
    expected = case["expected"]
    if not isinstance(expected, dict):
        raise TypeError("expected is no object")
    fault = _fault_of(case, code, expected, families=families, opt_in=opt_in)
    return CaseResult(identity, family, Mark.WRONG if fault else Mark.RIGHT, fault or "")


def _fault_of(
    case: Mapping[str, Json],
    code: str,
    expected: dict[str, Json],
    *,
    families: Collection[str],
    opt_in: bool,
) -> str | None:
    """What is wrong with a case; who tells depends on its family."""
    if code == _STREAM:
        return stream_fault(case, expected)
    if code == _LEAK:
        return leak_fault(case, expected)
    if code in RESULT_FAMILIES:
        return result_fault(code, case)
    return _fault(_repaired(dict(case), families), case, expected, opt_in=opt_in)


def _repaired(case: dict[str, Json], families: Collection[str]) -> Repair:
    arguments, schema, tool = given_arguments(case), case["schema"], case.get("tool")
    if not isinstance(tool, dict):
        return repair(arguments, schema, families=families)
    available = tool["available"]
    if not isinstance(available, list):
        raise TypeError("tool.available is no list")
    tools = {str(name): schema for name in available}
    return repair_call(str(tool["called"]), arguments, tools, families=families)


def _fault(
    done: Repair, case: Mapping[str, Json], expected: dict[str, Json], *, opt_in: bool
) -> str | None:
    want = str(expected["outcome"])
    unchanged = done.outcome in _UNCHANGED and not done.steps
    if want == "untouched" or (want == "unsafe_fix_only" and not opt_in):
        return None if unchanged else f"must stay, was {_told(done)}"
    if want == "unsafe_fix_only" and unchanged:
        return None
    accepted = {"fixed", "swallowed"} if want in {"fixed", "unsafe_fix_only"} else {want}
    if done.outcome.value not in accepted:
        return f"wanted {want}, was {_told(done)}"
    if not same_json(done.arguments, expected["value"]):
        return f"wanted {dump_json(expected['value'])[:200]}, was {_told(done)}"
    tool = case.get("tool")
    if isinstance(tool, dict) and done.tool != tool["expected"]:
        return f"wanted the tool {tool['expected']}, was {done.tool}"
    return None


def _told(done: Repair) -> str:
    reason = f" ({done.reason})" if done.reason else ""
    return f"{done.outcome}{reason}: {dump_json(done.arguments)[:200]}"


def _cases(path: Path) -> Iterator[tuple[int, dict[str, Json]]]:
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or error
        raise ConfigError(f"{path}: {why}", hint="give a JSONL file of cases") from error
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            case = parse_json(line)
        except JsonError as error:
            raise ConfigError(f"{path}:{number}: {error}", hint="one JSON object a line") from error
        if not isinstance(case, dict):
            raise ConfigError(f"{path}:{number}: not an object", hint="one JSON object a line")
        yield number, case
