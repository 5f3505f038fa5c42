"""The tools that invented MCP servers offer: closed, most of them with a union."""

from study_generator.schemas import FREE_FORM, Schema, list_of, record, text, whole
from study_generator.tools import NATIVE_TOOLS, Tool

_ROLLOUT: Schema = record(
    {"kind": {"const": "rolling"}, "batch": whole("Share per round.")}, "kind", closed=True
)
_AT_ONCE: Schema = record({"kind": {"const": "at-once"}}, "kind", closed=True)

SERVERS: dict[str, tuple[Tool, ...]] = {
    "relay": (
        Tool(
            "mcp__relay__invoke",
            "Call a remote procedure.",
            record(
                {
                    "procedure": text("Its name."),
                    "arguments": FREE_FORM,
                    "wait": {"type": ["boolean", "null"]},
                },
                "procedure",
                "arguments",
                closed=True,
            ),
        ),
        Tool(
            "mcp__relay__defaults",
            "Set default arguments of remote procedures.",
            record({"arguments": FREE_FORM}, "arguments", closed=True),
        ),
    ),
    "queue": (
        Tool(
            "mcp__queue__push",
            "Put an item on a queue.",
            record(
                {"input": FREE_FORM, "priority": {"type": ["integer", "string"]}},
                "input",
                closed=True,
            ),
        ),
    ),
    "catalog": (
        Tool(
            "mcp__catalog__lookup",
            "Look a skill or an entry up.",
            {
                **record(
                    {
                        "name": text("Entry."),
                        "skill_name": text("Skill."),
                        "query": text("One query."),
                        "queries": list_of({"type": "string"}),
                    },
                    closed=True,
                ),
                "anyOf": [
                    {"required": ["name"]},
                    {"required": ["skill_name"]},
                    {"required": ["query"]},
                    {"required": ["queries"]},
                ],
            },
        ),
        Tool(
            "mcp__catalog__tags",
            "List tags.",
            record({"prefix": {"type": ["string", "null"]}}, closed=True),
        ),
    ),
    "tracker": (
        Tool(
            "mcp__tracker__query",
            "Find tickets.",
            record(
                {
                    "project": text("Project."),
                    "ids": {"anyOf": [{"type": "string"}, list_of({"type": "string"})]},
                    "limit": {"type": "integer", "minimum": 1, "maximum": 100},
                },
                "project",
                closed=True,
            ),
        ),
        Tool(
            "mcp__tracker__release",
            "Release a version.",
            {
                **record(
                    {
                        "version": text("Version."),
                        "strategy": {
                            "oneOf": [{"$ref": "#/$defs/rolling"}, {"$ref": "#/$defs/at_once"}]
                        },
                    },
                    "version",
                    "strategy",
                    closed=True,
                ),
                "$defs": {"rolling": _ROLLOUT, "at_once": _AT_ONCE},
            },
        ),
    ),
}

TOOLS: dict[str, Tool] = {
    tool.name: tool for tool in (*NATIVE_TOOLS, *(t for group in SERVERS.values() for t in group))
}


def server_of(tool: str) -> str | None:
    """The MCP server that offers a tool; None for a native one."""
    parts = tool.split("__")
    return parts[1] if parts[0] == "mcp" else None
