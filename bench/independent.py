"""This project's readers beside those of others, over the same real logs: who counts how many
calls, and why they differ.

Installs the packages into throw-away environments under build/, asks each about every file of
its format, and prints a table in Markdown.

Usage: python bench/independent.py [FOLDER] [--only TEXT]... [--files] [--no-install]
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench.counting.registry import READERS, Home, OtherReader
from toolfix_audit.logs.detect import detect
from toolfix_audit.logs.sources import find_logs
from toolfix_audit.model.records import Call

ROOT: Final = Path(__file__).resolve().parents[1]
SCRIPTS: Final = ROOT / "bench" / "counting"
VENV: Final = ROOT / "build" / "readers-venv"
NODE: Final = ROOT / "build" / "readers-node"
HEAD: Final = (
    "| format | read by | files | refused | its calls | ours there | ours in refused | files that "
    "differ | why |\n|---|---|---|---|---|---|---|---|---|"
)


@dataclass(frozen=True, slots=True)
class Ours:
    """What this project reads in a file."""

    format: str
    calls: int


@dataclass(frozen=True, slots=True)
class Theirs:
    """What another reader counts in a file, or why it refuses it."""

    calls: int | None
    refused: str = ""


def count_ours(folders: Sequence[str]) -> dict[Path, Ours]:
    """Read every log below the folders."""
    counts: dict[Path, Ours] = {}
    for file in find_logs(folders):
        reader = detect(file).reader
        if reader is not None:
            records = [record for unit in reader.read(file) for record in unit.records]
            calls = sum(isinstance(record, Call) for record in records)
            counts[file.path] = Ours(reader.name, calls)
    return counts


def install(reader: OtherReader) -> None:
    """Put its packages into the environment of their home, at their pinned versions.

    Raises:
        subprocess.CalledProcessError: they can't be installed here.
    """
    if reader.home is Home.NPM:
        NODE.mkdir(parents=True, exist_ok=True)
        flags = ("--prefix", str(NODE), "--no-fund", "--no-audit", "--ignore-scripts")
        _run(("npm", "install", *flags, *reader.packages))
        return
    if not VENV.exists():
        _run((sys.executable, "-m", "venv", str(VENV)))
    quiet = ("-q", "--disable-pip-version-check")
    anyway = ("--ignore-requires-python",) if reader.asks_too_much else ()
    pip = (str(VENV / "bin" / "python"), "-m", "pip", "install")
    _run((*pip, *quiet, *anyway, *reader.packages))


def ask(reader: OtherReader, paths: Sequence[Path]) -> dict[Path, Theirs]:
    """What it counts in each file.

    Raises:
        subprocess.CalledProcessError: its process failed as a whole.
    """
    script, *arguments = reader.counter
    command: tuple[str, ...] = ("node", str(SCRIPTS / script), *arguments)
    if reader.home is Home.PYPI:
        command = (str(VENV / "bin" / "python"), str(SCRIPTS / "with_packages.py"), *reader.counter)
    told = _run(command, "".join(f"{path}\n" for path in paths))
    rows = [json.loads(line) for line in told.splitlines()]
    return {
        Path(row["path"]): Theirs(row.get("calls"), str(row.get("refused", ""))) for row in rows
    }


def table_row(reader: OtherReader, ours: Mapping[Path, Ours], theirs: Mapping[Path, Theirs]) -> str:
    """One line of the table."""
    read = {path: told.calls for path, told in theirs.items() if told.calls is not None}
    differ = [path for path, calls in read.items() if calls != ours[path].calls]
    refused = [path for path in theirs if path not in read]
    reasons = dict.fromkeys(_why(reader, path) for path in differ)
    if refused:
        reasons[reader.refuses] = None
    cells = (
        reader.label,
        " + ".join(package.replace("==", " ") for package in reader.packages),
        len(theirs),
        len(refused),
        sum(read.values()),
        sum(ours[path].calls for path in read),
        sum(ours[path].calls for path in refused),
        len(differ),
        "; ".join(reasons),
    )
    return "| " + " | ".join(str(cell) for cell in cells) + " |"


def file_rows(
    reader: OtherReader, ours: Mapping[Path, Ours], theirs: Mapping[Path, Theirs]
) -> list[str]:
    """A line for every file that is refused or counted otherwise."""
    lines = []
    for path, told in theirs.items():
        if told.calls != ours[path].calls:
            said = told.refused or f"{told.calls} calls"
            lines.append(f"{reader.label}, {path.name}: {said}; ours {ours[path].calls}")
    return lines


def _why(reader: OtherReader, path: Path) -> str:
    found = (why for end, why in reader.differs.items() if path.name.endswith(end))
    return next(found, "not explained")


def _run(command: Sequence[str], given: str | None = None) -> str:
    done = subprocess.run(
        command,
        input=given,
        capture_output=True,
        text=True,
        encoding="utf-8",
        env={**os.environ, "READERS_NODE": str(NODE)},
        timeout=900,
        check=False,
    )
    if done.returncode:
        print(done.stderr[-2000:], file=sys.stderr)
        done.check_returncode()
    return done.stdout


def main() -> None:
    """Install, ask, and print."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    shared = Path(os.environ.get("TOOLFIX_SHARED") or ROOT.parent / "shared")
    parser.add_argument("folder", nargs="?", type=Path, default=shared / "corpora")
    parser.add_argument("--only", action="append", metavar="TEXT", help="formats with this in them")
    parser.add_argument("--files", action="store_true", help="list the files that differ, too")
    parser.add_argument(
        "--no-install", action="store_true", help="use the environments as they are"
    )
    given = parser.parse_args()
    ours = count_ours([str(given.folder)])
    lines: list[str] = []
    print(HEAD)
    for reader in READERS:
        if given.only and not any(text.lower() in reader.label.lower() for text in given.only):
            continue
        if not given.no_install:
            install(reader)
        paths = [path for path, found in ours.items() if found.format in reader.formats]
        theirs = ask(reader, paths)
        print(table_row(reader, ours, theirs), flush=True)
        lines += file_rows(reader, ours, theirs)
    if given.files:
        print("\n" + "\n".join(lines))


if __name__ == "__main__":
    main()
