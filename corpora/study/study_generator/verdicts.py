"""What the invented host answers: its argument errors in the words of dsh, and its results."""

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from study_generator.schemas import Arguments, Schema
from study_generator.words import Words

_ARGUMENT_ERROR: Final = {"name": "ToolArgsError", "code": "INVALID_ARGS"}


class Answer(NamedTuple):
    """The result of a call: the host's verdict, its text, and the error object of a failed one."""

    host: str
    text: str
    error: dict[str, str] | None = None
    is_error: bool = False


def rejection(schema: Schema, arguments: Arguments) -> Answer | None:
    """The argument error for missing and undeclared keys; None if there is none."""
    found = list(_violations(schema, arguments, ""))
    if not found:
        return None
    text = f"Error: invalid arguments: {'; '.join(found)}"
    return Answer("rejected_arguments", text, _ARGUMENT_ERROR, is_error=True)


def _violations(schema: Schema, value: Any, place: str) -> Iterator[str]:
    if isinstance(value, list) and "items" in schema:
        for index, item in enumerate(value):
            yield from _violations(schema["items"], item, f"{place}[{index}]")
    elif isinstance(value, dict):
        yield from _object_violations(schema, value, f"{place}." if place else "")


def _object_violations(schema: Schema, value: Arguments, prefix: str) -> Iterator[str]:
    properties = schema.get("properties", {})
    for key in schema.get("required", ()):
        if key not in value:
            yield f'missing required property "{prefix}{key}"'
    for key in (name for name in properties if name in value):
        yield from _violations(properties[key], value[key], f"{prefix}{key}")
    if schema.get("additionalProperties") is False:
        for key in (name for name in value if name not in properties):
            yield f'"{prefix}{key}" is not a declared property (additionalProperties: false)'


def unread_file(tool: str, cwd: str, path: str) -> Answer:
    """The failure of a change to a file that the session has not read."""
    text = f'Error: {tool} requires reading "{cwd}/{path}" first — read the file, then retry'
    return Answer("failed", text, {"name": "FsError", "code": "FS_NOT_OBSERVED"}, is_error=True)


def domain_failure(tool: str, arguments: Arguments, cwd: str, words: Words) -> Answer | None:
    """Now and then an ordinary failure that has nothing to do with the shape of the arguments."""
    if tool == "read" and words.may(2):
        text = f'Error: cannot read "{cwd}/{arguments["file_path"]}": not found'
        return Answer("failed", text, {"name": "FsError", "code": "FS_NOT_FOUND"}, is_error=True)
    if tool == "job_output" and words.may(5):
        return Answer("failed", f"Error: unknown job {arguments['job_id']}", None, is_error=True)
    return None


def success(tool: str, words: Words) -> Answer:
    """A short result, whatever the arguments were."""
    match tool:
        case "read":
            text = f"1: {words.line()}\n\n(End of file - total {words.number(1, 90)} lines)"
        case "write" | "edit" | "str_replace_editor" | "link_file":
            text = "Done."
        case "glob" | "list_dir":
            text = f"{words.path()}\n{words.path()}"
        case "grep":
            text = f"{words.path()}:{words.number(1, 300)}: {words.line()}"
        case "bash" | "run_code" | "job_output":
            text = f"{words.number(0, 60)} {words.noun()}\n[exit code: 0]"
        case "job_list":
            text = "(no background jobs)"
        case "list_agents":
            text = "(no agents)"
        case "get_goal":
            text = "(no goal)"
        case _:
            text = f"ok, {words.number(1, 40)} ms"
    return Answer("accepted", text)
