"""`ragers balance --only`: what a card, a patron or a cheers card does, counted again from solved days."""

from __future__ import annotations

import json
from statistics import fmean
from typing import Any

import pytest

from analysis.front.asking import function_of
from analysis.ragers.only import CardWorth
from analysis.ragers.pages.only import highest_of
from analysis.registry import game_named
from engine.ragers.rules import TYPES


def ask(verb: str, **given: Any) -> Any:
    return function_of(game_named("ragers").question(verb))(**given)


@pytest.fixture(scope="module")
def days() -> list[Any]:
    """All days that have an answer."""
    return [each for each in ask("solve").scenarios if each.trust.answers]


def agrees(means: Any, some: list[Any]) -> None:
    """Means over days are those of what solve says of each."""
    assert means.days == len(some)
    assert means.mean_gp == pytest.approx(fmean(each.mean_gp[0] for each in some))
    assert means.draw == pytest.approx(fmean(each.outcome.draw for each in some))
    for place, name in enumerate(TYPES):
        assert means.opening[name] == pytest.approx(fmean(each.opening_mix[name] for each in some))
        placed = [sum(step[place] for step in each.usage) for each in some]
        assert means.placed[name] == pytest.approx(fmean(placed))


@pytest.mark.kernels
def test_a_patron_is_set_against_the_others_with_the_same_cheers_cards(days: list[Any]) -> None:
    (beside,) = ask("balance", only="the-nameless", cheers=["two-bashers", "slasher-veteran"]).beside
    # Its other day has no answer, so others with that cheers card do not count.
    some = [each for each in days if each.cheers == "two-bashers"]
    agrees(beside.here, [each for each in some if each.patron == "the-nameless"])
    agrees(beside.others, [each for each in some if each.patron != "the-nameless"])


@pytest.mark.kernels
def test_a_cheers_card_is_set_against_the_others_under_the_same_patron(days: list[Any]) -> None:
    found = ask("balance", only="slasher-veteran", patron=["solennos", "the-nameless"])
    # A patron's only day with it has no answer.
    assert [each.patron for each in found.beside] == ["Solennos"]
    for each in found.beside:
        under = [day for day in days if day.day.patron == each.patron]
        agrees(each.here, [day for day in under if day.cheers == "slasher-veteran"])
        agrees(each.others, [day for day in under if day.cheers != "slasher-veteran"])
        assert each.never_met == ([("Slasher and Veteran", "veteran")] if each.patron == "Solennos" else [])


@pytest.mark.kernels
@pytest.mark.parametrize("card", ["basher", "veteran"])
def test_a_card_is_what_it_is_on_each_day(card: str, days: list[Any]) -> None:
    crowds = ["two-bashers", "prodder-stopper"]
    found = ask("balance", only=card, patron="solennos", cheers=crowds)
    days = [each for each in days if each.patron == "solennos" and each.cheers in crowds]
    place = TYPES.index(card)
    assert len(found.cards) == len(days)
    for each, day in zip(found.cards, days, strict=True):
        assert (each.patron, each.cheers) == (day.day.patron, day.day.cheers)
        assert each.opening == pytest.approx(day.opening_mix[card])
        assert each.placed == pytest.approx([step[place] for step in day.usage])
        assert each.bracket is not None
        assert each.bracket[0] - 1e-6 <= each.opening <= each.bracket[1] + 1e-6
        assert (each.verdict == "forbidden") is (card in day.day.forbidden)
    # What may not be placed tells nothing of what it is worth.
    allowed = [each.worth_gp for each in found.cards if each.verdict != "forbidden"]
    own = [each for each in found.worths if each.card == card]
    assert [each.days for each in own] == ([len(allowed)] if allowed else [])
    assert [each.mean for each in own] == pytest.approx([fmean(allowed)] if allowed else [])


def test_no_card_is_called_the_highest_that_is_within_the_error() -> None:
    def worth(name: str, mean: float, error: float) -> CardWorth:
        return CardWorth(card=name, days=1, mean=mean, least=mean, most=mean, error_gp=error)

    apart = [worth("basher", 1.0, 0.1), worth("slasher", 0.5, 0.1), worth("prodder", 0.0, 0.1)]
    assert highest_of(apart, least=False) == "Basher +1.00 GP"
    assert highest_of(apart, least=True) == "Prodder +0.00 GP"
    near = [worth("basher", 1.0, 0.3), worth("slasher", 0.5, 0.3), worth("prodder", 0.0, 0.1)]
    assert set(highest_of(near, least=False).split()) >= {"Basher", "Slasher"}
    assert highest_of([worth(name, 0.1 * at, 1.0) for at, name in enumerate(TYPES)], least=False) == ""


def test_every_first_line_is_of_the_entry(run: Any) -> None:
    for words in (
        ("chancer", "--patron", "arianna", "--cheers", "two-bashers"),
        ("arianna", "--cheers", "two-bashers"),
    ):
        found = json.loads(run("balance", "--only", *words, "--format", "json").stdout)
        text = " ".join(run("balance", "--only", *words).stdout.split())
        assert text.startswith(f"{found['name']} ({found['rule']}): ")
