"""The rules of a battle (B1-B12, X4), a test or more for each, on made-up armies and the rulebook's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from typing import Any

import pytest
from msgspec.structs import replace as with_values

from engine.clash.fighters import Fighter, fighter
from engine.clash.reference_battle import (
    ATTACKER,
    DEFENDER,
    FLEE,
    KEEP,
    REROLL,
    ROLL,
    Battle,
    Counts,
    Move,
    Stage,
    chance_outcomes,
    decider,
    injuries,
    legal_moves,
    payoffs,
    slowness,
    start,
    step,
)
from engine.protocol import CHANCE, OVER, IllegalMove
from tests.engine.clash.plays import BOX

PLAIN = Fighter(power=2, life=2)
NOBODY = (PLAIN, PLAIN, PLAIN)


def army(*types: Fighter) -> tuple[Fighter, Fighter, Fighter]:
    first, second, third = (*types, *NOBODY)[:3]
    return first, second, third


def battle(
    own: Sequence[Fighter],
    other: Sequence[Fighter],
    counts: tuple[Counts, Counts],
    *,
    elves: bool = False,
    solo: bool = False,
    **switches: object,
) -> Battle:
    rule = with_values(BOX.battle, **switches)
    return start(rule, (army(*own), army(*other)), counts, elves=elves, solo=solo)


def kills(state: Battle) -> list[tuple[int, ...]]:
    return [move.values for move in legal_moves(state) if move.kind == "eliminate"]


def bohorg(cards: Sequence[Sequence[str]] = ((), (), ())) -> tuple[Fighter, Fighter, Fighter]:
    first, second, third = (
        fighter(unit, map(BOX.card, names))
        for unit, names in zip(BOX.clan("bohorg").units, cards, strict=True)
    )
    return first, second, third


ELVES = army(*map(fighter, BOX.elves))


def value(state: Battle, number: Any = Fraction) -> Any:
    """The attacker's chance to hold the territory when both play for that alone, exactly or as a `float`."""

    @cache
    def worth(state: Battle) -> Any:
        side = decider(state)
        if side == OVER:
            return number(state.winner == ATTACKER)
        if side == CHANCE:
            outcomes = chance_outcomes(state)
            total = sum(weight for _, weight in outcomes)
            return sum(
                (worth(step(state, outcome)) * number(weight) / total for outcome, weight in outcomes),
                number(0),
            )
        values = [worth(step(state, move)) for move in legal_moves(state)]
        return max(values) if side == ATTACKER else min(values)

    return worth(state)


# -- who starts (B2), and how it goes on (B3) -----------------------------------------------------------


@pytest.mark.parametrize(("own", "other", "starts"), [(0, 1, ATTACKER), (1, 1, DEFENDER), (2, 1, DEFENDER)])
def test_B2_the_less_slow_start_and_on_a_tie_the_defender(own: int, other: int, starts: int) -> None:
    slow, slower = PLAIN._replace(slow=own), PLAIN._replace(slow=other)
    assert battle([slow], [slower], ((1, 0, 0), (1, 0, 0))).assaulter == starts


def test_B2_each_type_counts_once_and_only_types_that_are_present() -> None:
    slow = PLAIN._replace(slow=1)
    state = battle([slow, slow, PLAIN._replace(slow=3)], [PLAIN], ((3, 2, 0), (1, 0, 0)))
    assert slowness(state, ATTACKER) == 2


def test_B2_example_of_the_rulebook() -> None:
    state = battle(bohorg(), [PLAIN._replace(slow=3)], ((0, 1, 2), (4, 0, 0)))
    assert slowness(state, ATTACKER) == 2
    assert state.assaulter == ATTACKER


def test_B3_assaults_alternate_until_an_army_is_gone() -> None:
    state = battle([PLAIN], [PLAIN], ((1, 0, 0), (1, 0, 0)))
    assert (state.assaulter, decider(state)) == (DEFENDER, DEFENDER)
    state = step(step(step(state, ROLL), 0), Move("eliminate", (0, 0, 0)))
    assert (state.assaulter, decider(state)) == (ATTACKER, ATTACKER)
    state = step(step(step(state, ROLL), 2), Move("eliminate", (1, 0, 0)))
    assert (state.winner, state.fled, decider(state)) == (ATTACKER, False, OVER)
    assert payoffs(state) == (1.0, -1.0)
    assert not legal_moves(state)
    assert not chance_outcomes(state)


def test_B3_elves_never_flee() -> None:
    state = battle([PLAIN._replace(slow=1)], [PLAIN], ((1, 0, 0), (1, 0, 0)), elves=True)
    assert (state.assaulter, state.stage, decider(state)) == (DEFENDER, Stage.ROLL, CHANCE)


# -- dice (B4, B5) --------------------------------------------------------------------------------------


def test_B4_as_many_dice_as_the_strongest_type_present() -> None:
    example = bohorg(((), (), ("great-sword",)))
    assert example[2].power == 6 + 3
    state = step(battle(example, [PLAIN._replace(slow=9)], ((7, 0, 1), (1, 0, 0))), ROLL)
    assert state.dice == 9
    without = step(battle(example, [PLAIN._replace(slow=9)], ((7, 0, 0), (1, 0, 0))), ROLL)
    assert without.dice == 4


def test_B4_types_confer_their_bonuses_once_however_many_figures() -> None:
    strong = PLAIN._replace(injury=2, rage=1, reroll=1)
    for count in (1, 5):
        state = step(battle([strong], [PLAIN._replace(slow=1)], ((count, 0, 0), (1, 0, 0))), ROLL)
        assert (state.dice, state.rerolls, state.rage) == (2, 1, (1, 0))
        assert injuries(replace(state, hits=1)) == 1 + 2 + 1


def test_B4_dice_have_exact_weights() -> None:
    state = step(battle([PLAIN], [PLAIN._replace(slow=1)], ((1, 0, 0), (1, 0, 0))), ROLL)
    assert chance_outcomes(state) == [(0, 1), (1, 4), (2, 4)]
    fair = step(battle([PLAIN], [PLAIN._replace(slow=1)], ((1, 0, 0), (1, 0, 0)), hit="1/2"), ROLL)
    assert chance_outcomes(fair) == [(0, 1), (1, 2), (2, 1)]


def test_B4_B5_B6_example_of_the_rulebook() -> None:
    """Executioners of power 6 + 2, a reroll from the wand, an injury from the Kragrider; no Pummelers."""
    cards = (("storm-staff",), ("shamans-wand",), ("axe",))
    state = step(battle(bohorg(cards), [PLAIN._replace(slow=3)], ((0, 1, 2), (3, 0, 0))), ROLL)
    assert (state.dice, state.rerolls) == (8, 1)
    assert injuries(replace(state, hits=8)) == 9


def test_B5_a_player_may_roll_all_blanks_again_once_per_icon() -> None:
    eager = PLAIN._replace(power=3, reroll=2)
    state = step(battle([eager], [PLAIN._replace(slow=1)], ((1, 0, 0), (1, 0, 0))), ROLL)
    state = step(state, 1)
    assert (decider(state), legal_moves(state)) == (ATTACKER, (KEEP, REROLL))
    state = step(state, REROLL)
    assert [outcome for outcome, _ in chance_outcomes(state)] == [0, 1, 2]
    state = step(state, 1)
    assert (state.hits, state.rerolls, state.stage) == (2, 1, Stage.REROLL)
    assert step(state, KEEP).stage == Stage.ELIMINATE
    last = step(step(state, REROLL), 0)
    assert (last.hits, last.stage) == (2, Stage.ELIMINATE)


def test_B5_without_blanks_nothing_is_rolled_again() -> None:
    eager = PLAIN._replace(reroll=1)
    state = step(battle([eager], [PLAIN._replace(slow=1)], ((1, 0, 0), (1, 0, 0))), ROLL)
    assert step(state, 2).stage == Stage.ELIMINATE


def test_B5_elves_have_to_roll_again() -> None:
    eager = PLAIN._replace(reroll=1)
    state = battle([PLAIN], [eager], ((1, 0, 0), (1, 0, 0)), elves=True)
    state = step(state, 1)
    assert (state.stage, decider(state)) == (Stage.BLANKS, CHANCE)
    assert chance_outcomes(state) == [(0, 1), (1, 2)]
    assert step(state, 0).stage == Stage.ELIMINATE


# -- injuries (B6-B8, X4) -------------------------------------------------------------------------------


def test_B6_hits_and_icons_and_rage_less_shields() -> None:
    own = [PLAIN._replace(injury=1), PLAIN._replace(injury=2)]
    other = [PLAIN._replace(shield=1, slow=1), PLAIN._replace(shield=2), PLAIN._replace(shield=9)]
    state = step(battle(own, other, ((1, 1, 0), (1, 1, 0))), ROLL)
    state = replace(state, rage=(2, 5), hits=1)
    assert injuries(state) == 1 + 3 + 2 - 3
    assert injuries(replace(state, rage=(0, 5), hits=0)) == 0


def test_B6_never_below_nothing() -> None:
    state = battle([PLAIN], [PLAIN._replace(shield=9, slow=1)], ((1, 0, 0), (1, 0, 0)))
    state = step(step(state, ROLL), 2)
    assert injuries(state) == 0
    assert kills(state) == [(0, 0, 0)]


def test_B7_injuries_are_distributed_at_will_and_not_retained() -> None:
    own = PLAIN._replace(power=5)
    other = [PLAIN._replace(life=1, slow=1), PLAIN._replace(life=3)]
    state = step(step(battle([own], other, ((1, 0, 0), (3, 1, 0))), ROLL), 4)
    assert kills(state) == [(0, 1, 0), (1, 0, 0), (1, 1, 0), (2, 0, 0), (3, 0, 0)]
    state = step(state, Move("eliminate", (1, 0, 0)))
    assert state.counts == ((1, 0, 0), (2, 1, 0))
    assert (state.hits, state.dice) == (0, 0)
    with pytest.raises(IllegalMove):
        step(state, Move("eliminate", (1, 0, 0)))


def test_B8_by_the_letter_nobody_needs_to_die() -> None:
    own, other = PLAIN._replace(power=3), PLAIN._replace(life=2, slow=1)
    state = step(battle([own], [other], ((1, 0, 0), (2, 0, 0))), ROLL)
    assert kills(step(state, 2)) == [(0, 0, 0), (1, 0, 0)]
    assert kills(step(state, 3)) == [(1, 0, 0)]


def test_B8_without_sparing_who_can_eliminate_must() -> None:
    own, other = PLAIN._replace(power=3), PLAIN._replace(life=2, slow=1)
    state = step(battle([own], [other], ((1, 0, 0), (2, 0, 0)), sparing=False), ROLL)
    assert kills(step(state, 1)) == [(0, 0, 0)]
    assert kills(step(state, 2)) == [(1, 0, 0)]


@pytest.mark.parametrize("solo", [True, False])
def test_X4_the_attacker_chooses_whom_elves_eliminate_not_whether(solo: bool) -> None:
    own = [PLAIN._replace(life=1, slow=1), PLAIN._replace(life=3)]
    elves = PLAIN._replace(power=4)
    rule = with_values(BOX.battle, elves="adversary" if solo else "attacker")
    state = start(rule, (army(*own), army(elves)), ((2, 2, 0), (1, 0, 0)), elves=True, solo=solo)
    state = step(state, 4)
    assert decider(state) == ATTACKER
    assert kills(state) == [(1, 1, 0), (2, 0, 0)]
    assert kills(replace(state, hits=3)) == [(0, 1, 0), (2, 0, 0)]
    assert kills(replace(state, hits=0)) == [(0, 0, 0)]


def test_X4_what_the_attacker_deals_is_distributed_as_ever() -> None:
    own, elves = PLAIN._replace(power=3), PLAIN._replace(slow=1)
    state = battle([own], [elves], ((1, 0, 0), (2, 0, 0)), elves=True, solo=True)
    assert kills(step(step(state, ROLL), 2)) == [(0, 0, 0), (1, 0, 0)]


def test_B1_an_adversary_chooses_for_the_elves() -> None:
    state = step(battle([PLAIN], [PLAIN], ((1, 0, 0), (1, 0, 0)), elves=True), 1)
    assert (state.stage, decider(state)) == (Stage.ELIMINATE, DEFENDER)


# -- rage (B9, B10, B12), flight (B11) ------------------------------------------------------------------


def test_B9_an_assault_that_eliminates_nobody_earns_a_token() -> None:
    state = battle([PLAIN], [PLAIN], ((1, 0, 0), (1, 0, 0)), elves=True)
    state = step(step(state, 0), Move("eliminate", (0, 0, 0)))
    assert state.rage == (0, 1)
    state = step(step(step(state, ROLL), 0), Move("eliminate", (0, 0, 0)))
    assert state.rage == (1, 1)
    state = step(state, 1)
    assert (injuries(state), kills(state)) == (2, [(1, 0, 0)])


def test_B9_an_elimination_earns_none() -> None:
    state = step(step(battle([PLAIN], [PLAIN._replace(slow=1)], ((1, 0, 0), (2, 0, 0))), ROLL), 2)
    assert step(state, Move("eliminate", (1, 0, 0))).rage == (0, 0)


def test_B10_rage_icons_count_in_the_assault_that_they_begin() -> None:
    own = PLAIN._replace(rage=2)
    state = step(battle([own], [PLAIN._replace(slow=1)], ((1, 0, 0), (1, 0, 0))), ROLL)
    assert (state.rage, injuries(state)) == ((2, 0), 2)
    state = step(step(state, 0), Move("eliminate", (1, 0, 0)))
    assert state.rage == (2, 0)


@pytest.mark.parametrize("side", [ATTACKER, DEFENDER])
def test_B11_each_side_may_flee_even_as_its_first_act(side: int) -> None:
    slow = [PLAIN._replace(slow=int(side == DEFENDER)), PLAIN._replace(slow=int(side == ATTACKER))]
    state = battle(slow[:1], slow[1:], ((2, 0, 0), (3, 0, 0)))
    if decider(state) != side:
        state = step(step(step(state, ROLL), 0), Move("eliminate", (0, 0, 0)))
    assert legal_moves(state) == (FLEE, ROLL)
    state = step(state, FLEE)
    assert (state.winner, state.fled, state.counts) == (1 - side, True, ((2, 0, 0), (3, 0, 0)))


def test_B12_a_limit_of_rage_tokens() -> None:
    own = PLAIN._replace(rage=2)
    state = battle([own], [PLAIN._replace(slow=1)], ((1, 0, 0), (5, 0, 0)), rage_limit=3)
    for tokens in (3, 3):
        state = step(step(step(state, ROLL), 0), Move("eliminate", (0, 0, 0)))
        assert state.rage[0] == tokens
        state = step(step(step(state, ROLL), 0), Move("eliminate", (0, 0, 0)))


def test_B12_without_a_limit_every_assault_changes_figures_or_rage() -> None:
    """Each step goes down in figures, or up in rage: no battle is endless."""
    state = battle([PLAIN], [PLAIN._replace(slow=1)], ((2, 0, 0), (2, 0, 0)))
    seen = set()
    for _ in range(12):
        assert state not in seen
        seen.add(state)
        state = step(step(state, ROLL), 0)
        if not any(kills(state)[0]):
            state = step(state, Move("eliminate", (0, 0, 0)))
        else:
            state = step(state, Move("eliminate", kills(state)[-1]))
        if state.winner is not None:
            break
    assert state.winner is not None


# -- whole battles --------------------------------------------------------------------------------------


@pytest.mark.slow
def test_an_added_unit_can_hurt_by_its_slowness() -> None:
    values = [
        value(battle(bohorg(), ELVES, ((3, extra, 1), (2, 1, 1)), elves=True), float) for extra in (0, 1)
    ]
    assert values == pytest.approx([0.7406, 0.1719], abs=1e-4)
