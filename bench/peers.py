"""This project's engine beside the peers that install from PyPI and npm, over the same cases.

Makes throw-away environments under build/, asks every engine about every case, and prints the
comparison, or writes it as a page.

Usage: python bench/peers.py [--write docs/comparison.md] [--only NAME]... [--no-install]
"""

from __future__ import annotations

import argparse
import os
import platform
import sys
from datetime import UTC, datetime
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench.comparison.case_files import Asked, read_cases
from bench.comparison.engines import ENGINES, Engine
from bench.comparison.environments import (
    ADAPTERS,
    ROOT,
    PeerMissingError,
    ask,
    install,
    installed_version,
)
from bench.comparison.page import Measured, Missing, Run, page
from bench.comparison.scoring import Answer, Numbers, score

VALID = """{"id":"speed-valid","schema":{"type":"object","properties":{"path":{"type":"string"},\
"limit":{"type":"integer"},"recursive":{"type":"boolean"}},"required":["path"],\
"additionalProperties":false},"args":{"path":"src/main.py","limit":20,"recursive":true}}"""
DEFECT = """{"id":"speed-defect","schema":{"type":"object","properties":{"range":{"type":"array",\
"items":{"type":"integer"}}},"required":["range"]},"args":{"range":"[1, 50]"}}"""
EXAMPLES = ADAPTERS / "documented.jsonl"


def case_paths() -> tuple[Path, ...]:
    """The case files: those from public reports, if at hand, and the families' own."""
    shared = Path(os.environ.get("TOOLFIX_SHARED") or ROOT.parent / "shared")
    reports = shared / "cases" / "args.jsonl"
    vectors = sorted((ROOT / "corpora" / "vectors").glob("*.jsonl"))
    return (*([reports] if reports.is_file() else []), *vectors)


def measure(
    engine: Engine, cases: tuple[Asked, ...], examples: tuple[Asked, ...], *, may_install: bool
) -> Measured | Missing:
    """Ask one engine about everything; or why it can't be asked."""
    requests = {one.case.identity: one.request for one in (*cases, *examples)}
    try:
        if may_install:
            install(engine)
        version = installed_version(engine)
        answers = ask(engine, {**requests, "speed-valid": VALID, "speed-defect": DEFECT})
    except PeerMissingError as reason:
        return Missing(engine, str(reason))
    is_ours = engine is ENGINES[0]
    return Measured(
        engine,
        version,
        score([one.case for one in cases], answers, engine.numbers, takes_names=is_ours),
        score([one.case for one in examples], answers, Numbers.DOUBLE),
        answers,
        _rate(answers.get("speed-valid")),
        _rate(answers.get("speed-defect")),
    )


def _rate(answer: Answer | None) -> float | None:
    return 1e9 / answer.nanoseconds if answer and answer.nanoseconds else None


def _machine() -> str:
    system, cores = f"{platform.system()} {platform.machine()}", os.cpu_count()
    return f"{system}, {cores} cores, Python {platform.python_version()}"


def main() -> None:
    """Measure, print or write."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--write", type=Path, metavar="FILE", help="write the page here")
    parser.add_argument("--only", action="append", metavar="NAME", help="these engines, and ours")
    parser.add_argument(
        "--no-install", action="store_true", help="use the environments as they are"
    )
    given = parser.parse_args()
    paths = case_paths()
    cases = tuple(one for path in paths for one in read_cases(path))
    examples = read_cases(EXAMPLES)
    chosen = [
        one for one in ENGINES if not given.only or one is ENGINES[0] or one.name in given.only
    ]
    results = []
    for engine in chosen:
        print(f"{engine.name} …", file=sys.stderr, flush=True)
        results.append(measure(engine, cases, examples, may_install=not given.no_install))
    day = datetime.now(UTC).date().isoformat()
    text = page(Run(day, _machine(), paths, cases, examples, tuple(results)))
    if given.write:
        given.write.write_text(text, encoding="utf-8")
        print(f"written: {given.write}", file=sys.stderr)
    else:
        print(text)


if __name__ == "__main__":
    main()
