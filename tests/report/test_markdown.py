"""Markdown, read by a real parser: nothing of a log becomes markup."""

from __future__ import annotations

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token

from toolfix_audit.model.report import Report
from toolfix_audit.report import markdown
from toolfix_audit.report.markdown import MAX_CHARACTERS, code
from toolfix_audit.report.redact import redact

from .samples import EMPTY, FAILING, HOSTILE, HUGE, TYPICAL, hostile

PARSER = MarkdownIt("commonmark", {"html": True}).enable(["table"])
MARKUP = HOSTILE + " @someone #12 https://evil.example ![x](//evil.example) <b>|`|``|\n# x\n| a |"
ALLOWED = {
    *("heading", "paragraph", "bullet_list", "list_item", "fence", "inline", "text"),
    *("code_inline", "softbreak", "table", "thead", "tbody", "tr", "th", "td"),
}


def _tokens(report: Report) -> list[Token]:
    tokens = PARSER.parse(markdown.render(report))
    return [one for token in tokens for one in (token, *(token.children or ()))]


def _kinds(report: Report) -> set[str]:
    return {token.type.removesuffix("_open").removesuffix("_close") for token in _tokens(report)}


@pytest.mark.parametrize("report", [EMPTY, TYPICAL, FAILING, hostile(), hostile(MARKUP)])
def test_no_link_picture_or_html(report: Report) -> None:
    assert _kinds(report) <= ALLOWED


def test_no_text_of_a_log_stands_outside_code() -> None:
    plain = "".join(token.content for token in _tokens(hostile(MARKUP)) if token.type == "text")
    assert "evil" not in plain
    assert "@someone" not in plain
    assert "#12" not in plain


def test_tables_keep_their_columns_whatever_the_text() -> None:
    for report in (TYPICAL, hostile(MARKUP)):
        rows: list[int] = []
        for token in _tokens(report):
            if token.type == "tr_open":
                rows.append(0)
            elif token.type in ("td_open", "th_open"):
                rows[-1] += 1
            elif token.type == "table_close":
                assert len(set(rows)) == 1
                rows = []


@pytest.mark.parametrize("report", [EMPTY, FAILING, hostile(), hostile(HUGE), redact(hostile())])
def test_it_fits_a_comment(report: Report) -> None:
    text = markdown.render(report)
    assert len(text) <= MAX_CHARACTERS
    text.encode()


def test_it_starts_with_the_verdict_and_shows_the_conviction() -> None:
    text = markdown.render(FAILING)
    assert text.startswith("## toolfix-audit: FAIL  1 mis-fix in 10,260 probes")
    assert "key-unrelated" in text
    assert '-   "configuration": "fast"' in text


@pytest.mark.parametrize("text", ["a", "`", "``x`", " x ", "a`b``c", "|", "\\", "x`"])
def test_a_code_span_comes_back(text: str) -> None:
    tokens = PARSER.parseInline(code(text, 100))[0].children or []
    assert [(token.type, token.content) for token in tokens] == [("code_inline", text)]
