"""One day of combat as arrays: an automaton of a single row, and what two finished rows pay each other.

A day's public state is the pair of both rows, and what a row may still become and is worth depends on
little: slots used, last attack, GP that would count for each winning icon, icons the cheers cards ask for, a
Stopper's mark, and the card lying on top while a step is being resolved. Each row is therefore a state of one
small deterministic automaton that reads both players' placements (I2), and rows that no further play can tell
apart are one state.

What the card on top is worth is added to the row only when it gets covered (K8) or the step is over, so that
a Cheater placed later in the same step can still negate it (K4, K8).

Letters used for shapes: T card types, A = T + 1 actions (the last one is "nothing"), R rows, F faces,
C terminal classes; inside this module also E effects, S raw states (rows before merging), K kinds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

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

Int8Array = npt.NDArray[np.int8]
Int32Array = npt.NDArray[np.int32]
Int64Array = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]
FloatArray = npt.NDArray[np.float64]

NOTHING: Final = NUM_TYPES  # the action of a player who does not act, or holds nothing placeable (K3)
NUM_ACTIONS: Final = NUM_TYPES + 1
IMPOSSIBLE: Final = -1

WIN, DRAW, LOSS, TWO_LOSERS = range(4)  # entries of `DayTables.outcome` (S1)

# What may happen to a row in one act. Effects that keep a card are numbered by its icon.
NUM_ICONS: Final = 7  # every type but the Chancer, which counts as what it copies (K5)
ICONS: Final = tuple(t for t in range(NUM_TYPES) if t != CHANCER)
ICON_INDEX: Final = {icon: index for index, icon in enumerate(ICONS)}
KEEP: Final = 0  # KEEP + i: a card with icon i is placed and stays
COPY: Final = NUM_ICONS  # COPY + i: a Chancer is placed and counts as icon i (K5)
BLANK: Final = 2 * NUM_ICONS  # a Chancer is placed and counts as nothing (K5)
DEAD: Final = BLANK + 1  # a card is placed and negated at once (K4)
STAY: Final = BLANK + 2  # nothing is placed and the row keeps what it has
NEGATE: Final = BLANK + 3  # nothing is placed and the card on top is negated (K8)
NUM_EFFECTS: Final = BLANK + 4

# Kinds of rows: all that decides which effect a pair of actions has on a row.
START, START_MARKED, PENDING, PENDING_MARKED, SAFE, NEGATABLE, CHEATER_ON_TOP = range(7)
NUM_KINDS: Final = 7

FACE_DOWN: Final = 0  # what a row shows that has no icon on top; FACE_DOWN + 1 + i shows icon i
NO_ATTACK: Final = len(ATTACKS)

# Refinement compares 64-bit hashes; the final partition is checked exactly, so these only have to be odd.
HASH_SEED: Final = 20240229
KEY_LIMIT: Final = 2**62
# Some 1.5 GB while building; the box needs 160,000 and its longest rows (seven slots) 430,000.
MAX_RAW_STATES: Final = 5_000_000


@dataclass(frozen=True, eq=False)
class DayTables:
    """A day as arrays. Treat them as read-only.

    A step starts from two committed rows. Both players act at once: after types (a, b) the rows are
    ``next_row[r0, face[r1], a, b]`` and ``next_row[r1, face[r0], b, a]``. While a row is `pending` its owner
    acts again, both owners at once if both rows are, and whoever does not act plays `NOTHING`. When no row is
    pending the owners of rows with `hides` place one more card unseen, and `commit` gives the rows in which
    the next step starts. Where Deadeyes are served at once (K9) and the other row is pending, they do so
    before it goes on, and `served` gives the row then. The day ends when a committed row is `full`, or when
    both play `NOTHING` in committed rows; it then pays player 0
    ``payoff[terminal_class[r0], terminal_class[r1]]``.

    Attributes
    ----------
    type_ids : T names; a type's index is its action.
    copies : [2, T] int64, cards of each type the players start the day with (C1).
    hand_size, row_length : M2; K2 under this patron.
    placeable : [T] bool, what the patron does not forbid (K3).
    start_row : the empty row.
    face : [R] int64
        What a row shows the other side while a step is being resolved.
    num_faces : F.
    next_row : [R, F, A, A] int32
        By own row, the opponent's face, own action, the opponent's action; `IMPOSSIBLE` where no play leads.
    pending : [R] bool
        The owner must place another card on top of a Veteran, or of a Chancer copying one (K8).
    hides : [R] bool
        Step over on both sides: the owner places one more card face-down (K6).
    commit : [R, 2] int32
        Step over on both sides: the row in which the next step starts; column 1 if a card was hidden.
        `IMPOSSIBLE` for pending and committed rows, and in column 1 where nothing can be hidden.
    served : [R, 2] int32
        The row once its owner had to place a card face-down while the step goes on; column 1 if he did (K9).
        `IMPOSSIBLE` where nothing can be hidden, and everywhere if that waits for the end of the step.
    full : [R] bool, committed rows that end the combat (K2).
    length : [R] int64, slots used.
    terminal_class : [R] int32
        What counts of a committed row in the resolution; `IMPOSSIBLE` for uncommitted rows.
    gp, payoff : [C, C] float64
        GP the owner of the first row scores against the second (S2, S3); payoff = gp - gp.T.
    outcome : [C, C] int8
        S1 seen by the owner of the first row: `WIN`, `DRAW`, `LOSS` or `TWO_LOSERS`.
    """

    type_ids: tuple[str, ...]
    copies: Int64Array
    hand_size: int
    row_length: int
    placeable: BoolArray
    start_row: int
    face: Int64Array
    num_faces: int
    next_row: Int32Array
    pending: BoolArray
    hides: BoolArray
    commit: Int32Array
    served: Int32Array
    full: BoolArray
    length: Int64Array
    terminal_class: Int32Array
    payoff: FloatArray
    gp: FloatArray
    outcome: Int8Array

    @property
    def num_rows(self) -> int:
        """Number of rows, R."""
        return len(self.face)

    @property
    def num_classes(self) -> int:
        """Number of terminal classes, C."""
        return len(self.gp)


def day_tables(rules: Rules, patron_id: str, cheers_ids: Sequence[str]) -> DayTables:
    """Build the tables of a first day under one patron with the given cheers cards on the table.

    Raises
    ------
    UnknownNameError
        For a patron or cheers card the rules do not have.
    ValueError
        If the rules give a row more than `MAX_RAW_STATES` different states.
    """
    patron = rules.patron(patron_id)
    row_length = rules.row_length(patron)
    placeable = np.array([name not in patron.forbidden for name in TYPES])
    copies = np.array([[card.copies[player] for card in rules.cards] for player in (0, 1)], dtype=np.int64)
    in_play = placeable & (copies.max(axis=0) > 0)
    cheers = tuple(rules.cheers_card(name) for name in cheers_ids)
    effects = _effect_table(in_play)
    raw = _RawRows(rules, row_length, in_play, effects, copies, cheers)
    machine = _minimise(raw, _explore(raw), effects)
    machine = _prune(machine, copies.max(axis=0))
    gp, outcome = _score_classes(rules, machine.class_keys, cheers)
    return DayTables(
        type_ids=TYPES,
        copies=copies,
        hand_size=rules.match.hand_size,
        row_length=row_length,
        placeable=placeable,
        start_row=machine.start_row,
        face=machine.face.astype(np.int64),
        num_faces=effects.shape[1],
        next_row=_expand(machine, effects),
        pending=(machine.kind == PENDING) | (machine.kind == PENDING_MARKED),
        hides=machine.commit[:, 1] != IMPOSSIBLE,
        commit=machine.commit,
        served=machine.served,
        full=(machine.terminal_class != IMPOSSIBLE) & (machine.length >= row_length),
        length=machine.length.astype(np.int64),
        terminal_class=machine.terminal_class,
        payoff=gp - gp.T,
        gp=gp,
        outcome=outcome,
    )


def _own_effect(kind: int, facing: int, own: int, opp: int) -> int:
    """Return what a pair of actions does to a row, `IMPOSSIBLE` if it cannot happen (K4, K5, K8, K9).

    `facing` is the icon the opponent's row shows before the act (a type id), `CHANCER` for none.
    """
    if kind in (SAFE, NEGATABLE, CHEATER_ON_TOP):
        # Only a pending opponent acts now; this row can but lose its top.
        if own != NOTHING or facing != VETERAN:
            return IMPOSSIBLE
        negated = (opp == CHEATER and kind != SAFE) or (opp == CHANCER and kind == CHEATER_ON_TOP)
        return NEGATE if negated else STAY
    starting = kind in (START, START_MARKED)
    if starting and (facing != CHANCER or own == opp == NOTHING):
        return IMPOSSIBLE
    if not starting and opp != NOTHING and facing != VETERAN:
        return IMPOSSIBLE
    if own == NOTHING:
        return NEGATE if kind == PENDING and opp == CHEATER else STAY
    # A card on top of a Veteran is never under a mark (K7, K8).
    if kind != START_MARKED and (opp == CHEATER or (opp == CHANCER and own == CHEATER)):
        return DEAD
    if own != CHANCER:
        return KEEP + ICON_INDEX[own]
    if opp == NOTHING:
        opp = facing
    return BLANK if opp == CHANCER else COPY + ICON_INDEX[opp]


def _effect_table(in_play: BoolArray) -> Int8Array:
    """Return [K, F, A, A] int8: the effect of (kind, opponent's face, own action, opponent's action).

    F is 1 where faces cannot matter: only a Chancer on top of a Veteran looks at what lies opposite.
    """
    has_faces = bool(in_play[VETERAN] and in_play[CHANCER])
    num_faces = 1 + NUM_ICONS if has_faces else 1
    actions = [action for action in range(NUM_TYPES) if in_play[action]] + [NOTHING]
    table = np.full((NUM_KINDS, num_faces, NUM_ACTIONS, NUM_ACTIONS), IMPOSSIBLE, dtype=np.int8)
    for kind in range(NUM_KINDS):
        if kind not in (START, START_MARKED) and not in_play[VETERAN]:
            continue
        for face in range(num_faces):
            icon = CHANCER if face == FACE_DOWN else ICONS[face - 1]
            if not has_faces and kind not in (START, START_MARKED):
                icon = VETERAN
            for own in actions:
                for opp in actions:
                    table[kind, face, own, opp] = _own_effect(kind, icon, own, opp)
    return table


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


class _RawRows:
    """Raw states, packed into int64 keys, and the effects on them. Pure but for what `__init__` sets."""

    def __init__(
        self,
        rules: Rules,
        row_length: int,
        in_play: BoolArray,
        effects: Int8Array,
        copies: Int64Array,
        cheers: tuple[CheersRule, ...],
    ) -> None:
        self.row_length = row_length
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

    def apply(self, effect: int, columns: Int64Array) -> Int64Array:
        """Return the keys after an effect, [S] int64; rows that it cannot happen to give `IMPOSSIBLE`."""
        kind = KIND_OF_TOP[columns[:, TOP]]
        starting = kind <= START_MARKED
        possible = self.happens[kind, effect] & ~(starting & (columns[:, LENGTH] == self.row_length))
        new = columns.copy()
        if effect < STAY:
            new[~starting] = self._add_tops(new[~starting])
            new[:, LENGTH] += starting
        if effect in (DEAD, NEGATE):
            new[:, TOP] = NO_TOP
        elif effect == STAY:
            for value in range(FIRST_TOP, NUM_TOP_VALUES):
                top = TOPS[value - FIRST_TOP]
                if top.icon == VETERAN:
                    new[columns[:, TOP] == value, TOP] = FIRST_TOP + TOP_INDEX[top._replace(lapsed=True)]
            new[starting, TOP] = NO_TOP  # a mark lapses with its step (K7)
        else:
            icon = CHANCER if effect == BLANK else ICONS[effect % NUM_ICONS]
            top = _Top(icon, effect >= COPY, False)
            new[:, TOP] = FIRST_TOP + TOP_INDEX[top]
            new[kind == START_MARKED, TOP] = FIRST_TOP + TOP_INDEX[top._replace(marked=True)]
        return np.where(possible, self.pack(np.where(possible[:, None], new, 0)), IMPOSSIBLE)

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
        hidden = np.where(hides, self.pack(np.where(hides[:, None], new, 0)), IMPOSSIBLE)
        return kept, hidden

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
        """Return [S, 2 + cheers] int64: last attack, GP if that icon scores, and whether each card is met."""
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
        return np.stack(result, axis=1)


class _RawMachine(NamedTuple):
    """All raw states reachable from the empty row.

    keys : [S] int64, ascending; step : [S, E], commit and served : [S, 2] int32, indices into keys.
    """

    keys: Int64Array
    step: Int32Array
    commit: Int32Array
    served: Int32Array


def _explore(raw: _RawRows) -> _RawMachine:
    """Enumerate the reachable raw states, breadth first. Raises ValueError past `MAX_RAW_STATES`."""
    known = frontier = raw.start()
    parts: list[tuple[Int64Array, Int64Array]] = []
    while len(frontier):
        columns = raw.unpack(frontier)
        images = [raw.apply(effect, columns) for effect in range(NUM_EFFECTS)]
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
    return _RawMachine(
        known,
        indices[:, :NUM_EFFECTS],
        indices[:, NUM_EFFECTS : NUM_EFFECTS + 2],
        indices[:, NUM_EFFECTS + 2 :],
    )


class _Machine(NamedTuple):
    """The merged automaton, R rows, before its effects are spelt out by face and actions.

    start_row; kind, face : [R] int8; length : [R] int64; step : [R, E] int32; commit, served : [R, 2] int32;
    terminal_class : [R] int32; class_keys : [C, 2 + cheers] int64.
    """

    start_row: int
    kind: Int8Array
    face: Int8Array
    length: Int64Array
    step: Int32Array
    commit: Int32Array
    served: Int32Array
    terminal_class: Int32Array
    class_keys: Int64Array


def _minimise(raw: _RawRows, machine: _RawMachine, effects: Int8Array) -> _Machine:
    """Merge rows that no further play can tell apart: Moore's partition refinement, O(S log S) a round."""
    columns = raw.unpack(machine.keys)
    kind = KIND_OF_TOP[columns[:, TOP]]
    face = FACE_OF_TOP[columns[:, TOP]] if effects.shape[1] > 1 else np.zeros(len(kind), dtype=np.int8)
    committed = kind <= START_MARKED
    class_keys, classes = np.unique(raw.classes(columns[committed]), axis=0, return_inverse=True)
    terminal_class = np.full(len(kind), IMPOSSIBLE, dtype=np.int32)
    terminal_class[committed] = classes.reshape(-1)
    pending = (kind == PENDING) | (kind == PENDING_MARKED)
    labels = np.stack([terminal_class, face, pending, columns[:, LENGTH]], axis=1)
    part = np.unique(labels, axis=0, return_inverse=True)[1].reshape(-1)

    # One column per way the inputs (face, own, opp) act on the seven kinds.
    inputs = np.unique(effects.reshape(NUM_KINDS, -1).T, axis=0)
    by_input = inputs[:, kind].T.astype(np.int64)  # [S, inputs]
    # A last column, picked by index -1, for what cannot happen.
    step = np.concatenate((machine.step, np.full((len(kind), 1), IMPOSSIBLE, dtype=np.int32)), axis=1)
    further = (machine.commit, machine.served) if raw.hides_at_once else (machine.commit,)
    successors = np.concatenate((np.take_along_axis(step, by_input, axis=1), *further), axis=1)
    odd = np.random.default_rng(HASH_SEED).integers(1, 2**62, size=successors.shape[1] + 1) * 2 + 1
    num_parts = int(part.max()) + 1
    while True:
        padded = np.append(part, -1)
        signature = part * odd[-1] + (padded[successors] + 1) @ odd[:-1]
        refined = np.unique(signature, return_inverse=True)[1].reshape(-1)
        if int(refined.max()) + 1 == num_parts:
            break
        part = refined
        num_parts = int(part.max()) + 1
    chosen = np.unique(part, return_index=True)[1]
    padded = np.append(part, IMPOSSIBLE).astype(np.int32)
    merged = padded[successors]
    if not (np.array_equal(merged, merged[chosen][part]) and np.array_equal(labels, labels[chosen][part])):
        raise AssertionError("two different rows were merged: a hash collision; change HASH_SEED")
    return _Machine(
        start_row=int(part[np.searchsorted(machine.keys, raw.start()[0])]),
        kind=kind[chosen],
        face=face[chosen],
        length=columns[chosen, LENGTH],
        step=padded[machine.step[chosen]],
        commit=padded[machine.commit[chosen]],
        served=padded[machine.served[chosen]],
        terminal_class=terminal_class[chosen],
        class_keys=class_keys,
    )


def _prune(machine: _Machine, stock: Int64Array) -> _Machine:
    """Drop rows that would need more Veterans or Chancers than any deck holds ([T] int64 `stock`)."""
    limits = (int(stock[VETERAN]), int(stock[CHANCER]))
    cost = np.zeros((NUM_EFFECTS, 2), dtype=np.int64)
    cost[KEEP + ICON_INDEX[VETERAN], 0] = 1
    cost[COPY : BLANK + 1, 1] = 1  # whatever a negated card was, counting it as free only keeps more rows
    reached = np.zeros((len(machine.kind), limits[0] + 1, limits[1] + 1), dtype=bool)
    reached[machine.start_row, 0, 0] = True
    frontier = np.argwhere(reached)
    while len(frontier):
        rows, used = frontier[:, 0], frontier[:, 1:]
        targets = [np.stack((machine.step[rows, e], *(used + cost[e]).T), axis=1) for e in range(NUM_EFFECTS)]
        for onward in (machine.commit, machine.served):
            targets.extend(np.stack((onward[rows, c], *used.T), axis=1) for c in (0, 1))
        found = np.concatenate(targets)
        found = found[(found[:, 0] != IMPOSSIBLE) & (found[:, 1:] <= limits).all(axis=1)]
        found = found[~reached[tuple(found.T)]]
        frontier = np.unique(found, axis=0)
        reached[tuple(frontier.T)] = True
    kept = np.flatnonzero(reached.any(axis=(1, 2)))
    new_number = np.full(len(machine.kind) + 1, IMPOSSIBLE, dtype=np.int32)
    new_number[kept] = np.arange(len(kept))
    classes = np.unique(machine.terminal_class[kept])
    classes = classes[classes != IMPOSSIBLE]
    new_class = np.full(len(machine.class_keys) + 1, IMPOSSIBLE, dtype=np.int32)
    new_class[classes] = np.arange(len(classes))
    return _Machine(
        start_row=int(new_number[machine.start_row]),
        kind=machine.kind[kept],
        face=machine.face[kept],
        length=machine.length[kept],
        step=new_number[machine.step[kept]],
        commit=new_number[machine.commit[kept]],
        served=new_number[machine.served[kept]],
        terminal_class=new_class[machine.terminal_class[kept]],
        class_keys=machine.class_keys[classes],
    )


def _expand(machine: _Machine, effects: Int8Array) -> Int32Array:
    """Return [R, F, A, A] int32: effects spelt out by the opponent's face and both actions."""
    step = np.concatenate((machine.step, np.full((len(machine.kind), 1), IMPOSSIBLE, dtype=np.int32)), axis=1)
    result = np.empty((len(machine.kind), *effects.shape[1:]), dtype=np.int32)
    for kind in range(NUM_KINDS):
        rows = np.flatnonzero(machine.kind == kind)
        result[rows] = step[rows][:, effects[kind]]
    return result


def _score_classes(
    rules: Rules, class_keys: Int64Array, cheers: tuple[CheersRule, ...]
) -> tuple[FloatArray, Int8Array]:
    """Return gp, [C, C] float64, and outcome, [C, C] int8, of each class against each (S1-S3)."""
    beats = np.zeros((NO_ATTACK + 1, NO_ATTACK + 1), dtype=bool)
    for attack in ATTACKS:
        beats[attack, NO_ATTACK] = True
        for name in rules.cards[attack].beats:
            beats[attack, TYPES.index(name)] = True
    last, score = class_keys[:, 0], class_keys[:, 1]
    wins = beats[last[:, None], last]
    outcome = np.where(wins, WIN, np.where(wins.T, LOSS, DRAW)).astype(np.int8)
    bare = last == NO_ATTACK
    outcome[np.ix_(bare, bare)] = TWO_LOSERS
    scores = (outcome == WIN) | (outcome == DRAW)
    gp = np.where(scores, score[:, None], 0).astype(np.float64)
    for index, card in enumerate(cheers):
        met = class_keys[:, 2 + index].astype(bool)
        gp += card.gp * (met[:, None] & ~met & (outcome != TWO_LOSERS))
    return gp, outcome
