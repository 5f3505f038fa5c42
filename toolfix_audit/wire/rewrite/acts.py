"""What an event does to tool blocks, told alike by every protocol."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from toolfix_audit.model.json import Json
from toolfix_audit.wire.rewrite.block import Block, Role
from toolfix_audit.wire.rewrite.spans import Path
from toolfix_audit.wire.rewrite.tally import Refusal


@dataclass(frozen=True, slots=True)
class Begin:
    """A block begins."""

    block: Block


@dataclass(frozen=True, slots=True)
class Take:
    """Arguments of a block stand in the event. `bare` says that the event is nothing else."""

    block: Block
    role: Role
    path: Path
    value: Json
    bare: bool = False


@dataclass(frozen=True, slots=True)
class End:
    """A block has all its arguments, or was cut."""

    block: Block
    cut: bool = False


@dataclass(frozen=True, slots=True)
class Doubt:
    """The stream is not what its protocol says: nothing more may be rewritten."""

    refusal: Refusal


Act: TypeAlias = Begin | Take | End | Doubt


class Lens(Protocol):
    """Sees the tool blocks in the events of one protocol. It never raises."""

    def look(self, event: dict[str, Json]) -> Iterator[Act]:
        """What an event does; nothing if it is no matter of tool blocks."""
        ...

    def done(self) -> Iterator[Act]:
        """What the end mark of a stream does."""
        ...
