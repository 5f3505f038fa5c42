"""Files and lines: what is found, and what hostile bytes become."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import os
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from toolfix_audit.logs import sources
from toolfix_audit.logs.sources import (
    Line,
    LogFile,
    content_digest,
    content_digests,
    find_logs,
    iter_lines,
)
from toolfix_audit.model.errors import ReadError

from .conftest import WriteLog


def lines_of(path: Path, *, limit: int = 10_000) -> list[Line]:
    return list(iter_lines(LogFile(path, path.name, named=True), limit=limit))


def texts_of(path: Path) -> list[bytes | None]:
    return [line.data for line in lines_of(path)]


def shown(paths: list[str]) -> list[str]:
    return [file.shown for file in find_logs(paths)]


def frames(*parts: bytes, size: bool = False) -> bytes:
    compressor = zstandard.ZstdCompressor(write_content_size=size, write_checksum=True)
    return b"".join(compressor.compress(part) for part in parts)


def test_numbers_and_offsets_count_every_byte(write_log: WriteLog) -> None:
    path = write_log(b"a", b"", b"  ", "é", b"b")
    assert [(line.number, line.offset, line.data) for line in lines_of(path)] == [
        (1, 0, b"a"),
        (4, 6, "é".encode()),
        (5, 9, b"b"),
    ]


@given(
    st.lists(st.sampled_from([b"a", b"\n", b"\r", b" ", b"\xff", b"\xc3\xa9", b"\xef\xbb\xbf"])),
    st.integers(1, 5),
)
def test_no_line_vanishes_however_the_blocks_fall(pieces: list[bytes], size: int) -> None:
    data = b"".join(pieces)
    blocks = [data[start : start + size] for start in range(0, len(data), size)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sources, "read_blocks", lambda *_: iter(blocks))
        found = list(iter_lines(LogFile(Path("x"), "x", named=True)))
    offset = 0
    expected: list[tuple[int, int, bytes | None]] = []
    for number, raw in enumerate(data.split(b"\n"), 1):
        line = raw.removeprefix(b"\xef\xbb\xbf") if number == 1 else raw
        if line.strip():
            good = line.decode(errors="replace").encode() == line
            expected.append((number, offset, line.removesuffix(b"\r") if good else None))
        offset += len(raw) + 1
    assert [(line.number, line.offset, line.data) for line in found] == expected
    assert all((line.data is None) == (line.cause is not None) for line in found)


def test_a_last_line_needs_no_end(write_log: WriteLog) -> None:
    assert texts_of(write_log(b"a\nb", end="")) == [b"a", b"b"]


def test_crlf_and_a_byte_order_mark_are_no_content(write_log: WriteLog) -> None:
    path = write_log(b"\xef\xbb\xbfa\r\n\r\nb\r\n\xef\xbb\xbfc", end="")
    assert texts_of(path) == [b"a", b"b", b"\xef\xbb\xbfc"]


def test_invalid_utf8_spoils_one_line_only(write_log: WriteLog) -> None:
    good, bad, last = lines_of(write_log(b"a", b"x\xff", b"c"))
    assert (good.data, last.data) == (b"a", b"c")
    assert bad.data is None
    assert bad.cause == "not UTF-8: byte 0xff at byte 1 of the line"


def test_a_huge_line_is_refused_and_the_next_is_read(write_log: WriteLog) -> None:
    path = write_log(b"a", b"x" * 5_000_000, b"b")
    first, huge, last = lines_of(path, limit=1000)
    assert (first.data, last.data) == (b"a", b"b")
    assert huge.data is None
    assert huge.cause == "the line has 5000000 bytes, more than the limit of 1000"
    assert last.offset == 5_000_003


@pytest.mark.parametrize("name", ["log.jsonl", "log.gz", "log.zst"])
def test_compression_is_told_by_content(write_log: WriteLog, name: str) -> None:
    data = b"a\n" * 50_000
    for packed in (data, gzip.compress(data), frames(data), frames(data, size=True)):
        assert texts_of(write_log(packed, end="", name=name)) == [b"a"] * 50_000


def test_many_frames_and_members_are_one_text(write_log: WriteLog) -> None:
    parts = [b'{"n":%d}\n' % number for number in range(300)]
    halves = [b"one\ntw", b"o\nthree\n"]
    assert len(texts_of(write_log(frames(*parts), end=""))) == 300
    assert texts_of(write_log(frames(*halves), end="")) == [b"one", b"two", b"three"]
    packed = b"".join(gzip.compress(half) for half in halves) + b"\0" * 600
    assert texts_of(write_log(packed, end="")) == [b"one", b"two", b"three"]


def test_a_skippable_frame_holds_no_lines(write_log: WriteLog) -> None:
    skippable = b"\x50\x2a\x4d\x18" + (4).to_bytes(4, "little") + b"skip"
    assert texts_of(write_log(skippable + frames(b"a\n") + skippable, end="")) == [b"a"]


@pytest.mark.parametrize("cut", range(1, 30))
def test_a_torn_last_frame_gives_every_line_before_it(write_log: WriteLog, cut: int) -> None:
    last = frames(b"two\n" * 9 + b"three\n")
    path = write_log(frames(b"one\n", b"uno\n") + last[: -min(cut, len(last) - 1)], end="")
    *whole, torn = lines_of(path)
    assert [line.data for line in whole[:2]] == [b"one", b"uno"]
    assert all(line.data is not None for line in whole)
    assert torn.data is None
    assert "the zstd data is cut" in str(torn.cause)
    assert torn.number == len(whole) + 1


def test_a_torn_gzip_member_gives_every_complete_line(write_log: WriteLog) -> None:
    data = b"".join(b"%d %s\n" % (n, os.urandom(9).hex().encode()) for n in range(5000))
    *whole, torn = lines_of(write_log(gzip.compress(data)[:-2000], end=""))
    assert 3000 < len(whole) < 5000
    assert b"\n".join(line.data or b"" for line in whole) == data[: torn.offset - 1]
    assert str(torn.cause).startswith("the gzip data is cut")
    assert "unfinished line" in str(torn.cause)


def test_damaged_data_ends_with_its_cause(write_log: WriteLog) -> None:
    for packed in (frames(b"a\n") + b"garbage", gzip.compress(b"a\n") + b"garbage"):
        first, damaged = lines_of(write_log(packed, end=""))
        assert first.data == b"a"
        assert str(damaged.cause).startswith("damaged ")


def test_what_inflates_without_bound_stays_small(write_log: WriteLog) -> None:
    bomb = b"\0" * (64 << 20)
    for packed in (frames(bomb), gzip.compress(bomb)):
        assert len(packed) < 200_000
        (line,) = lines_of(write_log(packed, end=""), limit=1000)
        assert str(line.cause).startswith("the line has 67108864 bytes")


def test_directories_are_read_sorted_with_hidden_files(tmp_path: Path) -> None:
    for name in ("b.jsonl", "a/z.log", "a/.hidden", ".c/x"):
        file = tmp_path / name
        file.parent.mkdir(exist_ok=True)
        file.write_text("{}")
    found = list(find_logs([str(tmp_path)]))
    names = [file.path.relative_to(tmp_path).as_posix() for file in found]
    assert names == [".c/x", "a/.hidden", "a/z.log", "b.jsonl"]
    assert not any(file.named for file in found)
    assert found[0].shown == (tmp_path / ".c/x").as_posix()


def test_loops_of_links_pipes_and_repeats_are_harmless(tmp_path: Path) -> None:
    (tmp_path / "log").write_text("{}")
    (tmp_path / "loop").symlink_to(tmp_path, target_is_directory=True)
    (tmp_path / "self").symlink_to(tmp_path / "self")
    (tmp_path / "again").symlink_to(tmp_path / "log")
    os.mkfifo(tmp_path / "pipe")
    found = list(find_logs([str(tmp_path), str(tmp_path / "log"), str(tmp_path / "loop")]))
    assert [file.path.name for file in found] == ["again"]


def test_a_named_file_is_shown_as_it_was_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("x.jsonl").write_text("{}")
    (file,) = find_logs(["./x.jsonl"])
    assert (file.shown, file.named) == ("./x.jsonl", True)
    assert shown(["./x.jsonl", "x.jsonl"]) == ["./x.jsonl"]


def test_stdin_is_a_file_like_any_other(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.TextIOWrapper(io.BytesIO(gzip.compress(b'{"a":1}\n')))
    monkeypatch.setattr(sys, "stdin", stream)
    (file,) = find_logs(["-"])
    assert (file.shown, file.named) == ("<stdin>", True)
    assert [line.data for line in iter_lines(file)] == [b'{"a":1}']
    assert content_digest(file) == content_digest(file)


def test_a_missing_path_is_named_with_a_mend(tmp_path: Path) -> None:
    missing = tmp_path / "none.jsonl"
    with pytest.raises(ReadError, match=r"none\.jsonl: No such file") as caught:
        list(find_logs([str(missing)]))
    assert caught.value.hint
    with pytest.raises(ReadError):
        list(iter_lines(LogFile(missing, "none", named=True)))
    with pytest.raises(ReadError):
        content_digest(LogFile(missing, "none", named=True))


def test_nothing_beyond_the_size_is_looked_at(write_log: WriteLog) -> None:
    lines = [b"%d" % number for number in range(9)]
    for data in (b"\n".join(lines), gzip.compress(b"\n".join(lines)), frames(b"\n".join(lines))):
        path = write_log(data + b"garbage", end="")
        file = LogFile(path, "x", named=True, size=len(data))
        assert [line.data for line in iter_lines(file)] == lines
        assert content_digest(file) == hashlib.sha256(data).hexdigest()


def test_both_digests_are_taken_in_one_pass(write_log: WriteLog) -> None:
    path = write_log(b"abcdef", end="")
    file = LogFile(path, "x", named=True, size=4)
    ab, abcd, all_of_it = (hashlib.sha256(data).hexdigest() for data in (b"ab", b"abcd", b"abcdef"))
    assert content_digests(file, 2) == (abcd, ab)
    assert content_digests(replace(file, size=None), 2) == (all_of_it, ab)
    assert content_digests(replace(file, size=None), 9) == (all_of_it, all_of_it)


def test_bytes_are_told_as_they_are_read(write_log: WriteLog) -> None:
    path = write_log(frames(b"x" * 3_000_000 + b"\n") * 5, end="")
    told: list[int] = []
    file = LogFile(path, "x", named=True, on_read=told.append)
    assert len(list(iter_lines(file))) == 5
    assert sum(told) == path.stat().st_size


def test_the_digest_is_of_the_raw_bytes(write_log: WriteLog) -> None:
    path = write_log(json.dumps({}), end="")
    digest = content_digest(LogFile(path, "x", named=True))
    assert digest == "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"


def test_a_closed_folder_inside_a_folder_is_told_by_reading_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed = tmp_path / "closed"
    closed.mkdir()
    (tmp_path / "log").write_text("{}")
    iterdir = Path.iterdir

    def guarded(path: Path) -> Iterator[Path]:
        if path == closed:
            raise PermissionError(13, "Permission denied", str(path))
        return iterdir(path)

    monkeypatch.setattr(Path, "iterdir", guarded)
    assert [file.path.name for file in find_logs([str(tmp_path)])] == ["closed", "log"]
    with pytest.raises(ReadError, match="Permission denied"):
        list(find_logs([str(closed)]))
