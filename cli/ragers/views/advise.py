"""How advice looks."""

from __future__ import annotations

import textwrap

import msgspec

from analysis.amounts import bound, chance, percent, signed
from analysis.ragers.play.advice import NEGLIGIBLE, ROUGH_GP, ActionReport, AdviceReport, ReadingReport
from analysis.ragers.wording import trust
from analysis.ragers.wording.names import card, day_name, hand
from cli.grid import WIDTH, Brief, Section
from cli.ragers.views.heads import under_rules

_DECISIONS = {
    "place": "place a card",
    "further": "place a further card on top",
    "hide": "hide a further card",
    "exchange": "put a card away",
}


def brief(report: AdviceReport) -> Brief:
    """Return the first screen: what to do, what the opponent may hold, and how far to trust it."""
    told = []
    answers = report.trust is msgspec.UNSET or report.trust.answers
    if answers:
        held = sorted(report.opponent_types, key=lambda row: -row.held)[:_MOST_HELD]
        told.append(
            "The opponent holds one or more, %: "
            + ", ".join(f"{card(row.type)} {percent(row.held)}" for row in held if row.held > NEGLIGIBLE)
            + "."
        )
        if report.opponent_hands:
            likely = report.opponent_hands[0]
            told.append(f"His likeliest hand: {hand(likely.cards)} ({chance(likely.probability, 1)}).")
    told += [line for reading in report.readings for line in _surprises(reading)]
    told += _sure(report)
    if not report.mix_shown:
        told.append(
            "No mix is shown: NashConv is more than lies between the actions."
            " Allow more time (--time-limit 10m)."
        )
    if any(_is_uncertain(row, report) for row in report.actions):
        told.append(_UNCERTAIN)
    told += [_on_average(report), f"Source: {report.source}."]
    return Brief(sections(report)[:2], told, "All he may hold, and how the day so far was read")


_MOST_HELD = 5
_UNCERTAIN = "?: less than NashConv, so it is not certain that this costs anything."


def _is_uncertain(row: ActionReport, report: AdviceReport) -> bool:
    """Return whether an action costs less than the answer may be off by."""
    return 0.0 < row.cost_gp < report.nash_conv_gp


def _on_average(report: AdviceReport) -> str:
    """Return what the plan is worth, and the best reply, both on balance of the day."""
    own, opp = report.best_response_gp
    return (
        "On average over all hands one may hold here, on balance of the day: your plan is worth"
        f" {signed(-opp)} GP or more against any opponent, and no reply to the opponent's plan more than"
        f" {signed(own)} GP."
    )


def _surprises(reading: ReadingReport) -> list[str]:
    """Return what is to be said where somebody did what the strategies never do."""
    which = f"step {reading.step}" if reading.step else "exchange"
    lines = []
    for who, trembled in zip(("your", "the opponent's"), reading.trembled, strict=True):
        if trembled:
            from solver.hidden_hands.course import SURPRISE, TREMBLE

            lines.append(
                f"Surprise in {which}: {who} choice has a probability below {SURPRISE:g}, so that hand is"
                f" read with a tremble: {TREMBLE:g} of any card, each as likely, mixed into the strategy."
            )
    return lines


def _sure(report: AdviceReport) -> list[str]:
    """Return how far to trust it, in a sentence."""
    if report.trust is msgspec.UNSET:
        return [f"How far to trust it: NashConv is {bound(report.nash_conv_gp)} GP from here on."]
    told = f", {trust.share_words(report.trust)} of what a day pays"
    if not report.trust.answers:
        told = f": {trust.off_by(report.nash_conv_gp, report.trust)}"
    return [f"How far to trust it: {report.trust.grade}{told}."]


def sections(report: AdviceReport) -> list[Section]:
    """Return the report as tables."""
    held = hand(report.hand)
    if report.hidden:
        held += f" (hidden: {hand(report.hidden)})"
    when = "before the day" if report.decision == "exchange" else f"step {report.step}"
    title = f"{day_name(report)} · {report.player.capitalize()} · {when}: {_DECISIONS[report.decision]}"
    answers = report.trust is msgspec.UNSET or report.trust.answers
    hand_lines = [f"You hold {held}."]
    if answers:
        hand_lines = [f"You hold {held}; to the opponent that is {percent(report.reach, 2)} % likely."]
    if report.history:
        hand_lines.append(f"So far, you/opponent: {'; '.join(report.history)}")
    what = {"exchange": "put away", "hide": "hide"}.get(report.decision, "place")
    shown = ["mix %"] if report.mix_shown else []
    actions = [
        [
            card(row.action),
            *([f"{100 * row.mix:.1f}"] if shown else []),
            f"{row.ev_gp:+.3f}",
            f"{row.cost_gp:.3f}{'?' if _is_uncertain(row, report) else ''}",
        ]
        for row in report.actions
    ]
    now = [] if all(row.plays_now is None for row in report.opponent_types) else ["places now %"]
    types = [
        [
            card(row.type),
            f"{row.held_mean:.2f}",
            percent(row.held),
            *([percent(row.plays_now or 0.0)] if now else []),
        ]
        for row in report.opponent_types
        if row.held > NEGLIGIBLE
    ]
    hidden = any(row.hidden for row in report.opponent_hands)
    hands = [
        [hand(row.cards), *([hand(row.hidden)] if hidden else []), f"{100 * row.probability:.1f}"]
        for row in report.opponent_hands
    ]
    if report.opponent_hands_left_out > 0.0005:
        rest = f"{100 * report.opponent_hands_left_out:.1f}"
        hands.append(["any other", *([""] if hidden else []), rest])
    advice = [
        Section(title, lines=[line for text in hand_lines for line in textwrap.wrap(text, WIDTH)]),
        Section("", [what, *shown, "then worth GP", "costs GP"], actions),
    ]
    advice = under_rules(report.rules.name, advice)
    if not answers:
        return advice
    return [
        *advice,
        Section("What the opponent holds", ["card", "mean", "one or more %", *now], types),
        Section(
            "His likeliest hands", ["hand", *(["hidden"] if hidden else []), "%"], hands, left=1 + hidden
        ),
    ]


def notes(report: AdviceReport) -> list[str]:
    """Return what a reader has to know about the numbers, a line each."""
    mix = f"Mix: equilibrium for this hand, worth {report.ev_gp:+.3f} GP; worth: GP"
    lines = [
        f"{mix if report.mix_shown else 'Worth: GP'} on balance of the day with"
        " best play afterwards, against the opponent's strategy; costs: how much less than the best action.",
        _on_average(report),
        f"NashConv {bound(report.nash_conv_gp)} GP, by: {report.certificate}. Source: {report.source}.",
        *trust.ruling_notes(report.rules),
    ]
    if report.trust is not msgspec.UNSET:
        lines += _sure(report)
    if any(_is_uncertain(row, report) for row in report.actions):
        lines.append(_UNCERTAIN)
    if not report.mix_shown:
        lines.append(
            "No mix is shown: NashConv is more than lies between them,"
            " or the mix found takes one that costs. Allow more time (--time-limit 10m, or --target 0.1);"
            " what is solved is kept."
        )
    if report.readings and report.beliefs == "strategy":
        lines.append(
            "Ranges (who holds what) come from the strategies below and are taken at their word (unsafe"
            " re-solving): the certificate is of the day from here on with these ranges, not of the ranges."
        )
    for reading in report.readings:
        which = f"step {reading.step}" if reading.step else "exchange"
        certainty = "" if reading.nash_conv_gp is None else f", NashConv {bound(reading.nash_conv_gp)}"
        if (reading.nash_conv_gp or 0.0) > ROUGH_GP:
            certainty += " (rough: allow more time)"
        seen = [
            f"{who} {percent(share, 1)} %"
            for who, share in zip(("you", "opponent"), reading.probability, strict=True)
            if share is not None
        ]
        lines.append(
            f"Read {which} by: {reading.strategy}{certainty}. Likelihood of what was seen: {', '.join(seen)}."
        )
        lines += _surprises(reading)
    return lines


def csv_rows(report: AdviceReport) -> list[dict[str, object]]:
    """Return a row per action."""
    return [
        {
            "patron": report.patron,
            "cheers": report.cheers,
            "preparation": report.preparation,
            "player": report.player,
            "history": "; ".join(report.history),
            "step": report.step,
            "decision": report.decision,
            "hand": " ".join(report.hand),
            "hidden": " ".join(report.hidden),
            "action": row.action,
            "mix": row.mix,
            "ev_gp": row.ev_gp,
            "cost_gp": row.cost_gp,
            "nash_conv_gp": report.nash_conv_gp,
            "mix_shown": str(report.mix_shown).lower(),
            "grade": trust.words(report.trust),
            "from_library": str(report.from_library).lower(),
        }
        for row in report.actions
    ]
