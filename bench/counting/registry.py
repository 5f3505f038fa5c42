"""The readers of others that install from PyPI or npm, one entry for each format that one reads."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final


class Home(StrEnum):
    """Where a reader installs from."""

    PYPI = "PyPI"
    NPM = "npm"


@dataclass(frozen=True, slots=True)
class OtherReader:
    """A package (or several) that reads logs of one format.

    `packages` are pinned; `counter` is the function or script that counts with them, and its
    arguments. `formats` are our readers' names of the files that it is asked about. `refuses`
    says what it does not take, `differs` by the end of a file's name why its count is another;
    `asks_too_much` that it asks for a newer Python than it needs.
    """

    label: str
    packages: tuple[str, ...]
    counter: tuple[str, ...]
    formats: tuple[str, ...]
    home: Home = Home.PYPI
    asks_too_much: bool = False
    refuses: str = ""
    differs: Mapping[str, str] = field(default_factory=dict)


_TRAJECTORY: Final = ("agent-trajectory==0.4.3",)
_SIDECHAINS: Final = "it drops the rows of subagents (sidechains) by design"
_OLD_ROWS: Final = "rows that older or drifted versions wrote: it reads the current shape alone"
_NO_PROMPT: Final = "it refuses a log without a prompt of the user, or of another variant"
_STRICT: Final = "its models are strict: a line with a field less or more is refused"
_HISTORY: Final = "only answers are counted; the first request tells of calls before it"
_PROTOCOLS: Final = "samples of gRPC and messages of sockets are no HTTP"

_UNRUN: Final = "a call in the raw answer of a hosted agent's model, which the agent did not run"

READERS: Final[tuple[OtherReader, ...]] = (
    OtherReader(
        "Claude Code",
        ("cc-session-core==0.2.0",),
        ("cc_session_core", "claude"),
        ("claude-code",),
        asks_too_much=True,
        refuses=_STRICT,
    ),
    OtherReader(
        "Claude Code",
        _TRAJECTORY,
        ("agent_trajectory", "claude-code"),
        ("claude-code",),
        differs={
            "5c0375b4-57a5-4f26-b12d-d022ee4e51b7.jsonl": _SIDECHAINS,
            "fe5e1c67-53e7-4862-81ae-d0e013e3270b.jsonl": _SIDECHAINS,
            "claude__small.jsonl": _SIDECHAINS,
            "claude__schema_drift.jsonl": _OLD_ROWS,
        },
        refuses=_NO_PROMPT,
    ),
    OtherReader(
        "Codex",
        ("cc-session-core==0.2.0",),
        ("cc_session_core", "codex"),
        ("codex",),
        asks_too_much=True,
        refuses=_STRICT,
    ),
    OtherReader(
        "Codex",
        _TRAJECTORY,
        ("agent_trajectory", "codex"),
        ("codex",),
        differs={"codex__large.jsonl": _OLD_ROWS},
        refuses=_NO_PROMPT,
    ),
    OtherReader("pi, OpenClaw", _TRAJECTORY, ("agent_trajectory", "pi"), ("pi",)),
    OtherReader(
        "pi, OpenClaw",
        ("@mariozechner/pi-coding-agent@0.73.1",),
        ("pi_sessions.mjs",),
        ("pi",),
        Home.NPM,
    ),
    OtherReader(
        "OpenCode export",
        _TRAJECTORY,
        ("agent_trajectory", "opencode"),
        ("opencode",),
        refuses="it refuses an export that was cut",
    ),
    OtherReader(
        "Gemini CLI",
        _TRAJECTORY,
        ("agent_trajectory", "gemini-cli"),
        ("gemini-cli",),
        refuses=_NO_PROMPT,
    ),
    OtherReader(
        "Cursor",
        _TRAJECTORY,
        ("agent_trajectory", "cursor"),
        ("cursor",),
        differs={"cursor__schema_drift.jsonl": _OLD_ROWS},
    ),
    OtherReader(
        "Droid", _TRAJECTORY, ("agent_trajectory", "droid"), ("droid",), refuses=_NO_PROMPT
    ),
    OtherReader("Hermes", _TRAJECTORY, ("agent_trajectory", "hermes"), ("hermes",)),
    OtherReader(
        "Copilot CLI",
        _TRAJECTORY,
        ("agent_trajectory", "copilot-cli"),
        ("copilot-cli",),
        refuses=_NO_PROMPT,
    ),
    OtherReader("Inspect", ("inspect-ai==0.3.285",), ("inspect_ai",), ("inspect-ai",)),
    OtherReader(
        "tau-bench, Invariant",
        ("openai==3.57.0",),
        ("openai_messages",),
        ("openai-messages",),
        refuses="its types refuse arguments that are an object",
    ),
    OtherReader(
        "HTTP archive",
        ("haralyzer==2.4.0", "botocore==1.43.117"),
        ("haralyzer",),
        ("har",),
        differs={"agent-a_3453170410__recording.har": _UNRUN},
    ),
    OtherReader(
        "VCR cassette",
        ("vcrpy==9.4.2", "httpx-sse==0.4.3", "botocore==1.43.117"),
        ("vcrpy",),
        ("vcr-cassette",),
        refuses=_PROTOCOLS,
        differs={"test_multi_agent_collaborator.yaml": _UNRUN, "": _HISTORY},
    ),
)
"""Every entry, in the order of the table."""
