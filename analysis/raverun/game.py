"""Raverun, declared: how many play, the players, and where a match and a person's game are made."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

from analysis.front.checkup.plan import Plan, Rung
from analysis.front.entries import EntryKind
from analysis.front.game import Game
from analysis.front.kinds import Named
from analysis.front.parameters import Bundle, param
from analysis.front.players import Player
from analysis.raverun.bundles import Seats
from engine.raverun.rules import ACTIONS, Rules

_MOST = 10_000_000


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


class Advice(Bundle, frozen=True, kw_only=True):
    """How a person is helped."""

    values: (
        Annotated[
            Path,
            param(
                "File of values that raverun train wrote, for hints and for what decisions cost."
                "  [default: what an opponent goes by, else a search]",
                more=True,
            ),
        ]
        | None
    ) = None


PLAYERS = Guided | Search | Values | Greedy | Random


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


def size(setup: Seats) -> int:
    """Return how many play."""
    return setup.players


def bounds(number: int) -> tuple[float, float]:
    """Return what a game of so many may pay: the losers share what the winner gets (A2)."""
    return -1.0 / (number - 1), 1.0


GAME = Game(
    name="raverun",
    title="Raverun",
    seats=(2, 3),
    place="analysis.raverun.game:GAME",
    load="analysis.raverun.game:rules_of",
    rules_schema="engine.raverun.rules_schema:SCHEMA",
    rules_example="characters.8.action=bury",
    setup=Seats,
    advice=Advice,
    player=PLAYERS,
    usual=(Search(), Greedy()),
    names=names,
    contest="analysis.raverun.contest:Matches",
    session="analysis.raverun.session:begin",
    resume="analysis.raverun.session:go_on",
    tree="analysis.raverun.exact_game:source",
    own=("solve", "train", "review"),
    size=size,
    measure="signed",
    length="rounds",
    entries={
        "character": EntryKind(
            "characters", "analysis.raverun.entries:characters", called="action", together=True
        )
    },
    bounds=bounds,
    plan=Plan(
        ladder=(Rung(Random(), 1000), Rung(Greedy(), 4000), Rung(Search(iterations=50), 200)),
        setups_by=1,
        entries={"character": 10_000},
    ),
    tallies={"result": "the first player"},
    examples={
        "export": (
            "export --set match.characters=2 --set match.hand_size=2 -o small.efg",
            "export --to profile --set match.characters=2 --set match.hand_size=2 -o small.csv",
        ),
        "match": (
            "match --player greedy --player random --deals 100",
            "match --player guided:iterations=30 --player search:iterations=30 --deals 2",
            "match --players 3 --player search:iterations=20 --player greedy --deals 2 --keep match.jsonl",
            "match --player greedy --player random --deals 100 --vary characters.8.action=bury,shuffle",
        ),
        "play": (
            "play",
            "play --opponent guided:seconds=2 --transcript game.txt",
            "play --players 3 --opponent search:iterations=2000 --opponent greedy --seed 7",
        ),
    },
)
