"""``attack``: every attack priced, in fractions; or one that hidden cards may answer, solved."""

from __future__ import annotations

from typing import Annotated

import msgspec

from analysis.amounts import chance
from analysis.front.bundles import RulesFiles
from analysis.front.kinds import Counts
from analysis.front.page import Cell, Column, Fact, Facts, Page, Section, Table
from analysis.front.parameters import param
from analysis.front.question import Amount, Answer, Question, Running, imported
from analysis.warage.positions import Heroes, Season
from analysis.warage.questions.replies import (
    EXAMPLE,
    MAX_NODES,
    Replies,
    RepliesAnswer,
    replies_amounts,
    replies_page,
)

__all__ = ["QUESTION", "AttackAnswer", "AttackRow", "LawEntry", "RoundRow"]

_ROUNDS = 5


class Attack(msgspec.Struct, frozen=True, kw_only=True):
    """Who attacks whom, and what is played meanwhile, or may be."""

    heroes: Heroes = Heroes()
    season: Season = "summer"
    with_cards: Annotated[
        dict[str, int], param("Cards that the attacker plays for one attack.", kind=Counts("cards", most=20))
    ] = msgspec.field(default_factory=dict)
    against_cards: Annotated[
        dict[str, int], param("Cards that are played against it.", kind=Counts("cards", most=20))
    ] = msgspec.field(default_factory=dict)
    replies: Annotated[
        bool, param("Solve one attack with hidden replies; options about hands and pools are for this alone.")
    ] = False
    held: Replies = Replies()
    max_nodes: Annotated[
        int,
        param(
            "Larger trees are refused. It goes with --replies.", ge=1, le=50_000_000, unit="nodes", more=True
        ),
    ] = MAX_NODES
    rules: RulesFiles = RulesFiles()


class LawEntry(msgspec.Struct, frozen=True):
    """A damage, and its chances without and with a die that shows a 6."""

    damage: int
    without_six: float
    with_six: float
    fraction: str


class AttackRow(msgspec.Struct, frozen=True):
    """One attack.

    Attributes
    ----------
    attack, defence : totals before dice.
    mean, hit, kill, six : damage on average; chances to do any, to beat the defender, and of a 6.
    fractions : the four of them as ratios of whole numbers.
    """

    name: str
    attack: int
    attack_dice: int
    defence: int
    defence_dice: int
    mean: float
    hit: float
    kill: float
    six: float
    fractions: list[str]


class RoundRow(msgspec.Struct, frozen=True):
    """A way to attack in one round: which attacks, and what they do together."""

    attacks: list[str]
    mean: float
    kill: float
    six: float
    fractions: list[str]


class AttackAnswer(Answer, frozen=True, kw_only=True):
    """The attacks of one loadout on another in one season.

    Attributes
    ----------
    hp : of the defender.
    rounds : ways to attack in one round, the best first: by kill chance, then by damage.
    law : damage and sixes of the best of them, which has a fraction for both together.
    """

    attacker: str
    defender: str
    season: str
    with_cards: list[str]
    against_cards: list[str]
    hp: int
    attacks: list[AttackRow]
    rounds: list[RoundRow]
    law: list[LawEntry]


def _answer(asked: Attack, running: Running) -> AttackAnswer | RepliesAnswer:
    if not asked.replies:
        priced: AttackAnswer = imported("analysis.warage.attacks:answer")(asked, running)
        return priced
    question = imported("analysis.warage.queue_game:question_of")(asked)
    # scipy, and with it all that solves, is imported when nothing is wrong any more.
    solved: RepliesAnswer = imported("analysis.warage.queues:queue_report")(question)
    return solved


def _amounts(found: AttackAnswer | RepliesAnswer) -> list[Amount]:
    if isinstance(found, RepliesAnswer):
        return replies_amounts(found)
    best = found.rounds[0]
    return [
        Amount("kill", "the best round kills", best.kill, "share"),
        Amount("damage", "damage of the best round", best.mean),
        Amount("six", "a die of the best round shows a 6", best.six, "share"),
    ]


def _page(found: AttackAnswer | RepliesAnswer) -> Page:
    if isinstance(found, RepliesAnswer):
        return replies_page(found)
    best = found.rounds[0]
    facts = [
        Fact("attacker", "attacker", found.attacker),
        Fact("defender", "defender", f"{found.defender}, {found.hp} HP, in {found.season}"),
    ]
    figures = [
        Column("mean", "damage", "number", 3),
        Column("kill", "kills", "share", 2),
        Column("six", "a 6", "share", 2),
    ]
    columns = [
        Column("attack", "attack"),
        Column("total", "total", "count"),
        Column("dice", "dice", "count"),
        Column("defence", "against", "count"),
        Column("defence_dice", "dice", "count"),
        figures[0],
        Column("hit", "hits", "share", 2),
        *figures[1:],
    ]
    attacks: list[list[Cell]] = [
        [
            *(row.name, row.attack, row.attack_dice, row.defence, row.defence_dice),
            *(row.mean, row.hit, row.kill, row.six),
        ]
        for row in found.attacks
    ]
    rounds: list[list[Cell]] = [[", ".join(row.attacks), row.mean, row.kill, row.six] for row in found.rounds]
    sections: list[Section] = [Facts(facts), Table(columns, attacks)]
    in_round = [Column("attacks", "attacks"), *figures]
    if len(attacks) > 1:
        sections.append(Table(in_round, rounds[:_ROUNDS], "A round of them"))
    details = len(sections)
    if len(rounds) > _ROUNDS:
        sections.append(Table(in_round, rounds, "All ways to attack in one round"))
    names = [Column(key, key) for key in ("attack", "damage", "hits", "kills", "a 6")]
    sections.append(Table(names, [[row.name, *row.fractions] for row in found.attacks], "In fractions"))
    law = [
        Column("damage", "damage", "count"),
        Column("chance", "chance"),
        Column("six", "with a 6", "share", 2),
    ]
    sections.append(
        Table(
            law,
            [[each.damage, each.fraction, each.with_six] for each in found.law],
            "Damage of the best round",
        )
    )
    notes = []
    if found.with_cards:
        played = ", ".join(found.with_cards)
        notes.append(f"With {played}; in a round, for the attack where it kills most.")
    if found.against_cards:
        notes.append(f"Against it {', '.join(found.against_cards)}.")
    return Page(
        headline=f"The best round of attacks kills with {chance(best.kill)} and does {best.mean:.3f} damage.",
        sections=sections,
        notes=[*notes, "Exact; a 6 on any die changes the season."],
        details=details,
    )


QUESTION: Question[Attack, AttackAnswer | RepliesAnswer] = Question(
    name="attack",
    about="Price the attacks of one hero on another: damage, kill chance. Spells count apart and together."
    " With --replies one attack is solved that hidden cards may answer: play a card, or keep it? The end is"
    " worth HP, or with --rounds-left the chance to win the race that follows.",
    asked=Attack,
    answers=AttackAnswer,
    also=(RepliesAnswer,),
    function=_answer,
    page=_page,
    exactness="exact",
    amounts=_amounts,
    examples=(
        "attack orc/warrior:great-sword human/paladin:lunar-shield --other-hp 12",
        'attack "elf/mage:scepter-of-the-lich,fireball 2" human/paladin --season spring --other-hp 20',
        "attack orc/warrior:war-axe elf/mage --with-cards battle-cry --against-cards parry",
        "attack orc/warrior:great-sword human/paladin --vary other_hp=8:20:4",
        f"attack {EXAMPLE} --replies",
        'attack "elf/mage:bone-collar,fireball 2" orc/warrior --replies --attack "fireball 2"'
        ' --pool "arcane-surge 3, negate 2, other 11" --rounds-left 12',
        "attack orc/warrior:great-sword human/paladin --replies --vary other_hp=6:10:2",
    ),
)
