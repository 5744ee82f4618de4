"""Kept answers show what they showed; and the comparison notices what it is for."""

from __future__ import annotations

import pytest

from analysis.front.page import Follow, Heat, Section, Table
from tests.front.games import QUICK, game
from tests.golden import pages

PAGES = (*QUICK, "arena")


@pytest.mark.parametrize("name", PAGES)
def test_kept_answers_show_the_same_numbers(name: str) -> None:
    known = pages.kept(name)
    assert known
    for line, each in known.items():
        looks = {key: value for key, value in each.items() if key not in ("answer", "varies")}
        assert pages.now(name, each["answer"]) == looks, line


@pytest.mark.parametrize("name", QUICK)
def test_what_kept_answers_lead_on_to_can_be_asked(name: str) -> None:
    links = {}
    for each in pages.kept(name).values():
        page = pages.read(each["answer"]).page()
        found = [*page.follow, *(link for some in page.sections for link in _links(some))]
        links.update({str(link): link for link in found if link is not None and link.question != "play"})
    for link in links.values():
        game(name).question(link.question).build(**link.given)


def _links(section: Section) -> list[Follow | None]:
    if isinstance(section, Heat):
        return [each for row in section.follow for each in row]
    return section.follow if isinstance(section, Table) else []


def test_games_of_other_programs_are_answered_as_they_were() -> None:
    for line, answer in pages.ask("arena", pages.kept("arena")):
        assert pages.differences("arena", line, answer) == [], line


def test_differences_are_rows_and_numbers_and_no_new_fields(monkeypatch: pytest.MonkeyPatch) -> None:
    answer = {
        "version": "1.0.0",
        "rows": [{"a": 0.1 + 0.2}],
        "timing": 3,
        "sha256": "x",
        "card": "B",
        "said": "it is 2 of 3",
    }
    monkeypatch.setattr(pages, "kept", lambda name: {"asked": {"answer": answer}, "other": {"varies": True}})
    same = {
        "version": "1.1.0",
        "rows": [{"a": 0.3, "b": 1}],
        "timing": 4,
        "sha256": "y",
        "card": "B",
        "said": "it is 3: 2 or 3",
    }
    assert pages.differences("game", "asked", same | {"said": "these are 2 out of 3", "new": None}) == []
    assert pages.differences("game", "other", {}) == []
    assert pages.differences("game", "nothing", {}) == []
    for rows, found in (([{"a": 0.31}], 1), ([{}], 1), ([], 1), ([{"a": 0.3}, {"a": 0.3}], 1)):
        told = same | {"said": "it is 2 of 3", "rows": rows}
        assert len(pages.differences("game", "asked", told)) == found
    assert len(pages.differences("game", "asked", same)) == 1
    assert len(pages.differences("game", "asked", same | {"said": "it is 2 of 3", "card": "C"})) == 1
