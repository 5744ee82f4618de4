"""Moves and the table in words: all moves differ, and nothing is told that is not seen."""

from __future__ import annotations

import random
import re

import pytest

from analysis.raverun.narration import Names, move_text, table_lines, told
from engine.raverun.reference import CHANCE, OVER, Move, Phase, State, decider, legal_moves, start, step
from engine.raverun.reference_view import view
from engine.raverun.rules import ACTIONS
from tests.engine.raverun.plays import BOX, moves, random_move


@pytest.mark.parametrize("num_players", [2, 3])
def test_moves_in_words(num_players: int) -> None:
    rng, seen = random.Random(1), set()
    for seed in range(12):
        names = Names(num_players, seed % num_players)
        state: State = start(BOX, num_players)
        while decider(state) != OVER:
            move = random_move(state, rng)
            if decider(state) != CHANCE:
                assert isinstance(move, Move)
                texts = [move_text(state, each, names) for each in legal_moves(state)]
                assert len(set(texts)) == len(texts) == len(moves(state))
                seen |= {text.split()[0] for text in texts}
                text = told(state, decider(state), move, names)
                assert ">" not in text
                if decider(state) != names.seat:
                    assert not text.startswith("You")
                    if state.phase == Phase.BID or "under the deck" in text:
                        assert text.endswith("unseen")
            lines = table_lines(state, names)
            own = view(state, names.seat)
            for other in range(num_players):
                if other == names.seat or state.phase == Phase.DEAL:
                    continue
                known = own.known[other - (other > names.seat)]
                assert isinstance(known, tuple)
                line = next(line for line in lines[1:] if re.match(r" +holds ", line))
                if num_players == 2:
                    shown = re.findall(r"\b\d[A-C]\b", line)
                    assert shown == [BOX.card_name(card) for card in known]
            state = step(state, move)
    actions = {"swap", "put", "draw", "deploy", "capture", "bury", "recall", "shuffle"}
    assert len(actions) == len(ACTIONS)
    assert seen >= actions | {"choose", "play", "order:", "pass"}
