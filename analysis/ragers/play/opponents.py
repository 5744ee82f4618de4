"""Opponents to play against. Each is told only what its player sees, and is named for what it does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Protocol

import msgspec

from analysis.ragers.answers import library
from analysis.ragers.answers.answer import Answer, HandStrategy
from analysis.ragers.naive import greedy_attack, greedy_hidden
from analysis.ragers.play.views import View
from analysis.ragers.scenarios import Scenario
from engine.ragers.isomorphism import relabelling
from engine.ragers.reference import (
    CHANCE,
    NOTHING,
    Counts,
    Phase,
    Player,
    State,
    chance_outcomes,
    deciders,
    is_over,
    legal_actions,
    scores,
    step,
)
from engine.ragers.reference_row import Slot, hidden_slot
from engine.ragers.rules import NUM_TYPES


class Opponent(Protocol):
    """A way of playing; `name` says what it is."""

    name: str

    def choose(self, view: View, random: Random) -> int:
        """Return one of the player's legal actions."""


class Uniform:
    """Any legal action, each as likely."""

    name = "random: any legal card, each as likely"

    def choose(self, view: View, random: Random) -> int:
        """Return any of the legal actions."""
        return random.choice(legal_actions(view.state, view.player))


class Greedy:
    """The attack held most (`analysis.ragers.naive`); keeps its hand; hides what is worth least."""

    name = "greedy: places the attack it holds most of, discards nothing, hides its cheapest card"

    def choose(self, view: View, random: Random) -> int:
        """Return a legal action."""
        state, player = view.state, view.player
        legal = legal_actions(state, player)
        if state.phase == Phase.PREPARE:
            return NOTHING
        if state.phase == Phase.DEADEYE:
            return random.choice(greedy_hidden(legal, state.rules))
        hand = state.players[player].hand
        return random.choice(greedy_attack(hand, legal, state.rules))


class Rollouts:
    """The action that does best against uniform play in random playouts of the day: roughly a best response.

    Unseen cards are dealt at random for every playout, as if the other player's moves told nothing of its
    hand, and both play any legal card after the action tried. So it is a best response to uniform play only
    in the limit of many playouts, one move deep, and under that simplification.

    Parameters
    ----------
    playouts : for each action.
    """

    def __init__(self, playouts: int) -> None:
        self.playouts = playouts
        self.name = (
            f"rollouts: the card that does best in {playouts} random playouts of the day (about a best"
            " reply to uniform play)"
        )

    def choose(self, view: View, random: Random) -> int:
        """Return the action with the best mean."""
        means = self.means(view, random)
        best = max(means.values())
        return next(action for action, mean in means.items() if mean == best)

    def means(self, view: View, random: Random) -> dict[int, float]:
        """Return the mean GP on balance of the day after each legal action."""
        if len(legal := legal_actions(view.state, view.player)) == 1:
            return {legal[0]: 0.0}
        return {action: sum(won) / len(won) for action, won in self.gains(view, random).items()}

    def gains(self, view: View, random: Random) -> dict[int, list[int]]:
        """Return the GP on balance of the day after each legal action, by playouts of the same deals."""
        legal = legal_actions(view.state, view.player)
        gains: dict[int, list[int]] = {action: [] for action in legal}
        before = scores(view.state)
        for _ in range(self.playouts):
            dealt = deal_unseen(view, random)
            for action in legal:
                end = _play_out(dealt, view.player, action, random)
                gained = [after - start for after, start in zip(scores(end), before, strict=True)]
                gains[action].append(gained[view.player] - gained[1 - view.player])
        return gains


class StoredOpening:
    """The opening of a stored solution where there is one, and another opponent for the rest.

    Stored solutions are of single days from full decks, with an exchange that the other player does not see;
    in the game it is seen. They hold the exchange and the first placement only.
    """

    def __init__(self, otherwise: Opponent) -> None:
        self.otherwise = otherwise
        self.name = (
            f"stored: opens the first day by the stored solution, where there is one; then {otherwise.name}"
        )

    def choose(self, view: View, random: Random) -> int:
        """Return an action by the stored mix, or the other opponent's."""
        found = stored_mix(view)
        if found is None:
            return self.otherwise.choose(view, random)
        legal = legal_actions(view.state, view.player)
        return random.choices(legal, [max(0.0, found[action]) for action in legal])[0]


def opening_of(state: State) -> tuple[Scenario, str] | None:
    """Return the stored scenario that a state's decision belongs to, and what is decided; None without one.

    It is the first day, hands are those dealt from full decks, one cheers card lies on the table, and what is
    decided is the ``exchange`` or the ``opening``.
    """
    if state.day or state.patron is None or len(state.cheers_table) != 1 or len(deciders(state)) != 2:
        return None
    if any(own.row or own.slot for own in state.players):
        return None
    what = {Phase.PREPARE: "exchange", Phase.PLACE: "opening"}.get(state.phase)
    if what is None:
        return None
    discards = state.rules.match.discards > 0
    patron, cheers = state.rules.patrons[state.patron], state.rules.cheers[state.cheers_table[0]]
    return Scenario(state.rules, patron, cheers, "redraw" if discards else "none"), what


def stored_nash_conv(view: View) -> float | None:
    """Return how exact the stored solution for the decision of `view` is, in GP; None if there is none."""
    found = _stored_for(view)
    return None if found is None else found[2].nash_conv_gp


def stored_value(view: View) -> float | None:
    """Return what the day of `view` is worth to its player before cards are dealt, in GP; None if unknown."""
    found = _stored_for(view)
    if found is None:
        return None
    return found[2].value_gp if view.player == 0 else -found[2].value_gp


def stored_day(scenario: Scenario) -> tuple[HandStrategy, Answer] | None:
    """Return the stored openings for `scenario`, with the second step, and the answer that they are of."""
    return _stored(scenario, second=True)


def _stored(scenario: Scenario, *, second: bool = False) -> tuple[HandStrategy, Answer] | None:
    """Return the stored openings for `scenario`, and the answer that they are of."""
    others = [card for card in scenario.rules.cheers if card.id != scenario.cheers.id]
    allowances = {scenario.rules.match.discards}
    if scenario.preparation == "none":
        allowances = {0, 1}  # how many discards the rules allow means nothing where nobody discards
    for discards in sorted(allowances, reverse=True):
        match = msgspec.structs.replace(scenario.rules.match, discards=discards)
        target = replace(scenario, rules=msgspec.structs.replace(scenario.rules, match=match))
        for card in (target.cheers, *others):
            source = replace(target, cheers=card)
            types = relabelling(source.day, target.day)
            found = None if types is None else library.find(source)
            strategy = None if found is None else found.strategy()
            if found is not None and strategy is not None and types is not None:
                if second:
                    strategy = replace(strategy, second=library.second_step(source))
                return strategy.relabelled(types), found.entry.answer
    return None


def _stored_for(view: View) -> tuple[str, HandStrategy, Answer] | None:
    """What is decided at `view`, with the stored openings that decide it and their answer; None without."""
    opening = opening_of(view.state)
    found = None if opening is None else _stored(opening[0])
    return None if opening is None or found is None else (opening[1], *found)


def stored_mix(view: View) -> list[float] | None:
    """Return the stored mix over all actions for the decision of `view`; None if nothing is stored for it."""
    found = _stored_for(view)
    if found is None:
        return None
    what, strategy, _ = found
    row = strategy.index(view.state.players[view.player].hand)
    table = strategy.opening if what == "opening" else strategy.preparation_mix
    if row is None or table is None:
        return None
    mix: list[float] = table[view.player, row].tolist()
    legal = legal_actions(view.state, view.player)
    return mix if sum(max(0.0, mix[action]) for action in legal) > 0 else None


def stored_worth(view: View) -> list[float] | None:
    """Return the stored worth of each action (GP on balance, NaN where impossible), or None.

    That of the exchange is of one in which discards are unseen.
    """
    found, hand = _stored_for(view), view.state.players[view.player].hand
    row = None if found is None else found[1].index(hand)
    if found is None or row is None:
        return None
    what, strategy, _ = found
    if what == "opening":
        worth: list[float] = strategy.opening_ev[view.player, row].tolist()
        return worth
    if strategy.preparation_mix is None:
        return None
    from analysis.ragers.play.advice import exchange_worths

    copies = [rule.copies[view.player] for rule in view.state.rules.cards]
    return exchange_worths(strategy, view.player, hand, copies)


def deal_unseen(view: View, random: Random) -> State:
    """Return `view.state` with what the player cannot see dealt anew, each deal as likely as by chance."""
    state, player = view.state, view.player
    own, opp = state.players[player], state.players[1 - player]
    hidden = [number for number, slot in enumerate(opp.row) if slot[0].hidden]
    pool = [*_cards(opp.hand), *_cards(opp.deck), *_cards(view.buried[1 - player])]
    pool += [opp.row[number][0].printed for number in hidden]
    pool.sort()
    random.shuffle(pool)
    row: list[Slot] = list(opp.row)
    for number in hidden:
        row[number] = hidden_slot(pool.pop())
    size = sum(opp.hand)
    hand, deck = pool[:size], pool[size : size + sum(opp.deck)]
    dealt = replace(opp, hand=_counts(hand), deck=_counts(deck), row=tuple(row))
    players: tuple[Player, Player] = (own, dealt) if player == 0 else (dealt, own)
    return replace(state, players=players)


def _play_out(state: State, player: int, action: int, random: Random) -> State:
    """Return the end of the day after `action`, everything else at random."""
    day = state.day
    first = True
    while not is_over(state) and state.day == day:
        who = deciders(state)
        if who == (CHANCE,):
            outcomes = chance_outcomes(state)
            state = step(state, random.choices([o for o, _ in outcomes], [w for _, w in outcomes])[0])
            continue
        move = [NOTHING, NOTHING]
        for each in who:
            move[each] = random.choice(legal_actions(state, each))
        if first:
            move[player] = action
            first = False
        state = step(state, (move[0], move[1]))
    return state


def _cards(counts: Sequence[int]) -> list[int]:
    return [card for card, number in enumerate(counts) for _ in range(number)]


def _counts(cards: Sequence[int]) -> Counts:
    return tuple(cards.count(card) for card in range(NUM_TYPES))
