"""The tools that the invented host offers: name, description, JSON Schema of the parameters.

The native ones hold no union. A tool that only an MCP server offers is named `mcp__*`; such tools
are closed and hold the unions.
"""

from typing import NamedTuple

from study_generator.schemas import (
    FREE_FORM,
    Schema,
    flag,
    list_of,
    map_of,
    one_of,
    record,
    text,
    whole,
)


class Tool(NamedTuple):
    """A tool as a request header lists it."""

    name: str
    description: str
    parameters: Schema


FILE_TOOLS = (
    Tool(
        "read",
        "Show a text file with line numbers.",
        record(
            {
                "file_path": text("File to show."),
                "offset": whole("First line, counted from 1."),
                "limit": whole("Most lines to show."),
            },
            "file_path",
        ),
    ),
    Tool(
        "write",
        "Create a file or replace all of it.",
        record(
            {"file_path": text("File to write."), "content": text("All of its new text.")},
            "file_path",
            "content",
        ),
    ),
    Tool(
        "edit",
        "Swap one passage of a file for another.",
        record(
            {
                "file_path": text("File to change."),
                "old_string": text("Passage as it stands."),
                "new_string": text("Passage as it shall be."),
                "replace_all": flag("Swap every occurrence."),
            },
            "file_path",
            "old_string",
            "new_string",
            closed=True,
        ),
    ),
    Tool(
        "str_replace_editor",
        "View, create or change one file by command.",
        record(
            {
                "command": one_of("view", "create", "str_replace", "insert"),
                "path": text("File to work on."),
                "file_text": text("Text of a created file."),
                "old_str": text("Passage to swap."),
                "new_str": text("Passage to put in."),
                "insert_line": whole("Line to insert after."),
                "view_range": list_of({"type": "integer"}),
            },
            "command",
            "path",
        ),
    ),
    Tool(
        "glob",
        "List files whose path fits a pattern.",
        record({"pattern": text("Glob pattern."), "path": text("Folder to start in.")}, "pattern"),
    ),
    Tool(
        "grep",
        "Search file contents.",
        record(
            {
                "pattern": text("Regular expression."),
                "path": text("File or folder."),
                "include": text("Glob of the files to search."),
                "ignore_case": flag("Fold case."),
            },
            "pattern",
        ),
    ),
    Tool(
        "list_dir",
        "List one folder.",
        record(
            {
                "path": text("Folder."),
                "depth": whole("Levels to go down."),
                "show_hidden": flag("Show dot files too."),
            },
            "path",
            closed=True,
        ),
    ),
    Tool(
        "link_file",
        "Make `file_path` a link to `path`.",
        record(
            {"path": text("Existing file."), "file_path": text("Link to create.")},
            "path",
            "file_path",
            closed=True,
        ),
    ),
)

RUN_TOOLS = (
    Tool(
        "bash",
        "Run a shell command.",
        record(
            {
                "command": text("Command line."),
                "description": text("What it is for."),
                "timeout_ms": whole("Time limit."),
                "workdir": text("Folder to run in."),
                "background": flag("Do not wait."),
            },
            "command",
        ),
    ),
    Tool(
        "run_code",
        "Run a script in a sandbox.",
        record(
            {
                "code": text("Source of the script."),
                "description": text("What it finds out."),
                "language": one_of("python", "javascript"),
                "timeout_ms": whole("Time limit."),
            },
            "code",
            "description",
        ),
    ),
    Tool(
        "job_list",
        "List background jobs.",
        record({"status": one_of("running", "done", "failed"), "limit": whole("Most jobs.")}),
    ),
    Tool(
        "job_output",
        "Read what a background job printed.",
        record(
            {"job_id": text("Job."), "wait": flag("Wait for its end."), "limit": whole("Lines.")},
            "job_id",
        ),
    ),
    Tool(
        "job_stop",
        "Stop a background job.",
        record({"job_id": text("Job."), "reason": text("Why.")}, "job_id", closed=True),
    ),
    Tool(
        "repo_status",
        "Show changed files.",
        record({"path": text("Folder to look at."), "short": flag("One line per file.")}),
    ),
    Tool("workspace_info", "Name the workspace and its tools.", record({}, closed=True)),
    Tool(
        "service_configure",
        "Change how a local service runs.",
        record(
            {
                "service": text("Name of the service."),
                "description": text("Note for the log."),
                "replicas": whole("How many to run."),
            },
            "service",
        ),
    ),
    Tool("set_environment", "Set variables for later commands.", map_of({"type": "string"})),
    Tool(
        "register_profiles",
        "Register launch profiles by name.",
        map_of(record({"shell": {"type": "string"}, "nice": {"type": "integer"}})),
    ),
)

AGENT_TOOLS = (
    Tool(
        "get_goal",
        "Show the goal of this session.",
        record({"include_history": flag("Earlier goals too."), "revision": whole("Which one.")}),
    ),
    Tool(
        "list_agents",
        "List helper agents.",
        record({"scope": one_of("children", "all"), "state": one_of("idle", "busy", "gone")}),
    ),
    Tool(
        "spawn_agent",
        "Start a helper agent.",
        record(
            {
                "title": text("A few words."),
                "prompt": text("Its whole task."),
                "background": flag("Do not wait."),
            },
            "title",
            "prompt",
        ),
    ),
    Tool(
        "send_message",
        "Write to a helper agent.",
        record(
            {"agent_id": text("Agent."), "message": text("Text."), "urgent": flag("Interrupt it.")},
            "agent_id",
            "message",
            closed=True,
        ),
    ),
    Tool(
        "skill",
        "Load instructions for a kind of task.",
        record({"name": text("Skill."), "depth": one_of("short", "full")}, "name", closed=True),
    ),
    Tool(
        "todo_write",
        "Replace the task list.",
        record(
            {
                "todos": list_of(
                    record(
                        {
                            "content": text("The task."),
                            "status": one_of("pending", "in_progress", "completed"),
                        },
                        "content",
                        "status",
                        closed=True,
                    )
                )
            },
            "todos",
        ),
    ),
    Tool(
        "plan_update",
        "Replace the plan.",
        record(
            {
                "title": text("Name of the plan."),
                "steps": list_of(
                    record(
                        {
                            "label": text("The step."),
                            "checks": list_of(
                                record(
                                    {"label": text("What to check."), "done": flag("Checked.")},
                                    "label",
                                    "done",
                                )
                            ),
                        },
                        "label",
                    )
                ),
            },
            "title",
            "steps",
        ),
    ),
    Tool(
        "ask_user",
        "Ask the user to choose.",
        record(
            {
                "questions": list_of(
                    record(
                        {
                            "question": text("The question."),
                            "options": list_of(
                                record({"label": text("Choice.")}, "label", closed=True)
                            ),
                            "multiple": flag("Several may be chosen."),
                        },
                        "question",
                        "options",
                        closed=True,
                    )
                )
            },
            "questions",
        ),
    ),
    Tool(
        "web_search",
        "Search the web.",
        record(
            {"queries": list_of({"type": "string"}), "limit": whole("Most hits.")},
            "queries",
            closed=True,
        ),
    ),
    Tool(
        "fetch_url",
        "Fetch a page.",
        record(
            {
                "url": text("Address."),
                "format": one_of("text", "markdown"),
                "headers": map_of({"type": "string"}),
            },
            "url",
        ),
    ),
    Tool(
        "workflow",
        "Start a stored workflow.",
        record(
            {
                "name": text("Workflow."),
                "args": FREE_FORM,
                "dry_run": flag("Only say what would run."),
            },
            "name",
        ),
    ),
    Tool(
        "dev_stage_add",
        "Add a stage to the development pipeline.",
        record({"parameters": FREE_FORM, "stage": text("Name of the stage.")}, "parameters"),
    ),
    Tool(
        "emit_event",
        "Publish an event.",
        record({"event": text("Its name."), "payload": FREE_FORM}, "event"),
    ),
)

NATIVE_TOOLS = FILE_TOOLS + RUN_TOOLS + AGENT_TOOLS
