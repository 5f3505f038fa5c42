"""What reading logs into the store costs, beside nothing but parsing the same lines.

For each size a corpus is made (native lines: calls, half of them with their arguments as JSON
text, one in a hundred wrapped; results of 80 to 6,000 characters, some as block lists; files
of 25 MB), then timed in turn, each in a process of its own: `orjson.loads` of every line, `ingest`
into a new store, and `dryrun` (which ingests first). CPU seconds tell what the clock hides on a
busy machine. Peaks are the high-water marks of the process itself and of the sum of its children.

Usage: python bench/ingest.py [--check] [--no-dryrun] [--rounds N] [MB ...]
(default: 200 MB; --check: exit 1 if a target is missed)
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

FILE_BYTES: Final = 25_000_000
SESSION_CALLS: Final = 500
INGEST_TARGET: Final = 4.0
DRYRUN_TARGET: Final = 6.0
MEMORY_TARGET: Final = 400.0
TOOLS: Final = [
    {
        "name": "read",
        "input_schema": {
            "type": "object",
            "properties": {
                "path": {"type": "string"},
                "limit": {"type": "integer"},
                "recursive": {"type": "boolean"},
            },
            "required": ["path"],
            "additionalProperties": False,
        },
    }
]
BARE: Final = """
import sys, time, orjson
start, used = time.perf_counter(), time.process_time()
for name in sys.argv[1:]:
    with open(name, "rb") as log:
        for line in log:
            orjson.loads(line)
print(time.perf_counter() - start, time.process_time() - used)
"""


@dataclass(frozen=True, slots=True)
class Cost:
    """Seconds by the clock and of processors, and MB of the process itself and of its children."""

    seconds: float
    processors: float
    parent: float
    children: float


class Words:
    """Texts of any length, cut from one long text of made-up words and numbers."""

    def __init__(self, chance: random.Random) -> None:
        letters = "etaoinshrdlu"
        vocabulary = [
            "".join(chance.choices(letters, k=chance.randrange(2, 11))) for _ in range(20_000)
        ]
        words = [
            str(chance.randrange(10**6)) if chance.random() < 0.1 else chance.choice(vocabulary)
            for _ in range(800_000)
        ]
        for place in range(0, len(words), 12):
            words[place] += "\n"
        self._text = " ".join(words)
        self._chance = chance

    def text(self, length: int) -> str:
        """That many characters from somewhere."""
        start = self._chance.randrange(len(self._text) - length)
        return self._text[start : start + length]


def log_lines(size: int, words: Words, chance: random.Random, name: str) -> Iterator[bytes]:
    """Native lines of about `size` bytes in sum."""
    written = session = 0
    while written < size:
        session += 1
        for row in session_rows(f"{name}-{session}", words, chance):
            line = json.dumps(row, separators=(",", ":")).encode() + b"\n"
            written += len(line)
            yield line


def session_rows(session: str, words: Words, chance: random.Random) -> Iterator[dict[str, object]]:
    """The rows of one session."""
    yield {"type": "session", "session": session, "harness": "bench"}
    yield {"type": "tools", "session": session, "tools": TOOLS}
    for number in range(SESSION_CALLS):
        path = f"src/{words.text(40)}/{chance.randrange(10**6)}.py"
        arguments: object = {"path": path, "limit": number, "recursive": number % 3 == 0}
        if number % 100 == 7:
            arguments = {"arguments": arguments}
        if number % 2:
            arguments = json.dumps(arguments)
        lead = {"session": session, "id": f"call_{chance.getrandbits(96):024x}"}
        yield {
            "type": "tool/call",
            **lead,
            "tool": "read",
            "arguments": arguments,
            "model": "some-model-4",
            "provider": "someone",
            "time": f"2026-11-30T10:{number // 60 % 60:02}:{number % 60:02}Z",
        }
        text = words.text(int(chance.triangular(80, 6000, 80)))
        content = [{"type": "text", "text": text}] if number % 5 == 0 else text
        yield {"type": "tool/result", **lead, "is_error": False, "content": content}


def make_corpus(folder: Path, megabytes: int, *, file_bytes: int = FILE_BYTES) -> list[Path]:
    """Write the files of a corpus, and give their paths."""
    chance = random.Random(megabytes)
    words = Words(chance)
    paths = []
    for number in range(max(megabytes * 1_000_000 // file_bytes, 1)):
        path = folder / f"{number:04}.jsonl"
        with path.open("wb") as log:
            log.writelines(log_lines(file_bytes, words, chance, f"s{number}"))
        paths.append(path)
    return paths


def bare_cost(paths: list[Path]) -> Cost:
    """What parsing alone takes."""
    command = [sys.executable, "-c", BARE, *map(str, paths)]
    said = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    return Cost(float(said[0]), float(said[1]), 0, 0)


def cost_of(*words: str | Path) -> Cost:
    """Run the program and watch it.

    Raises:
        SystemExit: it failed.
    """
    command = [sys.executable, "-m", "toolfix_audit", *map(str, words)]
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": ""}  # as installed: compiled once
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, env=environment)
    parent = children = 0.0
    ended = 0
    while not ended:
        parent = max(parent, peak_memory(process.pid))
        below = [peak_memory(child) for child in children_of(process.pid)]
        children = max(children, sum(below))
        time.sleep(0.02)
        ended, status, usage = os.wait4(process.pid, os.WNOHANG)
    seconds = time.perf_counter() - start
    if os.waitstatus_to_exitcode(status):
        raise SystemExit(f"{words[0]} ended with {os.waitstatus_to_exitcode(status)}")
    return Cost(seconds, usage.ru_utime + usage.ru_stime, parent, children)


def peak_memory(process: int) -> float:
    """The most memory that a process has held so far, in MB; 0 for one that is gone."""
    try:
        status = Path(f"/proc/{process}/status").read_text(encoding="ascii")
    except OSError:
        return 0.0
    peaks = [line for line in status.splitlines() if line.startswith("VmHWM")]
    return int(peaks[0].split()[1]) / 1000 if peaks else 0.0


def children_of(process: int) -> list[int]:
    """The processes that a process has started."""
    try:
        task = Path(f"/proc/{process}/task/{process}/children")
        return [int(word) for word in task.read_text(encoding="ascii").split()]
    except OSError:
        return []


def measure(folder: Path, megabytes: int, rounds: int, *, with_dryrun: bool) -> bool:
    """Print what one size costs; whether every target is met."""
    paths = make_corpus(folder, megabytes)
    size = sum(path.stat().st_size for path in paths) / 1e6
    bare, ingests, dryruns = [], [], []
    for number in range(rounds):
        store = folder / f"{number}.duckdb"
        bare.append(bare_cost(paths))
        ingests.append(cost_of("ingest", *paths, "--db", store))
        store_size = store.stat().st_size / 1e6
        store.unlink()
        if with_dryrun:
            report = f"json={folder / 'report.json'}"
            dryruns.append(cost_of("dryrun", *paths, "--report", report))
    floor = min(cost.seconds for cost in bare)
    print(f"{size:.0f} MB in {len(paths)} files: orjson {floor:.2f} s ({size / floor:.0f} MB/s)")
    print(f"  store: {store_size:.0f} MB")
    met = tell("ingest", ingests, bare, INGEST_TARGET)
    if with_dryrun:
        met = tell("ingest and dryrun", dryruns, bare, DRYRUN_TARGET) and met
    return met


def tell(name: str, costs: list[Cost], bare: list[Cost], target: float) -> bool:
    """Print one line of figures; whether its targets are met."""
    floor = min(cost.seconds for cost in bare)
    least = min(cost.processors for cost in bare)
    best = min(cost.seconds for cost in costs)
    used = min(cost.processors for cost in costs)
    parent = max(cost.parent for cost in costs)
    children = max(cost.children for cost in costs)
    print(
        f"  {name}: {best:.2f} s = {best / floor:.1f} x orjson (target {target:.0f}), "
        f"CPU {used:.2f} s = {used / least:.1f} x, "
        f"peak {parent:.0f} MB, its children {children:.0f} MB",
        flush=True,
    )
    return best / floor <= target and parent <= MEMORY_TARGET


def main() -> int:
    """Measure each size."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sizes", nargs="*", type=int, metavar="MB", default=[200])
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--no-dryrun", action="store_true")
    options = parser.parse_args()
    met = True
    for megabytes in options.sizes:
        with tempfile.TemporaryDirectory(prefix="bench-ingest-") as name:
            with_dryrun = not options.no_dryrun
            met = measure(Path(name), megabytes, options.rounds, with_dryrun=with_dryrun) and met
    return 0 if met or not options.check else 1


if __name__ == "__main__":
    sys.exit(main())
