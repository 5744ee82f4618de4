"""Rules files of Ophidian Arena: the illustrative set, the words of abilities, contradictions."""

from __future__ import annotations

from itertools import combinations

import pytest

from engine.ophidian.rules import ILLUSTRATIVE, Rules, RulesError, load_rules
from engine.ophidian.rules_checks import points_problem
from tests.engine.ophidian.tables import BOX


def wrong(*overrides: str) -> str:
    with pytest.raises(RulesError) as caught:
        load_rules(overrides=overrides)
    return str(caught.value)


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


def test_all_cards_are_assumed_and_answers_say_so() -> None:
    assert {BOX.provenance[f"cards.{card.id}.cost"] for card in BOX.cards} == {"assumed"}
    assert BOX.illustrative
    assert "illustrative" in ILLUSTRATIVE


_QUICK = 'cards.cheap-shot.abilities=[{when="action",target={side="enemy"},do=[%s]}]'
_REPLY = 'cards.sidestep.abilities=[{when="announced",to="attacked",do=[%s]}]'
_STATIC = 'cards.plate.abilities=[{when="static",do=[%s]}]'


@pytest.mark.parametrize(
    ("override", "said"),
    [
        (_QUICK % '{act="damege",type="direct",amount=1}', "did you mean damage"),
        (_QUICK % '{act="damage",amount=1}', "type belongs to damage, which needs it"),
        (_QUICK % '{act="damage",type="direct"}', "damage needs an amount"),
        (_QUICK % '{act="damage",type="direct",amount=99}', "damage needs an amount"),
        (_QUICK % '{act="damage",type="direct",amont=1}', "did you mean amount"),
        (_QUICK % '{act="heal",amount=1,stat="life"}', "stat belongs to modify"),
        (_QUICK % '{act="modify",amount=1}', "stat belongs to modify, which needs it"),
        (_QUICK % '{act="modify",stat="attack"}', "modify needs an amount"),
        (_QUICK % '{act="move"}', "a field belongs to move"),
        (_QUICK % '{act="set",amount=1}', "set has no amount"),
        (_QUICK % '{act="become",sign="-"}', "become answers an action"),
        (_QUICK % '{act="stand_in"}', "stand_in is a static ability of minions"),
        (_QUICK % '{act="cheer",amount=1,on="target"}', "cheer falls on no Character"),
        (_QUICK % '{act="heal",amount=1,enemy=true}', "enemy belongs to cheer"),
        (_QUICK % '{act="heal",amount=1,on="attacker"}', "outside an attack"),
        (_QUICK % '{act="cheer",amount="wounds"}', "wounds of whom"),
        (_QUICK % '{act="heal",amount="count"}', "`count` says what"),
        (
            'cards.cheap-shot.abilities=[{when="action",do=[{act="heal",amount=1}]}]',
            "needs somebody to fall on",
        ),
        ('cards.cheap-shot.abilities=[{when="action",do=[]}]', "it does 0 things"),
        ("cards.cheap-shot.abilities=[]", "a quick-hit is one ability"),
        ('cards.cheap-shot.abilities=[{when="static",do=[]}]', "does not go with a quick-hit"),
        (
            'cards.sidestep.abilities=[{when="announced",do=[{act="draw",amount=1}]}]',
            "says what a response answers",
        ),
        (_REPLY % '{act="modify",stat="shield",amount=1,on="target"}', "there is none"),
        (_STATIC % '{act="heal",amount=1}', "heal is no static ability"),
        (_STATIC % '{act="modify",stat="life",amount="level"}', "life changes by a number, and always"),
        (
            'cards.regrowth.abilities=[{when="breather",do=[{act="draw",amount=1}]}]',
            "not work in the breather",
        ),
        ('cards.imp.abilities=[{when="action",sign="-",do=[{act="draw",amount=1}]}]', "repeated for ever"),
        ('cards.plate.requires=["tech five"]', "not a discipline with a level"),
        ('cards.plate.requires=["tec 1"]', "did you mean tech?"),
        ('cards.plate.put_on={sides="own"}', "did you mean side?"),
        ("cards.plate.sign=variable", "a pump has nothing that decides its sign"),
        ("cards.plate.sign=response", "a pump is no response"),
        ("cards.drone.stats=0", "a minion lives"),
        ("cards.plate.stats={life=2}", "a pump has no body"),
        ("cards.hex.unique=true", "a quick-hit does not stay in play"),
        ('cards.hex.put_on={side="own"}', "is put on nobody"),
        ("decks.iron.team=irn", "did you mean iron?"),
        ('decks.iron.cards=["hex 3"]', "3 cards"),
        ('decks.iron.cards=["hex 4"]', "4 copies of hex"),
        ('decks.iron.cards=["hexx 3"]', "did you mean hex?"),
        ('decks.iron.reinforcements=["runt"]', "there is no such reinforcement"),
        ('teams.iron.gladiators=["bastion","tempest","understudy","runt"]', "a reinforcement does not start"),
        ("gladiators.runt.maintain=1", "only reinforcements are maintained"),
        ("cards.hex.name=Veil", "is called so as well"),
    ],
)
def test_mistakes_are_named(override: str, said: str) -> None:
    assert said in wrong(override)


def test_the_hash_looks_at_cards() -> None:
    assert load_rules(overrides=["cards.hex.cost=3"]).sha256 != BOX.sha256
    assert load_rules(overrides=["cards.hex.name=Curse"]).sha256 == BOX.sha256
