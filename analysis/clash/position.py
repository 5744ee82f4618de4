"""The battle that a question is about: armies, what they carry, where in it the question stands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

from analysis.clash.armies import ELVES, NUMERALS, SIDES, Army, WeightTable, bears, equipped, parse_weights
from analysis.clash.scenario import Scenario
from analysis.errors import RequestError
from analysis.front.kinds import Counts, Holding, Parts, Pick
from analysis.front.parameters import Bundle, param
from analysis.front.sizes import read_memory
from engine.clash.rules import Rules

__all__ = [
    "ATTACKER",
    "DEFENDER",
    "Carried",
    "Force",
    "Forces",
    "Limits",
    "Memory",
    "Standing",
    "against_each",
    "army_of",
    "army_written",
    "pair",
    "scenario_of",
    "weights_of",
]


class Force(Parts, frozen=True):
    """A clan, or elves, and how many figures of each unit: ``bohorg: 2 Executioner, 1 I``."""

    clan: Annotated[str, param("The clan, or the elves.", kind=Pick("sides"))]
    units: Annotated[dict[str, int], param("Figures of each unit.", kind=Counts("units", of="clan"))]


ATTACKER = Force("bohorg", {"executioner": 2, "kragrider": 1})
DEFENDER = Force("elves", {"templar": 3})
ATTACKS = param('Army that attacks, such as "bohorg: 2 Executioner, 1 I".', metavar="ARMY")
DEFENDS = param('Army that defends, such as "elves: 2 Templar, 1 Guard".', metavar="ARMY")


class Forces(Bundle, frozen=True, kw_only=True):
    """Two armies."""

    attacker: Annotated[Force, ATTACKS] = ATTACKER
    defender: Annotated[Force, DEFENDS] = DEFENDER


class Carried(Bundle, frozen=True, kw_only=True):
    """What armies carry, and who distributes injuries."""

    equip: Annotated[
        tuple[str, ...],
        param(
            'What units carry, such as "Executioner: axe; Kragrider: crossbow". Repeatable.',
            kind=Holding("units", "carried cards"),
            metavar="TEXT",
            more=True,
        ),
    ] = ()
    equip_defender: Annotated[
        tuple[str, ...],
        param(
            "What the defender's units carry. Needed where both sides are of one clan; repeatable.",
            kind=Holding("units", "carried cards"),
            metavar="TEXT",
            more=True,
        ),
    ] = ()
    solo: Annotated[bool, param("The attacker distributes the injuries that elves deal (X4).", more=True)] = (
        False
    )


class Standing(Bundle, frozen=True, kw_only=True):
    """Where a battle stands."""

    rage: Annotated[
        str,
        param(
            "Rage tokens of the attacker and the defender now, without icons to come.",
            metavar="A,D",
            more=True,
        ),
    ] = "0,0"
    turn: (
        Annotated[
            Literal["attacker", "defender"],
            param("Whose assault is next.  [default: that of the less slow side]", more=True),
        ]
        | None
    ) = None


class Memory(Bundle, frozen=True, kw_only=True):
    """How much memory there is."""

    memory: Annotated[
        str, param("Memory that may be used. What takes more is refused.", metavar="SIZE", more=True)
    ] = "512MiB"

    @property
    def bytes(self) -> int:
        """The memory in bytes; RequestError if it is no amount."""
        return read_memory(self.memory)


class Limits(Memory, frozen=True, kw_only=True):
    """How large a battle may be."""

    bracket: (
        Annotated[
            int,
            param(
                "Count this many rage tokens only, and bound what lies beyond from both sides.",
                ge=0,
                le=200,
                unit="tokens",
                more=True,
            ),
        ]
        | None
    ) = None


def army_written(clan: str, counts: Sequence[int]) -> str:
    """Return an army of a clan as it is typed, by the levels of its units."""
    return f"{clan}: " + ", ".join(
        f"{count} {level}" for count, level in zip(counts, NUMERALS, strict=True) if count
    )


def army_of(rules: Rules, force: Force, option: str, *, most: bool = False) -> Army:
    """Return an army as battles take it.

    Parameters
    ----------
    most : whether a clan without figures is all of it.

    Raises
    ------
    RequestError
        If nobody is in it.
    """
    types = rules.elves if force.clan == ELVES else rules.clan(force.clan).units
    one, two, three = (force.units.get(kind.id, 0) for kind in types)
    army = Army(force.clan, types, (one, two, three))
    if most and not force.units:
        return Army(force.clan, types, army.most)
    if not any(army.counts):
        example = f'"{force.clan}: 2 {types[0].name}, 1 {types[1].name}"'
        raise RequestError(f"nobody is in the army {force.clan!r}; write {example}", option)
    return army


def scenario_of(rules: Rules, armies: tuple[Army, Army], carried: Carried, **settings: object) -> Scenario:
    """Return a battle; `settings` are fields of `Scenario`. RequestError if something is wrong with it."""
    for text in carried.equip:
        armies = equipped(rules, armies, text, "--equip")
    for text in carried.equip_defender:
        armies = equipped(rules, armies, text, "--equip-defender", only=1)
    scenario = Scenario(rules, *armies, solo=carried.solo, **settings)  # type: ignore[arg-type]
    scenario.check()
    return scenario


def against_each(
    rules: Rules, attacker: Army, defenders: Sequence[Army], carried: Carried, **settings: object
) -> list[Scenario]:
    """Return the battles of one army with each of several; what a type carries it carries in all of them."""
    scenarios: list[Scenario] = []
    parts = [part for text in carried.equip_defender for part in text.split(";") if part.strip()]
    for number, defender in enumerate(defenders):
        armies = attacker, defender
        for text in carried.equip:
            armies = equipped(rules, armies, text, "--equip", only=0)
        for part in parts:
            bearers = [each for each, army in enumerate(defenders) if bears(army, part.partition(":")[0])]
            # Nobody there has such a type: the first one says so.
            if number in (bearers or [0]):
                armies = equipped(rules, armies, part, "--equip-defender", only=1)
        scenario = Scenario(rules, *armies, solo=carried.solo, **settings)  # type: ignore[arg-type]
        scenario.check()
        scenarios.append(scenario)
    return scenarios


def weights_of(rules: Rules, text: str | None, option: str = "--weights") -> WeightTable | None:
    """Return weights that were given; None where the usual ones hold."""
    return None if text is None else parse_weights(rules, text, option)


def side_of(turn: str | None) -> int | None:
    """Return the number of a side; None for none."""
    return None if turn is None else SIDES.index(turn)


def pair(text: str, option: str) -> tuple[int, int]:
    """Read two whole numbers, the attacker's and the defender's: ``0,2``."""
    try:
        one, two = map(int, text.split(","))
    except ValueError:
        said = f"{text!r}: write the attacker's and the defender's, such as 0,2"
        raise RequestError(said, option) from None
    return one, two


def both(rules: Rules, forces: Forces) -> tuple[Army, Army]:
    """Return two armies."""
    return army_of(rules, forces.attacker, "--attacker"), army_of(rules, forces.defender, "--defender")
