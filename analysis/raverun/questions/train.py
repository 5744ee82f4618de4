"""``train``: learn by self-play what positions are worth, for the players guided and values."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import msgspec

from analysis.amounts import counted
from analysis.errors import RequestError
from analysis.files import STDOUT, check_output
from analysis.front.bundles import RulesFiles, Seeded
from analysis.front.page import Page
from analysis.front.parameters import param
from analysis.front.question import Amount, Question, Running
from analysis.raverun.bundles import DEALS, Deals, Seats, TimeLimit
from analysis.raverun.pages.approximate import bound_sections, matches_table
from analysis.raverun.training import (
    DEFAULT_TIME_LIMIT_S,
    RESPONSE_DEALS,
    RESPONSE_ITERATIONS,
    Course,
    ValuesAnswer,
    train_and_measure,
)

_MOST = 100_000_000


class Train(msgspec.Struct, frozen=True, kw_only=True):
    """Where the values go, how long to learn, and how they are measured."""

    file: (
        Annotated[Path, param("File that the values are kept in.  [default: values.npz]", argument=True)]
        | None
    ) = None
    force: Annotated[bool, param("Write over whatever lies at FILE.")] = False
    resume: Annotated[
        bool, param("Go on with the interrupted training at FILE; the limit counts from its beginning.")
    ] = False
    time_limit: TimeLimit | None = None
    plays: (
        Annotated[
            int,
            param("Plays to learn from, instead of a time: the same values every run.", ge=1, le=10**12),
        ]
        | None
    ) = None
    deals: Deals = DEALS
    response_iterations: tuple[
        Annotated[
            int,
            param(
                "Iterations of searches that respond to what was learned, a measurement for each; 1500 and"
                " more tell more.",
                ge=1,
                le=_MOST,
                more=True,
            ),
        ],
        ...,
    ] = RESPONSE_ITERATIONS
    response_deals: Annotated[
        int, param("Deals of each such measurement, in each seat.", ge=2, le=_MOST, unit="deals", more=True)
    ] = RESPONSE_DEALS
    seats: Seats = Seats()
    work: Seeded = Seeded()
    rules: RulesFiles = RulesFiles()


def answer(asked: Train, running: Running) -> ValuesAnswer:
    """Learn, keep what was learned, and measure it."""
    from analysis.raverun.game import GAME
    from analysis.raverun.hands import check_players

    players = asked.seats.players
    rules = GAME.rules_of(asked.rules)
    check_players(rules, players)
    if asked.plays is not None and asked.time_limit is not None:
        raise RequestError("give --time-limit or --plays, not both: steps shrink towards the end")
    if asked.resume and asked.force:
        raise RequestError("--resume goes on with what lies at FILE, --force writes over it")
    file = asked.file or Path("values.npz")
    if file == STDOUT:
        raise RequestError("the answer goes to stdout; name a file", "FILE")
    check_output(file, "FILE")
    if not asked.force:
        from analysis.raverun.policies import check_place

        check_place(file, rules, players)
    course = Course(
        None if asked.plays is not None else asked.time_limit or DEFAULT_TIME_LIMIT_S,
        asked.plays,
        asked.work.seed,
        asked.response_iterations,
        asked.response_deals,
    )
    return train_and_measure(
        rules,
        players,
        course,
        asked.deals,
        file,
        running.interrupt,
        lambda text: running.note(text, 0, 1),
        resume=asked.resume,
    )


def page(found: ValuesAnswer) -> Page:
    """Return what was learned, and what the player without a search wins by it."""
    done = "" if found.completed else "; interrupted"
    return Page(
        headline=f"{counted(found.plays, 'play')} of {found.players} against themselves,"
        f" {counted(found.positions, 'position')}{done}.",
        sections=[matches_table(found.matches), *bound_sections(found.bounds)],
        notes=[
            *([found.said] if found.said else []),
            "The player measured looks one move ahead without a search; guided is stronger.",
            "Responses know how it plays; what they win bounds NashConv from below only.",
        ],
        method=[
            f"{found.method[:1].upper()}{found.method[1:]}; {found.num_features:,} facts of a position,"
            f" {found.num_hidden} hidden units, seed {found.seed}, {found.seconds:.0f} s."
        ],
    )


def amounts(found: ValuesAnswer) -> list[Amount]:
    """Return what can be compared between two trainings."""
    return [
        Amount(f"against_{each.opponent}", f"payoff against {each.opponent}", each.payoff, "signed")
        for each in found.matches
    ]


QUESTION = Question(
    name="train",
    about="Learn by self-play what positions are worth. It is kept in a file. The strongest player,"
    " guided, searches by these values; interrupted, what was learned is kept, and can be gone on with.",
    asked=Train,
    answers=ValuesAnswer,
    function=answer,
    page=page,
    exactness="measured",
    amounts=amounts,
    leaves=True,
    examples=("train values.npz --time-limit 10s", "train three.npz --players 3 --plays 300 --deals 20"),
)
