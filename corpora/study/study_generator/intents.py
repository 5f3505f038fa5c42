"""Intended arguments: what a model that makes no mistake would send, tool by tool."""

from collections.abc import Callable

from study_generator.schemas import Arguments
from study_generator.words import Words

Builder = Callable[[Words], Arguments]


def _read(words: Words) -> Arguments:
    arguments: Arguments = {"file_path": words.path()}
    if words.may(30):
        arguments["offset"] = words.number(1, 400)
    if words.may(40):
        arguments["limit"] = words.pick((40, 80, 200))
    return arguments


def _write(words: Words) -> Arguments:
    text = words.code() if words.may(60) else words.prose()
    return {"file_path": words.path(), "content": text}


def _edit(words: Words) -> Arguments:
    arguments: Arguments = {
        "file_path": words.path(),
        "old_string": words.line(),
        "new_string": words.line(),
    }
    if words.may(15):
        arguments["replace_all"] = True
    return arguments


def _editor(words: Words) -> Arguments:
    path = words.path()
    command = words.pick(("view", "view", "create", "str_replace", "insert"))
    if command == "view":
        first = words.number(1, 90)
        return {"command": command, "path": path, "view_range": [first, first + 40]}
    if command == "create":
        return {"command": command, "path": path, "file_text": words.code()}
    if command == "insert":
        line = words.number(1, 60)
        return {"command": command, "path": path, "insert_line": line, "new_str": words.line()}
    old, new = words.line(), words.line()
    return {"command": command, "path": path, "old_str": old, "new_str": new}


def _glob(words: Words) -> Arguments:
    arguments: Arguments = {"pattern": words.pattern()}
    if words.may(25):
        arguments["path"] = words.folder()
    return arguments


def _grep(words: Words) -> Arguments:
    arguments: Arguments = {"pattern": words.regex()}
    if words.may(50):
        arguments["path"] = words.folder()
    if words.may(20):
        arguments["include"] = f"*{words.tag}.py"
    if words.may(15):
        arguments["ignore_case"] = True
    return arguments


def _list_dir(words: Words) -> Arguments:
    arguments: Arguments = {"path": words.folder()}
    if words.may(30):
        arguments["depth"] = words.number(1, 3)
    return arguments


def _link_file(words: Words) -> Arguments:
    return {"path": words.path(), "file_path": f"build/{words.noun()}"}


def _bash(words: Words) -> Arguments:
    arguments: Arguments = {"command": words.command()}
    if words.may(60):
        arguments["description"] = words.purpose()
    if words.may(20):
        arguments["timeout_ms"] = words.pick((30000, 60000, 120000))
    if words.may(10):
        arguments["background"] = True
    if words.may(8):
        arguments["workdir"] = words.folder()
    return arguments


def _run_code(words: Words) -> Arguments:
    arguments: Arguments = {"code": words.code(), "description": words.purpose()}
    if words.may(25):
        arguments["language"] = "python"
    return arguments


def _job_list(words: Words) -> Arguments:
    arguments: Arguments = {}
    if words.may(70):
        arguments["status"] = words.pick(("running", "done", "failed"))
    if words.may(40):
        arguments["limit"] = words.number(5, 20)
    return arguments


def _job_output(words: Words) -> Arguments:
    arguments: Arguments = {"job_id": words.slug("job")}
    if words.may(40):
        arguments["wait"] = words.may(60)
    return arguments


def _job_stop(words: Words) -> Arguments:
    return {"job_id": words.slug("job"), "reason": words.purpose()}


def _repo_status(words: Words) -> Arguments:
    arguments: Arguments = {}
    if words.may(60):
        arguments["path"] = words.folder()
    if words.may(40):
        arguments["short"] = True
    return arguments


def _workspace_info(_words: Words) -> Arguments:
    return {}


def _service_configure(words: Words) -> Arguments:
    arguments: Arguments = {"service": words.noun(), "replicas": words.number(1, 4)}
    if words.may(50):
        arguments["description"] = words.purpose()
    return arguments


def _set_environment(words: Words) -> Arguments:
    return {f"{words.area().upper()}_PORT": str(words.number(3000, 3099)), "TZ": "UTC"}


def _register_profiles(words: Words) -> Arguments:
    return {words.area(): {"shell": words.command(), "nice": words.number(0, 9)}}


def _get_goal(words: Words) -> Arguments:
    arguments: Arguments = {}
    if words.may(60):
        arguments["include_history"] = words.may(50)
    if words.may(30):
        arguments["revision"] = words.number(1, 6)
    return arguments


def _list_agents(words: Words) -> Arguments:
    arguments: Arguments = {}
    if words.may(60):
        arguments["scope"] = words.pick(("children", "all"))
    if words.may(40):
        arguments["state"] = words.pick(("idle", "busy", "gone"))
    return arguments


def _spawn_agent(words: Words) -> Arguments:
    return {"title": words.purpose(), "prompt": f"{words.task()}. Report {words.path()}."}


def _send_message(words: Words) -> Arguments:
    arguments: Arguments = {"agent_id": words.slug("agent"), "message": words.task()}
    if words.may(20):
        arguments["urgent"] = True
    return arguments


def _skill(words: Words) -> Arguments:
    arguments: Arguments = {"name": f"{words.area()}-review"}
    if words.may(25):
        arguments["depth"] = "full"
    return arguments


def _todo_write(words: Words) -> Arguments:
    done = words.number(0, 3)
    states = ["completed"] * done + ["in_progress"] + ["pending"] * words.number(1, 3)
    return {"todos": [{"content": words.task(), "status": state} for state in states]}


def _plan_update(words: Words) -> Arguments:
    checks = [{"label": words.purpose(), "done": words.may(30)} for _ in range(2)]
    steps = [{"label": words.task(), "checks": checks}, {"label": words.task()}]
    return {"title": words.task(), "steps": steps}


def _ask_user(words: Words) -> Arguments:
    options = [{"label": words.path()} for _ in range(words.number(2, 3))]
    return {"questions": [{"question": f"{words.task()}?", "options": options}]}


def _web_search(words: Words) -> Arguments:
    arguments: Arguments = {"queries": [words.question() for _ in range(words.number(1, 2))]}
    if words.may(30):
        arguments["limit"] = words.number(3, 9)
    return arguments


def _fetch_url(words: Words) -> Arguments:
    arguments: Arguments = {"url": words.url()}
    if words.may(40):
        arguments["format"] = words.pick(("text", "markdown"))
    if words.may(15):
        arguments["headers"] = {"Accept-Language": words.pick(("de", "en", "fr"))}
    return arguments


def _workflow(words: Words) -> Arguments:
    return {"name": words.slug("flow"), "args": {"path": words.folder(), "rounds": 2}}


def _dev_stage_add(words: Words) -> Arguments:
    return {"parameters": {"image": words.noun(), "cpus": 2}, "stage": words.area()}


def _emit_event(words: Words) -> Arguments:
    return {"event": words.noun(), "payload": {"count": words.number(1, 9), "at": words.area()}}


def _relay_invoke(words: Words) -> Arguments:
    return {"procedure": words.slug("proc"), "arguments": {"area": words.area()}, "wait": None}


def _relay_defaults(words: Words) -> Arguments:
    return {"arguments": {"region": words.area()}}


def _queue_push(words: Words) -> Arguments:
    return {"input": {"id": words.slug("item")}, "priority": words.pick((1, 2, "high"))}


def _catalog_lookup(words: Words) -> Arguments:
    return {"name": words.noun()} if words.may(50) else {"queries": [words.question()]}


def _catalog_tags(words: Words) -> Arguments:
    return {"prefix": words.pick((None, "re", "un"))}


def _tracker_query(words: Words) -> Arguments:
    ids = words.slug("T") if words.may(50) else [words.slug("T"), words.slug("T")]
    return {"project": words.area(), "ids": ids, "limit": words.number(1, 50)}


def _tracker_release(words: Words) -> Arguments:
    batch = {"kind": "rolling", "batch": words.number(5, 50)}
    strategy = batch if words.may(50) else {"kind": "at-once"}
    return {"version": f"2.{words.number(0, 9)}.{words.number(0, 9)}", "strategy": strategy}


BUILDERS: dict[str, Builder] = {
    "read": _read,
    "write": _write,
    "edit": _edit,
    "str_replace_editor": _editor,
    "glob": _glob,
    "grep": _grep,
    "list_dir": _list_dir,
    "link_file": _link_file,
    "bash": _bash,
    "run_code": _run_code,
    "job_list": _job_list,
    "job_output": _job_output,
    "job_stop": _job_stop,
    "repo_status": _repo_status,
    "workspace_info": _workspace_info,
    "service_configure": _service_configure,
    "set_environment": _set_environment,
    "register_profiles": _register_profiles,
    "get_goal": _get_goal,
    "list_agents": _list_agents,
    "spawn_agent": _spawn_agent,
    "send_message": _send_message,
    "skill": _skill,
    "todo_write": _todo_write,
    "plan_update": _plan_update,
    "ask_user": _ask_user,
    "web_search": _web_search,
    "fetch_url": _fetch_url,
    "workflow": _workflow,
    "dev_stage_add": _dev_stage_add,
    "emit_event": _emit_event,
    "mcp__relay__invoke": _relay_invoke,
    "mcp__relay__defaults": _relay_defaults,
    "mcp__queue__push": _queue_push,
    "mcp__catalog__lookup": _catalog_lookup,
    "mcp__catalog__tags": _catalog_tags,
    "mcp__tracker__query": _tracker_query,
    "mcp__tracker__release": _tracker_release,
}

# How often an ordinary call goes to a tool; a tool that is not named here weighs 4.
WEIGHTS = {
    "bash": 60,
    "read": 60,
    "edit": 30,
    "grep": 28,
    "glob": 16,
    "write": 16,
    "str_replace_editor": 14,
    "todo_write": 14,
    "run_code": 10,
    "list_dir": 10,
    "web_search": 8,
    "job_output": 8,
}
