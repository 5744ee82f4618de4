"""The loop of the search: is the value of a state at least so much?

Boolean alpha-beta on an explicit stack (recursion costs far more in compiled code), with a transposition
table of bounds, the best action known of each state, and the history heuristic (Schaeffer 1989) for the order
of the others. Everything stays in the caller's arrays, so a search that was stopped goes on where it was.

Where plays may come to a state twice, such a play is worth the same wherever that happens in a level
(`game`). So the way to a state does not matter: who can do better than that does so without repetition, and
else the other one can keep to states in which that is so. A state that is opened is assumed to be worth what
repeating is. If one whose assumption was read turns out otherwise, the level is searched again, with what was
found without assumptions; else the assumptions bear each other out. That is decided at the first state of a
level, so that all levels below are proved by then.

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
#: From here on `EFFORT` keeps an entry; an assumed one has still more, and one more once that was read.
FIXED, ASSUMED, READ = 1 << 59, 1 << 60, 1
#: Words of a stack frame before its outcomes. Of a level: what repeating answers; at its first state
#: (else -1) where assumed entries begin in `trail`, and the wrong assumptions of the level above.
F_STATE, F_COUNT, F_PLACE, F_OUTCOME, F_NODES, F_AGAIN, F_TRAIL, F_WRONG = range(8)
FRAME_WORDS = 8
#: What the search answers.
BELOW, REACHED, STOPPED, TOO_LONG, FULL = range(5)
#: Words of `progress`: depth of the stack (-1: none), nodes so far, entries used, length of `trail`, wrong
#: assumptions of this level that were read, and how often a level was searched again.
DEPTH, NODES, USED, TRAIL, WRONG, AGAIN = range(6)

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
def _is_kept(table: IntArray, slot: int) -> bool:
    """Whether no entry of these may be given to another state: then states of theirs lie in the next ones."""
    for entry in range(slot, slot + BUCKET):
        if table[entry, EFFORT] < FIXED:
            return False
    return True


@cached_njit(**_OPTIONS)
def found(table: IntArray, state: int) -> int:
    """The entry of a state, -1 if it has none."""
    slot = slot_of(state, len(table))
    while True:
        for entry in range(slot, slot + BUCKET):
            if table[entry, STATE] == state + 1:
                return entry
        if not _is_kept(table, slot):
            return -1
        slot = (slot + BUCKET) & (len(table) - 1)


@cached_njit(**_OPTIONS)
def claim(table: IntArray, state: int, lowest: int, highest: int, progress: IntArray) -> int:
    """An entry for a state: an empty one, or that on which the fewest nodes were spent. Modified in place."""
    slot = slot_of(state, len(table))
    while _is_kept(table, slot):
        slot = (slot + BUCKET) & (len(table) - 1)
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


@cached_njit(**_OPTIONS)
def _note(table: IntArray, entry: int, answer: int, bound: int) -> None:
    """Keep what has been answered. Modified in place: `table`."""
    if answer == 1:
        table[entry, LOW] = max(table[entry, LOW], bound)
    else:
        table[entry, HIGH] = min(table[entry, HIGH], bound - 1)


@cached_njit(**_OPTIONS)
def _close_level(table: IntArray, frame: IntArray, bound: int, trail: IntArray, progress: IntArray) -> bool:
    """Whether what was assumed in a level is borne out: kept if so, else dropped. Modified in place."""
    sure = progress[WRONG] == 0
    for place in range(frame[F_TRAIL], progress[TRAIL]):
        entry = trail[place]
        assumed = table[entry, EFFORT] >= ASSUMED
        if sure and assumed:
            _note(table, entry, frame[F_AGAIN], bound)
        table[entry, EFFORT] = int(sure or not assumed)
    progress[TRAIL], progress[WRONG] = frame[F_TRAIL], frame[F_WRONG]
    return bool(sure)


@cached_njit(
    types.int64(EXPAND, WORDS, types.int64, types.int64, WORDS, WORDS, _TABLE, WORDS, _TABLE, WORDS, WORDS),
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
    trail: IntArray,
    progress: IntArray,
) -> int:
    """Say whether the root's value is at least `bound`: `REACHED`, `BELOW`, or `STOPPED` for too many nodes.

    `TOO_LONG`: go on with a larger stack. `FULL`: there is no room for more assumptions.

    Parameters
    ----------
    limits : [6] int64
        Lowest and highest value, A, E, the number of nodes (`progress[NODES]`) at which to stop, and the bits
        of a level, 0 if no state comes again.
    table : [T, ENTRY_WORDS]; history : [2 C]; stack : [D, FRAME_WORDS + 3 A + 1 + E]
        Modified in place. A frame holds the order of the actions, where their outcomes start, the codes, and
        the outcomes.
    trail : [fewer than T] int64
        Modified in place: entries that were assumed, level by level.
    progress : [6] int64
        Modified in place. A depth of 0 or more: go on with that stack.
    """
    lowest, highest, max_actions, level = limits[0], limits[1], limits[2], limits[5]
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
            elif level and entry >= 0 and table[entry, EFFORT] >= ASSUMED:
                # Of this level: lower ones are proved once they have been left.
                table[entry, EFFORT] |= READ
                answer = stack[depth - 1, F_AGAIN]
            else:
                if depth >= len(stack):
                    progress[DEPTH] = depth - 1
                    return TOO_LONG
                frame = stack[depth]
                codes = frame[codes_at:targets_at]
                count = expand(tables, state, work, frame[starts_at:codes_at], frame[targets_at:], codes)
                if level:
                    if progress[TRAIL] == len(trail):
                        return FULL
                    if entry < 0:
                        entry = claim(table, state, lowest, highest, progress)
                    frame[F_TRAIL] = -1
                    if depth > 0 and (state ^ stack[depth - 1, F_STATE]) & level == 0:
                        frame[F_AGAIN] = stack[depth - 1, F_AGAIN]
                    else:
                        frame[F_AGAIN] = 1 if lowest - 1 - work[len(work) - 1] >= bound else 0
                        frame[F_TRAIL], frame[F_WRONG] = progress[TRAIL], progress[WRONG]
                        progress[WRONG] = 0
                    table[entry, EFFORT] = ASSUMED
                    trail[progress[TRAIL]] = entry
                    progress[TRAIL] += 1
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
            entry = claim(table, here, lowest, highest, progress)
        if done == wanted:
            best = frame[order_at + frame[F_PLACE]]
            table[entry, ACTION] = best
            history[mover * half + frame[codes_at + best]] += 1
        if level:
            assumed = done == frame[F_AGAIN]
            if not assumed:
                progress[WRONG] += table[entry, EFFORT] & READ
                table[entry, EFFORT] = FIXED
            if frame[F_TRAIL] >= 0:
                if not _close_level(table, frame, bound, trail, progress) and assumed:
                    # Each time something is found, so with all that is found in the table this ends.
                    progress[AGAIN] += 1
                    if progress[AGAIN] > len(trail):
                        return FULL
                    state, answer = here, -2
                    continue
            elif assumed:
                answer = done
                continue
        _note(table, entry, done, bound)
        if not level:
            table[entry, EFFORT] += progress[NODES] - frame[F_NODES]
        answer = done
