"""A foreign process that behaves as its first argument says, for the tests; run as a script.

As a judge or an engine it answers honestly except for requests that hold the word `trigger`.
"""

# ruff: noqa: T201  # a process of its own, whose streams are its words

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

Request = dict[str, Any]


def honest(request: Request) -> dict[str, Any]:
    """What an engine and a judge in one would say: `5` for `"5"` where only an integer is legal,
    and no violations."""
    if "args_text" in request:
        try:
            arguments = json.loads(request["args_text"])
        except ValueError:
            return {"arguments": request["args_text"]}
    else:
        arguments = request.get("args")
    declared = (request.get("schema") or {}).get("properties", {}).get("limit")
    is_integer = declared == {"type": "integer"}
    if isinstance(arguments, dict) and arguments.get("limit") == "5" and is_integer:
        arguments = {**arguments, "limit": 5}
    return {"arguments": arguments, "violations": []}


def say(identity: object, told: dict[str, Any]) -> None:
    print(json.dumps({"id": identity, **told}), flush=True)


def hang(request: Request) -> None:
    del request
    time.sleep(600)


def hang_with_child(request: Request) -> None:
    with subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"]) as child:
        Path(sys.argv[2]).write_text(str(child.pid), encoding="utf-8")
        hang(request)


def die(request: Request) -> None:
    print("out of luck", file=sys.stderr)
    sys.exit(3)


def garbage(request: Request) -> None:
    print('{"id":', "<html>\x1b[31m not me", flush=True)


def other_id(request: Request) -> None:
    say("r999", honest(request))


def plain_text(request: Request) -> None:
    say(request["id"], {"arguments": "none of your business"})


def listed(request: Request) -> None:
    print(json.dumps([request["id"]]), flush=True)


def own_error(request: Request) -> None:
    say(request["id"], {"error": "not my kind of schema"})


def echo(request: Request) -> None:
    print(json.dumps(request), flush=True)


def empty(request: Request) -> None:
    say(request["id"], {})


def noisy(request: Request) -> None:
    for number in range(20):
        print(f"thinking… {number}")
    say("r0", {"arguments": {}})
    say(request["id"], honest(request))


def twice(request: Request) -> None:
    say(request["id"], honest(request))
    say(request["id"], {"arguments": {"late": True}})


def endless_line(request: Request) -> None:
    while True:
        sys.stdout.write("x" * 65536)


def endless_lines(request: Request) -> None:
    while True:
        print("again and again")


def flood(request: Request) -> None:
    sys.stderr.write("complaint " * 400_000)
    say(request["id"], honest(request))


def last_one(request: Request) -> None:
    say(request["id"], honest(request))
    sys.exit(0)


MODES: dict[str, Callable[[Request], None]] = {
    mode.__name__: mode
    for mode in (
        hang,
        hang_with_child,
        die,
        garbage,
        other_id,
        plain_text,
        listed,
        own_error,
        echo,
        empty,
        noisy,
        twice,
        endless_line,
        endless_lines,
        flood,
        last_one,
    )
}


def main() -> None:
    mode = sys.argv[1]
    if mode == "die_at_once":
        print("no such luck", file=sys.stderr)
        sys.exit(1)
    if mode == "deaf":
        time.sleep(600)
    for line in sys.stdin:
        request = json.loads(line)
        if mode != "honest" and (mode.endswith("!") or "trigger" in line):
            MODES[mode.removesuffix("!")](request)
        else:
            say(request["id"], honest(request))


if __name__ == "__main__":
    main()
