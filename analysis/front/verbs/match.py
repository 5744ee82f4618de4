"""``match``: players meet, every deal once in every rotation of the seats."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, Generic, TypeVar

import msgspec

from analysis import estimates
from analysis.errors import RequestError
from analysis.estimates import Estimate
from analysis.front.bundles import Kept, RulesFiles, Work
from analysis.front.parameters import param, text_of
from analysis.front.players import Player
from analysis.front.question import Question, Running, imported
from analysis.front.verbs.match_page import (
    FIRST,
    Group,
    Lead,
    Length,
    MatchAnswer,
    Side,
    match_amounts,
    match_page,
)
from analysis.front.verdicts import Best, Figure, best
from analysis.symmetry import exact_by_symmetry, without_interval

if TYPE_CHECKING:
    from analysis.front.contest import Deals
    from analysis.payoff_matrices import PayoffMatrix

__all__ = ["Match", "match_of"]

S = TypeVar("S")
P = TypeVar("P")

_FEW = 50
"""Deals that tell how many are needed."""


class Match(msgspec.Struct, Generic[S, P], frozen=True, kw_only=True):
    """Who plays whom, at what, how often."""

    setup: S
    player: Annotated[
        tuple[P, ...],
        param(
            "Who plays. Repeatable, in the order of seats; one alone plays itself.",
            metavar="NAME[:key=value,...]",
        ),
    ] = ()
    deals: Annotated[
        int,
        param(
            "Deals to play. Each is played once from every seat, with the same luck.",
            ge=1,
            le=100_000_000,
            unit="deals",
        ),
    ] = 200
    within: (
        Annotated[
            float,
            param(
                "Stop as soon as what every player wins is known within this, such as 0.03 for 3 points;"
                " --deals is then the most that are played.",
                ge=0.0001,
                le=1000,
                metavar="WIDTH",
            ),
        ]
        | None
    ) = None
    work: Work = Work()
    kept: Kept = Kept()
    rules: RulesFiles = RulesFiles()


def match_of(game: Any) -> Question[Any, MatchAnswer]:
    """Return the question of a game."""
    return Question(
        name="match",
        about="Measure what players win against each other. Every deal is played once from every seat.",
        asked=Match[game.setup, game.player],
        answers=MatchAnswer,
        function=partial(answer, game),
        page=match_page,
        exactness="measured",
        amounts=match_amounts,
        observed=partial(observed, game),
        matrix=match_matrix,
        without_matrix=partial(_without_matrix, game),
        examples=("match --deals 20",),
    )


def seated(game: Any, players: Sequence[Player], setup: Any) -> tuple[Player, ...]:
    """Return who plays: the usual ones if nobody is named, and one alone in every seat.

    Where the setup says how many play, the last one named takes all seats that are left.
    """
    found = tuple(players) or tuple(game.usual)
    size = None if game.size is None else game.size(setup)
    if len(found) == 1:
        found *= size or min(seats for seats in game.seats if seats > 1)
    if size is not None:
        found += found[-1:] * (size - len(found))
        if len(found) > size:
            raise RequestError(f"{len(found)} cannot play; {size} do", "--player")
    if len(found) not in game.seats:
        raise RequestError(f"{len(found)} cannot play; {_numbers(game.seats)} can", "--player")
    return found


def _numbers(seats: Sequence[int]) -> str:
    return f"{seats[0]} to {seats[-1]}" if len(seats) > 1 else str(seats[0])


def answer(game: Any, asked: Match[Any, Any], running: Running) -> MatchAnswer:
    """Let players meet."""
    return observed(game, asked, running)[0]


def observed(
    game: Any, asked: Match[Any, Any], running: Running
) -> tuple[MatchAnswer, dict[str, list[float]]]:
    """Let players meet; also return what each deal came to, by the keys of `match_amounts`."""
    if asked.within is None:
        return _observed(game, asked, running)
    number = min(_FEW, asked.deals)
    known: dict[str, Deals] = {}
    while True:
        found, seen = _observed(game, msgspec.structs.replace(asked, deals=number), running, known)
        width = _width(found)
        if not found.complete or number == asked.deals or width <= asked.within:
            return msgspec.structs.replace(found, within=asked.within, reached=width <= asked.within), seen
        # An interval narrows with the square root of the deals; a tenth more, so that few begin once more.
        number = min(asked.deals, math.ceil(1.1 * number * (width / asked.within) ** 2))


def _width(found: MatchAnswer) -> float:
    """How exactly it is known what players win; that is infinite where nothing tells."""
    if found.by_design:
        return 0.0
    return max(math.inf if side.won.low is None else side.won.width for side in found.sides)


def _observed(
    game: Any, asked: Match[Any, Any], running: Running, known: dict[str, Deals] | None = None
) -> tuple[MatchAnswer, dict[str, list[float]]]:
    from analysis.front.contest import play_deals

    rules = game.rules_of(asked.rules)
    players = seated(game, asked.player, asked.setup)
    names = imported(game.sides)(asked.setup, players)
    given = rules, asked.setup, players, asked.deals, asked.work, asked.kept, running
    deals = play_deals(game, *given, known)
    size, won = len(players), deals.won
    share = game.measure == "share"
    plays = size * len(won)
    bounds = None if game.bounds is None else game.bounds(size)

    def figure(values: Sequence[float]) -> Estimate:
        return estimates.share_of_deals(values) if share else estimates.estimate(values, bounds)

    by_deal = [[sum(rotation[place] for rotation in deal) / size for deal in won] for place in range(size)]
    sides = [
        Side(
            name,
            text_of(player),
            figure(by_deal[place]),
            # In rotation r player (seat + r) mod players sits in a seat.
            [figure([deal[(place - seat) % size][place] for deal in won]) for seat in range(size)],
        )
        for place, (name, player) in enumerate(zip(names, players, strict=True))
    ]
    even = 1.0 / size if share else 0.0
    same = list(zip(names, map(text_of, players), strict=True))
    by_design = exact_by_symmetry(same, sides[0].won.mean, even)
    if by_design:
        sides = [msgspec.structs.replace(side, won=without_interval(side.won)) for side in sides]
    complete = len(won) == asked.deals
    figures = [Figure(*each) for each in zip(names, (side.won for side in sides), by_deal, strict=True)]
    first = [sum(rotation[number] for number, rotation in enumerate(deal)) / size for deal in won]
    found = MatchAnswer(
        rules=game.rules_note(rules),
        measure=game.measure,
        by_design=by_design,
        setup=described(asked.setup),
        asked_deals=asked.deals,
        deals=len(won),
        plays=plays,
        sides=sides,
        first_seat=figure(first),
        draws=deals.draws / max(plays, 1),
        length=length_of(deals.lengths, game.length, len(won)),
        overtaken=deals.overtaken / max(plays, 1) if deals.leads else None,
        leads=[_lead(time, numbers) for time, numbers in sorted(deals.leads.items())],
        groups=[
            Group(group, name, game.tallies.get(group, FIRST), number, points / max(number, 1))
            for group, names_of in deals.tallies.items()
            for name, (number, points) in names_of.items()
        ],
        best=Best() if by_design else best(figures, finished=complete),
        complete=complete,
    )
    seen = {f"won_{place}": values for place, values in enumerate(by_deal, 1)}
    return found, seen | {"first_seat": first}


def described(setup: Any) -> dict[str, str]:
    """Return what is settled before the first move, in words, but for what is not settled."""
    found = {each.name: getattr(setup, each.name) for each in msgspec.structs.fields(setup)}
    return {
        name: ", ".join(map(text_of, value)) if isinstance(value, tuple) else text_of(value)
        for name, value in found.items()
        if value is not None
    }


def length_of(lengths: Mapping[int, int], unit: str, deals: int = 0) -> Length | None:
    """Return how long plays were, from how many had which length.

    The error of their mean is that of as many observations as there were deals, whose plays may be alike.
    """
    total = sum(lengths.values())
    if not total:
        return None

    def quantile(share: float) -> int:
        left = share * total
        for length in sorted(lengths):
            left -= lengths[length]
            if left <= 0:
                return length
        return max(lengths)

    mean = sum(length * number for length, number in lengths.items()) / total
    square = sum((length - mean) ** 2 * number for length, number in lengths.items()) / total
    # Plays that all took equally long do not say that all do.
    error = (square / (deals - 1)) ** 0.5 if deals > 1 and square else None
    return Length(unit, mean, quantile(0.1), quantile(0.5), quantile(0.9), error)


def _lead(time: int, numbers: Sequence[float]) -> Lead:
    plays, level, won, *ahead = numbers
    decided = plays - level
    shares = [number / plays for number in ahead]
    return Lead(time, int(plays), level / plays, shares, won / decided if decided else None)


def _without_matrix(game: Any, asked: Match[Any, Any]) -> str | None:
    number = len(seated(game, asked.player, asked.setup))
    return None if number == 2 else f"a matrix is of two players, not {number}"


def match_matrix(found: MatchAnswer, whole: bool) -> PayoffMatrix:
    """Return what two players get against each other; who plays itself gets half by design."""
    from analysis.payoff_matrices import against_each

    first, second = found.sides
    title = f"{'Share' if found.measure == 'share' else 'Payoff'} of {found.plays} plays"
    total = 1.0 if found.measure == "share" else 0.0
    return against_each(title, first.name, [(second.name, first.won.mean)], total)
