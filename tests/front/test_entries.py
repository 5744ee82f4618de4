"""Whether an entry is too strong: what follows from what a game measured, and what each game measures."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import fmean
from typing import Any

import msgspec
import pytest

from analysis.errors import RequestError
from analysis.estimates import estimate
from analysis.front.entries import (
    EntryAnswer,
    EntryKind,
    Tried,
    Usage,
)
from analysis.front.entry_page import entries_amounts, entries_page
from analysis.front.question import Running
from analysis.front.verbs.balance import Balance
from tests.front.games import game
from tests.front.test_questions import run


def ask(tried: Mapping[str, Tried], only: str | None = "two", **changes: Any) -> EntryAnswer:
    """Ask about a card of the bidding game, of which this was measured."""

    def measured(rules: Any, asked: Any, ids: Sequence[str], running: Running) -> dict[str, Tried]:
        return {id_: tried[id_] for id_ in ids if id_ in tried}

    kind = EntryKind("cards", measured, **{"price": "value", "unit": "points", **changes})
    asked = replace(game("bidding"), entries={"card": kind})
    question = asked.question("balance")
    found: EntryAnswer = question.answer(question.build(only=only), Running(fresh=True))
    return found


def series(*gains: float, usage: Usage | None = None) -> Tried:
    """Return what was measured where it gained so much, deal by deal."""
    return Tried([0.25 + gain for gain in gains], [0.25] * len(gains), "With: a. Without: b.", usage)


EVEN = series(0.25, 0.0, 0.25, 0.0, 0.125, 0.125)
BETTER = series(0.75, 0.5, 0.75, 0.5, 0.625, 0.625)


def test_figures_are_those_of_plain_counting() -> None:
    found = ask({"one": EVEN, "two": BETTER, "three": series(0.0, 0.25)})
    first, *others = found.entries
    assert (found.kind, found.only, first.entry, first.price, first.likeness) == (
        "card",
        "two",
        "two",
        2.0,
        1.0,
    )
    assert first.worth == estimate([0.75, 0.5, 0.75, 0.5, 0.625, 0.625], (-1.0, 1.0))
    assert first.with_it.mean == pytest.approx(0.25 + 0.625)
    assert first.without.mean == 0.25
    apart = {each.entry: each.apart for each in others}
    assert apart["one"] is not None
    assert apart["one"].mean == 0.5
    assert apart["three"] is not None
    assert apart["three"].mean == pytest.approx(0.625 - 0.125)
    low, high = first.worth.low, first.worth.high
    assert low is not None
    assert high is not None
    assert found.enough == -(-6 * ((high - low) / 2 / 0.03) ** 2 // 1)


@pytest.mark.parametrize(
    ("tried", "holds"),
    [
        ({"one": EVEN, "two": EVEN, "three": EVEN}, ""),
        ({"one": EVEN, "two": BETTER, "three": EVEN}, "strong"),
        ({"one": BETTER, "two": EVEN, "three": BETTER}, "weak"),
        # What is worth more and costs more, or less and less, is as it should be.
        ({"one": EVEN, "two": BETTER, "three": series(1, 0.75, 1, 0.75, 0.9, 0.9)}, ""),
        ({"one": EVEN, "two": series(-0.25, -0.125, -0.25, -0.25, -0.125, -0.25)}, "weak"),
        ({"two": series(0.5, -0.5, 0.25, -0.25)}, "may be nothing"),
    ],
)
def test_the_verdict_says_what_is_certain(tried: Mapping[str, Tried], holds: str) -> None:
    # Six times as many deals, which are not all alike.
    tried = {
        id_: replace(
            each,
            with_it=[x + 0.01 * (place * n % 5) for n, x in enumerate([*each.with_it] * 6)],
            without=[*each.without] * 6,
        )
        for place, (id_, each) in enumerate(tried.items(), 1)
    }
    whole = {**dict.fromkeys(("one", "two", "three"), tried["two"]), **tried}
    said = entries_page(ask(whole)).headline
    assert all((word in said) == (word == holds) for word in ("strong", "weak", "may be nothing")), said
    # What is stopped is not judged.
    stopped = msgspec.structs.replace(ask(whole), complete=False)
    assert not re.search("strong|weak|certain", entries_page(stopped).headline)


def test_deals_in_which_an_entry_was_not_seen_say_nothing_of_it() -> None:
    """One is worth more in all deals that both were in."""
    chance = random.Random(7)
    luck = [chance.gauss(0.0, 1.0) for _ in range(80)]
    both = {
        "one": [place for place in range(80) if place % 4],
        "two": [place for place in range(80) if place % 3],
    }
    tried = {
        id_: Tried([luck[deal] + (id_ == "one") for deal in deals], [0.0] * len(deals), "", deals=deals)
        for id_, deals in both.items()
    }
    found = ask(tried, only="one")
    [other] = found.entries[1:]
    assert other.apart is not None
    means = {id_: fmean(each.with_it) for id_, each in tried.items()}
    assert other.apart.mean == pytest.approx(means["one"] - means["two"])
    assert other.certain


def test_one_player_plays_all_sides() -> None:
    question = game("raverun").question("balance")
    with pytest.raises(RequestError, match="name one player") as caught:
        question.answer(question.build(player=["greedy", "random"]))
    assert caught.value.option == "--player"
    with pytest.raises(RequestError, match="no entry is called"):
        question.build(only="nobody")
    assert issubclass(game("ophidian").question("balance").asked.__origin__, Balance)


# ---- what games measure ------------------------------------------------------------------------------------


def answered(name: str, **given: Any) -> Any:
    question = game(name).question("balance")
    return question.answer(question.build(**given), Running(fresh=True))


@pytest.mark.kernels
def test_an_own_card_of_a_rules_file_can_be_asked_about(tmp_path: Path) -> None:
    file = tmp_path / "my.toml"
    run("warage", "rules", "new", "card", "--like", "war-axe", "-o", str(file), "-q")
    found = answered("warage", only="my-card", deals=30, rules=[file])
    assert found.entries[0].entry == "my-card"
    assert found.entries[1].likeness == 1.0
    assert "in place of one" in found.how
    # The same at half the price is too cheap, however few deals there are.
    file.write_text(file.read_text().replace("cost = 5", "cost = 3"))
    cheap = answered("warage", only="my-card", deals=30, rules=[file])
    assert "too cheap: it does what War Axe does, and costs less" in cheap.page().headline
    dear = answered("warage", only="war-axe", deals=30, rules=[file])
    assert "too dear: it does what" in dear.page().headline


@pytest.mark.kernels
def test_raverun_compares_players_by_what_they_were_dealt() -> None:
    found = answered("raverun", deals=150, player=["random"])
    assert len(found.entries) == 8
    for each in found.entries:
        # Two players win together what they lose together.
        assert each.with_it.mean == pytest.approx(-(each.without.mean or 0.0))
        assert each.usage.plays <= 300
    # Eight characters, 24 cards, 14 of them dealt: each player holds 7.
    dealt = fmean(each.usage.plays for each in found.entries) / 300
    assert 0.6 < dealt < 0.75


def test_figures_of_entries_are_called_as_sentences_call_them() -> None:
    """A number is no name, in heads, which sentences about changes and points are made of, as elsewhere."""
    found = ask({"one": series(0.1, 0.2), "two": series(0.2, 0.3)}, None)
    numbered = [
        msgspec.structs.replace(each, name=f"{place}, bury") for place, each in enumerate(found.entries)
    ]
    heads = [each.head for each in entries_amounts(msgspec.structs.replace(found, entries=numbered))]
    assert [head.split(" is worth")[0] for head in heads] == [
        f"{found.kind.capitalize()} {place} (bury)" for place in range(len(numbered))
    ]
