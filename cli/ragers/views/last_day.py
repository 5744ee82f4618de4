"""How the last day of a match looks: who wins it, with which cards, and how sure that is."""

from __future__ import annotations

from analysis.ragers.last_day.solving import LastDayAnswer, LastDayReport
from analysis.ragers.wording.names import card, day_title, hand
from analysis.ragers.wording.trust import win_words
from cli.grid import Section
from cli.ragers.views.heads import under_rules

_BELIEFS = {
    "course": "hands as the course of play tells",
    "fresh": "fresh hands: any of the cards left, each as likely",
}


def percent(share: float | None, digits: int = 1) -> str:
    """Return a chance in per cent, a dash without one."""
    return "-" if share is None else f"{100.0 * share:.{digits}f}"


def sections(report: LastDayReport) -> list[Section]:
    """Return the tables: chances of winning, openings, the hand asked about."""
    who = report.player.capitalize()
    title = f"{day_title(report.names)} · {who} · {report.match}"
    rows = [
        [_BELIEFS[each.beliefs], win_words(each.win), percent(each.nash_conv_win, 2)]
        for each in report.answers
    ]
    parts = [Section(title, ("", f"{who} win, %", "NashConv, win-%"), rows)]
    shown = report.answers[0]
    what = "put away" if report.decision == "exchange" else "opened"
    cards = [
        [card(each.card), percent(each.mix), percent(each.win), percent(each.held)] for each in shown.cards
    ]
    parts.append(
        Section("", (f"cards ({shown.beliefs} hands)", f"{what} %", "then win %", "win % with it"), cards)
    )
    if shown.hand:
        parts.append(_hand(report, shown, what))
    return under_rules(report.rules.name, parts)


def _hand(report: LastDayReport, shown: LastDayAnswer, what: str) -> Section:
    best = max(each.win for each in shown.hand)
    rows = [
        [card(each.action), percent(each.mix), percent(each.win), percent(best - each.win)]
        for each in sorted(shown.hand, key=lambda each: -each.win)
    ]
    return Section(f"With {hand(report.hand)}", (what, "mix %", "then win %", "costs win-%"), rows)


def notes(report: LastDayReport) -> list[str]:
    """Return what a reader has to know."""
    first = report.answers[0]
    lines = [
        "±: proved, not estimated; the certificate counts what both could gain by other play"
        f" ({first.iterations} iterations in {first.seconds:.0f} s). Then win: with best play afterwards.",
    ]
    if report.tie_breaks == "exact":
        lines.append("Ties are decided as in the rules: cheers cards, cards left in the decks, Defenders.")
    elif report.tie_breaks == "no decks":
        lines.append(
            "Ties on GP and cheers cards go to the larger deck before the day, then to the Defenders; the"
            " rules count the cards left after it (0.2 to 0.8 % of matches come to that)."
        )
    if report.worth:
        lines.append(
            "What the match is worth after the day is given: a curve of the lead, and prices of cards placed,"
            f" by {report.worth}. The proof is of the day with that; plans of several days are not certified."
        )
    if first.read_by:
        lines.append(f"The course of play is read {first.read_by}; what it leads to is taken as given.")
    if report.preparation == "none":
        lines.append("The discards of the day are over.")
    if "hidden" in report.match:
        lines.append("Cards hidden on earlier days are treated as if they lay beneath the deck.")
    return lines


def csv_rows(report: LastDayReport) -> list[dict[str, object]]:
    """Return a row for each card and kind of beliefs."""
    return [
        {
            "match": report.match,
            "patron": report.patron,
            "cheers": " ".join(report.cheers),
            "player": report.player,
            "beliefs": each.beliefs,
            "win": each.win.mean,
            "win_low": each.win.low,
            "win_high": each.win.high,
            "nash_conv_win": each.nash_conv_win,
            "tie_breaks": report.tie_breaks,
            "decision": report.decision,
            "card": one.card,
            "mix": one.mix,
            "then_win": one.win,
            "held_win": one.held,
        }
        for each in report.answers
        for one in each.cards
    ]
