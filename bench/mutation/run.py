"""Changes the engine and the mis-fix check a bit at a time, and says which changes no test noticed.

mutmut does the work, in a copy of the tree under build/; setup.cfg beside this file says what is
changed and which tests run. A run may be ended and taken up again with --go-on.

Usage: python bench/mutation/run.py [--every 3] [--only families] [--go-on]
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
BUILD = ROOT / "build" / "mutation"
TREE, TOOL = BUILD / "tree", BUILD / "tool"
MUTMUT = "mutmut==3.8.1"
UNTRIED = "not checked"
NOTICED = frozenset({"killed", "timeout", "caught by type check", "segfault"})


def prepare() -> None:
    """Install mutmut and copy what git knows of the tree, both under build/."""
    install = (sys.executable, "-m", "pip", "install", "-q", "--disable-pip-version-check")
    subprocess.run((*install, "--upgrade", "--target", str(TOOL), MUTMUT), check=True)
    shutil.rmtree(TREE, ignore_errors=True)
    listed = subprocess.run(("git", "ls-files", "-z"), cwd=ROOT, capture_output=True, check=True)
    for name in listed.stdout.decode().split("\0"):
        if (ROOT / name).is_file():
            (TREE / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, TREE / name)
    shutil.copy(HERE / "setup.cfg", TREE)


def mutmut(*arguments: str) -> str:
    """What mutmut prints, run in the copy; how it ends says only that something survived."""
    shared = os.environ.get("TOOLFIX_SHARED") or str(ROOT.parent / "shared")
    paths = os.pathsep.join((str(TOOL), str(HERE)))
    environment = {**os.environ, "PYTHONPATH": paths, "TOOLFIX_SHARED": shared}
    command = (sys.executable, "-m", "mutmut", *arguments)
    done = subprocess.run(
        command, cwd=TREE, env=environment, stdout=subprocess.PIPE, text=True, check=False
    )
    return done.stdout


def verdicts() -> Iterator[tuple[str, str]]:
    """Every mutant, with what became of it."""
    for line in mutmut("results", "--all", "true").splitlines():
        name, mark, verdict = line.strip().rpartition(": ")
        if mark:
            yield name, verdict


def main() -> None:
    """Try every n-th mutant that was not tried, then print the survivors and the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--every", type=int, default=1, help="try only every n-th mutant")
    parser.add_argument("--only", default="", help="a part of the names of those to try")
    parser.add_argument("--go-on", action="store_true", help="keep the copy and what was tried")
    given = parser.parse_args()
    if not given.go_on:
        prepare()
        mutmut("run", "--max-children", "1", "*a_nested_wrapper.x_propose__mutmut_1")
    sample = [one for one in verdicts() if given.only in one[0]][:: given.every]
    todo = [name for name, verdict in sample if verdict == UNTRIED]
    if todo:
        mutmut("run", "--max-children", str(os.cpu_count() or 1), *todo)
    tried = [one for one in verdicts() if one[1] != UNTRIED]
    for name, verdict in tried:
        if verdict not in NOTICED:
            print(mutmut("show", name))
    print(len(tried), "tried:", dict(Counter(verdict for _, verdict in tried)))


if __name__ == "__main__":
    main()
