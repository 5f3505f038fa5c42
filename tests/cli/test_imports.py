"""What a process has loaded: help stays light, and the engine stays free of the store."""

from __future__ import annotations

import subprocess
import sys

import pytest

LOADED = """
import sys
{action}
print("\\n".join(sorted(sys.modules)), file=sys.stderr)
"""
CALL = """
from toolfix_audit.cli.app import app
try:
    app({args!r})
except SystemExit:
    pass
"""


def loaded(action: str) -> set[str]:
    """The top-level names of the modules that are loaded after an action."""
    done = subprocess.run(
        [sys.executable, "-c", LOADED.format(action=action)],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    return {name.partition(".")[0] for name in done.stderr.split()}


COMMANDS = (
    "dryrun", "ingest", "gate", "inject", "export", "show", "query", "repair", "replay", "family",
    "formats", "schemas", "test",
)  # fmt: skip


@pytest.mark.parametrize(
    "args", [["--version"], ["--help"], [], *([name, "--help"] for name in COMMANDS)], ids=" ".join
)
def test_help_loads_nothing_heavy(args: list[str]) -> None:
    heavy = {"duckdb", "pyarrow", "jsonschema", "jsonschema_rs", "jinja2", "regex", "zstandard"}
    assert loaded(CALL.format(args=args)) & heavy == set()


@pytest.mark.parametrize(
    "module", ["toolfix_audit", "toolfix_audit.engine", "toolfix_audit.wire", "toolfix_audit.model"]
)
def test_the_pure_layers_load_no_store_terminal_or_template(module: str) -> None:
    done = loaded(f"import {module}")
    assert done & {"duckdb", "pyarrow", "typer", "rich", "jinja2", "zstandard"} == set()


def test_the_package_itself_loads_nothing() -> None:
    action = (
        "import toolfix_audit\n"
        "assert not [name for name in sys.modules if name.startswith('toolfix_audit.')]"
    )
    assert "jsonschema" not in loaded(action)


def test_repair_needs_no_store() -> None:
    action = (
        "from toolfix_audit.engine import repair\n"
        "from toolfix_audit.engine.answers import answer\n"
        "answer(repair('{}', {}))"
    )
    assert loaded(action) & {"duckdb", "pyarrow", "typer", "rich", "jinja2"} == set()
