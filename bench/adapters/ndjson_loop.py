"""The line protocol of the Python peers: a request in, an answer out, until the input ends.

Runs in the peers' own environment, so it imports nothing of this project. A request is
`{"id","schema","args"|"args_text"}`; an answer is `{"id","arguments","ns"}`, or
`{"id","refused","ns"}` where the peer says by its documented means that the call can't be made
legal, or `{"id","unusable"}` where it can't take the schema or breaks. `ns` is the time of one
repair.
"""

from __future__ import annotations

import json
import re
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass

Request = dict[str, object]
Repair = Callable[[], object]

ROUNDS = 20
ROUND_NS = 1_000_000


class Refused(Exception):  # noqa: N818  # an answer, not a fault
    """The peer says that these arguments can't be made legal."""


class Unusable(Exception):  # noqa: N818  # an answer, not a fault
    """The peer can't take this schema."""


@dataclass(frozen=True)
class Named:
    """A repaired call: for engines that resolve the tool's name, too."""

    tool: object
    arguments: object


def value_of(request: Request) -> object:
    """The arguments as a host would hand them over after its own JSON parser.

    Raises:
        Refused: the recorded text is not JSON, so such a host never calls the peer.
    """
    if "args" in request:
        return request["args"]
    try:
        return json.loads(str(request["args_text"]))
    except ValueError as error:
        raise Refused(f"not JSON: {error}") from error


def text_of(request: Request) -> str:
    """The arguments as recorded text."""
    if "args_text" in request:
        return str(request["args_text"])
    return json.dumps(request["args"], ensure_ascii=False)


def serve(
    prepare: Callable[[Request], Repair],
    *,
    loads: Callable[[str], object] = json.loads,
    dumps: Callable[[object], str] | None = None,
) -> None:
    """Answer every line of standard input. `prepare` does what a host does once per schema and
    returns the repair of the one call, which alone is timed."""
    write = dumps or _strict
    for line in sys.stdin:
        try:
            request = loads(line)
        except RecursionError:
            request = None
        if isinstance(request, dict):
            answer = {"id": request["id"], **_answer(request, prepare)}
        else:
            answer = {"id": _identity(line), "unusable": "nested too deeply for json.loads"}
        sys.stdout.write(write(answer) + "\n")
        sys.stdout.flush()


def _answer(request: Request, prepare: Callable[[Request], Repair]) -> dict[str, object]:
    try:
        repair = prepare(request)
        try:
            value = repair()
        except Refused as refusal:
            return {"refused": str(refusal)[:200], "ns": _nanoseconds(_quiet(repair))}
        spent = _nanoseconds(repair)
    except Refused as refusal:
        return {"refused": str(refusal)[:200]}
    except Unusable as limit:
        return {"unusable": str(limit)[:200]}
    except (Exception, RecursionError) as error:  # noqa: BLE001  # a peer may raise anything
        return {"unusable": f"{type(error).__name__}: {error}"[:200]}
    if isinstance(value, Named):
        return {"arguments": value.arguments, "tool": value.tool, "ns": spent}
    return {"arguments": value, "ns": spent}


def _quiet(repair: Repair) -> Repair:
    def run() -> None:
        try:
            repair()
        except Refused:
            return

    return run


def _nanoseconds(repair: Repair) -> float:
    """Time of one repair: the best of many short rounds, some of which run undisturbed."""
    count, best = 1, float("inf")
    for _ in range(ROUNDS):
        while True:
            start = time.perf_counter_ns()
            for _ in range(count):
                repair()
            spent = time.perf_counter_ns() - start
            if spent >= ROUND_NS or count >= 1_000_000:
                break
            count *= 4
        best = min(best, spent / count)
    return best


def _identity(line: str) -> str | None:
    found = re.search(r'"id":"([^"]+)"', line)
    return found.group(1) if found else None


def _strict(answer: object) -> str:
    try:
        return json.dumps(answer, allow_nan=False)
    except ValueError:
        assert isinstance(answer, dict)
        return json.dumps({**answer, "arguments": "a value that JSON can't hold"})
