"""The adapters that ship with the package, with the real packages behind them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from importlib.resources import files
from pathlib import Path

import pytest

import toolfix_audit
from toolfix_audit.audit.foreign import ForeignError, engine_of
from toolfix_audit.audit.foreign.commands import ENGINES, JUDGES, command_of
from toolfix_audit.audit.foreign.pool import check_spec, engine_info
from toolfix_audit.audit.spec import Spec
from toolfix_audit.model.errors import ConfigError
from toolfix_audit.model.json import Json

from .conftest import missing, need_module

SCHEMA: Json = {
    "type": "object",
    "properties": {
        "path": {"type": "string"},
        "limit": {"type": "integer"},
        "mode": {"enum": ["fast", "slow"]},
        "tags": {"type": "array", "items": {"type": "string"}},
        "note": {"anyOf": [{"type": "string"}, {"type": "null"}]},
        "place": {"$ref": "#/$defs/place"},
        "more": {"type": "object"},
    },
    "required": ["path"],
    "$defs": {
        "place": {
            "type": "object",
            "properties": {"line": {"type": "integer"}, "in": {"$ref": "#/$defs/place"}},
        }
    },
}
FULL: Json = {
    "path": "a",
    "limit": 5,
    "mode": "fast",
    "tags": ["x"],
    "note": None,
    "place": {"line": 1, "in": {"line": 2}},
    "more": {"k": [1, 2.5]},
    "extra": True,
}
NAMES = [adapter.name for adapter in ENGINES]


@pytest.fixture
def engine(request: pytest.FixtureRequest) -> str:
    """The name of an engine whose packages are there."""
    name = str(request.param)
    if name == "ajv":
        request.getfixturevalue("node_path")
    else:
        need_module(name)
    return name


@pytest.mark.parametrize("engine", NAMES, indirect=True)
def test_valid_arguments_come_back(engine: str) -> None:
    foreign = engine_of(Spec(engine=engine))
    assert foreign is not None
    assert foreign.repair(FULL, SCHEMA).outcome == "valid"
    assert foreign.repair('{"path": "a", "limit": 1.0}', SCHEMA).outcome == "valid"
    assert foreign.repair({}, {"type": "object"}).outcome == "valid"
    assert not foreign.process.failures


@pytest.mark.parametrize("engine", NAMES, indirect=True)
def test_a_number_in_quotes_is_repaired(engine: str) -> None:
    foreign = engine_of(Spec(engine=engine))
    assert foreign is not None
    done = foreign.repair('{"path":"a","limit":"5"}', SCHEMA)
    assert done.arguments == {"path": "a", "limit": 5}
    assert [step.family for step in done.steps] == ["F"]
    assert engine_info(Spec(engine=engine), "").version[0].isdigit()


@pytest.mark.parametrize("engine", NAMES, indirect=True)
def test_what_it_can_not_repair_is_left(engine: str) -> None:
    foreign = engine_of(Spec(engine=engine))
    assert foreign is not None
    hopeless: list[Json] = [{"path": ["x", {}]}, {"path": "a", "limit": "many"}, {"limit": 5}]
    for arguments in hopeless:
        assert foreign.repair(arguments, SCHEMA).outcome == "untouched"
    assert foreign.meant("Read", {}, {"read": SCHEMA}) is None


def test_cut_text_is_closed_by_json_repair() -> None:
    need_module("json_repair")
    foreign = engine_of(Spec(engine="json_repair"))
    assert foreign is not None
    assert foreign.repair('{"path": "a', SCHEMA).outcome == "fixed"


def test_every_adapter_is_a_file_that_ships() -> None:
    folder = Path(toolfix_audit.__file__).parent / "adapters"
    for adapter in (*ENGINES, *JUDGES):
        name = adapter.script if adapter.script.endswith(".mjs") else f"{adapter.script}.py"
        assert (folder / name).is_file()
    project = Path(toolfix_audit.__file__).parent.parent / "pyproject.toml"
    assert '"adapters/*.mjs"' in project.read_text(encoding="utf-8")


def test_nothing_imports_the_adapters() -> None:
    folder = Path(toolfix_audit.__file__).parent
    for path in folder.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        assert path.parent.name == "adapters" or "import toolfix_audit.adapters" not in text
        assert path.parent.name == "adapters" or "from toolfix_audit.adapters" not in text


@pytest.mark.parametrize("name", ["ajv", "dsh"])
def test_a_missing_npm_package_is_one_line_with_its_mend(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if shutil.which("node") is None:
        missing("Node.js")
    monkeypatch.setenv("TOOLFIX_AUDIT_NODE_PATH", str(tmp_path))
    with pytest.raises(ForeignError, match=r"npm package .* is not found") as raised:
        check_spec(Spec(judge=name))
    assert "npm install " in (raised.value.hint or "")
    assert "\n" not in raised.value.message


def test_without_node_the_mend_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(ConfigError, match=r"needs Node\.js") as raised:
        command_of("ajv", JUDGES, option="--judge")
    assert raised.value.hint == "install Node.js 20 or newer"


def test_a_missing_python_package_is_one_line_with_its_mend(tmp_path: Path) -> None:
    blocker = tmp_path / "sitecustomize.py"
    blocker.write_text("import sys\nsys.modules['json_repair'] = None\n", encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-P", "-m", "toolfix_audit.adapters.json_repair_engine"],
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
    )
    assert done.returncode == 69
    assert done.stderr.splitlines()[-1] == "install: pip install 'json_repair[schema]'"
    assert len(done.stderr.splitlines()) == 2


def test_a_python_package_in_the_current_folder_is_not_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    need_module("json_repair")
    (tmp_path / "json_repair.py").write_text("raise SystemExit('fooled')\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    check_spec(Spec(engine="json_repair"))
    assert str(files("toolfix_audit"))
