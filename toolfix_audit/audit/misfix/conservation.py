"""Conservation: every leaf of the original is a leaf of the result, where it belongs, and the
result holds no other."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from toolfix_audit.audit.misfix.equality import is_same
from toolfix_audit.audit.misfix.flattened import Parts
from toolfix_audit.audit.misfix.leaves import Content, Leaf, content_of, leaves_of
from toolfix_audit.audit.misfix.licences import NO_LICENCE, Licence, Licences
from toolfix_audit.audit.misfix.names import are_related
from toolfix_audit.audit.misfix.readings import (
    has_one_reading,
    may_be_one_item,
    parts_between_commas,
    read_container,
    read_scalar,
)
from toolfix_audit.audit.misfix.rewrites import Kind, Rewrite
from toolfix_audit.audit.misfix.schema_nodes import members
from toolfix_audit.audit.misfix.steps import named_keys
from toolfix_audit.model.json import Json, JsonError, clip_json, dump_json, kind_of, parse_json
from toolfix_audit.model.pointer import Path, to_pointer, value_at
from toolfix_audit.model.repair import Step

_SHOWN: Final = 60

_SamePlace: TypeAlias = Callable[[Parts, Parts], bool]
_SameValue: TypeAlias = Callable[[Leaf, Leaf], bool]
_PathOf: TypeAlias = Callable[[Leaf], Parts]


@dataclass(slots=True)
class Losses:
    """What conservation found: one line for a person each, empty where all is well."""

    lost: list[str] = field(default_factory=list)
    invented: list[str] = field(default_factory=list)
    misplaced: list[str] = field(default_factory=list)


def compare(
    original: Json,
    result: Json,
    schema: Json,
    *,
    steps: Sequence[Step],
    found: Sequence[Rewrite],
    licences: Licences = NO_LICENCE,
) -> Losses:
    """Match the leaves of both sides one to one; what is left over is lost, invented or in the
    wrong place."""
    wraps = [rewrite for rewrite in found if _is_wrap(rewrite, result)]
    matching = _Matching(
        leaves_of(original, schema, licences),
        leaves_of(result, schema, licences),
        {wrap.path for wrap in wraps},
    )
    if Licence.TEXT_FOR_ARRAY in licences:
        matching.take_splits([one for one in found if _is_split(one, result)])
    for is_place in (_same_path, _related_path):
        for is_value in (_same_content, _may_become):
            matching.match(is_place, is_value)
    losses = Losses()
    _exempt(matching, steps)
    for leaf in matching.take_displaced():
        losses.misplaced.append(f"{_told(leaf)} stands elsewhere in the result")
    losses.misplaced.extend(
        f"{to_pointer(wrap.path)}: a text with several readings became one item"
        for wrap in wraps
        if not _has_right_item(wrap, result, licences)
    )
    losses.lost.extend(f"{_told(leaf)} is not in the result" for leaf in matching.originals)
    losses.invented.extend(f"{_told(leaf)} was not sent" for leaf in matching.results)
    return losses


class _Matching:
    """The leaves of both sides that are not matched yet."""

    def __init__(self, originals: list[Leaf], results: list[Leaf], wraps: set[Path]) -> None:
        self.wraps = wraps
        self.originals = originals
        self.results = results
        self._match_equal(_written)
        self._match_equal(_unpacked)

    def match(self, is_place: _SamePlace, is_value: _SameValue) -> None:
        """Match what agrees, first come first served, among leaves of equal list positions: as
        written first, then with the packing off."""
        for paths_of in (_written, _unpacked):
            if self.originals and self.results:
                self._match(paths_of, (is_place, is_value))

    def _match(self, paths_of: _PathOf, agree: tuple[_SamePlace, _SameValue]) -> None:
        is_place, is_value = agree
        buckets: dict[Parts, list[tuple[Parts, Leaf]]] = defaultdict(list)
        for leaf in self.results:
            for form in self._forms(paths_of(leaf)):
                buckets[_positions(form)].append((form, leaf))
        taken: set[int] = set()
        kept: list[Leaf] = []
        for leaf in self.originals:
            path = paths_of(leaf)
            for form, other in buckets[_positions(path)]:
                if id(other) not in taken and is_value(leaf, other) and is_place(path, form):
                    taken.add(id(other))
                    break
            else:
                kept.append(leaf)
        self.originals = kept
        self.results = [leaf for leaf in self.results if id(leaf) not in taken]

    def take_splits(self, splits: Sequence[Rewrite]) -> None:
        """Set aside the texts that became lists, and the items of these lists."""
        for split in splits:
            depth = len(split.path)
            items = [one for one in self.results if one.written[:depth] == split.path]
            places = {item.path[:-1] for item in items}
            text = [one for one in self.originals if one.value == split.sent and one.path in places]
            aside = {id(one) for one in (*items, *text[:1])} if text else set[int]()
            self.originals = [leaf for leaf in self.originals if id(leaf) not in aside]
            self.results = [leaf for leaf in self.results if id(leaf) not in aside]

    def take_displaced(self) -> list[Leaf]:
        """Match what is equal wherever it stands, and give it."""
        before = self.originals
        self._match_equal(lambda _leaf: ())
        kept = {id(leaf) for leaf in self.originals}
        return [leaf for leaf in before if id(leaf) not in kept]

    def _match_equal(self, path_of: _PathOf) -> None:
        """The common case, in linear time: same path, same content."""
        free: dict[tuple[Parts, Content], list[Leaf]] = defaultdict(list)
        for leaf in reversed(self.results):
            free[path_of(leaf), leaf.content].append(leaf)
        kept: list[Leaf] = []
        taken: set[int] = set()
        for leaf in self.originals:
            same = free.get((path_of(leaf), leaf.content))
            if same:
                taken.add(id(same.pop()))
            else:
                kept.append(leaf)
        self.originals = kept
        self.results = [leaf for leaf in self.results if id(leaf) not in taken]

    def _forms(self, path: Parts) -> list[Parts]:
        """The path, and the path without the lists that the result put around one item."""
        around = {at for at, part in enumerate(path) if part == 0 and path[:at] in self.wraps}
        if not around:
            return [path]
        return [path, tuple(part for at, part in enumerate(path) if at not in around)]


def _written(leaf: Leaf) -> Parts:
    return leaf.written


def _unpacked(leaf: Leaf) -> Parts:
    return leaf.path


def _positions(path: Parts) -> Parts:
    """A path with every key blanked: its length and list indexes."""
    return tuple("" if isinstance(part, str) else part for part in path)


def _same_path(path: Parts, other: Parts) -> bool:
    return path == other


def _related_path(path: Parts, other: Parts) -> bool:
    return all(
        one == two or (isinstance(one, str) and isinstance(two, str) and are_related(one, two))
        for one, two in zip(path, other, strict=True)
    )


def _same_content(leaf: Leaf, other: Leaf) -> bool:
    return leaf.content == other.content


def _may_become(leaf: Leaf, other: Leaf) -> bool:
    """Whether a leaf is another spelling of the original one: a scalar for its text, or the one
    member of an enum that the original spells differently."""
    old, new = leaf.value, other.value
    if isinstance(old, str) and not isinstance(new, str | dict | list):
        spelled, value = read_scalar(old)
        return spelled and content_of(value) == other.content
    if not isinstance(new, str) or isinstance(old, dict | list):
        return False
    listed = {member for member in members(other.nodes) if isinstance(member, str)}
    return [member for member in listed if _spells(old, member)] == [new]


def _spells(old: Json, member: str) -> bool:
    """Whether a value spells an enum member: in another case, in quotes, or as its number."""
    if not isinstance(old, str):
        return kind_of(old) in {"integer", "number"} and dump_json(old) == member
    is_same_but_case = old.lower() == member.lower() and old.isascii() == member.isascii()
    return is_same_but_case or _unquoted(old) == member


def _unquoted(text: str) -> Json:
    """What a text in JSON quotes says; the text itself without them."""
    if not (len(text) > 1 and text[0] == text[-1] == '"'):
        return text
    try:
        return parse_json(text)
    except JsonError:
        return text


def _exempt(matching: _Matching, steps: Sequence[Step]) -> None:
    """Set aside what says nothing: dropped empty values and envelope words, where a step names
    the place; and containers of the result that became empty by that."""
    replaced = {leaf.path for leaf in matching.results}
    named = named_keys(steps)
    dropped = [
        leaf
        for leaf in matching.originals
        if _says_nothing(leaf)
        and (not steps or leaf.name in named or _is_named_with(leaf, named))
        and (leaf.idle or leaf.path not in replaced)
    ]
    if not dropped:
        return
    aside = {id(leaf) for leaf in dropped}
    matching.originals = [leaf for leaf in matching.originals if id(leaf) not in aside]
    emptied = {leaf.path[:end] for leaf in dropped for end in range(len(leaf.path) + 1)}
    matching.results = [
        leaf
        for leaf in matching.results
        if leaf.content not in {("object", ""), ("array", "")} or leaf.path not in emptied
    ]


def _is_named_with(leaf: Leaf, named: set[str]) -> bool:
    """Whether an envelope's word, or the nothing in the innermost of some wrappers, goes with one
    of the keys around it."""
    is_in_wrapper = leaf.value == {} and leaf.path[-1:] != leaf.written[-1:]
    return (leaf.idle or is_in_wrapper) and not named.isdisjoint(leaf.written)


def _says_nothing(leaf: Leaf) -> bool:
    return leaf.idle or leaf.value is None or leaf.value in ("", {})


def _is_wrap(rewrite: Rewrite, result: Json) -> bool:
    if rewrite.kind is not Kind.SPELLING or isinstance(rewrite.sent, list):
        return False
    if isinstance(rewrite.sent, str) and isinstance(read_container(rewrite.sent), list):
        return _is_doubled(rewrite, result)
    new = value_at(result, rewrite.path)
    return isinstance(new, list) and len(new) == 1


def _is_doubled(rewrite: Rewrite, result: Json) -> bool:
    """Whether the text of a list was itself put into a list."""
    new = value_at(result, rewrite.path)
    return isinstance(new, list) and len(new) == 1 and is_same(new[0], rewrite.sent)


def _is_split(rewrite: Rewrite, result: Json) -> bool:
    """Whether a text became the list of its parts between commas."""
    if rewrite.kind is not Kind.SPELLING or not isinstance(rewrite.sent, str):
        return False
    parts = parts_between_commas(rewrite.sent)
    return bool(parts) and is_same(value_at(result, rewrite.path), [*parts])


def _has_right_item(wrap: Rewrite, result: Json, licences: Licences) -> bool:
    """Whether the item of a new list is the thing that was sent, in its only reading."""
    sent = wrap.sent
    if sent is None or sent in ("", {}):
        return False
    if not isinstance(sent, str):
        return True
    if isinstance(read_container(sent), dict):
        item = value_at(result, wrap.path)
        while isinstance(item, list) and len(item) == 1:
            item = item[0]
        return isinstance(item, dict)
    is_licensed = Licence.TEXT_FOR_ARRAY in licences and may_be_one_item(sent)
    return is_licensed or has_one_reading(sent)


def _told(leaf: Leaf) -> str:
    if isinstance(leaf.value, str) and len(leaf.value) > _SHOWN:
        shown = dump_json(leaf.value[:_SHOWN]) + "…"
    else:
        shown = clip_json(leaf.value, 2 * _SHOWN) or "a large value"
    return f"{to_pointer(leaf.path[:_SHOWN]) or 'the root'}: {shown}"
