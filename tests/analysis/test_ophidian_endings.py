"""Fights that end with the answer to an attack, sample teams that no longer add up, sets of one's own."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from analysis.ophidian.decks import findings
from analysis.ophidian.fights import position, solve
from analysis.ophidian.setup import Checks
from analysis.rules_reports import set_aside
from engine.ophidian.reference import Kind, State, is_over, legal_moves, points, step, winner
from engine.ophidian.rules import load_rules
from engine.rulefiles import RulesError

OWN = (
    """
name = "Own set"
alone = true
"""
    + "".join(
        f"""
[gladiators.{name.lower()}]
name = "{name}"
points = {points}
disciplines = ["warrior"]
life = {{ one = 8, two = 9, three = 10, four = 11 }}
rage = 4
attack = {{ one = 3, two = 4, three = 4, four = 5 }}
defence = 1
shield = 1
"""
        for name, points in (("Hammer", 4), ("Veil", 3), ("Rat", 2), ("Page", 1))
    )
    + """
[teams.own]
name = "Own"
gladiators = ["hammer", "veil", "rat", "page"]
"""
)


@pytest.mark.kernels
@pytest.mark.parametrize(
    ("team", "against", "wave", "cheer", "pending", "found"),
    [
        # The interceptor's cheer is the one that ends the match (A6, W2).
        (
            *("Thorn, Runt", "Tempest, Scrap", 1, "14:0", "Tempest>Thorn"),
            {"Runt intercepts": (1, 0), "takes it, roar": (1, 0), "takes it, no roar": (1, 0)},
        ),
        # The attacker dies by the defence damage (A4, W1).
        ("Thorn w3", "Runt w5", 1, "0:0", "Runt>Thorn", {"takes it": (1, 1)}),
        ("Runt w5", "Tempest", 1, "0:0", "Tempest>Runt", {"takes it": (-1, -1)}),
        # Both die, and one side is annihilated.
        ("Thorn w7", "Runt w5, Scrap w5", 1, "0:0", "Runt>Thorn", {"takes it": (-1, -1)}),
    ],
)
def test_an_answer_that_ends_the_wave_is_valued(
    team: str, against: str, wave: int, cheer: str, pending: str, found: dict[str, tuple[int, int]]
) -> None:
    state = position(team, against, wave=wave, cheer=cheer, momentum="against")
    report = solve(state, pending=pending)
    assert report.exactness == "exact"
    assert {each.action: (each.low.result, each.low.points) for each in report.actions} == found
    assert report.line


def plain_value(state: State, wave: int, known: dict[State, tuple[int, int]]) -> tuple[int, int]:
    """Result and points of player 0 by memoised search on the rules in plain Python."""
    if is_over(state) or state.wave != wave:
        best = winner(state) if is_over(state) else None
        result = 0 if best is None else 1 - 2 * best
        return result, points(state, 0) - points(state, 1)
    if state not in known:
        found = [plain_value(step(state, move), wave, known) for move in legal_moves(state)]
        known[state] = min(found) if state.turn else max(found)
    return known[state]


def pending_attacks(number: int, seed: int) -> list[tuple[State, str]]:
    """Attacks that have been announced in small fights near their end."""
    rng, drawn = Random(seed), []
    chosen = load_rules()
    names = [rule for rule in chosen.gladiators if not rule.reinforcement]
    while len(drawn) < number:
        sides = []
        for _ in range(2):
            picked = rng.sample(names, rng.randint(1, 2))
            hurt = {rule.name: rng.randint(max(0, rule.life[0] - 5), rule.life[0] - 1) for rule in picked}
            sides.append(", ".join(f"{name} w{wounds}" for name, wounds in hurt.items()))
        try:
            cheer = f"{rng.randint(10, 14)}:{rng.randint(10, 14)}"
            state = position(*sides, wave=rng.randint(1, 4), cheer=cheer, momentum="against")
        except ValueError:
            continue
        attacks = [move for move in legal_moves(state) if move.kind == Kind.ATTACK]
        if attacks:
            move = rng.choice(attacks)
            pair = state.teams[1][move.who], state.teams[0][move.target]
            drawn.append((state, ">".join(chosen.gladiators[each.gladiator].name for each in pair)))
    return drawn


def check_against_plain_search(number: int, seed: int) -> None:
    for state, pending in pending_attacks(number, seed):
        report = solve(state, pending=pending)
        assert report.exactness == "exact"
        known: dict[State, tuple[int, int]] = {}
        attack = next(
            move
            for move in legal_moves(state)
            if move.kind == Kind.ATTACK
            and pending
            == ">".join(
                state.rules.gladiators[each.gladiator].name
                for each in (state.teams[1][move.who], state.teams[0][move.target])
            )
        )
        assert (report.low.result, report.low.points) == plain_value(step(state, attack), state.wave, known)


@pytest.mark.kernels
def test_pending_attacks_against_a_plain_search() -> None:
    check_against_plain_search(6, 1)


@pytest.mark.slow
def test_many_pending_attacks_against_a_plain_search() -> None:
    check_against_plain_search(200, 2)


@pytest.mark.parametrize(
    ("override", "gone"), [("gladiators.runt.points=2", "Iron, Patron"), ("gladiators.thorn.points=3", None)]
)
def test_samples_that_no_longer_add_up_are_set_aside(override: str, gone: str | None) -> None:
    lines = set_aside(load_rules(), load_rules(overrides=[override]))
    said = f"Sample teams that these values no longer allow were set aside: {gone}."
    assert (said in lines) is (gone is not None)


def test_what_a_file_itself_says_has_to_add_up(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('[teams.mine]\nname = "Mine"\ngladiators = ["runt"]\n', encoding="utf-8")
    with pytest.raises(RulesError, match="too few"):
        load_rules([file])


def test_an_own_set_can_stand_alone(tmp_path: Path) -> None:
    file = tmp_path / "own.toml"
    file.write_text(OWN, encoding="utf-8")
    alone = load_rules([file])
    assert [rule.name for rule in alone.gladiators] == ["Hammer", "Veil", "Rat", "Page"]
    teams, _ = findings(alone, Checks(teams="any"))
    assert [row["points"] for row in teams.rows] == [alone.match.team_points]
    assert not alone.illustrative
    file.write_text(OWN.replace("alone = true", "alone = false"), encoding="utf-8")
    assert len(load_rules([file]).gladiators) > 12


def test_a_deck_smaller_than_a_hand_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "small.toml"
    file.write_text(
        '[match]\nmin_deck = 1\n[decks.iron]\ncards = ["second-wind 3", "sidestep 3"]\n', encoding="utf-8"
    )
    with pytest.raises(RulesError, match="from 9"):
        load_rules([file])
