"""What a person meets who opens the report: no error, no request, nothing clipped."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest
from playwright.sync_api import Browser

from toolfix_audit.report import html
from toolfix_audit.report.redact import redact

from .browsing import Opened, huge, open_page
from .samples import FAILING, hostile

ROOT = Path(__file__).parents[2]
KINDS = ("study", "huge", "failing", "hostile")
VIEWS = [(1280, "light"), (1280, "dark"), (390, "light"), (390, "dark")]

pytestmark = pytest.mark.xdist_group("browser")


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("reports")
    study = folder / "study.html"
    subprocess.run(
        [
            *(sys.executable, "-m", "toolfix_audit", "dryrun", "corpora/study/sessions"),
            *("--label", "corpus=synthetic", "--report", f"html={study}"),
        ],
        check=True,
        capture_output=True,
        cwd=ROOT,
    )
    made = {"study": study}
    for kind, report in (("huge", huge()), ("failing", FAILING), ("hostile", hostile())):
        made[kind] = folder / f"{kind}.html"
        made[kind].write_text(html.EMITTER.render(redact(report)), encoding="utf-8")
    return made


@pytest.fixture(params=[(kind, *view) for kind in KINDS for view in VIEWS], ids=str)
def view(
    request: pytest.FixtureRequest, browser: Browser, files: dict[str, Path]
) -> Iterator[Opened]:
    kind, width, scheme = request.param
    opened = open_page(browser, files[kind], width=width, scheme=scheme)
    yield opened
    opened.page.context.close()


def test_no_error_no_request_no_sideways_scroll_nothing_clipped(view: Opened) -> None:
    page = view.page
    assert view.errors == []
    assert [url for url in view.requests if not url.startswith("file:")] == []
    assert len(view.requests) == 1
    wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert wide <= 0
    clipped = page.evaluate(
        """[...document.querySelectorAll('.tiles *, .bars *, figcaption, caption, h1, h2, .proof')]
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


def test_axe_finds_nothing_serious(view: Opened, axe: str) -> None:
    result = cast("dict[str, Any]", _axe(view, axe))
    serious = [
        (one["id"], one["nodes"][0]["html"][:200])
        for one in result["violations"]
        if one["impact"] in ("serious", "critical")
    ]
    assert serious == []


def _axe(view: Opened, axe: str) -> object:
    view.page.evaluate(axe)  # through the debugger, which the page's policy does not bind
    return view.page.evaluate("axe.run(document, {resultTypes: ['violations']})")


@pytest.mark.parametrize("kind", ["study", "huge"])
def test_filter_and_sort_work(browser: Browser, files: dict[str, Path], kind: str) -> None:
    opened = open_page(browser, files[kind], width=1280, scheme="light")
    page = opened.page
    table = page.locator("table.sort", has=page.locator("#t-tools"))
    names = table.locator("tbody th")
    before = names.all_text_contents()
    in_order = page.evaluate("all => all.sort((a, b) => a.localeCompare(b))", before)
    table.locator("thead button").first.click()
    assert names.all_text_contents() == in_order
    box = page.locator("#filter")
    cards = page.locator("#examples ~ .card")
    total = cards.count()
    box.fill("no such text in any example")
    assert page.locator("#examples ~ .card:visible").count() == 0
    box.fill("unwrap:arguments")
    visible = page.locator("#examples ~ .card:visible").count()
    assert 0 < visible <= total
    assert page.locator("#found").text_content() == f"{visible} of {total}"
    assert opened.errors == []
    page.context.close()


def test_the_keyboard_reaches_everything(browser: Browser, files: dict[str, Path]) -> None:
    opened = open_page(browser, files["failing"], width=1280, scheme="light")
    page = opened.page
    wanted = page.evaluate(
        "document.querySelectorAll('a[href], button, input, summary, [tabindex=\"0\"]').length"
    )
    reached: set[int] = set()
    for _ in range(3 * wanted):
        page.keyboard.press("Tab")
        place = page.evaluate(
            """[...document.querySelectorAll('a[href], button, input, summary, [tabindex="0"]')]
            .indexOf(document.activeElement)"""
        )
        if place in reached and len(reached) > 1 and place == min(reached):
            break
        reached.add(place)
    hidden = page.evaluate(
        """[...document.querySelectorAll('a[href], button, input, summary, [tabindex="0"]')]
        .map((e, i) => e.checkVisibility() ? -1 : i).filter(i => i >= 0)"""
    )
    assert set(range(wanted)) - reached <= set(hidden)
    page.context.close()


def test_a_card_opens_by_keyboard(browser: Browser, files: dict[str, Path]) -> None:
    opened = open_page(browser, files["study"], width=1280, scheme="light")
    card = opened.page.locator("#examples ~ .card").first
    card.locator("summary").focus()
    opened.page.keyboard.press("Enter")
    assert card.get_attribute("open") is not None
    opened.page.context.close()


@pytest.mark.parametrize("width", [1280, 390])
def test_everything_reads_without_javascript(
    browser: Browser, files: dict[str, Path], width: int
) -> None:
    opened = open_page(browser, files["study"], width=width, scheme="light", scripts=False)
    text = opened.page.locator("body").inner_text()
    assert "0 mis-fixes in" in text
    assert "nested-wrapper" in text
    assert opened.errors == []
    opened.page.context.close()


def test_print_keeps_every_example(browser: Browser, files: dict[str, Path]) -> None:
    opened = open_page(browser, files["failing"], width=1280, scheme="light")
    opened.page.emulate_media(media="print")
    opened.page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert opened.page.locator("#examples ~ .card pre:visible").count() == 5
    opened.page.context.close()
