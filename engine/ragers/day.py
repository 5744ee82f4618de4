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

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engine.ragers.day_automaton import Automaton, minimise, prune
from engine.ragers.day_effects import (
    IMPOSSIBLE,
    NO_ATTACK,
    NUM_KINDS,
    PENDING,
    PENDING_MARKED,
    BoolArray,
    FloatArray,
    Int8Array,
    Int32Array,
    Int64Array,
    effect_table,
)
from engine.ragers.day_rows import RawRows, explore
from engine.ragers.rules import ATTACKS, TYPES, CheersRule, Rules

WIN, DRAW, LOSS, TWO_LOSERS = range(4)  # entries of `DayTables.outcome` (S1)


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
        The row once its owner had to place a card face-down while the step goes on; column 1 if it did (K9).
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
    copies = np.array([[card.copies[player] for card in rules.cards] for player in (0, 1)], dtype=np.int64)
    tables, _ = tables_and_classes(rules, patron_id, cheers_ids, copies)
    return tables


def tables_and_classes(
    rules: Rules,
    patron_id: str,
    cheers_ids: Sequence[str],
    copies: Int64Array,
    most_placed: int = 0,
    costs: tuple[int, ...] | None = None,
) -> tuple[DayTables, Int64Array]:
    """Build a day's tables for any stocks ([2, T] int64), and say what its terminal classes are.

    `costs`: see `RawRows`.

    Returns
    -------
    tables : DayTables
    class_keys : [C, 2 + cheers] int64
        Last attack, GP if that icon scores, whether each cheers card is met; if `most_placed` is positive,
        also the cards placed in all, counted up to that, or with `costs` what they cost together.

    Raises
    ------
    UnknownNameError, ValueError
        As `day_tables`.
    """
    patron = rules.patron(patron_id)
    row_length = rules.row_length(patron)
    placeable = np.array([name not in patron.forbidden for name in TYPES])
    in_play = placeable & (copies.max(axis=0) > 0)
    cheers = tuple(rules.cheers_card(name) for name in cheers_ids)
    effects = effect_table(in_play, tells_dead=costs is not None)
    raw = RawRows(rules, row_length, in_play, effects, copies, cheers, most_placed, costs)
    machine = minimise(raw, explore(raw), effects)
    machine = prune(machine, copies.max(axis=0))
    gp, outcome = _score_classes(rules, machine.class_keys, cheers)
    tables = DayTables(
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
    return tables, machine.class_keys


def _expand(machine: Automaton, effects: Int8Array) -> Int32Array:
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
