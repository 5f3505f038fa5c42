"""Planter of L: the text of all arguments with a blemish that leaves one reading."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Final

from toolfix_audit.audit.inject.subject import Planted, Subject
from toolfix_audit.model.json import Json, dump_json

_JUNK: Final = ("}", "}}", "]", "\n</tool_call>", "<|call|>", ' ""', "\n\nDone.")
_WORDS: Final = {None: "None", True: "True", False: "False"}


def plant_text(subject: Subject, value: dict[str, Json], rng: Random) -> Iterator[Planted]:
    """L: fence, trailing comma, Python literal, raw control characters, junk, twice the same."""
    plain = dump_json(value)
    language = rng.choice(("json", "", "JSON"))
    forms: list[tuple[str, str | None]] = [
        ("fence", f"```{language}\n{plain}\n```"),
        ("trailing comma", with_trailing_comma(value)),
        ("Python literal", python_text(value)),
        ("control characters", with_raw_controls(plain)),
        ("junk", plain + rng.choice(_JUNK)),
        ("same object twice", plain + plain),
        ("twice encoded", dump_json(plain)),
        ("escaped line breaks", f"{{\\n{plain[1:-1]}\\n}}"),
    ]
    for label, text in forms:
        if text is not None and text != plain:
            yield Planted("L", label, (), text, subject.tool)


def with_trailing_comma(value: Json) -> str | None:
    """The JSON text of a container with a comma behind its last member; None for an empty one."""
    text = dump_json(value)
    return f"{text[:-1]},{text[-1]}" if isinstance(value, dict | list) and value else None


def with_raw_controls(text: str) -> str | None:
    """JSON text in which line breaks and tabs of strings stand raw; None if it holds none."""
    parts = text.split("\\\\")
    raw = "\\\\".join(
        part.replace("\\n", "\n").replace("\\t", "\t").replace("\\r", "\r") for part in parts
    )
    return raw if raw != text else None


def python_text(value: Json) -> str:
    """A value as Python prints it."""
    if isinstance(value, dict):
        members = (f"{key!r}: {python_text(member)}" for key, member in value.items())
        return "{" + ", ".join(members) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(python_text, value)) + "]"
    if value is None or isinstance(value, bool):
        return _WORDS[value]
    return repr(value) if isinstance(value, str) else dump_json(value)
