"""Gladiators and cards with and without them, for ``balance``."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from analysis.front.bundles import RulesFiles
from analysis.front.entries import Tried, Usage
from analysis.front.page import Fact
from analysis.front.parameters import text_of
from analysis.front.question import Running
from analysis.ophidian.contest import budget_of, trained_of
from analysis.ophidian.game import GAME
from analysis.ophidian.players import game_of, player_named
from analysis.ophidian.teams import starting_gladiators
from analysis.ophidian.worth import Drawn, all_proved
from engine.ophidian import recording
from engine.ophidian.reference import seat_of
from engine.ophidian.rules import DeckRule, Rules
from engine.ophidian.rules_schema import MAX_COST
from solver.sampling.head_to_head import MatchResult, play_matches

__all__ = ["cards", "gladiators", "in_decks", "in_fights"]

SIZE = 2
"""Gladiators on each side of the positions that are proved."""
WATCHED = 200
"""Deals of which each card that is played, and each action, is counted."""


def _played(rules: Rules, asked: Any, decks: Sequence[str], deals: int) -> MatchResult:
    player = asked.player[0]
    game = game_of(rules, [seat_of(rules, deck) for deck in decks])
    trained = trained_of(player, rules)
    name = str(player.__struct_config__.tag)
    one, other = (player_named(name, rules, game, budget_of(player), trained) for _ in range(2))
    return play_matches(
        *(game, one, other), num_deals=deals, seed=asked.work.seed, seats=(0,), num_noted=recording.NUM_USES
    )


def _usage(played: MatchResult, asked: Any, word: str, place: int) -> Usage:
    assert played.noted is not None
    times = played.noted[:, 0, place].tolist()
    player = text_of(asked.player[0])
    return Usage(player, word, len(times), sum(map(bool, times)), sum(times) / len(times))


# ---- gladiators --------------------------------------------------------------------------------------------


def gladiators(rules: Rules, asked: Any, ids: Sequence[str], running: Running) -> dict[str, Tried]:
    """Return what gladiators are worth: exact fights of the last wave, with it on one side only."""
    drawn = Drawn(rules, SIZE, rules.match.waves, asked.work.seed, changes=())
    proved = sorted(all_proved(drawn, asked.deals, asked.work, running), key=lambda each: each.number)
    if len(proved) < asked.deals:
        return {}
    numbers = {each.id: number for number, each in enumerate(rules.gladiators)}
    found = {}
    for id_ in ids:
        number = numbers[id_]
        wins, points, deals = [], [], []
        for place, each in enumerate(proved):
            here, there = (number in team for team in each.teams)
            if here != there:
                result, ahead = each.worth if here else (-each.worth[0], -each.worth[1])
                deals.append(place)
                wins.append((1 + result) / 2)
                points.append(ahead)
        how = (
            f"With: the side that has it of an exact fight, {SIZE} against {SIZE} without cards in the last"
            " wave. Without: the other side, which has other gladiators."
        )
        usage = partial(_activity, rules, asked, id_, recording.ACTED + number)
        more = (
            [Fact("points", "points ahead, mean", sum(points) / len(points), "signed", 1)] if points else []
        )
        found[id_] = Tried(
            wins, [1.0 - share for share in wins], how if wins else _NOT_MET, usage, more, deals
        )
    return found


def _activity(rules: Rules, asked: Any, id_: str, place: int) -> Usage | None:
    """How often a gladiator of a deck acts."""
    deck = next((deck for deck in rules.decks if id_ in _team(rules, deck)), None)
    if deck is None:
        return None
    other = next((each for each in rules.decks if each.id != deck.id), deck)
    played = _played(rules, asked, (deck.id, other.id), min(asked.deals, WATCHED))
    return _usage(played, asked, "active", place)


_NOT_MET = "No position that was drawn has it: reinforcements do not begin a fight, or ask for more deals."


def in_fights(rules: Rules) -> set[str]:
    """Return the gladiators that can be measured."""
    return {rules.gladiators[number].id for number in starting_gladiators(rules)}


def in_decks(rules: Rules) -> set[str]:
    """Return the cards that can be measured."""
    return {card for deck in rules.decks for card in dict(deck.cards)}


def _team(rules: Rules, deck: DeckRule) -> Sequence[str]:
    team: Sequence[str] = next(each.gladiators for each in rules.teams if each.id == deck.team)
    return team


# ---- cards -------------------------------------------------------------------------------------------------


def cards(rules: Rules, asked: Any, ids: Sequence[str], running: Running) -> dict[str, Tried]:
    """Return what cards are worth: a deck against the same one in which no copy can be played."""
    found, known = {}, dict[tuple[str, str], MatchResult]()
    for number, id_ in enumerate(ids):
        if running.interrupt():
            break
        running.note("cards", number, len(ids))
        found[id_] = _tried_card(rules, asked, id_, known)
    return found


def _tried_card(rules: Rules, asked: Any, id_: str, known: dict[tuple[str, str], MatchResult]) -> Tried:
    """See `cards`. Modified in place: `known`, matches of two decks as they are."""
    named = [rules.deck(deck) for deck in (asked.setup.deck, asked.setup.against)]
    holding = [deck for deck in (*named, *rules.decks) if id_ in dict(deck.cards)]
    if not holding:
        return Tried((), (), f"No deck holds {id_}; put it into one by --set decks.DECK.cards=[…].")
    deck = holding[0]
    free = [each for each in (*named, *rules.decks) if each.id != deck.id and id_ not in dict(each.cards)]
    other = next(iter(free), next((each for each in rules.decks if each.id != deck.id), deck))
    dead = GAME.rules_of(
        RulesFiles(rules=asked.rules.rules, set=(*asked.rules.set, f"cards.{id_}.cost={MAX_COST}"))
    )
    decks = deck.id, other.id
    if decks not in known:
        known[decks] = _played(rules, asked, decks, asked.deals)
    both = known[decks], _played(dead, asked, decks, asked.deals)
    with_it, without = (((1.0 + played.payoffs[:, 0]) / 2.0).tolist() for played in both)
    how = (
        f"With: {deck.id} against {other.id}. Without: the same, where {id_} costs more than anybody has, so"
        " that its copies are blank."
    )
    if not free:
        how += " Every other deck holds it, too, so both sides lose it."
    place = recording.USES + [each.id for each in rules.cards].index(id_)
    return Tried(with_it, without, how, _usage(both[0], asked, "played", place))
