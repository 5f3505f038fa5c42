"""The tools of MCP servers, asked from the servers themselves over stdio.

Only what the user names is started, nothing that a log says. One time limit covers a server from
its start to the last page of its tools.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Final

from toolfix_audit.audit.foreign.child import Child, NoLineError
from toolfix_audit.logs.tool_shapes import tools_sent
from toolfix_audit.model.errors import SchemaFileError, ToolfixError
from toolfix_audit.model.json import Json, JsonError, dump_json, parse_json
from toolfix_audit.model.records import ToolDefinition

SECONDS: Final = 30.0
"""So long may one server take for everything."""

PROTOCOL: Final = "2025-06-18"
_MAX_PAGES: Final = 1_000
_NO_METHOD: Final[Json] = {"code": -32601, "message": "Method not found"}
_VARIABLE: Final = re.compile(r"\$\{(\w+)(?::-([^}]*))?\}")
_UNNAMEABLE: Final = re.compile(r"[^A-Za-z0-9_-]")


class McpServerError(ToolfixError):
    """A server can't be started, ends, stays silent, or answers with an error."""


@dataclass(frozen=True, slots=True)
class McpServer:
    """One server of an `.mcp.json`: what starts it, with which environment and where. `address`
    is set for a server that is reached over a network; such a one is never asked."""

    name: str
    argv: tuple[str, ...]
    environment: Mapping[str, str]
    folder: str | None = None
    address: str | None = None


def read_servers(path: Path, environment: Mapping[str, str]) -> tuple[McpServer, ...]:
    """The servers of an `.mcp.json` (`mcpServers`, or `servers` as editors call it).

    `${NAME}` and `${NAME:-default}` in its texts stand for `environment`.

    Raises:
        SchemaFileError: the file can't be read, is no JSON, or names no server.
    """
    try:
        document = parse_json(path.read_text("utf-8-sig"))
    except (OSError, UnicodeDecodeError, JsonError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise SchemaFileError(f"{path}: {reason}", hint="give an .mcp.json file") from error
    listed: Json = None
    if isinstance(document, dict):
        listed = document.get("mcpServers", document.get("servers"))
    if not isinstance(listed, dict) or not listed:
        raise SchemaFileError(
            f"{path}: no MCP server found", hint='an .mcp.json holds {"mcpServers": {NAME: …}}'
        )
    return tuple(
        _server(path, name, entry if isinstance(entry, dict) else {}, environment)
        for name, entry in listed.items()
    )


def list_tools(
    server: McpServer, *, version: str = "0", seconds: float = SECONDS
) -> tuple[ToolDefinition, ...]:
    """Start a server, ask for its tools, and end it. Their names are those of the harnesses:
    `mcp__<server>__<tool>`.

    Raises:
        McpServerError: it gives no list of tools within the time.
    """
    try:
        child = Child(server.argv, environment=server.environment, folder=server.folder)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise _error(server, f"{server.argv[0]}: {reason}") from error
    try:
        session = _Session(child, time.monotonic() + seconds)
        session.ask("initialize", _introduction(version))
        session.tell("notifications/initialized")
        entries = [entry for page in _pages(session) for entry in page]
    except NoLineError as error:
        late = f"no answer within {seconds:g} s" if error.kind == "timeout" else str(error)
        raise _error(server, late) from None
    finally:
        child.close(gently=True)
    lead = f"mcp__{_UNNAMEABLE.sub('_', server.name)}__"
    return tuple(ToolDefinition(lead + tool.name, tool.schema) for tool in tools_sent(entries))


class _Session:
    """JSON-RPC messages, one a line, until a deadline."""

    def __init__(self, child: Child, deadline: float) -> None:
        self._child = child
        self._deadline = deadline
        self._ids = count(1)

    def tell(self, method: str) -> None:
        """Send a notification."""
        self._child.send(dump_json({"jsonrpc": "2.0", "method": method}))

    def ask(self, method: str, params: dict[str, Json]) -> dict[str, Json]:
        """The result of a request; what the server says meanwhile is answered or passed over.

        Raises:
            NoLineError: there is none.
        """
        identity = next(self._ids)
        request: Json = {"jsonrpc": "2.0", "id": identity, "method": method, "params": params}
        self._child.send(dump_json(request))
        while True:
            message = _message(self._child.line(self._deadline))
            if "method" in message:
                self._reply(message)
            elif message.get("id") == identity:
                return _result(method, message)

    def _reply(self, message: dict[str, Json]) -> None:
        """Answer a request of the server: a ping with nothing, any other with a refusal."""
        if "id" not in message:
            return
        answer: dict[str, Json] = {"jsonrpc": "2.0", "id": message["id"]}
        if message["method"] == "ping":
            answer["result"] = {}
        else:
            answer["error"] = _NO_METHOD
        self._child.send(dump_json(answer))


def _pages(session: _Session) -> Iterator[list[Json]]:
    """Every page of the tools; a server that gives one cursor twice has no end."""
    params: dict[str, Json] = {}
    seen: set[str] = set()
    for _ in range(_MAX_PAGES):
        result = session.ask("tools/list", params)
        tools, cursor = result.get("tools"), result.get("nextCursor")
        if not isinstance(tools, list):
            raise NoLineError("garbage", "its tools/list holds no list of tools")
        yield tools
        if not isinstance(cursor, str) or not cursor:
            return
        if cursor in seen:
            break
        seen.add(cursor)
        params = {"cursor": cursor}
    raise NoLineError("garbage", "its tools/list has no end")


def _introduction(version: str) -> dict[str, Json]:
    client: Json = {"name": "toolfix-audit", "version": version}
    return {"protocolVersion": PROTOCOL, "capabilities": {}, "clientInfo": client}


def _message(line: bytes) -> dict[str, Json]:
    """A line as a message; an empty one for what is none, such as a greeting on stdout."""
    try:
        value = parse_json(line.decode("utf-8", "replace"))
    except JsonError:
        return {}
    return value if isinstance(value, dict) else {}


def _result(method: str, message: dict[str, Json]) -> dict[str, Json]:
    result = message.get("result")
    if isinstance(result, dict):
        return result
    error = message.get("error")
    told = error.get("message") if isinstance(error, dict) else None
    shown = "".join(char if char.isprintable() else "?" for char in str(told))[:200]
    raise NoLineError("error", f"{method} was answered with an error: {shown}")


def _server(
    path: Path, name: str, entry: dict[str, Json], environment: Mapping[str, str]
) -> McpServer:
    """One entry, with its variables put in.

    Raises:
        SchemaFileError: it has neither a command nor an address.
    """

    def text(value: Json) -> str:
        filled = value if isinstance(value, str) else dump_json(value)
        return _VARIABLE.sub(lambda got: environment.get(got[1], got[2] or ""), filled)

    command, url = entry.get("command"), entry.get("url", entry.get("httpUrl"))
    if isinstance(url, str) and command is None:
        return McpServer(name, (), environment, address=text(url))
    words = command if isinstance(command, list) else [command, *_list(entry.get("args"))]
    if not words or not all(isinstance(word, str) for word in words):
        raise SchemaFileError(
            f"{path}: the server {name!r} has no command", hint="give it command and args, or url"
        )
    own = entry.get("env", entry.get("environment"))
    named = {key: text(value) for key, value in own.items()} if isinstance(own, dict) else {}
    folder = entry.get("cwd")
    return McpServer(
        name,
        tuple(text(word) for word in words),
        {**environment, **named},
        text(folder) if isinstance(folder, str) else None,
    )


def _list(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []


def _error(server: McpServer, cause: str) -> McpServerError:
    return McpServerError(
        f"MCP server {server.name!r}: {cause}",
        hint="run its command by hand, or give more time with --timeout",
    )
