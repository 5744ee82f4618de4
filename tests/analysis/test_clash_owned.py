"""What players own in whole games, as `balance --only` counts it; playouts of tactic cards shared out."""

from __future__ import annotations

import random
from typing import Any

import pytest

from analysis.clash import entries
from analysis.clash.contest import chance_of, scenario_of_deal, seated
from analysis.clash.game import GAME
from analysis.clash.outcomes import OutcomeTables
from analysis.clash.setup import RULE, Setup
from analysis.clash.tactics import estimate_values, tactic_question
from analysis.clash.whole_game import WholeGame
from analysis.errors import RequestError
from analysis.front.question import Running
from engine.clash.codec import decode
from engine.clash.rules import load_rules

pytestmark = pytest.mark.kernels
RULES = load_rules((), ["match.max_rounds=4"])
GAMES = 3


def most_owned(*, units: bool) -> dict[str, list[int]]:
    """The most that each player had at the beginning of a round, or at the end, game by game."""
    found: dict[str, list[int]] = {}
    for deal in range(GAMES):
        clans = random.Random(f"0/{deal}/clans").sample([clan.id for clan in RULES.clans], 2)
        where = scenario_of_deal(RULES, Setup(), clans, 0, deal)
        game = WholeGame(RULES, where, OutcomeTables(RULES), chance_of(0, deal))
        players = [seated(RULE, chance_of(0, deal) + 1), seated(RULE, chance_of(0, deal) + 2)]
        seen, rounds = [decode(game.words.copy(), RULES, where)], [game.round]
        while not game.over:
            game.make(players[game.decider].choose(game))
            if game.round != rounds[-1] or game.over:
                seen.append(decode(game.words.copy(), RULES, where))
                rounds.append(game.round)
        for seat, clan in enumerate(clans):
            own = [state.players[seat] for state in seen]
            if units:
                for kind, unit in enumerate(RULES.clan(clan).units):
                    number = max(sum(place[kind] for place in each.units) for each in own)
                    found.setdefault(unit.id, []).append(number)
            else:
                for card, rule in enumerate(RULES.equipment):
                    found.setdefault(rule.id, []).append(max(each.cards.count(card) for each in own))
    return found


@pytest.mark.parametrize("units", [False, True])
def test_what_players_owned(units: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entries, "WATCHED", GAMES)
    asked: Any = GAME.question("balance").build(clan=["bohorg", "tomb"], points=2, battles=2)
    expected = most_owned(units=units)
    assert any(any(numbers) for numbers in expected.values())
    ids = ["pummeler", "berserker"] if units else ["club", "axe"]
    told: list[tuple[int, int]] = []
    running = Running(note=lambda phase, done, total: told.append((done, total)))
    found = (entries.units if units else entries.equipment)(RULES, asked, ids, running)
    assert list(found) == ids
    assert [each for each in told if each[1] == 2] == [(0, 2), (1, 2)]
    for id_ in ids:
        tried = found[id_]
        usage = tried.usage() if callable(tried.usage) else tried.usage
        numbers = expected.get(id_, [])
        assert len(tried.with_it) == len(tried.without) <= 2
        if not numbers:
            assert usage is None
            continue
        assert usage is not None
        assert usage.word == ("on the map" if units else "bought")
        assert (usage.plays, usage.in_plays) == (len(numbers), sum(number > 0 for number in numbers))
        assert usage.times == pytest.approx(sum(numbers) / len(numbers))


def test_playouts_on_named_tiles_are_on_two_of_them() -> None:
    question = tactic_question(RULES, ["bohorg", "tomb"])
    with pytest.raises(RequestError, match="2 players need 2 different tiles, not 1a"):
        estimate_values(question, 2, tiles=("1a",))
