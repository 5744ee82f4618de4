"""A public tree in which histories that lead to the same rows share a node.

From step ``first`` on, two public histories are *merged* when the same players decide the same kind of thing
with the same rows, as many hidden items, and stocks that last as long; but the likeliest are *refined*:
merged with no others. Best responses walk the graph along every single history (``merged.response``).

Nodes are numbered by *generations*: all decisions of a step that follow equally many others in it. Every
child lies in a later generation, so one sweep in the order of numbers visits parents before children.

Where both players have the same stock every decision has a *mirror image*, the same one with the seats
swapped. A node and its image, its *twin*, lie one behind the other and share their tables. A *symmetry
quotient* has the root's actions in both orders, so nobody but player 0 has to learn; final records are one
with their mirror images.

Sizes are counted, then arrays filled, both by generation after generation; keys are sorted, not hashed.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.hidden_hands.enumeration import (
    ACTS,
    HIDDEN,
    KIND,
    LEFT,
    POOLS,
    ROWS,
    SLOT,
    STEP,
    children_of,
    empty_tree,
    root_row,
    work_space,
)
from solver.hidden_hands.game import HandGame, poll_leave
from solver.hidden_hands.jit import F64, I32, I64, Flags, entry
from solver.hidden_hands.merged_keys import (
    Generation,
    Merged,
    automaton_chain_types,
    decision_keys,
    join_generations,
    merge_decisions,
    typical_pools,
)
from solver.hidden_hands.merged_tree import MergedSize, MergedTree, Merging, Records, mirror_images
from solver.hidden_hands.spaces import MAX_ACTIONS, Spaces
from solver.hidden_hands.tree import (
    CHILD_FINAL,
    CHILD_NONE,
    LANES,
    TOTALS,
    Automaton,
    Tree,
    TreeSize,
    action_counts,
    is_final,
    link_records,
)


class _Layout(NamedTuple):
    """Where final records lie: ``u`` of them in ``m`` main batches."""

    finals: Generation
    place: I64  # [u] main batch * LANES + lane
    pairs: I64  # [m, LANES] row pairs, -1 in idle lanes
    most: I64  # [m, 2T] the largest pools of a batch's records


class _Builder:
    """Goes through the generations of a game; fills a tree, or only counts."""

    def __init__(
        self,
        g: Automaton,
        game: HandGame,
        spaces: tuple[Spaces, Spaces],
        how: Merging,
        symmetric: bool,
        size: TreeSize | None,
    ) -> None:
        self.g = g
        self.game, self.how = game, how
        self.symmetric = symmetric
        self.quotient = symmetric and how.quotient
        self.fills = size is not None
        self.tree = empty_tree(size or TreeSize(1, 1, 1, 1, 1, 1, 1), g.num_types, 1)
        self.record = np.full(self.tree.child.size if self.fills else 0, -1, np.int32)
        self.totals = np.zeros(TOTALS, np.int64)
        self.averaged = 0  # numbers in tables that have averages
        self.latest = 0  # and in the others
        self.states = [0, 0]
        self.starts: list[int] = [0]
        self.twins: list[Flags] = []
        self.keys: list[I64] = []
        self.finals: list[Generation] = []
        self.roots: I32 = np.zeros((0, 0), np.int32)
        self._spaces = spaces
        self._work = work_space(game, spaces)
        self._pairs = self._work.pairs
        self._chained = int(game.copies[:, automaton_chain_types(g)].max(axis=0).sum()) if g.num_chain else 0

    def _merge(self, edges: Generation, step: int, final: bool, again: bool = False) -> Merged:
        """Merge decisions; before merging begins, only with their mirror images.

        ``again``: what has been merged already, generation by generation.
        """
        size, needed = edges.twin.size, self._needed(step)
        if size == 0 or (needed is None and (again or not self.quotient)):
            return Merged(edges, np.arange(size), np.zeros(size, np.bool_))
        if needed is None:
            keys, images = edges.origin.T
        else:
            keys, images = (decision_keys(self.g, edges.rows, needed, p) for p in range(2))
            if not again:
                alone = edges.reach[:, None] >= self.how.refinement.least
                edges = edges._replace(origin=np.where(alone, edges.origin, -1))
            refined = edges.origin[:, 0] >= 0
            for p, key in enumerate((keys, images)):
                key[refined] = -1 - edges.origin[refined, p]
        return merge_decisions(edges, keys, images if self.symmetric else None, self.quotient, not final)

    def _needed(self, step: int) -> int | None:
        return None if step < self.how.first else self.g.hand_size + self.g.row_length - step + self._chained

    def run(self) -> None:
        """Go through all generations."""
        root = root_row(self.game, False)
        alike = np.full(1, self.symmetric)
        nowhere, never = np.full((1, 2), -1), np.zeros(1, np.bool_)
        now = Generation(root, root[:, POOLS:].astype(np.float32), never, alike, np.ones(1), nowhere)
        step = 0
        while now.twin.size:
            # Next decisions, and final ones: what was found, and which child slots lead to what.
            found: tuple[list[Merged], list[Merged]] = ([], [])
            slots: tuple[list[I32], list[I32]] = ([], [])
            while now.twin.size:
                poll_leave()
                edges = self._expand(now)
                inside = edges.rows[:, STEP] == step
                final = np.zeros(inside.size, np.bool_)
                _mark_finals(self.g, edges.rows, final)
                final &= ~inside
                for which, chosen in enumerate((~inside & ~final, final)):
                    part = edges.take(chosen)
                    found[which].append(self._merge(part, step + 1, which == 1))
                    slots[which].append(part.rows[:, SLOT])
                part = edges.take(inside)
                merged = self._merge(part, step, False)
                now = merged.found
                if self.fills:
                    self.tree.child[part.rows[:, SLOT]] = self.starts[-1] + merged.number
            # Merged once more: several generations of one step may lead to the same decision.
            step += 1
            finals = self._merge(join_generations([part.found for part in found[1]]), step, True, again=True)
            if self.fills:
                before = sum(f.twin.size for f in self.finals)
                _point(self.record, found[1], slots[1], 2 * (finals.number + before), True)
            self.finals.append(finals.found)
            merged = self._merge(join_generations([part.found for part in found[0]]), step, False, again=True)
            now = merged.found
            if self.fills:
                _point(self.tree.child, found[0], slots[0], merged.number + self.starts[-1], False)

    def _expand(self, now: Generation) -> Generation:
        """Number the decisions of a generation, place their tables; return all decisions right below."""
        first, size = self.starts[-1], now.twin.size
        # Final steps are expanded like others, and become records afterwards.
        g, halved = self.g._replace(use_finals=False), self.symmetric and not self.quotient
        found = children_of(g, self.tree, self._work, self.totals, self.fills, halved, now.rows)
        rows, parents, moves = found
        total = parents.size
        keys = self._numbers_of(now)
        self._place(now, first, keys)
        self.twins.append(now.twin)
        self.starts.append(first + size)
        shown = (now.rows[parents, POOLS:] - rows[:, POOLS:]).astype(np.float32)
        nobody = np.zeros(total, np.bool_)
        one = other = ((first + parents) * MAX_ACTIONS + moves[:, 0]) * MAX_ACTIONS + moves[:, 1]
        if self.quotient:
            # Only there all histories have their mirror images.
            image = mirror_images(now.twin)
            other = ((first + image[parents]) * MAX_ACTIONS + moves[:, 1]) * MAX_ACTIONS + moves[:, 0]
        reach = self._reaches(now, first, keys[:, 0], parents, moves)
        origin = np.stack([one, other], axis=1)
        return Generation(rows, now.mean[parents] - shown, nobody, nobody, reach, origin)

    def _reaches(self, now: Generation, first: int, key: I64, parents: I64, moves: I64) -> F64:
        """How likely what follows a generation is, as play ``spread`` in pilot iterations."""
        spread = self.how.refinement.spread
        if self.how.refinement.least > 1.0:
            return np.zeros(parents.size)
        merged = np.flatnonzero(key >= 0)
        fresh = np.flatnonzero(key < 0)
        share = np.zeros((key.size, 2, MAX_ACTIONS), np.float32)
        share[fresh] = spread.before[first + fresh]
        if spread.key.size:
            place = np.minimum(np.searchsorted(spread.key, key[merged]), spread.key.size - 1)
            known = spread.key[place] == key[merged]
            share[merged[known]] = spread.share[place[known]]
        acts = now.rows[parents, ACTS]
        both = np.ones(parents.size)
        for p in range(2):
            both *= np.where((acts >> p) & 1, share[parents, p, moves[:, p]], 1.0)
        return now.reach[parents] * both

    def levels(self, rows: I32) -> I64:
        """``[n, 2]`` levels of decisions."""
        width = self._pairs.shape[2] // (self.g.hand_size + 1)
        hidden = rows[:, HIDDEN : HIDDEN + 2]
        found: I64 = np.minimum(self.g.hand_size, rows[:, LEFT : LEFT + 2] - hidden) * width + hidden
        return found

    def _place(self, now: Generation, first: int, keys: I64) -> None:
        """Tables of a generation: twins share theirs, with the seats swapped. Also its public pools."""
        size, rows = now.twin.size, now.rows
        levels = self.levels(rows)
        acts = (rows[:, ACTS, None] >> np.arange(2)) & 1
        counts = np.stack([self._pairs[p, rows[:, KIND], levels[:, p]] for p in range(2)], axis=1)
        counts[(acts == 0) | now.twin[:, None]] = 0
        counts[now.alike, 1] = 0
        averaged = self._is_averaged(rows[:, STEP], keys[:, 0])
        starts = np.empty((size, 2), np.int64)
        for chosen, before in ((averaged, self.averaged), (~averaged, self.latest)):
            flat = counts[chosen].reshape(-1)
            starts[chosen] = (before + np.cumsum(flat) - flat).reshape(-1, 2)
        self.averaged += int(counts[averaged].sum())
        self.latest += int(counts[~averaged].sum())
        twins = np.flatnonzero(now.twin)
        starts[twins] = starts[twins - 1, ::-1]
        starts[acts == 0] = -1
        starts[now.alike, 1] = starts[now.alike, 0]
        for p, spaces in enumerate(self._spaces):
            self.states[p] += int(np.diff(spaces.level_start)[levels[:, p]].sum())
        if self.fills:
            self.tree.regret_start[first : first + size] = starts
            self.keys.append(keys)
            self.tree.pool[first : first + size] = typical_pools(self.g, now).reshape(size, 2, -1)

    def _numbers_of(self, now: Generation) -> I64:
        """``[n, 2]`` what histories agree in, seen by either player; -1 before merging begins."""
        numbers = np.full((now.twin.size, 2), -1, np.int64)
        steps = now.rows[:, STEP]
        for step in np.unique(steps):
            needed, chosen = self._needed(int(step)), steps == step
            if needed is not None:
                for p in range(2):
                    numbers[chosen, p] = decision_keys(self.g, now.rows[chosen], needed, p)
        return numbers

    def _is_averaged(self, step: NDArray[Any], key: I64) -> Flags:
        """Whether decisions have averages: those before merging, and where play goes."""
        averaged: Flags = (step < self.how.first) | np.isin(key, self.how.refinement.averaged)
        return averaged

    def finish(self) -> None:
        """Put tables without averages behind the others; number the final children of every node."""
        tables = self.tree.regret_start
        keys = np.concatenate(self.keys)[:, 0]
        averaged = self._is_averaged(self.tree.step, keys)
        tables[~averaged[:, None] & (tables >= 0)] += self.averaged
        actions = self.g.local_types.size
        children = self.tree.child[: actions**2].reshape(actions, actions)
        self.roots = children.copy()
        if self.quotient:
            # As in any symmetric tree: the root's own children stand for their mirror images.
            self.tree.symmetric[0] = 1
            self.tree.reach_start[0, 1] = self.tree.reach_start[0, 0]
            children[np.tril_indices(actions, -1)] = CHILD_NONE
        _number_finals(self.tree, self.record, self.g.local_types, self.g.num_types)

    def lay_out(self) -> _Layout:
        """Put the final records side by side: those with as many hidden items share batches.

        Those that leave as many chain items lie together: what is nested in a batch is as much as any of its
        records needs. So do those that are about as likely, as far as that is known: who is updated is chosen
        batch by batch.
        """
        finals = join_generations(self.finals)
        count = finals.twin.size
        chains = automaton_chain_types(self.g)
        left = [finals.rows[:, POOLS + p * self.g.num_types + t] for p in range(2) for t in chains]
        powers_of_four = np.frexp(finals.reach)[1] // 2
        hidden = finals.rows[:, HIDDEN : HIDDEN + 2]
        keys: list[NDArray[Any]] = [np.arange(count), -powers_of_four, *left, *hidden[:, ::-1].T]
        order = np.lexsort(keys)
        hidden = hidden[order]
        fresh = np.ones(count, np.bool_)
        fresh[1:] = (hidden[1:] != hidden[:-1]).any(axis=1)
        offset = np.arange(count) - np.flatnonzero(fresh)[np.cumsum(fresh) - 1]
        fresh |= offset % LANES == 0
        batch = np.cumsum(fresh) - 1
        place = np.empty(count, np.int64)
        place[order] = batch * LANES + offset % LANES
        mains = int(fresh.sum())
        most = np.zeros((mains, 2 * self.g.num_types), np.int64)
        np.maximum.at(most, place // LANES, finals.rows[:, POOLS:])
        pairs = np.full((mains, LANES), -1, np.int64)
        one, other = finals.rows[:, ROWS].astype(np.int64), finals.rows[:, ROWS + 1]
        pairs.reshape(-1)[place] = one * self.g.face.size + other
        return _Layout(finals, place, pairs, most)

    def link(self, layout: _Layout, tree: Tree, fills: bool) -> int:
        """Nest what follows chain items in the main batches; return how many batches there are then."""
        totals = np.zeros(TOTALS, np.int64)
        link_records(
            self.g, tree, totals, fills, layout.pairs, layout.most, self._work.link_stack, self._work.pools
        )
        return int(totals[2])

    def records(self, batches: int) -> Records:
        """Fill the final records; ``batches`` as counted."""
        layout, types = self.lay_out(), self.g.num_types
        tree = empty_tree(TreeSize(1, 1, max(batches, 1), 1, 1, 1, 1), types, max(batches, 1))
        self.link(layout, tree, True)
        mains = max(layout.pairs.shape[0], 1)
        held = np.ones((mains, 2, LANES), np.int64)
        pool = np.zeros((mains, 2, types, LANES), np.int8)
        hidden = np.zeros((mains, 2), np.int64)
        width = self._pairs.shape[2] // (self.g.hand_size + 1)
        finals, batch, lane = layout.finals, layout.place // LANES, layout.place % LANES
        held[batch, :, lane] = self.levels(finals.rows) // width
        pool[batch, :, :, lane] = typical_pools(self.g, finals).reshape(-1, 2, types)
        hidden[batch] = finals.rows[:, HIDDEN : HIDDEN + 2]
        nothing = np.zeros(0, np.int32)
        return Records(layout.place, tree.row_pair, tree.link, hidden, held, pool, finals.alike, nothing)


def _point(
    target: NDArray[Any], found: list[Merged], slots: list[I32], last: I64, marks_swapped: bool
) -> None:
    """Write the final numbers of children into their slots."""
    end = 0
    for part, places in zip(found, slots, strict=True):
        target[places] = last[end + part.number]
        if marks_swapped:
            target[places] += part.swapped
        end += part.found.twin.size


@entry
def _mark_finals(g: Automaton, rows: I32, final: Flags) -> None:
    """Mark the decisions whose step surely ends play."""
    for i in range(final.size):
        final[i] = is_final(g, rows[i, ROWS], rows[i, ROWS + 1])


@entry
def _number_finals(tree: Tree, record: I32, types: I64, num_types: int) -> None:
    for node in range(tree.kind.size):
        n0, n1 = action_counts(tree, node, types, num_types)
        start = tree.child_start[node]
        rank = 0
        for slot in range(start, start + n0 * n1):
            if record[slot] >= 0:
                tree.child[slot] = CHILD_FINAL - rank
                rank += 1
        if rank > 0:
            tree.batch_start[node] = 0


def count_merged(
    g: Automaton, game: HandGame, spaces: tuple[Spaces, Spaces], how: Merging, symmetric: bool
) -> MergedSize:
    """Sizes of a merged tree, without storing it."""
    builder = _Builder(g, game, spaces, how, symmetric, None)
    builder.run()
    totals = builder.totals
    regrets = builder.averaged + builder.latest
    size = TreeSize(builder.starts[-1], int(totals[1]), 0, regrets, 0, int(totals[5]), 0)
    layout = builder.lay_out()
    batches = builder.link(layout, builder.tree, False)
    one, other = builder.states
    play = layout.finals.reach
    refined = float(play[layout.finals.origin[:, 0] >= 0].sum() / (play.sum() or 1.0))
    return MergedSize(how, size, builder.averaged, (one, other), layout.place.size, batches, refined)


def build_merged(
    g: Automaton, game: HandGame, spaces: tuple[Spaces, Spaces], symmetric: bool, size: MergedSize
) -> MergedTree:
    """Build a merged tree whose size has been counted."""
    builder = _Builder(g, game, spaces, size.how, symmetric, size.tree)
    builder.run()
    builder.finish()
    builder.tree.lazy[:] = 0
    records = builder.records(size.batches)
    starts = np.array(builder.starts, np.int64)
    twins = np.concatenate(builder.twins)
    keys = np.concatenate(builder.keys)
    return MergedTree(
        builder.tree, starts, twins, keys, builder.quotient, builder.roots, builder.record, records
    )
