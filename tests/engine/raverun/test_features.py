"""The facts a player sees, against the reference's view, and that they tell nothing else."""

from __future__ import annotations

import numpy as np
import pytest

from engine.raverun.features import A_STAGE, COMMON_FACTS, MARKS, PLAYER_FACTS
from engine.raverun.layout import MAX_PLAYERS
from engine.raverun.reference import OVER, Phase, State, decider
from engine.raverun.reference_view import view
from engine.raverun.rules import Rules
from engine.raverun.sampling import sampling_tables
from tests.engine.raverun.test_sampling import GAMES, walk
from tests.games.sampling_checks import facts_seen

pytestmark = pytest.mark.kernels

NAMES = [
    *(
        (name, rank, fact)
        for rank in range(MAX_PLAYERS)
        for name, size in PLAYER_FACTS.items()
        for fact in range(size)
    ),
    *((name, 0, fact) for name, size in COMMON_FACTS.items() for fact in range(size)),
]


def seen_facts(state: State, rules: Rules, player: int) -> set[tuple[str, int, int]]:
    """The facts by name, whom they are about, and number, from what the reference shows."""
    seen, who = view(state, player), decider(state)
    phase, threshold, offered, drawer = (seen.table[index] for index in (0, 4, 5, 6))
    assert isinstance(threshold, int)
    found = {("hand", 0, card) for card in seen.hand} | {("going", 0, card) for card in seen.put}
    found |= {("deck", 0, seen.deck_size), ("phase", 0, int(state.phase))}
    if offered is not None:
        assert isinstance(offered, int)
        found.add(("offered", 0, offered))
    if phase == Phase.ROUND and threshold < 24:
        found.add(("threshold", 0, threshold))
    known = list(seen.known)
    tops = {}
    for other in range(len(state.players)):
        rank = (other - player) % len(state.players)
        stack, field = seen.stacks[other], seen.battlefields[other]
        held = set() if rank == 0 else set(known.pop(0))
        cards = {
            "battlefield": set(field),
            "stack": {card for card in stack if card is not None} | set(seen.loose[other]),
            "below": {card for card in stack[-2:-1] if card is not None},
            "known": held,
        }
        if phase == Phase.LAST:
            cards["to_act"] = {
                card for card in field if card >= threshold and rules.acts_on(card) == "battlefields"
            }
        top = state.players[other].stack[-1:] if state.players[other].stack else ()
        cards["top"] = set(top)
        if top:
            tops[other] = top[0]
        chosen = state.players[other].chosen
        cards["chosen"] = set() if chosen is None or (phase == Phase.BID and rank) else {chosen}
        found |= {(name, rank, card) for name, numbers in cards.items() for card in numbers}
        found.add(("held", rank, seen.hand_sizes[other]))
        marks = (who == other, False, who == other and offered is not None, drawer == other)
        found |= {("marks", rank, MARKS.index(name)) for name, mark in zip(MARKS, marks, strict=True) if mark}
    found |= {("decked", 0, card) for _, card in known}
    if tops:
        leads = max(tops, key=lambda other: tops[other])
        found.add(("marks", (leads - player) % len(state.players), MARKS.index("leads")))
    return found


@pytest.mark.parametrize(("rules", "num_players"), GAMES)
def test_V4_facts_are_those_of_the_view(rules: Rules, num_players: int) -> None:
    game = sampling_tables(rules, num_players, "view")
    for seed in range(25):
        for state, words in walk(rules, num_players, game, seed):
            if decider(state) == OVER or state.phase == Phase.DEAL:
                continue
            for player in range(num_players):
                found = facts_seen(game, words, player)
                stage = 12 if state.phase == Phase.LAST else len(view(state, player).hand)
                assert {fact // A_STAGE for fact in found} == {stage}
                assert {NAMES[fact % A_STAGE] for fact in found} == seen_facts(state, rules, player)


@pytest.mark.parametrize(("rules", "num_players"), GAMES)
def test_V4_facts_are_the_same_whatever_is_hidden(rules: Rules, num_players: int) -> None:
    game = sampling_tables(rules, num_players, "view")
    work, sampled = np.zeros(game.work_words, np.int64), game.root.copy()
    assert game.determinise is not None
    for seed in range(40):
        for state, words in walk(rules, num_players, game, seed):
            who = decider(state)
            if isinstance(who, int) and 0 <= who < num_players:
                game.determinise(game.tables, words, work, who, seed, sampled)
                assert facts_seen(game, sampled, who) == facts_seen(game, words, who)
