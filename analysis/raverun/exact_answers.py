"""What an exact solution of a reduced game says, as a report and in its formats."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from engine.raverun.reference import Move
from engine.raverun.rules import Rules

if TYPE_CHECKING:
    from solver.extensive import ExtensiveGame, FloatArray

SCHEMA_NUMBER = 1


class RulesReport(msgspec.Struct, frozen=True):
    """Which rules were solved."""

    name: str
    sha256: str
    changed: list[str]


class CardReport(msgspec.Struct, frozen=True):
    """A card as a first card (V3), in the equilibrium found.

    Attributes
    ----------
    held : probability that player 0 holds it.
    chosen : how often he then chooses it first.
    worth : what he gets on average when he does; None if he never does.
    """

    card: str
    held: float
    chosen: float
    worth: float | None


class CfrReport(msgspec.Struct, frozen=True):
    """What CFR found on the same tree, measured by best response."""

    value: float
    nash_conv: float
    iterations: int
    converged: bool


class ExactReport(msgspec.Struct, frozen=True):
    """An exactly solved game for two; amounts are payoffs of player 0: win 1, draw 0, loss -1 (A2).

    Attributes
    ----------
    value, nash_conv : of the linear program's equilibrium, the latter by best response.
    cfr : None if it was not run.
    """

    schema: int
    game: str
    version: str
    rules: RulesReport
    num_nodes: int
    num_infosets: int
    value: float
    nash_conv: float
    cfr: CfrReport | None
    cards: list[CardReport]


def rules_report(rules: Rules) -> RulesReport:
    """Which rules these are."""
    return RulesReport(rules.name, rules.sha256, rules.changed)


def first_cards(rules: Rules, game: ExtensiveGame, strategy: FloatArray) -> list[CardReport]:
    """How player 0 chooses his first card under `strategy`, and what it brings, by card."""
    import numpy as np

    from solver.extensive import NONE

    step = game.chance_probability.copy()
    played = game.incoming_slot != NONE
    step[played] = strategy[game.incoming_slot[played]]
    worth = game.payoff.copy()
    for begin, end in zip(game.level_start[-2:0:-1], game.level_start[:1:-1], strict=True):
        np.add.at(worth, game.parent[begin:end], step[begin:end] * worth[begin:end])
    held = np.zeros(rules.num_cards)
    chosen = np.zeros(rules.num_cards)
    earned = np.zeros(rules.num_cards)
    for deal in range(game.level_start[1], game.level_start[2]):
        for node in range(game.first_child[deal], game.first_child[deal] + game.num_children[deal]):
            move = getattr(game.node_labels[node], "move", None)
            assert isinstance(move, Move)
            assert move.card is not None
            reach = game.chance_reach[deal] * step[node]
            held[move.card] += game.chance_reach[deal]
            chosen[move.card] += reach
            earned[move.card] += reach * worth[node]
    return [
        CardReport(
            card=rules.card_name(card),
            held=float(held[card]),
            chosen=float(chosen[card] / held[card]),
            worth=float(earned[card] / chosen[card]) if chosen[card] > 0 else None,
        )
        for card in range(rules.num_cards)
    ]
