"""How a day of a match looks that is solved for the chance of winning the match."""

from __future__ import annotations

from analysis.amounts import counted
from analysis.estimates import Estimate
from analysis.front.page import Cell, Column, Page, Section, Table, data_of, flat
from analysis.ragers.last_day.advice import Chance, LastDayAnswer, LastDayReport, win_words
from analysis.ragers.wording.names import card, day_title, hand

_BELIEFS = {
    "course": "hands as the course of play tells",
    "fresh": "fresh hands: any of the cards left, each as likely",
}


def page(found: LastDayReport) -> Page:
    """Return chances of winning, openings, and the hand asked about."""
    who = found.player.capitalize()
    shown = found.answers[0]
    what = "put away" if found.decision == "exchange" else "opened"
    columns = [Column("beliefs", ""), Column("win", f"{who} win", "share")]
    columns.append(Column("gap", "NashConv", "share", 2))
    rows: list[list[Cell]] = [
        [_BELIEFS[each.beliefs], _bounds(each.win), each.nash_conv_win] for each in found.answers
    ]
    sections: list[Section] = [Table(columns, rows)]
    columns = [Column("card", "card"), Column("mix", what, "share"), Column("win", "then wins", "share")]
    columns.append(Column("held", "wins with it in hand", "share"))
    rows = [[card(each.card), each.mix, each.win, each.held] for each in shown.cards]
    sections.append(Table(columns, rows, f"Cards, {shown.beliefs} hands"))
    if shown.hand:
        sections.append(_hand(found, shown, what))
    proved = "proved"
    if found.worth_error:
        points = f"{100 * found.worth_error:.0f}"
        proved = f"if what follows is worth what was learned, which is off by some {points} points"
    return Page(
        headline=f"{day_title(found.names)}, {found.match}: the {who} win {win_words(shown.win)} % of"
        f" matches from here ({proved}).",
        sections=sections,
        notes=_notes(found),
        data=_data(found),
    )


def _bounds(win: Chance) -> Estimate:
    return Estimate(win.mean, win.low, win.high, 0)


def _hand(found: LastDayReport, shown: LastDayAnswer, what: str) -> Table:
    best = max(each.win for each in shown.hand)
    columns = [Column("action", what), Column("mix", "mix", "share"), Column("win", "then wins", "share")]
    ranked = sorted(shown.hand, key=lambda each: -each.win)
    rows: list[list[Cell]] = [[card(each.action), each.mix, each.win, best - each.win] for each in ranked]
    return Table([*columns, Column("cost", "costs", "share")], rows, f"With {hand(found.hand)}")


def _notes(found: LastDayReport) -> list[str]:
    first = found.answers[0]
    lines = [
        "The bounds count what both could gain by other play"
        f" ({counted(first.iterations, 'iteration')} in {first.seconds:.0f} s). Then wins, with it in hand:"
        " by best play against the other side's plan found, so these may lie at the upper bound."
    ]
    if found.tie_breaks == "exact":
        lines.append("Ties are decided as in the rules: cheers cards, cards left in the decks, Defenders.")
    elif found.tie_breaks == "no decks":
        lines.append(
            "Ties on GP and cheers cards go to the larger deck before the day, then to the Defenders; the"
            " rules count the cards left after it (0.2 to 0.8 % of matches come to that)."
        )
    if found.worth:
        lines.append(
            "What the match is worth after the day is given: a curve of the lead, and prices of cards placed,"
            f" by {found.worth}. Chances read so are off by {100 * found.worth_error:.0f} points on 100"
            " solved last days (root mean square). The bounds are of the day with that; plans of several days"
            " are not certified."
        )
    if first.read_by:
        lines.append(f"The course of play is read {first.read_by}; what it leads to is taken as given.")
    if found.preparation == "none":
        lines.append("The discards of the day are over.")
    if "hidden" in found.match:
        lines.append("Cards hidden on earlier days are treated as if they lay beneath the deck.")
    return lines


def _data(found: LastDayReport) -> Table:
    """Return a row for each card and kind of beliefs."""
    head = {"match": found.match, "patron": found.patron, "cheers": " ".join(found.cheers)}
    head |= {"player": found.player, "tie_breaks": found.tie_breaks, "decision": found.decision}
    return data_of(
        [
            {**head, **flat(each, "cards", "hand", "seconds"), **flat(one, under="card_")}
            for each in found.answers
            for one in each.cards
        ]
    )
