"""The page: one file, nothing foreign in it, readable, small."""

from __future__ import annotations

import base64
import hashlib
import re
from dataclasses import replace
from functools import cache
from html.parser import HTMLParser
from importlib.resources import files
from itertools import pairwise

import pytest

from toolfix_audit.model.json import Json
from toolfix_audit.model.report import MisfixExample, Report, SourceRow, ToolRow
from toolfix_audit.report.html import MAX_BYTES, render

from .samples import EMPTY, FAILING, HOSTILE, HUGE, TYPICAL, counts, hostile

REPORTS = {
    "empty": EMPTY,
    "typical": TYPICAL,
    "failing": FAILING,
    "hostile": hostile(),
    "huge": hostile(HUGE + HOSTILE),
}
SAMPLES = pytest.mark.parametrize("name", REPORTS)

OUR_TAGS = {
    *("html", "head", "meta", "title", "style", "script", "body", "header", "nav", "main"),
    *("section", "footer", "div", "p", "span", "a", "b", "strong", "h1", "h2", "h3", "ul", "ol"),
    *("li", "dl", "dt", "dd", "table", "caption", "thead", "tbody", "tr", "th", "td", "details"),
    *("summary", "code", "pre", "ins", "del", "label", "input", "output", "svg", "circle", "path"),
    *("figure", "figcaption", "rect"),
}
VOID_TAGS = {"meta", "input"}


class Page(HTMLParser):
    """Every tag with its attributes, ids, and text outside style and script."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict[str, str]]] = []
        self.open: list[str] = []
        self.words: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, {name: value or "" for name, value in attrs}))
        if tag not in VOID_TAGS:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open[-1:] not in (["style"], ["script"]):
            self.words.append(data)

    def attributes(self, name: str) -> list[str]:
        return [attrs[name] for _, attrs in self.tags if name in attrs]

    @property
    def text(self) -> str:
        return "".join(self.words)


@cache
def rendered(name: str) -> str:
    """The page of a sample, made once."""
    return render(REPORTS[name])


@SAMPLES
def test_nothing_foreign_is_in_the_page(name: str) -> None:
    page = Page(rendered(name))
    ids = page.attributes("id")
    assert {tag for tag, _ in page.tags} <= OUR_TAGS
    assert page.open == []
    assert len(set(ids)) == len(ids)
    for _, attrs in page.tags:
        assert "src" not in attrs
        assert "style" not in attrs
        assert not [name for name in attrs if name.startswith("on")]
        assert attrs.get("href", "#main")[:1] == "#"
        assert attrs.get("href", "#main")[1:] in ids
        for reference in ("aria-labelledby", "for"):
            assert reference not in attrs or attrs[reference] in ids
    assert [tag for tag, _ in page.tags].count("script") == 1


@SAMPLES
def test_policy_allows_only_our_style_and_script(name: str) -> None:
    text = rendered(name)
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', text)
    assert policy
    allowed = policy.group(1).replace("&#39;", "'")
    assert allowed.startswith("default-src 'none'; ")
    assert "unsafe" not in allowed
    for tag in ("style", "script"):
        [inside] = re.findall(rf"<{tag}>(.*?)</{tag}>", text, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(inside.encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in allowed


def test_hostile_text_is_shown_as_text() -> None:
    text = rendered("hostile")
    assert "<script>alert" not in text
    assert "<img" not in text
    shown = Page(text).text
    for part in ("</script><script>alert(1)</script><img src=//evil.example/x onerror=alert(2)>",):
        assert part in shown
    for part in ("{{7*7}} {% raw %}", "\\x1b[31mred", "\\u202egpj.exe\\u2066", "\\ud800", "&amp;"):
        assert part in shown
    assert not set("\x00\x07\x1b\x9b\u202e\u2066\u200b\ud800") & set(text)


def test_verdict_is_text_and_shape_not_only_colour() -> None:
    passed, failed = render(TYPICAL), render(FAILING)
    assert "<strong>PASS</strong>" in passed
    assert "<strong>FAIL</strong>" in failed
    assert 'class="shape"' in failed
    assert 'class="shape"' not in passed
    assert "<title>FAIL · toolfix-audit report</title>" in failed


@SAMPLES
def test_reads_without_eyes_or_mouse(name: str) -> None:
    page = Page(rendered(name))
    tags = [tag for tag, _ in page.tags]
    for landmark in ("header", "nav", "main", "footer", "h1"):
        assert tags.count(landmark) == 1
    assert tags.count("caption") == tags.count("table")
    assert all(attrs["scope"] in {"col", "row"} for tag, attrs in page.tags if tag == "th")
    for tag, attrs in page.tags:
        if attrs.get("class") == "scroll":
            assert attrs["tabindex"] == "0"
            assert attrs["role"] == "region"
        if tag == "svg":
            is_hidden = attrs.get("aria-hidden") == "true"
            assert is_hidden or (attrs["role"] == "img" and attrs["aria-label"])
    first_link = next(attrs for tag, attrs in page.tags if tag == "a")
    assert first_link == {"class": "skip", "href": "#main"}
    levels = [int(tag[1]) for tag in tags if re.fullmatch(r"h\d", tag)]
    assert all(after - before <= 1 for before, after in pairwise(levels))


def test_mis_fix_section_is_always_there() -> None:
    for report in (EMPTY, TYPICAL, FAILING):
        assert 'id="misfixes"' in render(report)
    shown = Page(render(TYPICAL)).text
    assert "0 mis-fixes in 10,260 probes" in shown
    assert "alternate-schema" in shown
    assert "the value of 'configuration' moved to 'description'" in Page(render(FAILING)).text


def test_examples_show_the_difference_and_the_command() -> None:
    text = render(TYPICAL)
    assert "<del>-   &#34;skill_name&#34;: &#34;pdf&#34;,</del>" in text
    assert "<ins>+   &#34;name&#34;: &#34;pdf&#34;,</ins>" in text
    shown = Page(text).text
    assert "toolfix-audit show 3f9a1c" in shown
    assert "412 calls like this" in shown
    assert "Corpus: synthetic" in shown


def test_command_of_a_hostile_call_id_is_quoted_or_absent() -> None:
    example = TYPICAL.examples[0]
    quoted = replace(TYPICAL, examples=(replace(example, call="$(rm -rf ~); x"),))
    assert "toolfix-audit show '$(rm -rf ~); x'" in Page(render(quoted)).text
    for call in ("a\x1bb", "--db", "x" * 300):
        absent = replace(TYPICAL, examples=(replace(example, call=call),))
        assert "toolfix-audit show" not in Page(render(absent)).text


def _enormous() -> Report:
    deep: Json = "\u202e" * 100_000
    for _ in range(3000):
        deep = {"arguments": deep}
    wide: Json = {f"&'\"<{n}>" * 20: ["\U000e0041" * 500] * 20 for n in range(400)}
    name = "\U0001f600'\"" * 1000
    example = replace(TYPICAL.examples[0], tool=name, call=name, before=wide, after=deep)
    reports = tuple(
        replace(example, families=(f"{name}{n % 6}",), outcome=outcome)
        for n in range(60)
        for outcome in ("fixed", "swallowed", "still_failing", "untouched", "unjudged")
    )
    conviction = MisfixExample(name, name, name, "needless", (name,), name, wide, deep)
    return replace(
        FAILING,
        verdict=replace(FAILING.verdict, reasons=(name,) * 2000),
        labels={f"{n}{name}": name for n in range(500)},
        misfixes=replace(FAILING.misfixes, examples=(conviction,) * 500),
        tools=tuple(ToolRow(f"{name}{n}", n, counts(0, 0, n, 0, 0, 0)) for n in range(2000)),
        sources=tuple(SourceRow(f"{name}{n}", name, 1, 1, 1, 1) for n in range(2000)),
        families=tuple(replace(FAILING.families[0], code=f"{name}{n}") for n in range(2000)),
        examples=reports,
        notes=(name,) * 2000,
        wrapper_depth={f"{name}{n}": 1 for n in range(500)},
    )


def test_size_holds_whatever_the_report() -> None:
    text = render(_enormous())
    assert len(text.encode()) <= MAX_BYTES
    assert "more" in text


def test_full_page_of_ordinary_examples_is_small() -> None:
    examples = tuple(
        replace(example, call=f"{n:06x}", families=(family,), outcome="fixed", after=example.before)
        for family in "ABCDEFKLMN"
        for n in range(25)
        for example in TYPICAL.examples[1:2]
    )
    text = render(replace(TYPICAL, examples=examples))
    assert text.count('class="card"') == 250
    assert len(text.encode()) < 800_000


def test_script_is_small_and_never_parses_markup() -> None:
    script = files("toolfix_audit.report.html").joinpath("page.js").read_text(encoding="utf-8")
    assert len(script.encode()) <= 3072
    assert not re.search(r"innerHTML|outerHTML|insertAdjacent|document\.write|eval", script)


def _luminance(color: str) -> float:
    digits = color.lstrip("#")
    if len(digits) == 3:
        digits = "".join(digit * 2 for digit in digits)
    channels = [int(digits[place : place + 2], 16) / 255 for place in (0, 2, 4)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _contrast(one: str, other: str) -> float:
    dark, light = sorted((_luminance(one), _luminance(other)))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
def test_contrast_is_enough_in_both_schemes(scheme: int) -> None:
    style = files("toolfix_audit.report.html").joinpath("page.css").read_text(encoding="utf-8")
    blocks = re.findall(r":root \{(.*?)\}", style, re.DOTALL)
    tokens = dict(re.findall(r"--([\w-]+): (#\w+)", blocks[0]))
    if scheme:
        tokens |= dict(re.findall(r"--([\w-]+): (#\w+)", blocks[1]))
    pairs = [(ink, ground) for ink in ("ink", "dim", "faint", "link") for ground in ("bg", "soft")]
    pairs += [(tone, ground) for tone in ("good", "bad", "warn") for ground in ("bg", f"{tone}-bg")]
    pairs += [("ink", "bad-bg"), ("dim", "bad-bg")]
    pairs += [("bar-ink", "pass-bar"), ("bar-ink", "fail-bar")]
    for ink, ground in pairs:
        assert _contrast(tokens[ink], tokens[ground]) >= 4.5, (ink, ground)
