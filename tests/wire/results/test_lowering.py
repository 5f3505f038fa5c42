"""Family H, lowering: the official SDKs take every form, and no byte of an image changes."""

from __future__ import annotations

import base64
import importlib
import json
import pkgutil
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from anthropic.types import ImageBlockParam, TextBlockParam, ToolResultBlockParam
from google.genai.types import FunctionResponse
from mcp.types import CallToolResult, ImageContent
from openai.types.chat import ChatCompletionToolMessageParam, ChatCompletionUserMessageParam
from openai.types.responses.response_function_call_output_item_list_param import (
    ResponseFunctionCallOutputItemListParam,
)
from openai.types.responses.response_input_item_param import FunctionCallOutput
from pydantic import TypeAdapter

from toolfix_audit.model.json import Json
from toolfix_audit.wire.results import targets
from toolfix_audit.wire.results.lowering import Batch, dry_run, image_finding, lower_batch
from toolfix_audit.wire.results.targets import TARGETS, Head, target_of

from .samples import IMAGES, MCP_IMAGE, PNG, PNG_URL, TEXT, coded, text_of

KINDS = tuple(IMAGES)
Sdk = Callable[[dict[str, Any]], list[bytes]]


def _stringified(kind: str) -> str:
    image: Json = {"type": "image", "data": coded(IMAGES[kind]), "mimeType": kind}
    return text_of({"content": [TEXT, image], "isError": False})


def _of_url(url: str) -> bytes:
    return base64.b64decode(url.partition(",")[2])


def _responses(result: dict[str, Any]) -> list[bytes]:
    made = TypeAdapter(FunctionCallOutput).validate_python(result)
    parts: Any = result["output"]
    output = TypeAdapter(ResponseFunctionCallOutputItemListParam).validate_python(parts)
    assert made == result
    assert output == parts
    return [_of_url(str(part["image_url"])) for part in parts if "image_url" in part]


def _anthropic(result: dict[str, Any]) -> list[bytes]:
    TypeAdapter(ToolResultBlockParam).validate_python(result)
    blocks = TypeAdapter(list[TextBlockParam | ImageBlockParam]).validate_python(result["content"])
    assert blocks == result["content"]
    sources = [block["source"] for block in result["content"] if block["type"] == "image"]
    return [base64.b64decode(source["data"]) for source in sources]


def _converse(result: dict[str, Any]) -> list[bytes]:
    """Checked by the AWS model, which takes bytes raw where JSON has them as base64."""
    session = importlib.import_module("botocore.session").get_session()
    shape = session.get_service_model("bedrock-runtime").shape_for("ToolResultBlock")
    raw = json.loads(json.dumps(result["toolResult"]))
    images = [block["image"] for block in raw["content"] if "image" in block]
    for image in images:
        image["source"]["bytes"] = base64.b64decode(image["source"]["bytes"])
        assert (
            image["format"]
            in shape.members["content"].member.members["image"].members["format"].enum
        )
    report = importlib.import_module("botocore.validate").ParamValidator().validate(raw, shape)
    assert not report.has_errors(), report.generate_report()
    return [image["source"]["bytes"] for image in images]


def _gemini(result: dict[str, Any]) -> list[bytes]:
    made = FunctionResponse.model_validate_json(json.dumps(result["functionResponse"]))
    blobs = [part.inline_data for part in made.parts or []]
    assert [blob.mime_type for blob in blobs if blob] == [
        part["inlineData"]["mimeType"] for part in result["functionResponse"]["parts"]
    ]
    return [blob.data for blob in blobs if blob and blob.data]


def _mcp(result: dict[str, Any]) -> list[bytes]:
    made = CallToolResult.model_validate(result)
    return [base64.b64decode(one.data) for one in made.content if isinstance(one, ImageContent)]


def _chat(result: dict[str, Any]) -> list[bytes]:
    assert TypeAdapter(ChatCompletionToolMessageParam).validate_python(result) == result
    assert isinstance(result["content"], str)
    return []


SDKS: dict[str, Sdk] = {
    "responses": _responses,
    "anthropic": _anthropic,
    "chat": _chat,
    "converse": _converse,
    "gemini": _gemini,
    "mcp": _mcp,
}


def _user_images(after: tuple[Json, ...]) -> Iterator[bytes]:
    for message in after:
        assert isinstance(message, dict)
        parts = message["content"]
        assert isinstance(parts, list)
        TypeAdapter(ChatCompletionUserMessageParam).validate_python(message)
        for part in parts:
            assert isinstance(part, dict)
            if part["type"] == "image_url":
                assert isinstance(part["image_url"], dict)
                yield _of_url(str(part["image_url"]["url"]))


def test_every_target_file_is_in_the_registry() -> None:
    names = {module.name for module in pkgutil.iter_modules(targets.__path__)} - {"target"}
    modules = [importlib.import_module(f"{targets.__name__}.{name}") for name in names]
    assert {module.TARGET.name for module in modules} == {target.name for target in TARGETS}
    assert len(modules) == len(TARGETS)


def test_every_target_has_its_sdk() -> None:
    assert SDKS.keys() == {target.name for target in TARGETS}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", SDKS)
def test_a_recorded_result_becomes_what_the_sdk_takes(name: str, kind: str) -> None:
    findings = dry_run(_stringified(kind), Head("call_1", "shot"))
    assert {finding.target.name for finding in findings} == SDKS.keys()
    finding = next(one for one in findings if one.target.name == name)
    assert finding.lowered is not None
    images = SDKS[name](finding.lowered.result)
    if finding.lowered.carried:
        images = list(_user_images(finding.target.carry([("call_1", finding.lowered.carried)])))
    assert images == [IMAGES[kind]]
    assert "screenshot" in json.dumps(finding.lowered.result)
    assert finding.tokens.method.startswith("estimate")


SENT: dict[str, Callable[[str], dict[str, Json]]] = {
    "responses": lambda text: {"type": "function_call_output", "call_id": "c1", "output": text},
    "anthropic": lambda text: {"type": "tool_result", "tool_use_id": "c1", "content": text},
    "chat": lambda text: {"role": "tool", "tool_call_id": "c1", "content": text},
    "converse": lambda text: {
        "toolResult": {"toolUseId": "c1", "content": [{"text": text}], "status": "success"}
    },
    "gemini": lambda text: {
        "functionResponse": {"id": "c1", "name": "shot", "response": {"output": text}}
    },
    "mcp": lambda text: {"content": [{"type": "text", "text": text}], "isError": False},
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", SENT)
def test_a_sent_result_becomes_what_the_sdk_takes(name: str, kind: str) -> None:
    sent = SENT[name](_stringified(kind))
    before = json.dumps(sent)
    batch = lower_batch([sent])
    assert [finding.target.name for finding in batch.findings] == [name]
    assert json.dumps(sent) == before
    result = batch.results[0]
    assert isinstance(result, dict)
    assert [*SDKS[name](result), *_user_images(batch.after)] == [IMAGES[kind]]
    assert "screenshot" in json.dumps(result)
    assert batch.findings[0].characters_removed >= len(coded(IMAGES[kind]))


@pytest.mark.parametrize("name", SENT)
@pytest.mark.parametrize("text", ["plain", text_of([TEXT]), f"see {PNG_URL}", text_of({"a": PNG})])
def test_other_results_are_the_very_objects(name: str, text: str) -> None:
    sent = SENT[name](text)
    batch = lower_batch([sent])
    assert batch == Batch((sent,), (), ())
    assert batch.results[0] is sent


@pytest.mark.parametrize("name", SENT)
def test_a_lowered_result_has_no_defect(name: str) -> None:
    once = lower_batch([SENT[name](_stringified("image/png"))])
    again = lower_batch(once.results)
    assert again.findings == ()
    assert again.results == once.results


@pytest.mark.parametrize("name", SENT)
def test_other_media_leave_the_result_as_it_is(name: str) -> None:
    sent = SENT[name](text_of([{"type": "audio", "data": "AAAA", "mimeType": "audio/wav"}]))
    batch = lower_batch([sent])
    assert batch.results[0] is sent
    assert [finding.error for finding in batch.findings] == ["unsupported_media:audio/wav"]
    assert batch.findings[0].characters_removed == 0


def test_images_of_a_batch_come_after_its_last_result() -> None:
    plain: Json = {"role": "tool", "tool_call_id": "c2", "content": "done"}
    first, last = SENT["chat"](PNG_URL), {**SENT["chat"](PNG_URL), "tool_call_id": "c3"}
    batch = lower_batch([first, plain, last])
    assert [one["role"] for one in batch.results if isinstance(one, dict)] == ["tool"] * 3
    assert batch.results[1] is plain
    image: Json = {"type": "image_url", "image_url": {"url": PNG_URL}}
    assert batch.after == (
        {
            "role": "user",
            "content": [
                {"type": "text", "text": "[result of c1]"},
                image,
                {"type": "text", "text": "[result of c3]"},
                image,
            ],
        },
    )


def test_several_images_of_a_result_are_counted_in_the_placeholder() -> None:
    batch = lower_batch([SENT["chat"](text_of([TEXT, MCP_IMAGE, MCP_IMAGE]))])
    result = batch.results[0]
    assert isinstance(result, dict)
    assert result["content"] == "screenshot\n[2 images attached in the next message]"
    assert len(list(_user_images(batch.after))) == 2


def test_an_image_part_in_a_tool_message_is_of_a_foreign_shape() -> None:
    part: Json = {"type": "image_url", "image_url": {"url": PNG_URL}}
    sent: Json = {"role": "tool", "tool_call_id": "c1", "content": [TEXT, part]}
    batch = lower_batch([sent])
    assert list(_user_images(batch.after)) == [IMAGES["image/png"]]


def test_a_block_of_another_kind_is_never_lost() -> None:
    link: Json = {"type": "resource_link", "uri": "file:///a.txt"}
    sent: Json = {"role": "tool", "tool_call_id": "c1", "content": [link, PNG_URL]}
    result = lower_batch([sent]).results[0]
    assert isinstance(result, dict)
    assert '"file:///a.txt"' in str(result["content"])


def test_an_error_of_anthropic_holds_texts_only() -> None:
    sent: Json = {**SENT["anthropic"](PNG_URL), "is_error": True}
    finding = image_finding(sent)
    assert finding is not None
    assert (finding.lowered, finding.error) == (None, "image_in_error_result")
    assert lower_batch([sent]).results[0] is sent


@pytest.mark.parametrize(
    "sent",
    [
        {"type": "tool_result", "tool_use_id": "a", "content": [{"type": "document", "source": {
            "type": "base64", "media_type": "application/pdf", "data": "JVBERi0xLjQK"}}]},
        {"type": "tool_result", "tool_use_id": "a"},
        {"type": "tool_result", "tool_use_id": "a", "content": [TEXT, {"type": "image", "source": {
            "type": "url", "url": "https://host/a.png"}}]},
        {"type": "function_call_output", "call_id": "a", "output": [
            {"type": "input_image", "image_url": PNG_URL}]},
        {"type": "function_call_output", "call_id": "a", "output": [
            {"type": "input_file", "file_data": "data:application/pdf;base64,JVBERi0xLjQK"}]},
        {"toolResult": {"toolUseId": "a", "content": [
            {"image": {"format": "png", "source": {"bytes": PNG}}}]}},
        {"toolResult": {"toolUseId": "a", "content": [{"json": {"shot": PNG}}]}},
        {"functionResponse": {"name": "n", "response": {"output": "ok"}, "parts": [
            {"inlineData": {"mimeType": "image/png", "data": PNG}}]}},
        {"functionResponse": {"name": "n", "response": {"shot": PNG, "title": "t"}}},
        {"content": [TEXT, MCP_IMAGE], "isError": False},
        {"content": [{"type": "audio", "data": "AAAA", "mimeType": "audio/wav"}]},
        {"role": "tool", "tool_call_id": "a", "content": None},
        {"role": "user", "content": PNG_URL},
        {"type": "message", "content": text_of([MCP_IMAGE])},
        {"toolResult": "text"},
        {},
    ],
)  # fmt: skip
def test_native_and_foreign_things_stay(sent: dict[str, Json]) -> None:
    assert image_finding(sent) is None
    assert lower_batch([sent]).results[0] is sent


def test_what_is_no_result_has_no_target() -> None:
    values: tuple[Json, ...] = (None, "text", 5, [], {"type": "message"})
    for value in values:
        assert target_of(value) is None
        assert image_finding(value) is None
