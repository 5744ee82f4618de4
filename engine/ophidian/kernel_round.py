"""Between actions on words: who acts next, the end of a wave and of the match, the steps of the breather.

What the reference does by functions that call each other in turn goes on here by numbers: each function says
what comes next, until somebody decides or chance falls.
"""

from __future__ import annotations

from engine.jit import kernel_njit
from engine.ophidian import layout
from engine.ophidian.abilities import ACTS, WHENS
from engine.ophidian.kernel_effects import (
    bury,
    cheer,
    clip,
    destroy,
    expire,
    forget_past,
    on_fighter,
    sweep,
)
from engine.ophidian.kernel_moves import maintained, may_reinforce
from engine.ophidian.kernel_rules import UNTIL, KernelRules
from engine.ophidian.kernel_state import (
    Words,
    ability_at,
    amount,
    body_of,
    card_rules,
    do_at,
    fighter_at,
    holds,
    is_alive,
    is_gladiator,
    points,
    pump_card,
    team_size,
    wounds,
)
from engine.ophidian.reference_state import TIMES, Phase
from engine.ophidian.rules_schema import MAX_HISTORY, MAX_RESOURCES, NEVER, ROAR_WINDOWS
from engine.randomness import mixed

STOP, ASK, CARRY_ON, WINDOW, REFILL, CUT_DOWN, STEP_DONE, ENTER, MAINTAINING = range(9)
"""What comes next: nothing, since somebody decides; or one of the functions of the reference.

`ASK` has the player above `NEXT_SHIFT`; `STEP_DONE` and `ENTER` the step in the phase.
"""
NEXT_SHIFT = 4

_ANNOUNCED_ONLY = ROAR_WINDOWS.index("announced")
_BREATHER, _HEAL, _CHEER_UP = WHENS.index("breather"), ACTS.index("heal"), ACTS.index("cheer")
_THIS_ACTION, _LAST_TIME = TIMES.index("action"), len(TIMES) - 1
_P_DIE, _P_PROMOTE, _P_PLACE, _P_ACT, _P_ROAR, _P_OVER = (
    int(each) for each in (Phase.DIE, Phase.PROMOTE, Phase.PLACE, Phase.ACT, Phase.ROAR, Phase.OVER)
)
_P_DRAW, _P_DISCARD, _P_UNDER, _P_MAINTAIN, _P_REINFORCE = (
    int(each) for each in (Phase.DRAW, Phase.DISCARD, Phase.UNDER, Phase.MAINTAIN, Phase.REINFORCE)
)
UNDECIDED = 2
_POSITIVE_BITS = (1 << 63) - 1


# -- the end of the match -----------------------------------------------------------------------------


@kernel_njit
def any_alive(words: Words, rules: KernelRules, player: int) -> bool:
    for index in range(team_size(words, player)):
        fighter = fighter_at(player, index)
        if is_gladiator(words, fighter) and is_alive(words, rules, fighter):
            return True
    return False


@kernel_njit
def more_points(words: Words, rules: KernelRules) -> int:
    """Who has more points, -1 if nobody."""
    first, second = points(words, rules, 0), points(words, rules, 1)
    return -1 if first == second else int(second > first)


@kernel_njit
def result(words: Words, rules: KernelRules) -> int:
    """Who has won by what lies on the table, -1 for a draw, `UNDECIDED` if nobody has yet (W1-W4)."""
    alive_0, alive_1 = any_alive(words, rules, 0), any_alive(words, rules, 1)
    if not (alive_0 and alive_1):
        if not (alive_0 or alive_1):
            return more_points(words, rules)
        return 0 if alive_0 else 1
    for player in range(2):
        if words[layout.CHEER + player] >= rules[layout.RULE_RIOT]:
            return player
    if max(points(words, rules, 0), points(words, rules, 1)) >= rules[layout.RULE_WINNING_POINTS]:
        return more_points(words, rules)
    if words[layout.BROKE]:
        return -1 if words[layout.BROKE] == 3 else 2 - int(words[layout.BROKE])
    return UNDECIDED


@kernel_njit
def clear_action(words: Words) -> None:
    """Nothing is announced any more. Modified in place: `words`."""
    for word in range(layout.ACTION, layout.ACTION + 2 * layout.ACTION_WORDS):
        words[word] = 0
    for place in range(words[layout.USED_SIZE]):
        words[layout.USED + place] = 0
    words[layout.USED_SIZE], words[layout.DECLINED], words[layout.LEFT] = 0, 0, 0


@kernel_njit
def ends(words: Words, rules: KernelRules) -> bool:
    """Whether something has ended the match; then it is over. Modified in place: `words`."""
    if result(words, rules) == UNDECIDED:
        return False
    words[layout.PHASE] = _P_OVER
    clear_action(words)
    forget_past(words)
    return True


# -- between actions ----------------------------------------------------------------------------------


@kernel_njit
def resolved(words: Words, rules: KernelRules, positive: int, passes: int) -> int:
    """All that an action does is done (M1, M4). Modified in place: `words`; returns what comes next."""
    # None answers a variable action, and none comes twice.
    no_roar = words[layout.ACTION + layout.VARIABLE] or words[layout.ACTION + layout.ROARED]
    clear_action(words)
    expire(words, rules, _THIS_ACTION, _THIS_ACTION)
    sweep(words, rules)
    if ends(words, rules):
        return STOP
    if passes and not positive:
        return passed(words, rules)
    other = 1 - int(words[layout.MOMENTUM])
    if not positive:
        return acting(words, rules, other)
    if words[layout.CHEER + other] and not no_roar and rules[layout.RULE_ROAR_WINDOW] != _ANNOUNCED_ONLY:
        words[layout.TURN], words[layout.PHASE] = other, _P_ROAR
        return STOP
    return acting(words, rules, 1 - other)


@kernel_njit
def passed(words: Words, rules: KernelRules) -> int:
    """A pass, or what counts as one (M5). Modified in place: `words`; returns what comes next."""
    if words[layout.PASSES]:
        return end_of_wave(words, rules)
    words[layout.PASSES] = 1
    return acting(words, rules, 1 - int(words[layout.MOMENTUM]))


@kernel_njit
def position_hash(words: Words) -> int:
    """A hash of what counts as the same position in a wave (W7)."""
    key = mixed(words[layout.MOMENTUM] + 2 * words[layout.PASSES] + 4)
    for player in range(2):
        key = mixed(key ^ words[layout.CHEER + player])
        key = mixed(key ^ words[player * layout.PLAYER_WORDS + layout.RESOURCES])
        size = team_size(words, player)
        key = mixed(key ^ size)
        for word in range(fighter_at(player, 0), fighter_at(player, size)):
            key = mixed(key ^ words[word])
    return int(key & _POSITIVE_BITS)


@kernel_njit
def acting(words: Words, rules: KernelRules, player: int) -> int:
    """A player has momentum, and acts, unless a position comes again (W7).

    Modified in place: `words`; returns what comes next.
    """
    gains = player != words[layout.MOMENTUM]
    words[layout.MOMENTUM], words[layout.TURN], words[layout.PHASE] = player, player, _P_ACT
    if gains:
        expire(words, rules, UNTIL + player, UNTIL + player)
        sweep(words, rules)
        if ends(words, rules):
            return STOP
    here, again = position_hash(words), words[layout.PAST_SIZE] >= MAX_HISTORY
    for place in range(words[layout.PAST_SIZE]):
        again = again or words[layout.PAST + place] == here
    if again:
        return end_of_wave(words, rules)
    words[layout.PAST + words[layout.PAST_SIZE]] = here
    words[layout.PAST_SIZE] += 1
    return STOP


# -- the breather -------------------------------------------------------------------------------------


@kernel_njit
def end_of_wave(words: Words, rules: KernelRules) -> int:
    """All have passed in a row (M5, W3, B1). Modified in place: `words`; returns what comes next."""
    forget_past(words)
    expire(words, rules, 0, _LAST_TIME)
    sweep(words, rules)
    if ends(words, rules):
        return STOP
    tied, wave = more_points(words, rules) < 0, words[layout.WAVE]
    if wave >= rules[layout.RULE_WAVES] and (
        not tied or wave >= rules[layout.RULE_WAVES] + rules[layout.RULE_EXTRA_WAVES]
    ):
        words[layout.PHASE], words[layout.PASSES] = _P_OVER, 2
        return STOP
    first = (wounds(words, 0) << 8) + int(words[layout.CHEER])
    second = (wounds(words, 1) << 8) + int(words[layout.CHEER + 1])
    words[layout.PASSES], words[layout.PHASE] = 0, _P_DIE
    words[layout.WAVE] += 1
    return STOP if first == second else began(words, rules, int(second > first))


@kernel_njit
def began(words: Words, rules: KernelRules, player: int) -> int:
    """A player has momentum: placements, or the breather (T5, B2).

    Modified in place: `words`; returns what comes next.
    """
    for side in range(2):
        for index in range(team_size(words, side)):
            fighter = fighter_at(side, index)
            words[fighter + layout.SET] = 0
            clip(words, rules, fighter)
    words[layout.MOMENTUM], words[layout.TURN] = player, player
    if words[layout.WAVE] == 1:
        words[layout.PHASE] = _P_PLACE
        return STOP
    for side in range(2):
        words[side * layout.PLAYER_WORDS + layout.RESOURCES] = (
            rules[layout.RULE_RESOURCES] + words[layout.WAVE]
        )
    _refresh(words, rules, player)
    _refresh(words, rules, 1 - player)
    if ends(words, rules):
        return STOP
    words[layout.PHASE] = _P_DISCARD
    return ENTER


@kernel_njit
def _refresh(words: Words, rules: KernelRules, player: int) -> None:
    """Abilities of the breather of a player's cards in play. Modified in place: `words`."""
    for side in range(2):
        for index in range(team_size(words, side)):
            fighter = fighter_at(side, index)
            if not is_alive(words, rules, fighter):
                continue
            if side == player:
                _refresh_by(words, rules, player, side, fighter, body_of(words, fighter))
            for place in range(words[fighter + layout.PUMPS_SIZE]):
                pump = int(words[fighter + layout.PUMPS + place])
                if pump & 1 == player:
                    _refresh_by(words, rules, player, side, fighter, card_rules(pump_card(pump)))


@kernel_njit
def _refresh_by(words: Words, rules: KernelRules, player: int, side: int, fighter: int, body: int) -> None:
    for number in range(rules[body + layout.BODY_ABILITIES]):
        ability = ability_at(body, number)
        if rules[ability + layout.WHEN] != _BREATHER:
            continue
        if not holds(words, rules, player, fighter, ability + layout.ABILITY_IF, 0):
            continue
        for place in range(rules[ability + layout.DO_COUNT]):
            do = do_at(ability, place)
            if not holds(words, rules, player, fighter, do + layout.DO_IF, 0):
                continue
            much = amount(words, rules, player, fighter, ability, do, 0)
            whom = 1 - player if rules[do + layout.DO_ENEMY] else player
            if rules[do + layout.DO_ACT] == _HEAL:
                on_fighter(words, rules, player, side, fighter, ability, do, much)
            elif rules[do + layout.DO_ACT] == _CHEER_UP:
                cheer(words, whom, much)
            else:
                base = whom * layout.PLAYER_WORDS + layout.RESOURCES
                words[base] = min(words[base] + much, MAX_RESOURCES)


@kernel_njit
def enter(words: Words, rules: KernelRules) -> int:
    """A player's turn in the step of the phase. Modified in place: `words`; returns what comes next."""
    words[layout.LEFT] = 0
    phase, player = words[layout.PHASE], int(words[layout.TURN])
    if phase == _P_DISCARD and words[player * layout.PLAYER_WORDS + layout.HAND_SIZE] == 0:
        return REFILL
    if phase == _P_MAINTAIN:
        return MAINTAINING
    if phase == _P_REINFORCE and not may_reinforce(words, rules, player):
        return STEP_DONE
    return STOP


@kernel_njit
def step_done(words: Words, rules: KernelRules) -> int:
    """A player has done the step of the phase. Modified in place: `words`; returns what comes next."""
    words[layout.LEFT] = 0
    phase = words[layout.PHASE]
    if phase == _P_PROMOTE:
        words[layout.PHASE] = _P_REINFORCE
        return ENTER
    if phase == _P_REINFORCE:
        phase = _P_PROMOTE
        words[layout.PHASE] = phase
    if words[layout.TURN] == words[layout.MOMENTUM]:
        words[layout.TURN] = 1 - words[layout.TURN]
        return ENTER
    if phase == _P_PLACE:
        return acting(words, rules, int(words[layout.MOMENTUM]))
    words[layout.TURN] = words[layout.MOMENTUM]
    if phase == _P_DISCARD:
        words[layout.PHASE] = _P_MAINTAIN
    else:
        words[layout.PHASE] = _P_PROMOTE if phase == _P_MAINTAIN else _P_PLACE
    return ENTER


# -- cards (T4, B2) -----------------------------------------------------------------------------------


@kernel_njit
def refill(words: Words, rules: KernelRules) -> int:
    """Draw up to so many cards, or none (B2). Modified in place: `words`; returns what comes next."""
    hand = words[words[layout.TURN] * layout.PLAYER_WORDS + layout.HAND_SIZE]
    missing = rules[layout.RULE_HAND_SIZE] + rules[layout.RULE_EXTRA_DRAWS] - hand
    if missing > 0:
        words[layout.PHASE], words[layout.LEFT] = _P_DRAW, missing
        drawing(words)
        if words[layout.LEFT] == 0:
            ends(words, rules)
        return STOP
    return CUT_DOWN


@kernel_njit
def drawing(words: Words) -> None:
    """The next card has to be drawn; who cannot has lost (W4). Modified in place: `words`."""
    base = words[layout.TURN] * layout.PLAYER_WORDS
    if words[layout.LEFT] and words[base + layout.DECK_SIZE] + words[base + layout.BOTTOM_SIZE] == 0:
        words[layout.LEFT] = 0
        words[layout.BROKE] |= 1 << words[layout.TURN]


@kernel_njit
def cut_down(words: Words, rules: KernelRules) -> int:
    """Cards go under the deck (T4, B2). Modified in place: `words`; returns what comes next."""
    if words[words[layout.TURN] * layout.PLAYER_WORDS + layout.HAND_SIZE] > rules[layout.RULE_HAND_SIZE]:
        words[layout.PHASE], words[layout.LEFT] = _P_UNDER, 0
        return STOP
    if words[layout.WAVE]:
        words[layout.PHASE] = _P_DISCARD
        return STEP_DONE
    if words[layout.TURN] == 0:
        words[layout.TURN] = 1
        return REFILL
    words[layout.WAVE], words[layout.TURN], words[layout.PHASE] = 1, 0, _P_DIE
    return STOP


# -- maintaining (B3) ---------------------------------------------------------------------------------


@kernel_njit
def maintaining(words: Words, rules: KernelRules) -> int:
    """On to the next card that has to be paid for. Modified in place: `words`; returns what comes next."""
    while True:
        place = maintained(words, rules, int(words[layout.TURN]), int(words[layout.LEFT]))
        if place < 0:
            words[layout.PHASE] = _P_MAINTAIN
            return STEP_DONE
        if (place >> 9) - 1 != NEVER:
            return STOP
        abandon(words, rules, place)
        if ends(words, rules):
            return STOP


@kernel_njit
def abandon(words: Words, rules: KernelRules, place: int) -> None:
    """A card is not paid for: it is destroyed (B3). Modified in place: `words`."""
    fighter, pump = fighter_at(place & 1, place >> 1 & 15), (place >> 5 & 15) - 1
    paid, turn, left = 0, int(words[layout.TURN]), int(words[layout.LEFT])
    while paid < left and maintained(words, rules, turn, left - 1 - paid) & 31 == place & 31:
        paid += 1
    if pump < 0:
        destroy(words, rules, fighter)
    else:
        last = int(words[fighter + layout.PUMPS_SIZE]) - 1
        for number in range(pump, last):
            words[fighter + layout.PUMPS + number] = words[fighter + layout.PUMPS + number + 1]
        words[fighter + layout.PUMPS + last] = 0
        words[fighter + layout.PUMPS_SIZE] = last
        if not is_alive(words, rules, fighter):
            # What has been paid for on it goes with it.
            words[layout.LEFT] -= paid
    bury(words, rules)
    sweep(words, rules)
