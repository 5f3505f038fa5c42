"""O enum-spelling: case or quoting differs from exactly one member."""

from __future__ import annotations

from collections.abc import Iterator

from toolfix_audit.engine.proposal import Candidate, Case, Edit, Family, Place, Rivalry
from toolfix_audit.model.json import Json, JsonError, dump_json, kind_of, parse_json
from toolfix_audit.model.words import Safety


def propose(place: Place) -> Iterator[Candidate | Rivalry]:
    """Take the one member that the value spells."""
    if place.is_root or kind_of(place.value) not in {"string", "integer", "number"}:
        return
    members = place.view.closed_members
    if members is None or members.holds(place.value):
        return
    near = {member for form in _forms(place.value) for member in members.spelled(form)}
    spelled = sorted(member for member in near if _spells(place.value, member))
    if len(spelled) > 1:
        yield Rivalry.AMBIGUOUS
    if len(spelled) == 1:
        (member,) = spelled
        yield Candidate((Edit("O", f"enum:{_name(place.value)}→{member}", lambda _value: member),))


def _forms(value: Json) -> Iterator[str]:
    """Texts one of which a member must equal, but for its case, if the value spells it."""
    yield _name(value)
    unquoted = _unquoted(value) if isinstance(value, str) else None
    if unquoted is not None:
        yield unquoted


def _spells(value: Json, member: str) -> bool:
    if not isinstance(value, str):
        return dump_json(value) == member
    same_but_case = value.lower() == member.lower() and value.isascii() == member.isascii()
    return same_but_case or _unquoted(value) == member


def _unquoted(text: str) -> str | None:
    if not (len(text) >= 2 and text.startswith('"') and text.endswith('"')):
        return None
    try:
        value = parse_json(text)
    except JsonError:
        return None
    return value if isinstance(value, str) else None


def _name(value: Json) -> str:
    return value if isinstance(value, str) else dump_json(value)


_OUT: Json = {
    "type": "object",
    "properties": {
        "format": {"enum": ["markdown", "json"]},
        "level": {"type": "string", "enum": ["1", "2"]},
        "mode": {"enum": ["a", "A"]},
        "free": {"anyOf": [{"enum": ["x"]}, {"type": "string"}]},
    },
}

FAMILY = Family(
    code="O",
    name="enum-spelling",
    summary="Case, quotes, or a number for its text: the spelling of exactly one member.",
    rationale=(
        "The members are all that the schema takes there, and one alone is equal without case, "
        "without one pair of JSON quotes, or as the text of the number. Synonyms are guesses."
    ),
    safety=Safety.SAFE,
    propose=propose,
    cases=(
        Case("case", _OUT, {"format": "MARKDOWN"}, {"format": "markdown"}),
        Case("quotes", _OUT, {"format": '"json"'}, {"format": "json"}),
        Case("number", _OUT, {"level": 2}, {"level": "2"}),
        Case("member", _OUT, {"mode": "A"}),
        Case("look-alike letter", {"properties": {"m": {"enum": ["k"]}}}, {"m": "\u212a"}),
        Case("synonym", _OUT, {"format": "md"}),
        Case("blank", _OUT, {"format": "json "}),
        Case("free text beside", _OUT, {"free": "X"}),
        Case("number of no member", _OUT, {"level": 3}),
        Case("float", _OUT, {"level": 2.0}),
        Case("two members", {"properties": {"m": {"enum": ["ab", "AB"]}}}, {"m": "Ab"}),
    ),
)
