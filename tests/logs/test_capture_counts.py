"""Captures of real traffic against counts of an independent reader, file by file.

Calls and texts are counted as `COUNTS.jsonl` counts them, except where it is wrong or counts
something else; every such file stands below with the right figures and the reason. Its results
are those of every request, so that one answer counts in each request that repeats it; here they
are counted once, by a few lines that share nothing with the readers.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
import yaml

from toolfix_audit.logs.detect import detect
from toolfix_audit.logs.sources import LogFile
from toolfix_audit.model.records import (
    ArgumentsForm,
    AssistantText,
    Call,
    Result,
    Session,
)

from .conftest import Reading, ReadLog

READERS: Final = {
    "vcr-fantasy": "vcr-cassette",
    "vcr-pydantic-ai": "vcr-cassette",
    "vcr-otel-openllmetry": "vcr-cassette",
    "vcr-openinference": "vcr-cassette",
    "vcr-langsmith": "vcr-cassette",
    "har-bedrock-agent": "har",
    "sse-vercel-ai": "api-capture",
}

HISTORY: Final = "the first request tells of a call or text that no answer of the file holds"
BLOCKS: Final = "the texts of one message are one text, however many blocks it has"
SEVERAL: Final = "the file holds several streams, each with a text of its own"
HOSTED: Final = "free-text calls, and calls of remote MCP servers, are calls with arguments"
PARTIAL: Final = "Gemini streams one call in many chunks, by JSONPath"
FETCHED: Final = "one answer is fetched twice"
UNSEEN: Final = "a protocol that was not counted: Converse and Interactions streams, Cohere, gRPC"
AGENT: Final = "traces of hosted agents in binary event streams were not counted"

RIGHT: Final[dict[str, dict[str, tuple[int, int]]]] = {
    HISTORY: {
        "TestConverseStream.test_invoke_tool_response_message.yaml": (1, 2),
        "test_anthropic_deferred_capability_tool_callable_without_tool_search.yaml": (3, 3),
        "test_anthropic_instrumentation_tool_use_in_input[with_block_params].yaml": (1, 2),
        "test_anthropic_to_google_deferred_capability_history_replay.yaml": (4, 3),
        "test_anthropic_tools_history_legacy.yaml": (2, 1),
        "test_bedrock_llama_tool_result_followed_by_text_accepted.yaml": (1, 2),
        "test_in_flight_native_tool_call_history_is_accepted.yaml": (1, 1),
        "test_multimodal_tool_return_matrix[direct-url_force_download-document-mistral].yaml": (
            1,
            2,
        ),
        "test_ollama_chat_tool_calls_legacy.yaml": (1, 1),
        "test_openai_agent_and_llm_spans_v2.yaml": (3, 2),
        "test_supported_model_calls_additional_tool.yaml": (1, 1),
        "test_tool_availability_portability_matrix[R1-T2-native-search].yaml": (1, 1),
        "test_tool_availability_portability_matrix[R1-T5-local-search].yaml": (1, 1),
        "test_tool_availability_portability_matrix[R1-T6-local-search].yaml": (1, 1),
        "test_tool_availability_portability_matrix[R3-T1-native-search].yaml": (1, 1),
        "test_tool_calls_anthropic_text_block_and_history.yaml": (2, 2),
        "test_tool_calls_anthropic_text_block_and_history_with_events_with_no_content.yaml": (2, 2),
        "test_tool_calls_with_history_with_events_with_content.yaml": (2, 0),
        "test_writer_async_streaming_chat_tool_calls_legacy.yaml": (1, 1),
    },
    AGENT: {
        "agent-a_1614381117__recording.har": (1, 1),
        "agent-a_3264752613__recording.har": (0, 5),
        "agent-a_3453170410__recording.har": (4, 11),
        "agent-a_3722574698__recording.har": (2, 3),
        "agent-at_817711251__recording.har": (0, 1),
        "test_multi_agent_collaborator.yaml": (3, 9),
        "test_tool_calls_without_input_params.yaml": (1, 2),
    },
    HOSTED: {
        "anthropic-mcp.1.chunks.txt": (1, 1),
        "anthropic-mcp.1.json": (1, 1),
        "openai-custom-tool.1.json": (1, 0),
        "xai-x-search-tool.chunks.txt": (2, 1),
    },
    BLOCKS: {
        "amazon-bedrock-json-with-tool.1.json": (2, 1),
        "anthropic-code-execution-20250825.2.json": (0, 1),
        "anthropic-code-execution-20250825.pptx-skill.json": (0, 1),
        "anthropic-web-search-tool.1.json": (0, 1),
        "test_anthropic_advisor_tool_message_replay.yaml": (0, 2),
        "test_anthropic_text_editor_code_execution_tool.yaml": (0, 1),
        "test_anthropic_web_search_tool.yaml": (0, 2),
    },
    UNSEEN: {
        "amazon-bedrock-json-tool-text-then-weather-then-json.1.chunks.txt": (2, 1),
        "amazon-bedrock-json-with-tool.1.chunks.txt": (2, 1),
        "amazon-bedrock-json-with-tools.1.chunks.txt": (3, 1),
        "amazon-bedrock-tool-call.1.chunks.txt": (1, 0),
        "amazon-bedrock-tool-no-args.chunks.txt": (1, 1),
        "cohere-tool-call.chunks.txt": (2, 0),
        "cohere-tool-call.json": (2, 0),
        "google-search.json": (0, 1),
        "test_bedrock_model_code_execution_tool_stream.yaml": (2, 0),
        "tool_return_content-binary-video-xai].xai.yaml": (1, 0),
        "tool_return_content-url-image-xai].xai.yaml": (1, 1),
        "tool_return_content-url_force_download-video-xai].xai.yaml": (1, 0),
        "test_text_tool_round_parity[openai-current].yaml": (1, 2),
        "test_text_tool_round_parity[xai-pinned].yaml": (1, 2),
        "test_xai_builtin_mcp_server_tool.xai.yaml": (2, 2),
        "test_xai_builtin_web_search_tool_stream.xai.yaml": (0, 1),
        "test_xai_builtin_x_search_tool.xai.yaml": (0, 1),
        "tool-call-step1.chunks.txt": (1, 0),
        "tool-call-step1.json": (1, 0),
    },
    SEVERAL: {
        "anthropic-programmatic-tool-calling.1.chunks.txt": (1, 2),
        "anthropic-tool-search-deferred-bm25.chunks.txt": (2, 3),
        "anthropic-tool-search-deferred-regex.chunks.txt": (2, 3),
    },
    FETCHED: {
        "test_background_mode_streaming_continuation_vcr.yaml": (0, 1),
    },
    PARTIAL: {
        "google-stream-no-args-tool-call.chunks.txt": (4, 0),
        "google-stream-tool-call-arguments.chunks.txt": (2, 0),
        "google-stream-tool-call-array-arguments-missing-terminal-function-call.chunks.txt": (1, 0),
    },
}
"""Calls and texts of the files that were counted otherwise, by the end of their names."""

UNREADABLE: Final = {
    "test_writer_chat_tool_calls_legacy.yaml": 1,  # a request body that is no JSON
    "test_writer_async_chat_tool_calls_with_events_with_content.yaml": 1,  # the same
    "parallel-tool-call-wrapper.1.chunks.txt": 2,  # two lines lack their last brace
}
NO_LOGS: Final = ("test_query_real_agent_span.yaml", "when_hooks_unavailable.yaml")
"""Cassettes of a command line, not of an API."""

HOSTED_RESULTS: Final = {
    "test_multi_agent_collaborator.yaml": 2,
    "test_tool_calls_without_input_params.yaml": 1,
    "test_openai_responses_model_mcp_server_tool.yaml": 1,
    "test_openai_responses_model_mcp_server_tool_stream.yaml": 1,
    "test_bedrock_model_with_code_execution_tool.yaml": 1,
}
"""Results that stand in answers, of tools that the provider ran."""

REPLAYED: Final = "test_anthropic_to_google_deferred_capability_history_replay.yaml"
"""One conversation goes on with another provider, which gives its results other ids."""


SOCKETS: Final = (".xai.yaml", "parity[openai-current].yaml", "parity[xai-pinned].yaml")
"""Captures that tell no address, so that their provider is not known."""

ORPHANS: Final = (
    "tool_return_content-url-image-xai].xai.yaml",  # a protocol that pairs by order alone
    "test_tool_availability_portability_matrix[R5-T3-native-search].yaml",  # answers a search
)
"""One result each answers no call that has arguments."""


def counted(shared: Path, folder: str) -> Iterator[tuple[Path, int, int, int]]:
    corpora = shared / "corpora"
    for line in (corpora / "COUNTS.jsonl").read_text("utf-8").splitlines():
        counts = json.loads(line)
        if counts["file"].startswith(f"{folder}/"):
            yield corpora / counts["file"], counts["calls"], counts["results"], counts["texts"]


def by_end(table: dict[str, Any], path: Path, default: Any) -> Any:
    return next((value for end, value in table.items() if path.name.endswith(end)), default)


def right(path: Path, calls: int, texts: int) -> tuple[int, int]:
    found = [known for table in RIGHT.values() if (known := by_end(table, path, None))]
    assert len(found) <= 1, path
    return found[0] if found else (calls, texts)


def is_log(path: Path) -> bool:
    return not path.name.endswith(NO_LOGS)


@pytest.mark.parametrize("folder", READERS)
def test_files_agree_with_the_independent_count(
    shared: Path, read_log: ReadLog, folder: str
) -> None:
    wrong: list[object] = []
    for path, calls, _, texts in counted(shared, folder):
        if not is_log(path):
            assert (calls, texts) == (0, 0)
            assert detect(LogFile(path, path.name, named=True)).reader is None
            continue
        log = read_log(path)
        assert log.reader == READERS[folder], path
        said = [text for text in log.of(AssistantText) if not text.reasoning]
        if (len(log.of(Call)), len(said)) != right(path, calls, texts):
            wrong.append((path.name, len(log.of(Call)), len(said)))
        assert len(log.unreadable) == by_end(UNREADABLE, path, 0), path
    assert wrong == []


def test_every_exception_is_a_file(shared: Path) -> None:
    paths = [path for folder in READERS for path, *_ in counted(shared, folder)]
    assert len(paths) == 308
    ends = [end for table in RIGHT.values() for end in table]
    for end in [*ends, *UNREADABLE, *HOSTED_RESULTS, *NO_LOGS, *ORPHANS, REPLAYED]:
        assert sum(path.name.endswith(end) for path in paths) == 1, end


def objects(value: Any) -> Iterator[dict[str, Any]]:
    """Every object inside a value."""
    if isinstance(value, dict):
        yield value
        for member in value.values():
            yield from objects(member)
    elif isinstance(value, list):
        for member in value:
            yield from objects(member)


def sent(interaction: dict[str, Any]) -> Any:
    """What the program sent in an interaction of a cassette."""
    if "direction" in interaction:
        return interaction["data"] if interaction["direction"] == "sent" else None
    request = interaction.get("request") or interaction.get("request_sample") or {}
    body = request.get("parsed_body", request.get("body", request.get("json")))
    try:
        return json.loads(body) if isinstance(body, str) else body
    except ValueError:
        return None


def answered(body: Any) -> Iterator[str]:
    """The call ids (or else the contents) of the results in a request."""
    for part in objects(body):
        if part.get("type") in ("function_call_output", "custom_tool_call_output"):
            yield part["call_id"]
        elif part.get("type") in ("tool_result", "mcp_tool_result"):
            yield part["tool_use_id"]
        elif "toolResult" in part:
            yield part["toolResult"]["toolUseId"]
        elif "functionResponse" in part or "function_response" in part:
            yield json.dumps(part.get("functionResponse", part.get("function_response")))
        elif part.get("role") in ("tool", "ROLE_TOOL", "function"):
            yield part.get("tool_call_id") or json.dumps(part)


@pytest.mark.parametrize("folder", [folder for folder in READERS if folder.startswith("vcr")])
def test_every_result_is_told_once(shared: Path, read_log: ReadLog, folder: str) -> None:
    for path, _, results, _ in counted(shared, folder):
        if not is_log(path) or path.name.endswith(REPLAYED):
            continue
        most: Counter[str] = Counter()
        told = 0
        document = yaml.load(path.read_bytes(), Loader=yaml.CSafeLoader)
        for interaction in document["interactions"]:
            here = Counter(answered(sent(interaction)))
            told += here.total()
            most |= here
        found = len(read_log(path).of(Result)) - by_end(HOSTED_RESULTS, path, 0)
        assert found == most.total(), path
        assert told >= results, path


def every(shared: Path, read_log: ReadLog) -> Iterator[tuple[Path, Reading]]:
    for folder in READERS:
        for path, *_ in counted(shared, folder):
            if is_log(path):
                yield path, read_log(path)


def test_what_a_call_carries(shared: Path, read_log: ReadLog) -> None:
    orphans: list[str] = []
    for path, log in every(shared, read_log):
        positions = [record.position for record in log.records if not isinstance(record, Session)]
        assert positions == sorted(set(positions))
        calls = {call.position: call for call in log.of(Call)}
        for call in calls.values():
            assert call.tool
            assert call.provider is not None or path.name.endswith((".json", ".txt", *SOCKETS)), (
                path
            )
            if call.form is ArgumentsForm.VALUE:
                json.loads(call.arguments)
        for result in log.of(Result):
            made = calls.get(-1 if result.call_position is None else result.call_position)
            if made is None:
                orphans.append(path.name)
                continue
            assert made.session == result.session
            assert result.call_id in (made.call_id, None) or made.call_id is None
    assert len(orphans) == len(ORPHANS)
    assert all(name.endswith(ORPHANS) for name in orphans)
