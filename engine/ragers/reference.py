"""The whole match in plain Python: immutable states, chance as explicit draws, one function per rule.

This is the specification as code. The kernels must agree with it move by move; nothing here is fast.

A match is walked with `deciders`, `legal_actions` / `chance_outcomes` and `step`. Both players' choices of
one node are passed together, as a pair with `NOTHING` for a player who does not decide. `start_day`
begins a single day with given decks and hands instead.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import IntEnum

import msgspec

from engine.protocol import CHANCE as CHANCE
from engine.protocol import OVER, SIMULTANEOUS
from engine.protocol import IllegalMove as IllegalMove
from engine.ragers.reference_row import DayResult, Slot, hidden_slot, reveal, score_day, top_icon
from engine.ragers.rules import DEADEYE, NUM_TYPES, STOPPER, TYPES, VETERAN, Rules

NOTHING = NUM_TYPES
"""The action of keeping the hand (M2), and the stand-in of a player who does not decide."""

Counts = tuple[int, ...]
"""A multiset of cards: how many of each type."""


class Phase(IntEnum):
    """What comes next once every hand is refilled."""

    PATRON = 0  # a patron is revealed (M2)
    CHEERS = 1  # a cheers card is revealed (M2)
    PREPARE = 2  # each player may discard (M2)
    PLACE = 3  # a step begins: each player places a card in its row (K1)
    VETERAN = 4  # further cards on top of Veterans (K8)
    DEADEYE = 5  # further cards face-down beside Deadeyes (K6); before VETERAN where they come at once (K9)
    OVER = 6


@dataclass(frozen=True)
class Player:
    """One player's side of the table.

    Attributes
    ----------
    hand, deck : cards held, cards still to draw (their order is unknown: a multiset, I1).
    row : finished slots, in order of placement.
    slot : the slot being resolved in this step, bottom to top.
    mark : the next card placed in the row stands under a Stopper's mark (K7).
    owes_hidden : a Deadeye of this step is still to be served (K6).
    discard : the card discarded in this day's preparation, None if kept (M2, public).
    score, cheers : GP so far, and the cheers cards taken (indices into `rules.cheers`).
    """

    hand: Counts
    deck: Counts
    row: tuple[Slot, ...] = ()
    slot: Slot = ()
    mark: bool = False
    owes_hidden: bool = False
    discard: int | None = None
    score: int = 0
    cheers: tuple[int, ...] = ()

    @property
    def row_length(self) -> int:
        """Slots used, face-down cards included (K2)."""
        return len(self.row) + bool(self.slot)


@dataclass(frozen=True)
class State:
    """A state of the match; see `Phase` for when it stands where.

    Attributes
    ----------
    players : player 0 (Accusers) and player 1 (Defenders).
    day : days finished.
    patron : index into `rules.patrons` of this day's patron, None before one is revealed.
    patrons_left, cheers_left : indices not revealed yet.
    cheers_table : indices of the cheers cards on the table, in the order of `rules.cheers`.
    results : what each finished day brought.
    """

    rules: Rules = field(repr=False, hash=False)
    players: tuple[Player, Player]
    phase: Phase
    day: int
    patron: int | None
    patrons_left: tuple[int, ...]
    cheers_left: tuple[int, ...]
    cheers_table: tuple[int, ...] = ()
    results: tuple[DayResult, ...] = ()


# -- beginnings ---------------------------------------------------------------------------------------


def start_match(rules: Rules) -> State:
    """The state before the first hands are drawn (M1): the draws are chance nodes."""
    empty = (0,) * NUM_TYPES
    players = tuple(Player(empty, tuple(card.copies[side] for card in rules.cards)) for side in (0, 1))
    return _advance(
        State(
            rules,
            (players[0], players[1]),
            Phase.PATRON,
            0,
            None,
            tuple(range(len(rules.patrons))),
            tuple(range(len(rules.cheers))),
        )
    )


def start_day(
    rules: Rules,
    patron_id: str,
    cheers_ids: Sequence[str] = (),
    *,
    preparation: bool = True,
    decks: tuple[Sequence[int], Sequence[int]] | None = None,
    hands: tuple[Sequence[int], Sequence[int]] | None = None,
) -> State:
    """A single day under a given patron and given cheers cards: over once that day is scored.

    The day's GP are the `scores` of the final state, details in `results[0]`. The state's rules are the
    given ones with one day, and without discards if `preparation` is off.

    Parameters
    ----------
    decks : `[2][8]` cards to draw from, default the full decks (M1).
    hands : `[2][8]` cards held already, default none: hands are then dealt from the decks by chance.
    """
    patron = [index for index, card in enumerate(rules.patrons) if card.id == patron_id]
    cheers = sorted(index for index, card in enumerate(rules.cheers) if card.id in cheers_ids)
    if not patron or len(cheers) != len(cheers_ids):
        raise ValueError(f"no such patron or cheers card: {patron_id!r}, {list(cheers_ids)!r}")
    match = msgspec.structs.replace(rules.match, days=1, discards=rules.match.discards if preparation else 0)
    players = []
    for side in (0, 1):
        deck = tuple(decks[side]) if decks else tuple(card.copies[side] for card in rules.cards)
        hand = tuple(hands[side]) if hands else (0,) * NUM_TYPES
        players.append(Player(hand, deck))
    return _advance(
        State(
            msgspec.structs.replace(rules, match=match),
            (players[0], players[1]),
            Phase.PREPARE,
            0,
            patron[0],
            (),
            (),
            tuple(cheers),
        )
    )


# -- who decides, and what is allowed -----------------------------------------------------------------


def is_over(state: State) -> bool:
    """Whether the match (or the single day) has ended."""
    return state.phase == Phase.OVER


def deciders(state: State) -> tuple[int, ...]:
    """Who decides now: `()` when over, `(CHANCE,)`, `(0,)`, `(1,)`, or `(0, 1)` for both at once."""
    if state.phase == Phase.OVER:
        return ()
    if drawing(state) is not None or state.phase in (Phase.PATRON, Phase.CHEERS):
        return (CHANCE,)
    return tuple(player for player in (0, 1) if _acts(state, player))


def decider(state: State) -> int:
    """Who decides now: a player, `CHANCE`, `OVER`, or `SIMULTANEOUS` for both at once."""
    who = deciders(state)
    return OVER if not who else who[0] if len(who) == 1 else SIMULTANEOUS


def drawing(state: State) -> int | None:
    """The player who draws a card now, None if no hand is to be refilled (K1, M2, M4)."""
    for index, player in enumerate(state.players):
        if sum(player.hand) < state.rules.match.hand_size and sum(player.deck) > 0:
            return index
    return None


def placeable(state: State, player: int) -> tuple[int, ...]:
    """Types the player holds and may place in any way under this day's patron (K3)."""
    assert state.patron is not None
    forbidden = state.rules.patrons[state.patron].forbidden
    hand = state.players[player].hand
    return tuple(card for card in range(NUM_TYPES) if hand[card] and TYPES[card] not in forbidden)


def row_limit(state: State) -> int:
    """Slots that end this day's combat (K2)."""
    assert state.patron is not None
    limit = state.rules.patrons[state.patron].row_length
    return state.rules.match.row_length if limit is None else limit


def legal_actions(state: State, player: int) -> tuple[int, ...]:
    """What the player may do now, in ascending order; empty if it does not decide.

    An action is the type discarded or placed; `NOTHING` keeps the hand in the preparation (M2).
    """
    if player not in deciders(state):
        return ()
    if state.phase == Phase.PREPARE:
        hand = state.players[player].hand
        return (*(card for card in range(NUM_TYPES) if hand[card]), NOTHING)
    return placeable(state, player)


def legal_moves(state: State) -> tuple[tuple[int, int], ...]:
    """All that `step` takes of players: pairs of actions, `NOTHING` for who does not decide."""
    who = deciders(state)
    if not who or CHANCE in who:
        return ()
    first, second = (legal_actions(state, p) if p in who else (NOTHING,) for p in (0, 1))
    return tuple((a, b) for a in first for b in second)


def chance_outcomes(state: State) -> list[tuple[int, int]]:
    """Outcomes of a chance node with integer weights: drawn types, or indices of patrons or cheers cards."""
    if deciders(state) != (CHANCE,):
        return []
    player = drawing(state)
    if player is not None:
        deck = state.players[player].deck
        return [(card, deck[card]) for card in range(NUM_TYPES) if deck[card]]
    left = state.patrons_left if state.phase == Phase.PATRON else state.cheers_left
    return [(index, 1) for index in left]


def _acts(state: State, player: int) -> bool:
    """Whether this player decides in this phase, hands being refilled."""
    own = state.players[player]
    if state.phase == Phase.PREPARE:
        return state.rules.match.discards > 0 and sum(own.hand) > 0
    wanted = {
        Phase.PLACE: True,
        Phase.VETERAN: top_icon(own.slot) == VETERAN,
        Phase.DEADEYE: own.owes_hidden,
    }
    return wanted[state.phase] and bool(placeable(state, player))


# -- moves --------------------------------------------------------------------------------------------


def step(state: State, move: tuple[int, int] | int) -> State:
    """The state after a chance outcome (an int) or both players' actions (a pair, see `NOTHING`)."""
    if isinstance(move, int):
        return _step_chance(state, move)
    who = deciders(state)
    for player in (0, 1):
        allowed = legal_actions(state, player) if player in who else (NOTHING,)
        if CHANCE in who or not who or move[player] not in allowed:
            raise IllegalMove(f"{move!r} in phase {state.phase.name}, deciders {who}")
    cards = (
        None if move[0] == NOTHING else move[0],
        None if move[1] == NOTHING else move[1],
    )
    if state.phase == Phase.PREPARE:
        return _advance(_discard(state, cards))
    if state.phase == Phase.DEADEYE:
        return _advance(_place_hidden(state, cards))
    return _advance(_place(state, cards))


def _step_chance(state: State, outcome: int) -> State:
    if outcome not in dict(chance_outcomes(state)):
        raise IllegalMove(f"chance outcome {outcome} in phase {state.phase.name}")
    player = drawing(state)
    if player is not None:
        own = state.players[player]
        own = replace(own, hand=_add(own.hand, outcome, 1), deck=_add(own.deck, outcome, -1))
        return _advance(_with_player(state, player, own))
    if state.phase == Phase.PATRON:
        left = tuple(index for index in state.patrons_left if index != outcome)
        return _advance(replace(state, patron=outcome, patrons_left=left, phase=Phase.CHEERS))
    left = tuple(index for index in state.cheers_left if index != outcome)
    table = tuple(sorted((*state.cheers_table, outcome)))
    return _advance(replace(state, cheers_left=left, cheers_table=table, phase=Phase.PREPARE))


def _discard(state: State, cards: tuple[int | None, int | None]) -> State:
    """Both discards at once, seen by both (M2)."""
    for player, card in enumerate(cards):
        own = replace(state.players[player], discard=card)
        if card is not None:
            own = replace(own, hand=_add(own.hand, card, -1))
        state = _with_player(state, player, own)
    return replace(state, phase=Phase.PLACE)


def _place(state: State, cards: tuple[int | None, int | None]) -> State:
    """Cards placed in the rows (K1) or on top of Veterans (K8), revealed and resolved against each other.

    A mark is used by the card in the row or lapses, so none is left for a card on top (K7).
    The reveal comes before the refills here, which nobody can tell apart: no choice lies between.
    """
    marks = (state.players[0].mark, state.players[1].mark)
    slots = reveal(cards, (state.players[0].slot, state.players[1].slot), marks)
    for player, card in enumerate(cards):
        own = replace(state.players[player], slot=slots[player], mark=False)
        if card is not None:
            owes = state.rules.hides_at_once and top_icon(own.slot) == DEADEYE
            owes = owes and own.row_length < row_limit(state)
            own = replace(own, hand=_add(own.hand, card, -1), owes_hidden=owes)
        state = _with_player(state, player, own)
    return replace(state, phase=Phase.DEADEYE if state.rules.hides_at_once else Phase.VETERAN)


def _finish_slots(state: State) -> State:
    """No further card goes on top: slots join the rows, Stoppers mark, Deadeyes ask (K6, K7, K9).

    Deadeyes that are served at once have asked before.
    """
    limit = row_limit(state)
    for player, own in enumerate(state.players):
        if own.slot:
            icon = top_icon(own.slot)
            row = (*own.row, own.slot)
            owes = icon == DEADEYE and len(row) < limit and not state.rules.hides_at_once
            own = replace(own, row=row, slot=(), mark=icon == STOPPER, owes_hidden=owes)
            state = _with_player(state, player, own)
    return replace(state, phase=Phase.PLACE if state.rules.hides_at_once else Phase.DEADEYE)


def _place_hidden(state: State, cards: tuple[int | None, int | None]) -> State:
    """Both players' further cards beside their Deadeyes, at once (K6)."""
    for player, card in enumerate(cards):
        own = state.players[player]
        if card is not None:
            own = replace(own, hand=_add(own.hand, card, -1), row=(*own.row, hidden_slot(card)))
        state = _with_player(state, player, own)
    return _end_step(state)


def _end_step(state: State) -> State:
    """All Deadeyes are served: the step is over, or Veterans go on (K9)."""
    for player, own in enumerate(state.players):
        state = _with_player(state, player, replace(own, owes_hidden=False))
    return replace(state, phase=Phase.VETERAN if state.rules.hides_at_once else Phase.PLACE)


def _advance(state: State) -> State:
    """Carry out everything that nobody decides, up to the next decision, draw or reveal."""
    while state.phase != Phase.OVER and drawing(state) is None:
        if state.phase == Phase.PATRON or (state.phase == Phase.CHEERS and state.cheers_left):
            return state
        if state.phase == Phase.CHEERS:
            state = replace(state, phase=Phase.PREPARE)
            continue
        if state.phase == Phase.PLACE and any(p.row_length >= row_limit(state) for p in state.players):
            state = _end_day(state)
        elif _acts(state, 0) or _acts(state, 1):
            return state
        elif state.phase == Phase.PREPARE:
            state = replace(state, phase=Phase.PLACE)
        elif state.phase == Phase.PLACE:  # neither holds anything placeable (K3)
            state = _end_day(state)
        elif state.phase == Phase.VETERAN:
            state = _finish_slots(state)
        else:
            state = _end_step(state)
    return state


# -- days and the match -------------------------------------------------------------------------------


def _end_day(state: State) -> State:
    """Score the day, clear the rows, and end the match or begin the next day (M1, M3, S1-S3)."""
    rules = state.rules
    result = score_day(rules, (state.players[0].row, state.players[1].row), state.cheers_table)
    for player, own in enumerate(state.players):
        own = replace(
            own,
            row=(),
            mark=False,
            discard=None,
            score=own.score + result.gp[player],
            cheers=(*own.cheers, *result.taken[player]),
        )
        state = _with_player(state, player, own)
    gone = {*result.taken[0], *result.taken[1], *result.removed}
    state = replace(
        state,
        day=state.day + 1,
        patron=None,
        cheers_table=tuple(index for index in state.cheers_table if index not in gone),
        results=(*state.results, result),
    )
    lead = abs(state.players[0].score - state.players[1].score)
    over = state.day == rules.match.days or lead >= rules.match.winning_lead
    return replace(state, phase=Phase.OVER if over else Phase.PATRON)


def scores(state: State) -> tuple[int, int]:
    """GP of both players so far."""
    return state.players[0].score, state.players[1].score


def winner(state: State) -> int:
    """Who has won a finished match: more GP, then cheers cards, then cards to draw, then player 1 (M3)."""
    if not is_over(state):
        raise ValueError("the match is not over")
    standing = [(own.score, len(own.cheers), sum(own.deck)) for own in state.players]
    return 0 if standing[0] > standing[1] else 1


# -- what a player knows ------------------------------------------------------------------------------


def payoffs(state: State) -> tuple[float, float]:
    """What a finished match pays: 1 to the winner, -1 to the other (M4)."""
    return (1.0, -1.0) if winner(state) == 0 else (-1.0, 1.0)


def observe(state: State, player: int | None) -> tuple[object, ...]:
    """Everything the player, or with None everybody, sees in this state, hashable (I1).

    Along a path the sequence of these is its information: hidden cards and hands of the other player and
    the contents of its deck are left out; negated cards and discards are seen.
    """
    table = (state.patron, state.patrons_left, state.cheers_left, state.cheers_table)
    public = (state.phase, state.day, *table, deciders(state))
    sides = tuple(
        (
            tuple(_seen(slot, index == player) for slot in own.row),
            _seen(own.slot, True),
            own.mark,
            own.owes_hidden,
            own.discard,
            own.score,
            own.cheers,
            sum(own.hand),
            sum(own.deck),
        )
        for index, own in enumerate(state.players)
    )
    return (*public, sides, () if player is None else state.players[player].hand)


def _seen(slot: Slot, is_own: bool) -> tuple[object, ...]:
    """A slot as seen by its owner or by the other player."""
    return tuple("hidden" if card.hidden and not is_own else card for card in slot)


# -- small helpers ------------------------------------------------------------------------------------


def _add(counts: Counts, card: int, change: int) -> Counts:
    return (*counts[:card], counts[card] + change, *counts[card + 1 :])


def _with_player(state: State, index: int, player: Player) -> State:
    players = (player, state.players[1]) if index == 0 else (state.players[0], player)
    return replace(state, players=players)
