"""``export``: an attack, or a whole duel with decks of a few cards, as a tree for other programs."""

from __future__ import annotations

from typing import Annotated

import msgspec

from analysis.front.bundles import RulesFiles
from analysis.front.parameters import param
from analysis.front.question import Running
from analysis.front.verbs.export import ExportAnswer, export_question, exported
from analysis.warage.positions import Heroes
from analysis.warage.questions.attack import Attack
from analysis.warage.questions.replies import EXAMPLE

__all__ = ["QUESTIONS"]


class Duel(msgspec.Struct, frozen=True, kw_only=True):
    """Which duel is written: heroes with their decks, and smaller numbers of the rules."""

    heroes: Heroes = Heroes()
    start_hp: Annotated[int, param("HP that the first hero begins with.", ge=1, le=1_000, unit="HP")] = 10
    other_start_hp: Annotated[
        int, param("HP that the other hero begins with.", ge=1, le=1_000, unit="HP")
    ] = 10
    hand: Annotated[int, param("Cards that are dealt to each.", ge=1, le=5, unit="cards")] = 1
    draws: Annotated[int, param("Cards that are drawn in a round.", ge=1, le=5, unit="cards")] = 1
    dice: Annotated[int, param("Dice of each total.", ge=0, le=2, unit="dice")] = 0
    turns: Annotated[int, param("Turns after which it is a draw.", ge=1, le=20, unit="turns")] = 3
    max_nodes: Annotated[
        int, param("Larger trees are refused.", ge=1, le=50_000_000, unit="nodes", more=True)
    ] = 100_000
    rules: RulesFiles = RulesFiles()


def _duel(asked: Duel, running: Running) -> ExportAnswer:
    from analysis.warage.game import GAME
    from analysis.warage.reduced_duel import Reduction, duel_tree, reduced_setup

    heroes = asked.heroes.hero, asked.heroes.other
    base = GAME.rules_of(asked.rules)
    reduction = Reduction(
        (asked.start_hp, asked.other_start_hp), asked.hand, asked.draws, asked.dice, asked.turns
    )
    smaller = reduction.overrides(base, [hero.race for hero in heroes])
    rules = GAME.read(asked.rules.rules, (*asked.rules.set, *smaller))
    tree = duel_tree(reduced_setup(rules, heroes), asked.max_nodes)
    first, second = (f"{hero.race}/{hero.hero_class}" for hero in heroes)
    return exported(tree, f"{first} against {second}", ("A", "B"))


def _queue(asked: Attack, running: Running) -> ExportAnswer:
    from analysis.warage.queue_game import question_of

    question = question_of(asked)
    from analysis.warage.queues import queue_tree

    attacker, defender = (hero.text for hero in question.table.heroes)
    return exported(queue_tree(question), f"{attacker} on {defender}", ("attacker", "defender"))


QUESTIONS = (
    export_question(
        name="export queue",
        about="Write an attack with hidden replies as a tree that Gambit and OpenSpiel read.",
        asked=Attack,
        function=_queue,
        examples=(f"export queue {EXAMPLE} -o queue.efg",),
    ),
    export_question(
        name="export duel",
        about="Write a whole duel as a tree that Gambit and OpenSpiel read: each hero's cards are its deck,"
        " in one season, without abilities and life piles. Two or three cards a side, without dice, are what"
        " fits.",
        asked=Duel,
        function=_duel,
        examples=(
            'export duel "orc/warrior: war-axe, battle-cry" "human/paladin: parry, negate" --start-hp 6'
            " --other-start-hp 6 --turns 2 -o duel.efg",
        ),
    ),
)
