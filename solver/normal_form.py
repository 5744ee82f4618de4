"""The reduced normal form of an explicit game, exactly, and Gambit's `.nfg` text format.

A reduced plan says what its owner does at every infoset that its own earlier choices leave possible (Koller,
Megiddo and von Stengel 1996). There are exponentially many, so this is for small games: the last decisions
of a larger one, say.

Letters: M and N plans of player 0 and 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

import numpy as np

from solver.exact_sequence_form import exact_weights
from solver.extensive import NONE, ExtensiveGame
from solver.gambit_labels import distinct_labels, quoted
from solver.gambit_numbers import number_text

Plan = tuple[int, ...]
"""The slots chosen, ascending; see `ExtensiveGame`."""


class TooManyPlansError(ValueError):
    """The game has more reduced plans than allowed; the message says how many."""


@dataclass(frozen=True)
class NormalForm:
    """A two-player zero-sum game in reduced normal form.

    Attributes
    ----------
    plans : the plans of each player, as the slots they choose.
    names : what to call them.
    payoff : `[M][N]` Fraction, what player 0 gets.
    """

    plans: tuple[list[Plan], list[Plan]]
    names: tuple[list[str], list[str]]
    payoff: list[list[Fraction]]


def count_plans(game: ExtensiveGame, player: int) -> int:
    """Return how many reduced plans a player has. O(Q)."""
    return _Plans(game, player).count()


def reduced_normal_form(game: ExtensiveGame, *, max_plans: int = 2000) -> NormalForm:
    """Return the reduced normal form of a game.

    Raises
    ------
    TooManyPlansError
        If a player has more than `max_plans` plans; nothing is built then.

    Notes
    -----
    O(M N Q) in the worst case, in exact fractions.
    """
    for player in (0, 1):
        number = count_plans(game, player)
        if number > max_plans:
            raise TooManyPlansError(
                f"player {player} has {number} reduced plans, and at most {max_plans} are allowed"
            )
    plans = (_Plans(game, 0).all(NONE), _Plans(game, 1).all(NONE))
    by_first: dict[int, dict[int, Fraction]] = {}
    for (first, second), amount in exact_weights(game).items():
        by_first.setdefault(first, {})[second] = amount
    payoff = []
    for plan in plans[0]:
        against: dict[int, Fraction] = {}
        for slot in (NONE, *plan):
            for second, amount in by_first.get(slot, {}).items():
                against[second] = against.get(second, Fraction(0)) + amount
        payoff.append(
            [
                sum((against.get(slot, Fraction(0)) for slot in (NONE, *other)), Fraction(0))
                for other in plans[1]
            ]
        )
    names = (_names(game, 0, plans[0]), _names(game, 1, plans[1]))
    return NormalForm(plans, names, payoff)


class _Plans:
    """The reduced plans of one player."""

    def __init__(self, game: ExtensiveGame, player: int) -> None:
        self._slots: dict[int, range] = {}
        self._after: dict[int, list[int]] = {}
        self._parent: dict[int, int] = {}
        for infoset in range(game.first_infoset_of[player], game.first_infoset_of[player + 1]):
            self._slots[infoset] = range(int(game.first_slot[infoset]), int(game.first_slot[infoset + 1]))
            self._parent[infoset] = int(game.parent_slot[infoset])
            self._after.setdefault(self._parent[infoset], []).append(infoset)

    def count(self) -> int:
        """Return how many there are. Infosets stand in the order of levels: those that follow come later."""
        ways: dict[int, int] = {}
        for infoset in sorted(self._slots, reverse=True):
            number = sum(ways.get(slot, 1) for slot in self._slots[infoset])
            parent = self._parent[infoset]
            ways[parent] = ways.get(parent, 1) * number
        return ways.get(NONE, 1)

    def all(self, slot: int) -> list[Plan]:
        """Return all ways to go on after `slot`."""
        ways = [
            [(chosen, *rest) for chosen in self._slots[infoset] for rest in self.all(chosen)]
            for infoset in self._after.get(slot, [])
        ]
        return [tuple(sorted(slot for part in parts for slot in part)) for parts in product(*ways)]


def behaviour_of_mix(
    game: ExtensiveGame, player: int, plans: Sequence[Plan], mix: Sequence[float | Fraction]
) -> dict[int, float | Fraction]:
    """Return how often each slot is chosen at its infoset by who mixes reduced plans (Kuhn 1953).

    Fractions stay fractions. An infoset that none of the mixed plans comes to has equal shares: the mix says
    nothing of it.
    """
    weight: dict[int, float | Fraction] = {}
    for plan, share in zip(plans, mix, strict=True):
        for slot in plan:
            weight[slot] = weight.get(slot, Fraction(0)) + share
    shares: dict[int, float | Fraction] = {}
    for infoset in range(*game.first_infoset_of[player : player + 2]):
        slots = range(int(game.first_slot[infoset]), int(game.first_slot[infoset + 1]))
        total: float | Fraction = Fraction(0)
        for slot in slots:
            total += weight.get(slot, Fraction(0))
        for slot in slots:
            shares[slot] = weight.get(slot, Fraction(0)) / total if total else Fraction(1, len(slots))
    return shares


def _names(game: ExtensiveGame, player: int, plans: list[Plan]) -> list[str]:
    """Name plans by what they choose, and where, if there is more than one place to choose at."""
    num_actions = np.diff(game.first_slot)
    several = [i for i in range(*game.first_infoset_of[player : player + 2]) if num_actions[i] > 1]

    def named(slot: int) -> str:
        action = str(game.slot_labels[slot])
        return action if len(several) == 1 else f"{game.infoset_keys[game.slot_infoset[slot]]}: {action}"

    chosen = set(several)
    return distinct_labels(
        "; ".join(named(slot) for slot in plan if game.slot_infoset[slot] in chosen) for plan in plans
    )


def nfg_text(
    form: NormalForm,
    *,
    title: str = "Two-player zero-sum game",
    player_names: tuple[str, str] = ("Player 0", "Player 1"),
    numbered: bool = False,
) -> str:
    """Return the `.nfg` text of a normal form; player 0's plan runs fastest.

    Payoffs are fractions, or decimals beyond 32 bits (see `gambit_numbers`).
    If `numbered`, plans have numbers instead of names: the only form of the format that OpenSpiel reads.
    """

    def braced(texts: Sequence[str]) -> str:
        return "{ " + " ".join(map(quoted, distinct_labels(texts))) + " }"

    players = braced(player_names)
    if numbered:
        strategies = "{ " + " ".join(str(len(plans)) for plans in form.plans) + " }"
        lines = [f"NFG 1 R {quoted(title)} {players} {strategies}", ""]
    else:
        strategies = "{ " + " ".join(map(braced, form.names)) + " }"
        lines = [f"NFG 1 R {quoted(title)} {players}", "", strategies, '""', ""]
    for second in range(len(form.plans[1])):
        pays = [(number_text(row[second]), number_text(-row[second])) for row in form.payoff]
        lines.append(" ".join(f"{first} {other}" for first, other in pays))
    return "\n".join(lines) + "\n"
