"""The program as a user runs it: a process with its two outputs, and small logs to read."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

READ: dict[str, Any] = {
    "type": "object",
    "properties": {"path": {"type": "string"}, "limit": {"type": "integer"}},
    "required": ["path"],
    "additionalProperties": False,
}
REJECTED = 'Error: invalid arguments: missing required property "path"'


@dataclass(frozen=True, slots=True)
class Done:
    """How a run ended."""

    code: int
    out: str
    err: str

    @property
    def text(self) -> str:
        """All that it printed."""
        return self.out + self.err

    def json(self) -> Any:
        """Standard output, which must be one JSON document."""
        return json.loads(self.out)


def environment(**changes: str) -> dict[str, str]:
    """The environment without what steers colours, width or the store."""
    dropped = ("NO_COLOR", "FORCE_COLOR", "COLUMNS", "TOOLFIX_AUDIT_DB", "TOOLFIX_AUDIT_DEBUG")
    kept = {name: value for name, value in os.environ.items() if name not in dropped}
    return {**kept, "TERM": "xterm-256color", **changes}


def command(*args: str | Path) -> list[str]:
    """The command line."""
    return [sys.executable, "-m", "toolfix_audit", *map(str, args)]


def run(
    *args: str | Path,
    cwd: Path,
    stdin: str | bytes = b"",
    env: Mapping[str, str] | None = None,
    argv: Sequence[str] | None = None,
) -> Done:
    """Run the program in a folder and wait for it."""
    done = subprocess.run(
        list(argv) if argv else command(*args),
        cwd=cwd,
        input=stdin.encode() if isinstance(stdin, str) else stdin,
        capture_output=True,
        env=environment(**(env or {})),
        timeout=60,
        check=False,
    )
    return Done(done.returncode, done.stdout.decode(), done.stderr.decode())


def limited(folder: Path, blocks: int, *args: str) -> Done:
    """Run with a limit on the size of every file (as a full disk, but for this process only)."""
    shell = shutil.which("sh")
    assert shell
    line = f'ulimit -f {blocks}; exec "$@"'
    return run(argv=[shell, "-c", line, "sh", *command(*args)], cwd=folder)


def interrupted(
    folder: Path, args: Sequence[str], ready: Callable[[subprocess.Popen[bytes]], None]
) -> Done:
    """Start the program, wait until it is `ready`, and interrupt it as Ctrl-C does."""
    process = subprocess.Popen(
        command(*args),
        cwd=folder,
        env=environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    try:
        ready(process)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
    finally:
        process.kill()
    return Done(process.returncode, out.decode(), err.decode())


def call(number: int, arguments: Any, *, tool: str = "read") -> list[dict[str, Any]]:
    """A call of the native format and its result."""
    lead = {"session": "s1", "id": f"c{number}"}
    is_error = isinstance(arguments, dict) and "path" not in arguments
    return [
        {"type": "tool/call", **lead, "tool": tool, "arguments": arguments, "model": "m"},
        {
            "type": "tool/result",
            **lead,
            "is_error": is_error,
            "content": REJECTED if is_error else "",
        },
    ]


def native(*calls: list[dict[str, Any]], schema: Any = READ) -> list[str]:
    """The lines of a native log; without a schema the log has no tool list."""
    rows: list[dict[str, Any]] = [{"type": "session", "session": "s1", "harness": "native"}]
    if schema is not None:
        tools = [{"name": "read", "input_schema": schema}]
        rows.append({"type": "tools", "session": "s1", "tools": tools})
    rows.extend(row for pair in calls for row in pair)
    return [json.dumps(row) for row in rows]


def write(path: Path, lines: Sequence[str]) -> Path:
    """Put lines into a file."""
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


GOOD = native(
    call(1, {"path": "a.md"}),
    call(2, {"arguments": {"path": "b.md"}}),
    call(3, {"arguments": {"arguments": {"path": "c.md", "limit": 5}}}),
    call(4, {}),
)
