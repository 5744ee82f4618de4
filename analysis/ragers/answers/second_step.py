"""The second step of a stored day: how each hand goes on after the openings, and what each action is worth.

A file beside the opening's holds a decision for every public history of the second step that is met with at
least `LEAST_MET`, and for what comes between the openings and it: a Deadeye's further card, cards on
Veterans. Shares are kept in 8 bits, worths in 16; of two histories that are mirror images in a day with equal
decks one is kept. What hands are likely is not kept: it follows from the opening by Bayes' rule.

The strategies are those whose NashConv the day has, but for rounding and the rarest hands (`_RARE`); so that
bounds what both can gain in all of them. Reading needs neither numba nor scipy. Letters as in `answer`; S
states (cards in hand and cards hidden).
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

from engine.ragers.isomorphism import DayGame
from engine.ragers.rules import NUM_TYPES, TYPES

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from solver.hidden_hands.following import Follows, Side

NOTHING = NUM_TYPES
HIDDEN = -2
"""What a player shows who hides a card; -1 for nothing."""
_SHARES, _WORTHS, _UNIT_GP = 255, 32_000, 1e-3
_RARE = 1e-4
"""Hands that together are less likely here take what is worth most: their averages are of few iterations."""

Shown = tuple[tuple[int, ...], tuple[int, ...]]
"""What each player has shown since the day began, in order: a type, -1 nothing, `HIDDEN`."""


@dataclass(frozen=True, eq=False)
class Later:
    """A decision after the openings.

    Attributes
    ----------
    shown : what led here.
    kind : ``place`` in the second step; before it ``further`` on a Veteran, or ``hide`` under a Deadeye.
    acts : who decides.
    states : by player, [S, 2T] int8, cards in hand of each type, then those hidden.
    mix : by player, [S, A] float64, how often each action is taken; nothing of who does not act.
    worth : by player, [S, A] float64, GP on balance after each action, with best play of one's own
        afterwards; NaN where it cannot be.
    best_response_gp : what such play is worth to each player here, on average over its range.
    """

    shown: Shown
    kind: Literal["place", "further", "hide"]
    acts: tuple[bool, bool]
    states: tuple[NDArray[np.int8], NDArray[np.int8]]
    mix: tuple[NDArray[np.float64], NDArray[np.float64]]
    worth: tuple[NDArray[np.float64], NDArray[np.float64]]
    best_response_gp: tuple[float, float] = (0.0, 0.0)

    def mirrored(self) -> Later:
        """Return it with the seats exchanged."""
        return Later(
            self.shown[::-1],
            self.kind,
            self.acts[::-1],
            self.states[::-1],
            self.mix[::-1],
            self.worth[::-1],
            self.best_response_gp[::-1],
        )


@dataclass(frozen=True, eq=False)
class SecondStep:
    """All stored decisions of a day; `unit_gp` is what worths are rounded to."""

    decisions: tuple[Later, ...]
    symmetric: bool
    unit_gp: float

    def find(self, shown: Shown) -> Later | None:
        """Return the decision that is due after what both have shown, or None."""
        for each in self.decisions:
            if each.shown == shown:
                return each
            if self.symmetric and each.shown == shown[::-1]:
                return each.mirrored()
        return None

    def relabelled(self, types: Sequence[int]) -> SecondStep:
        """Return it with each type t called ``types[t]``."""
        order = [0] * NUM_TYPES
        for old, new in enumerate(types):
            order[new] = old
        columns, actions = [*order, *(NUM_TYPES + old for old in order)], [*order, NOTHING]

        def renamed(later: Later) -> Later:
            first, second = (tuple(types[t] if t >= 0 else t for t in side) for side in later.shown)
            return replace(
                later,
                shown=(first, second),
                states=(later.states[0][:, columns], later.states[1][:, columns]),
                mix=(later.mix[0][:, actions], later.mix[1][:, actions]),
                worth=(later.worth[0][:, actions], later.worth[1][:, actions]),
            )

        return replace(self, decisions=tuple(map(renamed, self.decisions)))

    def to_bytes(self) -> bytes:
        """Return a packed ``.npz``; lists of states that occur more than once are stored once."""
        import lzma

        import numpy as np

        lists: dict[bytes, int] = {}
        held: list[NDArray[np.int8]] = []
        heads = []
        empty = np.zeros((0, NUM_TYPES + 1))
        can, mixes, worths = [empty > 0], [empty.astype(np.uint8)], [empty]
        for each in self.decisions:
            numbers = []
            for p in range(2):
                numbers.append(lists.setdefault(each.states[p].tobytes(), len(held)))
                if numbers[-1] == len(held):
                    held.append(each.states[p])
                if each.acts[p]:
                    can.append(np.isfinite(each.worth[p]))
                    mixes.append(_in_255(each.mix[p]))
                    worths.append(np.rint(each.worth[p] / self.unit_gp))
            heads.append([each.shown, each.kind, each.acts, numbers, each.best_response_gp])
        head = json.dumps([self.symmetric, self.unit_gp, [len(each) for each in held], heads])
        some = np.concatenate(can)
        buffer = io.BytesIO()
        np.savez(
            buffer,
            head=np.frombuffer(head.encode(), np.uint8),
            states=np.concatenate([np.zeros((0, 2 * NUM_TYPES), np.int8), *held]),
            can=np.packbits(some),
            mix=np.concatenate(mixes)[some],
            worth=np.concatenate(worths)[some].astype(np.int16),
        )
        return lzma.compress(buffer.getvalue())

    @classmethod
    def from_bytes(cls, data: bytes) -> SecondStep | None:
        """Return what :meth:`to_bytes` stored; None if `data` is something else."""
        import lzma

        import numpy as np

        try:
            with np.load(io.BytesIO(lzma.decompress(data)), allow_pickle=False) as archive:
                arrays = {name: archive[name] for name in archive.files}
            head: Any = json.loads(arrays["head"].tobytes())
            symmetric, unit_gp, sizes, heads = head
            held = np.split(arrays["states"], np.cumsum(sizes)[:-1])
            rows = sum(len(held[numbers[p]]) for *_, acts, numbers, _ in heads for p in range(2) if acts[p])
            bits = np.unpackbits(arrays["can"], count=rows * (NUM_TYPES + 1))
            some = bits.reshape(rows, NUM_TYPES + 1).astype(np.bool_)
            mixes, worths = np.zeros(some.shape), np.full(some.shape, np.nan)
            mixes[some], worths[some] = arrays["mix"] / float(_SHARES), arrays["worth"] * float(unit_gp)
        except (OSError, EOFError, ValueError, KeyError, TypeError, zipfile.BadZipFile, lzma.LZMAError):
            return None
        found: list[Later] = []
        at = 0
        for (first, second), kind, acts, numbers, best in heads:
            own = [held[number] for number in numbers]
            tables: list[Any] = []
            for p in range(2):
                here = slice(at, at + (len(own[p]) if acts[p] else 0))
                tables.append((mixes[here], worths[here]))
                at = here.stop
            shares, gains = zip(*tables, strict=True)
            shown = (tuple(first), tuple(second))
            found.append(Later(shown, kind, tuple(acts), tuple(own), shares, gains, tuple(best)))
        return cls(tuple(found), bool(symmetric), float(unit_gp))


def _in_255(mix: NDArray[np.float64]) -> NDArray[np.uint8]:
    """Return shares in 255ths that add up to 255 in each row that has any, the largest remainders first."""
    import numpy as np

    exact = mix * float(_SHARES)
    whole = np.floor(exact + 1e-9)
    missing = np.rint(exact.sum(axis=1) - whole.sum(axis=1)).astype(np.int64)
    rank = np.argsort(np.argsort(-(exact - whole), axis=1, kind="stable"), axis=1, kind="stable")
    shares: NDArray[np.uint8] = (whole + (rank < missing[:, None])).astype(np.uint8)
    return shares


def from_follows(found: Sequence[Follows], type_ids: Sequence[str], day: DayGame) -> SecondStep | None:
    """Return a solver's result in the types of the rules; None if there is none."""
    import numpy as np

    if not found:
        return None
    columns = [TYPES.index(name) for name in type_ids]
    actions, count = [*columns, NOTHING], len(type_ids)

    def wide(array: NDArray[np.float64], fill: float) -> NDArray[np.float64]:
        spread = np.full((len(array), NUM_TYPES + 1), fill)
        spread[:, actions] = array
        return spread

    def states(array: NDArray[np.int8]) -> NDArray[np.int8]:
        spread = np.zeros((len(array), 2 * NUM_TYPES), np.int8)
        spread[:, columns] = array[:, :count]
        spread[:, [NUM_TYPES + column for column in columns]] = array[:, count:]
        return spread

    decisions = []
    most = 0.0
    for each in found:
        acts = bool(each.acts & 1), bool(each.acts & 2)
        first, second = (
            tuple(columns[words[p]] if words[p] >= 0 else words[p] for words in each.shown if words[p] > -3)
            for p in range(2)
        )
        tables: list[Any] = []
        for p, side in enumerate(each.sides):
            rows = slice(None if acts[p] else 0)
            mix, worth = _settled(side)[rows], side.value[rows]
            tables.append((states(side.states), wide(mix, 0.0), wide(worth, np.nan)))
            most = max(most, float(np.nanmax(np.abs(worth), initial=0.0)))
        kind: Literal["place", "further", "hide"] = "place" if each.step else "further"
        own, mixes, worths = zip(*tables, strict=True)
        best = each.sides[0].best, each.sides[1].best
        kind = "hide" if each.kind else kind
        decisions.append(Later((first, second), kind, acts, own, mixes, worths, best))
    return SecondStep(tuple(decisions), day.symmetric, max(most / _WORTHS, _UNIT_GP))


def _settled(side: Side) -> NDArray[np.float64]:
    """Return mixes in which the rarest hands take what is worth most."""
    import numpy as np

    order = np.argsort(side.reach, kind="stable")
    rare = order[np.cumsum(side.reach[order]) <= _RARE * side.reach.sum()]
    can = rare[np.isfinite(side.value[rare]).any(axis=1)]
    settled = side.mix.copy()
    settled[rare] = 0.0
    if len(can):
        settled[can, np.nanargmax(side.value[can], axis=1)] = 1.0
    return settled
