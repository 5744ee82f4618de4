"""The `.efg` text: exact numbers, one line per node, and nothing lost when it is read back."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path

import pytest

from solver.extensive import TERMINAL, build_game
from solver.gambit import efg_lines, write_efg
from tests.games.goofspiel import Goofspiel
from tests.games.kuhn import Kuhn
from tests.games.leduc import Leduc
from tests.games.random_game import RandomGame
from tests.solver.test_extensive import Scripted

QUOTED = re.compile(r'"([^"]*)"')


def value_under_uniform_play(lines: list[str]) -> Fraction:
    """Read a tree from its text and evaluate it, all players choosing uniformly."""
    nodes = iter(lines)

    def read() -> Fraction:
        line = next(nodes)
        if line.startswith("t"):
            mine, his = (Fraction(text) for text in line.rsplit("{", 1)[1].strip(" }").split())
            assert mine == -his
            return mine
        inside = line.rsplit("{", 1)[1].rsplit("}", 1)[0]
        labels = QUOTED.findall(inside)
        weights = [Fraction(text) for text in QUOTED.sub("", inside).split()] or [
            Fraction(1, len(labels)) for _ in labels
        ]
        assert len(set(labels)) == len(labels) == len(weights)
        assert sum(weights) == 1
        return sum((weight * read() for weight in weights), start=Fraction(0))

    value = read()
    assert next(nodes, None) is None
    return value


@pytest.mark.parametrize(
    "source", [Kuhn(), Leduc(), Goofspiel(3), RandomGame(3)], ids=["kuhn", "leduc", "goof", "random"]
)
def test_reading_back_gives_the_same_game(source: Kuhn) -> None:
    game = build_game(source)
    lines = list(efg_lines(game))
    assert len(lines) == 2 + game.num_nodes

    def uniform(node: int) -> Fraction:
        if game.node_player[node] == TERMINAL:
            return game.exact_payoff[node]
        count = int(game.num_children[node])
        children = range(game.first_child[node], game.first_child[node] + count)
        chance = game.node_player[node] not in (0, 1)
        return sum(
            ((game.exact_chance[c] if chance else Fraction(1, count)) * uniform(c) for c in children),
            Fraction(0),
        )

    assert value_under_uniform_play(lines[2:]) == uniform(0)


def test_the_text_of_a_small_game(tmp_path: Path) -> None:
    tree = ("c", [('say "hi"', 1, (0, ("k", 1), [(1, (Fraction(1, 3),)), ("1", (-2,))])), ("b", 2, (0.25,))])
    path = tmp_path / "small.efg"
    write_efg(build_game(Scripted(tree)), path, title="Small", player_names=("One", "Two"))
    assert path.read_text(encoding="utf-8").splitlines() == [
        'EFG 2 R "Small" { "One" "Two" }',
        '""',
        'c "" 1 "" { "say \'hi\'" 1/3 "b" 2/3 } 0',
        # The labels 1 and "1" would read the same.
        'p "" 1 1 "1: (\'k\', 1)" { "0: 1" "1: 1" } 0',
        't "" 1 "pays 1/3" { 1/3 -1/3 }',
        't "" 2 "pays -2" { -2 2 }',
        't "" 3 "pays 1/4" { 1/4 -1/4 }',
    ]
