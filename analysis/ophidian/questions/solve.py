"""``solve``: a position within a wave, proved, and what each action costs; or whether to dare an attack."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import msgspec

from analysis.amounts import counted
from analysis.front.bundles import RulesFiles
from analysis.front.page import Cell, Column, Fact, Facts, Format, Page, Section, Table, data_of
from analysis.front.parameters import param, unheeded
from analysis.front.question import Amount, Answer, Question, Running, imported
from analysis.front.render.numbers import cell_text, number_text
from analysis.ophidian.questions import response
from analysis.ophidian.questions.response import ResponseAnswer
from analysis.ophidian.setup import Exchange

__all__ = ["OBJECTIVES", "QUESTION", "Action", "Cheer", "Fighter", "Side", "Solve", "SolveAnswer"]

Objective = Literal["result", "points", "wounds", "match"]
Horizon = Literal["wave", "match"]
OBJECTIVES: tuple[Objective, ...] = ("result", "points", "wounds", "match")
_ACTIONS, _MOVES = 8, 3
"""How many are shown at first."""
_RESULTS = {1: "win", 0: "even", -1: "loss"}
_ENDS = {1: "the team wins", 0: "nobody wins", -1: "the team loses"}


class Solve(msgspec.Struct, frozen=True, kw_only=True):
    """Which position, and what counts at its end."""

    exchange: Exchange
    pending: (
        Annotated[
            str,
            param("Value the answers to this attack instead: Tempest > Thorn.", metavar="ATTACK", more=True),
        ]
        | None
    ) = None
    objective: (
        Annotated[
            Objective,
            param(
                "What counts at the end. Who wins the match; then the difference of points; then that of"
                " wounds. Or (match) the chance to win it, an estimate where the match goes on after the"
                " wave. With --attack that alone counts.  [default: points; with --attack result in the last"
                " wave]"
            ),
        ]
        | None
    ) = None
    horizon: Annotated[
        Horizon,
        param("Prove to the end of the wave; or of the match, for two a side at most, and the result alone."),
    ] = "wave"
    values: (
        Annotated[
            Path,
            param(
                "File of `ophidian train`, for the chance to win the match."
                "  [default: the one carried for the illustrative set]",
                more=True,
            ),
        ]
        | None
    ) = None
    thresholds: Annotated[
        bool, param("Show from how much cheer on the position is worth something else.", more=True)
    ] = False
    time_limit: (
        Annotated[
            float,
            param("Stop then with what is proved: 30, 90s, 5m.", ge=0.001, le=604_800, unit="s", more=True),
        ]
        | None
    ) = None
    memory: Annotated[
        str,
        param("Memory for what is proved; more makes long proofs faster.", metavar="SIZE", more=True),
    ] = "512MiB"
    rules: RulesFiles = RulesFiles()


class Worth(msgspec.Struct, frozen=True):
    """What the end is worth for the side `team`; None where the objective does not look at it.

    Attributes
    ----------
    result : 1 the match is won, 0 undecided or drawn, -1 lost.
    points, wounds : differences at the end, of victory points, and of wounds on the other side's gladiators.
    chance : of winning the match, from 0 to 1, a draw counted as half: an estimate where the wave's end does
        not end the match. `result` is then 0.
    """

    result: int
    points: int | None = None
    wounds: int | None = None
    chance: float | None = None


class Fighter(msgspec.Struct, frozen=True):
    """A gladiator at the position that was asked about; `wounds` of a destroyed one are its life."""

    name: str
    level: int
    wounds: int
    life: int
    field: Literal["action", "support"]
    set: bool
    raging: bool
    destroyed: bool


class Side(msgspec.Struct, frozen=True):
    """A side: its gladiators, its cheer, and the points it has scored."""

    name: str
    fighters: list[Fighter]
    cheer: int
    scored: int


class Action(msgspec.Struct, frozen=True):
    """An action, or an answer to an attack.

    Attributes
    ----------
    low, high : what it is worth, proved; equal if exact.
    best : whether no other is worth more to whoever decides.
    answer : the other side's best answer where it has a choice, else empty.
    """

    action: str
    low: Worth
    high: Worth
    best: bool
    answer: str


class Cheer(msgspec.Struct, frozen=True):
    """What a position is worth with other cheer for whoever acts, from so much on to the next such line."""

    cheer: int
    low: Worth
    high: Worth


class SolveAnswer(Answer, frozen=True, kw_only=True):
    """A position within a wave, solved to the end of the wave or of the match.

    Attributes
    ----------
    decides : who decides at the position.
    horizon : whether it is solved to the end of the wave, or of the match; then a die after a full tie may
        leave bounds, too.
    last_wave : whether points decide the match at the end of this wave.
    low, high : what the position is worth, proved; equal if exact.
    line : one best line of play, in words.
    thresholds : the cheer from which the position is worth something else; empty unless asked for.
    estimate : what the objective `match` takes ends of the wave to be worth, in words; else None.
    nodes, kept : positions opened by the search, and those that its table holds.
    stand_in_defends : whether a stand-in deals its own defence damage (A5).
    """

    objective: Objective
    horizon: Horizon
    wave: int
    last_wave: bool
    team: Side
    against: Side
    decides: Literal["team", "against"]
    pending: str | None
    low: Worth
    high: Worth
    actions: list[Action]
    line: list[str]
    thresholds: list[Cheer]
    estimate: str | None
    notes: list[str]
    nodes: int
    kept: int
    stand_in_defends: bool


_HANDS = ("hidden", "hidden_cards", "own", "own_cards", "resources")
_PROOF = ("pending", "horizon", "values", "thresholds", "time_limit", "memory")


def _answer(asked: Solve, running: Running) -> SolveAnswer | ResponseAnswer:
    if asked.exchange.attack is None:
        unheeded(asked, "goes with --attack", *_HANDS)
        proved: SolveAnswer = imported("analysis.ophidian.fights:answer")(asked, running)
        return proved
    unheeded(asked, "goes without --attack", *_PROOF)
    question = imported("analysis.ophidian.exchanges:question_of")(asked)
    # scipy, and with it all that solves, is imported when nothing is wrong any more.
    solved: ResponseAnswer = imported("analysis.ophidian.responses:solved")(question)
    return solved


def amounts(found: SolveAnswer | ResponseAnswer) -> list[Amount]:
    """Return what can be compared between two answers; what is not proved is left empty."""
    if isinstance(found, ResponseAnswer):
        return response.amounts(found)
    sure = found.low == found.high
    heads: dict[str, Format] = {"result": "signed", "points": "signed", "wounds": "signed", "chance": "share"}
    return [
        Amount(part, f"{part} for the team", getattr(found.low, part) if sure else None, heads[part])
        for part in _parts(found)
    ]


def _parts(found: SolveAnswer) -> tuple[str, ...]:
    if found.objective == "match":
        return ("chance",)
    return ("result", "points", "wounds")[: OBJECTIVES.index(found.objective) + 1]


# -- how it looks --------------------------------------------------------------------------------------------


def page(found: SolveAnswer | ResponseAnswer) -> Page:
    """Return what the position is worth, the actions, and a best line."""
    if isinstance(found, ResponseAnswer):
        return response.page(found)
    first, more = _actions(found)
    sections: list[Section] = [first]
    if found.thresholds:
        rows: list[list[Cell]] = [[each.cheer, *_cells(each, found)] for each in found.thresholds]
        columns = [Column("cheer", "from", "count"), *_columns(found)]
        sections.append(Table(columns, rows, "With other cheer of whoever acts"))
    moves: list[list[Cell]] = [[number, words] for number, words in enumerate(found.line, 1)]
    cut = f", the first {_MOVES} of {len(moves)} moves" if moves[_MOVES:] else ""
    line = [Column("number", "", "count"), Column("move", f"one best line{cut}")]
    if moves:
        sections.append(Table(line, moves[:_MOVES]))
    shown = len(sections)
    if more.rows:
        sections.append(more)
    if moves[_MOVES:]:
        line = [Column("number", "", "count"), Column("move", "how the line goes on")]
        sections.append(Table(line, moves[_MOVES:]))
    sections += [_fighters(found), _sides(found)]
    stand_in = "deals" if found.stand_in_defends else "does not deal"
    return Page(
        headline=_headline(found),
        sections=sections,
        notes=_notes(found),
        method=[
            *found.notes,
            f"Ruled: a stand-in {stand_in} its own defence damage (A5); a roar comes when an action has"
            " resolved (M4).",
            f"{counted(found.nodes, 'position')} opened, {found.kept:,} kept.",
        ],
        details=shown,
        data=data_of(
            [
                {"action": each.action, "best": str(each.best), "answer": each.answer}
                | {f"{part}_low": getattr(each.low, part) for part in _parts(found)}
                | {f"{part}_high": getattr(each.high, part) for part in _parts(found)}
                for each in found.actions
            ]
        ),
    )


def _headline(found: SolveAnswer) -> str:
    who = "the team" if found.decides == "team" else "the other side"
    what = f"answers {found.pending}" if found.pending else "acts"
    where = f"{found.team.name} against {found.against.name}, wave {found.wave}"
    return f"{where}, {who} {what}: {_worth(found.low, found.high)}."


def _worth(low: Worth, high: Worth) -> str:
    """What it is worth for the team, in words."""
    if low.chance is not None and high.chance is not None:
        ends = [f"{number_text(each, 'share')} %" for each in dict.fromkeys((low.chance, high.chance))]
        return f"the team wins the match with a chance of {' to '.join(ends)}"
    if low.result != high.result:
        return f"somewhere between {_ENDS[low.result]} and {_ENDS[high.result]}"
    if low != high:
        return f"between ({_worth(low, low)}) and ({_worth(high, high)})"
    parts = {"points": low.points, "wounds": low.wounds}
    said = [f"{part} {number_text(value, 'signed', 0)}" for part, value in parts.items() if value is not None]
    return ", ".join([_ENDS[low.result], *said])


def _columns(found: SolveAnswer) -> list[Column]:
    """Of each part one, or two where only bounds are known."""
    heads: list[Column] = []
    ends = ("",) if _exact(found) else ("low", "high")
    for part in _parts(found):
        for end in ends:
            head = f"{part} {'from' if end == 'low' else 'to'}" if end else part
            kind: Format = {"result": "word", "chance": "share"}.get(part, "signed")  # type: ignore[assignment]
            heads.append(
                Column(f"{part}_{end}" if end else part, head, kind, None if part == "chance" else 0)
            )
    return heads


def _exact(found: SolveAnswer) -> bool:
    parts: list[Action | Cheer] = [*found.actions, *found.thresholds]
    return found.low == found.high and all(each.low == each.high for each in parts)


def _cells(each: Action | Cheer, found: SolveAnswer) -> list[Cell]:
    cells: list[Cell] = []
    for part in _parts(found):
        for end in (each.low,) if _exact(found) else (each.low, each.high):
            value = getattr(end, part)
            # Points of different results are no bounds of anything.
            unknown = part in ("points", "wounds") and each.low.result != each.high.result
            cells.append(_RESULTS[value] if part == "result" else None if unknown else value)
    return cells


def _actions(found: SolveAnswer) -> tuple[Table, Table]:
    """The best actions, and the others."""
    chance = found.objective == "match"
    answers = not found.pending and any(each.answer for each in found.actions)
    columns = [Column("action", "answer" if found.pending else "action"), *_columns(found)]
    columns.append(Column("costs", "costs", "gain" if chance else "word"))
    columns += [Column("answer", "their best answer")] if answers else []
    rows: list[list[Cell]] = []
    for each in found.actions:
        cost = _lost(found.actions[0], each) if chance else _cost(found.actions[0], each, found)
        rows.append([each.action, *_cells(each, found), cost, *([each.answer or None] if answers else [])])
    left = len(rows) - _ACTIONS
    worth = "worth no more" if found.exactness == "exact" else "not proved"
    return Table(columns, rows[:_ACTIONS]), Table(columns, rows[_ACTIONS:], f"{left} more, {worth}")


def _lost(best: Action, action: Action) -> float | None:
    """The chance that an action gives away."""
    if action.low != action.high or best.low != best.high:
        return None
    return abs((best.low.chance or 0.0) - (action.low.chance or 0.0))


def _cost(best: Action, action: Action, found: SolveAnswer) -> str | None:
    """What an action gives away against the best one, by the first part in which it does."""
    if action.low != action.high or best.low != best.high:
        return "?"
    for part in _parts(found):
        lost = abs(getattr(best.low, part) - getattr(action.low, part))
        if lost and part == "result":
            return "the match" if lost == 2 else "half a win"
        if lost:
            return f"{cell_text(lost, 'count')} {part[:-1] if lost == 1 else part}"
    return None


def _fighters(found: SolveAnswer) -> Table:
    columns = [Column("side", "side"), Column("gladiator", "gladiator"), Column("level", "level", "count")]
    columns += [Column("wounds", "wounds", "count"), Column("life", "life", "count")]
    columns += [Column("field", "field"), Column("state", "state")]
    rows: list[list[Cell]] = []
    for name, side in (("team", found.team), ("against", found.against)):
        for each in side.fighters:
            states = {"set": each.set, "raging": each.raging, "destroyed": each.destroyed}
            said = ", ".join(word for word, true in states.items() if true)
            rows.append([name, each.name, each.level, each.wounds, each.life, each.field, said or None])
    return Table(columns, rows, "The position")


def _sides(found: SolveAnswer) -> Facts:
    return Facts(
        [
            Fact("cheer", "cheer of the team", found.team.cheer, "count"),
            Fact("cheer_against", "cheer of the others", found.against.cheer, "count"),
            Fact("scored", "points of the team", found.team.scored, "count"),
            Fact("scored_against", "points of the others", found.against.scored, "count"),
        ]
    )


def _notes(found: SolveAnswer) -> list[str]:
    """How far to trust it."""
    proved = "Proved" if found.exactness == "exact" else _bounds(found)
    cards = f"to the end of the {found.horizon}, without cards"
    notes = [f"{proved} {cards}; actions worth the same are ties. {_horizon(found)}"]
    if found.exactness == "bounded" and found.horizon == "wave":
        notes.append("More time narrows the bounds, and so does more memory in long proofs.")
    if found.estimate:
        notes.append(f"Where the match goes on after the wave, this is an estimate: {found.estimate}.")
    return notes


def _bounds(found: SolveAnswer) -> str:
    """Why bounds are all that is known."""
    if found.horizon == "wave" and found.objective != "match":
        return "Stopped: bounds that are proved"
    open_end = "a position that comes again" if found.horizon == "wave" else "a full tie or repeated position"
    return f"Stopped, or {open_end} decides: bounds that are proved"


def _horizon(found: SolveAnswer) -> str:
    if found.horizon == "match":
        return "Promotions and placements of later waves are played out."
    if found.last_wave:
        return "More points win at the end of this wave."
    return "The match goes on after this wave unless somebody wins in it."


QUESTION: Question[Solve, SolveAnswer | ResponseAnswer] = Question(
    name="solve",
    about="Prove what a fight is worth, and what each action costs. Both sides play perfectly until the end"
    " of its wave, without cards. With --attack it says whether to dare it though a hidden hand may answer,"
    " and how likely each response has to be for it to be wrong. That is an equilibrium over all hands, after"
    " which cards are put aside.",
    asked=Solve,
    answers=SolveAnswer,
    also=(ResponseAnswer,),
    function=_answer,
    page=page,
    exactness="exact",
    amounts=amounts,
    examples=(
        'solve --team "Thorn, Runt" --against "Tempest, Scrap" --wave 4',
        'solve --team "Bastion w4, Thorn@S" --against "Tempest set, Scrap" --wave 4 --cheer 2:1',
        'solve --team "Thorn, Runt" --against "Tempest, Scrap" --momentum against'
        ' --pending "Tempest > Thorn"',
        'solve --team Thorn --against "Whisper w3" --wave 3 --horizon match --set match.extra_waves=0',
        "solve --team iron --against storm --wave 2 --objective match --time-limit 1s",
        'solve --team "Tempest, Scrap@S" --against "Thorn, Runt" --attack "Tempest > Thorn" --hidden brood',
        'solve --team "Bastion L2, Runt" --against "Tempest w4, Scrap" --wave 2 --cheer 1:1'
        ' --attack "Bastion > Tempest" --hidden "hex 3, dread 3, other 45" --hidden-cards 5',
    ),
)
