"""Golden transcripts: whole matches with every move and what the table then shows.

A line is a move, as `notation.move_text` writes it, and after `=>` what it left on the table. The moves are
read from the file, so no random generator has a say. To write them anew after a change of the rules:
`python -m tests.engine.ragers.test_transcripts`.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
import pytest

from engine.ragers import kernel, layout
from engine.ragers.kernel_rules import kernel_rules
from engine.ragers.reference import State, is_over, start_match, step, winner
from engine.ragers.rules import PLAYERS, Rules, load_rules
from tests.engine.ragers.notation import move_of, move_text, row_text
from tests.engine.ragers.plays import Move, assert_same, random_move, step_words

_FOLDER = Path(__file__).parent / "transcripts"
_GAMES: dict[str, tuple[int, list[str]]] = {
    "box-1": (1, []),
    "box-2": (22, []),
    "long-rows": (3, ["match.row_length=7", "match.winning_lead=99", "cards.veteran.copies=4"]),
    "specials-only-against-attacks-only": (
        4,
        [
            f"cards.{card}.copies={{accusers={first}, defenders={second}}}"
            for card, first, second in [
                ("basher", 1, 4),
                ("slasher", 0, 4),
                ("prodder", 0, 4),
                ("chancer", 4, 0),
                ("cheater", 4, 1),
                ("deadeye", 3, 0),
                ("stopper", 3, 0),
                ("veteran", 4, 0),
            ]
        ],
    ),
}


def _table(before: State, after: State) -> str:
    """What a move changed for all to see, hidden cards included."""
    if after.day > before.day:
        result = after.results[-1]
        scores = "-".join(str(player.score) for player in after.players)
        cheers = "; ".join(
            f"{name} take {' '.join(after.rules.cheers[i].id for i in taken)}"
            for name, taken in zip(PLAYERS, result.taken, strict=True)
            if taken
        )
        combat = "-".join(map(str, result.combat_gp))
        line = f"{result.outcome.name.lower()}, combat {combat}, score {scores}" + (cheers and f"; {cheers}")
        return line + (f"; {PLAYERS[winner(after)]} win the match" if is_over(after) else "")
    rows = [row_text((*own.row, own.slot) if own.slot else own.row) for own in after.players]
    return " | ".join(rows)


def _transcript(rules: Rules, moves: Iterable[Move]) -> Iterator[str]:
    state = start_match(rules)
    for move in moves:
        after = step(state, move)
        yield f"{move_text(state, move)} => {_table(state, after)}".rstrip()
        state = after
    assert is_over(state)


def _random_moves(rules: Rules, seed: int) -> Iterator[Move]:
    rng = random.Random(seed)
    state = start_match(rules)
    while not is_over(state):
        move = random_move(state, rng)
        yield move
        state = step(state, move)


@pytest.mark.parametrize("name", _GAMES)
def test_transcript(name: str) -> None:
    rules = load_rules(overrides=_GAMES[name][1])
    compiled = kernel_rules(rules)
    words = np.zeros(layout.NUM_WORDS, np.int64)
    kernel.start(words, compiled)
    state = start_match(rules)
    for number, line in enumerate((_FOLDER / f"{name}.txt").read_text().splitlines(), 1):
        text = line.partition(" =>")[0]
        move = move_of(state, text)
        assert move_text(state, move) == text
        after = step(state, move)
        step_words(words, compiled, move)
        assert_same(after, words, compiled)
        assert f"{text} => {_table(state, after)}".rstrip() == line, f"{name}, line {number}"
        state = after
    assert is_over(state)


if __name__ == "__main__":
    for game, (seed, overrides) in _GAMES.items():
        box = load_rules(overrides=overrides)
        lines = _transcript(box, _random_moves(box, seed))
        (_FOLDER / f"{game}.txt").write_text("".join(f"{line}\n" for line in lines))
