"""What actions and responses do on words: costs, attacks, effects one by one, and who is destroyed."""

from __future__ import annotations

from engine.jit import kernel_njit
from engine.ophidian import layout
from engine.ophidian.abilities import ACTS, DAMAGES, ONS, SIGNS
from engine.ophidian.kernel_plays import ABILITY, INTERCEPT, PLAY, REACT, REPLY, TAKE
from engine.ophidian.kernel_rules import UNTIL, KernelRules
from engine.ophidian.kernel_state import (
    ATTACK,
    DEFENCE,
    LIFE,
    RAGE_DAMAGE,
    SHIELD,
    Words,
    ability_at,
    amount,
    body_of,
    card_rules,
    change,
    changed,
    do_at,
    fighter_at,
    holds,
    is_alive,
    is_gladiator,
    number,
    printed,
    team_size,
    vital,
)
from engine.ophidian.reference_state import PREVENT, SUPPORT, TIMES, Phase
from engine.ophidian.rules_schema import CARD_KINDS, MAX_RESOURCES

_TIMES = len(TIMES)
_THIS_ACTION = TIMES.index("action")
_QUICK_HIT, _POSITIVE_SIGN = CARD_KINDS.index("quick-hit"), SIGNS.index("+")
_ATTACK_DAMAGE = DAMAGES.index("attack")
_ON_TARGET, _ON_SOURCE, _ON_ATTACKER, _ON_DEFENDER = (
    ONS.index(word) for word in ("target", "source", "attacker", "defender")
)
(
    _DAMAGE,
    _HEAL,
    _MODIFY,
    _SET_IT,
    _UNSET,
    _MOVE,
    _PREVENT_IT,
    _CHEER_UP,
    _STEAL,
    _DRAW,
    _DISCARD,
    _GAIN,
    _DESTROY,
    _BECOME,
    _,
) = range(len(ACTS))
_DRAW_PHASE, _DISCARD_PHASE = int(Phase.DRAW), int(Phase.DISCARD)


@kernel_njit
def clip(words: Words, rules: KernelRules, fighter: int) -> None:
    """Whoever has wounds like its life is destroyed, and has nothing on it (R3, P6). Modified in place."""
    if is_alive(words, rules, fighter):
        return
    words[fighter + layout.WOUNDS] = printed(words, rules, fighter, LIFE)
    words[fighter + layout.FIELD], words[fighter + layout.SET] = SUPPORT, 1
    for place in range(words[fighter + layout.PUMPS_SIZE]):
        words[fighter + layout.PUMPS + place] = 0
    words[fighter + layout.PUMPS_SIZE] = 0
    for place in range(_TIMES * layout.COLUMNS):
        words[fighter + layout.CHANGES + place] = layout.CHANGE_OFFSET


@kernel_njit
def bury(words: Words, rules: KernelRules) -> None:
    """All whose wounds are like their life are destroyed (R3). Modified in place: `words`."""
    for player in range(2):
        for index in range(team_size(words, player)):
            clip(words, rules, fighter_at(player, index))


@kernel_njit
def expire(words: Words, rules: KernelRules, first: int, last: int) -> None:
    """Changes of these times are over. Modified in place: `words`."""
    for player in range(2):
        for index in range(team_size(words, player)):
            fighter = fighter_at(player, index)
            for place in range(first * layout.COLUMNS, (last + 1) * layout.COLUMNS):
                words[fighter + layout.CHANGES + place] = layout.CHANGE_OFFSET
    bury(words, rules)


@kernel_njit
def hurt(words: Words, rules: KernelRules, fighter: int, damage: int) -> None:
    """Wound a Character, less what is prevented. Modified in place: `words`."""
    stopped = min(damage, max(0, changed(words, fighter, PREVENT)))
    if stopped:
        change(words, fighter, _THIS_ACTION, PREVENT, -stopped)
    before = int(words[fighter + layout.WOUNDS])
    total = min(before + damage - stopped, vital(words, rules, fighter, LIFE))
    words[fighter + layout.WOUNDS] = max(before, total)


@kernel_njit
def destroy(words: Words, rules: KernelRules, fighter: int) -> None:
    """Destroy a Character, whatever its wounds. Modified in place: `words`."""
    words[fighter + layout.WOUNDS] = 1 << 20
    clip(words, rules, fighter)


@kernel_njit
def sweep(words: Words, rules: KernelRules) -> None:
    """Destroyed minions leave the table (R3). Modified in place: `words`."""
    for player in range(2):
        kept = 0
        size = team_size(words, player)
        for index in range(size):
            fighter = fighter_at(player, index)
            if not (is_gladiator(words, fighter) or is_alive(words, rules, fighter)):
                continue
            if kept < index:
                there = fighter_at(player, kept)
                for word in range(layout.FIGHTER_WORDS):
                    words[there + word] = words[fighter + word]
            kept += 1
        for word in range(fighter_at(player, kept), fighter_at(player, size)):
            words[word] = 0
        words[player * layout.PLAYER_WORDS + layout.TEAM_SIZE] = kept


@kernel_njit
def cheer(words: Words, player: int, gained: int) -> None:
    """Add to a player's cheer; never below 0. Modified in place: `words`."""
    words[layout.CHEER + player] = max(0, words[layout.CHEER + player] + gained)


@kernel_njit
def forget_past(words: Words) -> None:
    """No position counts any more (W7). Modified in place: `words`."""
    for place in range(words[layout.PAST_SIZE]):
        words[layout.PAST + place] = 0
    words[layout.PAST_SIZE] = 0


@kernel_njit
def strike(words: Words, rules: KernelRules) -> None:
    """Damage on both sides at once, rage effects, cheer (A4-A7, R2). Modified in place: `words`."""
    player = int(words[layout.ACTION + layout.ACTOR])
    other = 1 - player
    attacker = fighter_at(player, int(words[layout.ACTION + layout.WHO]) - 1)
    defender = fighter_at(other, int(words[layout.ACTION + layout.HIT]) - 1)
    if not (is_alive(words, rules, attacker) and is_alive(words, rules, defender)):
        return
    direct = words[layout.ACTION + layout.BY] == TAKE
    damage = number(words, rules, player, attacker, ATTACK) - number(words, rules, other, defender, SHIELD)
    back = 0
    if direct or rules[layout.RULE_STAND_IN_DEFENDS]:
        back = number(words, rules, other, defender, DEFENCE)
    if direct and words[layout.ACTION + layout.ENRAGED]:
        back += number(words, rules, other, defender, RAGE_DAMAGE)
    makes_cheer = is_gladiator(words, attacker)
    hurt(words, rules, attacker, back)
    hurt(words, rules, defender, max(0, damage))
    bury(words, rules)
    if direct and words[layout.ACTION + layout.ROUSED] and is_alive(words, rules, defender):
        words[defender + layout.SET] = 0
    if makes_cheer:
        cheer(words, other if words[layout.ACTION + layout.BY] == INTERCEPT else player, 1)


@kernel_njit
def ability_of_action(words: Words, rules: KernelRules, action: int) -> int:
    """The ability that an action or a response carries out, -1 for none."""
    kind = words[action + layout.KIND] - 1
    card = int(words[action + layout.ACTION_CARD]) - 1
    if kind in (ABILITY, REACT):
        fighter = fighter_at(int(words[action + layout.ACTOR]), int(words[action + layout.WHO]) - 1)
        return ability_at(body_of(words, fighter), card)
    if kind in (PLAY, REPLY) and rules[card_rules(card) + layout.CARD_TYPE] == _QUICK_HIT:
        return ability_at(card_rules(card), 0)
    return -1


@kernel_njit
def pay(words: Words, rules: KernelRules, action: int) -> None:
    """Pay what an action or a response costs, except cards to discard (P1). Modified in place: `words`."""
    player, kind = int(words[action + layout.ACTOR]), words[action + layout.KIND] - 1
    base = player * layout.PLAYER_WORDS
    if kind in (PLAY, REPLY):
        card = int(words[action + layout.ACTION_CARD]) - 1
        words[base + layout.HAND + card] -= 1
        words[base + layout.HAND_SIZE] -= 1
        words[base + layout.RESOURCES] -= rules[card_rules(card) + layout.CARD_COST]
        forget_past(words)
    ability = ability_of_action(words, rules, action)
    if ability < 0:
        return
    words[base + layout.RESOURCES] -= rules[ability + layout.COST_RESOURCES]
    cheer(words, player, -int(rules[ability + layout.COST_CHEER]))
    fighter = fighter_at(player, int(words[action + layout.WHO]) - 1)
    if rules[ability + layout.COST_SET]:
        words[fighter + layout.SET] = 1
    if rules[ability + layout.COST_WOUND]:
        hurt(words, rules, fighter, int(rules[ability + layout.COST_WOUND]))
        bury(words, rules)
    if rules[ability + layout.COST_DESTROY]:
        destroy(words, rules, fighter)


@kernel_njit
def carry_out(words: Words, rules: KernelRules, action: int, ability: int, place: int) -> None:
    """Do one thing of an ability; to draw and to discard are left to be done. Modified in place: `words`."""
    do = do_at(ability, place)
    player, die, act = (
        int(words[action + layout.ACTOR]),
        int(words[action + layout.DIE]),
        rules[do + layout.DO_ACT],
    )
    on = rules[do + layout.DO_ON]
    if on:
        side, index = player, int(words[action + layout.WHO]) - 1
        actor = int(words[layout.ACTION + layout.ACTOR])
        if on == _ON_TARGET:
            side, index = int(words[action + layout.SIDE]) - 1, int(words[action + layout.TARGET]) - 1
        elif on == _ON_ATTACKER:
            side, index = actor, int(words[layout.ACTION + layout.WHO]) - 1
        elif on == _ON_DEFENDER:
            side, index = 1 - actor, int(words[layout.ACTION + layout.HIT]) - 1
        fighter = fighter_at(side, index)
        if is_alive(words, rules, fighter) and holds(words, rules, player, fighter, do + layout.DO_IF, die):
            much = amount(words, rules, player, fighter, ability, do, die)
            on_fighter(words, rules, player, side, fighter, ability, do, much)
            bury(words, rules)
        return
    source = -1
    if words[action + layout.KIND] - 1 in (ABILITY, REACT):
        source = fighter_at(player, int(words[action + layout.WHO]) - 1)
    if not holds(words, rules, player, source, do + layout.DO_IF, die):
        return
    if act == _BECOME:
        words[layout.ACTION + layout.POSITIVE] = int(rules[do + layout.DO_SIGN] == _POSITIVE_SIGN)
        return
    much = amount(words, rules, player, -1, ability, do, die)
    whom = 1 - player if rules[do + layout.DO_ENEMY] else player
    if act == _CHEER_UP:
        cheer(words, whom, much)
    elif act == _STEAL:
        stolen = min(much, int(words[layout.CHEER + 1 - player]))
        cheer(words, 1 - player, -stolen)
        cheer(words, player, stolen)
    elif act == _GAIN:
        base = whom * layout.PLAYER_WORDS + layout.RESOURCES
        words[base] = min(words[base] + much, MAX_RESOURCES)
    else:
        if act == _DISCARD:
            much = min(much, int(words[whom * layout.PLAYER_WORDS + layout.HAND_SIZE]))
        if much:
            words[layout.PHASE] = _DRAW_PHASE if act == _DRAW else _DISCARD_PHASE
            words[layout.TURN], words[layout.LEFT] = whom, much


@kernel_njit
def on_fighter(
    words: Words, rules: KernelRules, player: int, side: int, fighter: int, ability: int, do: int, much: int
) -> None:
    """Carry out one thing on a Character that is there; nobody is buried yet. Modified in place: `words`."""
    act = rules[do + layout.DO_ACT]
    if act == _DAMAGE:
        shield = 0
        if rules[do + layout.DO_TYPE] == _ATTACK_DAMAGE:
            shield = number(words, rules, side, fighter, SHIELD)
        hurt(words, rules, fighter, max(0, much - shield))
    elif act == _DESTROY:
        destroy(words, rules, fighter)
    elif act == _HEAL:
        words[fighter + layout.WOUNDS] = max(0, words[fighter + layout.WOUNDS] - much)
    elif act == _SET_IT:
        words[fighter + layout.SET] = 1
    elif act == _UNSET:
        words[fighter + layout.SET] = 0
    elif act == _MOVE:
        words[fighter + layout.FIELD] = rules[do + layout.DO_FIELD]
    elif act == _PREVENT_IT:
        change(words, fighter, _THIS_ACTION, PREVENT, much)
    else:
        time = int(rules[ability + layout.LASTS])
        if time == UNTIL:
            time += player
        change(words, fighter, time, int(rules[do + layout.DO_STAT]), much)
