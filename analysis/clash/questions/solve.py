"""``solve``: a battle, the armies that are enough for it, one army against two, or what to buy; exactly."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal

import msgspec

from analysis.clash.armies import SIDES
from analysis.clash.pages import battle, enough, split
from analysis.clash.pages import purchases as bought
from analysis.clash.position import (
    ATTACKER,
    ATTACKS,
    DEFENDER,
    DEFENDS,
    Carried,
    Force,
    Limits,
    Standing,
    against_each,
    army_of,
    pair,
    scenario_of,
    side_of,
)
from analysis.clash.position import weights_of as given_weights
from analysis.clash.purchases import Purchases, Stack
from analysis.clash.reports import BattleAnswer, NeedAnswer
from analysis.clash.retreats import Retreat, parse_retreat
from analysis.clash.scenario import Moment, Scenario
from analysis.clash.study_reports import EquipAnswer, SplitAnswer, SplitObjective
from analysis.errors import RequestError
from analysis.front.bundles import RulesFiles
from analysis.front.kinds import Counts
from analysis.front.page import Page
from analysis.front.parameters import param, unheeded
from analysis.front.question import Amount, Question, Running
from engine.clash.rules import Rules

__all__ = ["QUESTION", "Solve", "purchases", "scenario", "targets"]


class Solve(msgspec.Struct, frozen=True, kw_only=True):
    """Which battles, where in them, and what is wanted of them."""

    attacker: Annotated[tuple[Force, ...], ATTACKS] = (ATTACKER,)
    defender: Annotated[tuple[Force, ...], DEFENDS] = (DEFENDER,)
    chance: (
        Annotated[
            float,
            param(
                "Find the smallest armies that win with this chance; a clan without units is all of it.",
                ge=0.0,
                le=1.0,
            ),
        ]
        | None
    ) = None
    gold: (
        Annotated[
            int,
            param("Find what to buy for so much, from the market.", ge=0, le=10_000, unit="gold"),
        ]
        | None
    ) = None
    market: Annotated[
        dict[str, int],
        param(
            'With gold: cards for sale, and how many of each, such as "axe 2, crossbow".',
            kind=Counts("equipment", least=1),
            metavar="CARDS",
        ),
    ] = msgspec.field(default_factory=lambda: {"axe": 2, "crossbow": 1, "plate-armor": 1})
    buyer: Annotated[
        Literal["attacker", "defender"],
        param("With gold: who buys. Of the other side there may be several armies: a battle with each."),
    ] = "attacker"
    share: tuple[
        Annotated[
            float,
            param(
                "With gold: how much each battle counts. Repeatable.  [default: all the same]",
                ge=0.0,
                le=1e9,
                more=True,
            ),
        ],
        ...,
    ] = ()
    carried: Carried = Carried()
    objective: Annotated[
        Literal["win", "material", "own", "either"],
        param(
            'What is wanted. "win" is the territory, of two targets both; "either" is at least one of them.'
            ' "material" is gains less losses by weight; "own" is the same, each side by its own weights.'
        ),
    ] = "win"
    weights: (
        Annotated[
            str,
            param(
                "What counts how much. Any of I=1, II=2, III=3, territory=3, templar=1, elder=1, guard=1,"
                " which are the usual ones.",
                more=True,
            ),
        ]
        | None
    ) = None
    weights_defender: (
        Annotated[str, param("What counts how much for the defender, with the objective own.", more=True)]
        | None
    ) = None
    standing: Standing = Standing()
    injuries: (
        Annotated[int, param("Injuries to be distributed now.", ge=0, le=10_000, unit="injuries", more=True)]
        | None
    ) = None
    hits: (
        Annotated[
            int,
            param(
                "Dice that injure already; asks whether to roll blanks again.",
                ge=0,
                le=10_000,
                unit="dice",
                more=True,
            ),
        ]
        | None
    ) = None
    rerolls: (
        Annotated[
            int,
            param(
                "Rerolls that are left, with hits.  [default: 0]", ge=0, le=10_000, unit="rerolls", more=True
            ),
        ]
        | None
    ) = None
    retreat_when: (
        Annotated[
            str,
            param(
                'When the attacker flees, and then only, such as "losses>=3"; of losses, left and enemies,'
                ' with "and" between.',
                more=True,
            ),
        ]
        | None
    ) = None
    retreat_when_defender: (
        Annotated[str, param("When the defender flees, and then only.", more=True)] | None
    ) = None
    rounds: (
        Annotated[
            int,
            param(
                "Rounds after which the answer shows how it stands, an assault of either side each.",
                ge=1,
                le=1000,
                unit="rounds",
                more=True,
            ),
        ]
        | None
    ) = None
    simple: Annotated[bool, param("Also show what simple play loses against optimal play.", more=True)] = (
        False
    )
    fraction: Annotated[bool, param("Also give the chance as a fraction; small battles only.", more=True)] = (
        False
    )
    limits: Limits = Limits()
    rules: RulesFiles = RulesFiles()


_WITHIN = {"rage", "turn", "injuries", "hits", "rerolls", "retreat_when", "retreat_when_defender", "rounds"}
_ONE = {*_WITHIN, "weights_defender", "simple", "fraction"}
_BUYS = {"market", "buyer", "share"}
_UNHEEDED: dict[str, tuple[str, set[str]]] = {
    "battle": ("goes with --gold", _BUYS),
    "enough": ("does not go with --chance", {*_ONE, *_BUYS, "objective", "weights"}),
    "bought": ("does not go with --gold", {*_ONE, "bracket"}),
    "split": ("does not go with several targets", {*_ONE, *_BUYS}),
}
"""What an answer does not heed, and why."""
_OBJECTIVES = {
    "battle": ("win", "material", "own"),
    "bought": ("win", "material"),
    "split": ("win", "either", "material"),
}


def _which(asked: Solve) -> str:
    """Which of the four answers is asked for; RequestError for what it would not heed."""
    if asked.gold is not None and asked.chance is not None:
        raise RequestError("ask for one of the two: --chance, or --gold", "--chance")
    which = "battle" if len(asked.defender) < 2 else "split"
    which = "bought" if asked.gold is not None else "enough" if asked.chance is not None else which
    why, names = _UNHEEDED[which]
    unheeded(asked, why, *names)
    allowed = _OBJECTIVES.get(which, ("win",))
    if asked.objective not in allowed:
        raise RequestError(f"{asked.objective!r} is not wanted here, but {', '.join(allowed)}", "--objective")
    if which in ("bought", "split") and asked.weights is not None and asked.objective != "material":
        raise RequestError("weights mean something with --objective material only", "--weights")
    return which


def _one(forces: Sequence[Force], option: str) -> Force:
    if len(forces) != 1:
        raise RequestError(f"one army is asked about here, not {len(forces)}", option)
    return forces[0]


def scenario(asked: Solve, rules: Rules) -> Scenario:
    """Return the battle that is asked about; RequestError if something is wrong with it."""

    def retreat(text: str | None, option: str) -> Retreat | None:
        return None if text is None else parse_retreat(text, option)

    attacker, defender = _one(asked.attacker, "--attacker"), _one(asked.defender, "--defender")
    return scenario_of(
        rules,
        (
            army_of(rules, attacker, "--attacker", most=asked.chance is not None),
            army_of(rules, defender, "--defender"),
        ),
        asked.carried,
        objective=asked.objective,
        weights=given_weights(rules, asked.weights),
        weights_of_defender=given_weights(rules, asked.weights_defender, "--weights-defender"),
        rage=pair(asked.standing.rage, "--rage"),
        turn=side_of(asked.standing.turn),
        most_tokens=asked.limits.bracket,
        retreats=(
            retreat(asked.retreat_when, "--retreat-when"),
            retreat(asked.retreat_when_defender, "--retreat-when-defender"),
        ),
    )


def targets(asked: Solve, rules: Rules) -> list[Scenario]:
    """Return the battles of an army for both of its targets; RequestError if something is wrong with them."""
    if len(asked.defender) != 2:
        said = f"an army is split over two targets, not {len(asked.defender)}; name both"
        raise RequestError(said, "--defender")
    return against_each(
        rules,
        army_of(rules, _one(asked.attacker, "--attacker"), "--attacker"),
        [army_of(rules, each, "--defender") for each in asked.defender],
        asked.carried,
        objective="material" if asked.objective == "material" else "win",
        weights=given_weights(rules, asked.weights),
        most_tokens=asked.limits.bracket,
    )


def purchases(asked: Solve, rules: Rules) -> Purchases:
    """Return what may be bought, and for which battles; RequestError if something is wrong with it."""
    side = SIDES.index(asked.buyer)
    own, others = ((asked.attacker, asked.defender), (asked.defender, asked.attacker))[side]
    if len(own) != 1:
        raise RequestError(f"the buyer has one army, not {len(own)}", f"--{asked.buyer}")
    scenarios = []
    for other in others:
        attacker, defender = (own[0], other) if side == 0 else (other, own[0])
        scenarios += against_each(
            rules,
            army_of(rules, attacker, "--attacker"),
            [army_of(rules, defender, "--defender")],
            asked.carried,
            objective=asked.objective,
            weights=given_weights(rules, asked.weights),
        )
    cards = {card.id: card for card in rules.equipment}
    found = Purchases(
        tuple(scenarios),
        asked.share or (1.0,) * len(scenarios),
        side,
        tuple(Stack(cards[name], copies) for name, copies in asked.market.items()),
        asked.gold or 0,
    )
    found.check()
    return found


def answer(asked: Solve, running: Running) -> Any:
    """Solve a battle; find the armies that are enough, the best split, or the best purchases."""
    from analysis.clash.game import GAME

    which, rules, memory = _which(asked), GAME.rules_of(asked.rules), asked.limits.bytes
    if which == "bought":
        from analysis.clash.purchases import equip_answer

        return equip_answer(purchases(asked, rules), memory=memory, note=running.note)
    if which == "split":
        both = targets(asked, rules)
        from analysis.clash.splitting import split_answer

        wanted: dict[str, SplitObjective] = {"win": "both", "either": "either", "material": "material"}
        return split_answer(both, wanted[asked.objective], memory=memory)
    found = scenario(asked, rules)
    if asked.chance is not None:
        from analysis.clash.smallest import need_answer

        return need_answer(found, asked.chance, memory=memory)
    from analysis.clash.solving import battle_answer

    within = (asked.injuries, asked.hits, asked.rerolls) != (None, None, None)
    return battle_answer(
        found,
        moment=Moment(asked.injuries, asked.hits, asked.rerolls or 0) if within else None,
        simple=asked.simple,
        fraction=asked.fraction,
        rounds=asked.rounds,
        memory=memory,
    )


_SHOWN: dict[type, Any] = {BattleAnswer: battle, NeedAnswer: enough, SplitAnswer: split, EquipAnswer: bought}


def _amounts(found: Any) -> list[Amount]:
    amounts: list[Amount] = _SHOWN[type(found)].amounts(found)
    return amounts


def _page(found: Any) -> Page:
    page: Page = _SHOWN[type(found)].page(found)
    return page


QUESTION: Question[Solve, Any] = Question(
    name="solve",
    about="Solve a battle exactly: who wins, what is lost, when to flee. It says whom to eliminate,"
    " too; with --chance the smallest armies that win it, with several defenders the best split of one army,"
    " with --gold what to buy. Both sides decide optimally, and nothing is sampled.",
    asked=Solve,
    answers=BattleAnswer,
    also=(NeedAnswer, SplitAnswer, EquipAnswer),
    function=answer,
    page=_page,
    exactness="exact",
    amounts=_amounts,
    examples=(
        'solve --attacker "bohorg: 2 Executioner, 1 Kragrider" --defender "elves: 3 Templar"',
        'solve --attacker "bohorg: 3 Pummeler" --defender "elves: 2 Guard" --equip "Pummeler: axe"',
        'solve --attacker "bohorg: 3 I" --defender "tomb: 2 II" --objective material --simple',
        'solve --attacker "bohorg: 5 I" --defender "tomb: 2 II" --retreat-when "losses>=3" --rounds 2',
        'solve --attacker "bohorg: 3 I, 1 III" --defender "tomb: 2 II" --turn attacker --rage 1,2',
        'solve --attacker "bohorg: 3 I, 1 III" --defender "tomb: 2 II" --turn attacker --injuries 5',
        'solve --attacker "bohorg: 2 III" --vary clans.bohorg.units.executioner.power=5:8',
        'solve --attacker "bohorg: 3 I, 2 II, 1 III" --defender "elves: 2 Templar" --chance .75',
        'solve --attacker bohorg --defender "elves: 1 Templar, 1 Guard" --chance .9',
        'solve --attacker "bohorg: 4 I, 1 III" --defender "elves: 2 Elder" --defender "elves: 2 Guard"',
        'solve --attacker "tomb: 2 I, 1 III" --defender "elves: 1 Elder" --defender "godleif: 1 I"'
        ' --objective material --weights "territory=5"',
        'solve --attacker "bohorg: 1 I, 1 III" --defender "elves: 2 Templar"'
        ' --market "axe 2, plate-armor" --gold 11',
        'solve --attacker "tomb: 3 I" --defender "elves: 2 Guard" --defender "elves: 2 Elder"'
        ' --share 2 --share 1 --market "club 2, buckler" --gold 8 --equip "tomb-1: axe"',
    ),
)
