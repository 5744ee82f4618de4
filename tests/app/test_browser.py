"""The app in a real, headless Chromium: `pytest -m browser`, with the extras `app` and `browser`.

Where ``ARENA_SOLVER_AXE`` names the file ``axe.min.js`` of axe-core, accessibility is checked, too.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("starlette", reason="the app needs the extra `app`")

from app.folder import Folder
from tests.app.client import running
from tests.app.tab import Tab
from tests.browser import barriers, too_wide, with_axe
from tests.front.test_questions import run

if TYPE_CHECKING:
    from tests.app.client import Client

pytestmark = pytest.mark.browser
PAGES = [
    "/",
    "/bidding",
    "/bidding/match",
    "/bidding/solve?ask=1",
    "/bidding/match?deals=20&vary=prizes.gold.worth%3D1:3",
    "/bidding/match?deals=20&vary=prizes.gold.worth%3D1:3&vary=deals%3D20,40",
    "/bidding/solve?set=cards.three.value%3D1&diff=1",
    "/bidding/play",
    "/bidding/rules",
    "/bidding/rules/box",
    "/bidding/rules/box/cards.three",
    "/bidding/what-if",
    "/ragers",
    "/ragers/rules/box",
    "/ragers/rules/box/cheers.two-bashers",
    "/ragers/advise?patron=solennos&cheers=two-bashers&hand=BBSCT",
    "/bidding/match?deals=300&set=cards.three.value%3D1&diff=box",
    "/ragers/balance?ask=1",
    "/ragers/solve?patron=solennos&cheers=two-bashers&top=40",
    "/jobs",
    "/nothing",
]


@pytest.fixture
def tab(chromium: Any, app: Client) -> Iterator[Tab]:
    found = Tab(chromium, app)
    yield found
    found.context.close()
    assert found.complaints == []


def test_every_kind_of_page_is_without_complaint_wide_and_narrow_light_and_dark(
    chromium: Any, app: Client
) -> None:
    for settings in ({}, {"viewport": {"width": 390, "height": 800}, "color_scheme": "dark"}):
        tab = Tab(chromium, app, **settings)
        for path in PAGES:
            page = tab.go(path)
            assert page.locator("h1").count() == 1, path
            assert not too_wide(page), path
        tab.context.close()
        assert tab.complaints == []


def test_the_figure_of_a_heat_map_is_chosen(tab: Tab) -> None:
    page = tab.go("/bidding/match?deals=20&vary=prizes.gold.worth%3D1:3&vary=deals%3D20,40")
    chooser = page.get_by_label("Figure of the heat-map")
    names = chooser.locator("option").all_inner_texts()
    assert len(names) > 1
    shown = page.locator(".heat-part:visible h2")
    assert shown.all_inner_texts() == names[:1]
    chooser.select_option(label=names[1])
    assert shown.all_inner_texts() == names[1:2]
    page.locator(".heat-part:visible td a").first.click()
    page.wait_for_url("**set=prizes.gold.worth*")


def test_a_question_is_asked_by_keyboard_alone(tab: Tab) -> None:
    page = tab.go("/bidding/match")
    page.get_by_label("Deals").focus()
    page.keyboard.press("Control+A")
    page.keyboard.type("24")
    page.keyboard.press("Enter")
    page.wait_for_url("**/bidding/match?deals=24")
    tab.settled()
    assert page.locator(".headline").inner_text()
    assert page.get_by_label("Deals").input_value() == "24"
    page.go_back()
    page.wait_for_url("**/bidding/match")
    page.go_forward()
    page.wait_for_url("**/bidding/match?deals=24")


def test_steppers_sums_settings_and_filters_work(tab: Tab) -> None:
    page = tab.go("/bidding/match")
    first = page.locator("#f-first-cards-one")
    first.locator("xpath=following-sibling::button").click()
    assert first.input_value() == "2"
    assert "4 / 5" in page.locator(".sum").first.inner_text()
    page.locator("#f-player-0").select_option("high")
    assert page.locator('#f-player-0 ~ .settings[data-group="high"]').is_visible()
    assert not page.locator('#f-player-1 ~ .settings[data-group="high"]').is_visible()
    page.get_by_role("button", name="Ask").click()
    page.wait_for_url("**/bidding/match?first=*")
    assert page.locator(".error").inner_text()
    page = tab.go("/ragers/solve?patron=solennos&cheers=two-bashers&top=40")
    rows = page.locator("table[data-many] tbody tr:visible")
    if rows.count():
        before = rows.count()
        page.locator(".filter").first.fill("BSP")
        assert 0 < page.locator("table[data-many] tbody tr:visible").count() <= before


def test_another_group_shows_its_own_entries_as_many_as_there_were(tab: Tab) -> None:
    page = tab.go("/clash/solve")
    group = page.locator('.counts[data-of="attacker.0.clan"]')
    before = group.locator(".sum").inner_text()
    page.locator('select[name="attacker.0.clan"]').select_option("tomb")
    assert group.locator(".count:visible").count() == 3
    assert group.locator(".sum").inner_text() == before


def _figure(text: str) -> float:
    return float(text.lstrip("<>")) + {"<": -0.5, ">": 0.5}.get(text[:1], 0.0)


def _hands_are_sorted(page: Any) -> None:
    table = page.locator("table[data-many]").filter(has_text="worth").first
    for head in ("worth", "Basher"):
        heads = table.locator("thead th").all_inner_texts()
        place = next(number for number, each in enumerate(heads, 1) if each.startswith(head))
        cells = table.locator(f"tbody tr > :nth-child({place})")
        figures = [_figure(each) for each in cells.all_inner_texts()]
        assert len(set(figures)) > 3, head
        for way, falls in (("descending", True), ("ascending", False)):
            table.locator(f"thead th:nth-child({place}) button").press("Enter")
            assert table.locator(f"thead th:nth-child({place})").get_attribute("aria-sort") == way
            assert [_figure(each) for each in cells.all_inner_texts()] == sorted(figures, reverse=falls)


def test_long_tables_are_sorted_in_the_app_and_in_a_file(chromium: Any, tab: Tab, tmp_path: Path) -> None:
    page = tab.go("/ragers/solve?patron=solennos&cheers=two-bashers&top=40")
    page.get_by_text("Details", exact=True).click()
    _hands_are_sorted(page)
    file = tmp_path / "days.html"
    for patron in ("solennos", "arianna"):
        words = ("--patron", patron, "--cheers", "two-bashers", "--top", "40", "--format", "json")
        (tmp_path / f"{patron}.json").write_text(run("ragers", "solve", *words).stdout, encoding="utf-8")
    answers = [str(tmp_path / f"{patron}.json") for patron in ("solennos", "arianna")]
    run("arena", "report", *answers, "-o", str(file))
    page = chromium.new_page()
    page.goto(file.as_uri())
    _hands_are_sorted(page)
    day = page.locator("main > details").last
    assert day.get_attribute("open") is not None
    day.locator("summary").first.click()
    assert not day.locator("table").first.is_visible()


def test_a_day_is_browsed_by_links_back_forward_and_again(tab: Tab) -> None:
    page = tab.go("/ragers/balance?ask=1")
    page.locator("table.heat td a").first.click()
    page.wait_for_url("**/ragers/solve?*")
    tab.settled()
    day = page.locator(".headline").inner_text()
    page.get_by_text("Details", exact=True).click()
    page.locator("details.more th a").first.click()
    page.wait_for_url("**hand=*")
    tab.settled()
    hand = page.locator(".headline").inner_text()
    assert hand
    page.go_back()
    tab.settled()
    assert page.locator(".headline").inner_text() == day
    page.go_forward()
    page.reload()
    tab.settled()
    assert page.locator(".headline").inner_text() == hand


def test_a_game_is_played_with_the_mouse_and_with_digits(tab: Tab) -> None:
    page = tab.go("/bidding/play")
    page.get_by_role("button", name="Begin").click()
    page.wait_for_url("**/bidding/play/*")
    tab.settled()
    page.locator(".move").first.click()
    page.wait_for_function("() => document.querySelector('input[name=step]')?.value == '1'")
    for step in ("2", "3"):
        page.keyboard.press("1")
        page.wait_for_function(
            "step => document.querySelector('input[name=step]')?.value == step"
            " || document.querySelector('.end')",
            arg=step,
        )
    page.get_by_text("The game is over").wait_for()


def test_without_scripts_everything_works(chromium: Any, app: Client) -> None:
    tab = Tab(chromium, app, java_script_enabled=False)
    page = tab.page
    page.goto(tab.base + "/bidding/match")
    page.get_by_label("Deals").fill("22")
    page.get_by_role("button", name="Ask").click()
    page.locator("h1.headline").wait_for()
    assert "deals=22" in page.url
    tab.context.close()
    assert tab.complaints == []


SMALL = "name = 'small'\n[match]\nrow_length = 3\n"


@pytest.mark.kernels
def test_a_changed_day_begins_at_once_sharpens_by_itself_and_goes_on_by_steps(tab: Tab, app: Client) -> None:
    Folder(app.folder).write_rules("ragers", "small", SMALL)
    page = tab.page
    page.goto(tab.base + "/ragers/solve?preparation=none&cheers=two-bashers&patron=solennos&rules=small")
    page.goto(page.url + "&time_limit=60&fresh=true&set=cards.basher.gp%3D4")
    page.locator("[data-job] svg.curve").wait_for(timeout=300_000)
    page.locator("[data-job] ~ .headline").wait_for(timeout=300_000)
    before = page.locator("[data-job] circle").count()
    page.wait_for_function(
        "many => document.querySelectorAll('[data-job] circle').length > many", arg=before, timeout=120_000
    )
    page.get_by_role("button", name="Stop here").click()
    page.locator(".saves").wait_for(timeout=60_000)
    assert page.locator(".headline").inner_text()
    # A step further is asked about without more ado.
    page.locator("details.sets .step").last.click()
    page.wait_for_url("**set=cards.basher.gp%3D5*")
    page.locator("[data-job] ~ .headline").wait_for(timeout=300_000)
    page.get_by_role("button", name="Stop here").click(timeout=60_000)
    page.locator(".saves").wait_for(timeout=60_000)
    page.get_by_label("Keep it as new rules named").fill("Basher five")
    page.get_by_role("button", name="Keep it").click()
    page.get_by_text("Basher GP 3 → 5").wait_for()


def test_a_restart_goes_on(chromium: Any, tmp_path: Path) -> None:
    with running(tmp_path) as first:
        tab = Tab(chromium, first)
        tab.page.goto(tab.base + "/bidding/match?deals=300000")
        tab.page.locator("[data-job]").wait_for()
        tab.context.close()
    with running(tmp_path) as second:
        tab = Tab(chromium, second)
        page = tab.go("/")
        page.get_by_text("interrupted").wait_for()
        page.get_by_role("link", name="All questions at work").click()
        page.get_by_role("button", name="Go on").click()
        page.get_by_role("button", name="Stop here").click()
        tab.settled()
        assert page.locator(".headline").inner_text()
        tab.context.close()
        assert tab.complaints == []


@with_axe
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_are_accessible(chromium: Any, app: Client, scheme: str) -> None:
    tab = Tab(chromium, app, color_scheme=scheme)
    found = {path: barriers(tab.go(path)) for path in PAGES}
    tab.context.close()
    assert not any(found.values()), found
