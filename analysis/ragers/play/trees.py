"""Days as explicit trees, for other people's solvers: whole small ones, or what is left with known hands."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from analysis.errors import RequestError, WorkError
from analysis.ragers.hands import HandError, card_type, parse_hand
from analysis.ragers.scenarios import Scenario
from engine.ragers.reference import NOTHING as NO_ACTION
from engine.ragers.reference import IllegalMove, State, deciders, start_day, step
from engine.ragers.rules import PLAYERS, TYPES, Rules

if TYPE_CHECKING:
    from solver.extensive import ExtensiveGame


def solved(game: ExtensiveGame) -> tuple[Sequence[float | Fraction], float, str]:
    """Return how both play, in fractions where the tree is small, what it is worth, and how sure that is."""
    from solver.exact_sequence_form import TooLargeError, solve_exactly
    from solver.lp import LinearProgramError
    from solver.sequence_form import solve_sequence_form

    try:
        exact = solve_exactly(game)
        return exact.strategy, float(exact.value), "exact"
    except TooLargeError:
        pass
    try:
        solution = solve_sequence_form(game)
    except LinearProgramError as error:
        raise WorkError(str(error)) from None
    return solution.strategy.tolist(), solution.value, f"NashConv {solution.nash_conv:.1e}"


def tree(
    scenario: Scenario, hands: str | None, history: str | None, max_nodes: int
) -> tuple[ExtensiveGame, str]:
    """Return a day as a tree, and what to call it.

    Parameters
    ----------
    hands : both hands, known to both, as in ``"B S P | S S B"``; None for a whole day.
    history : with hands, what both have done so far.
    max_nodes : larger trees are refused.

    Raises
    ------
    RequestError
        If hands or history make no sense.
    WorkError
        If the tree is too large.
    """
    from analysis.ragers.day_tree import DayTree
    from solver.extensive import build_game

    rules = scenario.rules
    if hands is None and history is not None:
        raise RequestError("--history needs --hands")
    start = None if hands is None else _open_hands(rules, scenario, hands, history or "")
    source = DayTree(rules, scenario.patron.id, [scenario.cheers.id], scenario.preparation, start=start)
    if (least := source.least_nodes()) > max_nodes:
        raise WorkError(
            f"the tree has more than {max_nodes} nodes ({least:,} and far more); take smaller decks, or known"
            " --hands"
        )
    try:
        game = build_game(source, max_nodes=max_nodes)
    except (ValueError, MemoryError) as error:
        raise WorkError(f"{error}; take smaller decks, or known --hands") from None
    title = f"{rules.name}: {scenario.title}, preparation {scenario.preparation}"
    if hands is not None:
        title = f"{rules.name}: {scenario.title}, hands {hands}" + (f", after {history}" if history else "")
    return game, title


def _open_hands(rules: Rules, scenario: Scenario, hands: str, history: str) -> State:
    """Return a day with known hands and empty decks, after the moves of `history`."""
    texts = hands.split("|")
    if len(texts) != 2:
        raise RequestError('write both hands, as in "B S P | S S B"', "--hands")
    try:
        counts = [parse_hand(text) for text in texts]
        moves = [_pair(text) for text in history.split(";") if text.strip()]
    except HandError as error:
        raise RequestError(str(error), "--hands' / '--history") from None
    empty = (0,) * len(TYPES)
    state = start_day(
        rules,
        scenario.patron.id,
        [scenario.cheers.id],
        preparation=False,
        decks=(empty, empty),
        hands=(counts[0], counts[1]),
    )
    for number, move in enumerate(moves, 1):
        try:
            state = step(state, move)
        except IllegalMove:
            words = "/".join("-" if action == NO_ACTION else TYPES[action] for action in move)
            raise RequestError(
                f"move {number}, {words}, is not legal in the phase {state.phase.name.lower()}"
                f" (who decides: {', '.join(PLAYERS[p] for p in deciders(state)) or 'nobody'})",
                "--history",
            ) from None
    if not deciders(state):
        raise RequestError("the day is over by then", "--history")
    return state


def _pair(text: str) -> tuple[int, int]:
    words = [word.strip() for word in text.split("/")]
    if len(words) != 2:
        raise HandError(f"{text.strip()!r} is not CARD/CARD, of the accusers and the defenders")
    first, second = (NO_ACTION if word == "-" else card_type(word) for word in words)
    return first, second
