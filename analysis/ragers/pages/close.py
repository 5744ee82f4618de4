"""One day more closely: the mix of each step, what each card is, and its hands."""

from __future__ import annotations

from analysis.front.page import Cell, Column, Fact, Facts, Follow, Mix, Section, Table
from analysis.ragers.answers.health import HandLine, ScenarioHealth
from analysis.ragers.answers.report import ScenarioReport
from analysis.ragers.answers.solved import CloseLook
from analysis.ragers.pages.hands import parts
from analysis.ragers.pages.only import said_verdicts
from analysis.ragers.wording.names import card
from engine.ragers.rules import TYPES

_OVER = " (days that are over by then make up the rest)"


def close_sections(day: ScenarioReport, close: CloseLook) -> list[Section]:
    """Return figures of the day, the mix of each step, what each card is, and hands."""
    named = {"patron": day.patron, "cheers": day.cheers, "preparation": day.preparation, "side": day.player}
    steps = [
        Mix(f"Step {step}{_OVER if sum(row) < 0.995 else ''}", parts(dict(zip(TYPES, row, strict=True))))
        for step, row in enumerate(day.usage, 1)
    ]
    return [
        _facts(day, close.health),
        *steps,
        _cards(close.health),
        *_hands(close.hands, named, "The likeliest hands as dealt, and how the plan opens with them"),
        *_hands(close.extremes, named, "The best and the worst hands as dealt"),
    ]


def _facts(day: ScenarioReport, health: ScenarioHealth) -> Facts:
    sampled = health.sampled
    facts = [
        Fact("opponent_mean_gp", "the other's GP", day.mean_gp[1], "number"),
        Fact("loss", "lost", day.outcome.loss, "share"),
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
    columns += [Column("opens", "opens", "share"), Column("low", "at least", "share")]
    columns += [Column("high", "at most", "share"), Column("held", "held", "share")]
    columns += [Column("if_held", "if held", "share"), Column("placed", "placed", "number")]
    columns += [Column("gp", "GP", "number"), Column("worth", "worth", "signed", 2)]
    rows: list[list[Cell]] = []
    for name, each in health.cards.items():
        low, high = each.opening_bracket or (None, None)
        row = [each.opening, low, high, each.held, each.opened_when_held, sum(each.placed), each.gp]
        what = said_verdicts([each])
        rows.append([card(name), what, *row, each.worth_gp])
    return Table(columns, rows, "Cards; at least and at most: in every equilibrium")


def _hands(hands: list[HandLine], day: dict[str, str], title: str) -> list[Table]:
    if not hands:
        return []
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
    follow: list[Follow | None] = [Follow("solve", {**day, "hand": each.letters}) for each in hands]
    return [Table(columns, rows, title, follow=follow)]
