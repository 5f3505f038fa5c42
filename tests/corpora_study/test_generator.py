"""The files of the study corpus: small, reproducible, and stored as the harness stores its logs."""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import Any

import pytest
import zstandard

from .study_logs import STUDY, Corpus, log_files, text_of

_MEGABYTE = 1_000_000
_MAGIC = b"\x28\xb5\x2f\xfd"


def _figures(folder: Path) -> dict[str, Any]:
    figures: dict[str, Any] = json.loads((folder / "figures.json").read_text(encoding="utf-8"))
    return figures


def test_corpus_is_small() -> None:
    files = [
        path for path in STUDY.rglob("*") if path.is_file() and "__pycache__" not in path.parts
    ]
    assert sum(path.stat().st_size for path in files) < 6 * _MEGABYTE


def test_checked_in_text_is_that_of_its_seed(
    checked_in: Corpus, generated: dict[str, Path]
) -> None:
    kept, fresh = _figures(STUDY), _figures(generated["same"])
    assert kept["seed"] == 1
    assert checked_in.digest == kept["sha256"]
    assert fresh | {"codecs": kept["codecs"]} == kept


def test_same_seed_gives_same_files(generated: dict[str, Path]) -> None:
    fresh = generated["same"]
    assert [path.name for path in log_files(fresh)] == [path.name for path in log_files(STUDY)]
    if _figures(fresh)["codecs"] != _figures(STUDY)["codecs"]:
        pytest.skip("other releases of the codecs pack the same text into other bytes")
    for path in (path for path in fresh.rglob("*") if path.is_file()):
        assert path.read_bytes() == (STUDY / path.relative_to(fresh)).read_bytes(), path.name


def test_other_seed_gives_other_sessions(generated: dict[str, Path]) -> None:
    other = {path.name for path in log_files(generated["other"])}
    assert not other & {path.name for path in log_files(STUDY)}


def test_a_tenth_of_the_logs_is_plain_and_the_rest_framed() -> None:
    plain = [path for path in log_files(STUDY) if path.suffix == ".gz"]
    framed = [path for path in log_files(STUDY) if path.suffix == ".zstd"]
    assert len(plain) + len(framed) == 200
    assert len(plain) >= 20
    for path in framed:
        data = path.read_bytes()
        header = zstandard.ZstdDecompressor().decompressobj().decompress(data).decode()
        assert header == text_of(path).splitlines(keepends=True)[0]
        parameters = zstandard.get_frame_parameters(data)
        assert parameters.has_checksum
        assert parameters.content_size == zstandard.CONTENTSIZE_UNKNOWN
        assert data.count(_MAGIC) >= 2


def test_gzip_holds_no_clock() -> None:
    for path in log_files(STUDY):
        if path.suffix == ".gz":
            assert path.read_bytes()[4:8] == bytes(4)


def test_generator_imports_nothing_of_the_product() -> None:
    sources = [STUDY / "generate.py", *(STUDY / "study_generator").glob("*.py")]
    assert len(sources) > 10
    for source in sources:
        for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom):
                names = [node.module or ""]
            assert not any(name.split(".")[0] == "toolfix_audit" for name in names), source


def test_readme_says_synthetic_first() -> None:
    text = (STUDY / "README.md").read_text(encoding="utf-8")
    assert text.split("\n\n")[1].startswith("**SYNTHETIC.**")
