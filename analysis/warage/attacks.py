"""Attacks of one loadout on another: exact laws of damage, kill chances, spells apart or together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from analysis.errors import RequestError
from analysis.front.parameters import parameters, unheeded
from analysis.front.question import Running
from analysis.warage.game import GAME
from analysis.warage.loadouts import Loadout, Table, loadouts_of
from analysis.warage.questions.attack import Attack as Asked
from analysis.warage.questions.attack import AttackAnswer, AttackRow, LawEntry, RoundRow
from analysis.warage.questions.replies import Replies
from engine.warage.combat import (
    Attack,
    Law,
    all_of,
    chance_of_six,
    combinations,
    kill_chance,
    law,
    mean_damage,
)
from engine.warage.rules import CardRule, Rules

MAX_ARRANGEMENTS = 200


@dataclass(frozen=True)
class Help:
    """What cards played for one attack add to it."""

    attack: int = 0
    magic: int = 0
    defence: int = 0
    dice: int = 0
    prevent: int = 0


_ADDED = {"--with-cards": ("A", "dice"), "--against-cards": ("D", "dice", "prevent")}
"""What counts of what is played for an attack, and against it."""


def _added(card: CardRule) -> Counter[str]:
    """What a card adds when it is played, or used, for one attack."""
    total: Counter[str] = Counter()
    for effect in card.effects:
        # What is rolled anew is no number that is added.
        played = effect.target == "this-attack" and effect.trigger in ("play", "use")
        if played and effect.action != "reroll":
            total["prevent" if effect.action == "prevent" else effect.stat] += effect.amount
    return total


def helping(
    rules: Rules, played: Mapping[str, int], option: str, *, magic: bool = False
) -> tuple[list[CardRule], Help]:
    """Return cards that are played for this attack, and what they add for whoever plays them.

    Parameters
    ----------
    option : `--with-cards` for the attacker, `--against-cards` for the defender.
    magic : whether the attacker has spells to attack with.

    Raises
    ------
    RequestError
        If a card adds nothing to that side.
    """
    counting = {*_ADDED[option], *(("M",) if magic and option == "--with-cards" else ())}
    cards: list[CardRule] = []
    total = {"A": 0, "M": 0, "D": 0, "dice": 0, "prevent": 0}
    for card in (rules.card(name) for name, copies in played.items() for _ in range(copies)):
        added = _added(card)
        if not counting & set(added):
            do = [each.id for each in rules.cards if counting & set(_added(each))][:3]
            side = "to this attack" if option == "--with-cards" else "to the defence against it"
            hint = f"; such as {' or '.join(do)} do" if do else ""
            raise RequestError(f"{card.id} adds nothing {side}{hint}", option)
        for stat, amount in added.items():
            total[stat] += amount
        cards.append(card)
    return cards, Help(total["A"], total["M"], total["D"], total["dice"], total["prevent"])


@dataclass(frozen=True)
class Question:
    """Attacks to be priced; `own` and `other` are what is played for the attack in question."""

    table: Table
    own_cards: tuple[CardRule, ...] = ()
    other_cards: tuple[CardRule, ...] = ()
    own: Help = Help()
    other: Help = Help()

    def attack(self, spell: str | None, copies: int = 1, *, helped: bool) -> Attack:
        """Return an attack of hero 0 on hero 1."""
        if not helped:
            return self.table.attack(0, spell, copies)
        plus = self.own.attack if spell is None else self.own.magic
        return self.table.attack(
            0,
            spell,
            copies,
            plus=(plus, self.other.defence),
            dice=(self.own.dice, self.other.dice),
            prevent=self.other.prevent,
        )


def answer(asked: Asked, running: Running) -> AttackAnswer:
    """Price attacks; RequestError if a card adds nothing to them, or hidden cards are spoken of."""
    hidden = [each.name for each in parameters(Replies) if each.name != "other_hp"]
    unheeded(asked, "goes with --replies", "max_nodes", *hidden)
    rules = GAME.rules_of(asked.rules)
    heroes = loadouts_of(rules, asked.heroes)
    played = asked.with_cards, asked.against_cards
    return attack_report(attacks_of(rules, heroes, asked.season, asked.held.totals.other_hp, played))


def attacks_of(
    rules: Rules,
    heroes: tuple[Loadout, Loadout],
    season: str,
    hp: int | None,
    played: tuple[Mapping[str, int], Mapping[str, int]],
) -> Question:
    """Return the question of one hero's attacks on another; RequestError if a card adds nothing to them.

    Parameters
    ----------
    hp : of the defender; those of its race if None.
    played : cards for one attack, and against it.
    """
    own_cards, own = helping(rules, played[0], "--with-cards", magic=bool(heroes[0].spells))
    other_cards, other = helping(rules, played[1], "--against-cards")
    table = Table(rules, heroes, season, hp=(heroes[0].race.hp, hp or heroes[1].race.hp))
    return Question(table, tuple(own_cards), tuple(other_cards), own, other)


def attack_name(spell: str | None, copies: int = 1) -> str:
    """What an attack is called."""
    return "melee" if spell is None else spell if copies == 1 else f"{spell} x{copies} together"


def arrangements(attacker: Loadout) -> list[tuple[tuple[str | None, int], ...]]:
    """Ways to attack in one round: melee, and each spell's copies apart or together (K1, K4)."""
    choices = [
        [tuple((spell, size) for size in sizes) for sizes in combinations(copies)]
        for spell, copies in attacker.spells.items()
    ]
    ways: list[tuple[tuple[str | None, int], ...]] = []
    for chosen in product(*choices):
        attacks: list[tuple[str | None, int]] = [(None, 1)]
        for sizes in chosen:
            attacks += sizes
        ways.append(tuple(attacks))
    return ways


def attack_report(question: Question) -> AttackAnswer:
    """Price every attack, and every way to attack in one round; cards played go to the first attack.

    Raises
    ------
    RequestError
        If there are too many ways.
    """
    table = question.table
    attacker, defender = table.heroes
    hp = table.hp[1]
    rows = [_row(attack_name(None), question.attack(None, helped=True), hp)]
    for spell, copies in attacker.spells.items():
        for size in range(1, copies + 1):
            rows.append(_row(attack_name(spell, size), question.attack(spell, size, helped=True), hp))
    ways = arrangements(attacker)
    if len(ways) > MAX_ARRANGEMENTS:
        raise RequestError(f"{len(ways)} ways to combine the spells are too many; leave some out")
    rounds: list[tuple[RoundRow, Law]] = []
    for way in ways:
        best = max(
            (_helped(question, way, first) for first in range(len(way))),
            key=lambda damage: (kill_chance(damage, hp), mean_damage(damage)),
        )
        rounds.append((_round(way, best, hp), best))
    rounds.sort(key=lambda pair: (-pair[0].kill, -pair[0].mean))
    return AttackAnswer(
        attacker=attacker.text,
        defender=defender.text,
        season=table.season,
        with_cards=[card.id for card in question.own_cards],
        against_cards=[card.id for card in question.other_cards],
        hp=hp,
        attacks=rows,
        rounds=[row for row, _ in rounds],
        law=_law_entries(rounds[0][1]),
    )


def _helped(question: Question, way: tuple[tuple[str | None, int], ...], helped: int) -> Law:
    """The law of a round in which the cards go to one of its attacks."""
    return all_of(
        question.attack(spell, size, helped=number == helped) for number, (spell, size) in enumerate(way)
    )


def _row(name: str, attack: Attack, hp: int) -> AttackRow:
    damage = law(attack)
    numbers = [mean_damage(damage), kill_chance(damage, 1), kill_chance(damage, hp), chance_of_six(damage)]
    mean, hit, kill, six = map(float, numbers)
    return AttackRow(
        name,
        attack.attack,
        attack.attack_dice,
        attack.defence,
        attack.defence_dice,
        mean,
        hit,
        kill,
        six,
        list(map(str, numbers)),
    )


def _round(way: tuple[tuple[str | None, int], ...], damage: Law, hp: int) -> RoundRow:
    numbers = [mean_damage(damage), kill_chance(damage, hp), chance_of_six(damage)]
    mean, kill, six = map(float, numbers)
    return RoundRow(
        [attack_name(spell, size) for spell, size in way], mean, kill, six, list(map(str, numbers))
    )


def _law_entries(damage: Law) -> list[LawEntry]:
    none = Fraction(0)
    return [
        LawEntry(
            amount,
            float(damage.get((amount, False), none)),
            float(damage.get((amount, True), none)),
            str(damage.get((amount, False), none) + damage.get((amount, True), none)),
        )
        for amount in sorted({amount for amount, _ in damage})
    ]
