"""The rows of a day as the smallest automaton: merged where no play can tell them apart, pruned by the decks.

Letters used for shapes: as in `engine.ragers.day`.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from engine.ragers.day_effects import (
    BLANK,
    COPY,
    ICON_INDEX,
    IMPOSSIBLE,
    KEEP,
    NUM_EFFECTS,
    NUM_KINDS,
    PENDING,
    PENDING_MARKED,
    START_MARKED,
    Int8Array,
    Int32Array,
    Int64Array,
)
from engine.ragers.day_rows import FACE_OF_TOP, KIND_OF_TOP, LENGTH, TOP, RawMachine, RawRows
from engine.ragers.rules import CHANCER, VETERAN

# Refinement compares 64-bit hashes; the final partition is checked exactly, so these only have to be odd.
HASH_SEED: Final = 20240229


class Automaton(NamedTuple):
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


def minimise(raw: RawRows, machine: RawMachine, effects: Int8Array) -> Automaton:
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
    return Automaton(
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


def prune(machine: Automaton, stock: Int64Array) -> Automaton:
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
    return Automaton(
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
