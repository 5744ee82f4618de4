"""``day``: how one stored day is played, step by step, card by card and hand by hand."""

from __future__ import annotations

import msgspec

from analysis.errors import WorkError
from analysis.front.bundles import RulesFiles
from analysis.front.page import Cell, Column, Fact, Facts, Follow, Mix, Page, Table
from analysis.front.question import Amount, Answer, Question, Running
from analysis.ragers.answers.asking import Question as Stored
from analysis.ragers.answers.asking import stored_answer
from analysis.ragers.answers.report import ScenarioReport, scenario_report
from analysis.ragers.answers.solving import Effort
from analysis.ragers.bundles import Day, Top, dealt_hand
from analysis.ragers.pages.solved import hand_sections, opened, parts
from analysis.ragers.scenarios import scenarios
from analysis.ragers.wording import trust
from analysis.ragers.wording.names import card, day_name, trusted
from analysis.ragers.workbench.health import HandLine, ScenarioHealth
from analysis.ragers.workbench.kept_health import stored_health
from engine.ragers.rules import PLAYERS, TYPES

_LIKELIEST = "The likeliest hands as dealt, and how the plan opens with them"


class AskedDay(msgspec.Struct, frozen=True, kw_only=True):
    """Which day, and how many of its hands."""

    day: Day = Day()
    top: Top = 8
    rules: RulesFiles = RulesFiles()


class DayAnswer(Answer, frozen=True, kw_only=True):
    """A stored day.

    Attributes
    ----------
    day : the answer, as `ragers solve` gives it; with what to do with a hand, if one was asked about.
    health : what each card is, what the deal is worth, what sampled days tell.
    hands : the likeliest hands as dealt.
    extremes : the best and the worst hands as dealt, the best first; none where no worth is known.
    """

    day: ScenarioReport
    health: ScenarioHealth
    hands: list[HandLine]
    extremes: list[HandLine] = msgspec.field(default_factory=list)


def answer(asked: AskedDay, running: Running) -> DayAnswer:
    """Read what is stored; nothing is solved."""
    from analysis.ragers.game import GAME

    day, rules = asked.day, GAME.rules_of(asked.rules)
    (scenario,) = scenarios(rules, [day.patron], [day.cheers], day.preparation)
    player = PLAYERS.index(day.side)
    counts = dealt_hand(day.hand, rules, player) if day.hand else None
    found = stored_answer(scenario, Stored(player, None, Effort(iterations=1), False, strategy=True))
    health = stored_health(scenario, player)
    if found is None or health is None:
        raise WorkError(
            f"{scenario.title} is not stored for these rules; solve it first: ragers solve --patron"
            f" {scenario.patron.id} --cheers {scenario.cheers.id} (with the same --rules and --set)"
        )
    from analysis.ragers.workbench.hand_table import extremes, likeliest

    return DayAnswer(
        day=scenario_report(found, player, counts),
        health=health,
        hands=likeliest(found, player, asked.top),
        extremes=extremes(found, player),
    )


def page(found: DayAnswer) -> Page:
    """Return figures of the day, the mix of each step, what each card is, and hands."""
    day, health = found.day, found.health
    how_far = trusted(day)
    if not how_far.answers:
        off = trust.off_by(day.nash_conv_gp, how_far)
        return Page(headline=f"{day_name(day)} has no answer yet: {off}.", sections=[_facts(day, health)])
    named = {"patron": day.patron, "cheers": day.cheers, "preparation": day.preparation, "side": day.player}
    asked = [] if day.hand is msgspec.UNSET else hand_sections(day.hand)
    held = {} if day.hand is msgspec.UNSET else {"hand": ", ".join(day.hand.cards)}
    steps = [
        Mix(f"Step {step}", parts(dict(zip(TYPES, row, strict=True))))
        for step, row in enumerate(day.usage, 1)
    ]
    sections = [*asked, _facts(day, health), *steps, _cards(health)]
    brief = len(sections) + 1
    for hands, title in (
        (found.hands, _LIKELIEST),
        (found.extremes, "The best and the worst hands as dealt"),
    ):
        sections += [_hands(hands, named, title)] if hands else []
    return Page(
        headline=opened(day),
        sections=sections,
        notes=[f"How far to trust it: {how_far.grade}; NashConv is {trust.rounded_up(day.nash_conv_gp)} GP."],
        method=[f"Source: {day.source}; {day.certificate}."],
        details=brief,
        follow=[
            Follow("advise", {**named, **held}, "Browse this day"),
            Follow("balance", {"patron": day.patron}, "All stored days of this patron"),
        ],
    )


def _facts(day: ScenarioReport, health: ScenarioHealth) -> Facts:
    outcome, sampled = day.outcome, health.sampled
    facts = [
        Fact("mean_gp", "GP", day.mean_gp[0], "number"),
        Fact("opponent_mean_gp", "the other's GP", day.mean_gp[1], "number"),
        Fact("win", "won", outcome.win, "share"),
        Fact("draw", "drawn", outcome.draw, "share"),
        Fact("loss", "lost", outcome.loss, "share"),
        Fact("two_losers", "both lose", outcome.two_losers, "share"),
        Fact("nash_conv_gp", "NashConv, GP", day.nash_conv_gp, "number", 3),
        Fact("grade", "grade", trusted(day).grade),
        Fact("hand_luck_gp", "luck of the deal, GP", health.hand_luck_gp, "number"),
    ]
    if sampled is not None:
        met = 1.0 - sampled.cheers_nobody
        facts.append(Fact("steps", "steps", sampled.steps, "number", 1))
        facts.append(Fact("met", "cheers card met", met, "share"))
        facts += [
            Fact(f"loss_{name}", f"{name} play loses, GP", loss, "number")
            for name, loss in sampled.loss_gp.items()
        ]
    return Facts(facts)


def _cards(health: ScenarioHealth) -> Table:
    columns = [Column("card", "card"), Column("verdict", "what it is")]
    columns += [Column("opens", "opens", "share"), Column("low", "least", "share")]
    columns += [Column("high", "most", "share"), Column("held", "held", "share")]
    columns += [Column("if_held", "if held", "share"), Column("placed", "placed", "number")]
    columns += [Column("gp", "GP", "number"), Column("worth", "worth", "signed", 2)]
    rows: list[list[Cell]] = []
    for name, each in health.cards.items():
        low, high = each.opening_bracket or (None, None)
        row = [each.opening, low, high, each.held, each.opened_when_held, sum(each.placed), each.gp]
        what = f"{each.verdict} (certain)" if each.certain else each.verdict
        rows.append([card(name), what, *row, each.worth_gp])
    return Table(columns, rows, "Cards; least and most: of all equilibria")


def _hands(hands: list[HandLine], day: dict[str, str], title: str) -> Table:
    columns = [Column("hand", "hand"), Column("dealt", "dealt", "share", 2)]
    columns += [Column("worth", "worth", "signed", 2), Column("away", "puts away")]
    columns.append(Column("exchanges", "exchanges", "share", 0))
    actions = [name for name in (*TYPES, "nothing") if any(name in dict(each.opens) for each in hands)]
    columns += [Column(name, card(name), "share", 0) for name in actions]
    rows: list[list[Cell]] = []
    for each in hands:
        opens = dict(each.opens)
        shares = [opens.get(name, 0.0) for name in actions]
        away = "" if each.puts_away is None else card(each.puts_away)
        rows.append([each.letters, each.dealt, each.worth_gp, away, each.exchanges, *shares])
    return Table(
        columns, rows, title, follow=[Follow("day", {**day, "hand": each.letters}) for each in hands]
    )


def amounts(found: DayAnswer) -> list[Amount]:
    """Return the figures of the day that can be compared."""
    day = found.day
    return [
        Amount("mean_gp", "GP", day.mean_gp[0]),
        Amount("draw", "drawn", day.outcome.draw, "share"),
        *(Amount(f"opening.{name}", f"{card(name)} opens", day.opening_mix[name], "share") for name in TYPES),
    ]


QUESTION = Question(
    name="day",
    about="Show how one day is played: the mix of each step, what each card is, and what to do with a hand."
    " Nothing is solved: the stored answer is read.",
    asked=AskedDay,
    answers=DayAnswer,
    function=answer,
    page=page,
    exactness="bounded",
    what_if="diff",
    beforehand="warmup",
    amounts=amounts,
    kept=False,
    examples=("day", 'day --patron Arianna --cheers two-bashers --hand "B B S C V"'),
)
