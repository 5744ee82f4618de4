"""Raverun, declared: how many play, the players, and where a match and a person's game are made."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

from analysis.front.game import Game
from analysis.front.kinds import Named
from analysis.front.parameters import Bundle, param
from analysis.front.players import Player
from engine.raverun.rules import ACTIONS, Rules

_MOST = 10_000_000


class Seats(Bundle, frozen=True, kw_only=True):
    """How many play."""

    players: Annotated[int, param("How many play.", ge=2, le=3, unit="players")] = 2


class _Searching(Player, frozen=True, kw_only=True):
    """Looks ahead for so many iterations, or so long."""

    iterations: Annotated[int, param("Iterations of each search.", ge=1, le=_MOST, unit="iterations")] = 1000
    seconds: (
        Annotated[
            float, param("Time for each decision, instead of iterations.", ge=0.001, le=86_400, unit="s")
        ]
        | None
    ) = None


class Search(_Searching, frozen=True, kw_only=True, tag="search"):
    """Looks ahead by what it sees, as if others played any move."""


class Guided(_Searching, frozen=True, kw_only=True, tag="guided"):
    """Looks ahead by what it sees, guided by values learned by self-play: the strongest player."""

    file: (
        Annotated[Path, param("File of learned values.  [default: those that come with the package]")] | None
    ) = None


class Values(Player, frozen=True, tag="values"):
    """Looks one move ahead by values learned by self-play."""

    file: (
        Annotated[Path, param("File of learned values.  [default: those that come with the package]")] | None
    ) = None


class Greedy(Player, frozen=True, tag="greedy"):
    """Plays by a rule of thumb."""


class Random(Player, frozen=True, tag="random"):
    """Makes any move."""


def names(rules: Rules) -> dict[str, list[Named]]:
    """Return the lists that values are chosen from."""
    return {
        "cards": [
            Named(
                rules.card_name(card).lower(),
                rules.card_name(card),
                f"Its action: {ACTIONS[rules.action(card)]}.",
                most=1,
            )
            for card in range(rules.num_cards)
        ]
    }


def rules_of(files: Sequence[Any], overrides: Sequence[str]) -> Rules:
    """Return the rules with changes; RulesError if they are wrong."""
    from engine.raverun.rules import load_rules

    return load_rules(files, overrides)


GAME = Game(
    name="raverun",
    title="Raverun",
    seats=(2, 3),
    place="analysis.raverun.game:GAME",
    load="analysis.raverun.game:rules_of",
    rules_example="characters.8.action=bury",
    setup=Seats,
    player=Guided | Search | Values | Greedy | Random,
    usual=(Search(), Greedy()),
    names=names,
    measure="signed",
)
