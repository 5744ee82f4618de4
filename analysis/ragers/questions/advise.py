"""``advise``: what to do now with a hand, at any point of a day or of a match, and why."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Annotated, Literal

import msgspec

from analysis.amounts import bound, chance, percent, signed
from analysis.errors import RequestError
from analysis.estimates import Estimate
from analysis.front.bundles import RulesFiles
from analysis.front.page import Cell, Column, Follow, Heat, Mix, Page, Section, Table, data_of
from analysis.front.parameters import param
from analysis.front.question import Answer, Question, Running
from analysis.front.verdicts import Figure, best, listed
from analysis.ragers.answers.ended import Unanswered, endings
from analysis.ragers.bundles import Effort, Position, Top, counts_of
from analysis.ragers.hands import LETTER_OF
from analysis.ragers.last_day.advice import MatchAdvice
from analysis.ragers.pages.match_advice import DECISIONS, match_page, placed_words, row_of
from analysis.ragers.play.advice import (
    NEGLIGIBLE,
    ROUGH_GP,
    ActionReport,
    AdviceAnswer,
    ReadingReport,
    not_told_apart,
)
from analysis.ragers.play.histories import HistoryError, Step, parse_history
from analysis.ragers.scenarios import scenarios
from analysis.ragers.wording import trust
from analysis.ragers.wording.names import card, day_name, hand
from engine.ragers.rules import PLAYERS, Rules

_MOST_HELD = 5
_UNCERTAIN = "?: less than NashConv, so it is not certain that this costs anything."


class Advise(msgspec.Struct, frozen=True, kw_only=True):
    """Which decision."""

    position: Position = Position()
    match: (
        Annotated[
            str,
            param(
                "Advise for the chance of winning the match: a transcript of ragers play, or where it stands"
                ' on its last day, such as "day 3, score 4:6, left B2S3P1:B1S2T2".',
                metavar="STANDING",
                more=True,
            ),
        ]
        | None
    ) = None
    exchange: Annotated[bool, param("Advise on the unseen exchange of the hand as dealt.")] = False
    beliefs: Annotated[
        Literal["strategy", "uniform"],
        param(
            "What past placements say of hands: by the strategies, or as if any card had been as likely,"
            " which needs no solve of earlier decisions.",
            more=True,
        ),
    ] = "strategy"
    top: Top = 8
    effort: Effort = Effort()
    rules: RulesFiles = RulesFiles()


def answer(asked: Advise, running: Running) -> Answer:
    """Look the opening up, or solve it; solve later decisions on the spot."""
    from analysis.ragers.game import GAME
    from analysis.ragers.play.asked import Asked

    at = asked.position
    if asked.match is not None and Path(asked.match).is_file():
        if at.patron or at.cheers or at.hand or at.history:
            said = "a transcript tells patron, cheers cards, hand and history itself"
            raise RequestError(said, "--match")
        return _followed(Path(asked.match), asked, running)
    try:
        steps = parse_history(at.history)
    except HistoryError as error:
        raise RequestError(str(error), "--history") from None
    rules = GAME.rules_of(asked.rules)
    if asked.match is not None:
        return _typed(asked.match, asked, steps, rules, running)
    if at.patron is None or len(at.cheers) != 1:
        raise RequestError("the day has a patron (--patron) and a cheers card (--cheers), one of each")
    (scenario,) = scenarios(rules, [at.patron], at.cheers, at.preparation)
    if asked.exchange and (steps or scenario.preparation != "redraw"):
        raise RequestError("--exchange is about the unseen exchange (redraw) before the first step")
    seat, limits, fresh = PLAYERS.index(at.side), asked.effort.limited(), asked.effort.fresh
    how = (asked.exchange, asked.beliefs, asked.top, limits, fresh, running.reporter)
    found, code = Asked(scenario, seat, counts_of(at.hand), steps, *how).answer()
    if found is None:
        raise Unanswered(scenario.title, code)
    return msgspec.structs.replace(found, **endings(code))


def _followed(path: Path, asked: Advise, running: Running) -> MatchAdvice:
    from analysis.ragers.game import GAME
    from analysis.ragers.last_day.advising import advise_followed
    from analysis.ragers.last_day.followed import followed

    match = followed(path)
    limits, uniform = asked.effort.limited(), asked.beliefs == "uniform"
    found = advise_followed(match, limits, running.reporter, running.interrupt, uniform=uniform)
    note = GAME.rules_note(match.state.rules)
    return msgspec.structs.replace(found, rules=note, complete=not running.interrupt())


def _typed(text: str, asked: Advise, steps: list[Step], rules: Rules, running: Running) -> MatchAdvice:
    from analysis.ragers.last_day.advising import advise_typed
    from analysis.ragers.last_day.solving import LastDayQuestion
    from analysis.ragers.last_day.standings import parse_standing

    at = asked.position
    standing = parse_standing(text, rules)
    if at.patron is None or not at.cheers:
        raise RequestError("--match needs the patron of the day (--patron) and all cheers cards (--cheers)")
    if not at.hand:
        raise RequestError("name the hand to advise on", "--hand")
    seat, limits, seen = PLAYERS.index(at.side), asked.effort.limited(), at.preparation == "seen"
    day = (rules, at.patron, at.cheers, standing, seat, counts_of(at.hand), limits, seen)
    question, uniform = LastDayQuestion(*day), asked.beliefs == "uniform"
    found = advise_typed(question, steps, running.reporter, running.interrupt, uniform=uniform)
    return msgspec.structs.replace(found, complete=not running.interrupt())


# ---- a day -------------------------------------------------------------------------------------------------


def page(found: Answer) -> Page:
    """Return what each action is worth, the mixes, the row so far, and what the opponent may hold."""
    if isinstance(found, MatchAdvice):
        return match_page(found)
    assert isinstance(found, AdviceAnswer)
    answers = found.trust is msgspec.UNSET or found.trust.answers
    told = _held(found) if answers else []
    told += [line for reading in found.readings for line in _surprises(reading)]
    told += _sure(found)
    if not found.mix_shown:
        told.append(
            "No mix is shown: NashConv is more than lies between the actions, or the mix found takes one that"
            " costs. Allow more time (--time-limit 10m, or --target 0.1); what is solved is kept."
        )
    if any(_is_uncertain(row, found) for row in found.actions):
        told.append(_UNCERTAIN)
    sections = [*row_of(found.history), _actions(found, answers=answers)]
    brief = len(sections)
    if answers and found.mix_shown:
        sections.append(Mix("This hand", [(card(row.action), row.mix) for row in found.actions]))
    if answers:
        mix = sorted(found.range_mix.items(), key=lambda each: -each[1])
        sections.append(Mix("All hands that you may hold here", [(card(name), p) for name, p in mix]))
        sections += [_types(found), _hands(found), *_onward(found)]
    return Page(
        headline=_headline(found, answers=answers),
        sections=sections,
        notes=[*told, _on_average(found), f"Source: {found.source}."],
        method=_method(found),
        details=brief,
        data=_data(found),
        follow=[] if found.history else [Follow("solve", _day(found), "The whole day")],
        path=_path(found),
        sure=_sure_of(found),
    )


def _sure_of(found: AdviceAnswer) -> str:
    if found.trust is not msgspec.UNSET:
        return trust.sure(found.nash_conv_gp, found.trust)
    if not_told_apart([row.ev_gp for row in found.actions], found.nash_conv_gp):
        return "Not known yet"
    return f"From here on both together could gain at most {trust.rounded_up(found.nash_conv_gp)} GP"


def _path(found: AdviceAnswer) -> list[Follow]:
    """The day, and each step so far, with the hand that is looked at."""
    day = {**_day(found), "beliefs": found.beliefs}
    if found.decision == "place":
        day["hand"] = "".join(LETTER_OF[name] for name in found.hand)
    steps = [Follow("solve", _day(found), day_name(found)), Follow("advise", day, "step 1")]
    for number, each in enumerate(found.history, 1):
        placed = " / ".join(placed_words(each))
        history = "; ".join(found.history[:number])
        steps.append(Follow("advise", {**day, "history": history}, f"{placed} › step {number + 1}"))
    return steps


def _held(found: AdviceAnswer) -> list[str]:
    """Return what the opponent most likely holds, in sentences."""
    held = sorted(found.opponent_types, key=lambda row: -row.held)[:_MOST_HELD]
    likely = [f"{card(row.type)} {percent(row.held)}" for row in held if row.held > NEGLIGIBLE]
    lines = [f"The opponent holds one or more, %: {', '.join(likely)}."]
    if found.opponent_hands:
        first = found.opponent_hands[0]
        lines.append(f"Its likeliest hand: {hand(first.cards)} ({chance(first.probability, 1)}).")
    return lines


def _day(found: AdviceAnswer) -> dict[str, str | list[str]]:
    day: dict[str, str | list[str]] = {"patron": found.patron, "cheers": found.cheers}
    return day | {"preparation": found.preparation, "side": found.player}


def _headline(found: AdviceAnswer, *, answers: bool) -> str:
    when = "before the day" if found.decision == "exchange" else f"step {found.step}"
    held = hand(found.hand) + (f" (hidden: {hand(found.hidden)})" if found.hidden else "")
    likely = f", to the opponent {percent(found.reach, 2)} % likely" if answers else ""
    what = DECISIONS[found.decision]
    where = f"{day_name(found)}, {found.player.capitalize()}, {when}, {what}, holding {held}{likely}"
    # An action is worse for certain if it costs more than the answer may be off by.
    gap = found.nash_conv_gp / 2
    figures = [
        Figure(card(row.action), Estimate(row.ev_gp, row.ev_gp - gap, row.ev_gp + gap, 0))
        for row in found.actions
    ]
    choice = best(figures, proved=True, finished=answers and found.complete)
    if choice.kind == "none" and len(figures) > 1:
        return f"{where}: no answer yet."
    if unknown := not_told_apart([row.ev_gp for row in found.actions], found.nash_conv_gp):
        return f"{where}: {unknown}."
    if found.beliefs == "uniform" and found.history:
        where += ", if any card was as likely to be placed before"
    if len(choice.names) > 1:
        return (
            f"{where}: among the best, as far as is proved, are {listed(choice.names)};"
            f" {choice.names[0]} is worth {found.best_ev_gp:+.3f} GP on balance of the day."
        )
    return (
        f"{where}: the best action is {card(found.actions[0].action)}, worth {found.best_ev_gp:+.3f} GP on"
        " balance of the day."
    )


def _is_uncertain(row: ActionReport, found: AdviceAnswer) -> bool:
    """Return whether an action costs less than the answer may be off by."""
    return 0.0 < row.cost_gp < found.nash_conv_gp


def _actions(found: AdviceAnswer, *, answers: bool) -> Table:
    what = {"exchange": "put away", "hide": "hide"}.get(found.decision, "place")
    columns = [Column("action", what), *([Column("mix", "mix", "share")] if found.mix_shown else [])]
    columns += [Column("ev_gp", "then worth GP", "signed"), Column("cost_gp", "costs GP", "number", 3)]
    unsure = any(_is_uncertain(row, found) for row in found.actions)
    columns += [Column("unsure", "")] if unsure else []
    rows: list[list[Cell]] = [
        [
            card(row.action),
            *([row.mix] if found.mix_shown else []),
            *(row.ev_gp, row.cost_gp),
            *(["?" if _is_uncertain(row, found) else ""] if unsure else []),
        ]
        for row in found.actions
    ]
    likely = max(found.opponent_types, key=lambda row: row.plays_now or 0.0, default=None)
    follow = [_after(found, row.action, likely.type if likely else "") for row in found.actions]
    return Table(columns, rows, "What each action is worth", follow=follow if answers else [])


def _types(found: AdviceAnswer) -> Table:
    now = any(row.plays_now is not None for row in found.opponent_types)
    columns = [Column("card", "card"), Column("mean", "mean", "number")]
    columns += [Column("held", "one or more", "share"), Column("now", "places now", "share")]
    rows: list[list[Cell]] = [
        [card(row.type), row.held_mean, row.held, *([row.plays_now] if now else [])]
        for row in found.opponent_types
        if row.held > NEGLIGIBLE
    ]
    shown = [row.type for row in found.opponent_types if row.held > NEGLIGIBLE]
    follow = [_after(found, found.actions[0].action, each) for each in shown] if found.actions else []
    return Table(columns if now else columns[:-1], rows, "What the opponent holds", follow=follow)


def _hands(found: AdviceAnswer) -> Table:
    hidden = any(row.hidden for row in found.opponent_hands)
    columns = [Column("hand", "hand"), *([Column("hidden", "hidden")] if hidden else [])]
    columns.append(Column("probability", "chance", "share"))
    rows: list[list[Cell]] = [
        [hand(row.cards), *([hand(row.hidden)] if hidden else []), row.probability]
        for row in found.opponent_hands
    ]
    if found.opponent_hands_left_out > 0.0005:
        rows.append(["any other", *([""] if hidden else []), found.opponent_hands_left_out])
    return Table(columns, rows, "The opponent's likeliest hands")


def _after(found: AdviceAnswer, mine: str, other: str) -> Follow | None:
    """What leads on to the next step, after both have placed a card; None if that is no placement."""
    over = found.day is msgspec.UNSET or found.step >= found.day.row_length
    # What lies on a Veteran, or under the opponent's Deadeye, is a decision of its own.
    if found.decision != "place" or over or not {mine, other} <= LETTER_OF.keys() or other == "veteran":
        return None
    theirs = "D+?" if other == "deadeye" else LETTER_OF[other]
    history = "; ".join([*found.history, f"{LETTER_OF[mine]}/{theirs}"])
    given = {**_day(found), "history": history, "beliefs": found.beliefs}
    return Follow("advise", {**given, **_kept(found, mine)})


def _onward(found: AdviceAnswer) -> list[Section]:
    """Return how likely each pair of placements is, each leading on to the step after it."""
    answers = [row for row in found.opponent_types if (row.plays_now or 0.0) > NEGLIGIBLE]
    over = found.day is msgspec.UNSET or found.step >= found.day.row_length
    if found.decision != "place" or over or not answers:
        return []
    own = [name for name, share in found.range_mix.items() if name in LETTER_OF and share > NEGLIGIBLE]

    heat = Heat(
        title="How likely both place this; each leads on to the next step",
        x="the opponent",
        y="you",
        kind="share",
        columns=[card(row.type) for row in answers],
        rows=[card(name) for name in own],
        cells=[[found.range_mix[name] * (row.plays_now or 0.0) for row in answers] for name in own],
        follow=[[_after(found, name, row.type) for row in answers] for name in own],
    )
    return [heat]


def _kept(found: AdviceAnswer, placed: str) -> dict[str, str | list[str]]:
    """The hand as it was dealt, which stays the one that is looked at where it can place this, too."""
    gone = Counter([placed, *(card for step in found.history for card in step.split("/")[0].split("+"))])
    if gone - Counter(found.hand):
        return {}
    return {"hand": "".join(LETTER_OF[name] for name in found.hand)}


def _on_average(found: AdviceAnswer) -> str:
    """Return what the plan is worth, and the best reply, both on balance of the day."""
    own, opp = found.best_response_gp
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


def _sure(found: AdviceAnswer) -> list[str]:
    if found.trust is msgspec.UNSET:
        return [f"How far to trust it: NashConv is {bound(found.nash_conv_gp)} GP from here on."]
    told = f", {trust.share_words(found.trust)} of what a day pays"
    if not found.trust.answers:
        told = f": {trust.off_by(found.nash_conv_gp, found.trust)}"
    return [f"How far to trust it: {found.trust.grade}{told}."]


def _method(found: AdviceAnswer) -> list[str]:
    mix = f"Mix: equilibrium for this hand, worth {found.ev_gp:+.3f} GP; worth: GP"
    lines = [
        f"{mix if found.mix_shown else 'Worth: GP'} on balance of the day with best play afterwards, against"
        " the opponent's strategy; costs: how much less than the best action.",
        f"NashConv {bound(found.nash_conv_gp)} GP, by: {found.certificate}.",
    ]
    if found.readings and found.beliefs == "strategy" and not found.from_library:
        lines.append(
            "Ranges (who holds what) come from the strategies below and are taken at their word (unsafe"
            " re-solving): the certificate is of the day from here on with these ranges, not of the ranges."
        )
    for reading in found.readings:
        which = f"step {reading.step}" if reading.step else "exchange"
        certainty = "" if reading.nash_conv_gp is None else f", NashConv {bound(reading.nash_conv_gp)}"
        if (reading.nash_conv_gp or 0.0) > ROUGH_GP:
            certainty += " (rough: allow more time)"
        seen = [
            f"{who} {percent(share, 1)} %"
            for who, share in zip(("you", "opponent"), reading.probability, strict=True)
            if share is not None
        ]
        likely = f"Likelihood of what was seen: {', '.join(seen)}."
        lines.append(f"Read {which} by: {reading.strategy}{certainty}. {likely}")
    return lines


def _data(found: AdviceAnswer) -> Table:
    """Return a row for each action."""
    common: dict[str, Cell] = {"patron": found.patron, "cheers": found.cheers}
    common |= {"preparation": found.preparation, "player": found.player}
    common |= {"history": "; ".join(found.history), "step": found.step, "decision": found.decision}
    common |= {"hand": " ".join(found.hand), "hidden": " ".join(found.hidden)}
    last: dict[str, Cell] = {"nash_conv_gp": found.nash_conv_gp, "mix_shown": str(found.mix_shown).lower()}
    last |= {"grade": trust.words(found.trust), "from_library": str(found.from_library).lower()}
    return data_of(
        [
            {
                **common,
                "action": row.action,
                "mix": row.mix,
                "ev_gp": row.ev_gp,
                "cost_gp": row.cost_gp,
                **last,
            }
            for row in found.actions
        ]
    )


QUESTION = Question(
    name="advise",
    by_example=True,
    about="Say what to do now with a hand. It shows how often equilibrium takes each action, and what"
    " others cost. Also what the opponent may hold, and how exact all that is. The opening is answered"
    " from the library, or by solving the day; so is the second step of days that are stored with it. Later"
    " decisions are solved on the spot, with what the placements so far say about both hands; what was"
    " solved is kept for the steps that follow. Without"
    " any limit all solves of later decisions take about 12 seconds together. Without --hand the likeliest"
    " one is taken.",
    asked=Advise,
    answers=AdviceAnswer,
    also=(MatchAdvice,),
    function=answer,
    page=page,
    exactness="bounded",
    examples=(
        'advise --patron Solennos --cheers two-bashers --hand "B B S C T"',
        'advise --patron Solennos --cheers two-bashers --beliefs uniform --history "B/S; P/P; S/B"',
    ),
)
