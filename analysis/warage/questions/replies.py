"""What ``attack --replies`` asks and answers: an attack that cards of hidden hands may answer, solved."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from analysis.amounts import chance, counted
from analysis.front.kinds import Counts
from analysis.front.page import Cell, Column, Fact, Facts, Page, Section, Table
from analysis.front.parameters import Bundle, param
from analysis.front.question import Amount, Answer
from analysis.warage.positions import RoundsLeft, Totals

__all__ = ["EXAMPLE", "Replies", "RepliesAnswer", "ReplyRow", "replies_amounts", "replies_page"]

_ROWS = 4
MAX_NODES = 400_000


class Replies(Bundle, frozen=True, kw_only=True):
    """What is attacked with, and what both may hold in answer."""

    totals: Totals = Totals()
    attack: Annotated[
        str, param("What it attacks with: melee, or a spell in play such as fireball 2.", more=True)
    ] = "melee"
    pool: Annotated[
        dict[str, int],
        param(
            "What the attacker may hold: replies, and all other cards together.",
            kind=Counts("reply cards"),
            more=True,
        ),
    ] = msgspec.field(default_factory=lambda: {"battle-cry": 3, "negate": 2, "other": 11})
    other_pool: Annotated[
        dict[str, int], param("What the defender may hold.", kind=Counts("reply cards"), more=True)
    ] = msgspec.field(default_factory=lambda: {"parry": 3, "bulwark": 2, "negate": 2, "other": 9})
    hidden: Annotated[int, param("Cards in the attacker's hand.", ge=0, le=10, unit="cards", more=True)] = 1
    other_hidden: Annotated[
        int, param("Cards in the defender's hand.", ge=0, le=10, unit="cards", more=True)
    ] = 1
    rounds_left: RoundsLeft | None = None
    card_hp: Annotated[int, param("HP that a kept card is worth.", ge=0, le=20, unit="HP", more=True)] = 1


class ReplyRow(msgspec.Struct, frozen=True):
    """What a player does at a decision that is reached: its hand, the queue, and the chance of each move.

    Attributes
    ----------
    reach : the chance that play comes here, all hands together.
    moves : move -> chance; those below one in a million are left out.
    """

    player: str
    hand: list[str]
    queue: list[str]
    reach: float
    moves: dict[str, float]


class RepliesAnswer(Answer, frozen=True, kw_only=True):
    """One attack with hidden replies, solved: an equilibrium of both players.

    Attributes
    ----------
    pools, hidden : cards that both may hold, and how many each does.
    kill, taken : the chance that the attack beats the defender, and HP that it takes.
    paid : HP that replies cost the attacker, and the defender, less what they bring.
    value : of the end to the attacker, as a chance to win or in HP (`value_in`): its less the other's, with
        `card_hp` for each reply kept, and `kill_hp` more for a kill.
    before : the same before the attack, for one in HP: what the attack is worth is `value` less this.
    open_value : the same if both hands lay open.
    nash_conv : what both could gain together by deviating.
    decisions : at reached infosets, the likeliest first; `mixed` how many of `decided` are not pure.
    pure_loses : what the attacker, and the defender, may lose by always making the likelier move.
    """

    attacker: str
    defender: str
    attack: str
    season: str
    hp: list[int]
    pools: list[dict[str, int]]
    hidden: list[int]
    kill: float
    taken: float
    paid: list[float]
    value_in: Literal["hp", "win"]
    before: float | None
    kill_hp: int
    card_hp: int
    value: float
    open_value: float
    nash_conv: float
    decisions: list[ReplyRow]
    decided: int
    mixed: int
    pure_loses: list[float]
    nodes: int
    infosets: int


def replies_amounts(found: RepliesAnswer) -> list[Amount]:
    """Return what can be compared between two answers."""
    in_hp = found.value_in == "hp"
    value = found.value - (found.before or 0.0)
    return [
        Amount("value", "the attack is worth, in HP" if in_hp else "the attacker wins", value, _kind(found)),
        Amount("taken", "HP that it takes", found.taken),
        Amount("kill", "it kills", found.kill, "share"),
        Amount("hiding", "hiding is worth", found.value - found.open_value, "signed" if in_hp else "gain"),
        Amount("reached", "decisions that are reached", found.decided, "count"),
        Amount("mixed", "mixed decisions", found.mixed, "count"),
        Amount("attacker_loses", "the attacker may lose by pure play", found.pure_loses[0], "signed"),
        Amount("defender_loses", "the defender may lose by pure play", found.pure_loses[1], "signed"),
    ]


def _kind(found: RepliesAnswer) -> Literal["signed", "share"]:
    return "signed" if found.value_in == "hp" else "share"


def _pool(found: RepliesAnswer, who: int) -> str:
    """What a player may hold."""
    cards = ", ".join(
        name if copies == 1 else f"{name} {copies}" for name, copies in found.pools[who].items()
    )
    number = found.hidden[who]
    return f"{counted(number, 'hidden card')} of {cards}"


def replies_page(found: RepliesAnswer) -> Page:
    """Return values, and what to do where play comes to."""
    kind = _kind(found)
    before = found.before or 0.0
    in_hp = found.value_in == "hp"
    facts = [
        Fact("attacker", "attacker", f"{found.attacker}, {found.hp[0]} HP: {found.attack}"),
        Fact("pool", "it holds", _pool(found, 0)),
        Fact("defender", "defender", f"{found.defender}, {found.hp[1]} HP, in {found.season}"),
        Fact("other_pool", "it holds", _pool(found, 1)),
        Fact("taken", "the attack takes, in HP", found.taken, "number", 3),
        Fact("kill", "it kills", found.kill, "share", 2),
        Fact("paid", "replies cost the attacker, in HP", found.paid[0], "number", 3),
        Fact("other_paid", "replies cost the defender, in HP", found.paid[1], "number", 3),
        Fact(
            "value",
            "all this is worth, in HP" if in_hp else "the attacker wins",
            found.value - before,
            kind,
            3,
        ),
        Fact("open", "if hands lay open", found.open_value - before, kind, 3),
        Fact("hiding", "hiding is worth", found.value - found.open_value, "signed" if in_hp else "gain", 4),
    ]
    columns = [
        Column("player", "who"),
        Column("hand", "hand"),
        Column("queue", "replies"),
        Column("reach", "reached", "share"),
        Column("move", "does"),
        Column("chance", "how often", "share"),
    ]
    rows: list[list[Cell]] = [
        [row.player, "+".join(row.hand), ", ".join(row.queue[1:]) or "-", row.reach, move, share]
        for row in found.decisions
        for move, share in row.moves.items()
    ]
    whole = Table(columns, rows, "All decisions that play comes to")
    sections: list[Section] = [Facts(facts)]
    if len(found.decisions) > _ROWS:
        few = sum(len(row.moves) for row in found.decisions[:_ROWS])
        title = f"Where play comes to, {_ROWS} of {len(found.decisions)} decisions"
        sections.append(Table(columns, rows[:few], title))
        sections.append(whole)
    elif rows:
        sections.append(whole)
    counts = f"; {found.kill_hp} HP count for a kill, {found.card_hp} for a reply kept" if in_hp else ""
    unit = "HP" if in_hp else "of the chance"
    return Page(
        headline=_headline(found),
        sections=sections,
        notes=[
            f"The pools are of no deck{counts}.",
            f"{found.mixed} of {found.decided} decisions that are reached are mixed; to make the likelier"
            f" move always may cost the attacker {found.pure_loses[0]:.4f},"
            f" the defender {found.pure_loses[1]:.4f} {unit}.",
        ],
        method=[
            f"Exact: {found.nodes:,} nodes, {found.infosets:,} infosets, NashConv {found.nash_conv:.1e};"
            " dice are taken on average."
        ],
        details=2 if len(found.decisions) > _ROWS else None,
        data=whole,
    )


def _headline(found: RepliesAnswer) -> str:
    end = f"{found.attack} takes {found.taken:.2f} HP and kills with {chance(found.kill)}"
    hiding = found.value - found.open_value
    if abs(hiding) < 1e-9:
        return f"{end}; to hide the hands is worth nothing."
    return f"{end}; to hide the hands is worth something to the {'attacker' if hiding > 0 else 'defender'}."


EXAMPLE = "orc/warrior:great-sword human/paladin --hp 40 --other-hp 12"
