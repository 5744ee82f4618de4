"""``balance``: every deck, or every race with every class, against every other one, by season too."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations_with_replacement
from typing import TYPE_CHECKING, Annotated

import msgspec

from analysis.amounts import counted
from analysis.errors import RequestError
from analysis.estimates import Estimate, share_of_deals
from analysis.front.bundles import Kept, RulesFiles, Work
from analysis.front.entries import Only
from analysis.front.entry_page import with_only
from analysis.front.kinds import Pick
from analysis.front.page import Cell, Column, Follow, Heat, Page, Section, Table
from analysis.front.parameters import param, text_of
from analysis.front.question import Amount, Answer, Question, Running
from analysis.front.verdicts import Best, Figure, best
from analysis.payoff_matrices import PayoffMatrix
from analysis.symmetry import WHY
from analysis.warage.players import ByRules, Greedy, Random, Search

if TYPE_CHECKING:
    from analysis.front.contest import Deals
    from engine.warage.rules import Rules

__all__ = ["QUESTION", "BalanceAnswer", "CellReport"]


class Balance(msgspec.Struct, frozen=True, kw_only=True):
    """Who is compared, by whom they are played, and how often."""

    deck: Annotated[
        tuple[str, ...], param("Deck that is looked at; repeatable.  [default: all]", kind=Pick("decks"))
    ] = ()
    only: Only = Only()
    heroes: Annotated[
        bool, param("Compare every race with every class, each with the first of these decks of its class.")
    ] = False
    player: Annotated[
        ByRules | Greedy | Search | Random, param("Who plays all decks.", metavar="NAME[:key=value,...]")
    ] = ByRules()
    deals: Annotated[
        int,
        param(
            "Deals to play. Each is played once from every seat, with the same luck.",
            ge=1,
            le=100_000_000,
            unit="deals",
        ),
    ] = 10_000
    work: Work = Work()
    kept: Kept = Kept()
    rules: RulesFiles = RulesFiles()


class CellReport(msgspec.Struct, frozen=True):
    """One deck against another: the first one's share, and by seat.

    Attributes
    ----------
    win : without an interval against itself, where one half is by design.
    """

    deck: str
    against: str
    win: Estimate
    by_seat: list[Estimate]
    turns: float | None


class BalanceAnswer(Answer, frozen=True, kw_only=True):
    """Decks, or heroes as `race/class`, against each other, all played alike.

    Attributes
    ----------
    mean : deck -> its share on average over the others; `shares`: the same with its interval.
    best, worst : which wins most, and least, as far as these deals tell.
    by_season : the same by the base season at the beginning.
    complete : whether all cells are finished.
    """

    player: str
    settings: dict[str, int]
    decks: list[str]
    deals: int
    cells: list[CellReport]
    mean: dict[str, float]
    by_season: dict[str, dict[str, float]]
    shares: Mapping[str, Estimate] = msgspec.field(default_factory=dict)
    best: Best = Best()
    worst: Best = Best()


def _heroes(rules: Rules, decks: list[str]) -> dict[str, str]:
    """Every race with the first of these decks of each class: `orc/warrior` -> `orc/orc-warrior`."""
    own: dict[str, str] = {}
    for deck in decks:
        own.setdefault(rules.deck(deck).hero_class, deck)
    classes = [each.id for each in rules.classes if each.id in own]
    return {f"{race.id}/{name}": f"{race.id}/{own[name]}" for race in rules.races for name in classes}


def _answer(asked: Balance, running: Running) -> BalanceAnswer:
    return _observed(asked, running)[0]


def _observed(asked: Balance, running: Running) -> tuple[BalanceAnswer, dict[str, list[float]]]:
    from analysis.warage.game import GAME, Decks
    from analysis.warage.players import settings_of

    rules = GAME.rules_of(asked.rules)
    decks = list(dict.fromkeys(asked.deck or [deck.id for deck in rules.decks]))
    if len(decks) < (1 if asked.heroes else 2):
        raise RequestError("name two decks at least: each plays the others", "--deck")
    played = _heroes(rules, decks) if asked.heroes else {deck: deck for deck in decks}
    from analysis.front.contest import play_setups

    pairs = list(combinations_with_replacement(played, 2))
    setups = [Decks(deck=played[one], against=played[other]) for one, other in pairs]
    effort = asked.deals, asked.work, asked.kept, running
    cells: list[CellReport] = []
    by_deal: dict[tuple[str, str], list[float]] = {}
    seasons: dict[tuple[str, str], dict[str, float]] = {}
    for pair, deals in zip(
        pairs, play_setups(GAME, rules, setups, (asked.player, asked.player), *effort), strict=True
    ):
        if len(deals.won) == asked.deals:
            by_deal[pair] = [sum(rotation[0] for rotation in deal) / len(deal) for deal in deals.won]
            cells.append(_cell(*pair, by_deal[pair], deals))
            tallies = deals.tallies.get("season", {})
            seasons[pair] = {name: points / number for name, (number, points) in tallies.items()}
    shares = {(cell.deck, cell.against): cell.win.mean or 0.0 for cell in cells}
    means = {name: _others(name, shares) for name in played}
    names = list(dict.fromkeys(season for each in seasons.values() for season in each))
    seen = {name: _deals_of(name, by_deal) for name, share in means.items() if share is not None}
    shares_of = {name: share_of_deals(values) for name, values in seen.items()}
    figures = [Figure(name, shares_of[name], values) for name, values in seen.items()]
    complete = len(cells) == len(pairs)
    found = BalanceAnswer(
        player=text_of(asked.player),
        settings=settings_of(asked.player),
        decks=list(played),
        deals=asked.deals,
        cells=cells,
        mean={name: share for name, share in means.items() if share is not None},
        by_season={
            name: {
                season: share
                for season in names
                if (
                    share := _others(
                        name, {pair: each[season] for pair, each in seasons.items() if season in each}
                    )
                )
                is not None
            }
            for name in played
        },
        shares=shares_of,
        best=best(figures, finished=complete),
        worst=best(figures, least=True, finished=complete),
        complete=complete,
    )
    return found, seen


def _cell(deck: str, against: str, by_deal: Sequence[float], deals: Deals) -> CellReport:
    from analysis.symmetry import without_interval

    win = share_of_deals(by_deal)
    by_seat = [share_of_deals([deal[-seat][0] for deal in deals.won]) for seat in range(2)]
    plays = sum(deals.lengths.values())
    turns = sum(turn * number for turn, number in deals.lengths.items()) / plays if plays else None
    return CellReport(deck, against, without_interval(win) if deck == against else win, by_seat, turns)


def _others(name: str, shares: Mapping[tuple[str, str], float]) -> float | None:
    """What a deck wins on average over the others; None if it met none of them."""
    met = [
        share if name == one else 1 - share
        for (one, other), share in shares.items()
        if one != other and name in (one, other)
    ]
    return sum(met) / len(met) if met else None


def _deals_of(name: str, by_deal: Mapping[tuple[str, str], Sequence[float]]) -> list[float]:
    """What a deck wins over the others in each deal: all pairs play the same ones."""
    met = [
        values if name == one else [1 - value for value in values]
        for (one, other), values in by_deal.items()
        if one != other and name in (one, other)
    ]
    return [sum(values) / len(values) for values in zip(*met, strict=True)]


def _matrix(found: BalanceAnswer) -> list[list[float | None]]:
    shares: dict[tuple[str, str], float | None] = {}
    for cell in found.cells:
        shares[cell.against, cell.deck] = None if cell.win.mean is None else 1 - cell.win.mean
        shares[cell.deck, cell.against] = cell.win.mean
    return [[shares.get((one, other)) for other in found.decks] for one in found.decks]


def _matches(found: BalanceAnswer) -> list[list[Follow | None]]:
    """The match of each pair of decks; heroes of other races have no decks of their own."""
    if any("/" in deck for deck in found.decks):
        return []
    more: dict[str, str | list[str]] = {"player": found.player, "deals": str(found.deals)}
    return [
        [Follow("match", {**more, "deck": deck, "against": against}) for against in found.decks]
        for deck in found.decks
    ]


def _payoffs(found: BalanceAnswer, needs_all: bool) -> PayoffMatrix:
    """Everybody's share of wins against everybody."""
    title = f"Share of wins, played by {found.player}"
    return PayoffMatrix(title, ("row", "column"), found.decks, found.decks, _matrix(found))


def _amounts(found: BalanceAnswer) -> list[Amount]:
    return [Amount(deck, f"{deck} wins", found.shares.get(deck), "share") for deck in found.decks]


def _page(found: BalanceAnswer) -> Page:
    matrix = _matrix(found)
    names: list[float | str] = [*found.decks]
    heat = Heat("A row beats a column", "against", "deck", "share", names, names, matrix, _matches(found))
    seasons = list(dict.fromkeys(season for each in found.by_season.values() for season in each))
    own = {cell.deck: cell for cell in found.cells if cell.deck == cell.against}
    columns = [
        Column("deck", "deck"),
        Column("mean", "mean", "share"),
        *(Column(season, season, "share") for season in seasons),
        Column("first", "first seat", "share"),
        Column("turns", "turns", "number", 1),
    ]
    means: list[list[Cell]] = []
    for deck in found.decks:
        by_season, cell = found.by_season.get(deck, {}), own.get(deck)
        first = None if cell is None else cell.by_seat[0].mean
        means.append(
            [
                deck,
                found.shares.get(deck),
                *(by_season.get(season) for season in seasons),
                first,
                None if cell is None else cell.turns,
            ]
        )
    title = "Mean over the others, by the season at the start too; first seat and turns against itself"
    heads = [
        Column("deck", "deck"),
        Column("against", "against"),
        Column("win", "wins", "share"),
        Column("first", "first", "share"),
        Column("second", "second", "share"),
        Column("turns", "turns", "number", 1),
    ]
    cells: list[list[Cell]] = [
        [cell.deck, cell.against, _win(cell), *(seat.mean for seat in cell.by_seat), cell.turns]
        for cell in found.cells
    ]
    pairs = Table(heads, cells, "Each pair, and by who moves first")
    shares = [Column("row", "row"), *(Column(deck, deck, "share") for deck in found.decks)]
    square: list[list[Cell]] = [[deck, *row] for deck, row in zip(found.decks, matrix, strict=True)]
    sections: list[Section] = [heat, Table(columns, means, title), pairs]
    settings = ", ".join(f"{key} {value}" for key, value in found.settings.items())
    return Page(
        headline=_headline(found),
        sections=sections,
        notes=[
            "The figures hold for these players; a better one may change them.",
            WHY,
            *([] if found.complete else ["Stopped early: this is what was finished."]),
        ],
        method=[
            f"{counted(found.deals, 'deal')} a pair, each played twice with the same luck, either deck first:"
            " a deal is one observation.",
            f"Played by {found.player}{f' ({settings})' if settings else ''}.",
        ],
        details=2,
        data=Table(shares, square),
    )


def _headline(found: BalanceAnswer) -> str:
    if not found.mean:
        return "No two of these have met."
    if not found.complete:
        return f"Stopped early, with {counted(len(found.cells), 'pair')} finished; who wins most is not told."
    most = found.best.said("wins most against the others", "win most", figures=found.shares)
    least = found.worst.said("wins least", "win least", figures=found.shares)
    return f"{most} {least}".strip() or "Stopped early: which of them wins most is not told."


def _win(cell: CellReport) -> Cell:
    return cell.win.mean if cell.deck == cell.against else cell.win


_ALL: Question[Balance, BalanceAnswer] = Question(
    name="balance",
    about="Let every deck, or race with class, play every other one. Each plays itself, too;"
    " shares are told by season.",
    asked=Balance,
    answers=BalanceAnswer,
    function=_answer,
    page=_page,
    exactness="measured",
    amounts=_amounts,
    observed=_observed,
    matrix=_payoffs,
    examples=(
        "balance --deals 500",
        "balance --heroes --deck orc-warrior --deck elf-mage --deals 10 --jobs 2",
        "balance --deck orc-warrior --deck elf-mage --deals 500 --set match.season_unit=point",
        "balance --only fireball --deals 200",
    ),
)
QUESTION = with_only("analysis.warage.game:GAME", _ALL)
