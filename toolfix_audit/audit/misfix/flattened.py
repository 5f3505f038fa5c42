"""Keys that spell a path, such as `rows[0].name`, and the containers that they spell together."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from toolfix_audit.audit.misfix.schema_nodes import Nodes, declares
from toolfix_audit.model.json import Json, RepeatedKeys

Parts: TypeAlias = tuple[str | int, ...]

MAX_PARTS: Final = 60
"""A longer path is taken for no container."""

_PATH_KEY: Final = re.compile(r"[^.\[\]]+(?:\.[^.\[\]]+|\[[0-9]{1,4}\])+")
_PATH_PART: Final = re.compile(r"\[([0-9]+)\]|([^.\[\]]+)")
_BARRED: Final = frozenset({"__proto__", "constructor", "prototype"})


def path_parts(key: str, nodes: Nodes) -> Parts | None:
    """The parts of an undeclared key that spells a path below a declared one, else None."""
    if not _PATH_KEY.fullmatch(key) or declares(nodes, key):
        return None
    parts: list[str | int] = [
        match.group(2) if match.group(1) is None else int(match.group(1))
        for match in _PATH_PART.finditer(key)
    ]
    head = parts[0]
    if not isinstance(head, str) or not declares(nodes, head) or _BARRED.intersection(parts):
        return None
    return tuple(parts)


def unflattened(value: dict[str, Json], nodes: Nodes) -> dict[str, Json] | None:
    """An object with its path keys turned into the containers that they spell; None where it has
    none, or where they don't fit together."""
    paths = {key: parts for key in value if (parts := path_parts(key, nodes)) is not None}
    if not paths or isinstance(value, RepeatedKeys):
        return None
    root = _Branch()
    for key, parts in paths.items():
        if len(parts) > MAX_PARTS or parts[0] in value or not root.put(parts, value[key]):
            return None
    try:
        made = root.folded()
    except KeyError:
        return None
    assert isinstance(made, dict)  # noqa: S101 — the first part of a path is a key
    return {**{key: member for key, member in value.items() if key not in paths}, **made}


@dataclass(slots=True)
class _Branch:
    """A container that is being put together."""

    members: dict[str | int, _Branch | Json] = field(default_factory=dict)

    def put(self, parts: Parts, value: Json) -> bool:
        """Put a value at a path; False where something else is there."""
        branch = self
        for part in parts[:-1]:
            below = branch.members.setdefault(part, _Branch())
            if not isinstance(below, _Branch):
                return False
            branch = below
        return branch.members.setdefault(parts[-1], value) is value

    def folded(self) -> Json:
        """The object or list. Raises KeyError for indexes with a gap, or beside keys."""
        made = {
            part: member.folded() if isinstance(member, _Branch) else member
            for part, member in self.members.items()
        }
        indexes = {part for part in made if isinstance(part, int)}
        if not indexes:
            return {str(part): member for part, member in made.items()}
        if indexes != set(range(len(made))):
            raise KeyError(min(indexes))
        return [made[index] for index in range(len(made))]
