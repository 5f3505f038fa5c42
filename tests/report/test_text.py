"""The form for a terminal: order, widths, and hostile strings."""

from __future__ import annotations

from dataclasses import replace

import pytest
from rich.cells import cell_len

from toolfix_audit.model.report import EngineInfo, Report, ToolRow
from toolfix_audit.report import EMITTERS
from toolfix_audit.report.emitter import Emitter
from toolfix_audit.report.text import render

from .samples import EMPTY, FAILING, HUGE, TYPICAL, counts, hostile

WIDTHS = (60, 80, 100, 160)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("report", [EMPTY, TYPICAL, FAILING, hostile()], ids=["e", "t", "f", "h"])
def test_no_line_is_wider_than_asked_but_the_last(report: Report, width: int) -> None:
    *lines, last = render(report, width=width).splitlines()
    assert max(cell_len(line) for line in lines) <= width
    assert last.startswith(("PASS  ", "FAIL  "))


def test_last_line_is_the_verdict() -> None:
    assert render(TYPICAL).splitlines()[-1] == (
        "PASS  0 mis-fixes in 10,260 probes; 1,666 fixed, 28 swallowed, 29 still failing, "
        "270 untouched, 37 unjudged  exit 0"
    )
    assert render(FAILING).splitlines()[-1].startswith("FAIL  1 mis-fix in 10,260 probes;")
    assert render(EMPTY).splitlines()[-1] == "FAIL  0 mis-fixes in 0 probes; 0 fixed  exit 3"


def test_title_line_holds_the_verdict() -> None:
    assert render(TYPICAL).splitlines()[0].endswith("PASS")
    assert render(FAILING).splitlines()[0].endswith("FAIL")


def test_convictions_name_call_tool_kind_and_detail() -> None:
    text = render(FAILING)
    assert "key-unrelated  skill  call d00d01  D" in text
    assert "the value of 'configuration' moved to 'description'" in text


def test_what_was_not_checked_comes_with_a_command() -> None:
    text = render(TYPICAL)
    assert "35 calls (no-schema): no tool schema, so no verdict" in text
    assert "toolfix-audit dryrun logs --schemas tools.json" in text
    assert "2 records could not be read" in text


def test_synthetic_corpus_is_said_so() -> None:
    assert "corpus: synthetic" in render(TYPICAL)
    noted = replace(TYPICAL, labels={}, notes=("The corpus is synthetic.",))
    assert "corpus: The corpus is synthetic." in render(noted)
    assert "corpus:" not in render(FAILING)


def test_tools_are_worst_first_and_capped() -> None:
    rows = tuple(ToolRow(f"tool-{n:02}", 100, counts(100 - n, 0, n, 0, 0, 0)) for n in range(20))
    text = render(replace(TYPICAL, tools=rows))
    assert text.index("tool-19") < text.index("tool-05")
    assert "tool-04" not in text
    assert "… and 5 more" in text


def test_hostile_text_is_shown_and_never_obeyed() -> None:
    text = render(hostile(), width=160)
    assert "\x1b" not in text
    assert not {"\x9b", "\x07", "\x00", "\u202e", "\u2066", "\u200b", "\ud800"} & set(text)
    assert "[/red][bold link=http://evil.example]x[/]" in text
    assert ":smile:" in text
    assert "\\x1b[31mred" in text
    assert "\\u202egpj.exe" in text
    assert "\\ud800" in text


def test_only_our_own_colours_are_written() -> None:
    text = render(hostile(), color=True)
    assert "\x1b[" in text
    assert "\x1b]" not in text
    assert "\x1b[31mred" not in text


def test_long_values_are_cut_and_counted() -> None:
    text = render(hostile(HUGE))
    assert len(text) < 40_000
    assert "… +1,048,456 chars" in text


def test_order_of_sections() -> None:
    text = render(FAILING)
    places = [
        text.index(part)
        for part in (
            "What became of every call",
            "Defect families",
            "What the host made",
            "left as they are",
            "Tools, worst first",
            "Models",
            "Not checked",
            "Mis-fix check",
            "Gate policies",
            "FAIL  1 mis-fix",
        )
    ]
    assert places == sorted(places)


@pytest.mark.parametrize("emitter", EMITTERS, ids=lambda emitter: emitter.name)
def test_another_engine_is_not_spoken_of_as_ours(emitter: Emitter) -> None:
    foreign = replace(TYPICAL, engine=EngineInfo("json_repair", "0.64.6", ()))
    text = emitter.render(foreign).lower()
    for word in ("for the better", "no trace of", "not guessed", "certain to be right"):
        assert word not in text, word
    assert "no trace of" not in render(foreign)
    assert "families none" not in render(foreign)
    assert "Shapes of the changes" in render(foreign)
    assert "--opt-in" not in render(foreign)


def test_our_own_engine_is_told_by_its_families() -> None:
    text = render(TYPICAL)
    assert "Defect families" in text
    assert "no trace of" in text
