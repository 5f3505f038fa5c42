"""Repairs many fixed calls twice each and prints everything that came of them, one line a call."""

from __future__ import annotations

import random
import sys

from toolfix_audit.engine import ALL, FAMILIES, SAFE, repair
from toolfix_audit.model.json import Json, dump_json

KEYS = (
    "path", "file_path", "filePath", "paths", "name", "skill_name", "newText", "old_string",
    "new_text", "old_text", "arguments", "args", "cmd", "command", "queries", "a.b", "list[0].x",
)  # fmt: skip
VALUES: tuple[Json, ...] = (
    "x", "5", "true", "[1]", '{"path":"y"}', "null", "FAST", "", None, {}, [], 1, 2.5, True,
    {"path": "a"}, {"arguments": {"path": "a"}}, "a,b", "'x'",
)  # fmt: skip
KINDS: tuple[dict[str, Json], ...] = (
    {"type": "string"}, {"type": "integer"}, {"type": "boolean"}, {"type": ["integer", "null"]},
    {"type": "array", "items": {"type": "string"}}, {"type": "array", "items": {"type": "integer"}},
    {"enum": ["fast", "slow"]}, {"type": "object"},
    {"anyOf": [{"type": "integer"}, {"type": "array"}]},
)  # fmt: skip


def calls() -> list[tuple[Json, dict[str, Json]]]:
    """The calls: the worked examples of the families, and random ones of a fixed seed."""
    found: list[tuple[Json, dict[str, Json]]] = [
        (case.before, case.schema)
        for family in FAMILIES
        for case in family.cases
        if isinstance(case.schema, dict)
    ]
    rng = random.Random(7)
    for _ in range(150):
        names = rng.sample(KEYS, 4)
        schema: dict[str, Json] = {
            "type": "object",
            "properties": {name: rng.choice(KINDS) for name in names},
            "required": list(names[:2]),
            "additionalProperties": rng.random() < 0.3,
        }
        arguments: Json = {key: rng.choice(VALUES) for key in rng.sample(KEYS, rng.randint(1, 4))}
        found.append((arguments, schema))
    return found


def told(arguments: Json, schema: Json, families: frozenset[str]) -> str:
    """All that a repair says, as one line."""
    done = repair(arguments, schema, families=families)
    steps = [
        f"{step.family} {step.action} {step.pointer} {dump_json(step.after)}" for step in done.steps
    ]
    violations = [f"{one.path} {one.keyword} {one.message}" for one in done.violations_after]
    outcome = f"{done.outcome} {done.reason} {done.opt_in}"
    return f"{outcome} {dump_json(done.arguments)} {steps} {violations}"


def main() -> None:
    """Print the calls' repairs; fail where a second run differs."""
    for arguments, schema in calls():
        for families in (SAFE, ALL):
            line = told(arguments, schema, families)
            if told(arguments, schema, families) != line:
                sys.exit("a second run differs")
            sys.stdout.write(line.encode("unicode_escape").decode() + "\n")


if __name__ == "__main__":
    main()
