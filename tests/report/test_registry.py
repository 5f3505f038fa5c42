"""The registry of emitters, and what the layer may not reach for."""

from __future__ import annotations

import importlib
import pkgutil
import subprocess
import sys
from pathlib import Path

import pytest

from toolfix_audit import report as package
from toolfix_audit.model.report import Report
from toolfix_audit.report import EMITTERS, Emitter

from .samples import EMPTY, FAILING, TYPICAL, hostile

ROOT = Path(__file__).resolve().parents[2]

PARTS = {
    "commands",
    "diff",
    "emitter",
    "explanation",
    "facts",
    "family_page",
    "finding_tables",
    "group_tables",
    "json_fields",
    "load",
    "load_findings",
    "pretty",
    "redact",
    "tables",
    "vectors",
    "visible",
    "wording",
}
"""Modules that are no emitter."""


def test_every_emitter_module_is_registered() -> None:
    modules = {module.name for module in pkgutil.iter_modules(package.__path__)}
    found = [
        importlib.import_module(f"{package.__name__}.{name}").EMITTER for name in modules - PARTS
    ]
    assert sorted(found, key=_name) == sorted(EMITTERS, key=_name)


def _name(emitter: Emitter) -> str:
    return emitter.name


def test_names_and_suffixes_are_unique() -> None:
    assert len({emitter.name for emitter in EMITTERS}) == len(EMITTERS)
    assert len({emitter.suffix for emitter in EMITTERS}) == len(EMITTERS)
    assert all(emitter.summary for emitter in EMITTERS)


@pytest.mark.parametrize("emitter", EMITTERS, ids=_name)
@pytest.mark.parametrize("report", [EMPTY, TYPICAL, FAILING, hostile()], ids=["e", "t", "f", "h"])
def test_every_format_is_utf8_ends_with_a_line_feed_and_is_stable(
    emitter: Emitter, report: Report
) -> None:
    rendered = emitter.render(report)
    assert rendered.encode().decode() == rendered
    assert rendered.endswith("\n")
    assert emitter.render(report) == rendered


def test_neither_store_nor_environment_is_reached() -> None:
    code = (
        "import os, sys\n"
        "import toolfix_audit.report as report\n"
        "os.environ.clear()\n"
        "from tests.report.samples import TYPICAL\n"
        "wide = {e.name: e.render(TYPICAL) for e in report.EMITTERS}\n"
        "os.environ.update(COLUMNS='40', FORCE_COLOR='1', TERM='dumb', LINES='3')\n"
        "assert wide == {e.name: e.render(TYPICAL) for e in report.EMITTERS}\n"
        "assert not {'duckdb', 'pyarrow', 'typer'} & set(sys.modules)\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT)
