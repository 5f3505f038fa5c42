"""Case files as scoring needs them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from toolfix_audit.audit.cases import family_code
from toolfix_audit.engine import compile_schema
from toolfix_audit.model.json import Json, JsonError, dump_json, parse_json
from toolfix_audit.model.repair import Unusable

from .scoring import Case, Need

_NEEDS = {"untouched": Need.STAY, "unsafe_fix_only": Need.GUESS}
OTHER = "other"


@dataclass(frozen=True, slots=True)
class Asked:
    """A case, and the request line that asks an engine about it."""

    case: Case
    request: str
    source: str = ""


def read_cases(path: Path) -> tuple[Asked, ...]:
    """Every case of a JSONL file.

    Raises:
        OSError: the file can't be read.
        JsonError, TypeError, KeyError: a line is no case.
    """
    lines = path.read_text(encoding="utf-8").split("\n")
    return tuple(_asked(parse_json(line)) for line in lines if line.strip())


def _asked(line: Json) -> Asked:
    expected = line.get("expected") if isinstance(line, dict) else None
    if not isinstance(line, dict) or not isinstance(expected, dict):
        raise TypeError("not a case")
    sent, tool = _sent(line), line.get("tool")
    names = tool if isinstance(tool, dict) else {}
    case = Case(
        identity=str(line["id"]),
        family=_family(str(line["family"])),
        need=_NEEDS.get(str(expected["outcome"]), Need.FIX),
        sent=sent,
        is_legal=_is_legal(line, sent),
        expected=expected.get("value"),
        called=_text(names.get("called")),
        expected_name=_text(names.get("expected")),
    )
    return Asked(case, dump_json(_request(line)), str(line.get("source", "")))


def _request(line: dict[str, Json]) -> Json:
    wanted = ("id", "schema", "args", "args_text", "tool")
    return {key: line[key] for key in wanted if key in line}


def _sent(line: dict[str, Json]) -> Json:
    if "args_text" not in line:
        return line["args"]
    text = str(line["args_text"])
    try:
        return parse_json(text)
    except JsonError:
        return text


def _is_legal(line: dict[str, Json], sent: Json) -> bool:
    judge = compile_schema(line["schema"])
    if isinstance(judge, Unusable) or "tool" in line:
        return False
    return judge.is_valid(sent)


def _text(value: Json) -> str | None:
    return value if isinstance(value, str) else None


def _family(name: str) -> str:
    code = family_code(name).removesuffix("+")
    return code if len(code) == 1 or code == "documented" else OTHER
