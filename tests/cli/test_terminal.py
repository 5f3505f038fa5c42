"""Manners in a terminal: colour, width, completion, help that teaches, a clean Ctrl-C."""

from __future__ import annotations

import json
import os
import pty
import re
import subprocess
import time
from pathlib import Path

import duckdb
import pytest
from rich.cells import cell_len

from .running import GOOD, call, command, environment, interrupted, native, run, write

LISTED = run("--help", cwd=Path.cwd()).out.partition("Commands:")[2]
COMMANDS = tuple(re.findall(r"^  ([a-z]+)  ", LISTED, re.MULTILINE))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a log."""
    write(tmp_path / "good.jsonl", GOOD)
    return tmp_path


def on_a_terminal(folder: Path, *args: str, columns: int, **env: str) -> str:
    """What the program prints where its output is a terminal of so many columns."""
    master, slave = pty.openpty()
    pty_size = f'stty cols {columns} rows 40 < /dev/stdin; exec "$@"'
    process = subprocess.Popen(
        ["sh", "-c", pty_size, "sh", *command(*args)],
        cwd=folder,
        env=environment(**env),
        stdin=slave,
        stdout=slave,
        stderr=subprocess.DEVNULL,
    )
    os.close(slave)
    found = b""
    while True:
        try:
            part = os.read(master, 65_536)
        except OSError:
            break
        if not part:
            break
        found += part
    process.wait(timeout=60)
    os.close(master)
    return found.decode()


def test_a_terminal_gets_colours_and_its_own_width(folder: Path) -> None:
    shown = on_a_terminal(folder, "dryrun", "good.jsonl", columns=72)
    assert "\x1b[" in shown
    *lines, _verdict = re.sub(r"\x1b\[[0-9;]*m", "", shown).replace("\r", "").splitlines()
    assert lines
    assert max(cell_len(line) for line in lines) <= 72


def test_no_color_wins_over_the_terminal_and_over_force_color(folder: Path) -> None:
    for env in ({"NO_COLOR": "1"}, {"NO_COLOR": "1", "FORCE_COLOR": "1"}):
        assert "\x1b[" not in on_a_terminal(folder, "dryrun", "good.jsonl", columns=90, **env)


def test_a_pipe_gets_no_colour_unless_it_is_forced(folder: Path) -> None:
    assert "\x1b" not in run("dryrun", "good.jsonl", cwd=folder).text
    forced = run("dryrun", "good.jsonl", cwd=folder, env={"FORCE_COLOR": "1"})
    assert "\x1b[" in forced.out
    assert "\x1b" not in forced.err
    for name in ("json", "markdown", "html"):
        done = run("dryrun", "good.jsonl", "--report", f"{name}=-", cwd=folder,
                   env={"FORCE_COLOR": "1"})  # fmt: skip
        assert "\x1b" not in done.text


@pytest.mark.parametrize("name", COMMANDS)
def test_every_help_teaches_by_an_example(folder: Path, name: str) -> None:
    done = run(name, "--help", cwd=folder)
    assert done.code == 0
    assert f"Example: toolfix-audit {name}" in " ".join(done.out.split())


@pytest.mark.parametrize(
    ("words", "offered"),
    [("toolfix-audit dr", "dryrun"), ("toolfix-audit dryrun --b", "--by")],
)
def test_the_shell_completes_commands_and_options(folder: Path, words: str, offered: str) -> None:
    env = {
        "_TOOLFIX_AUDIT_COMPLETE": "complete_bash",
        "COMP_WORDS": words,
        "COMP_CWORD": str(len(words.split()) - 1),
    }
    done = run(argv=_installed(), cwd=folder, env=env)
    assert offered in done.out.split()


def test_the_completion_is_shown(folder: Path) -> None:
    done = run(argv=[*_installed(), "--show-completion", "bash"], cwd=folder)
    assert "_TOOLFIX_AUDIT_COMPLETE=complete_bash" in done.out


def _installed() -> list[str]:
    """The program under its own name, by which shells complete it."""
    return [str(Path(command()[0]).with_name("toolfix-audit"))]


def test_ctrl_c_leaves_the_store_as_it_was(folder: Path) -> None:
    assert run("dryrun", "good.jsonl", "--db", "a.duckdb", cwd=folder).code == 0
    text = "x" * 400
    for number in range(8):
        lines = native(*(call(one, {"path": f"{number}{one}{text}"}) for one in range(4_000)))
        write(
            folder / f"big{number}.jsonl", [line.replace('"s1"', f'"b{number}"') for line in lines]
        )

    def ready(_process: subprocess.Popen[bytes]) -> None:
        for _ in range(600):
            if (folder / "a.duckdb.wal").exists():
                return
            time.sleep(0.05)

    names = [f"big{number}.jsonl" for number in range(8)]
    done = interrupted(folder, ["ingest", *names, "--jobs", "1", "--db", "a.duckdb"], ready)
    assert done.code == 130, done.err
    assert "interrupted" in done.err
    assert "Traceback" not in done.err
    with duckdb.connect(folder / "a.duckdb") as store:
        counts = store.execute("SELECT count(*) FROM calls GROUP BY source").fetchall()
    assert {count for (count,) in counts} <= {4, 4_000}
    again = run("ingest", *names, "--jobs", "1", "--db", "a.duckdb", cwd=folder)
    assert again.code == 0, again.err
    done = run("dryrun", "--db", "a.duckdb", "--report", "json=-", cwd=folder)
    assert done.json()["corpus"]["calls"] == 32_004
    assert json.loads(done.out)["outcomes"]["fixed"] == 2
