"""An attack with hidden replies, solved exactly: values, mixes where play comes to, what fixed plans lose."""

from __future__ import annotations

import gc
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

import numpy as np

from analysis.errors import RefusedError
from analysis.pools import open_value
from analysis.warage.attacks import attack_name
from analysis.warage.questions.replies import RepliesAnswer, ReplyRow
from analysis.warage.queue_game import End, QueueGame, QueueQuestion, Worth
from analysis.warage.race import RaceQuestion, race_game
from analysis.warage.race_modes import race_modes
from engine.warage.reference import Kind, Move
from engine.warage.rules import Rules
from solver.extensive import TERMINAL, ExtensiveGame, build_game, expected_payoff, infoset_reach
from solver.sequence_form import solve_sequence_form
from solver.tree_best_response import exploitability

SHOWN = 1e-6
BEATEN_HP = 100
"""What beating the other hero counts for in HP."""


def by_hp(own: int, other: int) -> float:
    """HP of one's own less those of the other one; to be beaten is as bad as losing a hundred more."""
    return own - other - BEATEN_HP * (own <= 0) + BEATEN_HP * (other <= 0)


def by_race(question: QueueQuestion) -> Worth:
    """The chance to win the race that follows: the other hero moves next."""
    table = question.table
    most = max(table.hp) + 5 * question.card_hp + 30
    asked = RaceQuestion(
        table.rules,
        table.heroes,
        (most, most),
        season=table.season,
        first=1,
        rounds_left=question.rounds_left,
        truce=False,
        specials=False,
    )
    modes = race_modes(table.rules, table.heroes, specials=False)
    from solver.stochastic.attrition import solve_attrition

    game = race_game(asked, modes, 1)
    values = solve_attrition(game).values[0][modes.roots[table.season]]

    def worth(own: int, other: int) -> float:
        if own <= 0 or other <= 0:
            return float(own > 0)
        return float(values[min(own, values.shape[0]) - 1, min(other, values.shape[1]) - 1])

    return worth


def queue_tree(question: QueueQuestion) -> ExtensiveGame:
    """Return an attack with hidden replies as a tree.

    Raises
    ------
    RefusedError
        If it is too large; the message says what would do.
    """
    return _tree(question)[0]


def _tree(question: QueueQuestion) -> tuple[ExtensiveGame, QueueGame]:
    """Return the tree, and what it was unfolded from.

    Raises
    ------
    RefusedError
        If it is too large; the message says what would do.
    """
    worth = by_hp if question.rounds_left is None else by_race(question)
    source = QueueGame(question, worth)
    try:
        with _uncollected():
            return build_game(source, max_nodes=question.max_nodes), source
    except MemoryError:
        said = f"more than {question.max_nodes:,} nodes; fewer hidden cards or kinds of replies would do"
        raise RefusedError(f"{said}, or a larger --max-nodes") from None


@contextmanager
def _uncollected() -> Iterator[None]:
    """Without garbage collection: states are many, have no cycles, and looking for some takes a third."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


def queue_report(question: QueueQuestion) -> RepliesAnswer:
    """Solve an attack with hidden replies.

    Raises
    ------
    RefusedError
        If the tree is too large; the message says what would do.
    """
    game, source = _tree(question)
    solved = solve_sequence_form(game)
    kill, taken, *paid = _means(game, solved.strategy, source.ends)
    reach = infoset_reach(game, solved.strategy)
    rows, mixed, reached = _decisions(question, game, solved.strategy, reach)
    table = question.table
    return RepliesAnswer(
        attacker=table.heroes[0].text,
        defender=table.heroes[1].text,
        attack=attack_name(question.spell, question.copies),
        season=table.season,
        hp=list(table.hp),
        pools=[dict(pool) for pool in question.pools],
        hidden=list(question.hidden),
        kill=kill,
        taken=taken,
        paid=paid,
        value_in="hp" if question.rounds_left is None else "win",
        before=source.before if question.rounds_left is None else None,
        kill_hp=BEATEN_HP,
        card_hp=question.card_hp,
        value=_rounded(question, solved.value),
        open_value=_rounded(question, open_value(game)),
        nash_conv=solved.nash_conv,
        decisions=rows,
        decided=reached,
        mixed=mixed,
        pure_loses=_pure_loses(game, solved.strategy, solved.value),
        nodes=len(game.node_player),
        infosets=len(game.infoset_player),
    )


def _means(game: ExtensiveGame, strategy: np.ndarray, ends: Sequence[End]) -> list[float]:
    """What ends come to on average: the chance of a kill, HP taken, and HP paid by each."""
    there = game.node_player == TERMINAL
    means = []
    for figures in zip(*((end.kill, end.taken, *end.paid) for end in ends), strict=True):
        payoff = np.zeros_like(game.payoff)
        payoff[there] = figures
        means.append(expected_payoff(replace(game, payoff=payoff), strategy))
    return means


def _rounded(question: QueueQuestion, value: float) -> float:
    """A chance to win lies between 0 and 1, whatever rounding says."""
    return value if question.rounds_left is None else min(max(value, 0.0), 1.0)


def _pure_loses(game: ExtensiveGame, strategy: np.ndarray, value: float) -> list[float]:
    """What each player may lose by always making the likelier move, the other one knowing it."""
    pure = np.zeros_like(strategy)
    for infoset in range(len(game.infoset_player)):
        begin, end = game.first_slot[infoset], game.first_slot[infoset + 1]
        pure[begin + int(np.argmax(strategy[begin:end]))] = 1.0
    best = exploitability(game, pure).best_response_values
    return [max(value + best[1], 0.0), max(best[0] - value, 0.0)]


def _decisions(
    question: QueueQuestion,
    game: ExtensiveGame,
    strategy: np.ndarray,
    reach: np.ndarray,
) -> tuple[list[ReplyRow], int, int]:
    rules = question.table.rules
    rows, mixed, reached = [], 0, 0
    for infoset in np.argsort(-reach, kind="stable"):
        if reach[infoset] <= SHOWN:
            break
        begin, end = int(game.first_slot[infoset]), int(game.first_slot[infoset + 1])
        chances = {
            move_text(rules, game.slot_labels[slot]): float(strategy[slot])
            for slot in range(begin, end)
            if strategy[slot] > SHOWN
        }
        reached += 1
        mixed += len(chances) > 1
        _, sight = game.infoset_keys[infoset]
        hand, queue = sight[0], sight[1]
        rows.append(
            ReplyRow(
                ("attacker", "defender")[game.infoset_player[infoset]],
                [rules.cards[card].id for card in hand],
                [("attack" if item.kind <= Kind.MAGIC else rules.cards[item.card].id) for item in queue],
                float(reach[infoset]),
                chances,
            )
        )
    return rows, mixed, reached


def move_text(rules: Rules, move: object) -> str:
    """A move in words."""
    assert isinstance(move, Move)
    if move.kind == "pass":
        return "pass"
    card, hero, piece, item = move.values
    target = (
        f" on item {item + 1}"
        if item >= 0
        else f" on piece {piece + 1} of {'AB'[hero]}"
        if piece >= 0
        else ""
    )
    return rules.cards[card].id + target
