"""What Codex gives back to the model: text, JSON text, or content items, with no error flag.

The rollout does not tell whether a call failed, so it is read from what Codex itself writes: the
exit code of a command, and the sentences with which it refuses a call.
"""

from __future__ import annotations

import re
from typing import Final

from toolfix_audit.logs.fields import content_texts, integer_at, object_at, text_at
from toolfix_audit.logs.session_records import Fault
from toolfix_audit.model.json import Json, JsonError, parse_json

_REFUSED: Final = re.compile(
    r"(?:failed to parse function arguments|unsupported (?:custom tool )?call|execution error"
    r"|tool call error|exec_command failed|apply_patch verification failed|aborted\b"
    r"|(?:exec command )?rejected by user)"
)
_EXIT_CODE: Final = re.compile(r"(?:Exit code: |Process exited with code )(-?\d{1,10})")


def output_content(output: Json) -> Json:
    """The content of an output: of the older object form, and of JSON text about a command."""
    if isinstance(output, dict):
        return [output] if "type" in output else output.get("content", output.get("body", output))
    command = _command_result(output)
    return output if command is None else text_at(command, "output")


def fault_of(output: Json, content: Json) -> Fault | None:
    """Why the call failed; None if it did not, as far as the output tells."""
    if isinstance(output, dict) and isinstance(output.get("success"), bool):
        return None if output["success"] else Fault()
    command = _command_result(output)
    if command is not None:
        return _exit_fault(str(integer_at(object_at(command, "metadata"), "exit_code") or 0))
    text = content_texts(content)[0]
    if _REFUSED.match(text):
        return Fault()
    exit_code = _EXIT_CODE.match(text)
    return _exit_fault(exit_code.group(1)) if exit_code else None


def _exit_fault(code: str) -> Fault | None:
    return None if code == "0" else Fault(code=f"exit {code}")


def _command_result(output: Json) -> dict[str, Json] | None:
    """The result of a command, which some versions gave as JSON text."""
    if not isinstance(output, str) or not output.startswith('{"output":'):
        return None
    try:
        parsed = parse_json(output)
    except JsonError:
        return None
    return parsed if isinstance(parsed, dict) and "metadata" in parsed else None
