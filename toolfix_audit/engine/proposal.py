"""What a family says: here is a place, this could be rewritten so. Nothing is applied yet."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from toolfix_audit.engine.schema_view import SchemaView
from toolfix_audit.model.json import Json
from toolfix_audit.model.pointer import Path
from toolfix_audit.model.words import Safety


class RecordedText(str):
    """The root of arguments whose text does not parse: text still, and no JSON string."""

    __slots__ = ()


def _never(_key: str) -> bool:
    return False


@dataclass(frozen=True, slots=True)
class Place:
    """One place of the arguments, as it stands now, with the view of what governs it.

    `is_violated` says whether the judge found a violation at or below a member. `read_text` reads
    a string as the container that it spells, or gives None; how leniently depends on the families
    that run.
    """

    path: Path
    value: Json
    view: SchemaView
    read_text: Callable[[str], Json]
    is_violated: Callable[[str], bool] = _never

    @property
    def is_root(self) -> bool:
        """Whether this is the whole arguments value."""
        return not self.path


@dataclass(frozen=True, slots=True)
class Edit:
    """One rewrite of the value at a place; becomes one step if it stands.

    `wrote` are the places that were written, relative to the candidate's place: the repairs
    accepted at or below them count to the edit's credit. `fit` are those that must end without
    a violation.
    """

    family: str
    action: str
    apply: Callable[[Json], Json]
    wrote: tuple[Path, ...] = ((),)
    fit: tuple[Path, ...] = ()


class Standing(StrEnum):
    """What a candidate needs in order to stand."""

    BETTER = "better"  # strictly fewer violations
    EACH_NEEDED = "each-needed"  # that, and undoing any one edit would raise them again; such
    # edits drop or rename keys of one object, no two the same
    ALWAYS = "always"  # nothing: the wrapper at the root


@dataclass(frozen=True, slots=True)
class Candidate:
    """Edits of one place that are judged together.

    `followers` are the families that may repair below what was written (None: all that run).
    `coherent` may refuse the value of the place as it would become. `fallback` is tried where
    this one does not stand.
    """

    edits: tuple[Edit, ...]
    standing: Standing = Standing.BETTER
    followers: frozenset[str] | None = None
    coherent: Callable[[Json], bool] | None = None
    fallback: Candidate | None = None

    @property
    def rewrites_place(self) -> bool:
        """Whether the value of the place becomes another, not only some of its members."""
        return any(() in edit.wrote for edit in self.edits)


class Rivalry(StrEnum):
    """Why a family abstains although something at the place looks repairable."""

    AMBIGUOUS = "ambiguous"
    LIMIT = "limit"


@dataclass(frozen=True, slots=True)
class Case:
    """A worked example of a family; `after` is None where the arguments must stay.

    `opt_in` is what the opt-in tier makes of arguments that stay by default. With `text` the
    arguments are recorded text. With `available`, `before` and `after` are tool
    names, called among those.
    """

    title: str
    schema: Json
    before: Json
    after: Json = None
    text: bool = False
    available: tuple[str, ...] = ()
    opt_in: Json = None

    @property
    def stays(self) -> bool:
        """Whether nothing may change."""
        return self.after is None


@dataclass(frozen=True, slots=True)
class Family:
    """A kind of defect: what it looks like, why its repair is safe, and how to propose it.

    `propose` yields rival candidates for one place, or Rivalry where two readings exist; two
    rivals that both stand and differ cancel each other.
    """

    code: str
    name: str
    summary: str
    rationale: str
    safety: Safety
    propose: Callable[[Place], Iterator[Candidate | Rivalry]]
    cases: tuple[Case, ...] = ()
