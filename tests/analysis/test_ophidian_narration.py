"""A match in words: every move of random plays, the table, what things are."""

from __future__ import annotations

import random
import re

import msgspec

from analysis.ophidian.narration import discards, move_words, phase_words, table_lines
from analysis.ophidian.takeover import fight_of
from analysis.ophidian.wording import _plain, value_words
from engine.ophidian.reference import (
    chance_outcomes,
    is_over,
    legal_moves,
    seat_of,
    start_match,
    step,
)
from engine.ophidian.rules import NEVER, load_rules

RULES = load_rules()


def test_every_move_of_a_match_has_words() -> None:
    kinds = set()
    for seed, decks in enumerate((("iron", "storm"), ("brood", "patron"))):
        rng = random.Random(seed)
        state = start_match(RULES, [seat_of(RULES, deck) for deck in decks])
        while not is_over(state):
            outcomes, moves = chance_outcomes(state), legal_moves(state)
            if not outcomes:
                assert phase_words(state)
                assert all(move_words(state, move) for move in moves)
                kinds |= {move.kind for move in moves}
                rules_of = [RULES.deck(deck) for deck in decks]
                lines = list(table_lines(state, state.turn, rules_of))
                for side, deck in enumerate(rules_of):
                    gone = sum(discards(state, side, deck).values())
                    assert 0 <= gone <= deck.size - len(state.holdings[side].hand)
                assert any(line.startswith("Your hand:") for line in lines)
                assert fight_of(state, state.turn) is None or state.wave >= 4
            state = step(state, rng.choice([each for each, _ in outcomes] or moves))
    assert len(kinds) >= 18


def test_cheer_is_got_or_lost_whatever_tells_its_amount() -> None:
    def said(amount: int | str) -> str:
        ability = RULES.cards[RULES.card("blessing")].abilities[0]
        deed = next(each for each in ability.do if each.act == "cheer")
        return _plain(ability, msgspec.structs.replace(deed, amount=amount), "it")

    assert re.fullmatch(r"\w+ gets? 2 cheer", said(2))
    assert re.fullmatch(r"\w+ loses? 2 cheer", said(-2))
    assert re.match(r"\w+ gets? cheer, as many as the die shows", said("die"))


def test_where_no_card_can_matter_any_more_the_rest_is_a_fight_without_cards() -> None:
    rng, found = random.Random(8), 0
    state = start_match(RULES, [seat_of(RULES, deck) for deck in ("storm", "patron")])
    while not is_over(state):
        outcomes, moves = chance_outcomes(state), legal_moves(state)
        fight = None if outcomes else fight_of(state, state.turn)
        if fight is not None:
            found += 1
            assert legal_moves(fight) == moves
            for move in moves:
                pair = step(state, move), step(fight, move)
                known = [
                    (
                        each.cheer,
                        each.turn,
                        [[(one.wounds, one.field) for one in team] for team in each.teams],
                    )
                    for each in pair
                ]
                assert known[0] == known[1]
        state = step(state, rng.choice([each for each, _ in outcomes] or moves))
    assert found >= 5
    hidden = [fight_of(state, player) for player in (0, 1)]
    assert hidden == [None, None], "the match is over"


def test_a_cost_is_called_never_where_it_means_so() -> None:
    words = value_words(RULES)
    costs = {card.id: card.maintain for card in RULES.cards}
    never = {card for card, cost in costs.items() if cost == NEVER}
    assert {card for card in costs if f"cards.{card}.maintain" in words} == never
    assert 0 < len(never) < len(costs)
