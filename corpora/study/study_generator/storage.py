"""Files of the corpus: the same sessions give the same bytes, whatever the clock says."""

import gzip
import hashlib
import io
import json
import zlib
from pathlib import Path
from typing import Any, Final

import zstandard

from study_generator.sessions import Session

_LEVEL: Final = 9
_TRUTH_LEVEL: Final = 15


def clear(folder: Path) -> None:
    """Remove the sessions of an earlier run, and nothing else."""
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("session-*.jsonl.*"):
        old.unlink()


def store_session(folder: Path, session: Session, *, plain: bool) -> str:
    """Write a log as the harness stores it, or plain within gzip; give back its text."""
    text = "".join((session.header, *session.batches))
    if plain:
        (folder / f"{session.id}.jsonl.gz").write_bytes(_gzipped(text))
    else:
        frames = (_frame(part) for part in (session.header, *session.batches))
        (folder / f"{session.id}.jsonl.zstd").write_bytes(b"".join(frames))
    return text


def store_truth(path: Path, lines: list[dict[str, Any]]) -> str:
    """Write the truth, one line per call; give back its text."""
    text = "".join(
        json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n" for line in lines
    )
    compressor = zstandard.ZstdCompressor(level=_TRUTH_LEVEL, write_checksum=True)
    path.write_bytes(compressor.compress(text.encode()))
    return text


def codecs() -> dict[str, str]:
    """The releases that pack the files; with the same ones, a seed gives the same bytes."""
    return {
        "zstd": ".".join(str(part) for part in zstandard.ZSTD_VERSION),
        "zlib": zlib.ZLIB_RUNTIME_VERSION,
    }


def digest(texts: list[str]) -> str:
    """A checksum of what the files hold, whichever release of a codec packed them."""
    total = hashlib.sha256()
    for text in texts:
        total.update(text.encode())
    return total.hexdigest()


def _frame(text: str) -> bytes:
    compressor = zstandard.ZstdCompressor(
        level=_LEVEL, write_checksum=True, write_content_size=False
    )
    return compressor.compress(text.encode())


def _gzipped(text: str) -> bytes:
    buffer = io.BytesIO()
    with gzip.GzipFile(filename="", fileobj=buffer, mode="wb", compresslevel=9, mtime=0) as file:
        file.write(text.encode())
    return buffer.getvalue()
