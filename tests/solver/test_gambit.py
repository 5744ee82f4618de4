"""The `.efg` text: exact numbers, one line per node, and nothing lost when it is read back."""

from __future__ import annotations

import re
import unicodedata
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.efg_reader import constant_sum_game, parse_efg
from solver.extensive import TERMINAL, build_game, expected_payoff
from solver.gambit import efg_lines, infosets_in_order, profile_text
from solver.gambit_labels import distinct_labels, quoted
from solver.gambit_numbers import number_text
from solver.gambit_tokens import Tokens
from tests.games.goofspiel import Goofspiel
from tests.games.kuhn import Kuhn
from tests.games.leduc import Leduc
from tests.games.random_game import RandomGame
from tests.solver.test_extensive import random_strategy


@given(st.integers(-(10**30), 10**30), st.integers(1, 10**30))
def test_numbers_are_exact_up_to_32_bits_and_else_decimals_of_17_digits(above: int, below: int) -> None:
    number = Fraction(above, below)
    text = number_text(number)
    if "/" in text:
        assert Fraction(text) == number
        assert max(map(abs, map(int, text.split("/")))) < 2**31
    else:
        assert re.fullmatch(r"-?[0-9]+(\.[0-9]+)?", text)
        assert abs(Fraction(text) - number) <= abs(number) / 10**16
    assert number_text(-number).lstrip("-") == text.lstrip("-")


QUOTED = re.compile(r'"([^"]*)"')


def value_under_uniform_play(lines: list[str]) -> Fraction:
    """Read a tree from its text and evaluate it, all players choosing uniformly."""
    nodes = iter(lines)

    def read() -> Fraction:
        line = next(nodes)
        if line.startswith("t"):
            mine, its = (Fraction(text) for text in line.rsplit("{", 1)[1].strip(" }").split())
            assert mine == -its
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


NASTY = st.text(
    st.one_of(st.characters(), st.sampled_from("ab \t\n\r\x00\x1f\x7f\x85\xa0\u2028\u200b\ud800\"'\\/")),
    max_size=6,
)


@given(texts=st.lists(NASTY, min_size=1, max_size=6))
def test_labels_are_clean_and_differ_after_quoting(texts: list[str]) -> None:
    labels = distinct_labels(texts)
    assert len(set(labels)) == len(texts)
    for text in labels:
        assert text == " ".join(text.split()) != ""
        assert not set(text) & set('"\\')
        assert not {unicodedata.category(character) for character in text} & {"Cc", "Cs", "Zl", "Zp"}
        text.encode("utf-8")
        assert Tokens(quoted(text)).string("a label") == text
    # What is clean and different already stays as it is.
    assert distinct_labels(labels) == labels


@pytest.mark.parametrize(
    "source", [Kuhn(), Leduc(), Goofspiel(3), RandomGame(3)], ids=["kuhn", "leduc", "goof", "random"]
)
def test_our_own_reader_finds_the_game_and_the_profile(source: Kuhn) -> None:
    game = build_game(source)
    tree = parse_efg("\n".join(efg_lines(game, title='say "hi"')))
    assert tree.title == "say 'hi'"
    read, total = constant_sum_game(tree)
    assert total == (0, 0)
    for field in ("node_player", "parent", "node_infoset", "payoff", "chance_probability", "slot_infoset"):
        np.testing.assert_array_equal(getattr(read, field), getattr(game, field))
    # The profile goes by the order in which infosets appear in the file.
    strategy = random_strategy(game, 1)
    shares = [Fraction(word) for word in profile_text(game, strategy.tolist()).split(",")]
    first, appear = {}, {}
    for node in tree.nodes:
        if node.player in (0, 1):
            appear.setdefault((node.player, node.infoset), len(node.labels))
    position = 0
    for key in sorted(appear, key=lambda key: key[0]):
        first[key] = position
        assert sum(shares[position : position + appear[key]]) == 1
        position += appear[key]
    assert position == len(shares)
    again = strategy.copy()
    for player, order in enumerate(infosets_in_order(game)):
        for number, infoset in enumerate(order, 1):
            begin, count = first[player, number], appear[player, number]
            slots = slice(game.first_slot[infoset], game.first_slot[infoset + 1])
            again[slots] = [float(share) for share in shares[begin : begin + count]]
    assert expected_payoff(read, again) == pytest.approx(expected_payoff(game, strategy), abs=1e-12)
    np.testing.assert_allclose(again, strategy, atol=1e-12)
