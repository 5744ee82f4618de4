"""``response``: whether to dare an attack that a hidden hand may answer."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from analysis.front.bundles import RulesFiles
from analysis.front.page import Cell, Column, Fact, Facts, Page, Section, Table, data_of
from analysis.front.question import Amount, Answer, Question
from analysis.front.render.numbers import number_text
from analysis.ophidian.setup import OBJECTIVE, Exchange, Fight

__all__ = ["QUESTION", "Decision", "Response", "ResponseAnswer", "Threshold"]

_ROWS = 6
_ANY = 1e-6
_UNITS = {
    "result": "1 a win, -1 a loss",
    "points": "points at the end of the wave, a match that is won counting as {}",
    "wounds": "wounds at the end of the wave, a match that is won counting as {}",
}
ATTACK = "attack"
"""What every exchange begins with, and needs no cell."""


class Response(msgspec.Struct, frozen=True, kw_only=True):
    """Which attack, where, and what may answer it."""

    fight: Fight
    exchange: Exchange
    objective: Annotated[Literal["result", "points", "wounds"], OBJECTIVE] | None = None
    rules: RulesFiles = RulesFiles()


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
    value : with best play of both, he attacks so or does `best_other`, the best action that is no attack.
    attack_value, otherwise : if he has to attack; if he does that instead.
    open_value : if all hands lay open.
    attacks : how often he attacks, over all hands.
    idle : cards of the pools that cannot answer this attack, the team's first; they count as `other`.
    decisions : those that play comes to, the likeliest first.
    """

    attack: str
    attacker: Literal["team", "against"]
    wave: int
    value_in: Literal["result", "points", "wounds"]
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


def page(found: ResponseAnswer) -> Page:
    """Return what to do, how likely responses have to be, and the mixes."""
    facts = [
        Fact("attack_value", "worth", f"{_amount(found, found.attack_value)} if you attack"),
        Fact("otherwise", "no attack", f"{_amount(found, found.otherwise)}: {found.best_other}"),
        Fact("open_value", "open hands", f"{_amount(found, found.open_value)} if both saw all cards"),
    ]
    sections: list[Section] = [Facts(facts)]
    if found.thresholds:
        columns = [
            Column("card", "response"),
            Column("held", "held,", "share", 0),
            Column("wrong_from", "alone, wrong from,", "share", 0),
        ]
        rows: list[list[Cell]] = [
            [each.card, each.held, _threshold(each.wrong_from)] for each in found.thresholds
        ]
        sections.append(Table(columns, rows))
    sections.append(_decisions(found.decisions[:_ROWS], "Where play comes to"))
    details = len(sections)
    left = len(found.decisions) - _ROWS
    if left > 0:
        sections.append(_decisions(found.decisions, "All decisions that play comes to"))
    return Page(
        headline=f"{found.attack}, wave {found.wave}: {_advice(found)}.",
        sections=sections,
        notes=[*([f"{left} more decisions."] if left > 0 else []), *_notes(found)],
        method=[f"{found.nodes:,} nodes, {found.infosets:,} infosets, NashConv {found.nash_conv:.0e}."],
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


def _decisions(decisions: list[Decision], title: str) -> Table:
    columns = [
        Column("side", "who"),
        Column("hand", "hand"),
        Column("seen", "so far"),
        Column("reach", "reached,", "share"),
        Column("does", "does"),
    ]
    rows: list[list[Cell]] = [
        [
            each.side,
            ", ".join(each.hand) or "-",
            ", ".join(word for word in each.seen if word != ATTACK) or "-",
            each.reach,
            _mix(each),
        ]
        for each in decisions
    ]
    return Table(columns, rows, title)


def _mix(decision: Decision) -> str:
    return ", ".join(
        action if share >= 1 else f"{action} {number_text(share, 'share', 0)} %"
        for action, share in decision.mix.items()
    )


def _notes(found: ResponseAnswer) -> list[str]:
    unit = _UNITS[found.value_in].format(found.win_counts)
    notes = [
        f"Values are the attacker's: {unit}. Exact for this attack, compared with the best action that is no"
        " attack; what follows is proved without cards.",
        "alone: that card is the only one they may hold; wrong from: how likely it must be.",
    ]
    attacker = ("team", "against").index(found.attacker)
    for side, names in enumerate(found.idle):
        if names:
            whose = "attacker" if side == attacker else "defender"
            held = f"the {whose}'s {', '.join(names)}"
            notes.append(f"Counted as other, since they cannot answer this attack: {held}.")
    return notes


def _amount(found: ResponseAnswer, value: float) -> str:
    """A value in its unit; what surely ends the match is no amount."""
    if abs(value) > found.win_counts - 1e-9:
        return "the match is won" if value > 0 else "the match is lost"
    return number_text(value, "signed")


def _advice(found: ResponseAnswer) -> str:
    gain = found.attack_value - found.otherwise
    if abs(gain) < 1e-6 and found.value - found.otherwise < 1e-6:
        return "to attack makes no difference"
    if found.attacks >= 1:
        return f"attack, it is {gain:.3f} better than {found.best_other}"
    if found.attacks <= 0:
        return f"do not attack, it is {-gain:.3f} worse than {found.best_other}"
    return f"attack in {number_text(found.attacks, 'share', 0)} % of hands"


def _threshold(wrong_from: float | None) -> str | float:
    if wrong_from is None:
        return "never"
    if wrong_from == 0:
        return "always"
    return "any chance" if wrong_from < _ANY else wrong_from


def amounts(found: ResponseAnswer) -> list[Amount]:
    """Return what attacking and not attacking are worth, and how often to attack."""
    return [
        Amount("value", "best play of both", found.value, "signed"),
        Amount("attack_value", "if the attack is made", found.attack_value, "signed"),
        Amount("otherwise", "if it is not", found.otherwise, "signed"),
        Amount("open_value", "with open hands", found.open_value, "signed"),
        Amount("attacks", "hands that attack", found.attacks, "share"),
    ]


QUESTION: Question[Response, ResponseAnswer] = Question(
    name="response",
    about="Find whether to dare an attack, and how likely each response has to be for it to be wrong. Both"
    " sides may respond to this one attack, from hands that are hidden; afterwards the rest of the wave is"
    " valued as proved without cards. This is an equilibrium over all hands, exact. Without --objective the"
    " result counts in the last wave, and points before it.",
    asked=Response,
    answers=ResponseAnswer,
    function="analysis.ophidian.exchanges:answer",
    page=page,
    exactness="exact",
    amounts=amounts,
    examples=(
        'response --team "Tempest, Scrap@S" --against "Thorn, Runt" --attack "Tempest > Thorn"'
        " --hidden brood",
        'response --team "Tempest, Scrap@S" --against "Thorn, Runt" --attack "Tempest > Thorn"'
        ' --hidden "sidestep 3, other 48" --vary hidden_cards=5:7',
    ),
)
