"""The first screen of `ragers balance`: what each card is and does, luck and skill, and how far to trust."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean

import msgspec

from analysis.amounts import percent
from analysis.ragers.workbench.health import BalanceReport, ScenarioHealth
from cli.grid import Brief, Section
from cli.ragers.views import trust
from cli.ragers.views.balance import VERDICTS, mean_of, missing
from cli.ragers.views.names import BOX, day_name, listed, patron_name, told_once, under_rules
from cli.ragers.views.names import card as card_name
from engine.ragers.rules import TYPES

_HEAD = ["card", "what it is, in days (for certain)", "opens %", "placed", "GP", "worth"]


def brief(report: BalanceReport, command: str) -> Brief:
    """Return the first screen; `command` solves what is missing."""
    solved = [each for each in report.scenarios if each.answers]
    if not solved:
        named = [] if report.rules.name == BOX else [f"{report.rules.name}."]
        return Brief([], [*named, *_sure(report), *missing(report, command)], "All that is stored")
    first = solved[0]
    patrons = list(dict.fromkeys(map(patron_name, solved)))
    head = patrons[0].upper() if len(patrons) == 1 else f"{len(patrons)} patrons"
    days = "1 day" if len(solved) == 1 else f"{len(solved)} days"
    title = f"{head} · {days} · {first.player.capitalize()} · {first.preparation}"
    parts = [Section(title, _HEAD, [_row(name, solved) for name in TYPES], left=2)]
    if len(patrons) > 1:
        parts.append(Section("", _PATRONS_HEAD, [_patron_row(name, solved) for name in patrons]))
    parts = under_rules(report.rules.name, parts)
    told = [*_days(solved), *_worths(solved), *told_once(report.scenarios)[1], *_sure(report)]
    told += missing(report, command)
    return Brief(parts, told, "Openings by day, steps, cheers cards, and what the words mean")


_SHORTER = {"must": "must open", "never opens": "no opener", "forbidden": "banned"}
_PATRONS_HEAD = ["patron", "steps", "draw %", "GP", "luck", "greedy play loses"]


def _row(name: str, solved: Sequence[ScenarioHealth]) -> list[str]:
    cards = [each.cards[name] for each in solved]
    shares = [card.opening for card in cards]
    span = percent(shares[0])
    if len(shares) > 1:
        span = f"{100 * fmean(shares):.0f} ({100 * min(shares):.0f}–{100 * max(shares):.0f})"
    parts = []
    for verdict, words in VERDICTS.items():
        of = [card for card in cards if card.verdict == verdict]
        if of:
            certain = sum(card.certain for card in of)
            words = _SHORTER.get(verdict, words)
            sure = f" ({certain})" if certain and verdict != "forbidden" else ""
            if len(cards) == 1:
                parts.append(f"{words}{' (certain)' if sure else ''}")
            else:
                parts.append(f"{words} in {'all' if len(of) == len(cards) else len(of)}{sure}")
    return [
        card_name(name),
        ", ".join(parts),
        span,
        f"{fmean(sum(card.placed) for card in cards):.2f}",
        mean_of([card.gp for card in cards], lambda gp: f"{gp:.2f}"),
        mean_of([card.worth_gp for card in cards], lambda gp: f"{gp:+.2f}"),
    ]


def _patron_row(name: str, solved: Sequence[ScenarioHealth]) -> list[str]:
    mine = [each for each in solved if patron_name(each) == name]
    sampled = [each.sampled for each in mine if each.sampled is not None]
    return [
        name,
        mean_of([each.steps for each in sampled], lambda steps: f"{steps:.1f}"),
        percent(fmean(each.outcome.draw for each in mine)),
        f"{fmean(each.mean_gp[0] for each in mine):.1f}",
        mean_of([each.hand_luck_gp for each in mine], lambda gp: f"{gp:.2f}"),
        mean_of(
            [each.loss_gp["greedy"] for each in sampled if "greedy" in each.loss_gp], lambda gp: f"{gp:.2f}"
        ),
    ]


def _days(solved: Sequence[ScenarioHealth]) -> list[str]:
    """Return what days are like, and what a card's numbers mean."""
    sampled = [each.sampled for each in solved if each.sampled is not None]
    steps = f" and lasts {fmean(each.steps for each in sampled):.1f} steps" if sampled else ""
    text = f"A day pays {fmean(each.mean_gp[0] for each in solved):.1f} GP{steps};"
    text += f" {percent(fmean(each.outcome.draw for each in solved))} % are drawn."
    luck = [each.hand_luck_gp for each in solved if each.hand_luck_gp is not None]
    if luck:
        text += f" Luck: what the hand as dealt is worth varies by {fmean(luck):.2f} GP."
    if sampled and all("greedy" in each.loss_gp for each in sampled):
        text += f" Skill: greedy play loses {fmean(each.loss_gp['greedy'] for each in sampled):.1f} GP a day."
    return [
        text,
        "placed: cards a day; GP: what they bring; worth: of one more in the hand as dealt, against the"
        " average card.",
    ]


def _known_worths(name: str, solved: Sequence[ScenarioHealth]) -> list[float]:
    cards = [each.cards[name] for each in solved]
    return [card.worth_gp for card in cards if card.worth_gp is not None and card.verdict != "forbidden"]


def _worths(solved: Sequence[ScenarioHealth]) -> list[str]:
    """Return which card is worth most in the hand, and which least, in words."""
    worths = {name: fmean(known) for name in TYPES if (known := _known_worths(name, solved))}
    if len(worths) < 2:
        return []
    most, least = max(worths, key=lambda name: worths[name]), min(worths, key=lambda name: worths[name])
    return [
        f"Worth most in the hand: {card_name(most)}, {worths[most]:+.2f} GP; least: {card_name(least)},"
        f" {worths[least]:+.2f} GP."
    ]


def _sure(report: BalanceReport) -> list[str]:
    """Return how far to trust it; days without an answer are named, not counted."""
    rated = [(day_name(each), each.nash_conv_gp, each.trust) for each in report.scenarios]
    told = [(name, gap, how) for name, gap, how in rated if how is not msgspec.UNSET and how.answers]
    left = [name for name, _, how in rated if how is not msgspec.UNSET and not how.answers]
    lines = trust.grades(told)
    if left:
        lines.append(f"Not counted, since there is no answer yet: {listed(left)}.")
    return lines
