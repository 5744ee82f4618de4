"""What ``export`` writes; numpy is imported once nothing is wrong with what is asked."""

from __future__ import annotations

from analysis.front.question import Running
from analysis.front.verbs.export import ExportAnswer, exported
from analysis.warage.game import GAME
from analysis.warage.questions.export import Export
from analysis.warage.queue_game import queue_question

__all__ = ["duel", "queue"]


def duel(asked: Export, running: Running) -> ExportAnswer:
    """Return a whole duel with small numbers as a tree."""
    from analysis.warage.reduced_duel import Reduction, duel_tree, reduced_setup

    heroes, smaller = (asked.heroes.hero, asked.heroes.other), asked.reduced
    base = GAME.rules_of(asked.rules)
    hp = (smaller.start_hp, smaller.other_start_hp)
    reduction = Reduction(hp, smaller.hand, smaller.draws, smaller.dice, smaller.turns)
    overrides = reduction.overrides(base, [hero.race for hero in heroes])
    rules = GAME.read(asked.rules.rules, (*asked.rules.set, *overrides))
    tree = duel_tree(reduced_setup(rules, heroes), asked.max_nodes)
    first, second = (f"{hero.race}/{hero.hero_class}" for hero in heroes)
    return exported(tree, f"{first} against {second}", ("A", "B"))


def queue(asked: Export, running: Running) -> ExportAnswer:
    """Return an attack with hidden replies as a tree."""
    rules = GAME.rules_of(asked.rules)
    question = queue_question(rules, asked.heroes, asked.season, asked.held, asked.max_nodes)
    from analysis.warage.queues import queue_tree

    attacker, defender = (hero.text for hero in question.table.heroes)
    return exported(queue_tree(question), f"{attacker} on {defender}", ("attacker", "defender"))
