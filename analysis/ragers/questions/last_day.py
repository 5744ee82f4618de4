"""``last-day``: a day of a match, solved for the chance of winning the match; the last one exactly."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import msgspec

from analysis.amounts import size
from analysis.errors import RefusedError, RequestError
from analysis.front.bundles import RulesFiles, Seeded
from analysis.front.page import Cell, Column, Page, Section, Table, data_of
from analysis.front.parameters import param
from analysis.front.question import Question, Running
from analysis.ragers.bundles import Budget, CheersCards, Hand, Patron, Seat, counts_of
from analysis.ragers.last_day.advice import LastDayAnswer, LastDayReport
from analysis.ragers.scenarios import scenarios
from analysis.ragers.wording.names import card, day_title, hand
from analysis.ragers.wording.trust import win_words
from engine.ragers.rules import PLAYERS, Rules

if TYPE_CHECKING:
    from analysis.ragers.last_day.solving import LastDayQuestion
    from analysis.ragers.last_day.worth import Worth

_BELIEFS = {
    "course": "hands as the course of play tells",
    "fresh": "fresh hands: any of the cards left, each as likely",
}


class LastDay(msgspec.Struct, frozen=True, kw_only=True):
    """Where the match stands, and whose chance is wanted."""

    standing: Annotated[
        str,
        param(
            "Where the match stands, Accusers first, such as"
            ' "day 3, score 4:6, cheers 1:0, left B2S3P1:B1S2T2"; or a transcript of ragers play, which tells'
            " patron, cheers cards and hand itself.",
            argument=True,
        ),
    ]
    patron: Patron | None = None
    cheers: CheersCards = ()
    preparation: (
        Annotated[
            Literal["none", "seen"],
            param(
                "How each player may exchange a card before the day: not at all, unseen, or with a discard"
                " seen. In a match it is over, or seen.  [default: as a transcript tells, else it is over]"
            ),
        ]
        | None
    ) = None
    side: Seat = "accusers"
    hand: Hand = msgspec.field(default_factory=dict)
    worth: (
        Annotated[
            Path,
            param(
                "Before the last day: what ragers study --format json wrote for these rules."
                "  [default: read from where play of the day leads]",
                more=True,
            ),
        ]
        | None
    ) = None
    budget: Budget = Budget()
    chance: Seeded = Seeded()
    rules: RulesFiles = RulesFiles()


def answer(asked: LastDay, running: Running) -> LastDayReport:
    """Solve the day, with beliefs by the course of play if it is known, and with fresh hands."""
    try:
        return _answer(asked, running)
    except RequestError as error:
        raise RequestError(str(error), "STANDING" if error.option == "--match" else error.option) from None


def _answer(asked: LastDay, running: Running) -> LastDayReport:
    from analysis.ragers.game import GAME
    from analysis.ragers.last_day.reading import with_read_worth
    from analysis.ragers.last_day.solving import solve_last_day
    from solver.hidden_hands import MemoryRefused

    path = Path(asked.standing)
    rules = GAME.rules_of(asked.rules)
    question = _followed(path, asked) if path.is_file() else _typed(asked, rules)
    running.reporter.total = 1 if question.beliefs is None else 2
    if asked.worth is None:
        question = with_read_worth(question, running.reporter)
    try:
        found = solve_last_day(question, running.reporter, running.interrupt)
    except MemoryRefused as refused:
        less = " Without the discard (--preparation none) it takes less." if question.exchange else ""
        raise RefusedError(
            f"solving this day needs at least {size(refused.needed_bytes)}, and only"
            f" {size(refused.limit_bytes)} may be used (--memory).{less}"
        ) from None
    note = GAME.rules_note(question.rules)
    return msgspec.structs.replace(found, rules=note, complete=not running.interrupt())


def _typed(asked: LastDay, rules: Rules) -> LastDayQuestion:
    from analysis.ragers.last_day.solving import LastDayQuestion
    from analysis.ragers.last_day.standings import parse_standing

    standing = parse_standing(asked.standing, rules)
    if asked.patron is None or not asked.cheers:
        raise RequestError(
            "name the patron of the day (--patron) and all cheers cards on the table (--cheers)"
        )
    named = scenarios(rules, [asked.patron], asked.cheers, "none")
    return LastDayQuestion(
        rules,
        named[0].patron.id,
        tuple(each.cheers.id for each in named),
        standing,
        PLAYERS.index(asked.side),
        counts_of(asked.hand) if asked.hand else None,
        asked.budget.limits(asked.chance.seed),
        exchange=asked.preparation == "seen",
        worth=_worth(asked, rules, standing.day),
    )


def _followed(path: Path, asked: LastDay) -> LastDayQuestion:
    from analysis.ragers.last_day.followed import followed
    from analysis.ragers.last_day.solving import LastDayQuestion

    match = followed(path)
    if asked.patron or asked.cheers or asked.hand:
        raise RequestError("a transcript tells patron, cheers cards and hand itself")
    if match.has_begun:
        raise RequestError(
            f"{path}: cards have been placed on this day; ragers advise --match {path} goes on from there"
        )
    standing, beliefs = match.beliefs()
    patron, cheers = match.day
    return LastDayQuestion(
        match.state.rules,
        patron,
        cheers,
        standing,
        match.player,
        match.state.players[match.player].hand,
        asked.budget.limits(asked.chance.seed),
        exchange=match.discards_due and asked.preparation != "none",
        beliefs=beliefs,
        worth=_worth(asked, match.state.rules, standing.day),
    )


def _worth(asked: LastDay, rules: Rules, day: int) -> Worth | None:
    from analysis.ragers.last_day.worth import read_worth

    if day < rules.match.days:
        return read_worth(asked.worth, rules, day + 1)
    if asked.worth is not None:
        raise RequestError("does nothing here: nothing follows the last day", "--worth")
    return None


# ---- page --------------------------------------------------------------------------------------------------


def page(found: LastDayReport) -> Page:
    """Return chances of winning, openings, and the hand asked about."""
    who = found.player.capitalize()
    shown = found.answers[0]
    what = "put away" if found.decision == "exchange" else "opened"
    columns = [Column("beliefs", ""), Column("win", f"{who} win, %"), Column("gap", "NashConv", "share", 2)]
    rows: list[list[Cell]] = [
        [_BELIEFS[each.beliefs], win_words(each.win), each.nash_conv_win] for each in found.answers
    ]
    sections: list[Section] = [Table(columns, rows)]
    columns = [Column("card", "card"), Column("mix", what, "share"), Column("win", "then wins", "share")]
    columns.append(Column("held", "wins with it in hand", "share"))
    rows = [[card(each.card), each.mix, each.win, each.held] for each in shown.cards]
    sections.append(Table(columns, rows, f"Cards, {shown.beliefs} hands"))
    if shown.hand:
        sections.append(_hand(found, shown, what))
    return Page(
        headline=f"{day_title(found.names)}, {found.match}: the {who} win {win_words(shown.win)} % of"
        " matches from here.",
        sections=sections,
        notes=_notes(found),
        data=_data(found),
    )


def _hand(found: LastDayReport, shown: LastDayAnswer, what: str) -> Table:
    best = max(each.win for each in shown.hand)
    columns = [Column("action", what), Column("mix", "mix", "share"), Column("win", "then wins", "share")]
    ranked = sorted(shown.hand, key=lambda each: -each.win)
    rows: list[list[Cell]] = [[card(each.action), each.mix, each.win, best - each.win] for each in ranked]
    return Table([*columns, Column("cost", "costs", "share")], rows, f"With {hand(found.hand)}")


def _notes(found: LastDayReport) -> list[str]:
    first = found.answers[0]
    lines = [
        "±: proved, not estimated; the certificate counts what both could gain by other play"
        f" ({first.iterations} iterations in {first.seconds:.0f} s). Then wins: with best play afterwards."
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
            f" by {found.worth}. The proof is of the day with that; plans of several days are not certified."
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
    head: dict[str, Cell] = {"match": found.match, "patron": found.patron}
    head |= {"cheers": " ".join(found.cheers), "player": found.player}
    rows: list[dict[str, Cell]] = []
    for each in found.answers:
        solved: dict[str, Cell] = {"beliefs": each.beliefs, "win": each.win.mean, "win_low": each.win.low}
        solved |= {"win_high": each.win.high, "nash_conv_win": each.nash_conv_win}
        solved |= {"tie_breaks": found.tie_breaks, "decision": found.decision}
        rows += [
            {**head, **solved, "card": one.card, "mix": one.mix, "then_win": one.win, "held_win": one.held}
            for one in each.cards
        ]
    return data_of(rows)


QUESTION = Question(
    name="last-day",
    about="Solve a day of a match for the chance of winning the match, the last one exactly: who wins, with"
    " which openings, and how sure that is. Before the last day what the match is worth afterwards is taken"
    " as given. A transcript of ragers play tells all that itself, at the beginning of a day.",
    asked=LastDay,
    answers=LastDayReport,
    function=answer,
    page=page,
    exactness="bounded",
    leaves=True,
    examples=(
        'last-day "day 3, score 4:6, left B4S2:S3T2" --patron Solennos --cheers two-bashers',
        'last-day "day 3, score 4:6, left B4S2:S3T2" --patron Solennos --cheers two-bashers --hand "BBBBS"',
    ),
)
