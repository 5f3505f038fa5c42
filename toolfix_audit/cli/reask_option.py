"""`--reask NAME=VALUE`: the re-ask policy that a dry run simulates."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from toolfix_audit.model.errors import ConfigError

if TYPE_CHECKING:
    from toolfix_audit.engine.reask import Policy

ReaskOptions = Annotated[
    list[str] | None,
    typer.Option(
        "--reask",
        metavar="NAME=VALUE",
        help="How the simulated re-ask policy differs: max_characters=2000, "
        "openers='<tool_call>,<function=', max_in_a_row=2.",
    ),
]


def read_reask(options: Sequence[str] | None) -> Policy:
    """The default policy with what the options change; words of a list stand between commas.

    Raises:
        ConfigError: a name is unknown, or a value is none of its kind.
    """
    from toolfix_audit.engine.reask import DEFAULT  # noqa: PLC0415

    changes: dict[str, Any] = {}
    for option in options or ():
        name, mark, value = option.partition("=")
        reader = _READERS.get(name.strip())
        if reader is None or not mark:
            raise _unknown(option, name.strip())
        try:
            changes[name.strip()] = reader(value)
        except ValueError:
            raise ConfigError(f"--reask: {option!r} has no such value", hint=_KINDS) from None
    return replace(DEFAULT, **changes)


def _words(text: str) -> tuple[str, ...]:
    return tuple(word for word in text.split(",") if word)


def _count(text: str) -> int:
    number = int(text)
    if number < 0:
        raise ValueError(text)
    return number


def _switch(text: str) -> bool:
    if text.lower() not in ("true", "false"):
        raise ValueError(text)
    return text.lower() == "true"


def _unknown(option: str, name: str) -> ConfigError:
    near = get_close_matches(name, _READERS, n=1)
    meant = f"; did you mean {near[0]}?" if near else ""
    return ConfigError(f"--reask: unknown {option!r}{meant}", hint=f"known: {', '.join(_READERS)}")


_KINDS: Final = "numbers are not negative, may_hold_code is true or false"
_READERS: Final[Mapping[str, Callable[[str], object]]] = {
    "finish_reasons": lambda text: frozenset(_words(text)),
    "max_characters": _count,
    "openers": _words,
    "closers": _words,
    "code_fences": _words,
    "may_hold_code": _switch,
    "max_in_a_row": _count,
}
