"""The figures of an exactly solved game: cards, hands, order and actions in the equilibrium found."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analysis.raverun.exact_answers import CardReport, ExactActionReport, ExactOrderReport, HandMixReport
from analysis.raverun.exact_game import Label, Sight
from engine.raverun import layout
from engine.raverun.rules import ACTIONS, Rules
from solver.extensive import NONE, ExtensiveGame, FloatArray


class ExactFigures:
    """An equilibrium on a tree of `ExactGame`.

    Parameters
    ----------
    strategy : `[Q] float64`, of both players.
    """

    def __init__(self, rules: Rules, game: ExtensiveGame, strategy: FloatArray) -> None:
        self.rules, self.game = rules, game
        step = game.chance_probability.copy()
        played = game.incoming_slot != NONE
        step[played] = strategy[game.incoming_slot[played]]
        self._step = step
        self._worth = game.payoff.copy()
        self._reach = step.copy()
        for begin, end in zip(game.level_start[-2:0:-1], game.level_start[:1:-1], strict=True):
            np.add.at(self._worth, game.parent[begin:end], step[begin:end] * self._worth[begin:end])
        for begin, end in zip(game.level_start[1:-1], game.level_start[2:], strict=True):
            self._reach[begin:end] *= self._reach[game.parent[begin:end]]

    def _nodes(self, wanted: Callable[[Sight], bool]) -> NDArray[np.int64]:
        """Decisions of which something is true."""
        game = self.game
        keys: Any = game.infoset_keys
        chosen = np.array([wanted(key) for key in keys] + [False], dtype=np.bool_)
        return np.flatnonzero(chosen[game.node_infoset])

    def _children(self, node: int) -> range:
        first = int(self.game.first_child[node])
        return range(first, first + int(self.game.num_children[node]))

    def _label(self, node: int) -> Label:
        label = self.game.node_labels[node]
        assert isinstance(label, Label)
        return label

    def hands(self) -> list[HandMixReport]:
        """How player 0 chooses first with each hand."""
        rules = self.rules
        found: dict[str, list[int]] = {}
        for node in self._nodes(lambda key: key.phase == layout.BID and key.player == 0).tolist():
            cards = " ".join(rules.card_name(self._label(child).card) for child in self._children(node))
            found.setdefault(cards, []).append(node)
        reports = []
        for hand, nodes in found.items():
            reach = self._reach[nodes]
            dealt = float(reach.sum())
            mix = []
            for index in range(len(self._children(nodes[0]))):
                children = [self._children(node)[index] for node in nodes]
                mix.append(
                    CardReport(
                        card=rules.card_name(self._label(children[0]).card),
                        held=dealt,
                        chosen=float(self._step[children[0]]),
                        worth=float(reach @ self._worth[children]) / dealt,
                    )
                )
            value = float(reach @ self._worth[nodes]) / dealt
            reports.append(HandMixReport(hand, dealt, value, mix))
        return reports

    def first_cards(self, hands: list[HandMixReport]) -> list[CardReport]:
        """How player 0 chooses a first card, and what it brings, by card."""
        reports = []
        for card in range(self.rules.num_cards):
            name = self.rules.card_name(card)
            rows = [each for hand in hands for each in hand.cards if each.card == name]
            held = sum(each.held for each in rows)
            chosen = sum(each.held * each.chosen for each in rows)
            earned = sum(each.held * each.chosen * (each.worth or 0.0) for each in rows)
            worth = earned / chosen if chosen > 0.0 else None
            reports.append(CardReport(name, held, chosen / held if held else 0.0, worth))
        return reports

    def _gains(self, nodes: NDArray[np.int64], instead: Callable[[range], FloatArray]) -> float | None:
        """What the choice brings its decider over moves with other probabilities, on average."""
        reach, gained = 0.0, 0.0
        for node in nodes.tolist():
            children = self._children(node)
            other = float(instead(children) @ self._worth[children.start : children.stop])
            sign = 1.0 if self.game.node_player[node] == 0 else -1.0
            reach += self._reach[node]
            gained += self._reach[node] * sign * (self._worth[node] - other)
        return float(gained / reach) if reach > 0.0 else None

    def order(self) -> ExactOrderReport:
        """The order of play (P1)."""
        nodes = self._nodes(lambda key: key.phase == layout.ORDERING)
        decisions = float(self._reach[nodes].sum())
        first = sum(
            self._reach[node] * self._step[self._children(node)[self.game.node_player[node]]]
            for node in nodes.tolist()
        )
        right = self._gains(nodes, lambda children: np.full(len(children), 1.0 / len(children)))
        return ExactOrderReport(decisions, float(first) / decisions if decisions > 0.0 else None, right)

    def actions(self) -> list[ExactActionReport]:
        """Actions, by character."""

        def passing(children: range) -> FloatArray:
            last = np.zeros(len(children))
            last[-1] = 1.0
            return last

        reports = []
        for index in range(self.rules.match.characters):
            letters = self.rules.match.letters
            own = range(index * letters, (index + 1) * letters)
            nodes = self._nodes(lambda key, own=own: key.offered in own)  # type: ignore[misc]
            offered = float(self._reach[nodes].sum())
            passed = sum(self._reach[node] * self._step[self._children(node)[-1]] for node in nodes.tolist())
            reports.append(
                ExactActionReport(
                    character=str(index + 1),
                    action=ACTIONS[self.rules.action(own.start)],
                    offered=offered,
                    used=1.0 - float(passed) / offered if offered > 0.0 else None,
                    gain=self._gains(nodes, passing),
                )
            )
        return reports
