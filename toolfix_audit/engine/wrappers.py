"""Wrapper keys: an object in which the real arguments sit one layer too deep."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from toolfix_audit.engine.proposal import Edit, Place
from toolfix_audit.model.json import Json

ARGUMENTS: Final = "arguments"
ALIASES: Final = frozenset(
    {
        "args",
        "parameters",
        "params",
        "input",
        "inputs",
        "kwargs",
        "tool_input",
        "tool_arguments",
        "function_arguments",
        "_",
    }
)
WRAPPERS: Final = ALIASES | {ARGUMENTS}
ENVELOPE_WORDS: Final = frozenset({"valid", "object"})
MAX_LAYERS: Final = 100_000


class TooManyLayersError(Exception):
    """A chain of more than MAX_LAYERS wrappers."""


@dataclass(frozen=True, slots=True)
class Layer:
    """One wrapper to take off: the key that holds the inner value, and what that is."""

    key: str
    inner: Json
    family: str

    def edit(self) -> Edit:
        """The rewrite that takes this layer off."""
        inner = self.inner
        return Edit(self.family, f"unwrap:{self.key}", lambda _outer: inner)


def layers_of(place: Place) -> tuple[Layer, ...]:
    """The layers from the outside in, as far as each is a sole undeclared wrapper key (or the
    envelope) around an object or the text of one; none where an `arguments` at the end of the
    chain holds no object.

    Raises:
        TooManyLayersError: the chain has more than MAX_LAYERS.
    """
    layers: list[Layer] = []
    value = place.value
    if not place.view.admits("object"):
        return ()
    while len(layers) < MAX_LAYERS:
        layer = _outer_layer(place, value)
        if layer is None:
            break
        layers.append(layer)
        value = layer.inner
    if len(layers) == MAX_LAYERS and _outer_layer(place, value) is not None:
        raise TooManyLayersError
    ends_in_object = isinstance(value, dict) and sole_wrapper(place, value) != ARGUMENTS
    return tuple(layers) if ends_in_object else ()


def wrapped_object(place: Place, value: Json) -> dict[str, Json] | None:
    """The object that a wrapper's value is or spells."""
    if isinstance(value, dict):
        return value
    if isinstance(value, str):
        read = place.read_text(value)
        return read if isinstance(read, dict) else None
    return None


def _outer_layer(place: Place, value: Json) -> Layer | None:
    if not isinstance(value, dict):
        return None
    key = sole_wrapper(place, value) or _envelope(place, value)
    if key is None:
        return None
    inner = wrapped_object(place, value[key])
    return None if inner is None else Layer(key, inner, "A" if key == ARGUMENTS else "B")


def sole_wrapper(place: Place, value: dict[str, Json]) -> str | None:
    """The only key of the object, if it is an undeclared wrapper name."""
    if len(value) != 1:
        return None
    (key,) = value
    return key if key in WRAPPERS and not place.view.declares(key) else None


def wrappers_in(place: Place, value: dict[str, Json]) -> Iterator[str]:
    """The undeclared wrapper names among the keys."""
    return (key for key in value if key in WRAPPERS and not place.view.declares(key))


def _envelope(place: Place, value: dict[str, Json]) -> str | None:
    if set(value) != {"type", "value"} or not isinstance(value["type"], str):
        return None
    if value["type"] not in ENVELOPE_WORDS:
        return None
    return None if any(place.view.declares(key) for key in value) else "value"
