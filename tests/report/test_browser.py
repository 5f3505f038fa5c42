"""What a person meets who opens the report: no error, no request, nothing clipped."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest
from playwright.sync_api import Browser, Locator

from toolfix_audit.report import html
from toolfix_audit.report.redact import redact

from .browsing import Opened, huge, open_page
from .samples import FAILING, hostile

ROOT = Path(__file__).parents[2]
KINDS = ("study", "huge", "failing", "hostile")
SIZES = [(1280, "light"), (1280, "dark"), (390, "light"), (390, "dark")]
TABLES = ("families", "tools", "models", "by-label", "by-source", "sources")
MORE_OF_THE_SAME = "tbody tr:nth-child(n+9), .card ~ .card ~ .card ~ .card"
FOCUSABLE = 'a[href], button, input, summary, [tabindex="0"]'

pytestmark = pytest.mark.xdist_group("browser")


@pytest.fixture(scope="module")
def page_file(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Where the page of a kind is; made when it is first asked for."""
    folder = tmp_path_factory.mktemp("reports")
    reports = {"failing": redact(FAILING), "hostile": redact(hostile())}

    def made(kind: str) -> Path:
        file = folder / f"{kind}.html"
        if not file.exists() and kind == "study":
            _audit_the_study(file)
        elif not file.exists():
            text = html.EMITTER.render(reports[kind] if kind in reports else huge())
            file.write_text(text, encoding="utf-8")
        return file

    return made


def _audit_the_study(file: Path) -> None:
    subprocess.run(
        [
            *(sys.executable, "-m", "toolfix_audit", "dryrun", "corpora/study/sessions"),
            *("--label", "corpus=synthetic", "--report", f"html={file}"),
        ],
        check=True,
        capture_output=True,
        cwd=ROOT,
    )


@pytest.fixture(scope="module", params=[(kind, *size) for kind in KINDS for size in SIZES], ids=str)
def view(
    request: pytest.FixtureRequest, browser: Browser, page_file: Callable[[str], Path]
) -> Iterator[Opened]:
    """A page, opened once for every test of it."""
    kind, width, scheme = request.param
    with opened(browser, page_file(kind), width=width, scheme=scheme) as found:
        yield replace(found, name=f"{kind} {width} {scheme}")


@contextmanager
def opened(
    browser: Browser, file: Path, *, width: int = 1280, scheme: str = "light", scripts: bool = True
) -> Iterator[Opened]:
    page = open_page(browser, file, width=width, scheme=scheme, scripts=scripts)
    yield page
    page.page.context.close()


def test_no_error_no_request_no_sideways_scroll_nothing_clipped(view: Opened) -> None:
    page = view.page
    assert view.errors == []
    assert [url for url in view.requests if not url.startswith("file:")] == []
    assert len(view.requests) == 1
    assert len(page.content().encode()) <= html.MAX_BYTES
    wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert wide <= 0
    clipped = page.evaluate(
        """[...document.querySelectorAll(
            '.tiles *, .bars *, figcaption, caption, h1, h2, .proof, .worst, .filter *')]
        .filter(e => !(e instanceof SVGElement) && e.scrollWidth > e.clientWidth + 1
                && getComputedStyle(e).display !== 'inline')
        .map(e => e.className + ': ' + e.textContent.slice(0, 60))"""
    )
    assert clipped == []


def test_verdict_and_proof_stand_above_the_fold(view: Opened) -> None:
    for selector in (".status strong", ".proof b"):
        box = view.page.locator(selector).first.bounding_box()
        assert box is not None
        assert box["y"] + box["height"] < 400


def _filter_of(scroll: Locator) -> tuple[Locator, Locator]:
    """The box of a filter, and where it tells what is shown."""
    line = scroll.locator("xpath=preceding-sibling::*[1]")
    return line.locator("input[type=search]"), line.locator("output")


def test_every_table_of_names_is_filtered_and_tells_how_many_rows_are_left(view: Opened) -> None:
    page = view.page
    filtered = 0
    for key in TABLES:
        scroll = page.locator(f".scroll:has(#t-{key})")
        rows = scroll.locator("tbody tr")
        if rows.count() < 3:
            assert scroll.count() == 0 or scroll.get_attribute("data-filter") is None
            continue
        box, told = _filter_of(scroll)
        name = rows.nth(1).locator("th").inner_text()
        total = rows.count()
        box.fill(name)
        left = scroll.locator("tbody tr:visible").count()
        assert 0 < left <= total
        assert told.inner_text() == f"{left} of {total} shown"
        box.fill("no such text in any row")
        assert scroll.locator("tbody tr:visible").count() == 0
        assert told.get_attribute("aria-live") == "polite"
        box.fill("")
        assert scroll.locator("tbody tr:visible").count() == total
        filtered += 1
    assert filtered or page.locator("#t-tools").count() == 1
    assert view.errors == []


def test_axe_finds_nothing_serious(view: Opened, axe: str) -> None:
    """The last look at a page: all but one lose what only repeats the markup before it."""
    if view.name != "study 1280 light":
        view.page.evaluate(
            f"document.querySelectorAll('{MORE_OF_THE_SAME}').forEach(e => e.remove())"
        )
    view.page.evaluate(axe)  # through the debugger, which the page's policy does not bind
    found = view.page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    serious = [
        (one["id"], one["nodes"][0]["html"][:200])
        for one in cast("dict[str, Any]", found)["violations"]
        if one["impact"] in ("serious", "critical")
    ]
    assert serious == []


@pytest.mark.parametrize("kind", ["study", "huge"])
def test_examples_are_filtered(
    browser: Browser, page_file: Callable[[str], Path], kind: str
) -> None:
    with opened(browser, page_file(kind)) as view:
        cards, headings = view.page.locator(".group .card"), view.page.locator(".group h3")
        box, told = _filter_of(view.page.locator("[data-filter=examples]"))
        total = cards.count()
        box.fill("no such text in any example")
        assert view.page.locator(".card:visible").count() == 0
        assert view.page.locator(".group h3:visible").count() == 0
        box.fill("UNWRAP:arguments fixed")
        visible = view.page.locator(".card:visible").count()
        assert 0 < visible <= total
        assert told.inner_text() == f"{visible} of {total} shown"
        box.fill("")
        assert view.page.locator(".group h3:visible").count() == headings.count()
        assert view.errors == []


@pytest.mark.parametrize("kind", ["study", "huge"])
def test_tables_are_sorted_by_click_and_by_key(
    browser: Browser, page_file: Callable[[str], Path], kind: str
) -> None:
    with opened(browser, page_file(kind)) as view:
        table = view.page.locator("table.sort", has=view.page.locator("#t-tools"))
        names = table.locator("tbody th")
        before = names.all_text_contents()
        in_order = view.page.evaluate("all => all.sort((a, b) => a.localeCompare(b))", before)
        head = table.locator("thead th").first
        head.locator("button").click()
        assert names.all_text_contents() == in_order
        assert head.get_attribute("aria-sort") == "ascending"
        head.locator("button").press("Enter")
        assert names.all_text_contents() == in_order[::-1]
        calls = table.locator("thead th").nth(1)
        calls.locator("button").press("Space")
        figures = table.locator("tbody td:nth-child(2)").all_text_contents()
        numbers = [int(figure.replace(",", "")) for figure in figures]
        assert numbers == sorted(numbers, reverse=True)
        assert head.get_attribute("aria-sort") is None
        assert view.errors == []


def test_the_keyboard_reaches_everything(
    browser: Browser, page_file: Callable[[str], Path]
) -> None:
    with opened(browser, page_file("failing")) as view:
        page = view.page
        wanted = page.evaluate(f"document.querySelectorAll('{FOCUSABLE}').length")
        here = f"[...document.querySelectorAll('{FOCUSABLE}')].indexOf(document.activeElement)"
        reached: set[int] = set()
        for _ in range(3 * wanted):
            page.keyboard.press("Tab")
            place = page.evaluate(here)
            if place in reached and len(reached) > 1 and place == min(reached):
                break
            reached.add(place)
        hidden = page.evaluate(
            f"""[...document.querySelectorAll('{FOCUSABLE}')]
            .map((e, i) => e.checkVisibility() ? -1 : i).filter(i => i >= 0)"""
        )
        assert set(range(wanted)) - reached <= set(hidden)


def test_a_card_opens_by_keyboard(browser: Browser, page_file: Callable[[str], Path]) -> None:
    with opened(browser, page_file("study")) as view:
        card = view.page.locator(".card").first
        card.locator("summary").focus()
        view.page.keyboard.press("Enter")
        assert card.get_attribute("open") is not None


@pytest.mark.parametrize("width", [1280, 390])
def test_everything_reads_without_javascript(
    browser: Browser, page_file: Callable[[str], Path], width: int
) -> None:
    with opened(browser, page_file("study"), width=width, scripts=False) as view:
        text = view.page.locator("body").inner_text()
        assert "0 mis-fixes in" in text
        assert "nested-wrapper" in text
        assert view.page.locator("input, button").count() == 0
        assert view.errors == []


@pytest.mark.parametrize("width", [1280, 390])
def test_the_first_screen_answers(
    browser: Browser, page_file: Callable[[str], Path], width: int
) -> None:
    """Passed? How many fixed? Which tool is worst? Was anything mis-fixed?"""
    with opened(browser, page_file("study"), width=width) as view:
        for selector, words in (
            (".status", "PASS"),
            (".tiles li:has(.name:text-is('fixed')) b", "520"),
            (".worst", "tool bash, 102 of 2,576"),
            (".proof", "0 mis-fixes in 7,586 probes"),
        ):
            place = view.page.locator(selector).first
            assert words in " ".join(place.inner_text().split())
            box = place.bounding_box()
            assert box is not None
            assert box["y"] + box["height"] < 800


def test_print_keeps_every_example(browser: Browser, page_file: Callable[[str], Path]) -> None:
    with opened(browser, page_file("failing")) as view:
        view.page.emulate_media(media="print")
        view.page.evaluate("dispatchEvent(new Event('beforeprint'))")
        assert view.page.locator(".group .card pre:visible").count() == 5
        assert view.page.locator(".filter:visible").count() == 0
