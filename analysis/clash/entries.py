"""Equipment and units with one more of them and without, for ``balance --only``: exact battles."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import TYPE_CHECKING

from analysis.clash.balancing import CONTESTED, balance_answer, balance_question, with_and_without
from analysis.clash.contest import chance_of, scenario_of_deal, seated
from analysis.clash.outcomes import OutcomeTables
from analysis.clash.setup import RULE, Setup
from analysis.clash.whole_game import WholeGame
from analysis.front.entries import Tried, Usage
from analysis.front.parameters import text_of
from analysis.front.question import Running
from engine.clash.codec import decode
from engine.clash.rules import Rules

if TYPE_CHECKING:
    from analysis.clash.questions.balance import Balance

__all__ = ["acts_in_battle", "equipment", "lone_units", "units"]

LONE_POINTS = 6.0
"""What armies of one unit count: as many figures of any level as that allows."""
WATCHED = 20
"""Games of two in which it is counted what players own."""


def equipment(rules: Rules, asked: Balance, ids: Sequence[str], running: Running) -> dict[str, Tried]:
    """Return what cards of equipment are worth."""
    return _tried(rules, asked, ids, running, are_units=False)


def units(rules: Rules, asked: Balance, ids: Sequence[str], running: Running) -> dict[str, Tried]:
    """Return what a figure of each of several units is worth."""
    return _tried(rules, asked, ids, running, are_units=True)


def lone_units(rules: Rules, asked: Balance, ids: Sequence[str], running: Running) -> dict[str, Tried]:
    """Return what armies of one unit alone win against all that count the same; exact, army by army."""
    question = balance_question(rules, points=LONE_POINTS, contested=0)
    report = balance_answer(question, memory=asked.memory.bytes, stop=running.interrupt)
    armies, wins = list(enumerate(question.armies())), report.wins
    how = f"With: {LONE_POINTS:g} points of it alone against every army that counts the same. Without: half."
    found: dict[str, Tried] = {}
    for number, army in armies:
        units = [unit.id for unit, count in zip(army.types, army.counts, strict=True) if count]
        if not report.complete or len(units) > 1 or units[0] not in ids:
            continue
        others = [(each, other) for each, other in armies if other.clan != army.clan]
        shares = [((wins[number][each] or 0.0) + 1 - (wins[each][number] or 0.0)) / 2 for each, _ in others]
        # The same army has the same number by all rules.
        clans = [clan.id for clan in rules.clans]
        deals = [
            clans.index(other.clan) * 1000 + sum(10**at * each for at, each in enumerate(other.counts))
            for _, other in others
        ]
        found[units[0]] = Tried(shares, [0.5] * len(shares), how, deals=deals)
    return found


def acts_in_battle(rules: Rules) -> set[str]:
    """Return the cards of equipment that do nothing but in battles: those that help to move left out."""
    return {each.id for each in rules.equipment if not (each.bonus.speed or each.bonus.flight)}


def _tried(
    rules: Rules, asked: Balance, ids: Sequence[str], running: Running, *, are_units: bool
) -> dict[str, Tried]:
    owned = cache(partial(_owned, rules, asked, running, are_units=are_units))
    low, high = CONTESTED
    one = "figure" if are_units else "card on the unit that it helps most"
    how = (
        f"With: the attacker has one more {one}. Without: the same exact battle without it. Battles of armies"
        f" of {asked.points:g} points are drawn, of those that the attacker wins with {low:.0%} to"
        f" {high:.0%}; movement and later battles are left out."
    )
    found = {}
    for number, id_ in enumerate(ids):
        if running.interrupt():
            break
        running.note("worth", number, len(ids))
        clans = asked.clan
        if are_units and clans:
            clans = tuple(dict.fromkeys((*clans, _clan_of(rules, id_))))
        question = balance_question(
            rules,
            clans=clans,
            points=asked.points,
            weights=asked.weights,
            contested=asked.battles,
            seed=asked.work.seed,
        )
        both = with_and_without(question, id_, memory=asked.memory.bytes, stop=running.interrupt)
        usage = partial(_usage, owned, id_, "on the map" if are_units else "bought")
        found[id_] = Tried([best for best, _ in both], [before for _, before in both], how, usage)
    return found


def _usage(owned: Callable[[], dict[str, list[int]]], id_: str, word: str) -> Usage | None:
    """How often somebody had it in games that are watched."""
    counts = owned().get(id_, [])
    if not counts:
        return None
    return Usage(text_of(RULE), word, len(counts), sum(map(bool, counts)), sum(counts) / len(counts))


def _clan_of(rules: Rules, unit: str) -> str:
    return next(clan.id for clan in rules.clans if any(each.id == unit for each in clan.units))


def _owned(rules: Rules, asked: Balance, running: Running, *, are_units: bool) -> dict[str, list[int]]:
    """The most of each card, or unit, that players of whole games had; of each player who could have it."""
    tables, found = OutcomeTables(rules), dict[str, list[int]]()
    seed, known = asked.work.seed, [clan.id for clan in rules.clans]
    for deal in range(WATCHED):
        if running.interrupt():
            break
        clans = random.Random(f"{seed}/{deal}/clans").sample(known, 2)
        chance = chance_of(seed, deal)
        where = scenario_of_deal(rules, Setup(), clans, seed, deal)
        game = WholeGame(rules, where, tables, chance)
        players = [seated(RULE, chance + 1 + seat) for seat in range(2)]
        most: list[dict[str, int]] = [{}, {}]
        last = 0
        while not game.over:
            if game.round > last:
                last = game.round
                _count(game, most, are_units=are_units)
            game.make(players[game.decider].choose(game))
        _count(game, most, are_units=are_units)
        for clan, counted in zip(clans, most, strict=True):
            kinds = rules.clan(clan).units if are_units else rules.equipment
            for each in kinds:
                found.setdefault(each.id, []).append(counted.get(each.id, 0))
    return found


def _count(game: WholeGame, most: Sequence[dict[str, int]], *, are_units: bool) -> None:
    """Count what players have at the beginning of a round. Modified in place: `most`."""
    state = decode(game.words.copy(), game.rules, game.scenario)
    for player, clan, counted in zip(state.players, game.scenario.clans, most, strict=True):
        if are_units:
            figures = [sum(place[kind] for place in player.units) for kind in range(3)]
            now = {unit.id: number for unit, number in zip(game.rules.clan(clan).units, figures, strict=True)}
        else:
            number_of = len(game.rules.equipment)
            now = {}
            for card in player.cards:
                if card < number_of:
                    name = game.rules.equipment[card].id
                    now[name] = now.get(name, 0) + 1
        for name, number in now.items():
            counted[name] = max(counted.get(name, 0), number)
