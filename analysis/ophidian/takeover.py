"""Where cards no longer matter, the rest of the last wave is proved, and nobody has to guess."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec import structs

from analysis.ophidian.proving import Fight
from engine.ophidian.abilities import If
from engine.ophidian.reference import step
from engine.ophidian.reference_moves import moves
from engine.ophidian.reference_state import (
    Action,
    Fighter,
    Move,
    Phase,
    State,
    is_alive,
    meets,
    number,
    rule_of,
)
from engine.ophidian.rules import NUM_LEVELS, GladiatorRule, Rules
from engine.ophidian.rules_schema import NUMBERS
from engine.ophidian.wave_codec import Objective

__all__ = ["best_move", "fight_of", "unseen_cards"]

_PHASES = (Phase.ACT, Phase.STAND_IN, Phase.ROAR)


def unseen_cards(state: State, player: int) -> tuple[int, ...]:
    """Copies by card of what the other one holds or may draw, as the player knows them."""
    holding = state.holdings[1 - player]
    copies = list(holding.deck)
    for card in (*holding.hand, *holding.bottom):
        copies[card] += 1
    return tuple(copies)


def fight_of(state: State, player: int) -> State | None:
    """Return the rest of the last wave as a fight without cards, None where cards may still matter.

    The player can tell: of its own cards, and of all that the other one may hold, none can be played any
    more in this wave; nobody in play has an ability that could work, and nobody but gladiators is there.
    """
    rules = state.rules
    last = state.wave >= rules.match.waves
    if state.phase not in _PHASES or not last or not state.holdings:
        return None
    if rules.combat.roar_window != "resolved":
        # Fights without cards have no other window.
        return None
    for team in state.teams:
        if len(team) > rules.match.team_size or not all(each.is_gladiator for each in team):
            return None
        if any(each.changes for each in team):
            return None
        if any(rule_of(rules, each).abilities for each in team if is_alive(rules, each)):
            return None
    pumps = {card for team in state.teams for each in team for _, card in each.pumps}
    if any(not _is_plain(rules, card) for card in pumps):
        return None
    own = state.holdings[player].hand
    other = [card for card, copies in enumerate(unseen_cards(state, player)) if copies]
    if any(_may_play(state, player, card) for card in own):
        return None
    if any(_may_play(state, 1 - player, card) for card in other):
        return None
    return _without_cards(state)


def _is_plain(rules: Rules, card: int) -> bool:
    """Whether a pump adds fixed numbers, whatever happens."""
    return all(
        ability.when == "breather"
        or (
            ability.condition == If()
            and all(
                isinstance(do.amount, int) and do.stat != "rage_damage" and do.condition == If()
                for do in ability.do
            )
        )
        for ability in rules.cards[card].abilities
    )


def _may_play(state: State, player: int, card: int) -> bool:
    """Whether a player could play a card in this wave: resources only fall, nobody is promoted."""
    rule = state.rules.cards[card]
    return rule.cost <= state.holdings[player].resources and meets(state, player, rule)


def _without_cards(state: State) -> State:
    """The same position, each gladiator with its numbers as they are now."""
    rules = state.rules
    known: list[GladiatorRule] = []
    teams: list[tuple[Fighter, ...]] = []
    for player, team in enumerate(state.teams):
        fighters = []
        for index, fighter in enumerate(team):
            rule = rules.gladiators[fighter.gladiator]
            numbers = {stat: (number(state, player, fighter, stat),) * NUM_LEVELS for stat in NUMBERS}
            known.append(structs.replace(rule, id=f"{rule.id}-{player}-{index}", **numbers))
            fighters.append(Fighter(len(known) - 1, 0, fighter.wounds, fighter.field, fighter.is_set))
        teams.append(tuple(fighters))
    plain = structs.replace(rules, gladiators=tuple(known), provenance={})
    action = state.action
    if action is not None:
        action = Action(
            action.kind,
            action.player,
            action.who,
            action.target,
            positive=action.positive,
            enraged=action.enraged,
            roused=action.roused,
            hit=action.hit,
        )
    return State(
        plain,
        (teams[0], teams[1]),
        cheer=state.cheer,
        momentum=state.momentum,
        turn=state.turn,
        passes=state.passes,
        wave=state.wave,
        phase=state.phase,
        action=action,
    )


def best_move(
    state: State,
    fight: State,
    memory: int = 1 << 26,
    time_limit_s: float | None = None,
    stopped: Callable[[], bool] = lambda: False,
) -> Move | None:
    """Return a proved best move of whoever decides in a fight, None if there was no time for a proof."""
    search = Fight(fight, Objective.POINTS, memory, time_limit_s, stopped).after(*_past(state, fight))
    sign = -1 if fight.turn else 1
    best, most = None, 0
    for move in moves(fight):
        value = _worth(search, fight, move)
        if value is None:
            return None
        if best is None or sign * value > most:
            best, most = move, sign * value
    # Cards that cannot be played are no moves, so both positions have the same.
    assert best is None or best in tuple(moves(state))
    return best


def _past(state: State, fight: State) -> Iterator[State]:
    """The positions to which the wave has come, so that it ends where it comes to them again (W7)."""
    resources = tuple(each.resources for each in state.holdings)
    for past in state.past:
        if past.resources == resources:
            first, second = (
                tuple(
                    one._replace(wounds=other.wounds, field=other.field, is_set=other.is_set)
                    for one, other in zip(*teams, strict=True)
                )
                for teams in zip(fight.teams, past.teams, strict=True)
            )
            yield State(
                fight.rules,
                (first, second),
                past.cheer,
                past.momentum,
                past.momentum,
                past.passes,
                fight.wave,
                Phase.ACT,
            )


def _worth(search: Fight, fight: State, move: Move) -> int | None:
    """What a move is worth for player 0 once all answers to it are the best."""
    after = step(fight, move)
    values = []
    for outcome in search.outcomes(after):
        bounds = search.search.value(outcome.word)
        if not bounds.exact:
            return None
        values.append(bounds.low)
    # Whoever is asked next chooses among what comes of it: a stand-in, a roar.
    return max(values) if after.turn == 0 else min(values)
