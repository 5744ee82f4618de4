"""The facts a player sees, against the reference."""

from __future__ import annotations

import random

import numpy as np
import pytest

from engine.ragers.facts import (
    A_STAGE,
    COMMON_FACTS,
    SIDE_FACTS,
)
from engine.ragers.reference import NOTHING, Phase, State, deciders, is_over, row_limit
from engine.ragers.reference_row import Slot, icons, last_attack, score_day
from engine.ragers.rules import ATTACKS, CHANCER, Rules
from engine.ragers.sampling import sampling_tables
from tests.engine.ragers.test_sampling import AT_ONCE, BOX, Walk, hidden_counts
from tests.games.sampling_checks import facts_seen

NAMES = [
    *((name, rank, fact) for rank in (0, 1) for name, size in SIDE_FACTS.items() for fact in range(size)),
    *((name, 0, fact) for name, size in COMMON_FACTS.items() for fact in range(size)),
]
Fact = tuple[str, int, int]


def counted(name: str, counts: tuple[int, ...], most: int) -> set[Fact]:
    return {(name, 0, card * most + min(count, most) - 1) for card, count in enumerate(counts) if count}


def bounded(number: int, most: int) -> int:
    return min(max(number, -most), most) + most


def row_facts(state: State, rank: int, rows: tuple[Slot, ...], mark: bool) -> set[Fact]:
    """Facts about a row whose last slot may still be being resolved."""
    rules, shown = state.rules, icons(rows)
    found = {("icons", rank, icon * 3 + min(number, 3) - 1) for icon, number in shown.items() if number}
    last = last_attack(rows)
    found |= {("last", rank, 3 if last is None else last), ("slots", rank, row_limit(state) - len(rows))}
    gp = [0] * 3
    special = 0
    for slot in rows:
        for card in slot:
            worth = rules.cards[card.printed].gp * (2 if card.marked else 1)
            if card.face_up and card.icon in ATTACKS:
                gp[card.icon] += worth
            elif card.face_up:
                special += worth
    found |= {("attack", rank, icon * 16 + min(each, 16) - 1) for icon, each in enumerate(gp) if each}
    if special:
        found.add(("special", rank, min(special, 12) - 1))
    if last is not None:
        found.add(("gp", rank, min(gp[last] + special, 20)))
    return found | ({("mark", rank, 0)} if mark else set())


def seen_facts(walk: Walk, state: State, player: int) -> set[Fact]:
    """The facts by name, whom they are about, and number, where nobody has chosen in secret."""
    sides = (state.players[player], state.players[1 - player])
    own, opp = sides
    rules = state.rules
    lead = own.score - opp.score
    days_left = rules.match.days - state.day - 1
    unseen = zip(opp.hand, opp.deck, hidden_counts(walk.hidden[1 - player]), strict=True)
    found = counted("hand", own.hand, 5) | counted("deck", own.deck, 5)
    found |= counted("unseen", tuple(map(sum, unseen)), 7)
    found |= {("lead", 0, bounded(lead, 16)), ("phase", 0, int(state.phase))}
    found.add(("taken", 0, bounded(len(own.cheers) - len(opp.cheers), 3)))
    if days_left == 0:
        found.add(("cards", 0, bounded(sum(own.deck) - sum(opp.deck), 4)))
    else:
        found |= {("pile", 0, index) for index in state.cheers_left}
    if state.patron is not None:
        found.add(("patron", 0, state.patron))
    for rank, side in enumerate(sides):
        found |= {("hand_size", rank, sum(side.hand)), ("deck_size", rank, min(sum(side.deck), 23))}
        if (player if rank == 0 else 1 - player) in deciders(state):
            found.add(("acts", rank, 0))
    if state.phase in (Phase.PATRON, Phase.CHEERS, Phase.PREPARE):
        return found | {("table", 0, 4 * index) for index in state.cheers_table}
    rows = tuple((*side.row, side.slot) if side.slot else side.row for side in sides)
    for rank, side in enumerate(sides):
        # What a Veteran or a Deadeye asks for is what stands on top; else a slot is finished.
        on_top = side.slot[-1] if side.slot and side.slot[-1].face_up else None
        top = 9 if on_top is None else 8 if on_top.icon is None else on_top.icon
        if side.owes_hidden and not rules.hides_at_once:
            top = 5
        found.add(("top", rank, top))
        if on_top is not None and on_top.printed == CHANCER:
            found.add(("top_marks", rank, 0))
        if on_top is not None and on_top.marked:
            found.add(("top_marks", rank, 1))
        found |= row_facts(state, rank, rows[rank], side.mark)
    result = score_day(rules, (rows[0], rows[1]), state.cheers_table)
    found.add(("lead_if_ended", 0, bounded(lead + result.gp[0] - result.gp[1], 16)))
    return found


@pytest.mark.kernels
@pytest.mark.parametrize("rules", [BOX, AT_ONCE], ids=["box", "K9"])
def test_I1_facts_are_those_of_the_reference(rules: Rules) -> None:
    """But for how the day would end and who meets which cheers card, which `lead_if_ended` holds together."""
    for seed in range(12):
        walk = Walk(rules, seed)
        for state in walk.states():
            if is_over(state):
                continue
            for player in (0, 1):
                found = facts_seen(walk.game, walk.words, player)
                assert len({fact // A_STAGE for fact in found}) == 1
                named = {NAMES[fact % A_STAGE] for fact in found}
                named = {fact for fact in named if fact[0] != "result"}
                if state.phase >= Phase.PLACE:
                    named = {fact for fact in named if fact[0] != "table"}
                assert named == seen_facts(walk, state, player)


@pytest.mark.kernels
def test_a_card_chosen_in_secret_counts_for_its_owner_alone() -> None:
    rng = random.Random(3)
    game = sampling_tables(BOX)
    work = np.zeros(game.work_words, np.int64)
    checked = 0
    for _ in range(10):
        words = game.root.copy()
        while (who := game.observe(game.tables, words, work)) != -2:
            number = int(work[0])
            before = {player: facts_seen(game, words, player) for player in (0, 1)}
            game.apply(game.tables, words, work, rng.randrange(number))
            if who >= 0:
                own = {NAMES[fact % A_STAGE] for fact in facts_seen(game, words, who)}
                chosen = [fact for name, _, fact in own if name == "chosen"]
                assert len(chosen) == 1
                assert facts_seen(game, words, 1 - who) == before[1 - who]
                held = {NAMES[fact % A_STAGE] for fact in before[who]}
                if chosen[0] != NOTHING:
                    assert {f for f in held if f[0] == "hand"} != {f for f in own if f[0] == "hand"}
                checked += 1
    assert checked > 200
