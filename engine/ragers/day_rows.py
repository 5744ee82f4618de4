"""Every row that a day can show, before rows that no further play can tell apart are merged.

Letters used for shapes: as in `engine.ragers.day`.
"""

from __future__ import annotations

from collections import Counter
from typing import Final, NamedTuple

import numpy as np

from engine.ragers.day_effects import (
    BLANK,
    CHEATER_ON_TOP,
    COPY,
    DEAD,
    DEAD_OF,
    FACE_DOWN,
    ICON_INDEX,
    ICONS,
    IMPOSSIBLE,
    KEEP,
    NEGATABLE,
    NEGATE,
    NO_ATTACK,
    NUM_EFFECTS,
    NUM_ICONS,
    NUM_KINDS,
    PENDING,
    PENDING_MARKED,
    SAFE,
    START,
    START_MARKED,
    STAY,
    BoolArray,
    Int8Array,
    Int32Array,
    Int64Array,
)
from engine.ragers.rules import (
    ATTACKS,
    CHANCER,
    CHEATER,
    DEADEYE,
    NUM_TYPES,
    STOPPER,
    TYPES,
    VETERAN,
    CheersRule,
    Rules,
)

KEY_LIMIT: Final = 2**62
# Some 1.5 GB while building; the box needs 160,000 and its longest rows (seven slots) 430,000.
MAX_RAW_STATES: Final = 5_000_000


class _Top(NamedTuple):
    """The card on top of a row while a step is being resolved.

    `icon` is a type id, `CHANCER` for a blank one; `lapsed`: a Veteran whose owner had nothing to place, or a
    Deadeye that has been served before the end of its step (K9).
    """

    icon: int
    copied: bool
    marked: bool
    lapsed: bool = False


def _all_tops() -> tuple[_Top, ...]:
    tops = []
    for marked in (False, True):
        tops.append(_Top(CHANCER, True, marked))
        for copied in (False, True):
            tops.extend(_Top(icon, copied, marked) for icon in ICONS)
            tops.append(_Top(VETERAN, copied, marked, lapsed=True))
    tops.extend(
        _Top(DEADEYE, copied, marked, lapsed=True) for marked in (False, True) for copied in (False, True)
    )
    return tuple(tops)


TOPS: Final = _all_tops()
TOP_INDEX: Final = {top: index for index, top in enumerate(TOPS)}
# Values of a raw state's first field: a committed row, one under a mark, a row with no counting top, TOPS.
COMMITTED, COMMITTED_MARKED, NO_TOP, FIRST_TOP = range(4)
NUM_TOP_VALUES: Final = FIRST_TOP + len(TOPS)


def _kind_of_top(value: int) -> int:
    if value <= NO_TOP:
        return (START, START_MARKED, SAFE)[value]
    top = TOPS[value - FIRST_TOP]
    if top.icon == VETERAN and not top.lapsed:
        return PENDING_MARKED if top.marked else PENDING
    if top.marked:
        return SAFE
    return CHEATER_ON_TOP if top.icon == CHEATER else NEGATABLE


def _face_of_top(value: int) -> int:
    if value < FIRST_TOP or TOPS[value - FIRST_TOP].icon == CHANCER:
        return FACE_DOWN
    return 1 + ICON_INDEX[TOPS[value - FIRST_TOP].icon]


KIND_OF_TOP: Final = np.array([_kind_of_top(value) for value in range(NUM_TOP_VALUES)], dtype=np.int8)
FACE_OF_TOP: Final = np.array([_face_of_top(value) for value in range(NUM_TOP_VALUES)], dtype=np.int8)

# Columns of an unpacked raw state, [S, 7 + icons counted] int64.
TOP, LENGTH, LAST, ATTACK_GP, SPECIAL_GP, FIRST_COUNT = 0, 1, 2, 3, 6, 7


class RawRows:
    """Raw states, packed into int64 keys, and the effects on them. Pure but for what `__init__` sets."""

    def __init__(
        self,
        rules: Rules,
        row_length: int,
        in_play: BoolArray,
        effects: Int8Array,
        copies: Int64Array,
        cheers: tuple[CheersRule, ...],
        most_placed: int = 0,
        costs: tuple[int, ...] | None = None,
    ) -> None:
        """`most_placed`: if positive, cards that left the hand are counted up to that, as the last column.

        With `costs` each counts as much as its type does ([T]), and a hidden one, whose type nobody sees,
        nothing.
        """
        self.row_length = row_length
        self.counts_placed = most_placed > 0
        self.cost_hidden, self.cost_of = 1, np.ones(NUM_EFFECTS, dtype=np.int64)
        if costs is not None:
            self.cost_hidden = 0
            self.cost_of[KEEP:COPY] = [costs[icon] for icon in ICONS]
            self.cost_of[COPY : BLANK + 1] = costs[CHANCER]
            self.cost_of[DEAD_OF:] = costs
        self.hides_at_once = rules.hides_at_once and bool(in_play[DEADEYE] and in_play[VETERAN])
        self.happens = np.stack([np.isin(np.arange(NUM_EFFECTS), effects[kind]) for kind in range(NUM_KINDS)])
        self.cheers = cheers
        self.gp = [card.gp for card in rules.cards]
        counts: Counter[int] = Counter()
        for card in cheers:
            for name, number in Counter(card.required).items():
                counts[TYPES.index(name)] = max(counts[TYPES.index(name)], number)
            for name in card.forbidden:
                counts[TYPES.index(name)] = max(counts[TYPES.index(name)], 1)
        self.count_column = {icon: FIRST_COUNT + i for i, icon in enumerate(sorted(counts))}
        limits = [NUM_TOP_VALUES - 1, row_length, NO_ATTACK]
        limits += [2 * row_length * max(self.gp[t], self.gp[CHANCER]) for t in ATTACKS]
        limits.append(self._most_special_gp(in_play, copies.max(axis=0)))
        limits += [counts[icon] for icon in sorted(counts)]
        if self.counts_placed:
            limits.append(most_placed)
        self.limits = np.array(limits, dtype=np.int64)
        strides = [1]
        for limit in reversed(limits[1:]):
            strides.append(strides[-1] * (limit + 1))
        assert strides[-1] * (limits[0] + 1) <= KEY_LIMIT, (
            "the ranges of the rules files keep keys below this"
        )
        self.strides = np.array(strides[::-1], dtype=np.int64)

    def _most_special_gp(self, in_play: BoolArray, stock: Int64Array) -> int:
        """Return a bound on the GP of all specials in a row.

        Stocks are no part of a row, so chains of Veterans are endless here (K8); their GP stops at this.
        """
        cards = [[self.gp[t]] * int(stock[t]) for t in range(NUM_TYPES) if in_play[t] and t not in ATTACKS]
        chained = [gp for t in (CHANCER, VETERAN) if in_play[t] for gp in [self.gp[t]] * int(stock[t])]
        others = [
            gp for t in (CHEATER, DEADEYE, STOPPER) if in_play[t] for gp in [self.gp[t]] * int(stock[t])
        ]
        doubled = sorted(gp for same in cards for gp in same)[
            1 - self.row_length :
        ]  # never in the first step
        return sum(chained) + sum(sorted(others)[-self.row_length :]) + sum(doubled)

    def start(self) -> Int64Array:
        """Return the key of the empty row, [1] int64."""
        columns = np.zeros((1, len(self.limits)), dtype=np.int64)
        columns[0, LAST] = NO_ATTACK
        return self.pack(columns)

    def pack(self, columns: Int64Array) -> Int64Array:
        """Return the keys, [S] int64, of unpacked states."""
        keys: Int64Array = np.minimum(columns, self.limits) @ self.strides
        return keys

    def unpack(self, keys: Int64Array) -> Int64Array:
        """Return the unpacked states, [S, columns] int64, of keys."""
        return keys[:, None] // self.strides % (self.limits + 1)

    def counted(self, columns: Int64Array) -> Int64Array:
        """Return unpacked states with a card on top counted in where there is one, [S, columns] int64."""
        new = columns.copy()
        topped = KIND_OF_TOP[columns[:, TOP]] > START_MARKED
        new[topped] = self._add_tops(columns[topped])
        return new

    def apply(self, effect: int, columns: Int64Array, counted: Int64Array) -> Int64Array:
        """Return the keys after an effect, [S] int64; rows that it cannot happen to give `IMPOSSIBLE`."""
        keys = np.full(len(columns), IMPOSSIBLE, dtype=np.int64)
        kind = KIND_OF_TOP[columns[:, TOP]]
        full = (kind <= START_MARKED) & (columns[:, LENGTH] == self.row_length)
        rows = np.flatnonzero(self.happens[kind, effect] & ~full)
        if not len(rows):
            return keys
        kind, old = kind[rows], columns[rows, TOP]
        starting = kind <= START_MARKED
        places = effect < STAY or effect >= DEAD_OF
        new = (counted if places else columns)[rows]
        if places:
            new[:, LENGTH] += starting
            self._place(new, int(self.cost_of[effect]))
        if effect in (DEAD, NEGATE) or effect >= DEAD_OF:
            new[:, TOP] = NO_TOP
        elif effect == STAY:
            for value in range(FIRST_TOP, NUM_TOP_VALUES):
                top = TOPS[value - FIRST_TOP]
                if top.icon == VETERAN:
                    new[old == value, TOP] = FIRST_TOP + TOP_INDEX[top._replace(lapsed=True)]
            new[starting, TOP] = NO_TOP  # a mark lapses with its step (K7)
        else:
            icon = CHANCER if effect == BLANK else ICONS[effect % NUM_ICONS]
            top = _Top(icon, effect >= COPY, False)
            new[:, TOP] = FIRST_TOP + TOP_INDEX[top]
            new[kind == START_MARKED, TOP] = FIRST_TOP + TOP_INDEX[top._replace(marked=True)]
        keys[rows] = self.pack(new)
        return keys

    def commit(self, columns: Int64Array) -> tuple[Int64Array, Int64Array]:
        """Return the keys after the step, [S] int64 twice: nothing hidden, and one card hidden (K6)."""
        top = columns[:, TOP]
        kind = KIND_OF_TOP[top]
        over = kind >= SAFE
        new = self._add_tops(columns)
        icons = np.array([CHANCER] * FIRST_TOP + [t.icon for t in TOPS])
        new[:, TOP] = np.where(icons[top] == STOPPER, COMMITTED_MARKED, COMMITTED)
        hides = self._hides(columns)
        kept = np.where(over, self.pack(np.where(over[:, None], new, 0)), IMPOSSIBLE)
        new[:, LENGTH] += 1
        self._place(new, self.cost_hidden)
        hidden = np.where(hides, self.pack(np.where(hides[:, None], new, 0)), IMPOSSIBLE)
        return kept, hidden

    def serve(self, columns: Int64Array) -> tuple[Int64Array, Int64Array]:
        """Return the keys once a Deadeye has asked within the step: nothing hidden, one card hidden (K9)."""
        hides = self._hides(columns) & self.hides_at_once
        new = columns.copy()
        for value in np.unique(columns[hides, TOP]):
            top = TOPS[value - FIRST_TOP]
            new[hides & (columns[:, TOP] == value), TOP] = FIRST_TOP + TOP_INDEX[top._replace(lapsed=True)]
        kept = np.where(hides, self.pack(np.where(hides[:, None], new, 0)), IMPOSSIBLE)
        new[:, LENGTH] += 1
        self._place(new, self.cost_hidden)
        hidden = np.where(hides, self.pack(np.where(hides[:, None], new, 0)), IMPOSSIBLE)
        return kept, hidden

    def _place(self, columns: Int64Array, cost: int) -> None:
        """Count a card that leaves the hand. Modified in place."""
        if self.counts_placed:
            columns[:, -1] += cost

    def _hides(self, columns: Int64Array) -> BoolArray:
        """Whether a Deadeye that has not been served lies on top, and the row has room (K6), [S] bool."""
        asks = np.array([False] * FIRST_TOP + [top.icon == DEADEYE and not top.lapsed for top in TOPS])
        hides: BoolArray = asks[columns[:, TOP]] & (columns[:, LENGTH] < self.row_length)
        return hides

    def _add_tops(self, columns: Int64Array) -> Int64Array:
        """Return unpacked states with the card on top counted in (S1-S3); the top field is left as it is."""
        new = columns.copy()
        for value in np.unique(columns[:, TOP]):
            if value < FIRST_TOP:
                continue
            top = TOPS[value - FIRST_TOP]
            rows = np.flatnonzero(columns[:, TOP] == value)
            gp = self.gp[CHANCER if top.copied else top.icon] * (2 if top.marked else 1)
            if top.icon in ATTACKS:
                new[rows, LAST] = top.icon
                new[rows, ATTACK_GP + top.icon] += gp
            else:
                new[rows, SPECIAL_GP] += gp
            if top.icon in self.count_column:
                # A blank Chancer has no icon, so no cheers card ever counts one (K5).
                new[rows, self.count_column[top.icon]] += top.icon != CHANCER
        return np.minimum(new, self.limits)

    def classes(self, columns: Int64Array) -> Int64Array:
        """Return [S, 2 + cheers] int64: last attack, GP if that icon scores, and whether each card is met.

        Where cards placed are counted, their number comes last, or what they cost together.
        """
        last = columns[:, LAST]
        attack_gp = columns[np.arange(len(last)), ATTACK_GP + np.minimum(last, NO_ATTACK - 1)]
        score = attack_gp + columns[:, SPECIAL_GP]
        # Without an attack there is nothing to score, whatever the opponent has (S1, S2).
        result = [last, np.where(last == NO_ATTACK, 0, score)]
        for card in self.cheers:
            met = np.ones(len(last), dtype=bool)
            for name, number in Counter(card.required).items():
                met &= columns[:, self.count_column[TYPES.index(name)]] >= number
            for name in card.forbidden:
                met &= columns[:, self.count_column[TYPES.index(name)]] == 0
            result.append(met.astype(np.int64))
        if self.counts_placed:
            result.append(columns[:, -1])
        return np.stack(result, axis=1)


class RawMachine(NamedTuple):
    """All raw states reachable from the empty row.

    keys : [S] int64, ascending; step : [S, E], commit and served : [S, 2] int32, indices into keys.
    """

    keys: Int64Array
    step: Int32Array
    commit: Int32Array
    served: Int32Array


def explore(raw: RawRows) -> RawMachine:
    """Enumerate the reachable raw states, breadth first. Raises ValueError past `MAX_RAW_STATES`."""
    known = frontier = raw.start()
    parts: list[tuple[Int64Array, Int64Array]] = []
    while len(frontier):
        columns = raw.unpack(frontier)
        counted = raw.counted(columns)
        images = [raw.apply(effect, columns, counted) for effect in range(NUM_EFFECTS)]
        images.extend((*raw.commit(columns), *raw.serve(columns)))
        successors = np.stack(images, axis=1)
        parts.append((frontier, successors))
        found = np.unique(successors[successors != IMPOSSIBLE])
        frontier = np.setdiff1d(found, known, assume_unique=True)
        known = np.union1d(known, frontier)
        if len(known) > MAX_RAW_STATES:
            raise ValueError(
                f"a row has more than {MAX_RAW_STATES:,} different states under these rules; "
                "use shorter rows, fewer different GP values, or fewer cheers cards on the table"
            )
    order = np.argsort(np.concatenate([keys for keys, _ in parts]))
    successors = np.concatenate([images for _, images in parts])[order]
    indices = np.searchsorted(known, successors).astype(np.int32)
    indices[successors == IMPOSSIBLE] = IMPOSSIBLE
    return RawMachine(
        known,
        indices[:, :NUM_EFFECTS],
        indices[:, NUM_EFFECTS : NUM_EFFECTS + 2],
        indices[:, NUM_EFFECTS + 2 :],
    )
