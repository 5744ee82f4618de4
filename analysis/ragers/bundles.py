"""What questions about Ragers are about: days, sides, hands, histories; each declared once."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import msgspec

from analysis.errors import RequestError
from analysis.front.bundles import LARGEST_SEED, RulesFiles
from analysis.front.kinds import Counts, Pick, Steps
from analysis.front.parameters import Bundle, param
from analysis.front.sizes import read_memory
from analysis.ragers.hands import LETTERS_HELP, HandError, check_hand
from engine.ragers.rules import TYPES, Rules

if TYPE_CHECKING:
    from analysis.ragers.answers import solving

_MOST = 10_000_000

Patron = Annotated[
    str,
    param(
        "Patron of the day; where several can be named, none means all.",
        kind=Pick("patrons"),
        metavar="NAME",
    ),
]
Cheers = Annotated[
    str,
    param(
        "Cheers card on the table; where several can be named, none means all.",
        kind=Pick("cheers cards"),
        metavar="NAME",
    ),
]
Patrons = tuple[Patron, ...]
CheersCards = tuple[Cheers, ...]
"""Several, repeatable on a command line; none for all."""
Preparation = Annotated[
    Literal["none", "redraw", "seen"],
    param("How each player may exchange a card before the day: not at all, unseen, or with a discard seen."),
]
Seat = Annotated[Literal["accusers", "defenders"], param("The side whose point of view is shown.")]
Hand = Annotated[
    dict[str, int],
    param(
        f"Cards in the hand now, such as B B S C V. Letters: {LETTERS_HELP}.",
        kind=Counts("cards"),
        metavar="CARDS",
    ),
]
History = Annotated[
    str,
    param(
        "The day so far. Steps with semicolons between them, in each your cards, a slash, the opponent's."
        " V+B is a Veteran with a Basher on top, D+?S your Deadeye and the card it hides, D+? the opponent's,"
        " - nothing. With --preparation seen the first part is what was put away: -B/-S.",
        kind=Steps("placements", "placements of the other"),
        metavar="STEPS",
    ),
]


class Days(Bundle, frozen=True, kw_only=True):
    """Days, by patron and cheers card, as one side sees them."""

    patron: Patrons = ()
    cheers: CheersCards = ()
    preparation: Preparation = "redraw"
    side: Seat = "accusers"


class Position(Bundle, frozen=True, kw_only=True):
    """A decision: the day, whose it is, the hand, and what was placed so far."""

    patron: Patron | None = None
    cheers: CheersCards = ()
    preparation: Preparation = "redraw"
    side: Seat = "accusers"
    hand: Hand = msgspec.field(default_factory=dict)
    history: History = ""


def counts_of(hand: Mapping[str, int]) -> tuple[int, ...]:
    """Return how many cards of each type a hand has."""
    return tuple(hand.get(name, 0) for name in TYPES)


def solving_command(
    files: RulesFiles, patrons: Iterable[str], cheers: Iterable[str], preparation: str
) -> str:
    """Return the command that solves days by the same rules, to be copied into a shell."""
    words = [word for file in files.rules for word in ("--rules", str(file))]
    words += [word for value in files.set for word in ("--set", value)]
    words += [word for name in patrons for word in ("--patron", name)]
    words += [word for name in cheers for word in ("--cheers", name)]
    words += [] if preparation == "redraw" else ["--preparation", preparation]
    return shlex.join(["ragers", "solve", *words])


def dealt_hand(hand: Mapping[str, int], rules: Rules, player: int) -> tuple[int, ...]:
    """Return how many cards of each type a hand has; RequestError if a player cannot be dealt it."""
    counts = counts_of(hand)
    copies = tuple(each.copies[player] for each in rules.cards)
    try:
        check_hand(counts, copies, rules.match.hand_size)
    except HandError as error:
        raise RequestError(str(error), "--hand") from None
    return counts


class Budget(Bundle, frozen=True, kw_only=True):
    """What a solve may take."""

    time_limit: (
        Annotated[
            float,
            param(
                "Stop each solve after 300 (seconds), 30m, 1h.", ge=0.001, le=31_536_000, unit="s", more=True
            ),
        ]
        | None
    ) = None
    iterations: (
        Annotated[
            int, param("Stop each solve after this many.", ge=1, le=_MOST, unit="iterations", more=True)
        ]
        | None
    ) = None
    threads: Annotated[
        int, param("Threads at work; 0 is one for each core.", ge=0, le=1024, unit="threads", more=True)
    ] = 0
    memory: (
        Annotated[str, param("Memory that a solve may use, such as 8GiB.", metavar="SIZE", more=True)] | None
    ) = None

    def limits(self, seed: int, **further: Any) -> solving.Effort:
        """Return what is asked for, as solves take it; RequestError if a duration or an amount is none."""
        from analysis.ragers.answers import solving

        return solving.Effort(
            time_limit_s=self.time_limit,
            iterations=self.iterations,
            threads=self.threads,
            memory_bytes=None if self.memory is None else read_memory(self.memory),
            seed=seed,
            **further,
        )


class Limits(Budget, frozen=True, kw_only=True):
    """How far to solve what is not stored."""

    target: (
        Annotated[
            float,
            param(
                "Stop a solve where both together could gain no more than this.",
                ge=1e-9,
                le=1e6,
                unit="GP",
                more=True,
            ),
        ]
        | None
    ) = None
    fresh: Annotated[
        bool,
        param(
            "Solve again, whatever is stored: from tables of earlier solves, where there are any.", more=True
        ),
    ] = False

    def limits(self, seed: int, **further: Any) -> solving.Effort:
        """Return what is asked for, as solves take it."""
        return super().limits(seed, target_gp=self.target, **further)


class Effort(Limits, frozen=True, kw_only=True):
    """How far to solve what is not stored, and chance."""

    seed: Annotated[
        int, param("Random seed; the same seed gives the same answer.", ge=0, le=LARGEST_SEED, more=True)
    ] = 0

    def limited(self, **further: Any) -> solving.Effort:
        """Return what is asked for, as solves take it."""
        return self.limits(self.seed, **further)


DryRun = Annotated[bool, param("Only say what would be done, and what it takes.", more=True)]


class Solving(Limits, frozen=True, kw_only=True):
    """How far to solve, by which method, and where what does not fit in memory may lie."""

    method: Annotated[
        Literal["auto", "exact", "merged"],
        param(
            "The whole public tree, or histories with equal rows merged; auto merges if memory or time is"
            " short.",
            more=True,
        ),
    ] = "auto"
    disk: (
        Annotated[
            Path,
            param(
                "Folder that takes, while it is solved, what does not fit in memory.",
                metavar="DIRECTORY",
                more=True,
            ),
        ]
        | None
    ) = None

    def solving(self, seed: int) -> solving.Effort:
        """Return what is asked for; days of what is found are sampled, too."""
        if self.disk is not None and not (self.disk.is_dir() and os.access(self.disk, os.W_OK)):
            raise RequestError(f"there is no folder {str(self.disk)!r} to write to", "--disk")
        return self.limits(seed, method=self.method, disk=self.disk, profile=True)


Top = Annotated[
    int, param("Number of hands to list, the likeliest first.", ge=0, le=10_000, unit="hands", more=True)
]
