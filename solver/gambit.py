"""Export of explicit game trees to Gambit's `.efg` text format, with exact rational numbers.

The format is read by Gambit (and pygambit) and by OpenSpiel's `efg_game`: the way out to other solvers.
It is described in Gambit's documentation, "The extensive game (.efg) file format".
"""

from __future__ import annotations

import os
from collections.abc import Hashable, Iterator
from fractions import Fraction
from pathlib import Path

from solver.extensive import CHANCE, TERMINAL, ExtensiveGame


def write_efg(
    game: ExtensiveGame,
    path: str | os.PathLike[str],
    *,
    title: str = "Two-player zero-sum game",
    player_names: tuple[str, str] = ("Player 0", "Player 1"),
) -> None:
    """Write a game as an `.efg` file (UTF-8), replacing what is there. O(N).

    Raises OSError if the file cannot be written.
    """
    with Path(path).open("w", encoding="utf-8", newline="\n") as file:
        for line in efg_lines(game, title=title, player_names=player_names):
            file.write(line)
            file.write("\n")


def efg_lines(
    game: ExtensiveGame,
    *,
    title: str = "Two-player zero-sum game",
    player_names: tuple[str, str] = ("Player 0", "Player 1"),
) -> Iterator[str]:
    """Yield the lines of the `.efg` text of a game, without line ends.

    Chance probabilities and payoffs are fractions, exact as the source gave them. Every chance node is its
    own chance infoset; terminals with equal payoffs share an outcome. Infosets are named by their number and
    key, so that the names differ even where the keys' texts do not.
    """
    yield f"EFG 2 R {_quote(title)} {{ {_quote(player_names[0])} {_quote(player_names[1])} }}"
    yield '""'
    outcomes: dict[Fraction, int] = {}
    num_chance_nodes = 0
    stack = [0]
    while stack:
        node = stack.pop()
        player = int(game.node_player[node])
        if player == TERMINAL:
            payoff = game.exact_payoff[node]
            outcome = outcomes.setdefault(payoff, len(outcomes) + 1)
            yield f't "" {outcome} {_quote(f"pays {payoff}")} {{ {payoff} {-payoff} }}'
            continue
        children = range(game.first_child[node], game.first_child[node] + game.num_children[node])
        stack.extend(reversed(children))
        labels = _labels([game.node_labels[child] for child in children])
        if player == CHANCE:
            num_chance_nodes += 1
            pairs = zip(labels, children, strict=True)
            branches = " ".join(f"{label} {game.exact_chance[child]}" for label, child in pairs)
            yield f'c "" {num_chance_nodes} "" {{ {branches} }} 0'
        else:
            infoset = int(game.node_infoset[node])
            number = infoset - game.first_infoset_of[player] + 1
            name = _quote(f"{number}: {game.infoset_keys[infoset]}")
            yield f'p "" {player + 1} {number} {name} {{ {" ".join(labels)} }} 0'


def _labels(labels: list[Hashable]) -> list[str]:
    """Quote the labels of the branches of a node; numbered if their texts are not all different."""
    texts = [str(label) for label in labels]
    if len(set(texts)) < len(texts):
        texts = [f"{number}: {text}" for number, text in enumerate(texts)]
    return [_quote(text) for text in texts]


def _quote(text: str) -> str:
    """Quote a text; its own quotes become apostrophes, since not every reader knows how to escape them."""
    return '"' + text.replace("\\", "/").replace('"', "'") + '"'
