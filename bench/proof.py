"""What the mis-fix check convicts, and what it costs.

- `python bench/proof.py CASES.jsonl [--write docs/proof.md]`: how many wrong changes of foreign
  engines it convicts, without knowing what is right. A change is wrong where the case says that
  the arguments must stay, or should have become another value. The checks are those of a dry run,
  which is never told the expected value.
- `python bench/proof.py --cost LOGS`: the time of a dry run with probes and without, reading the
  logs included, from one run of this process.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from toolfix_audit.audit.arrow import CALLS
from toolfix_audit.audit.dryrun import dry_run
from toolfix_audit.audit.foreign import ForeignError, check_spec
from toolfix_audit.audit.foreign.pool import close_all, engine_info
from toolfix_audit.audit.foreign.spelling import spelled_like
from toolfix_audit.audit.ingest import ingest
from toolfix_audit.audit.kernel import audit_call
from toolfix_audit.audit.request import Request
from toolfix_audit.audit.spec import SchemaSet, Spec, Supplied
from toolfix_audit.engine.answers import given_arguments
from toolfix_audit.model.errors import ConfigError
from toolfix_audit.model.json import Json, dump_json, parse_json, same_json
from toolfix_audit.model.words import MisfixKind, Origin
from toolfix_audit.report.document import render
from toolfix_audit.store.store import Store

ROOT = Path(__file__).resolve().parent.parent
PEERS = ROOT / "build" / "peers-venv" / "bin" / "python"  # where `make peers` installs
BAML_PYTHON = PEERS if PEERS.exists() else sys.executable
BAML = f"command:env PYTHONPATH={ROOT} {BAML_PYTHON} -m bench.adapters.baml_adapter"
ENGINES = {"json_repair": "json_repair", "pydantic": "pydantic", "ajv": "ajv", "baml-py": BAML}
TOOL = "tool"
GOAL_PERCENT = 95
MAX_COST = 2
START, END = "<!-- proof: made by bench/proof.py -->", "<!-- end of proof -->"


@dataclass(slots=True)
class Tally:
    """One engine over all cases."""

    engine: str
    version: str
    cases: int = 0
    changed: int = 0
    wrong: int = 0
    convicted: int = 0
    right: int = 0
    acquitted: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    missed: list[tuple[str, str, str]] = field(default_factory=list)
    accused: list[tuple[str, str]] = field(default_factory=list)


def read_cases(path: Path) -> list[dict[str, Json]]:
    """The cases about arguments; tool names are no business of these engines."""
    lines = path.read_text(encoding="utf-8").split("\n")
    cases = [parse_json(line) for line in lines if line.strip()]
    return [case for case in cases if isinstance(case, dict) and "tool" not in case]


def tally(name: str, engine: str, cases: list[dict[str, Json]]) -> Tally:
    """Run one engine over the cases, as a dry run would.

    Raises:
        ConfigError, ForeignError: the engine can't be started, or gives no answers.
    """
    spec = Spec(engine=engine)
    check_spec(spec)
    found = Tally(name, "")
    for case in cases:
        row = audited(case, spec)
        found.cases += 1
        if row["after"] is None:
            continue
        found.changed += 1
        kinds = {probe["kind"] for probe in row["probes"] if probe["convicted"]}
        if is_wrong(case, row["after"]):
            found.wrong += 1
            found.convicted += bool(kinds)
            found.kinds.update(kinds)
            if not kinds:
                found.missed.append((str(case["id"]), row["before"], row["after"]))
        else:
            found.right += 1
            found.acquitted += not kinds
            if kinds:
                found.accused.append((str(case["id"]), ", ".join(sorted(kinds))))
    told = engine_info(spec, "").version
    found.version = version_of(name) if told == "unknown" else told
    close_all()
    return found


def version_of(package: str) -> str:
    """The version of an engine that does not tell it."""
    script = f"from importlib.metadata import version; print(version({package!r}))"
    command = [str(BAML_PYTHON), "-c", script]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def audited(case: dict[str, Json], spec: Spec) -> Mapping[str, Any]:
    """The dry run of one case: the outcome row of its call."""
    given = given_arguments(case)
    texts = {"schema": dump_json(case["schema"])}
    schemas = SchemaSet(texts, supplied={TOOL: Supplied("schema", Origin.CATALOGUE)})
    call = {
        **dict.fromkeys(CALLS.names),
        "call": str(case["id"]),
        "session": "cases",
        "path": "cases",
        "tool": TOOL,
        "arguments": given if isinstance(given, str) else dump_json(given),
        "form": "text" if isinstance(given, str) else "value",
        "dispatched": False,
        "has_result": False,
    }
    return audit_call(call, schemas, spec)


def is_wrong(case: dict[str, Json], after: str) -> bool:
    """Whether the case says that this is not what should have come out."""
    expected = case["expected"]
    assert isinstance(expected, dict)
    if expected["outcome"] in {"untouched", "unsafe_fix_only"}:
        return True
    made = spelled_like(parse_json(after), expected["value"])
    return not same_json(made, expected["value"])


def page(tallies: list[Tally]) -> Iterator[str]:
    """The tables, as markdown lines."""
    yield "| engine | version | cases | changed | wrong | convicted | right | of these accused |"
    yield "|---|---|---|---|---|---|---|---|"
    for one in tallies:
        yield (
            f"| {one.engine} | {one.version} | {one.cases} | {one.changed} | {one.wrong} "
            f"| {one.convicted} ({percent(one)} %) | {one.right} | {one.right - one.acquitted} |"
        )
    yield ""
    yield "| wrong changes convicted by | " + " | ".join(one.engine for one in tallies) + " |"
    yield "|---|" + "---|" * len(tallies)
    for kind in MisfixKind:
        counts = [one.kinds[kind] for one in tallies]
        if any(counts):
            yield f"| `{kind}` | " + " | ".join(map(str, counts)) + " |"
    yield ""
    for one in tallies:
        for identity, before, after in one.missed:
            shown = f"`{before[:90]}` → `{after[:90]}`"
            yield f"- not convicted: {one.engine}, case {identity}: {shown}"
        for identity, kinds in one.accused:
            yield f"- accused although right: {one.engine}, case {identity}: {kinds}"


def percent(one: Tally) -> int:
    """The convicted share of the wrong changes, rounded down."""
    return 100 * one.convicted // one.wrong if one.wrong else 100


def seconds_of(logs: Path, *, probes: bool) -> float:
    """The time of one dry run over logs, from reading them to the report."""
    start = time.perf_counter()
    with Store.temporary() as store:
        ingest(store, [str(logs)])
        dry_run(store, Request(spec=Spec(probes=probes)), render=render)
    return time.perf_counter() - start


def cost(logs: Path) -> int:
    """Time a dry run without probes, then one with them (none is remembered from before); 1 where
    the ratio is above the limit."""
    plain, probed = seconds_of(logs, probes=False), seconds_of(logs, probes=True)
    print(f"{plain:.1f} s without probes, {probed:.1f} s with: {probed / plain:.2f} times")
    return 0 if probed <= MAX_COST * plain else 1


def main() -> int:
    """Make the tables; 1 where an engine's share is below the goal, 2 where one can't run."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cases", type=Path, help="case file, or logs with --cost")
    parser.add_argument("--cost", action="store_true", help="time dry runs over these logs")
    parser.add_argument("--write", type=Path, help="put the tables into this page")
    parser.add_argument("--engines", default=",".join(ENGINES))
    options = parser.parse_args()
    if options.cost:
        return cost(options.cases)
    cases = read_cases(options.cases)
    try:
        tallies = [tally(name, ENGINES[name], cases) for name in options.engines.split(",")]
    except (ConfigError, ForeignError) as error:
        print(f"error: {error.message}\n  mend: {error.hint}", file=sys.stderr)
        return 2
    text = "\n".join(page(tallies))
    print(text)
    if options.write:
        head, _, rest = options.write.read_text(encoding="utf-8").partition(START)
        tail = rest.partition(END)[2]
        made = f"{head}{START}\n{text}\n{END}{tail}"
        options.write.write_text(made, encoding="utf-8", newline="\n")
    return 0 if all(percent(one) >= GOAL_PERCENT for one in tallies) else 1


if __name__ == "__main__":
    sys.exit(main())
