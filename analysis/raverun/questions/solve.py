"""``solve``: what a learned player says of the game, or a reduced game solved exactly."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import msgspec

from analysis.errors import RefusedError, RequestError
from analysis.front.bundles import RulesFiles, Seeded
from analysis.front.kinds import Counts
from analysis.front.page import Page
from analysis.front.parameters import param, unheeded
from analysis.front.question import Amount, Answer, Question, Running
from analysis.raverun.approximate_answers import ApproximateAnswer
from analysis.raverun.bundles import DEALS, Deals, Seats, TimeLimit
from analysis.raverun.exact_answers import ExactAnswer
from analysis.raverun.pages import approximate, exact

if TYPE_CHECKING:
    from engine.raverun.rules import Rules

TIME_LIMIT_S = 300.0
"""Where something is learned, and nothing says for how long."""


class Solve(msgspec.Struct, frozen=True, kw_only=True):
    """What is solved, and how far."""

    exact: Annotated[bool, param("Solve the whole tree exactly: a reduced game for two.")] = False
    hand: Annotated[
        dict[str, int],
        param(
            "Hand to choose a first card from, such as 1A 3C 4B 5A 6C 7B 8A.",
            kind=Counts("cards"),
            metavar="CARDS",
        ),
    ] = msgspec.field(default_factory=dict)
    seats: Seats = Seats()
    values: (
        Annotated[
            Path,
            param(
                "File of values that raverun train wrote.  [default: for the box those of the package; for"
                " other rules they are learned first]"
            ),
        ]
        | None
    ) = None
    time_limit: TimeLimit | None = None
    iterations: (
        Annotated[
            int,
            param(
                "Plays to learn from; with --exact, most iterations of CFR, 0 to leave it out."
                "  [default with --exact: 20000]",
                ge=0,
                le=100_000_000,
                unit="iterations",
                more=True,
            ),
        ]
        | None
    ) = None
    games: Annotated[
        int, param("Games behind the figures.", ge=2, le=100_000_000, unit="games", more=True)
    ] = 2000
    deals: Deals = DEALS
    threads: (
        Annotated[
            int,
            param(
                "Threads that measure; the answer is the same for any number.  [default: all processors]",
                ge=1,
                le=1024,
                unit="threads",
                more=True,
            ),
        ]
        | None
    ) = None
    target: (
        Annotated[
            float,
            param(
                "With --exact: stop where both together could gain no more.  [default: 0.001]",
                ge=1e-12,
                le=2.0,
                more=True,
            ),
        ]
        | None
    ) = None
    max_nodes: Annotated[
        int,
        param(
            "Larger trees are refused. A node takes about 2 KiB.",
            ge=1,
            le=50_000_000,
            unit="nodes",
            more=True,
        ),
    ] = 500_000
    work: Seeded = Seeded()
    rules: RulesFiles = RulesFiles()


_ONLY_LEARNED = ("values", "time_limit", "games", "deals", "threads", "players", "seed")


def answer(asked: Solve, running: Running) -> ApproximateAnswer | ExactAnswer:
    """Let a learned player play, or solve the whole tree."""
    from analysis.raverun.game import GAME
    from analysis.raverun.hands import check_players

    _check(asked)
    rules = GAME.rules_of(asked.rules)
    check_players(rules, asked.seats.players)
    return _solved(rules, asked, running) if asked.exact else _measured(rules, asked, running)


def _check(asked: Solve) -> None:
    """Raise RequestError for what would not be heeded."""
    if asked.exact:
        unheeded(asked, "it means something only without --exact", *_ONLY_LEARNED)
    else:
        unheeded(asked, "it means something only with --exact", "target")
    if asked.values is not None and asked.iterations is not None:
        raise RequestError("--iterations is about learning, and --values were learned before")
    if asked.iterations is not None and asked.time_limit is not None:
        said = "give --time-limit or --iterations, not both: steps of learning shrink towards the end"
        raise RequestError(said, "--iterations")
    if asked.iterations == 0 and not asked.exact:
        raise RequestError("at least one play is learned from", "--iterations")


def _measured(rules: Rules, asked: Solve, running: Running) -> ApproximateAnswer:
    from analysis.raverun import approximate as measuring
    from analysis.raverun.hands import hand_of
    from analysis.raverun.training import shipped_values
    from arena_solver.machine import thread_limit

    players = asked.seats.players
    time_limit = asked.time_limit
    known = asked.values is not None or shipped_values(rules, players) is not None
    if asked.iterations is None and time_limit is None and not known:
        time_limit = TIME_LIMIT_S
    effort = measuring.Effort(
        time_limit,
        asked.iterations,
        asked.games,
        asked.deals,
        asked.work.seed,
        thread_limit(asked.threads or 0),
    )
    hand = hand_of(rules, players, asked.hand) if asked.hand else None
    return measuring.answer(
        rules, players, hand, effort, asked.values, running.interrupt, lambda text: running.note(text, 0, 1)
    )


def _solved(rules: Rules, asked: Solve, running: Running) -> ExactAnswer:
    from analysis.front.verbs.solve import tree_of
    from analysis.raverun import exact as solving
    from analysis.raverun.game import GAME
    from analysis.raverun.hands import hand_of

    hand = " ".join(map(rules.card_name, hand_of(rules, 2, asked.hand))) if asked.hand else ""

    def note(text: str) -> None:
        running.note(text, 0, 1)

    note("building the tree")
    try:
        tree = tree_of(GAME, rules, asked.seats, asked.max_nodes)
    except RefusedError as error:
        smaller = "--set match.characters=2 --set match.hand_size=2"
        raise RefusedError(f"{error}, or make the game smaller ({smaller})") from None
    iterations = solving.DEFAULT_ITERATIONS if asked.iterations is None else asked.iterations
    target = asked.target or solving.DEFAULT_TARGET
    solved = solving.solve_tree(rules, tree, iterations, target, running.interrupt, note)
    if not hand:
        return solved.answer
    return msgspec.structs.replace(
        solved.answer, hands=[each for each in solved.answer.hands if each.hand == hand]
    )


def page(found: Answer) -> Page:
    """Return how either answer looks."""
    if isinstance(found, ExactAnswer):
        return exact.page(found)
    assert isinstance(found, ApproximateAnswer)
    return approximate.page(found)


def amounts(found: Answer) -> list[Amount]:
    """Return what can be compared between two answers of one kind."""
    if isinstance(found, ExactAnswer):
        return [
            Amount("value", "value for the first player", found.value, "signed"),
            Amount("order", "deciding the order, a decision", found.order.right, "signed"),
            Amount("plays_first", "who decides plays first", found.order.plays_first, "share"),
        ]
    assert isinstance(found, ApproximateAnswer)
    order, advantage, length = found.order, found.advantage, found.length
    return [
        Amount("order", "deciding the order, a game", order.right_a_game, "signed"),
        Amount("plays_first", "who decides plays first", order.plays_first, "share"),
        Amount("first", "playing first", order.first, "signed"),
        Amount("highest_bid", "the highest first card", advantage.highest_bid, "signed"),
        Amount("first_mover", "playing first in round 1", advantage.first_mover, "signed"),
        Amount("draws", "draws", advantage.draws, "share"),
        Amount("rounds", "rounds", length.rounds, "number"),
    ]


QUESTION = Question(
    name="solve",
    about="Find how to play, and what cards and actions are worth. A player who learned by self-play tries"
    " every kind of move; with --exact a reduced game for two is solved whole.",
    asked=Solve,
    answers=ApproximateAnswer,
    also=(ExactAnswer,),
    function=answer,
    page=page,
    exactness="measured",
    amounts=amounts,
    leaves=True,
    examples=(
        'solve --games 100 --deals 100 --hand "1A 3C 4B 5A 6C 7B 8A"',
        "solve --exact --set match.characters=2 --set match.hand_size=2",
    ),
)
