"""Files that no program should have written: each is read as far as it goes or refused with a
reason, in a folder and by name; nothing is raised but errors meant for people, and nothing is
silent."""

from __future__ import annotations

import gzip
import io
import json
import sqlite3
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Final, NamedTuple

import pytest
import zstandard

from toolfix_audit.audit.ingest import ingest
from toolfix_audit.model.errors import ToolfixError
from toolfix_audit.store.store import Store

SESSION: Final = b'{"type":"session","session":"s","harness":"dsh"}'
CHAT: Final = {"model": "m", "messages": [{"role": "user", "content": "hi"}]}
ANSWER: Final = {
    "id": "1",
    "object": "chat.completion",
    "choices": [{"finish_reason": "stop", "message": {"role": "assistant", "content": "hi"}}],
}


def call(arguments: bytes = b"{}") -> bytes:
    return b'{"type":"tool/call","session":"s","id":"c","tool":"t","arguments":' + arguments + b"}"


def lines(*rows: bytes, end: bytes = b"\n") -> bytes:
    return b"".join(row + end for row in (SESSION, *rows))


def zipped(name: str, content: bytes) -> bytes:
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr(name, content)
    return archive.getvalue()


def zstd(*frames: bytes) -> bytes:
    return b"".join(zstandard.ZstdCompressor(write_checksum=True).compress(one) for one in frames)


def entry() -> str:
    request = {"url": "http://x", "postData": {"text": json.dumps(CHAT)}}
    response = {"status": 200, "content": {"text": json.dumps(ANSWER)}}
    return json.dumps({"request": request, "response": response})


def har(*, between: str = ",", cut: int = 0, tail: bytes = b"") -> bytes:
    text = '{"log":{"version":"1.2","entries":[' + between.join([entry(), entry()]) + "]}}"
    return text[: len(text) - cut].encode() + tail


def opencode(tail: bytes) -> bytes:
    part = {"type": "tool", "tool": "read", "callID": "c", "state": {"status": "running"}}
    message = {"info": {"role": "assistant"}, "parts": [part]}
    text = json.dumps({"info": {"id": "s", "directory": "/x"}, "messages": [message, message]})
    return text.encode()[:-2] + tail


def cassette(body: str, *before: str) -> bytes:
    interaction = (
        f"- request: {{uri: http://x, body: {body}}}\n  response: {{body: {{string: hi}}}}"
    )
    return "\n".join([*before, "interactions:", interaction, interaction, ""]).encode()


def yaml_bomb() -> bytes:
    levels = [f"- &a{n + 1} [{', '.join([f'*a{n}'] * 10)}]" for n in range(12)]
    return "\n".join(["interactions:", "- &a0 [x, x]", *levels, "- request: {body: *a12}"]).encode()


def data_base(damage: Callable[[bytes], bytes]) -> bytes:
    """An OpenCode data base of many pages, damaged."""
    with sqlite3.connect(":memory:") as opened:
        opened.executescript(
            "CREATE TABLE session (id, data); CREATE TABLE message (id, session_id, data);"
            "CREATE TABLE part (id, message_id, session_id, data);"
        )
        rows = [
            (f"p{n}", "m", "s", json.dumps({"type": "text", "text": "x" * 99})) for n in range(900)
        ]
        opened.executemany("INSERT INTO part VALUES (?, ?, ?, ?)", rows)
        opened.commit()
        return damage(opened.serialize())


class Nasty(NamedTuple):
    """A file: what is in it that can be read, and how many rows tell of what can't; or the word
    that says why it is no log at all."""

    content: bytes
    calls: int = 0
    unreadable: int = 0
    refused: str | None = None


SAMPLE: Final = zipped("header.json", b"{}")
TORN: Final = json.dumps(list(range(9999))).encode()
DEEP: Final = b'{"a":' * 1000 + b"1" + b"}" * 1000

FILES: Final = {
    "a mark of byte order in the middle": Nasty(lines(b"\xef\xbb\xbf" + call(), call()), 1, 1),
    "a mark of byte order inside a row": Nasty(lines(call()[:-1] + b"\xef\xbb\xbf}"), 0, 1),
    "line ends of DOS": Nasty(lines(call(), b"", call(), end=b"\r\n"), 2),
    "line ends of an old Mac": Nasty(lines(call(), call(), end=b"\r"), 0, 1),
    "no last line end": Nasty(lines(call())[:-1], 1),
    "a character cut by the end": Nasty(lines(call(), call(b'"\xe2\x82'))[:-2], 1, 1),
    "another encoding": Nasty(lines(call(b'"\xe9t\xe9"'), call()), 1, 1),
    "NUL bytes for a line": Nasty(lines(b"\0" * 4, call()), 1, 1),
    "NUL bytes at the end": Nasty(lines(call()) + b"\0" * 4096, 1, 1),
    "NUL bytes in a row": Nasty(lines(call(b'"\0"'), call()), 1, 1),
    "half a surrogate pair": Nasty(lines(call(b'"\\ud800"'), call(b'{"\\udfff": 1}')), 2),
    "a thousand levels": Nasty(lines(call(DEEP), call()), 2),
    "levels without an end": Nasty(lines(call(b"[" * 100_000), call()), 1, 1),
    "what is no number": Nasty(lines(call(b"NaN"), call(b"[-Infinity]"), call(b"1e999")), 1, 2),
    "long integers": Nasty(lines(call(b"12345678901234567890"), call(b"9" * 6000)), 2),
    "repeated keys": Nasty(lines(call(b'{"a":1,"a":2}'), call()[:-1] + b',"tool":"u"}'), 2),
    "rows of every wrong type": Nasty(lines(b"1", b"null", b"[]", b'"x"', b"{}", call()), 1, 5),
    "names without an end": Nasty(lines(call().replace(b'"t"', b'"' + b"t" * 500_000 + b'"')), 1),
    "nothing": Nasty(b"", refused="empty file"),
    "blank lines": Nasty(b"\n \n\t\r\n" * 9, refused="empty file"),
    "only a mark of byte order": Nasty(b"\xef\xbb\xbf\n", refused="empty file"),
    "random bytes": Nasty(bytes(range(256)) * 99, refused="binary file"),
    "UTF-16": Nasty(lines(call()).decode().encode("utf-16"), refused="binary file"),
    "UTF-16 without a mark": Nasty(
        lines(call()).decode().encode("utf-16-be"), refused="binary file"
    ),
    "prose": Nasty(b"hello\n", refused="no reader recognises it"),
    "numbers": Nasty(b"[1, 2, 3]", refused="no reader recognises it"),
    "a zip in a zip": Nasty(zipped("a.zip", zipped("a", call())), refused="archive of files"),
    "a zip in gzip": Nasty(gzip.compress(zipped("a", call())), refused="archive of files"),
    "gzip in gzip": Nasty(gzip.compress(gzip.compress(lines(call()))), refused="binary file"),
    "a bomb in gzip": Nasty(gzip.compress(lines(call()) + b"\0" * 100_000_000), 1, 1),
    "a bomb in zstd": Nasty(zstd(lines(call()), b"x" * 100_000_000), 1, 1),
    "a torn frame": Nasty(zstd(lines(call()), call(TORN))[:-9], 1, 1),
    "a torn first frame": Nasty(zstd(lines(call()))[:9], refused="damaged compressed file"),
    "a frame of rubbish": Nasty(zstd(lines(call())) + b"\x28\xb5\x2f\xfd" + b"\xff" * 9, 1, 1),
    "an archive of HTTP cut in the middle": Nasty(har(cut=50), 0, 1),
    "an archive of HTTP without a comma": Nasty(har(between=""), 0, 1),
    "an archive of HTTP with a tail": Nasty(har(tail=b"\xff"), 0, 1),
    "an export with a tail": Nasty(opencode(b"]}\xff\xfe"), 2, 1),
    "an export that breaks": Nasty(opencode(b", oh no"), 2, 1),
    "aliases that grow": Nasty(yaml_bomb(), 0, 14),
    "an alias of itself": Nasty(
        cassette("x").replace(b"- request", b"- &a\n  b: *a\n  request"), 0, 1
    ),
    "a tag that asks for code": Nasty(cassette("!!python/object/apply:os.system [exit]")),
    "a cassette cut in the middle": Nasty(cassette("x")[:-20] + b'"', 0, 1),
    "a cassette with repeated keys": Nasty(cassette("x, body: y")),
    "a cut data base": Nasty(data_base(lambda data: data[: len(data) // 2]), 0, 1),
    "a data base that is only a head": Nasty(
        data_base(lambda data: data[:60]), refused="binary file"
    ),
    "an archive of samples cut in the middle": Nasty(SAMPLE[: len(SAMPLE) // 2], 0, 1),
}


@pytest.mark.parametrize("name", FILES)
def test_a_nasty_file_is_read_as_far_as_it_goes(name: str, tmp_path: Path) -> None:
    nasty = FILES[name]
    path = tmp_path / "logs" / "some.file"
    path.parent.mkdir()
    path.write_bytes(nasty.content)
    with Store.temporary() as store:
        done = ingest(store, [str(path.parent)])
        assert [one.reason for one in done.passed_over] == (
            [nasty.refused] if nasty.refused else []
        )
        for source in done.loaded:
            tally = source.tally
            assert tally.units == tally.records + sum(tally.ignored.values()) + tally.unreadable
            assert tally.units
            assert (tally.calls, tally.unreadable) == (nasty.calls, nasty.unreadable)
        faults = store.unreadable_rows(99)
        assert len(faults) == nasty.unreadable
        assert all(fault.cause for fault in faults)
        if nasty.refused:
            with pytest.raises(ToolfixError) as refusal:
                ingest(store, [str(path)])
            assert str(path) in refusal.value.message
            assert refusal.value.hint
        else:
            ingest(store, [str(path)])


def test_a_folder_with_the_name_of_a_log_is_a_folder(tmp_path: Path) -> None:
    folder = tmp_path / "x.jsonl"
    folder.mkdir()
    (folder / "y.jsonl").write_bytes(lines(call()))
    (folder / "self").symlink_to(folder)
    (folder / "up").symlink_to(tmp_path)
    (folder / "dangling").symlink_to(tmp_path / "none")
    (folder / "round").symlink_to(folder / "round")
    with Store.temporary() as store:
        done = ingest(store, [str(folder), str(tmp_path)])
        assert [source.tally.calls for source in done.loaded] == [1]
        assert done.passed_over == []


def test_text_in_utf_16_is_told_how_to_mend_it(tmp_path: Path) -> None:
    path = tmp_path / "export.json"
    path.write_bytes(lines(call()).decode().encode("utf-16"))
    with Store.temporary() as store, pytest.raises(ToolfixError, match="convert it to UTF-8"):
        ingest(store, [str(path)])
