"""How advice for the chance of winning a match looks, and the row that leads to any decision."""

from __future__ import annotations

from collections.abc import Sequence

from analysis.amounts import counted, percent
from analysis.estimates import Estimate
from analysis.front.page import Board, Cell, Column, Page, Section, Table, data_of
from analysis.front.verdicts import Figure, best
from analysis.ragers.last_day.advice import MatchAdvice, win_words
from analysis.ragers.wording.names import card, day_title, hand

DECISIONS = {
    "place": "place a card",
    "further": "place a further card on top",
    "hide": "hide a further card",
    "exchange": "put a card away",
}


def placed_words(part: str) -> list[str]:
    """What both sides did in a step of a history, in words."""
    return ["+".join(map(card, side.split("+"))) for side in part.split("/")]


def row_of(history: Sequence[str]) -> list[Section]:
    """What both sides did so far, a column for each step."""
    steps = list(map(placed_words, history))
    if not steps:
        return []
    widths = [max(map(len, step)) for step in steps]
    sides = [
        "  ".join(f"{step[side]:<{width}}" for step, width in zip(steps, widths, strict=True)).rstrip()
        for side in (0, 1)
    ]
    return [Board([f"you       {sides[0]}", f"opponent  {sides[1]}"], "So far")]


def match_page(found: MatchAdvice) -> Page:
    """Return what solve and search say of each action."""
    solved, search, notes = found.solved, found.search, []
    sections: list[Section] = [*row_of(found.history)]
    said = "nothing is known" if search is None else f"the search prefers {card(search.best or 'nothing')}"
    if solved is not None:
        most = max(each.win for each in solved.actions)
        ranked = sorted(solved.actions, key=lambda each: -each.win)
        gap = solved.nash_conv_win / 2
        figures = [Figure(card(e.action), Estimate(e.win, e.win - gap, e.win + gap, 0)) for e in ranked]
        choice = best(figures, proved=True, finished=found.complete)
        said = choice.said("wins most", "win most", said).removesuffix(".")
        columns = [
            Column("action", "action"),
            Column("mix", "mix", "share"),
            Column("win", "then win", "share"),
        ]
        rows: list[list[Cell]] = [[card(e.action), e.mix, e.win, most - e.win] for e in ranked]
        sections.append(Table([*columns, Column("cost", "costs", "share")], rows, "Solved"))
        began = f", read {solved.read_by}" if solved.read_by else ""
        notes.append(
            f"Solved: over all hands they may hold, the {found.player.capitalize()} win"
            f" {win_words(solved.win)} % from here on (NashConv {percent(solved.nash_conv_win, 2)} win-%,"
            f" {counted(solved.iterations, 'iteration')} in {solved.seconds:.0f} s). The day began with"
            f" {solved.beliefs} beliefs{began}; placements of this day are read by the solve."
        )
        if solved.tie_breaks == "no decks":
            notes.append("Ties on GP and cheers cards go to the larger deck before the day.")
        for step in solved.surprises:
            notes.append(f"Surprise in step {step}: somebody did what the solve never does.")
    elif found.unsolved:
        notes.append(f"Not solved: {found.unsolved}.")
    if search is not None:
        tried = sorted(search.actions, key=lambda each: -(each.win or 0.0))
        columns = [Column("action", "action"), Column("win", "win, about", "share")]
        sections.append(Table(columns, [[card(each.action), each.win] for each in tried], "Searched"))
        notes.append(
            f"Searched: {search.player}, {counted(search.iterations, 'iteration')}. Nothing is proved by it."
        )
    where = f" ({found.match})" if found.match else ""
    return Page(
        headline=f"{day_title(found.names)}, day {found.day}{where}, {found.player.capitalize()},"
        f" {DECISIONS[found.decision]}, holding {hand(found.hand)}: {said}.",
        sections=sections,
        notes=notes,
        data=_match_data(found),
    )


def _match_data(found: MatchAdvice) -> Table:
    """Return a row for each action."""
    solved = {} if found.solved is None else {each.action: each for each in found.solved.actions}
    searched = {} if found.search is None else {each.action: each.win for each in found.search.actions}
    common: dict[str, Cell] = {"patron": found.patron, "cheers": " ".join(found.cheers), "day": found.day}
    common |= {"match": found.match, "player": found.player, "hand": " ".join(found.hand)}
    rows: list[dict[str, Cell]] = []
    for action in dict.fromkeys([*solved, *searched]):
        known = solved.get(action)
        row: dict[str, Cell] = {**common, "action": action, "mix": None if known is None else known.mix}
        row |= {"solved_win": None if known is None else known.win, "searched_win": searched.get(action)}
        rows.append(row)
    return data_of(rows)
