"""``tune``: which swaps of single cards make a deck better."""

from __future__ import annotations

from typing import Annotated

import msgspec

from analysis.amounts import chance, counted
from analysis.estimates import Estimate
from analysis.front.bundles import RulesFiles, Seeded
from analysis.front.kinds import Pick
from analysis.front.page import Cell, Column, Fact, Facts, Page, Section, Table
from analysis.front.parameters import param
from analysis.front.question import Amount, Answer, Question
from analysis.front.verdicts import doubt_said, side_of
from analysis.warage.game import DeckLookedInto
from analysis.warage.players import ByRules, Greedy

__all__ = ["QUESTION", "SwapRow", "Tune", "TuneAnswer"]


class Tune(msgspec.Struct, frozen=True, kw_only=True):
    """Which deck is made better, by how many swaps, against whom."""

    deck: DeckLookedInto = "orc-warrior"
    swaps: Annotated[int, param("Swaps are made at most.", ge=1, le=100, unit="swaps")] = 5
    against: Annotated[
        tuple[str, ...], param("Deck to play against; repeatable.  [default: all others]", kind=Pick("decks"))
    ] = ()
    player: Annotated[ByRules | Greedy, param("Who plays all decks.", metavar="NAME[:key=value,...]")] = (
        ByRules()
    )
    deals: Annotated[
        int,
        param(
            "Deals to play. Every deck that is tried plays them, once from either seat.",
            ge=1,
            le=50_000_000,
            unit="deals",
        ),
    ] = 20_000
    chance: Seeded = Seeded()
    rules: RulesFiles = RulesFiles()


class SwapRow(msgspec.Struct, frozen=True):
    """One copy out, one of another card in: what that gained when it was tried."""

    out: str
    into: str
    gain: Estimate


class TuneAnswer(Answer, frozen=True, kw_only=True):
    """A deck that is better against some others, card by card.

    Attributes
    ----------
    before, after : shares of the deck as it was, and as it is now, on duels that no swap was chosen by.
    gain : of all swaps together.
    cards : of the deck now.
    finished : whether no further swap was found.
    """

    deck: str
    against: list[str]
    player: str
    settings: dict[str, int]
    duels: int
    before: float
    after: float
    gain: Estimate
    swaps: list[SwapRow]
    cards: list[str]
    finished: bool


def _amounts(found: TuneAnswer) -> list[Amount]:
    return [
        Amount("gain", "the swaps gain", found.gain, "gain"),
        Amount("before", f"{found.deck} wins before", found.before, "share"),
        Amount("after", f"{found.deck} wins after", found.after, "share"),
    ]


def _page(found: TuneAnswer) -> Page:
    facts = [
        Fact("before", f"{found.deck} wins", found.before, "share", 2),
        Fact("after", "afterwards", found.after, "share", 2),
        Fact("gain", "gain, on other duels", found.gain, "gain", 2),
    ]
    columns = [Column("out", "out"), Column("into", "in"), Column("gain", "when tried", "gain", 2)]
    rows: list[list[Cell]] = [[row.out, row.into, row.gain] for row in found.swaps]
    sections: list[Section] = [Facts(facts)]
    if rows:
        sections.append(Table(columns, rows, "Swaps"))
        sections.append(Facts([Fact("cards", "the deck now", ", ".join(found.cards))]))
    swaps = counted(len(rows), "swap")
    nothing = "" if side_of(found.gain) in ("above", "below") else ", which may be nothing"
    headline = (
        f"{swaps} take{'' if len(rows) > 1 else 's'} {found.deck} from {chance(found.before)} to"
        f" {chance(found.after)} ({doubt_said(found.gain, 'gain')} points{nothing})."
    )
    settings = ", ".join(f"{key} {value}" for key, value in found.settings.items())
    return Page(
        headline=headline if rows else f"No swap was found that makes {found.deck} better beyond chance.",
        sections=sections,
        notes=[
            "No further swap was found." if found.finished else "More swaps might follow.",
            "For these players: no equilibrium; another way to play wants other cards.",
        ],
        method=[
            f"{found.duels:,} duels with every pair of the last choice.",
            f"Played by {found.player} ({settings}); against {', '.join(found.against)}.",
        ],
    )


QUESTION = Question(
    name="tune",
    about="Swap single cards of a deck as long as one makes it better. Chance alone is not enough.",
    asked=Tune,
    answers=TuneAnswer,
    function="analysis.warage.deck_building:answer",
    page=_page,
    exactness="measured",
    amounts=_amounts,
    examples=("tune elf-mage --against orc-warrior --deals 8 --swaps 1",),
)
