"""Export of explicit game trees to Gambit's `.efg` text format, with exact rational numbers.

The format is read by Gambit (and pygambit) and by OpenSpiel's `efg_game`: the way out to other solvers.
It is described in Gambit's documentation, "The extensive game (.efg) file format".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

import numpy as np

from solver.extensive import CHANCE, TERMINAL, ExtensiveGame
from solver.gambit_labels import distinct_labels, quoted
from solver.gambit_numbers import fits, number_text, probability_texts


def efg_lines(
    game: ExtensiveGame,
    *,
    title: str = "Two-player zero-sum game",
    player_names: tuple[str, str] = ("Player 0", "Player 1"),
) -> Iterator[str]:
    """Yield the lines of the `.efg` text of a game, without line ends.

    Chance probabilities and payoffs are exact as the source gave them, but for fractions beyond 32 bits:
    decimals (see `gambit_numbers`; `num_rounded` counts them). Every chance node is its own
    chance infoset; terminals with equal payoffs share an outcome. Infosets are numbered as they appear,
    and named by their number and key, so that the names differ even where the keys' texts do not.
    """
    players = " ".join(map(quoted, distinct_labels(player_names)))
    yield f"EFG 2 R {quoted(title)} {{ {players} }}"
    yield '""'
    numbers: dict[int, int] = {}
    for order in infosets_in_order(game):
        numbers |= {infoset: number for number, infoset in enumerate(order, 1)}
    outcomes: dict[Fraction, int] = {}
    num_chance_nodes = 0
    stack = [0]
    while stack:
        node = stack.pop()
        player = int(game.node_player[node])
        if player == TERMINAL:
            payoff = game.exact_payoff[node]
            outcome = outcomes.setdefault(payoff, len(outcomes) + 1)
            first, second = number_text(payoff), number_text(-payoff)
            yield f't "" {outcome} {quoted(f"pays {first}")} {{ {first} {second} }}'
            continue
        children = range(game.first_child[node], game.first_child[node] + game.num_children[node])
        stack.extend(reversed(children))
        labels = [quoted(text) for text in distinct_labels(game.node_labels[child] for child in children)]
        if player == CHANCE:
            num_chance_nodes += 1
            shares = probability_texts([game.exact_chance[child] for child in children])
            branches = " ".join(f"{label} {share}" for label, share in zip(labels, shares, strict=True))
            yield f'c "" {num_chance_nodes} "" {{ {branches} }} 0'
        else:
            infoset = int(game.node_infoset[node])
            number = numbers[infoset]
            name = quoted(f"{number}: {game.infoset_keys[infoset]}")
            yield f'p "" {player + 1} {number} {name} {{ {" ".join(labels)} }} 0'


def num_rounded(game: ExtensiveGame) -> int:
    """Return how many payoffs and chance nodes of a game have numbers that its text rounds."""
    ends = np.flatnonzero(game.node_player == TERMINAL).tolist()
    count = sum(not fits(game.exact_payoff[node]) for node in ends)
    for node in np.flatnonzero(game.node_player == CHANCE).tolist():
        begin = game.first_child[node]
        count += not all(map(fits, game.exact_chance[begin : begin + game.num_children[node]]))
    return count


ROUNDED = "{} numbers are decimals of 17 digits: OpenSpiel reads no fractions beyond 32 bits"
"""What is lost, with how many numbers."""


def infosets_in_order(game: ExtensiveGame) -> tuple[list[int], list[int]]:
    """Return the infosets of both players as they first appear in the file: so Gambit numbers them."""
    found: tuple[dict[int, None], dict[int, None]] = ({}, {})
    stack = [0]
    while stack:
        node = stack.pop()
        if game.node_player[node] >= 0:
            found[game.node_player[node]].setdefault(int(game.node_infoset[node]))
        begin = game.first_child[node]
        stack.extend(range(begin + game.num_children[node] - 1, begin - 1, -1))
    return list(found[0]), list(found[1])


def profile_text(game: ExtensiveGame, strategy: Sequence[float | Fraction]) -> str:
    """Return a [Q] behaviour strategy of both players as a line that Gambit's tools read as a starting point.

    All probabilities in the order of the exported tree, as fractions that sum to 1 exactly at each infoset.
    """
    shares = []
    for infoset in (infoset for order in infosets_in_order(game) for infoset in order):
        slots = range(game.first_slot[infoset], game.first_slot[infoset + 1])
        exact = [Fraction(strategy[slot]) for slot in slots]
        largest = exact.index(max(exact))
        exact[largest] += 1 - sum(exact)
        shares += [str(share) for share in exact]
    return ",".join(shares) + "\n"
