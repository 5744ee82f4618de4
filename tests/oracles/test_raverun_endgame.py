"""The open end of Raverun: when the rest of a game is open, and what it is worth, against plain recursion."""

from __future__ import annotations

import numpy as np
import pytest

from engine.raverun import reference
from engine.raverun.features import NUM_FEATURES
from engine.raverun.reference import CHANCE, OVER, Phase, State, decider
from engine.raverun.rules import Rules, load_rules
from engine.raverun.sampling import sampling_tables
from solver.sampling.open_endgame import endgame_value
from solver.sampling.value_network import new_network
from solver.sampling.value_policy import ValuePolicy
from tests.engine.raverun.test_sampling import walk

BOX = load_rules()
#: Cards are deployed and stacks shuffled in the last phase, after one has been buried.
VARIANT = load_rules(
    overrides=[
        *("match.characters=6", "match.hand_size=4", "characters.1.action=bury", "characters.1.colour=red"),
        *("characters.2.action=deploy", "characters.2.colour=red", "characters.3.action=shuffle"),
        *("characters.3.colour=red", "characters.4.action=recall", "characters.4.colour=red"),
        *("characters.5.action=swap", "characters.6.action=exchange"),
        *("characters.5.colour=green", "characters.6.colour=green"),
    ]
)
#: Hands matter to the end.
CLOSED = load_rules(overrides=["characters.8.action=swap"])
#: Stacks are shuffled in the rounds, and their order matters to the end.
HIDDEN = load_rules(overrides=["characters.1.action=shuffle"])


def plain(state: State, known: dict[State, float]) -> float:
    """What a state is worth to player 0 where both see everything."""
    if state not in known:
        who = decider(state)
        if who == OVER:
            known[state] = float(reference.payoffs(state)[0])
        elif who == CHANCE:
            outcomes = reference.chance_outcomes(state)
            total = sum(weight for _, weight in outcomes)
            known[state] = sum(
                weight / total * plain(reference.step(state, outcome), known) for outcome, weight in outcomes
            )
        else:
            values = [plain(reference.step(state, move), known) for move in reference.legal_moves(state)]
            known[state] = max(values) if who == 0 else min(values)
    return known[state]


@pytest.mark.kernels
@pytest.mark.parametrize("rules", [BOX, VARIANT], ids=["box", "variant"])
def test_P5_the_last_phase_is_worth_what_plain_recursion_finds(rules: Rules) -> None:
    game = sampling_tables(rules, 2, "view")
    assert game.is_open is not None
    # What it says of an open state counts for nothing.
    policy = ValuePolicy(game, new_network(NUM_FEATURES, 4, (-1.0, 1.0), seed=1), temperature=0.5)
    work, found, lost = np.zeros(game.work_words, np.int64), set(), 0
    for seed in range(12):
        known: dict[State, float] = {}
        for state, words in walk(rules, 2, game, seed):
            if decider(state) == OVER:
                continue
            is_open = bool(game.is_open(game.tables, words, work))
            assert is_open == (state.phase == Phase.LAST)
            if not is_open:
                continue
            worth = plain(state, known)
            found.add(worth)
            assert endgame_value(game, words, (-1.0, 1.0)) == pytest.approx(worth, abs=1e-12)
            who = decider(state)
            if who == CHANCE:
                continue
            sign = 1.0 if who == 0 else -1.0
            after = [plain(reference.step(state, move), known) for move in reference.legal_moves(state)]
            np.testing.assert_allclose(policy.values(words), sign * np.array(after), atol=1e-12)
            chosen = after[policy.choose(words, seed)]
            lost += sign * (worth - chosen) > 1e-9
    assert lost == 0
    assert len(found) > 1


@pytest.mark.kernels
@pytest.mark.parametrize("rules", [CLOSED, HIDDEN], ids=["hands", "order"])
def test_P5_an_end_in_which_something_hidden_matters_is_not_open(rules: Rules) -> None:
    game = sampling_tables(rules, 2, "view")
    assert game.is_open is not None
    work, closed = np.zeros(game.work_words, np.int64), 0
    for seed in range(60):
        for state, words in walk(rules, 2, game, seed):
            if decider(state) == OVER:
                continue
            is_open = bool(game.is_open(game.tables, words, work))
            assert not is_open or state.phase == Phase.LAST
            if state.phase == Phase.LAST and not is_open:
                closed += 1
                with pytest.raises(ValueError, match="only open states"):
                    endgame_value(game, words, (-1.0, 1.0))
    assert closed > 10
