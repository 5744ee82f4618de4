"""``balance``: which cards are dead or a must, and where, from stored answers; a heat-map of all days."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby
from statistics import fmean
from typing import Annotated, Literal

import msgspec

from analysis.amounts import bound, counted, percent
from analysis.errors import NotAskedYetError, RequestError
from analysis.front.bundles import RulesFiles
from analysis.front.entries import Only
from analysis.front.page import Cell, Column, Follow, Heat, Page, Section, Table, data_of, flat
from analysis.front.parameters import param
from analysis.front.question import Amount, Answer, Question, Running
from analysis.ragers.answers import kept_health
from analysis.ragers.answers.findings import MEANING, VERDICTS
from analysis.ragers.answers.health import BalanceAnswer, ScenarioHealth
from analysis.ragers.bundles import Days, solving_command
from analysis.ragers.naive import NAIVE
from analysis.ragers.only import OnlyAnswer, kind_of, only_answer, worths_of
from analysis.ragers.pages import only as only_page
from analysis.ragers.pages.only import highest_of, said_verdicts
from analysis.ragers.scenarios import scenarios
from analysis.ragers.wording import trust
from analysis.ragers.wording.findings import never_met
from analysis.ragers.wording.names import card as card_name
from analysis.ragers.wording.names import cheers_name, day_name, listed, patron_name, told_once
from engine.ragers.rules import PLAYERS, TYPES

_Metric = Literal[
    "opening.basher",
    "opening.slasher",
    "opening.prodder",
    "opening.chancer",
    "opening.cheater",
    "opening.deadeye",
    "opening.stopper",
    "opening.veteran",
    "draw",
    "decisive",
    "two_losers",
    "mean_gp",
    "loss.uniform",
    "loss.greedy",
    "loss.playouts",
    "nash_conv",
]


class Balance(msgspec.Struct, frozen=True, kw_only=True):
    """Which days, and the figure of their heat-map."""

    days: Days = Days()
    only: Only = Only()
    metric: Annotated[_Metric, param("The figure of the heat-map of patrons and cheers cards.")] = (
        "opening.basher"
    )
    rules: RulesFiles = RulesFiles()


def answer(asked: Balance, running: Running) -> Answer:
    """Read what is stored; nothing is solved."""
    from analysis.ragers.game import GAME

    rules, days, only = GAME.rules_of(asked.rules), asked.days, asked.only.only
    kind = None if only is None else kind_of(rules, only)
    for name, those, own in (("patron", days.patron, "patron"), ("cheers", days.cheers, "cheers card")):
        if those and kind == own:
            raise RequestError(f"is for other entries; --only names a {own} already", f"--{name}")
    todo = scenarios(rules, days.patron, days.cheers, days.preparation)
    found, missing = kept_health.balance(todo, PLAYERS.index(days.side), running.note)
    patrons = dict.fromkeys(each.patron for each in missing) if found else days.patron or [todo[0].patron.id]
    solving = solving_command(asked.rules, patrons, days.cheers, days.preparation)
    if not found:
        one = {"patron": [next(iter(patrons))], "cheers": [(days.cheers or [todo[0].cheers.id])[0]]}
        raise NotAskedYetError(
            f"nothing is stored for these rules ({len(missing)} scenarios asked for); solve some of them"
            f" first, for example: {solving}",
            "solve",
            one,
        )
    whole = BalanceAnswer(metric=asked.metric, scenarios=found, missing=missing, solving=solving)
    return whole if only is None else only_answer(whole, rules, only)


def page(found: Answer) -> Page:
    """Return what one entry does, or the heat-map and what each card is; then all tables."""
    if isinstance(found, OnlyAnswer):
        return only_page.page(found)
    assert isinstance(found, BalanceAnswer)
    solved = [each for each in found.scenarios if each.answers]
    once, renamed = told_once(found.scenarios)
    sections: list[Section] = []
    if solved:
        sections += [_cards(solved), _patrons(solved)]
    sections.append(_heat(found))
    brief = len(sections)
    if solved:
        sections += [_openings(once), _hands(solved), _usage(solved), _skill(solved), _cheers(solved)]
        sections += [_met([each for each in once if each.answers]), _verdicts(solved)]
    return Page(
        headline=_headline(found.scenarios, solved),
        sections=sections,
        notes=[*_worths(solved), *renamed, *_sure(found), *_missing(found)],
        method=_meanings(solved) + _never_met(once),
        details=brief,
        data=data_of(
            [
                {**flat(each, "cards", "day", "source"), "card": name, **flat(card, under="card_")}
                for each in found.scenarios
                for name, card in each.cards.items()
            ]
        ),
    )


# ---- the first screen --------------------------------------------------------------------------------------


def _headline(every: Sequence[ScenarioHealth], solved: Sequence[ScenarioHealth]) -> str:
    if not solved:
        return "No stored day has an answer yet."
    patrons = list(dict.fromkeys(map(patron_name, solved)))
    sampled = [each.sampled for each in solved if each.sampled is not None]
    who = patrons[0] if len(patrons) == 1 else f"{len(patrons)} patrons"
    days = counted(len(solved), "day")
    lasts = f" and lasts {fmean(each.steps for each in sampled):.1f} steps" if sampled else ""
    return (
        f"{who}, {days}, {solved[0].player.capitalize()}, {solved[0].preparation}: a day pays"
        f" {fmean(each.mean_gp[0] for each in solved):.1f} GP{lasts};"
        f" {percent(fmean(each.outcome.draw for each in solved))} % are drawn."
    )


def _cards(solved: Sequence[ScenarioHealth]) -> Table:
    """What each card is: its verdicts, and means over the days."""
    columns = [Column("card", "card"), Column("what", "what it is, on how many days")]
    columns.append(Column("opens", "opens", "share", 0))
    if len(solved) > 1:
        columns += [Column("least", "lowest day", "share", 0), Column("most", "highest", "share", 0)]
    columns += [Column("placed", "placed", "number"), Column("gp", "GP", "number")]
    columns.append(Column("worth", "worth", "signed", 2))
    worths = {each.card: each.mean for each in worths_of(solved)}
    rows: list[list[Cell]] = []
    for name in TYPES:
        cards = [each.cards[name] for each in solved]
        shares = [card.opening for card in cards]
        placed = fmean(sum(card.placed) for card in cards)
        spread = [min(shares), max(shares)] if len(solved) > 1 else []
        row = [fmean(shares), *spread, placed, mean_of([card.gp for card in cards]), worths.get(name)]
        rows.append([card_name(name), said_verdicts(cards), *row])
    return Table(columns, rows, "Cards")


def _patrons(solved: Sequence[ScenarioHealth]) -> Table:
    columns = [Column("patron", "patron"), Column("days", "days", "count")]
    columns += [Column("steps", "steps", "number", 1), Column("win", "won", "share", 0)]
    columns += [Column("draw", "drawn", "share", 0), Column("two_losers", "both lose", "share", 0)]
    columns += [Column("gp", "GP", "number"), Column("luck", "luck", "number")]
    columns.append(Column("loses", "greedy play loses", "number"))
    rows: list[list[Cell]] = []
    for patron, some in _by_patron(solved):
        sampled = [each.sampled for each in some if each.sampled is not None]
        outcomes = [[each.outcome.win, each.outcome.draw, each.outcome.two_losers] for each in some]
        rows.append(
            [
                *(patron, len(some), mean_of([each.steps for each in sampled])),
                *map(fmean, zip(*outcomes, strict=True)),
                fmean(each.mean_gp[0] for each in some),
                mean_of([each.hand_luck_gp for each in some]),
                mean_of([each.loss_gp.get("greedy") for each in sampled]),
            ]
        )
    return Table(columns, rows, "Patrons, means over their cheers cards")


_FIGURES = {
    "draw": "Days drawn",
    "decisive": "Decisive days",
    "two_losers": "Days lost by both",
    "mean_gp": "Mean GP of a day",
    "nash_conv": "NashConv in GP: how exact the answer is",
}


def _figure(metric: str, each: ScenarioHealth) -> float | None:
    """A figure of a day; None where it is unknown."""
    kind, _, name = metric.partition(".")
    if kind == "opening":
        return each.cards[name].opening
    if kind == "loss":
        return None if each.sampled is None else each.sampled.loss_gp[name]
    own = {"mean_gp": each.mean_gp[0], "nash_conv": each.nash_conv_gp}
    own["decisive"] = each.outcome.win + each.outcome.loss
    return own[kind] if kind in own else float(getattr(each.outcome, kind))


def _heat(found: BalanceAnswer) -> Heat:
    kind, _, name = found.metric.partition(".")
    titles = {"opening": f"{name.capitalize()} opens", "loss": f"GP lost in a day by {name} play"}
    cells = {
        (patron_name(each), cheers_name(each)): _figure(found.metric, each)
        for each in found.scenarios
        if each.answers or kind == "nash_conv"
    }
    days = {(patron_name(each), cheers_name(each)): _day(each) for each in found.scenarios}
    patrons = list(dict.fromkeys(map(patron_name, found.scenarios)))
    cheers = list(dict.fromkeys(map(cheers_name, found.scenarios)))
    return Heat(
        title=titles.get(kind) or _FIGURES[kind],
        x="cheers card",
        y="patron",
        kind="share" if kind in ("opening", "draw", "decisive", "two_losers") else "number",
        columns=[*cheers],
        rows=[*patrons],
        cells=[[cells.get((patron, card)) for card in cheers] for patron in patrons],
        follow=[[days.get((patron, card)) for card in cheers] for patron in patrons],
    )


def _day(each: ScenarioHealth) -> Follow:
    day = {"patron": each.patron, "cheers": each.cheers, "preparation": each.preparation}
    return Follow("solve", {**day, "side": each.player})


def _worths(solved: Sequence[ScenarioHealth]) -> list[str]:
    """Return which card is worth most in the hand, and which least, as far as the plans tell."""
    worths = worths_of(solved)
    ends = [(highest_of(worths, least=least), least) for least in (False, True)]
    told = [f"{'least' if least else 'most'}: {said}" for said, least in ends if said]
    return [f"Worth in the hand, of days on which it may be placed; {'; '.join(told)}."] if told else []


def _sure(found: BalanceAnswer) -> list[str]:
    """Return how far to trust it; days without an answer are named, not counted."""
    told = [(day_name(each), each.nash_conv_gp, each.trust) for each in found.scenarios if each.answers]
    left = [day_name(each) for each in found.scenarios if not each.answers]
    more = [f"Not counted, since there is no answer yet: {listed(left)}."] if left else []
    return [*trust.grades(told), *more]


def _missing(found: BalanceAnswer) -> list[str]:
    """Return which days are not stored, and the command that solves them."""
    if not found.missing:
        return []
    patrons: dict[str, list[str]] = {}
    for each in found.missing:
        patrons.setdefault(each.patron, []).append(each.cheers)
    total = len(found.missing) + len(found.scenarios)
    most = max(map(len, patrons.values()))
    return [
        f"Missing {len(found.missing)} of {total} scenarios, not stored for these rules:",
        *(
            f"{patron}: {'all ' + str(most) if len(cheers) == most > 3 else ', '.join(cheers)}"
            for patron, cheers in patrons.items()
        ),
        f"Solve them (answers are kept), and ask again: {found.solving}",
    ]


# ---- all tables --------------------------------------------------------------------------------------------

_DAY = [Column("patron", "patron"), Column("cheers", "cheers card")]
_EACH = [Column(name, card_name(name), "share", 0) for name in TYPES]


def _by_patron(solved: Sequence[ScenarioHealth]) -> list[tuple[str, list[ScenarioHealth]]]:
    return [(patron, list(some)) for patron, some in groupby(solved, key=patron_name)]


def _openings(once: Sequence[ScenarioHealth]) -> Table:
    columns = [*_DAY, *_EACH, Column("win", "won", "share", 0), Column("draw", "drawn", "share", 0)]
    columns += [Column("two_losers", "both lose", "share", 0), Column("gp", "GP", "number", 1)]
    columns += [Column("nash_conv", "NashConv", "number"), Column("grade", "grade")]
    rows: list[list[Cell]] = []
    for each in once:
        figures: list[Cell] = [None] * (len(TYPES) + 4)
        if each.answers:
            outcome = each.outcome
            figures = [each.cards[name].opening for name in TYPES]
            figures += [outcome.win, outcome.draw, outcome.two_losers, each.mean_gp[0]]
        grade = "" if each.trust is msgspec.UNSET else each.trust.grade
        rows.append([patron_name(each), cheers_name(each), *figures, each.nash_conv_gp, grade])
    return Table(columns, rows, "Openings")


def _hands(solved: Sequence[ScenarioHealth]) -> Table:
    columns = [Column("card", "card"), Column("held", "held", "share", 0)]
    columns += [Column("opened", "opens if held", "share", 0), Column("with_it", "with it", "signed", 2)]
    rows: list[list[Cell]] = []
    for name in TYPES:
        cards = [each.cards[name] for each in solved]
        opened = mean_of([card.opened_when_held for card in cards])
        with_it = mean_of([card.with_it_gp for card in cards])
        rows.append([card_name(name), fmean(card.held for card in cards), opened, with_it])
    return Table(columns, rows, "Cards in the hand")


def _usage(solved: Sequence[ScenarioHealth]) -> Table:
    rows: list[list[Cell]] = []
    for patron, some in _by_patron(solved):
        for step in range(max(len(each.cards[TYPES[0]].placed) for each in some)):
            every = [[each.cards[name].placed for each in some] for name in TYPES]
            cells = [fmean(row[step] if step < len(row) else 0.0 for row in placed) for placed in every]
            rows.append([patron, step + 1, *cells])
    columns = [Column("patron", "patron"), Column("step", "step", "count"), *_EACH]
    return Table(columns, rows, "Cards placed per 100 days, by step")


def _skill(solved: Sequence[ScenarioHealth]) -> Table:
    columns = [Column("patron", "patron"), Column("luck", "luck", "number")]
    columns += [Column("deal", "by the deal", "share", 0), Column("plan", "opening: plan", "number")]
    columns += [Column("any", "any", "number"), Column("greedy", "greedy", "number")]
    columns += [Column(f"day_{name}", f"whole day: {name}", "number") for name in NAIVE]
    rows: list[list[Cell]] = []
    for patron, some in _by_patron(solved):
        sampled = [each.sampled for each in some if each.sampled is not None]
        rows.append(
            [
                patron,
                mean_of([each.hand_luck_gp for each in some]),
                mean_of([each.deal_share for each in sampled]),
                mean_of([each.plan_opening_gp for each in some]),
                mean_of([each.uniform_opening_gp for each in some]),
                mean_of([each.greedy_opening_gp for each in some]),
                *(mean_of([each.loss_gp[name] for each in sampled]) for name in NAIVE),
            ]
        )
    return Table(columns, rows, "Skill and luck, in GP a day, means over cheers cards")


def _cheers(solved: Sequence[ScenarioHealth]) -> Table:
    gains = [Column(name, card_name(name), "gain", 0) for name in TYPES]
    columns = [*_DAY, *gains, Column("draw", "drawn", "gain"), Column("gp", "GP", "signed", 2)]
    rows: list[list[Cell]] = []
    for patron, some in _by_patron(solved):

        def shift(each: ScenarioHealth, of: Callable[[ScenarioHealth], float]) -> float:
            return of(each) - fmean(map(of, some))  # noqa: B023  # called within its turn

        for each in told_once(some)[0]:
            cards = [shift(each, lambda one: one.cards[name].opening) for name in TYPES]  # noqa: B023
            drawn = shift(each, lambda one: one.outcome.draw)
            rows.append([patron, cheers_name(each), *cards, drawn, shift(each, lambda one: one.mean_gp[0])])
    return Table(columns, rows, "Cheers cards, against the mean of their patron")


def _met(once: Sequence[ScenarioHealth]) -> Table:
    heads = ("Accusers only", "Defenders only", "both", "nobody")
    columns = [*_DAY, *(Column(head.lower().replace(" ", "_"), head, "share", 0) for head in heads)]
    columns.append(Column("gp", "GP a day", "number"))
    rows: list[list[Cell]] = []
    for each in once:
        cells: list[Cell] = [None] * 5
        if each.sampled is not None:
            alone = [each.sampled.cheers_own, each.sampled.cheers_other]
            alone = alone if each.player == PLAYERS[0] else alone[::-1]
            cells = [*alone, each.sampled.cheers_both, each.sampled.cheers_nobody]
            cells.append(each.sampled.cheers_swing_gp)
        rows.append([patron_name(each), cheers_name(each), *cells])
    return Table(columns, rows, "Who meets the cheers card")


def _verdicts(solved: Sequence[ScenarioHealth]) -> Table:
    columns = [Column("card", "card"), Column("verdict", "what it is"), Column("days", "days", "count")]
    columns += [Column("certain", "proved", "count"), Column("where", "where")]
    rows: list[list[Cell]] = []
    for name in TYPES:
        for verdict, words in VERDICTS.items():
            where = [each for each in solved if each.cards[name].verdict == verdict]
            if where:
                certain = sum(each.cards[name].certain for each in where)
                rows.append([card_name(name), words, len(where), certain, ", ".join(map(day_name, where))])
    return Table(columns, rows, "Verdicts")


# ---- what it means -----------------------------------------------------------------------------------------


def _meanings(solved: Sequence[ScenarioHealth]) -> list[str]:
    return [
        MEANING,
        "placed: cards a day; GP: what they bring; worth: of one more such card in the hand as dealt, against"
        " the average card, in GP; with it: mean worth of hands that hold one, less that of all hands. Both"
        " by best play against the plans found.",
        "opening: what it costs to open as the plan found, with any card, or with the attack held most, and"
        " to play best afterwards; below NashConv such costs tell nothing apart. whole day: what is lost"
        " against the plan found by playing "
        + "; ".join(f"{name}: {words}" for name, words in NAIVE.items())
        + f". Of sampled days: {_errors(solved)}",
        "luck: standard deviation of the worth of the hand as dealt; by the deal: share of a day's variance"
        " that both hands as dealt explain, each by itself. GP by card, steps, cheers cards met and whole"
        " days come from days sampled when the answer was found.",
    ]


def _errors(solved: Sequence[ScenarioHealth]) -> str:
    """Return how exact whole days are, in words."""
    sampled = [each.sampled for each in solved if each.sampled is not None]
    if not sampled:
        return "none."
    error = max(max(each.loss_error_gp.values()) for each in sampled)
    exact = bound(max(each.nash_conv_gp for each in sampled))
    return f"standard errors up to {error:.2f} GP, plans with a NashConv up to {exact} GP."


def _never_met(once: Sequence[ScenarioHealth]) -> list[str]:
    return [
        f"{never_met(cheers_name(each), patron_name(each), each.day.lacking)}."
        for each in once
        if each.day is not msgspec.UNSET and each.day.lacking is not None
    ]


def mean_of(numbers: Sequence[float | None]) -> float | None:
    """Return the mean of what is known; None if nothing is."""
    known = [number for number in numbers if number is not None]
    return fmean(known) if known else None


def amounts(found: Answer) -> list[Amount]:
    """Return the means over the days: what a day is like, and how often each card opens."""
    if isinstance(found, OnlyAnswer):
        return only_page.amounts(found)
    assert isinstance(found, BalanceAnswer)
    solved = [each for each in found.scenarios if each.answers]
    cards = [[each.cards[name].opening for each in solved] for name in TYPES]
    return [
        Amount("mean_gp", "GP of a day", mean_of([each.mean_gp[0] for each in solved])),
        Amount("draw", "drawn", mean_of([each.outcome.draw for each in solved]), "share"),
        *(
            Amount(f"opening.{name}", f"{card_name(name)} opens", mean_of(shares), "share")
            for name, shares in zip(TYPES, cards, strict=True)
        ),
    ]


QUESTION = Question(
    name="balance",
    about="Find cards that are never or always worth playing. It also shows what patrons and cheers cards"
    " change. Nothing is solved: stored answers are read, and days without one are named. A verdict says"
    " whether it is proved for every equilibrium. With --only, say what one card, patron or cheers card"
    " does, beside what it could be instead.",
    asked=Balance,
    answers=BalanceAnswer,
    also=(OnlyAnswer,),
    function=answer,
    page=page,
    exactness="bounded",
    amounts=amounts,
    kept=False,
    examples=(
        "balance",
        "balance --patron Solennos --metric draw --format md",
        "balance --only slasher",
        "balance --only solennos",
    ),
)
