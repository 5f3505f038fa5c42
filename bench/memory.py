"""Peak memory of a dry run on a generated log of 100 MB and on one of 200 MB.

Prints both and their ratio, which tells whether memory grows with the log. Each run is a process
of its own; the peak is what the system says of it afterwards (`ru_maxrss`, kB on Linux).

Usage: python bench/memory.py [MB ...]
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

TOOLS = [
    {
        "name": "read",
        "input_schema": {
            "type": "object",
            "properties": {"path": {"type": "string"}, "limit": {"type": "integer"}},
            "required": ["path"],
        },
    }
]


def rows(size: int) -> Iterator[str]:
    """Native log lines of about `size` bytes in sum; one call in a hundred is wrapped."""
    chance = random.Random(1)
    written = 0
    session = 0
    while written < size:
        session += 1
        name = f"s{session}"
        lines = [
            {"type": "session", "session": name},
            {"type": "tools", "session": name, "tools": TOOLS},
        ]
        for number in range(500):
            arguments = {"path": f"src/{chance.randrange(10**6)}.py", "limit": number}
            sent = {"arguments": arguments} if number % 100 == 7 else arguments
            call = {"session": name, "id": f"c{number}", "tool": "read"}
            lines.append({"type": "tool/call", **call, "arguments": json.dumps(sent)})
            content = "x" * chance.randrange(80, 4000)
            lines.append({"type": "tool/result", **call, "is_error": False, "content": content})
        for line in lines:
            text = json.dumps(line) + "\n"
            written += len(text)
            yield text


def peak_of(log: Path, folder: Path) -> tuple[float, float]:
    """Peak memory in MB and seconds of one dry run."""
    command = [sys.executable, "-m", "toolfix_audit", "dryrun", str(log)]
    command += [
        "--report",
        f"json={folder / 'report.json'}",
        "--report",
        f"text={folder / 'report.txt'}",
    ]
    start = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if os.waitstatus_to_exitcode(status):
        raise SystemExit(f"the dry run failed: {status}")
    return usage.ru_maxrss / 1024, time.monotonic() - start


def main() -> None:
    """Measure each size and print one line each, then the ratio of the last to the first."""
    sizes = [int(word) for word in sys.argv[1:]] or [100, 200]
    peaks = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for size in sizes:
            log = folder / f"{size}.jsonl"
            with log.open("w", encoding="utf-8") as out:
                out.writelines(rows(size * 1_000_000))
            peak, seconds = peak_of(log, folder)
            peaks.append(peak)
            print(f"{size} MB log: peak {peak:.0f} MB, {seconds:.1f} s")
            log.unlink()
    print(f"ratio of peaks: {peaks[-1] / peaks[0]:.3f}")


if __name__ == "__main__":
    main()
