"""What somebody gets at most at a final step who sees the other hand: hand by hand, in plain Python."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from solver.hidden_hands.decisions.walk_memory import Problem
from solver.hidden_hands.final.hedging import INVERSE_TEMPERATURE
from solver.hidden_hands.merged.merged_tree import Records
from solver.hidden_hands.merged.perfect_information_tables import Bounds
from solver.hidden_hands.tree import LANES, MAX_LINKS

Hand: TypeAlias = tuple[frozenset[int], int, int]
"""Plain types it holds, and how many items of both chain types."""
Worths: TypeAlias = dict[Hand, float]
"""What the best action of who sees wins against a hand, as far as there are such hands."""


def fading(x: float) -> float:
    return (1.0 - min(x, 88.0) / 1024.0) ** 1024


class Onlooker:
    """Who sits at ``seat`` of a final record and sees what the other one holds and draws."""

    def __init__(
        self,
        problem: Problem,
        records: Records,
        bounds: Bounds,
        memory: NDArray[np.float32],
        record: int,
        seat: int,
    ) -> None:
        self.problem, self.records, self.memory = problem, records, memory
        self.seat, self.opp = seat, 1 - seat
        self.pool, self.left = bounds.final_pool[record], bounds.final_left[record]
        self.main, self.lane = divmod(int(records.place[record]), LANES)
        frame = problem.frame
        self.plain, self.chains = range(frame.num_plain), frame.num_chain
        bits, width = 1 << frame.num_plain, frame.second_max + 1
        self.hands = [
            (frozenset(x for x in self.plain if row >> x & 1), row // bits // width, row // bits % width)
            for row in map(int, frame.rows)
        ]
        sizes = [len(s) + v + c for s, v, c in self.hands]
        self.rests = [hand for hand, size in zip(self.hands, sizes, strict=True) if size < max(sizes)]
        # Whom no history leaves an item of his own cannot place it.
        self.actions = [
            a
            for a in range(frame.num_actions)
            if problem.types[a] < 0 or self.pool[seat, problem.types[a], 1] > 0
        ]

    def worths(self) -> tuple[Worths, Worths]:
        """Those of hands, and of hands with one item less that still have to draw."""
        return self._see(self.main, ((0, 0), (0, 0)))

    def _pay(self, joint: int, a: int, b: int) -> float:
        """What ``a`` against his ``b`` is worth."""
        pay = self.problem.tables.pay
        return float(pay[joint, a, b]) if self.seat == 0 else -float(pay[joint, b, a])

    def _mix(self, joint: int, batch: int, support: frozenset[int]) -> dict[int, float]:
        """How he plays his plain items."""
        num = self.problem.frame.num_actions
        known = self.memory[batch, self.lane, self.opp]
        values = {}
        for b in sorted(support):
            value = known[1 + b]
            for a in range(num):
                value += np.float32(-self._pay(joint, a, b)) * known[1 + num + a]
            if self.chains:
                value -= known[1 + 2 * num + b]
            values[b] = value
        eta = INVERSE_TEMPERATURE / np.sqrt(max(known[0], np.float32(1e-30)))
        mix: dict[int, float] = {}
        best, total = -np.inf, 0.0
        for b, value in values.items():
            lead = float(eta) * (float(value) - best) if mix else np.inf
            # Relative to the best so far: of the new item and of all others.
            own, others = fading(max(-lead, 0.0)), fading(max(lead, 0.0))
            total = own + total * others
            part = own / total
            mix = {**{x: share * (1.0 - part) for x, share in mix.items()}, b: part}
            best = max(best, float(value))
        return mix

    def _against_first(self, joint: int, a: int, tops: list[int]) -> float:
        """What ``a`` is worth against an item of the first chain type.

        If that leaves him alone, one of ``tops`` follows; if it takes a draw, whatever suits him least.
        """
        tables, first = self.problem.tables, self.problem.frame.num_plain
        if not tables.alone[joint, self.opp, a]:
            return self._against(joint, first, a)
        worths = [-float(x) for x in tables.top[tables.top_slot[joint], self.opp, 0, a]]
        return min(worths[x] for x in tops) if tops else max(worths)

    def _against(self, joint: int, b: int, a: int) -> float:
        """What ``a`` is worth against ``b``; who sees, where he is left alone, takes his best top."""
        tables, types = self.problem.tables, self.problem.types
        if self.chains and a == self.problem.frame.num_plain and tables.alone[joint, self.seat, b]:
            own = tables.top[tables.top_slot[joint], self.seat]
            free = [x for x in range(len(types)) if types[x] < 0 or self.pool[self.seat, types[x], 1] > 0]
            return max(float(own[j, b, x]) for j in range(own.shape[0]) for x in free)
        return self._pay(joint, a, b)

    def _see(self, batch: int, placed: tuple[tuple[int, int], ...]) -> tuple[Worths, Worths]:
        frame, types = self.problem.frame, self.problem.types
        first, chain_types = frame.num_plain, range(self.chains)
        joint = int(self.records.row_pair[batch, self.lane])
        gone = placed[self.opp]
        nested = {}
        for k in range(MAX_LINKS if self.chains else 0):
            below = int(self.records.link[batch, k])
            if below < 0 or self.records.row_pair[below, self.lane] < 0:
                continue
            more = [list(each) for each in placed]
            which = (k // 2, k % 2)
            for p in range(2):
                more[p][which[p]] += 1
            ahead = self._see(below, tuple((one, two) for one, two in more))[1]
            nested[which[self.seat], which[self.opp]] = ahead
        most = [0, 0]
        for j in chain_types:
            limit = (frame.first_max, frame.second_max)[j]
            most[j] = min(int(self.pool[self.opp, types[first + j], 1]) - gone[j], limit)
        here: Worths = {}
        for hand in self.hands:
            support, v, c = hand
            if v > most[0] or c > most[1]:
                continue
            mix = self._mix(joint, batch, support)
            ways = []
            for a in self.actions:
                if support:
                    ways.append(sum(s * self._against(joint, b, a) for b, s in mix.items()))
                elif v + c == 0 and frame.has_nothing:
                    ways.append(self._pay(joint, a, frame.num_actions - 1))
                for j, count in enumerate((v, c)):
                    if count == 0:
                        continue
                    rest = (support, v - 1, c) if j == 0 else (support, v, c - 1)
                    if (a - first, j) in nested:
                        ways.append(nested[a - first, j][rest])
                    elif j == 0:
                        tops = sorted(support) + ([first + 1] if c > 0 else [])
                        ways.append(self._against_first(joint, a, tops))
                    else:
                        ways.append(self._against(joint, first + 1, a))
            if ways:
                here[hand] = max(ways)
        return here, self._before_draw(here, most, gone)

    def _before_draw(self, here: Worths, most: list[int], placed: tuple[int, int]) -> Worths:
        """Bound what a draw brings: each type as likely as any history leaves it, the least or the most."""
        frame, opp = self.problem.frame, self.opp
        types, first = self.problem.types, frame.num_plain
        hidden = int(self.records.hidden[self.main, opp])
        away = int(self.records.held[self.main, opp, self.lane]) - 1 + hidden + sum(placed)
        few, many = (max(int(self.left[opp, k]) - away, 1) for k in range(2))
        ahead: Worths = {}
        for support, v, c in self.rests:
            if v > most[0] or c > most[1]:
                continue
            drawn = []
            for x in range(first + self.chains):
                if x < first and x not in support:
                    held, hand = 0, (support | {x}, v, c)
                elif x == first and v < most[0]:
                    held, hand = v + placed[0], (support, v + 1, c)
                elif x == first + 1 and c < most[1]:
                    held, hand = c + placed[1], (support, v, c + 1)
                else:
                    continue
                least, largest = (int(self.pool[opp, types[x], k]) for k in range(2))
                high = min(max(largest - held, 0) / few, 1.0)
                low = max(least - held - hidden, 0) / many
                if high > 0.0:
                    drawn.append((hand, low, high))
            stay = here.get((support, v, c), -np.inf)
            top = max([stay, *(here[hand] for hand, _, _ in drawn)])
            if stay > -np.inf and self.left[opp, 0] > away:
                gains = [(here[hand] - stay, low, high) for hand, low, high in drawn]
                mean = stay + sum(more * (high if more > 0.0 else low) for more, low, high in gains)
                top = min(mean, top)
            ahead[support, v, c] = top
        return ahead
