"""Fuzzing: no bytes make a reader raise, and no line vanishes.

The values are made of the very words that the readers look for, so that they get deep into them;
then some bytes are broken. `TOOLFIX_FUZZ_MINUTES` makes it run so long for all readers together.
"""

from __future__ import annotations

import ast
import gzip
import os
import re
import time
from functools import cache
from pathlib import Path

import pytest
import zstandard
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

import toolfix_audit.logs
from toolfix_audit.logs.detect import detect
from toolfix_audit.logs.reader import BalancedUnits, Reader
from toolfix_audit.logs.readers import READERS
from toolfix_audit.logs.sources import LogFile
from toolfix_audit.model.json import dump_json
from toolfix_audit.model.records import Unit
from toolfix_audit.store.gather import gather

MINUTES = float(os.environ.get("TOOLFIX_FUZZ_MINUTES", "0"))
EXAMPLES = 200 if MINUTES else 12
PACKAGE = Path(toolfix_audit.logs.__file__).parent
WORD = re.compile(r"[\w/.:-]{1,40}")


@cache
def words(reader: str) -> tuple[str, ...]:
    """The words in the code of a reader, and in what all readers share."""
    own = PACKAGE / "readers" / f"{reader.replace('-', '_')}.py"
    files = [own, own, own, *sorted(PACKAGE.glob("*.py"))]
    found = []
    for path in files:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                found += [node.value] if WORD.fullmatch(node.value) else []
    return tuple(found)


def values(reader: str) -> st.SearchStrategy[object]:
    """JSON values whose keys and texts are mostly words of the reader."""
    known = st.sampled_from(words(reader))
    text = known | known | st.text(st.characters(exclude_categories=()), max_size=8)
    json_text = st.sampled_from(['{"a":1}', '{"path"', "[1,", "data: {}\n\n", "1764496800000", "é"])
    scalar = text | text | json_text | st.none() | st.booleans() | st.integers() | st.floats()
    return st.recursive(
        scalar,
        lambda inner: (
            st.lists(inner, max_size=4)
            | st.dictionaries(known, inner, max_size=6)
            | st.dictionaries(known, inner, max_size=6)
        ),
        max_leaves=25,
    )


def breakage() -> st.SearchStrategy[list[tuple[int, bytes]]]:
    """Bytes to put over others, at places told as a share of the length."""
    bits = st.sampled_from(
        [
            b"",
            b"\n",
            b"\r\n",
            b"\0",
            b"\xff",
            b"\xc3",
            b'"',
            b"{",
            b"}",
            b"[",
            b"\xef\xbb\xbf",
            b"\\",
        ]
    ) | st.binary(max_size=3)
    return st.lists(st.tuples(st.integers(0, 9999), bits), max_size=3)


def packed(data: bytes, how: str) -> bytes:
    if how.startswith("gzip"):
        data = gzip.compress(data, 1, mtime=0)
    elif how.startswith("zstd"):
        data = zstandard.ZstdCompressor().compress(data)
    return data[: -len(data) // 3] if how.endswith("cut") else data


PACKINGS = ["plain"] * 6 + ["gzip", "zstd", "gzip cut", "zstd cut"]


@st.composite
def logs(draw: st.DrawFn, reader: str) -> bytes:
    rows = draw(st.lists(values(reader), min_size=1, max_size=5))
    separator = draw(st.sampled_from(["\n", "\n", "\r\n", "\n\n", ""]))
    data = separator.join(dump_json(row) for row in rows).encode()  # type: ignore[arg-type]
    for place, bits in draw(breakage()):
        at = place * len(data) // 10_000
        data = data[:at] + bits + data[at + draw(st.integers(0, 2)) :]
    return packed(data, draw(st.sampled_from(PACKINGS)))


def check(reader: Reader, path: Path) -> None:
    """Read a file by a reader: everything that goes in comes out, as one unit each."""
    file = LogFile(path, "some file", named=True)
    units = reader.read(file)
    found: list[Unit] = list(units)
    for unit in found:
        ways = (bool(unit.records), unit.ignored is not None, unit.unreadable is not None)
        assert sum(ways) == 1
        if unit.unreadable is not None:
            assert unit.unreadable.cause
            assert unit.unreadable.line >= 0  # 0 where there are no lines, as in a data base
            assert unit.unreadable.offset >= 0
    if isinstance(units, BalancedUnits):
        assert units.taken == units.given == len(found)
    list(gather(iter(found), "some file", reader.name))


@pytest.mark.parametrize("reader", READERS, ids=lambda reader: reader.name)
def test_no_bytes_make_a_reader_raise(reader: Reader, tmp_path: Path) -> None:
    path = tmp_path / "some.file"
    end = time.monotonic() + MINUTES * 60 / len(READERS)

    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        phases=(Phase.generate, Phase.shrink),
        suppress_health_check=list(HealthCheck),
        database=None,
    )
    @given(logs(reader.name))
    def fuzz(data: bytes) -> None:
        path.write_bytes(data)
        detect(LogFile(path, "some file", named=True))
        check(reader, path)

    fuzz()
    while time.monotonic() < end:
        fuzz()
