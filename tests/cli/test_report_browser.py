"""The report page in a real, headless Chromium: `pytest -m browser`, with the extra `browser`.

Any Chromium will do: one on the path (Debian's package `chromium`), the one `ARENA_SOLVER_CHROMIUM` names, or
the one Playwright installs for itself.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

pytest.importorskip("jinja2", reason="the page needs the extra `report`")
pytest.importorskip("vl_convert", reason="the page needs the extra `report`")
pytest.importorskip("threadpoolctl", reason="the page needs the extra `report`")
playwright = pytest.importorskip("playwright.sync_api", reason="the browser needs the extra `browser`")

from cli.ragers.main import ragers  # noqa: E402
from engine.ragers.rules import TYPES  # noqa: E402
from tests.cli.page_reader import PageReader  # noqa: E402

pytestmark = pytest.mark.browser
_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
_SCENARIO = "day-solennos--two-bashers"


@pytest.fixture(scope="module")
def path(no_nameless: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("page") / "arena.html"
    words = ["report", "-q", "-o", str(out), "--patron=Solennos", "--patron=The Nameless"]
    assert CliRunner().invoke(ragers, words, catch_exceptions=False).exit_code == 0
    return out


@pytest.fixture(scope="module")
def read(path: Path) -> PageReader:
    return PageReader(path.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    chosen = os.environ.get("ARENA_SOLVER_CHROMIUM") or next(filter(None, map(shutil.which, _NAMES)), None)
    with playwright.sync_playwright() as driver:
        try:
            launched = driver.chromium.launch(executable_path=chosen)
        except playwright.Error as error:
            pytest.skip(
                f"no Chromium to be started (install one, or name it in ARENA_SOLVER_CHROMIUM): {error}"
            )
        yield launched
        launched.close()


@pytest.fixture
def opened(browser: Any, path: Path) -> Iterator[Callable[..., Any]]:
    """Open the page, with a fragment and settings of the browser; whatever it complains of fails the test."""
    complaints: list[str] = []
    contexts = []

    def open_page(fragment: str = "", **settings: Any) -> Any:
        context = browser.new_context(**{"viewport": {"width": 1280, "height": 900}} | settings)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: complaints.append(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda error: complaints.append(f"uncaught: {error}"))
        page.on(
            "request",
            lambda request: (
                complaints.append(f"asks for {request.url}")
                if not request.url.startswith(("file:", "data:"))
                else None
            ),
        )
        page.goto(f"{path.as_uri()}{fragment}")
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert complaints == []


def open_hands(page: Any, scenario: str = _SCENARIO) -> Any:
    """Open the table of all hands of a scenario, and return its element."""
    page.evaluate("id => { document.getElementById(id).querySelector('details').open = true; }", scenario)
    details = page.locator(f"#{scenario} details.hands")
    details.locator("summary").click()
    details.locator("table").wait_for()
    return details


def assert_focused(page: Any, name: str) -> None:
    """Wait until the focus is at the element with this id, or within it; fail if it never is."""
    page.wait_for_function(
        "name => document.activeElement.closest('[id]')?.id === name", arg=name, timeout=5000
    )


def test_a_cell_leads_to_its_scenario(opened: Any) -> None:
    page = opened()
    page.locator(f"#{_SCENARIO}-cell-base a").click()
    assert_focused(page, f"{_SCENARIO}-title")
    top = page.locator(f"#{_SCENARIO}-title").evaluate("node => node.getBoundingClientRect().top")
    assert 0 <= top < 850
    page.locator(f"#{_SCENARIO} .back").click()
    assert_focused(page, "overview-title")
    page.locator(f"#{_SCENARIO}-cell-base a").click()  # again, after another place
    assert_focused(page, f"{_SCENARIO}-title")


def test_a_missing_cell_leads_to_its_command(opened: Any) -> None:
    page = opened()
    page.locator("td.missing a").first.click()
    assert_focused(page, "day-the-nameless--two-bashers-missing-base")
    assert "ragers solve --patron the-nameless" in page.evaluate("document.activeElement.textContent")


def test_the_metric_can_be_switched(opened: Any, read: PageReader) -> None:
    page = opened()
    for name, data in read.data("overview-data").items():
        page.select_option("#metric", name)
        for cell, (shown, level) in data["cells"].items():
            node = page.locator(f"#{cell}")
            assert node.locator(".number").text_content() == shown
            assert float(node.evaluate("node => getComputedStyle(node).getPropertyValue('--level')")) == level
        assert page.locator(".heat caption").text_content() == data["label"]
        assert data["label"] in page.locator("#metric-status").text_content()


def test_hands_are_listed_filtered_and_sorted(opened: Any, read: PageReader) -> None:
    page = opened()
    details = open_hands(page)
    rows = read.data(f"{_SCENARIO}-base-hands")
    shown = details.locator("tbody tr:visible")
    assert shown.count() == len(rows) == 609
    search = details.locator("input[type=search]")
    tests: dict[str, Callable[[str], bool]] = {
        "B B -V": lambda hand: hand.count("B") >= 2 and "V" not in hand,
        "BBS": lambda hand: hand.count("B") >= 2 and "S" in hand,
        "basher, deadeye": lambda hand: "B" in hand and "D" in hand,
        "nonsense": lambda hand: False,
        "": lambda hand: True,
    }
    for query, wanted in tests.items():
        search.fill(query)
        expected = [row[0] for row in rows if wanted(row[0])]
        assert shown.locator("th").all_text_contents() == expected
        assert details.locator("output").text_content() == f"{len(expected)} of 609 rows"

    details.locator("select").select_option(label="Cheater")
    main = [row[0] for row in rows if row[5] and row[1][row[5].index(max(row[5]))] == "H"]
    assert shown.locator("th").all_text_contents() == main
    details.locator("select").select_option(label="any card")

    worth = details.locator("thead th", has_text="worth as dealt")
    for direction in ("descending", "ascending"):
        worth.locator("button").click()
        assert worth.get_attribute("aria-sort") == direction
        numbers = [float(text) for text in details.locator("tbody td:nth-child(4)").all_text_contents()]
        assert numbers == sorted(numbers, reverse=direction == "descending")
    # Openings of the first hand as they are stored, whatever the order of rows.
    hand, actions, _, _, _, mix, _, _ = rows[0]
    cells = details.locator("tbody tr", has=page.locator(f"th:text-is('{hand}')")).locator("td[data-v] small")
    assert cells.count() == len(actions) == len(mix)


def test_cards_are_filtered_and_sorted(opened: Any, read: PageReader) -> None:
    page = opened()
    table, form = page.locator("#every-card"), page.locator("form[data-table=every-card]")
    shown = table.locator("tbody tr:visible")
    page.locator("#every summary").click()
    assert shown.count() == 6 * len(TYPES)
    form.locator("select[name=verdict]").select_option("forbidden")
    forbidden = sum(verdict.startswith("forbidden") for verdict in read.table("every-card").column("verdict"))
    assert shown.count() == forbidden > 0
    form.locator("select[name=card]").select_option("veteran")
    assert shown.count() == 6
    form.locator("input").fill("two bashers")
    assert shown.count() == 1
    form.locator("input").fill("")
    form.locator("select[name=verdict]").select_option("")
    form.locator("select[name=card]").select_option("basher")
    heading = table.locator("thead th", has_text="opens").first
    heading.locator("button").click()
    levels = [float(cell.get_attribute("data-v")) for cell in shown.locator("td:nth-child(4)").all()]
    assert len(levels) == 6
    assert levels == sorted(levels, reverse=True)


def test_all_of_it_by_keyboard(opened: Any) -> None:
    page = opened()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the overview"
    page.keyboard.press("Enter")
    assert_focused(page, "overview-title")
    page.keyboard.press("Tab")
    assert_focused(page, "metric")
    page.keyboard.press("ArrowDown")
    assert page.locator("#metric").input_value() == "opening.slasher"
    page.locator(f"#{_SCENARIO}-cell-base a").focus()
    page.keyboard.press("Enter")
    assert_focused(page, f"{_SCENARIO}-title")
    page.locator(f"#{_SCENARIO} details.hands summary").focus()
    page.keyboard.press("Enter")
    table = page.locator(f"#{_SCENARIO} details.hands table")
    table.wait_for()
    page.keyboard.press("Tab")
    page.keyboard.type("V V")
    assert page.locator(f"#{_SCENARIO} details.hands tbody tr:visible").count() < 609
    page.keyboard.press("Tab")  # the choice of a card
    page.keyboard.press("Tab")  # the table, which scrolls
    assert page.evaluate("document.activeElement.className") == "scroll"
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert table.locator("thead th").first.get_attribute("aria-sort") == "ascending"


def test_a_link_from_outside_opens_at_the_scenario(opened: Any) -> None:
    page = opened(f"#{_SCENARIO}")
    assert_focused(page, f"{_SCENARIO}-title")


def test_nothing_is_cut_off_on_a_desk(opened: Any) -> None:
    assert cut_off(opened(viewport={"width": 1280, "height": 900})) == []


def cut_off(page: Any) -> list[str]:
    """Return the tables that a page does not show whole, all of it being unfolded."""
    page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
    page.wait_for_timeout(500)
    assert page.evaluate("document.documentElement.scrollWidth") == page.viewport_size["width"]
    cut: list[str] = page.evaluate(
        """() => [...document.querySelectorAll(".scroll")]
            .filter((each) => each.checkVisibility() && each.scrollWidth > each.clientWidth)
            .map((each) => each.getAttribute("aria-label"))"""
    )
    return cut


def test_the_menu_stays_in_sight(opened: Any) -> None:
    page = opened(f"#{_SCENARIO}")
    assert_focused(page, f"{_SCENARIO}-title")
    nav = page.locator("nav").bounding_box()
    assert nav["y"] == 0
    assert page.locator(f"#{_SCENARIO}-title").bounding_box()["y"] >= nav["height"]


def test_a_folded_day_opens_when_something_leads_to_it(opened: Any) -> None:
    page = opened()
    chart = page.locator(f"#{_SCENARIO} figure svg").first
    assert not chart.is_visible()
    # Two Slashers is the same day with the attacks renamed, and shown with it.
    page.locator("#day-solennos--two-slashers-cell-base a").click()
    assert_focused(page, f"{_SCENARIO}-title")
    assert chart.is_visible()


def test_a_whole_page_is_short_on_a_phone_and_fits_a_desk(browser: Any, tmp_path: Path) -> None:
    """With everything that comes with the package."""
    out = tmp_path / "page.html"
    result = CliRunner().invoke(ragers, ["report", "-q", "-o", str(out)], catch_exceptions=False)
    assert result.exit_code == 0
    page = browser.new_page(viewport={"width": 390, "height": 800})
    page.goto(out.as_uri())
    assert page.evaluate("document.documentElement.scrollHeight") <= 20_000
    page.set_viewport_size({"width": 1280, "height": 900})
    assert cut_off(page) == []
    page.close()


@pytest.mark.parametrize("width", [320, 390, 768])
def test_it_fits_a_phone(opened: Any, width: int) -> None:
    page = opened(viewport={"width": width, "height": 800})
    open_hands(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def luminance(colour: str) -> float:
    """Return the relative luminance (WCAG 2) of a computed colour."""
    numbers = [
        float(word) for word in colour.replace("color(srgb", "").strip("rgba()").replace(",", " ").split()[:3]
    ]
    if not colour.startswith("color("):
        numbers = [number / 255 for number in numbers]
    linear = [n / 12.92 if n <= 0.04045 else ((n + 0.055) / 1.055) ** 2.4 for n in numbers]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_contrast_is_enough_at_every_level(opened: Any, read: PageReader, scheme: str) -> None:
    page = opened(color_scheme=scheme)
    paper = luminance(page.evaluate("getComputedStyle(document.body).backgroundColor"))
    assert (paper > 0.5) == (scheme == "light")
    page.select_option("#metric", "draw")
    cell = page.locator(f"#{_SCENARIO}-cell-base")
    inks = read.data("constants")["inks"]
    for step in range(101):
        # As the page's own script does it, at levels that these answers do not have.
        style = cell.evaluate(
            """(node, [level, inks]) => {
                node.style.setProperty('--level', level);
                node.classList.toggle('over-dark', level >= inks.dark);
                node.classList.toggle('over-light', level >= inks.light);
                const link = node.querySelector('a');
                return [getComputedStyle(node).backgroundColor, getComputedStyle(link).color];
            }""",
            [step / 100, inks],
        )
        dark, light = sorted(map(luminance, style))
        assert (light + 0.05) / (dark + 0.05) >= 4.5, (step, style)
    # Charts follow the page's ink.
    text = page.locator("figure svg text").first.evaluate("node => getComputedStyle(node).fill")
    assert (luminance(text) > 0.5) == (scheme == "dark")


def test_on_paper(opened: Any) -> None:
    page = opened(color_scheme="dark")
    page.emulate_media(media="print", color_scheme="dark")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert not page.locator("nav").is_visible()
    assert not page.locator("form.filters").first.is_visible()
    provenance = page.locator(f"#{_SCENARIO} details.provenance")
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    assert provenance.locator("dl").is_visible()
    page.evaluate("window.dispatchEvent(new Event('afterprint'))")
    assert provenance.get_attribute("open") is None


def test_without_script_the_numbers_are_there(opened: Any) -> None:
    page = opened(java_script_enabled=False)
    page.locator(f"#{_SCENARIO}-cell-base a").click()
    assert page.url.endswith(f"#{_SCENARIO}")
    assert not page.locator("#metric").is_visible()
    assert page.locator(f"#{_SCENARIO} figure svg").count() == 3
