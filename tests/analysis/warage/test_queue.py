"""An attack with hidden replies: against plain minimax where nothing is hidden, and what a mix may cost."""

from __future__ import annotations

import gc
from dataclasses import replace

import pytest

from analysis.errors import RefusedError, RequestError
from analysis.front.kinds import Counts, read_counts
from analysis.pools import Pool, hands
from analysis.warage.cards import card_names
from analysis.warage.loadouts import Table, parse_loadout
from analysis.warage.queue_game import CHANCE, Node, QueueGame
from analysis.warage.queues import QueueQuestion, by_hp, by_race, move_text, queue_report, queue_tree
from analysis.warage.race import RaceQuestion, race_report
from engine.warage.combat import Attack, law
from engine.warage.reference import Move
from engine.warage.rules import load_rules

BOX = load_rules()


def pool_of(text: str) -> Pool:
    return tuple(read_counts(Counts("reply cards"), text, card_names(BOX), "--pool").items())


def table(hp: tuple[int, int] = (40, 12), attacker: str = "orc/warrior:great-sword") -> Table:
    return Table(BOX, (parse_loadout(BOX, attacker), parse_loadout(BOX, "human/paladin")), "summer", hp=hp)


def question(pool_a: str, pool_b: str, hidden: tuple[int, int], **more: object) -> QueueQuestion:
    pools = pool_of(pool_a), pool_of(pool_b)
    usual: dict[str, object] = {"spell": None, "copies": 1, "card_hp": 0}
    return QueueQuestion(table(), pools=pools, hidden=hidden, **(usual | more))  # type: ignore[arg-type]


def minimax(source: QueueGame, node: Node) -> float:
    if source.is_terminal(node):
        return source.payoff(node)
    below = [minimax(source, source.child(node, action)) for action in source.actions(node)]
    return max(below) if source.player(node) == 0 else min(below)


def test_hands_from_pools() -> None:
    pool = pool_of("parry 3, bulwark 2, other 11")
    found = dict(hands(pool, 2))
    assert found[()] == 55
    assert found["parry", "parry"] == 3
    assert found["bulwark", "parry"] == 6
    assert sum(found.values()) == 16 * 15 // 2


@pytest.mark.kernels
@pytest.mark.parametrize(
    ("pool_a", "pool_b"),
    [
        ("battle-cry", "parry"),
        ("battle-cry, negate", "parry, negate"),
        ("negate 2", "bulwark, negate"),
    ],
)
def test_with_known_hands_it_is_minimax(pool_a: str, pool_b: str) -> None:
    pools = pool_of(pool_a), pool_of(pool_b)
    sizes = (sum(copies for _, copies in pools[0]), sum(copies for _, copies in pools[1]))
    source = QueueGame(table(), None, 1, pools, sizes, by_hp)
    ((deal, _),) = source.chance_outcomes(source.root())
    expected = minimax(source, source.child(source.root(), deal))
    report = queue_report(question(pool_a, pool_b, sizes))
    assert report.value == pytest.approx(expected, abs=1e-9)
    assert report.open_value == pytest.approx(expected, abs=1e-9)
    assert abs(report.nash_conv) < 1e-9


@pytest.mark.kernels
def test_without_replies_it_is_the_attack() -> None:
    report = queue_report(question("other 5", "other 5", (1, 1)))
    damage = law(Attack(25, 1, 16, 1))
    expected = sum(float(chance) * by_hp(40, max(12 - hurt, 0)) for (hurt, _), chance in damage.items())
    assert report.value == pytest.approx(expected)
    assert report.decisions == []


@pytest.mark.kernels
def test_what_an_attack_takes_and_kills_is_told_apart_from_what_stood_before() -> None:
    damage = law(Attack(25, 1, 16, 1))
    report = queue_report(question("other 5", "other 5", (1, 1)))
    kill = sum(chance for (hurt, _), chance in damage.items() if hurt >= 12)
    taken = sum(chance * min(hurt, 12) for (hurt, _), chance in damage.items())
    assert report.kill == pytest.approx(float(kill))
    assert report.taken == pytest.approx(float(taken))
    assert report.paid == [0.0, 0.0]
    assert report.before == 40 - 12
    assert report.value - 28 == pytest.approx(report.taken + report.kill_hp * report.kill)


@pytest.mark.kernels
@pytest.mark.parametrize("card_hp", [0, 2])
def test_what_an_attack_is_worth_is_made_of_what_is_told(card_hp: int) -> None:
    pools = "battle-cry 3, negate 2, other 11", "parry 3, bulwark 2, negate 2, other 9"
    asked = replace(question(*pools, (1, 1), card_hp=card_hp), table=table((400, 300)))
    report = queue_report(asked)
    assert report.kill == 0.0
    assert report.before is not None
    gained = report.value - report.before - (report.taken + report.paid[1] - report.paid[0])
    # What is left are replies that were played, and count no longer.
    assert abs(gained) <= 2 * card_hp + 1e-9


@pytest.mark.kernels
def test_hidden_replies_are_an_equilibrium() -> None:
    report = queue_report(
        question("battle-cry 3, negate 2, other 11", "parry 3, bulwark 2, negate 2, other 9", (1, 1))
    )
    assert abs(report.nash_conv) < 1e-9
    assert report.decided >= report.mixed
    assert all(sum(row.moves.values()) == pytest.approx(1) for row in report.decisions)
    assert all(loss >= 0 for loss in report.pure_loses)


def test_who_cannot_reply_is_not_asked() -> None:
    pools = pool_of("other 3"), pool_of("other 3")
    source = QueueGame(table(), None, 1, pools, (1, 1), by_hp)
    assert source.player(source.root()) == CHANCE
    (deal, _), *_ = source.chance_outcomes(source.root())
    assert source.is_terminal(source.child(source.root(), deal))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("parri 3", "did you mean parry?"),
        ("war-axe", "no reply card is called 'war-axe'"),
        ("insight 2", "no reply card is called 'insight'"),
        ("change-of-wind", "no reply card is called 'change-of-wind'"),
    ],
)
def test_wrong_pools_say_what_would_do(text: str, said: str) -> None:
    with pytest.raises(RequestError, match=said.replace("?", r"\?")):
        pool_of(text)


@pytest.mark.kernels
def test_too_large_a_tree_is_refused() -> None:
    with pytest.raises(RefusedError, match="fewer hidden cards"):
        queue_report(question("battle-cry 3, negate 2", "parry 3, bulwark 2", (2, 2), max_nodes=20))


def test_a_negated_attack_ends_with_its_queue() -> None:
    """What comes in later phases and rounds, such as HP of an opening, is no part of it."""
    known = load_rules(
        overrides=['cards.negate.effects=[{trigger="play", action="negate", kinds=["flash", "attack"]}]']
    )
    heroes = parse_loadout(known, "orc/warrior:great-sword"), parse_loadout(known, "human/paladin:monk")
    pools = pool_of("other"), pool_of("negate")
    source = QueueGame(Table(known, heroes, "summer", hp=(40, 12)), None, 1, pools, (1, 1), by_hp)
    ((deal, _),) = source.chance_outcomes(source.root())
    node = source.child(source.root(), deal)
    _, negate = source.actions(node)
    cost = known.card("negate").cost
    after = source.child(node, negate)
    assert source.is_terminal(after)
    assert source.attack(after) is None
    assert source.payoff(after) == by_hp(40, 12 - cost)


@pytest.mark.parametrize(
    ("own", "other", "worth"), [(7, 3, 4), (0, 3, -103), (-2, 3, -105), (7, 0, 107), (1, 1, 0), (0, 0, 0)]
)
def test_to_be_beaten_is_as_bad_as_a_hundred_hp(own: int, other: int, worth: int) -> None:
    assert by_hp(own, other) == worth


@pytest.mark.kernels
def test_an_end_is_worth_the_race_that_follows_with_the_other_one_to_move() -> None:
    asked = replace(question("other", "other", (0, 0)), rounds_left=5)
    worth = by_race(asked)
    for own, other in ((9, 7), (30, 12), (1, 1), (40, 40)):
        raced = RaceQuestion(
            BOX,
            asked.table.heroes,
            (own, other),
            season="summer",
            first=1,
            rounds_left=5,
            truce=False,
            specials=False,
        )
        assert worth(own, other) == pytest.approx(race_report(raced).by_seat[1], abs=1e-12)
    assert (worth(0, 5), worth(-3, 5), worth(5, 0), worth(5, -3), worth(0, 0)) == (0.0, 0.0, 1.0, 1.0, 0.0)
    # Beyond what an attack may bring more HP count as that.
    assert worth(5_000, 9) == worth(4_000, 9) >= worth(40, 9)
    assert worth(9, 5_000) == worth(9, 4_000) <= worth(9, 40)


@pytest.mark.kernels
def test_a_tree_as_large_as_allowed_is_solved() -> None:
    asked = question("battle-cry", "parry", (1, 1))
    nodes = queue_report(asked).nodes
    assert queue_report(replace(asked, max_nodes=nodes)).nodes == nodes
    with pytest.raises(RefusedError, match=f"more than {nodes - 1:,} nodes"):
        queue_report(replace(asked, max_nodes=nodes - 1))


def test_collecting_garbage_goes_on_as_it_was() -> None:
    was = gc.isenabled()
    try:
        for enabled in (True, False):
            (gc.enable if enabled else gc.disable)()
            queue_tree(question("other", "other", (0, 0)))
            assert gc.isenabled() is enabled
    finally:
        (gc.enable if was else gc.disable)()


@pytest.mark.parametrize(
    ("move", "said"),
    [
        (Move("pass"), "pass"),
        (Move("flash", (BOX.card_numbers["parry"], -1, -1, 0)), "parry on item 1"),
        (Move("flash", (BOX.card_numbers["parry"], -1, -1, 2)), "parry on item 3"),
        (Move("flash", (BOX.card_numbers["shatter"], 1, 0, -1)), "shatter on piece 1 of B"),
        (Move("flash", (BOX.card_numbers["shatter"], 0, 3, -1)), "shatter on piece 4 of A"),
        (Move("flash", (BOX.card_numbers["second-wind"], -1, -1, -1)), "second-wind"),
    ],
)
def test_replies_are_told_by_their_targets(move: Move, said: str) -> None:
    assert move_text(BOX, move) == said


def test_spells_are_cast_with_as_many_copies_as_are_asked_for() -> None:
    heroes = parse_loadout(BOX, "elf/mage:bone-collar,fireball 2"), parse_loadout(BOX, "human/paladin")
    at_table = Table(BOX, heroes, "summer", hp=(30, 25))
    nothing = pool_of("other"), pool_of("other")
    for copies in (1, 2):
        source = QueueGame(at_table, "fireball", copies, nothing, (0, 0), by_hp)
        ((deal, _),) = source.chance_outcomes(source.root())
        node = source.child(source.root(), deal)
        assert source.is_terminal(node)
        assert source.attack(node) == at_table.attack(0, "fireball", copies)
        assert source.damage(node) == law(at_table.attack(0, "fireball", copies))
        exact = sum(
            float(chance) * by_hp(30, 0 if hurt >= 25 else 25 - hurt)
            for (hurt, _), chance in law(at_table.attack(0, "fireball", copies)).items()
        )
        assert source.payoff(node) == pytest.approx(exact)
        assert source.before == 5
    counted = QueueGame(at_table, None, 1, (pool_of("parry, other"), pool_of("other")), (1, 0), by_hp, 3)
    # Half of the deals have a card that could be kept.
    assert counted.before == pytest.approx(5 + 3 * 0.5)
