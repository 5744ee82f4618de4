"""What actions and responses do: costs, attacks, effects one by one, and who is destroyed."""

from __future__ import annotations

from engine.ophidian.abilities import ON_CHARACTERS, STATS, Ability, Do
from engine.ophidian.reference_state import (
    FIELD_NUMBERS,
    MAX_CHANGE,
    NUM_CHANGES,
    NUM_COLUMNS,
    PREVENT,
    TIMES,
    Action,
    Fighter,
    Kind,
    Phase,
    State,
    amount,
    changed,
    cheered,
    clipped,
    holds,
    is_alive,
    number,
    rule_of,
    with_fighter,
    with_holding,
    with_team,
)
from engine.ophidian.rules_schema import MAX_RESOURCES
from engine.records import replace

# -- changes and wounds -------------------------------------------------------------------------------


def change(fighter: Fighter, time: int, column: int, value: int) -> Fighter:
    """Add to a number for a time."""
    values = list(fighter.changes or (0,) * NUM_CHANGES)
    place = time * NUM_COLUMNS + column
    values[place] = max(-MAX_CHANGE, min(values[place] + value, MAX_CHANGE))
    return fighter._replace(changes=tuple(values) if any(values) else ())


def expired(state: State, *times: int) -> State:
    """Changes that have lasted so long are over; whoever lived by one is destroyed."""
    for player, team in enumerate(state.teams):
        for index, fighter in enumerate(team):
            if fighter.changes:
                values = list(fighter.changes)
                for time in times:
                    values[time * NUM_COLUMNS : (time + 1) * NUM_COLUMNS] = [0] * NUM_COLUMNS
                kept = tuple(values) if any(values) else ()
                state = with_fighter(state, player, index, fighter._replace(changes=kept))
    return buried(state)


def hurt(state: State, player: int, index: int, damage: int) -> State:
    """Wound a Character, less what is prevented; who is destroyed by it is for `buried` to see."""
    fighter = state.teams[player][index]
    stopped = min(damage, max(0, changed(fighter, PREVENT)))
    if stopped:
        fighter = change(fighter, TIMES.index("action"), PREVENT, -stopped)
    wounds = min(fighter.wounds + damage - stopped, number(state, player, fighter, "life"))
    return with_fighter(state, player, index, fighter._replace(wounds=max(wounds, fighter.wounds)))


def buried(state: State) -> State:
    """Whoever has wounds like its life is destroyed (R3)."""
    for player, team in enumerate(state.teams):
        state = with_team(state, player, [clipped(state.rules, each) for each in team])
    return state


def destroyed(state: State, player: int, index: int) -> State:
    """Destroy a Character, whatever its wounds."""
    fighter = state.teams[player][index]._replace(pumps=(), changes=())
    life = number(state, player, fighter, "life")
    return with_fighter(state, player, index, clipped(state.rules, fighter._replace(wounds=life)))


def swept(state: State) -> State:
    """Destroyed minions leave the table (R3)."""
    for player, team in enumerate(state.teams):
        state = with_team(
            state, player, [each for each in team if each.is_gladiator or is_alive(state.rules, each)]
        )
    return state


# -- an attack ----------------------------------------------------------------------------------------


def struck(state: State, action: Action) -> State:
    """Damage on both sides at once, rage effects, cheer (A4-A7, R2)."""
    rules, player, other = state.rules, action.player, 1 - action.player
    attacker, defender = state.teams[player][action.who], state.teams[other][action.hit]
    if not (is_alive(rules, attacker) and is_alive(rules, defender)):
        return state
    direct = action.by == Kind.TAKE
    damage = number(state, player, attacker, "attack") - number(state, other, defender, "shield")
    back = 0
    if direct or rules.combat.stand_in_defends:
        back = number(state, other, defender, "defence")
    if direct and action.enraged:
        back += number(state, other, defender, "rage_damage")
    state = hurt(state, player, action.who, back)
    state = hurt(state, other, action.hit, max(0, damage))
    state = buried(state)
    defender = state.teams[other][action.hit]
    if direct and action.roused and is_alive(rules, defender):
        state = with_fighter(state, other, action.hit, defender._replace(is_set=False))
    if not attacker.is_gladiator:
        return state
    gains = other if action.by == Kind.INTERCEPT else player
    return replace(state, cheer=cheered(state, gains, 1))


# -- costs and effects --------------------------------------------------------------------------------


def ability_of_action(state: State, action: Action) -> Ability | None:
    """The ability that an action or a response carries out; None for attacks, moves, minions and pumps."""
    if action.kind in (Kind.ABILITY, Kind.REACT):
        # A minion may be gone by then, but its place is kept until the action has ended.
        return rule_of(state.rules, state.teams[action.player][action.who]).abilities[action.card]
    if action.kind in (Kind.PLAY, Kind.REPLY):
        rule = state.rules.cards[action.card]
        return rule.abilities[0] if rule.type == "quick-hit" else None
    return None


def paid(state: State, action: Action) -> State:
    """Pay what an action or a response costs, except cards to discard (P1)."""
    player, holding = action.player, state.holdings[action.player]
    if action.kind in (Kind.PLAY, Kind.REPLY):
        hand = list(holding.hand)
        hand.remove(action.card)
        cost = state.rules.cards[action.card].cost
        holding = holding._replace(hand=tuple(hand), resources=holding.resources - cost)
        state = replace(with_holding(state, player, holding), past=())
    ability = ability_of_action(state, action)
    if ability is None:
        return state
    cost_of = ability.cost
    holding = holding._replace(resources=holding.resources - cost_of.resources)
    state = with_holding(state, player, holding)
    state = replace(state, cheer=cheered(state, player, -cost_of.cheer))
    if cost_of.set:
        fighter = state.teams[player][action.who]
        state = with_fighter(state, player, action.who, fighter._replace(is_set=True))
    if cost_of.wound:
        state = buried(hurt(state, player, action.who, cost_of.wound))
    if cost_of.destroy:
        state = destroyed(state, player, action.who)
    return state


def carried_out(state: State, action: Action, ability: Ability, do: Do) -> State:
    """Do one thing of an ability; to draw and to discard are left to be done."""
    if do.act in ON_CHARACTERS:
        return _on_character(state, action, ability, do)
    player = action.player
    if not holds(state, player, _source(state, action), do.condition, action.die):
        return state
    if do.act == "become":
        main = state.action
        assert main is not None
        return replace(state, action=main._replace(positive=do.sign == "+"))
    much = action.die if do.amount == "die" else amount(state, player, None, ability, do.amount)
    whom = 1 - player if do.enemy else player
    if do.act == "cheer":
        return replace(state, cheer=cheered(state, whom, much))
    if do.act == "steal_cheer":
        stolen = min(much, state.cheer[1 - player])
        state = replace(state, cheer=cheered(state, 1 - player, -stolen))
        return replace(state, cheer=cheered(state, player, stolen))
    if do.act == "resources":
        holding = state.holdings[whom]
        resources = min(holding.resources + much, MAX_RESOURCES)
        return with_holding(state, whom, holding._replace(resources=resources))
    if do.act == "draw":
        return replace(state, phase=Phase.DRAW, turn=whom, left=much) if much else state
    assert do.act == "discard"
    much = min(much, len(state.holdings[whom].hand))
    return replace(state, phase=Phase.DISCARD, turn=whom, left=much) if much else state


def _source(state: State, action: Action) -> Fighter | None:
    """The card in play whose ability it is."""
    if action.kind in (Kind.ABILITY, Kind.REACT):
        return state.teams[action.player][action.who]
    return None


def _place(state: State, action: Action, on: str) -> tuple[int, int]:
    """The side and the place of the Character that something falls on."""
    if on == "target":
        return action.side, action.target
    if on == "source":
        return action.player, action.who
    main = state.action
    assert main is not None
    return (main.player, main.who) if on == "attacker" else (1 - main.player, main.hit)


def _on_character(state: State, action: Action, ability: Ability, do: Do) -> State:
    """What falls on a Character; nothing if it has left play."""
    side, index = _place(state, action, ability.on(do))
    fighter = state.teams[side][index]
    if not is_alive(state.rules, fighter):
        return state
    if not holds(state, action.player, fighter, do.condition, action.die):
        return state
    much = action.die if do.amount == "die" else amount(state, action.player, fighter, ability, do.amount)
    return buried(on_fighter(state, action.player, side, index, ability, do, much))


def on_fighter(
    state: State, player: int, side: int, index: int, ability: Ability, do: Do, much: int
) -> State:
    """Carry out one thing on a Character that is there; who is destroyed by it is for `buried` to see."""
    fighter = state.teams[side][index]
    if do.act == "damage":
        shield = number(state, side, fighter, "shield") if do.type == "attack" else 0
        return hurt(state, side, index, max(0, much - shield))
    if do.act == "destroy":
        return destroyed(state, side, index)
    if do.act == "heal":
        fighter = fighter._replace(wounds=max(0, fighter.wounds - much))
    elif do.act in ("set", "unset"):
        fighter = fighter._replace(is_set=do.act == "set")
    elif do.act == "move":
        fighter = fighter._replace(field=FIELD_NUMBERS[do.field])
    elif do.act == "prevent":
        fighter = change(fighter, TIMES.index("action"), PREVENT, much)
    else:
        assert do.act == "modify"
        lasts = ability.duration
        time = TIMES.index(f"until-{player}" if lasts == "until_momentum" else lasts)
        fighter = change(fighter, time, STATS.index(do.stat), much)
    return with_fighter(state, side, index, fighter)
