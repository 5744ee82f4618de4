"""``match``: two to four players against each other; or one alone against the elves."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any, Literal

import msgspec

from analysis.clash import alone
from analysis.clash.game import GAME
from analysis.clash.setup import Setup
from analysis.front.page import Page
from analysis.front.parameters import param, unheeded
from analysis.front.question import Amount, Question, Running
from analysis.front.verbs import match as shared
from analysis.front.verbs.match_page import match_amounts, match_page

__all__ = ["QUESTION"]

_GAME: Any = GAME


class Met(Setup, frozen=True, kw_only=True):
    """Where players meet, or one is alone."""

    solo: Annotated[
        tuple[Literal["easy", "medium", "difficult", "impossible", "all"], ...],
        param("One player plays alone against the elves, this hard. Repeatable."),
    ] = ()
    no_first: Annotated[
        bool,
        param("Do not show what the first choices of whoever plays alone are worth.", more=True),
    ] = False


_ASKED = shared.Match[Met, _GAME.player]


def _observed(asked: Any, running: Running) -> tuple[Any, dict[str, list[float]]]:
    where: Met = asked.setup
    if where.solo:
        unheeded(asked, "goes with two players at least, without --solo", "long", "within", declared=_ASKED)
        return alone.answer(asked, running), {}
    unheeded(asked, "goes with --solo", "no_first", declared=_ASKED)
    setup = Setup(clan=where.clan, tiles=where.tiles, long=where.long)
    return shared.observed(GAME, msgspec.structs.replace(asked, setup=setup), running)


def _without_matrix(asked: Any) -> str | None:
    return "who plays alone plays against nobody" if asked.setup.solo else _TOGETHER.without_matrix(asked)


def _amounts(found: Any) -> list[Amount]:
    return alone.amounts(found) if isinstance(found, alone.SoloAnswer) else match_amounts(found)


def _page(found: Any) -> Page:
    return alone.page(found) if isinstance(found, alone.SoloAnswer) else match_page(found)


_TOGETHER: Question[Any, Any] = shared.match_of(GAME)
QUESTION: Question[Any, Any] = replace(
    _TOGETHER,
    about="Measure what players win against each other. Every deal is played once from every seat; with"
    " --solo it is told how often one wins alone against the elves, and what it may do first.",
    asked=_ASKED,
    also=(alone.SoloAnswer,),
    function=lambda asked, running: _observed(asked, running)[0],
    page=_page,
    amounts=_amounts,
    observed=_observed,
    without_matrix=_without_matrix,
)
