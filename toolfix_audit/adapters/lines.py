"""The line protocol of an engine, for the Python adapters: a request in, an answer out."""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Callable, Mapping
from importlib.metadata import PackageNotFoundError, version
from types import ModuleType
from typing import Any

Request = Mapping[str, Any]
MISSING_PACKAGE = 69


class Refusal(Exception):  # noqa: N818 — an answer, not a fault
    """The engine says that it leaves these arguments."""


def needed(module: str, install: str) -> ModuleType:
    """Import a package; without it, say on stderr what to install and end the process."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        print(f"{error}\ninstall: {install}", file=sys.stderr)  # noqa: T201 — a process of its own
        raise SystemExit(MISSING_PACKAGE) from None


def text_of(request: Request) -> str:
    """The arguments as recorded text."""
    text = request.get("args_text")
    return text if isinstance(text, str) else json.dumps(request.get("args"), ensure_ascii=False)


def serve(package: str, repair: Callable[[Request], Any]) -> None:
    """Answer every line of stdin until it ends. A refusal, or a fault of the engine, is an answer
    without arguments."""
    try:
        told = version(package)
    except PackageNotFoundError:
        told = "unknown"
    for line in sys.stdin.buffer:
        request = json.loads(line)
        answer = {"id": request.get("id")}
        if request.get("hello"):
            answer.update(name=package, version=told)
        else:
            answer.update(_answer(request, repair))
        sys.stdout.buffer.write(_line(answer))
        sys.stdout.buffer.flush()


def _answer(request: Request, repair: Callable[[Request], Any]) -> dict[str, Any]:
    if "tools" in request:
        return {"refused": "names are none of its business"}
    try:
        return {"arguments": repair(request)}
    except Refusal as refusal:
        return {"refused": str(refusal)[:300]}
    except Exception as error:  # noqa: BLE001 — whatever a foreign engine raises
        return {"error": f"{type(error).__name__}: {error}"[:300]}


def _line(answer: dict[str, Any]) -> bytes:
    try:
        text = json.dumps(answer, ensure_ascii=False, allow_nan=False)
    except (ValueError, TypeError, RecursionError) as error:
        text = json.dumps({"id": answer["id"], "error": f"no JSON: {error}"[:300]})
    return text.encode("utf-8", "backslashreplace") + b"\n"
