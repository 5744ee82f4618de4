"""The loop of the search: is the value of a state at least so much?

Boolean alpha-beta on an explicit stack (recursion costs far more in compiled code), with a transposition
table of bounds, the best action known of each state, and the history heuristic (Schaeffer 1989) for the order
of the others. Everything stays in the caller's arrays, so a search that was stopped goes on where it was.

Letters used for shapes: D depth, A actions, E outcomes of a state, T entries of the table, C codes.
"""

from __future__ import annotations

from typing import Any

from numba import types

from arena_solver.kernel_cache import cached_njit
from solver.alternating.game import EXPAND, WORDS, IntArray

#: Entries of the table among which a state may lie.
BUCKET = 4
#: Words of an entry: the state and one (0: none), bounds of its value, the best action known, nodes spent.
STATE, LOW, HIGH, ACTION, EFFORT = range(5)
ENTRY_WORDS = 5
#: Words of a stack frame before its outcomes.
F_STATE, F_COUNT, F_PLACE, F_OUTCOME, F_NODES, F_SLOT = range(6)
FRAME_WORDS = 6
#: What the search answers.
BELOW, REACHED, STOPPED, TOO_LONG = range(4)
#: Words of `progress`: depth of the stack (-1: none), nodes so far, entries used.
DEPTH, NODES, USED = range(3)

_MIX = -7046029254386353131
_TABLE = types.int64[:, ::1]
_OPTIONS: dict[str, Any] = {"_nrt": False, "error_model": "numpy", "nogil": True}


@cached_njit(**_OPTIONS)
def slot_of(state: int, num_entries: int) -> int:
    """The first entry at which a state may lie; `num_entries` is a power of two."""
    mixed = state * _MIX
    mixed ^= mixed >> 29
    mixed *= _MIX
    mixed ^= mixed >> 32
    return mixed & (num_entries - BUCKET)


@cached_njit(**_OPTIONS)
def found(table: IntArray, state: int) -> int:
    """The entry of a state, -1 if it has none."""
    slot = slot_of(state, len(table))
    for entry in range(slot, slot + BUCKET):
        if table[entry, STATE] == state + 1:
            return entry
    return -1


@cached_njit(**_OPTIONS)
def _claim(table: IntArray, state: int, lowest: int, highest: int, progress: IntArray) -> int:
    """An entry for a state: an empty one, or that on which the fewest nodes were spent. Modified in place."""
    slot = slot_of(state, len(table))
    chosen = slot
    for entry in range(slot, slot + BUCKET):
        if table[entry, STATE] == 0:
            chosen = entry
            progress[USED] += 1
            break
        if table[entry, EFFORT] < table[chosen, EFFORT]:
            chosen = entry
    table[chosen, STATE] = state + 1
    table[chosen, LOW] = lowest
    table[chosen, HIGH] = highest
    table[chosen, ACTION] = -1
    table[chosen, EFFORT] = 0
    return chosen


@cached_njit(**_OPTIONS)
def _ordered(codes: IntArray, count: int, first: int, mover: int, history: IntArray, order: IntArray) -> None:
    """Write the order of the actions: the one known to be best, then by what history says; in place."""
    base = mover * (len(history) // 2)
    for place in range(count):
        score = history[base + codes[place]]
        here = place
        while here > 0 and order[here - 1] != first and history[base + codes[order[here - 1]]] < score:
            order[here] = order[here - 1]
            here -= 1
        order[here] = place
        if place == first:
            # To the front, whatever its score.
            while here > 0:
                order[here] = order[here - 1]
                here -= 1
            order[0] = place


@cached_njit(
    types.int64(EXPAND, WORDS, types.int64, types.int64, WORDS, WORDS, _TABLE, WORDS, _TABLE, WORDS),
    **_OPTIONS,
)
def prove(
    expand: Any,
    tables: IntArray,
    root: int,
    bound: int,
    limits: IntArray,
    work: IntArray,
    table: IntArray,
    history: IntArray,
    stack: IntArray,
    progress: IntArray,
) -> int:
    """Say whether the root's value is at least `bound`: `REACHED`, `BELOW`, or `STOPPED` for too many nodes.

    Parameters
    ----------
    limits : [5] int64
        Lowest and highest value, A, E, and the number of nodes (`progress[NODES]`) at which to stop.
    table : [T, ENTRY_WORDS]; history : [2 C]; stack : [D, FRAME_WORDS + 3 A + 1 + E]
        Modified in place. A frame holds the order of the actions, where their outcomes start, the codes, and
        the outcomes.
    progress : [3] int64
        Modified in place. A depth of 0 or more: go on with that stack.
    """
    lowest, highest, max_actions = limits[0], limits[1], limits[2]
    order_at = FRAME_WORDS
    starts_at = order_at + max_actions
    codes_at = starts_at + max_actions + 1
    targets_at = codes_at + max_actions
    half = len(history) // 2
    depth = progress[DEPTH]
    answer = -1
    state = root
    if depth < 0:
        depth = 0
        answer = -2
    while True:
        if answer == -2:
            # A new state at this depth: known, or to be opened.
            entry = found(table, state)
            if entry >= 0 and table[entry, LOW] >= bound:
                answer = 1
            elif entry >= 0 and table[entry, HIGH] < bound:
                answer = 0
            else:
                if depth >= len(stack):
                    return TOO_LONG
                frame = stack[depth]
                codes = frame[codes_at:targets_at]
                count = expand(tables, state, work, frame[starts_at:codes_at], frame[targets_at:], codes)
                first = table[entry, ACTION] if entry >= 0 else -1
                _ordered(codes, count, first, state & 1, history, frame[order_at:starts_at])
                frame[F_STATE] = state
                frame[F_COUNT] = count
                frame[F_PLACE] = 0
                frame[F_OUTCOME] = frame[starts_at + frame[order_at]]
                frame[F_NODES] = progress[NODES]
                progress[NODES] += 1
                answer = -1
        frame = stack[depth]
        if answer >= 0:
            # Known now is the state below; go back to whom it concerns.
            depth -= 1
            if depth < 0:
                progress[DEPTH] = -1
                return REACHED if answer == 1 else BELOW
            frame = stack[depth]
            wanted = 1 - (frame[F_STATE] & 1)
            if answer == wanted:
                frame[F_OUTCOME] += 1
            else:
                frame[F_PLACE] += 1
                if frame[F_PLACE] < frame[F_COUNT]:
                    frame[F_OUTCOME] = frame[starts_at + frame[order_at + frame[F_PLACE]]]
            answer = -1
        # Go through what is left of this frame, up to the next state that has to be opened.
        mover = frame[F_STATE] & 1
        wanted = 1 - mover
        done = -1
        while done < 0:
            place = frame[F_PLACE]
            if place == frame[F_COUNT]:
                done = 1 - wanted
                break
            action = frame[order_at + place]
            if frame[F_OUTCOME] == frame[starts_at + action + 1]:
                done = wanted
                break
            target = frame[targets_at + frame[F_OUTCOME]]
            if target >= 0:
                break
            reached = 1 if lowest - 1 - target >= bound else 0
            if reached == wanted:
                frame[F_OUTCOME] += 1
            else:
                frame[F_PLACE] += 1
                if frame[F_PLACE] < frame[F_COUNT]:
                    frame[F_OUTCOME] = frame[starts_at + frame[order_at + frame[F_PLACE]]]
        if done < 0:
            if progress[NODES] >= limits[4]:
                progress[DEPTH] = depth
                return STOPPED
            state = frame[targets_at + frame[F_OUTCOME]]
            depth += 1
            answer = -2
            continue
        here = frame[F_STATE]
        entry = found(table, here)
        if entry < 0:
            entry = _claim(table, here, lowest, highest, progress)
        if done == 1:
            table[entry, LOW] = max(table[entry, LOW], bound)
        else:
            table[entry, HIGH] = min(table[entry, HIGH], bound - 1)
        spent = progress[NODES] - frame[F_NODES]
        table[entry, EFFORT] += spent
        if done == wanted:
            best = frame[order_at + frame[F_PLACE]]
            table[entry, ACTION] = best
            history[mover * half + frame[codes_at + best]] += 1
        answer = done
