"""Inspect evaluation logs: `.json` documents, and `.eval` archives with one file per sample."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from toolfix_audit.logs.dialogues import (
    Conversation,
    Dialogue,
    Part,
    Row,
    Shape,
    items_of,
    iter_pieces,
    read_pieces,
)
from toolfix_audit.logs.documents import Item
from toolfix_audit.logs.fields import list_at, object_at, text_at
from toolfix_audit.logs.head import Head
from toolfix_audit.logs.inspect_samples import InspectSample, failed_generations
from toolfix_audit.logs.reader import Reader, Tier
from toolfix_audit.logs.session_records import SessionRecords, Source
from toolfix_audit.logs.sources import LogFile
from toolfix_audit.logs.zip_members import ZIP_MAGIC, Member, first_member, iter_members
from toolfix_audit.model.json import Json, JsonError, parse_json
from toolfix_audit.model.records import Record, Session, Unit

_HEADERS: Final = ("header.json", "_journal/start.json")
_SAMPLES: Final = "samples/"


def _split(document: Json) -> list[Part] | None:
    if not isinstance(document, dict) or not _is_log(document):
        return None
    evaluation = object_at(document, "eval")
    samples = [sample for sample in list_at(document, "samples") if isinstance(sample, dict)]
    return [
        Part({"eval": evaluation, "sample": sample}, list_at(sample, "messages"))
        for sample in samples
    ]


def _open(conversation: Conversation, source: Source) -> Dialogue:
    evaluation = object_at(conversation.document, "eval")
    sample = object_at(conversation.document, "sample")
    name = text_at(sample, "uuid") or source.name(conversation.ordinal)
    records = SessionRecords(name, source.positions)
    session = Session(
        name,
        harness="inspect-ai",
        version=text_at(object_at(evaluation, "packages"), "inspect_ai"),
        started=text_at(sample, "started_at") or text_at(evaluation, "created"),
    )
    opening: list[Record] = [session, *failed_generations(records, sample)]
    model = text_at(evaluation, "model") or ""
    messages = list_at(sample, "messages")
    return Dialogue(opening, InspectSample(records, sample, messages, model).read)


def _read(file: LogFile) -> Iterator[Unit]:
    with file.path.open("rb") as stream:
        packed = stream.read(4) == ZIP_MAGIC
    items = _archived(file) if packed else items_of(file)
    return read_pieces(file, iter_pieces(items, _SHAPE), _SHAPE)


def _archived(file: LogFile) -> Iterator[Item]:
    """Every sample of an archive, as a log of its own with the archive's header."""
    header: Row = {}
    for member in iter_members(file.path, _HEADERS):
        value = _value(member).value
        header = value if isinstance(value, dict) else header
        if member.name == _HEADERS[0]:
            break
    samples = 0
    for member in iter_members(file.path, (_SAMPLES,)):
        samples += 1
        item = _value(member)
        log = {**header, "samples": [item.value]}
        yield item if item.cause else Item(item.line, item.offset, log)
    if not samples and not _is_log(header):
        yield Item(1, 0, None, None, "a zip archive without samples is no Inspect log")


def _value(member: Member) -> Item:
    """The JSON value of a member; its offset is that of the member in the archive."""
    if member.data is None:
        return Item(1, member.offset, None, None, member.cause)
    try:
        return Item(1, member.offset, parse_json(member.data.decode()))
    except (JsonError, UnicodeDecodeError) as error:
        return Item(1, member.offset, None, None, f"{member.name}: not JSON: {error}")


def _detect(head: Head) -> bool:
    name = first_member(head.first)
    if name is not None:
        return name in _HEADERS or name.startswith((_SAMPLES, "_journal/"))
    return any(isinstance(value, dict) and _is_log(value) for value in head.values)


def _is_log(document: Row) -> bool:
    evaluation = object_at(document, "eval")
    return "task" in evaluation and "model" in evaluation


_SHAPE: Final = Shape(_split, _open)

READER = Reader(
    name="inspect-ai",
    summary="Inspect evaluation logs (.json, .eval)",
    tier=Tier.PROVEN,
    detect=_detect,
    read=_read,
)
