"""Which process a name means: an adapter that ships with the package, or a command of the user's.

`command:…` is split like a shell would split it, and never handed to a shell.
"""

from __future__ import annotations

import shlex
import shutil
import sys
from dataclasses import dataclass
from importlib.resources import files
from typing import Final

from toolfix_audit.audit.foreign.process import Command
from toolfix_audit.model.errors import ConfigError

PREFIX: Final = "command:"
_NODE_MEND: Final = "install Node.js 20 or newer"


@dataclass(frozen=True, slots=True)
class Adapter:
    """A script in `toolfix_audit/adapters`: a Python module, or a Node script (`.mjs`)."""

    name: str
    script: str
    mend: str

    def command(self) -> Command:
        """How it is started.

        Raises:
            ConfigError: it needs Node.js, and there is none.
        """
        if not self.script.endswith(".mjs"):
            module = f"toolfix_audit.adapters.{self.script}"
            argv = (sys.executable, "-P", "-m", module)
            return Command(self.name, argv, self.mend, greets=True)
        node = shutil.which("node")
        if node is None:
            raise ConfigError(f"{self.name} needs Node.js, which is not found", hint=_NODE_MEND)
        script = files("toolfix_audit") / "adapters" / self.script
        return Command(self.name, (node, str(script)), self.mend, greets=True)


ENGINES: Final = (
    Adapter("json_repair", "json_repair_engine", "pip install 'json_repair[schema]'"),
    Adapter("pydantic", "pydantic_engine", "pip install pydantic"),
    Adapter("ajv", "ajv_engine.mjs", "npm install ajv"),
)
"""The engines that can be chosen by name."""

JUDGES: Final = (
    Adapter("dsh", "dsh_judge.mjs", "npm install @deepseek-ai/dsh-tools"),
    Adapter("ajv", "ajv_judge.mjs", "npm install ajv"),
)
"""The judges of other processes that can be chosen by name."""


def command_of(text: str, adapters: tuple[Adapter, ...], *, option: str, also: str = "") -> Command:
    """The command that the value of an option means; `also` lists its other values.

    Raises:
        ConfigError: the name is unknown, or the command can't be read.
    """
    if text.startswith(PREFIX):
        return _own_command(text, option)
    for adapter in adapters:
        if adapter.name == text:
            return adapter.command()
    known = ", ".join([*(also.split()), *(adapter.name for adapter in adapters)])
    raise ConfigError(f"{option}: unknown name {text!r}", hint=f"known: {known}, or {PREFIX}…")


def _own_command(text: str, option: str) -> Command:
    try:
        argv = tuple(shlex.split(text.removeprefix(PREFIX)))
    except ValueError as error:
        raise ConfigError(f"{option}: {text}: {error}", hint="quote it for a shell") from None
    if not argv:
        raise ConfigError(f"{option}: no command behind {PREFIX}", hint=f"{PREFIX}python engine.py")
    return Command(text, argv, "see that the command runs in this folder")
