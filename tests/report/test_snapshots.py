"""What every emitter writes, byte for byte."""

from __future__ import annotations

import re
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion
from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode

from toolfix_audit.model.report import Report
from toolfix_audit.report import EMITTERS, Emitter

from .samples import FAILING, hostile


def _file_kind(suffix: str) -> type[SingleFileSnapshotExtension]:
    """A snapshot of plain text in a file of its own."""
    return type(
        "TextFile",
        (SingleFileSnapshotExtension,),
        {"_write_mode": WriteMode.TEXT, "file_extension": suffix.lstrip(".")},
    )


@pytest.mark.parametrize("emitter", EMITTERS, ids=lambda emitter: str(emitter.name))
@pytest.mark.parametrize(("kind", "report"), [("failing", FAILING), ("hostile", hostile())])
def test_snapshot(emitter: Emitter, kind: str, report: Report, snapshot: SnapshotAssertion) -> None:
    text: Any = emitter.render(report)
    if emitter.name == "html":
        text = re.sub(r"<(style|script)>.*?</\1>", r"<\1></\1>", text, flags=re.DOTALL)
        text = re.sub(r"sha256-[^&']+", "sha256-…", text)
    assert text == snapshot(name=kind, extension_class=_file_kind(emitter.suffix))
