"""What ``solve --attack`` answers: whether to dare an attack that a hidden hand may answer."""

from __future__ import annotations

from typing import Literal

import msgspec

from analysis.front.page import Cell, Column, Fact, Facts, Page, Section, Table, data_of
from analysis.front.question import Amount, Answer
from analysis.front.render.numbers import number_text

__all__ = ["ATTACK", "Decision", "ResponseAnswer", "Threshold", "Unit", "amounts", "page"]

Unit = Literal["result", "points", "wounds"]
ATTACK = "attack"
"""What every exchange begins with, and needs no cell."""
_ROWS = 6
_EQUAL = 1e-6
_UNITS = {
    "result": "1 a win, -1 a loss",
    "points": "points at the end of the wave, a match that is won counting as {}",
    "wounds": "wounds at the end of the wave, a match that is won counting as {}",
}


class Decision(msgspec.Struct, frozen=True):
    """A decision that play comes to, and its mix.

    Attributes
    ----------
    hand : response cards of whoever decides.
    seen : what was done so far, in words.
    reach : how likely it is that play comes to it.
    """

    side: Literal["team", "against"]
    hand: list[str]
    seen: list[str]
    reach: float
    mix: dict[str, float]


class Threshold(msgspec.Struct, frozen=True):
    """How likely one response has to be, all others away, for the attack to be wrong.

    Attributes
    ----------
    held : how likely the other side holds it, out of its pool.
    wrong_from : a probability; None where the attack is right even if it is held for sure, 0 where it is
        wrong even if it is not.
    """

    card: str
    held: float
    wrong_from: float | None


class ResponseAnswer(Answer, frozen=True, kw_only=True):
    """Whether to attack where a hidden hand may answer.

    Attributes
    ----------
    value_in : `result`, a win 1 and a loss -1; `points` or `wounds` at the end of the wave, with a match that
        is won. All values are of whoever attacks.
    win_counts : as how much a match that is won counts.
    value : with best play of both, the attacker attacks so or does `best_other`, the best action that is no
        attack.
    attack_value, otherwise : if it has to attack; if it does that instead.
    open_value : if all hands lay open.
    attacks : how often it attacks, over all hands.
    idle : cards of the pools that cannot answer this attack, the team's first; they count as `other`.
    decisions : those that play comes to, the likeliest first.
    """

    attack: str
    attacker: Literal["team", "against"]
    wave: int
    value_in: Unit
    win_counts: float
    value: float
    attack_value: float
    otherwise: float
    best_other: str
    open_value: float
    attacks: float
    pools: list[dict[str, int]]
    idle: list[list[str]]
    cards: list[int]
    resources: list[int]
    thresholds: list[Threshold]
    decisions: list[Decision]
    nodes: int
    infosets: int
    nash_conv: float


def amounts(found: ResponseAnswer) -> list[Amount]:
    """Return what can be compared between two answers."""
    return [
        Amount("value", "worth to the attacker", found.value, "signed"),
        Amount("attack_value", "worth of the attack", found.attack_value, "signed"),
        Amount("otherwise", "worth of no attack", found.otherwise, "signed"),
        Amount("open_value", "worth with open hands", found.open_value, "signed"),
        Amount("attacks", "attacks", found.attacks, "share"),
        *(
            Amount(f"wrong_from.{each.card}", f"wrong from, {each.card}", each.wrong_from, "share")
            for each in found.thresholds
        ),
    ]


def page(found: ResponseAnswer) -> Page:
    """Return what to do, how likely responses have to be, and the mixes."""
    facts = [
        Fact("attack_value", "worth if you attack", _amount(found, found.attack_value), "signed"),
        Fact("otherwise", f"best without it: {found.best_other}", _amount(found, found.otherwise), "signed"),
        Fact("open_value", "if both saw all cards", _amount(found, found.open_value), "signed"),
        Fact("attacks", "hands with which to attack", found.attacks, "share"),
    ]
    sections: list[Section] = [Facts(facts)]
    if found.thresholds:
        columns = [Column("card", "response"), Column("held", "held", "share", 0)]
        columns.append(Column("wrong_from", "alone, wrong from", "share", 0))
        rows: list[list[Cell]] = [
            [each.card, each.held, _threshold(each.wrong_from)] for each in found.thresholds
        ]
        sections.append(Table(columns, rows))
    heads = [Column("side", "who"), Column("hand", "hand"), Column("seen", "so far")]
    heads += [Column("reach", "reached", "share"), Column("does", "does")]
    decisions = [_decision(each) for each in found.decisions]
    sections.append(Table(heads, decisions[:_ROWS], "Where play comes to"))
    details = len(sections)
    if decisions[_ROWS:]:
        sections.append(Table(heads, decisions[_ROWS:], "Where play comes to less often"))
    return Page(
        headline=f"{found.attack}, wave {found.wave}: {_advice(found)}.",
        sections=sections,
        notes=_notes(found),
        method=[
            f"A linear program over the sequence form (NashConv {found.nash_conv:.0e});"
            f" {found.nodes:,} nodes, {found.infosets:,} decisions."
        ],
        details=details,
        data=data_of(
            [
                {
                    "side": each.side,
                    "hand": ", ".join(each.hand),
                    "seen": "; ".join(each.seen),
                    "reach": each.reach,
                    "action": action,
                    "probability": share,
                }
                for each in found.decisions
                for action, share in each.mix.items()
            ]
        ),
    )


def _amount(found: ResponseAnswer, value: float) -> str | float:
    """A value in its unit; what surely ends the match is no amount."""
    if abs(value) > found.win_counts - 1e-9:
        return "the match is won" if value > 0 else "the match is lost"
    return value


def _advice(found: ResponseAnswer) -> str:
    gain = found.attack_value - found.otherwise
    if abs(gain) < _EQUAL and found.value - found.otherwise < _EQUAL:
        return f"to attack is worth the same as the other action, {found.best_other}"
    if found.attacks >= 1:
        if isinstance(_amount(found, found.attack_value), str):
            return f"do it: {_amount(found, found.attack_value)}"
        return f"do it, {number_text(gain, 'number', 3)} better than {found.best_other}"
    if found.attacks <= 0:
        return f"do not, {number_text(-gain, 'number', 3)} worse than {found.best_other}"
    return f"do it in {number_text(found.attacks, 'share', 0)} % of hands"


def _threshold(wrong_from: float | None) -> str | float:
    if wrong_from is None:
        return "never"
    return "always" if wrong_from == 0 else wrong_from


def _decision(each: Decision) -> list[Cell]:
    mix = [
        action if share >= 1 else f"{action} {number_text(share, 'share', 0)} %"
        for action, share in each.mix.items()
    ]
    seen = [word for word in each.seen if word != ATTACK]
    return [each.side, ", ".join(each.hand) or None, ", ".join(seen) or None, each.reach, ", ".join(mix)]


def _notes(found: ResponseAnswer) -> list[str]:
    unit = _UNITS[found.value_in].format(f"{found.win_counts:g}")
    notes = [
        f"Values are the attacker's: {unit}. Exact for this attack, compared with the best action that is no"
        " attack; what follows is proved without cards.",
    ]
    if found.thresholds:
        notes.append(
            "alone: that card is the only one they may hold; wrong from: how likely it must be for the attack"
            " to be wrong."
        )
    attacker = ("team", "against").index(found.attacker)
    for side, names in enumerate(found.idle):
        if names:
            whose = "attacker" if side == attacker else "defender"
            held = f"the {whose}'s {', '.join(names)}"
            notes.append(f"Counted as other, since they cannot answer this attack: {held}.")
    return notes
