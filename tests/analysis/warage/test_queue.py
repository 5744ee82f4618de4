"""An attack with hidden replies: against plain minimax where nothing is hidden, and by its own parts."""

from __future__ import annotations

import pytest

from analysis.front.kinds import Counts, read_counts
from analysis.pools import Pool, hands
from analysis.warage.cards import card_names
from analysis.warage.loadouts import Table, parse_loadout
from analysis.warage.queue_game import CHANCE, Node, QueueGame, QueueQuestion
from analysis.warage.queues import by_hp, by_race, queue_report
from analysis.warage.race import RaceQuestion, race_report
from engine.warage.combat import law
from engine.warage.rules import Rules, load_rules

BOX = load_rules()
POOLS = "battle-cry 3, negate 2, other 11", "parry 3, bulwark 2, negate 2, other 9"


def pool_of(text: str) -> Pool:
    return tuple(read_counts(Counts("reply cards"), text, card_names(BOX), "--pool").items())


def question(pool_a: str, pool_b: str, hidden: tuple[int, int], **more: object) -> QueueQuestion:
    """An attack of an orc with 40 HP on a human with 12."""
    given: dict[str, object] = {"hero": "orc/warrior:great-sword", "rules": BOX, "hp": (40, 12)}
    given |= {"other": "human/paladin", "spell": None, "copies": 1, "card_hp": 0} | more
    rules = given.pop("rules")
    assert isinstance(rules, Rules)
    heroes = parse_loadout(rules, str(given.pop("hero"))), parse_loadout(rules, str(given.pop("other")))
    at_table = Table(rules, heroes, "summer", hp=given.pop("hp"))  # type: ignore[arg-type]
    return QueueQuestion(at_table, pools=(pool_of(pool_a), pool_of(pool_b)), hidden=hidden, **given)  # type: ignore[arg-type]


def dealt(source: QueueGame) -> Node:
    """The game after its only deal."""
    ((deal, _),) = source.chance_outcomes(source.root())
    return source.child(source.root(), deal)


def minimax(source: QueueGame, node: Node) -> float:
    if source.is_terminal(node):
        return source.payoff(node)
    below = [minimax(source, source.child(node, action)) for action in source.actions(node)]
    return max(below) if source.player(node) == 0 else min(below)


def test_hands_from_pools() -> None:
    found = dict(hands(pool_of("parry 3, bulwark 2, other 11"), 2))
    assert (found[()], found["parry", "parry"], found["bulwark", "parry"]) == (55, 3, 6)
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
    sizes = (sum(copies for _, copies in pool_of(pool_a)), sum(copies for _, copies in pool_of(pool_b)))
    asked = question(pool_a, pool_b, sizes)
    source = QueueGame(asked, by_hp)
    expected = minimax(source, dealt(source))
    report = queue_report(asked)
    assert report.value == pytest.approx(expected, abs=1e-9)
    assert report.open_value == pytest.approx(expected, abs=1e-9)
    assert abs(report.nash_conv) < 1e-9


@pytest.mark.kernels
def test_without_replies_it_is_the_attack() -> None:
    asked = question("other 5", "other 5", (1, 1))
    report = queue_report(asked)
    damage = law(asked.table.attack(0)).items()
    assert report.kill == pytest.approx(float(sum(chance for (hurt, _), chance in damage if hurt >= 12)))
    assert report.taken == pytest.approx(float(sum(chance * min(hurt, 12) for (hurt, _), chance in damage)))
    value = sum(float(chance) * by_hp(40, max(12 - hurt, 0)) for (hurt, _), chance in damage)
    assert report.value == pytest.approx(value)
    assert (report.decisions, report.paid, report.before) == ([], [0.0, 0.0], 40 - 12)
    assert report.value - 28 == pytest.approx(report.taken + report.kill_hp * report.kill)


@pytest.mark.kernels
@pytest.mark.parametrize("card_hp", [0, 2])
def test_an_equilibrium_is_worth_what_its_parts_are(card_hp: int) -> None:
    report = queue_report(question(*POOLS, (1, 1), card_hp=card_hp, hp=(400, 300)))
    assert abs(report.nash_conv) < 1e-9
    assert report.decided >= report.mixed
    assert all(sum(row.moves.values()) == pytest.approx(1) for row in report.decisions)
    assert all(loss >= 0 for loss in report.pure_loses)
    assert report.kill == 0.0
    assert report.before is not None
    gained = report.value - report.before - (report.taken + report.paid[1] - report.paid[0])
    # What is left are replies that were played, and count no longer.
    assert abs(gained) <= 2 * card_hp + 1e-9


def test_who_cannot_reply_is_not_asked() -> None:
    source = QueueGame(question("other 3", "other 3", (1, 1)), by_hp)
    assert source.player(source.root()) == CHANCE
    assert source.is_terminal(dealt(source))


def test_a_negated_attack_ends_with_its_queue() -> None:
    """What comes in later phases and rounds, such as HP of an opening, is no part of it."""
    changed = 'cards.negate.effects=[{trigger="play", action="negate", kinds=["flash", "attack"]}]'
    known = load_rules(overrides=[changed])
    source = QueueGame(question("other", "negate", (1, 1), rules=known, other="human/paladin:monk"), by_hp)
    node = dealt(source)
    _, negate = source.actions(node)
    after = source.child(node, negate)
    assert source.is_terminal(after)
    assert source.attack(after) is None
    assert source.payoff(after) == by_hp(40, 12 - known.card("negate").cost)


@pytest.mark.parametrize(
    ("own", "other", "worth"), [(7, 3, 4), (0, 3, -103), (-2, 3, -105), (7, 0, 107), (1, 1, 0), (0, 0, 0)]
)
def test_to_be_beaten_is_as_bad_as_a_hundred_hp(own: int, other: int, worth: int) -> None:
    assert by_hp(own, other) == worth


@pytest.mark.kernels
def test_an_end_is_worth_the_race_that_follows_with_the_other_one_to_move() -> None:
    asked = question("other", "other", (0, 0), rounds_left=5)
    worth = by_race(asked)
    common = {"season": "summer", "first": 1, "rounds_left": 5, "truce": False, "specials": False}
    for hp in ((9, 7), (30, 12), (1, 1), (40, 40)):
        raced = RaceQuestion(BOX, asked.table.heroes, hp, **common)  # type: ignore[arg-type]
        assert worth(*hp) == pytest.approx(race_report(raced).by_seat[1], abs=1e-12)
    assert (worth(0, 5), worth(-3, 5), worth(5, 0), worth(5, -3), worth(0, 0)) == (0.0, 0.0, 1.0, 1.0, 0.0)
    # Beyond what an attack may bring more HP count as that.
    assert worth(5_000, 9) == worth(4_000, 9) >= worth(40, 9)
    assert worth(9, 5_000) == worth(9, 4_000) <= worth(9, 40)


def test_spells_are_cast_with_as_many_copies_as_are_asked_for() -> None:
    hero: dict[str, object] = {"hero": "elf/mage:bone-collar,fireball 2", "hp": (30, 25)}
    for copies in (1, 2):
        asked = question("other", "other", (0, 0), spell="fireball", copies=copies, **hero)
        source = QueueGame(asked, by_hp)
        node, attack = dealt(source), asked.table.attack(0, "fireball", copies)
        assert source.is_terminal(node)
        assert source.damage(node) == law(attack)
        exact = sum(float(chance) * by_hp(30, max(25 - hurt, 0)) for (hurt, _), chance in law(attack).items())
        assert source.payoff(node) == pytest.approx(exact)
        assert source.before == 5
    # Half of the deals have a card that could be kept.
    counted = QueueGame(question("parry, other", "other", (1, 0), card_hp=3, **hero), by_hp)
    assert counted.before == pytest.approx(5 + 3 * 0.5)
