"""What a designer comes with, done by clicking only: by visible labels; only names and values are typed.

Each task begins on the first page. `pytest -m browser`, with the extras `app` and `browser`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("starlette", reason="the app needs the extra `app`")

from tests.app.client import running
from tests.app.tab import Tab

if TYPE_CHECKING:
    from tests.app.client import Client

pytestmark = pytest.mark.browser
RAGERS = "Ragers: Champions of the Arena"
FILE = "Spreadsheet (xlsx, ods, csv) or rules file (toml)"


class Designer:
    """Somebody who clicks; `clicks` counts them."""

    def __init__(self, tab: Tab) -> None:
        self.tab, self.page, self.clicks = tab, tab.page, 0
        self.page.goto(tab.base + "/")

    def click(self, role: str, name: str) -> Designer:
        """Click the first thing of that name."""
        self.clicks += 1
        self.page.get_by_role(role, name=name, exact=True).first.click()
        return self

    def link(self, name: str) -> Designer:
        """Follow a link."""
        return self.click("link", name)

    def button(self, name: str) -> Designer:
        """Press a button."""
        return self.click("button", name)

    def fill(self, label: str, text: str) -> Designer:
        """Give a value or a name."""
        self.page.get_by_label(label, exact=True).fill(text)
        return self

    def pick(self, label: str, option: str) -> Designer:
        """Choose one of a list."""
        self.clicks += 2
        self.page.get_by_label(label, exact=True).first.select_option(label=option)
        return self

    def answer(self) -> str:
        """Wait for the answer, and return its first sentence."""
        self.page.locator(".saves").wait_for(timeout=200_000)
        return str(self.page.locator(".headline").first.inner_text())


@pytest.fixture
def designer(chromium: Any, app: Client) -> Iterator[Designer]:
    tab = Tab(chromium, app)
    yield Designer(tab)
    tab.context.close()
    assert tab.complaints == []


def test_is_a_card_too_strong(designer: Designer) -> None:
    designer.link("What is in it? Ragers: Champions of the Arena").link("Basher").link("Is it too strong?")
    assert "Basher" in designer.answer()
    assert designer.clicks == 3


def test_what_if_it_were_worth_more(designer: Designer) -> None:
    designer.link("What is in it? Bidding").fill("Three: Value", "5").button("See what it does")
    assert designer.answer()
    assert designer.page.get_by_text("Three value 5").count()
    assert designer.clicks == 2


def test_what_if_is_picked_from_a_list_and_drawn_as_two_sides(designer: Designer) -> None:
    designer.link("What if…? Bidding").pick("Ask about", "Who wins?")
    designer.pick("Value of the rules", "Three: Value (3)")
    assert designer.page.get_by_label("It becomes").input_value() == "3"
    designer.fill("It becomes", "1").button("See what it does")
    assert designer.answer()
    assert designer.page.locator("svg.ends").count() > 2
    assert designer.page.get_by_text("Three value 1", exact=True).count()
    # All values up to one are a curve.
    designer.pick("Value of the rules", "Gold: Worth (3)").fill("It becomes", "1").fill(
        "Or all values up to", "4"
    )
    designer.button("See what it does").answer()
    assert designer.page.locator("svg.curve").count() == 1


def test_a_value_is_found_at_which_a_figure_is_as_wanted(designer: Designer) -> None:
    designer.link("Who wins? Bidding").button("Ask").answer()
    designer.page.get_by_text("What if…", exact=True).click()
    designer.pick("Value of the rules", "Gold: Worth (3)").fill("It becomes", "1").fill(
        "Or all values up to", "4"
    )
    designer.page.get_by_text("…until a figure is as wanted").click()
    designer.pick("Figure", "draws %").fill("At most", "40").button("See what it does")
    assert "draws at most 40" in designer.answer()


def test_a_day_with_another_value_says_what_it_takes(designer: Designer) -> None:
    designer.link("What is in it? Ragers: Champions of the Arena").fill("Basher: GP", "4")
    designer.button("See what it does")
    page = designer.page
    page.get_by_text("This takes long").or_(page.get_by_role("button", name="Stop here")).first.wait_for(
        timeout=120_000
    )
    if page.get_by_role("button", name="Stop here").count():
        designer.button("Stop here")
        page.locator(".headline").filter(has_text=re.compile("stopped|GP|No answer yet")).wait_for(
            timeout=60_000
        )


def test_what_do_i_open_with(designer: Designer) -> None:
    designer.link("How is it played right? Ragers: Champions of the Arena").link("What do I do now?")
    designer.button("Ask")
    assert designer.answer()


@pytest.mark.kernels
def test_a_day_is_gone_through_step_by_step(designer: Designer) -> None:
    page = designer.page
    designer.link("How is it played right? Ragers: Champions of the Arena").link("What do I do now?")
    designer.button("Ask").answer()
    page.locator("#answer").get_by_role("link", name="Basher", exact=True).first.click()
    page.locator(".crumbs").get_by_text("step 2").wait_for(timeout=200_000)
    held = page.get_by_role("spinbutton", name="Basher").input_value()
    designer.link("◂ back one step").answer()
    assert page.get_by_role("spinbutton", name="Basher").input_value() == held == "2"
    assert page.locator(".crumbs").get_by_text("step 1").count()


def test_is_my_game_balanced(designer: Designer) -> None:
    designer.link("Is it balanced? Bidding").button("Ask")
    verdict = designer.answer()
    designer.link("Bidding")
    # The door says what is known by now.
    assert designer.page.get_by_text(verdict).count()


@pytest.mark.kernels
@pytest.mark.parametrize(
    ("game", "like"),
    [("Ophidian Arena", "Runt"), ("Warage", "Fireball"), ("Clash of Rage", "Club"), (RAGERS, "Arianna")],
)
def test_is_one_of_my_own_too_strong(designer: Designer, game: str, like: str) -> None:
    designer.link(f"What is in it? {game}")
    for folded in designer.page.locator("details.more > summary").filter(has_text="entries").all():
        if not designer.page.get_by_role("link", name=like, exact=True).first.is_visible():
            folded.click()
    designer.link(like).fill("Its name", "Mighty One").button("Make one like it")
    designer.page.wait_for_url("**mighty-one")
    designer.link("Is it too strong?")
    if game == RAGERS:
        # Of a new patron no day is stored: one is offered, and what it takes is said before.
        designer.page.get_by_role("link", name=re.compile("Ask this first: .*Mighty One")).wait_for()
        return
    assert "Mighty One" in designer.answer()


@pytest.mark.kernels
def test_do_mine_beat_theirs(designer: Designer) -> None:
    designer.link("How is it played right? Clash of Rage").button("Ask")
    assert "%" in designer.answer()


def test_a_spreadsheet_with_a_mistake_is_mended(designer: Designer, tmp_path: Path) -> None:
    page, file = designer.page, tmp_path / "cards.csv"
    designer.link("What is in it? Bidding")
    page.get_by_text("rules:").first.click()
    designer.link("Rules of your own")
    file.write_text("card,value\nthree,many\n", encoding="utf-8")
    page.get_by_label(FILE).set_input_files(file)
    designer.button("See what it changes")
    said = page.locator(".errors").inner_text()
    assert "B2" in said
    assert "many" in said
    file.write_text("card,value\nthree,7\n", encoding="utf-8")
    page.get_by_label(FILE).set_input_files(file)
    designer.button("See what it changes").fill("Keep it as new rules named", "My cards").button("Keep it")
    page.get_by_text("Three value 3 → 7").wait_for()
    designer.button("See what it does")
    assert designer.answer()


def test_a_game_is_played_to_its_end(designer: Designer) -> None:
    designer.link("Play it Bidding").button("Begin")
    page = designer.page
    page.wait_for_url("**/play/*")
    over = page.get_by_text("The game is over")
    for _ in range(12):
        designer.tab.settled()
        if over.count():
            break
        page.locator(".move").first.click()
        page.wait_for_timeout(300)
    assert over.count()


def test_a_long_question_is_stopped_and_gone_on_with(designer: Designer) -> None:
    page = designer.page
    designer.link("Who wins? Bidding").fill("Deals", "400000").button("Ask")
    page.get_by_text("deals:").wait_for(timeout=60_000)
    designer.button("Stop here")
    assert "Stopped early" in designer.answer()
    designer.link("How is it played right?").button("Ask")
    assert "better" in designer.answer()
    designer.link("Questions at work").link("Bidding: Who wins? · deals 400000").link("Go on with it")
    page.get_by_text("deals:").wait_for(timeout=60_000)
    designer.button("Stop here")
    assert "Stopped early" in designer.answer()


def test_a_colleague_is_shown_the_result(designer: Designer) -> None:
    designer.link("How is it played right? Bidding").button("Ask").answer()
    with designer.page.expect_download() as saved:
        designer.link("Page")
    assert saved.value.suggested_filename.endswith(".html")


def test_a_page_says_when_the_app_has_ended(chromium: Any, tmp_path: Path) -> None:
    with running(tmp_path) as client:
        tab = Tab(chromium, client)
        tab.go("/bidding/match?form=1")
    tab.page.get_by_text("The app has ended").wait_for(timeout=20_000)
    assert tab.page.get_by_role("button", name="Ask").is_disabled()
    tab.context.close()
