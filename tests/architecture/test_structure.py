"""The shape of the code: sizes, layers, registries."""

from __future__ import annotations

import ast
import importlib
import pkgutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

import toolfix_audit
from toolfix_audit import engine, logs, report
from toolfix_audit.engine import families
from toolfix_audit.engine.proposal import Family

PACKAGE = Path(toolfix_audit.__file__).parent
ROOT = PACKAGE.parent
FILES = sorted(PACKAGE.rglob("*.py"))
NAMES = [str(path.relative_to(PACKAGE)) for path in FILES]

MAX_FILE = 400
MAX_FUNCTION = 40
FORBIDDEN_NAMES = {"utils", "helpers", "common", "util", "helper", "misc"}


@pytest.mark.parametrize("path", FILES, ids=NAMES)
def test_files_and_functions_are_short(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= MAX_FILE
    long = [
        f"{node.name}: {_length(node)}"
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and _length(node) > MAX_FUNCTION
    ]
    assert long == []


def _length(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    return (node.end_lineno or node.lineno) - node.lineno + 1


def test_no_module_is_a_drawer_for_everything() -> None:
    assert [path for path in FILES if path.stem in FORBIDDEN_NAMES] == []


def test_every_module_says_what_it_is() -> None:
    silent = [
        name
        for name, path in zip(NAMES, FILES, strict=True)
        if not ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
    ]
    assert silent == []


def _imports(path: Path) -> Iterator[str]:
    """The absolute names of the modules that a file imports, anywhere in it."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{path}: a relative import"
            yield node.module or ""


def test_only_the_command_line_prints_exits_and_reads_the_environment() -> None:
    seen: list[tuple[str, str]] = []
    for name, path in zip(NAMES, FILES, strict=True):
        if name.startswith(("cli/", "adapters/")) or name == "__main__.py":
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                seen.extend(
                    (name, node.func.id) for word in ("print", "exit") if node.func.id == word
                )
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                place = f"{node.value.id}.{node.attr}"
                if place in {"os.environ", "os.getenv", "sys.exit", "sys.stdout", "sys.argv"}:
                    seen.append((name, place))
    assert seen == []


def test_below_the_audit_there_is_no_clock_and_no_chance() -> None:
    clocks = {"time", "random", "secrets", "datetime", "logging"}
    timed = "engine/judges/patterns.py"  # a pattern that takes too long is stopped
    wrong = [
        (name, module)
        for name, path in zip(NAMES, FILES, strict=True)
        if name.startswith(("model/", "engine/", "wire/")) and name != timed
        for module in _imports(path)
        if module.partition(".")[0] in clocks
    ]
    assert wrong == []


def test_adapters_are_imported_by_nothing() -> None:
    wrong = [
        (name, module)
        for name, path in zip(NAMES, FILES, strict=True)
        if not name.startswith("adapters/")
        for module in _imports(path)
        if module.startswith("toolfix_audit.adapters")
    ]
    assert wrong == []


def test_the_layers_hold() -> None:
    program = Path(sys.executable).with_name("lint-imports")
    done = subprocess.run(
        [str(program), "--no-cache"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert " 0 broken" in done.stdout


def test_every_module_can_be_imported() -> None:
    for found in pkgutil.walk_packages([str(PACKAGE)], "toolfix_audit."):
        if found.name.startswith("toolfix_audit.adapters.") or found.name.endswith("__main__"):
            continue
        importlib.import_module(found.name)


def _modules(package: ModuleType) -> dict[str, ModuleType]:
    assert package.__file__
    return {
        path.stem: importlib.import_module(f"{package.__name__}.{path.stem}")
        for path in sorted(Path(package.__file__).parent.glob("*.py"))
        if path.stem != "__init__"
    }


def test_every_family_file_is_in_the_registry() -> None:
    for name, module in _modules(families).items():
        assert isinstance(module.FAMILY, Family), name
        assert module.FAMILY in engine.FAMILIES, name


def test_every_reader_file_is_in_the_registry() -> None:
    readers = importlib.import_module(f"{logs.__name__}.readers")
    for name, module in _modules(readers).items():
        assert module.READER in readers.READERS, name


def test_every_emitter_is_in_the_registry() -> None:
    folder = Path(report.__file__).parent
    emitters = {
        path.stem if path.stem != "__init__" else path.parent.name
        for path in [*folder.glob("*.py"), *folder.glob("*/__init__.py")]
        if path.parent != folder or path.stem != "__init__"
        if "EMITTER" in set(_assigned(path))
    }
    assert len(emitters) == len(report.EMITTERS)
    assert len({emitter.name for emitter in report.EMITTERS}) == len(report.EMITTERS)


def _assigned(path: Path) -> Iterator[str]:
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign):
            yield from (target.id for target in node.targets if isinstance(target, ast.Name))
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            yield node.target.id
