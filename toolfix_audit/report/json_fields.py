"""Readers of JSON values that name the place of what is wrong, and those of whole records.

A reader is a function from a node, a value and where it stands, to what it holds; it raises
`FaultError` where the value is something else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields
from typing import Final, TypeVar

from toolfix_audit.model.json import Json, RepeatedKeys, kind_of
from toolfix_audit.report.visible import shown

T = TypeVar("T")

_EXIT_CODES: Final = (0, 1, 2, 3, 4, 130)


class FaultError(Exception):
    """What is wrong, and where."""


@dataclass(frozen=True, slots=True)
class Node:
    """A value of the file and where it stands."""

    value: Json
    where: str

    def fault(self, wanted: str) -> FaultError:
        """The error that says what was expected here."""
        return FaultError(f"{self.where or 'the report'}: expected {wanted}")

    def members(self) -> dict[str, Json]:
        """The members of an object.

        Raises:
            FaultError: it is none, or has a key twice.
        """
        if not isinstance(self.value, dict):
            raise self.fault(f"an object, found {kind_of(self.value)}")
        if isinstance(self.value, RepeatedKeys):
            raise self.fault("every key once")
        return self.value

    def at(self, key: str) -> Node:
        """The member of that key."""
        return Node(self.members()[key], f"{self.where}/{shown(key, 60)}")


Reader = Callable[[Node], object]


def read_text(node: Node) -> str:
    """A string."""
    if not isinstance(node.value, str):
        raise node.fault(f"a string, found {kind_of(node.value)}")
    return node.value


def read_count(node: Node) -> int:
    """A whole number that is not negative."""
    if isinstance(node.value, bool) or not isinstance(node.value, int) or node.value < 0:
        raise node.fault(f"a whole number from 0, found {kind_of(node.value)}")
    return node.value


def read_flag(node: Node) -> bool:
    """True or false."""
    if not isinstance(node.value, bool):
        raise node.fault(f"true or false, found {kind_of(node.value)}")
    return node.value


def read_exit_code(node: Node) -> int:
    """An exit code of the program."""
    code = read_count(node)
    if code not in _EXIT_CODES:
        raise node.fault("an exit code: 0, 1, 2, 3, 4 or 130")
    return code


def read_json(node: Node) -> Json:
    """Any value, as it is."""
    return node.value


def or_null(read: Callable[[Node], T]) -> Callable[[Node], T | None]:
    """A reader of the same or null."""
    return lambda node: None if node.value is None else read(node)


def one_of(words: Iterable[str]) -> Callable[[Node], str]:
    """A reader of one of the words."""

    known = tuple(str(word) for word in words)

    def read(node: Node) -> str:
        if read_text(node) not in known:
            raise node.fault(f"one of {', '.join(known)}")
        return read_text(node)

    return read


def many(read: Callable[[Node], T]) -> Callable[[Node], tuple[T, ...]]:
    """A reader of an array of the same."""

    def read_all(node: Node) -> tuple[T, ...]:
        if not isinstance(node.value, list):
            raise node.fault(f"an array, found {kind_of(node.value)}")
        return tuple(
            read(Node(member, f"{node.where}/{index}")) for index, member in enumerate(node.value)
        )

    return read_all


def mapping(
    read: Callable[[Node], T], words: Iterable[str] | None = None
) -> Callable[[Node], Mapping[str, T]]:
    """A reader of an object whose members are alike, and its keys among `words` if given."""
    known = None if words is None else tuple(str(word) for word in words)

    def read_all(node: Node) -> Mapping[str, T]:
        for key in node.members():
            if known is not None and key not in known:
                raise node.at(key).fault(f"one of the keys {', '.join(known)}")
        return {key: read(node.at(key)) for key in node.members()}

    return read_all


@dataclass(frozen=True, slots=True)
class Later:
    """The reader of a member that earlier reports lack, and for which the record has a default."""

    read: Reader

    def __call__(self, node: Node) -> object:
        """What the member holds."""
        return self.read(node)


def record_of(make: Callable[..., T], **readers: Reader) -> Callable[[Node], T]:
    """A reader of one closed object; every key is needed but the `Later` ones, and no other is
    allowed."""

    def read(node: Node) -> T:
        members = node.members()
        for key, reader in readers.items():
            if key not in members and not isinstance(reader, Later):
                raise node.fault(f"the key {key}")
        for key in members:
            if key not in readers:
                raise node.at(key).fault("no such key")
        return make(**{key: readers[key](node.at(key)) for key in members})

    return read


def counts_of(names: type) -> dict[str, Reader]:
    """A counting reader for every field of a record."""
    return {entry.name: read_count for entry in fields(names)}
