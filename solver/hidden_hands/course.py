"""The course of play, one public decision at a time: what each step tells about the hands.

Bayes' rule on ranges: a player's range is split by the strategy it is believed to play, the part that took
the action seen is kept, and what it then drew is averaged over. All in double precision and in the full space
of hands; the other side's range does not come into it, as hands are independent given the public history.

Letters as in ``game``.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from solver.hidden_hands.game import HandGame, Position, Start
from solver.hidden_hands.jit import F64, I64
from solver.hidden_hands.problem import private_spaces
from solver.hidden_hands.spaces import EXCHANGE, PLACE, after_draw, hand_distribution
from solver.hidden_hands.tree import automaton, follow, menu_size, public_type

SURPRISE = 1e-3
"""An action the strategy takes with less than this probability, over the whole range, is a surprise: what the
strategy says about the hands is then noise of the solve, or nothing at all."""
TREMBLE = 1e-3
"""How much of uniform play a surprise mixes into the strategy, so that the range after it is defined."""


@dataclass(frozen=True)
class Seen:
    """What a player was seen to do, and how that was read."""

    probability: float  # of the action, by the strategy it was believed to play, over its whole range
    trembled: bool  # whether it was a surprise (`SURPRISE`), so that `TREMBLE` was mixed in


class Course:
    """A game's public course and what both sides may believe along it.

    Parameters
    ----------
    game : HandGame
    """

    def __init__(self, game: HandGame) -> None:
        self.game = game
        self.privates = private_spaces(game)
        self.actions, self.spaces = self.privates
        self._rows = automaton(game, self.actions)

    def begin(self, *, exchange: bool = False) -> Position:
        """Return the position after a fresh deal; ``exchange``: before an exchange that both see."""
        game = self.game
        pools = np.array(game.copies, np.int64)
        rows = (int(game.start_row), int(game.start_row))
        start = Start(EXCHANGE if exchange else PLACE, 3, rows, (0, 0), 0, pools)
        first, second = (hand_distribution(self.spaces[p], self.level(start, p), pools[p]) for p in range(2))
        return Position(start, (first, second))

    def level(self, start: Start, player: int) -> int:
        """Return the level of a player's private states (see ``spaces``)."""
        hidden = start.hidden[player]
        held = min(int(self.game.hand_size), int(start.pools[player].sum()) - hidden)
        return held * (self.spaces[player].num_hidden + 1) + hidden

    def states(self, start: Start, player: int) -> tuple[I64, I64]:
        """Return the private states of a player's level: items in hand and items hidden, both ``[S, T]``."""
        spaces, level = self.spaces[player], self.level(start, player)
        rows = slice(spaces.level_start[level], spaces.level_start[level + 1])
        held = spaces.held[rows].astype(np.int64)
        return held, spaces.away[rows].astype(np.int64) - held

    def pairs(self, start: Start, player: int) -> tuple[I64, I64, I64]:
        """Return the pairs of a decision, each ``[J]``: state, type that leaves the hand (-1 none), local
        action."""
        spaces, level = self.spaces[player], self.level(start, player)
        segment = spaces.segment[start.kind, level]
        count = self._menu(start)
        where = slice(int(segment[0]), int(segment[count]))
        numbers = np.repeat(np.arange(count), np.diff(segment[: count + 1]))
        return spaces.pair_state[where].astype(np.int64), spaces.pair_type[where].astype(np.int64), numbers

    def uniform(self, start: Start, player: int) -> F64:
        """Return uniform play over what each hand allows, ``[J]``."""
        states, _, _ = self.pairs(start, player)
        share: F64 = 1.0 / np.bincount(states)[states] if states.size else np.zeros(0)
        return share

    def begins_step(self, start: Start) -> bool:
        """Whether a step begins here, by placements of both."""
        return start.kind == PLACE and not any(self._rows.pending[row] for row in start.rows)

    def shown(self, start: Start, option: int) -> int:
        """Return the type that a local action shows to everybody, -1 for none."""
        return int(public_type(start.kind, option, self._rows.local_types, self._rows.num_types))

    def option(self, start: Start, shown: int) -> int | None:
        """Return the local action of a placement or exchange that shows a type (-1 none), or None."""
        options = range(self._menu(start))
        return next((option for option in options if self.shown(start, option) == shown), None)

    def play(
        self, position: Position, options: tuple[int, int], mixes: tuple[F64, F64]
    ) -> tuple[Position | None, tuple[Seen | None, Seen | None]]:
        """Return the position after both players' actions, None once play is over, and how they were read.

        Parameters
        ----------
        options : (int, int)
            Local actions; 0 for who does not act.
        mixes : two ``[J]`` arrays
            The strategies the players are believed to follow at this decision, by pair.

        Raises
        ------
        ValueError
            If no hand allows an action, or the game knows no such pair.
        """
        start = position.start
        ranges: list[F64] = []
        seen: list[Seen | None] = []
        shown: list[int] = []
        for p in range(2):
            acts = bool((start.acts >> p) & 1)
            shown.append(self.shown(start, options[p]) if acts else -1)
            if not acts:
                ranges.append(position.ranges[p])
                seen.append(None)
                continue
            after, how = self._after(position, p, options[p], mixes[p], shown[p])
            ranges.append(after)
            seen.append(how)
        following = follow(self._rows, start, (shown[0], shown[1]), options)
        how_both = (seen[0], seen[1])
        if following is None:
            return None, how_both
        return Position(following, (ranges[0], ranges[1])), how_both

    def _menu(self, start: Start) -> int:
        return int(menu_size(start.kind, self._rows.local_types, self._rows.num_types))

    def _after(self, position: Position, player: int, option: int, mix: F64, shown: int) -> tuple[F64, Seen]:
        """A player's range after its action and its draw."""
        start, spaces = position.start, self.spaces[player]
        level = self.level(start, player)
        segment = spaces.segment[start.kind, level]
        pairs = slice(int(segment[option]), int(segment[option + 1]))
        states, rests = spaces.pair_state[pairs], spaces.pair_rest[pairs]
        reach = position.ranges[player][states]
        if reach.sum() <= 0.0:
            raise ValueError("no hand allows it")
        own = mix[pairs.start - int(segment[0]) : pairs.stop - int(segment[0])]
        probability = float(reach @ own)
        trembled = probability < SURPRISE
        if trembled:
            uniform = self.uniform(start, player)[
                pairs.start - int(segment[0]) : pairs.stop - int(segment[0])
            ]
            own = (1.0 - TREMBLE) * own + TREMBLE * uniform
        target = int(spaces.remainder_level[start.kind, level, option])
        size = int(spaces.level_start[target + 1] - spaces.level_start[target])
        rest: F64 = np.bincount(rests, weights=reach * own, minlength=size).astype(np.float64)
        pool = start.pools[player].copy()
        stock = int(pool.sum()) - level // (spaces.num_hidden + 1) - start.hidden[player]
        if shown >= 0:
            pool[shown] -= 1
        if spaces.draws[start.kind, level, option] and stock > 0:
            rest = after_draw(spaces, rest, target, pool)
        return rest / rest.sum(), Seen(probability, trembled)
