"""The engines that are compared: how each is started, what it is for, and at which version."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from .scoring import Numbers


class Home(StrEnum):
    """Where an engine runs."""

    PROJECT = "project"
    PYPI = "PyPI"
    NPM = "npm"


@dataclass(frozen=True, slots=True)
class Engine:
    """One engine. `package` is its name in the registry, `version` the pinned one, `adapter` the
    script in bench/adapters with its arguments, `purpose` what its own documentation says it is
    for, `limits` what the adapter can't express."""

    name: str
    home: Home
    package: str
    version: str
    adapter: tuple[str, ...]
    numbers: Numbers
    purpose: str
    limits: str


OURS: Final = Engine(
    "toolfix-audit",
    Home.PROJECT,
    "toolfix-audit",
    "",
    ("toolfix_adapter.py",),
    Numbers.EXACT,
    "repair of tool-call arguments under their schema; abstains where a guess is needed",
    "none: the cases belong to this project",
)

ENGINES: Final = (
    OURS,
    Engine(
        "json_repair",
        Home.PYPI,
        "json_repair[schema]",
        "0.64.6",
        ("json_repair_adapter.py",),
        Numbers.PYTHON,
        "repair of broken JSON text; the schema guidance is marked beta",
        "default `standard` mode; it closes cut text by design; a ValueError counts as a refusal",
    ),
    Engine(
        "pydantic (lax)",
        Home.PYPI,
        "pydantic",
        "2.14.4",
        ("pydantic_adapter.py",),
        Numbers.PYTHON,
        "validation with conversion of scalars; not a repairer",
        "models made with `create_model`; no allOf, not, if, patternProperties, recursion",
    ),
    Engine(
        "toolproxy",
        Home.PYPI,
        "toolproxy",
        "0.6.0",
        ("toolproxy_adapter.py",),
        Numbers.PYTHON,
        "agent loop; `repair_arguments` before validation by a pydantic model",
        "the models of the line above; what fails validation counts as a refusal",
    ),
    Engine(
        "BAML",
        Home.PYPI,
        "baml-py",
        "0.226.3",
        ("baml_adapter.py",),
        Numbers.PYTHON,
        "typed answers read from a model's prose; not made for recorded tool calls",
        "`parse_llm_response` on generated types; a class keeps its declared fields only, "
        "so undeclared keys of open schemas go; no limits, no patterns",
    ),
    Engine(
        "ajv coerceTypes",
        Home.NPM,
        "ajv",
        "8.20.0",
        ("ajv_adapter.mjs",),
        Numbers.DOUBLE,
        "validation with optional conversion of scalars; not a repairer",
        "`coerceTypes: true` on a copy; text that is not JSON never reaches it",
    ),
    Engine(
        "@ai-sdk-tool/parser",
        Home.NPM,
        "@ai-sdk-tool/parser",
        "4.1.26",
        ("ai_sdk_tool_adapter.mjs", "middleware"),
        Numbers.DOUBLE,
        "tool calls for models without native ones: reads calls from text, then coerces",
        "`wrapGenerate` with the Hermes protocol; times include the reading of the markup",
    ),
    Engine(
        "… coerceBySchema",
        Home.NPM,
        "@ai-sdk-tool/parser",
        "4.1.26",
        ("ai_sdk_tool_adapter.mjs", "coerce"),
        Numbers.DOUBLE,
        "the same package's schema coercion alone, on parsed arguments",
        "exported, yet not described in its README; no validation, so it never refuses",
    ),
)
