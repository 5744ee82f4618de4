"""From a game to everything the kernels need, with its size known before anything large is allocated."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeAlias

import numpy as np

from solver.hidden_hands.enumeration import build_tree, count_tree
from solver.hidden_hands.final_state import FinalTables, build_final_tables, frame_of, swapped_pairs
from solver.hidden_hands.game import CannotMerge, HandGame, LockedFrequency, Start
from solver.hidden_hands.merged_tree import (
    FINAL_UPDATED,
    PARTIAL_ABOVE,
    UPDATED,
    MergedSize,
    MergedTree,
    Merging,
)
from solver.hidden_hands.merging import build_merged, count_merged
from solver.hidden_hands.sampled_size import sampled_size
from solver.hidden_hands.spaces import MAX_ACTIONS, ActionSpace, Spaces, action_space, build_spaces
from solver.hidden_hands.tree import LANES, MAX_LINKS, Automaton, Tree, TreeSize, automaton, chain_types_of
from solver.hidden_hands.walk_memory import Problem, locked_table

MERGING = Merging()
"""How histories are merged, if they are."""

_BYTES_PER_NODE = 80
_BYTES_PER_CHILD = 8
_MORE_UPDATED = 1.15
"""Ranges that a pass over a large merged tree keeps, by those it usually needs."""
_SPARE = 1.045
"""What a merged tree takes, by what is counted (Gharan-zul's, most of its play refined: 16.7 GiB by 16)."""
_ROW_PAIRS = 500_000
"""Distinct row pairs of the largest day of the box, doubled; longer rows may have more."""


def is_symmetric(game: HandGame) -> bool:
    """Whether both players have the same stock (everything else is shared by construction)."""
    return bool((game.copies[0] == game.copies[1]).all())


Privates: TypeAlias = tuple[ActionSpace, tuple[Spaces, Spaces]]
"""What a player may hold and do: the same wherever in play a tree begins."""


_NOTHING = TreeSize(0, 0, 0, 0, 0, 0, 0)


@dataclass(frozen=True)
class Blueprint:
    """A problem that has been sized but not built; `disk`: where its regrets lie, if not in memory."""

    game: HandGame
    actions: ActionSpace
    spaces: tuple[Spaces, Spaces]
    rows: Automaton
    size: TreeSize
    exchange: bool
    symmetric: bool
    locked: tuple[LockedFrequency, ...] = ()
    start: Start | None = None
    merged: MergedSize | None = None
    disk: Path | None = None

    @property
    def method(self) -> str:
        """How it is solved."""
        return "exact" if self.merged is None else "merged"

    @property
    def refined(self) -> float | None:
        """Share of play in which more than rows distinguishes merged histories; None where none are."""
        return None if self.merged is None else round(self.merged.refined, 2)

    @property
    def disk_bytes(self) -> int:
        """Bytes of regrets on disk."""
        return 0 if self.disk is None else self.size.regrets * 2

    @property
    def batch_bytes(self) -> int:
        """Bytes of a batch of final records."""
        p, plain = self.actions.local_types.size, self.actions.num_plain
        chain = self.actions.num_chain > 0
        # Reach, ranges and lone chains of both players; joint numbers, which are sorted from words twice as
        # long; links.
        return LANES * 4 * (2 * (p + 1 + (plain if chain else 0)) + 1) + (MAX_LINKS * 4 if chain else 0)

    @property
    def memory_bytes(self) -> int:
        """Bytes of tree, regrets and final records (work space and the interpreter come on top)."""
        if self.merged is not None:
            return self._merged_bytes(self.merged) - self.disk_bytes
        p, chain = self.actions.local_types.size, self.actions.num_chain > 0
        pairs = min(self.size.records, _ROW_PAIRS)
        return (
            self.size.nodes * _BYTES_PER_NODE
            + self.size.children * _BYTES_PER_CHILD
            + self.size.regrets * 2
            + self.size.batches * self.batch_bytes
            + self.size.lazy * 2 * 4
            + pairs * (2 * p * p + (4 * p * p if chain else 0))
            - self.disk_bytes
        )

    def _merged_bytes(self, size: MergedSize) -> int:
        p, chain = self.actions.local_types.size, self.actions.num_chain > 0
        supports = frame_of(self.actions, int(self.game.hand_size)).rows.size
        pairs = min(size.batches * LANES, _ROW_PAIRS)
        quotient = self.symmetric and size.how.quotient
        states = size.states[0] if quotient else sum(size.states)
        # Final records as batches hold them; and all batches, those of nests of chains included.
        supports_of_all = (size.records // LANES + 100) * LANES * supports
        lanes = size.batches * 2 * LANES
        updated = final_updated = 1.0
        if max(size.states) > PARTIAL_ABOVE:
            updated, final_updated = _MORE_UPDATED * UPDATED, _MORE_UPDATED * FINAL_UPDATED
        values = (states + 2 * supports_of_all) * 2
        accumulated = 2 * supports_of_all * 2
        final_ranges = (2 if quotient else 1) * supports_of_all * final_updated
        ranges = int(max(size.states) * updated + final_ranges) * 4
        # What final records remember while certifying, and before that how it is shifted; then the perfect-
        # information bound: hands as far as they are asked for (measured: three in five).
        remembered = lanes * 4 * (1 + 2 * p + (self.actions.num_plain if chain else 0))
        shifts = lanes * 4 * p
        tables_of_bounds = states * 3 // 5 + size.records * 8
        counted = (
            size.tree.nodes * (_BYTES_PER_NODE + 2 * 4 * MAX_ACTIONS + 41)
            + size.tree.children * (_BYTES_PER_CHILD + 4)
            + sum(array.nbytes for array in size.how.refinement.spread)
            + (size.tree.regrets + size.averages) * 2
            + size.batches * (self.batch_bytes + LANES * 4)
            + pairs * (2 * p * p + (4 * p * p if chain else 0))
            + values
            + accumulated
            + max(ranges, remembered + max(shifts, tables_of_bounds))
        )
        return int(_SPARE * counted)


def private_spaces(game: HandGame) -> Privates:
    """Enumerate what both players may hold."""
    actions = action_space(game, chain_types_of(game))
    # A hidden item takes a slot of its own after another one. Who may be unable to hide any decides even in
    # the last slot whether the row gets full; otherwise hiding there ends play and is no decision, unless
    # somebody goes on after it.
    early = bool((np.asarray(game.served) >= 0).any())
    slots = game.row_length if actions.has_nothing or early else game.row_length - 1
    num_hidden = slots // 2 if bool(np.asarray(game.hides).any()) else 0
    first = build_spaces(game, actions, 0, num_hidden)
    second = first if is_symmetric(game) else build_spaces(game, actions, 1, num_hidden)
    return actions, (first, second)


def blueprint(
    game: HandGame,
    preparation: str,
    use_finals: bool = True,
    use_symmetry: bool = True,
    locked: tuple[LockedFrequency, ...] = (),
    start: Start | None = None,
    privates: Privates | None = None,
    most_bytes: int | None = None,
    sampled: bool = False,
) -> Blueprint:
    """Size up a game: spaces and row automaton are built, the tree is only counted.

    ``start``: where play begins, instead of the deal; ``preparation`` is then over. ``privates``: what
    `private_spaces` returned for this game, if that is known. ``most_bytes``: where to stop counting: a tree
    that takes more comes out too small, but larger than that. ``sampled``: the tree from the deal on is not
    counted, but sampled (`sampled_size`).

    Complexity: one enumeration of the public tree (seconds for a million nodes).
    """
    actions, spaces = privates or private_spaces(game)
    exchange = preparation == "seen" and start is None
    # Half the tree only where no final record lies right below the root: records are visited in its
    # forward pass.
    shared = {replace(each, player=1 - each.player) for each in locked} == set(locked)
    symmetric = use_symmetry and start is None and shared and is_symmetric(game)
    symmetric = symmetric and (exchange or game.row_length > 2)
    # Final records assume that a chain item can always be topped.
    rows = automaton(game, actions, use_finals and not (actions.num_chain and actions.has_nothing))
    plan = Blueprint(game, actions, spaces, rows, _NOTHING, exchange, symmetric, locked, start)
    if sampled:
        return replace(plan, size=sampled_size(rows, game, spaces, exchange, symmetric))
    most = None if most_bytes is None else most_bytes // plan.batch_bytes
    return replace(plan, size=count_tree(rows, game, spaces, exchange, symmetric, start, most))


def may_merge(plan: Blueprint) -> bool:
    """Whether histories of a game can be merged at all."""
    return not plan.exchange and plan.start is None and plan.game.row_length > 2


def merged_blueprint(plan: Blueprint, how: Merging = MERGING) -> Blueprint:
    """The same game with histories merged.

    Raises ``CannotMerge`` if the game is too short, or begins with a public exchange.
    """
    if not may_merge(plan):
        raise CannotMerge(
            "only games of three steps and more, and without an exchange in view, can be merged"
        )
    size = count_merged(plan.rows, plan.game, plan.spaces, how, plan.symmetric)
    return replace(plan, size=size.tree, merged=size)


def build_merged_problem(plan: Blueprint) -> tuple[Problem, MergedTree]:
    """Allocate and fill a merged tree and the tables of the final step."""
    assert plan.merged is not None
    merged = build_merged(plan.rows, plan.game, plan.spaces, plan.symmetric, plan.merged)
    records = merged.records
    tree = merged.tree._replace(row_pair=records.row_pair, link=records.link)
    tree, tables = build_final_tables(plan.rows, tree, plan.actions, merged.quotient)
    keys = tables.rows
    mirror = np.searchsorted(keys, swapped_pairs(plan.rows, keys)) if merged.quotient else keys[:0]
    records = records._replace(row_pair=tree.row_pair, mirror=mirror.astype(np.int32))
    merged = merged._replace(tree=tree, records=records)
    return _problem(plan, tree, tables), merged


def build_problem(plan: Blueprint) -> Problem:
    """Allocate and fill the tree and the tables of the final step."""
    tree = build_tree(plan.rows, plan.game, plan.spaces, plan.size, plan.exchange, plan.symmetric, plan.start)
    return _problem(plan, *build_final_tables(plan.rows, tree, plan.actions))


def _problem(plan: Blueprint, tree: Tree, tables: FinalTables) -> Problem:
    return Problem(
        tree,
        plan.spaces[0],
        plan.spaces[1],
        tables,
        frame_of(plan.actions, int(plan.game.hand_size)),
        plan.actions.local_types,
        plan.game.copies.astype(np.int64),
        plan.game.payoff.astype(np.float32).reshape(-1),
        plan.actions.num_chain > 0,
        locked_table(plan.locked, plan.actions.local_types, int(plan.game.row_length)),
    )


def deepest(plan: Blueprint) -> int:
    """Largest number of decisions on a path: a placement, a hidden one and chain items per slot."""
    game = plan.game
    chains = 0
    for i in range(plan.actions.num_chain):
        t = int(plan.actions.local_types[plan.actions.num_plain + i])
        chains += int(game.copies[:, t].sum())
    return 2 * game.row_length + chains + 3
