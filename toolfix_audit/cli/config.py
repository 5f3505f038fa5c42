"""The gate's policies as a user gives them: a file, the environment, the command line."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any

from toolfix_audit.model.errors import ConfigError

if TYPE_CHECKING:
    from toolfix_audit.audit.policy import Policy

ENVIRONMENT = "TOOLFIX_AUDIT_GATE_"
_FILES = ("toolfix-audit.toml", "pyproject.toml")
_KEYS = ("gate",)


def read_policy(options: Sequence[str] | None, folder: Path | None = None) -> Policy:
    """The policies of the nearest file at or above `folder` (default: the current one), then those
    of the environment, then those of `--policy NAME=VALUE`; a later one wins over an earlier.

    Raises:
        ConfigError: a file can't be read, or a name or value is wrong; the place is named.
    """
    from toolfix_audit.audit.policy import Policy, read_limit  # noqa: PLC0415

    policy = Policy()
    for where, given in (
        _from_file(folder or Path.cwd()),
        ("the environment", _from_environment()),
        ("--policy", _from_options(options or ())),
    ):
        limits = {name: read_limit(name, value, where) for name, value in given.items()}
        policy = policy.under(Policy(limits))
    return policy


def _from_file(folder: Path) -> tuple[str, Mapping[str, object]]:
    """The first file on the way up that has our table, and its gate's members."""
    for place in (folder, *folder.parents):
        for name in _FILES:
            path = place / name
            table = _table(path) if path.is_file() else None
            if table is not None:
                return str(path), _gate_of(path, table)
    return "", {}


def _table(path: Path) -> Mapping[str, Any] | None:
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise ConfigError(f"{path}: {why}", hint="mend the file, or move it away") from error
    if path.name == _FILES[0]:
        return document
    tools = document.get("tool")
    table = tools.get("toolfix-audit") if isinstance(tools, dict) else None
    return table if isinstance(table, dict) else None


def _gate_of(path: Path, table: Mapping[str, Any]) -> Mapping[str, object]:
    for key in table:
        if key not in _KEYS:
            near = get_close_matches(key, _KEYS, n=1)
            hint = f"did you mean {near[0]}?" if near else f"known tables: {', '.join(_KEYS)}"
            raise ConfigError(f"{path}: unknown key {key!r}", hint=hint)
    gate = table.get("gate", {})
    if not isinstance(gate, dict):
        raise ConfigError(f"{path}: gate is no table", hint="for example: [gate]")
    return gate


def _from_environment() -> dict[str, str]:
    return {
        name.removeprefix(ENVIRONMENT).lower(): value
        for name, value in sorted(os.environ.items())
        if name.startswith(ENVIRONMENT)
    }


def _from_options(options: Sequence[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for option in options:
        name, equals, value = option.partition("=")
        if not equals:
            raise ConfigError(
                f"--policy {option!r} is not NAME=VALUE", hint="for example: still_failing=0"
            )
        found[name.strip().replace("-", "_")] = value.strip()
    return found
