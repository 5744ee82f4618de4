"""Days that are one game under other names, and what a day's key depends on."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from engine.ragers.day import day_tables
from engine.ragers.isomorphism import day_game, relabelling
from engine.ragers.rules import ATTACKS, TYPES, load_rules

RULES = load_rules()
IDENTITY = tuple(range(len(TYPES)))


def test_C2_cheers_for_two_of_an_attack_are_one_game() -> None:
    for patron in RULES.patrons:
        for one, other in itertools.product(("two-bashers", "two-slashers", "two-prodders"), repeat=2):
            source, target = day_game(RULES, patron.id, [one]), day_game(RULES, patron.id, [other])
            types = relabelling(source, target)
            assert types is not None, (patron.id, one, other)
            assert source.relabelled(types) == target
            assert (types == IDENTITY) == (one == other)
            # A rotation, never a swap of two: that would turn round who beats whom.
            moved = [types[t] != t for t in ATTACKS]
            assert all(moved) or not any(moved)
            assert types[3:] == IDENTITY[3:]


@pytest.mark.parametrize(
    "change",
    [
        "cards.basher.gp=4",
        "cards.basher.copies=3",
        "cards.basher.copies={accusers=3, defenders=4}",
        "cards.basher.beats=[]",
        "cheers.two-bashers.gp=3",
        'cheers.two-bashers.forbidden=["veteran"]',
    ],
)
def test_a_broken_symmetry_is_no_relabelling(change: str) -> None:
    rules = load_rules(overrides=[change])
    assert (
        relabelling(day_game(rules, "arianna", ["two-bashers"]), day_game(rules, "arianna", ["two-slashers"]))
        is None
    )


def test_relabelled_days_have_equal_payoffs() -> None:
    # The permutation is right if the same placements, renamed, pay the same.
    small = load_rules(overrides=["match.row_length=2", "match.hand_size=2"])
    source, target = (day_game(small, "greybeard", [cheers]) for cheers in ("two-bashers", "two-slashers"))
    types = relabelling(source, target)
    assert types is not None
    one, other = (day_tables(small, "greybeard", [cheers]) for cheers in ("two-bashers", "two-slashers"))
    rng = np.random.default_rng(1)
    finished = 0
    for _ in range(300):
        rows = [(one.start_row, one.start_row), (other.start_row, other.start_row)]
        while True:
            first, second = (int(t) for t in rng.integers(0, len(ATTACKS), 2))
            pays = []
            for number, (tables, names) in enumerate(((one, IDENTITY), (other, types))):
                a, b = (tables.type_ids.index(TYPES[names[t]]) for t in (first, second))
                row0, row1 = rows[number]
                row0, row1 = (
                    int(tables.next_row[row0, tables.face[row1], a, b]),
                    int(tables.next_row[row1, tables.face[row0], b, a]),
                )
                rows[number] = (int(tables.commit[row0, 0]), int(tables.commit[row1, 0]))
                if tables.full[rows[number][0]]:
                    classes = [tables.terminal_class[row] for row in rows[number]]
                    pays.append(float(tables.payoff[classes[0], classes[1]]))
            if pays:
                assert pays[0] == pays[1]
                finished += 1
                break
    assert finished == 300


def test_the_key_depends_on_what_matters_only() -> None:
    def key(*changes: str) -> str:
        return day_game(load_rules(overrides=changes), "solennos", ["two-bashers"]).sha256

    base = key()
    for change in (
        "cheers.two-slashers.gp=5",
        "patrons.arianna.row_length=3",
        "match.days=1",
        "match.winning_lead=3",
        "cards.veteran.gp=7",  # banned by Solennos, so never in a row (K3)
        'patrons.solennos.name="Sol"',
        "patrons.solennos.row_length=5",  # the match's own
    ):
        assert key(change) == base, change
    for change in (
        "cheers.two-bashers.gp=5",
        "patrons.solennos.row_length=3",
        "match.hand_size=4",
        "match.discards=0",
        "match.row_length=4",
        "cards.chancer.copies=1",
        "cards.veteran.copies=1",  # banned, but still clogging hands
        "cards.deadeye.gp=7",
        "cards.basher.beats=[]",
        "patrons.solennos.forbidden=[]",
    ):
        assert key(change) != base, change
