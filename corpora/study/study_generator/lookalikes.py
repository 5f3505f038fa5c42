"""Legal calls that look like a defect: what is declared, free-form or a map must be left alone."""

from collections.abc import Callable
from typing import NamedTuple

from study_generator.schemas import Arguments
from study_generator.words import Words


class LookAlike(NamedTuple):
    """A legal call that resembles a family."""

    tool: str
    build: Callable[[Words], Arguments]


def _defaults(words: Words) -> Arguments:
    return {"arguments": {"region": words.area(), "retries": words.number(1, 5)}}


def _defaults_twice(words: Words) -> Arguments:
    return {"arguments": {"arguments": {"region": words.area()}}}


def _profile_named(name: str) -> Callable[[Words], Arguments]:
    def build(words: Words) -> Arguments:
        return {name: {"shell": words.command(), "nice": words.number(0, 9)}}

    return build


def _variable_named(name: str) -> Callable[[Words], Arguments]:
    def build(words: Words) -> Arguments:
        return {name: f"--area {words.area()}"}

    return build


def _stage_parameters(words: Words) -> Arguments:
    return {"parameters": {"image": words.noun(), "cpus": words.number(1, 8)}}


def _queue_input(words: Words) -> Arguments:
    return {"input": {"path": words.path(), "id": words.slug("item")}}


def _workflow_args(words: Words) -> Arguments:
    return {"name": words.slug("flow"), "args": {"arguments": {"path": words.folder()}}}


def _stage_beside(words: Words) -> Arguments:
    return {"parameters": {"image": words.noun()}, "stage": words.area()}


def _invoke(words: Words) -> Arguments:
    return {"procedure": words.slug("proc"), "arguments": {"offset": words.number(1, 9)}}


def _two_profiles(words: Words) -> Arguments:
    return {"arguments": {"shell": words.command()}, words.area(): {"nice": 3}}


def _configuration_trap(words: Words) -> Arguments:
    value = words.pick(("default", "verbose", "low-memory", "read-only"))
    return {"service": words.noun(), "configuration": value}


def _editor_path(words: Words) -> Arguments:
    return {"command": "view", "path": words.path()}


def _both_paths(words: Words) -> Arguments:
    return {"path": words.path(), "file_path": f"build/{words.noun()}"}


def _lookup_skill(words: Words) -> Arguments:
    return {"skill_name": f"{words.area()}-review"}


def _lookup_query(words: Words) -> Arguments:
    return {"query": words.question()}


def _event_payload(words: Words) -> Arguments:
    payload = {"file_path": words.path(), "new_str": words.line(), "query": words.question()}
    return {"event": words.noun(), "payload": payload}


LOOK_ALIKES: dict[str, tuple[LookAlike, ...]] = {
    "A": (
        LookAlike("mcp__relay__defaults", _defaults),
        LookAlike("mcp__relay__defaults", _defaults_twice),
        LookAlike("register_profiles", _profile_named("arguments")),
        LookAlike("set_environment", _variable_named("arguments")),
    ),
    "B": (
        LookAlike("dev_stage_add", _stage_parameters),
        LookAlike("mcp__queue__push", _queue_input),
        LookAlike("register_profiles", _profile_named("args")),
        LookAlike("set_environment", _variable_named("params")),
    ),
    "C": (
        LookAlike("workflow", _workflow_args),
        LookAlike("dev_stage_add", _stage_beside),
        LookAlike("mcp__relay__invoke", _invoke),
        LookAlike("register_profiles", _two_profiles),
    ),
    "D": (
        LookAlike("service_configure", _configuration_trap),
        LookAlike("str_replace_editor", _editor_path),
        LookAlike("link_file", _both_paths),
        LookAlike("mcp__catalog__lookup", _lookup_skill),
        LookAlike("mcp__catalog__lookup", _lookup_query),
        LookAlike("set_environment", _variable_named("file_path")),
        LookAlike("emit_event", _event_payload),
    ),
}
