"""Rules files of Ophidian Arena: the illustrative set, the words of abilities, contradictions."""

from __future__ import annotations

from itertools import combinations

from engine.ophidian.rules import Rules
from engine.ophidian.rules_checks import points_problem
from tests.engine.ophidian.tables import BOX


def legal_teams(rules: Rules) -> tuple[int, int]:
    """Teams of exactly ten points, without a discount and with one."""
    full = discounted = 0
    starting = [rule for rule in rules.gladiators if not rule.reinforcement]
    for size in range(1, rules.match.team_size + 1):
        for team in combinations(starting, size):
            total, most = sum(rule.points for rule in team), max(rule.discount for rule in team)
            full += total == rules.match.team_points
            discounted += not points_problem(total, rules.match.team_points, most)
    return full, discounted


def test_T1_T2_the_illustrative_set_has_so_many_teams() -> None:
    assert legal_teams(BOX) == (123, 199)


def test_T3_the_illustrative_set_in_full() -> None:
    assert (len(BOX.gladiators), len(BOX.cards)) == (14, 32)
    assert [deck.size for deck in BOX.decks] == [51] * 4
    kinds = [card.type for card in BOX.cards]
    assert [kinds.count(kind) for kind in ("quick-hit", "pump", "minion")] == [19, 8, 5]
    assert [card.id for card in BOX.cards if card.sign == "response"] == [
        "sidestep",
        "iron-guard",
        "blood-up",
        "last-stand",
        "hex",
        "dread",
    ]
    assert [card.id for card in BOX.cards if card.unique] == ["arena-beast"]


def test_every_deck_can_play_all_its_cards() -> None:
    for deck in BOX.decks:
        team = [BOX.gladiators[BOX.gladiator(name)] for name in BOX.team(deck.team).gladiators]
        known = {discipline for rule in team for discipline in rule.disciplines}
        for name, _ in deck.cards:
            for discipline, _ in BOX.cards[BOX.card_numbers[name]].requires:
                assert {discipline, "universal"} & (known | {"universal"} & {discipline}), (deck.id, name)
