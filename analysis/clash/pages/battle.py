"""A battle: its figures, and how it looks."""

from __future__ import annotations

from collections.abc import Sequence

from analysis.amounts import counted
from analysis.clash.reports import (
    ROUNDING,
    ArmyReport,
    BattleAnswer,
    OptionReport,
    SwitchesReport,
    TypeReport,
)
from analysis.front.page import Cell, Column, Fact, Facts, Follow, Format, Page, Section, Table
from analysis.front.question import Amount
from analysis.front.render.numbers import number_text

__all__ = ["amounts", "page", "rules_lines", "weights_line", "worth"]

_ENDS = 8
_OPTIONS = 12
_RESULTS = {
    "fighting": "goes on",
    "destroyed": "destroyed",
    "attacker-fled": "the attacker fled",
    "defender-fled": "the defender fled",
}
_SIDES = ("attacker", "defender")


def worth(objective: str) -> tuple[Format, int]:
    """Return how a value is written, and with how many digits: a chance, or an amount of what counts."""
    return ("signed", 4) if objective in ("material", "own") else ("share", 2)


def amounts(found: BattleAnswer) -> list[Amount]:
    """Return what can be compared between two battles."""
    kind, _ = worth(found.objective)
    head = "the attacker's chance" if found.objective == "win" else "worth to the attacker"
    middle = found.value if found.value is not None else (found.low + found.high) / 2
    more = [] if found.objective == "win" else [Amount("win", "the attacker's chance", found.win, "share")]
    sides = zip(_SIDES, (found.attacker, found.defender), strict=True)
    losses = [
        Amount(f"{side}_lost", f"figures lost, {side}", sum(each.lost for each in army.types))
        for side, army in sides
    ]
    return [Amount("win" if found.objective == "win" else "value", head, middle, kind), *more, *losses]


# ---- how it looks ------------------------------------------------------------------------------------------


def army_text(army: ArmyReport) -> str:
    """Return an army in words."""
    rage = f"; rage {army.rage}" if army.rage else ""
    return f"{army.clan}: {', '.join(map(_unit_text, army.types))} (slowness {army.slowness}{rage})"


def _unit_text(unit: TypeReport) -> str:
    cards = f" [{', '.join(unit.equipment)}]" if unit.equipment else ""
    return f"{unit.count} {unit.unit}{cards}"


def page(found: BattleAnswer) -> Page:
    """Return how a battle looks."""
    sections = [_facts(found), _losses(found), *_won(found), *_after(found)]
    kind, digits = worth(found.objective)
    cost = Column("cost", "costs", "gain" if kind == "share" else "number", digits)
    notes = []
    if found.first is not None:
        columns = [Column("decision", "decision"), Column("worth", "then worth", kind, digits), cost]
        rows: list[list[Cell]] = [
            [_move(found, option), option.value, option.cost if option.cost > 1e-12 else None]
            for option in found.first.options[:_OPTIONS]
        ]
        sections.append(Table(columns, rows, f"The {found.first.decider} decides"))
        more = len(found.first.options) - _OPTIONS
        notes += [f"{more} more decisions cost as much or more; --format json has all."] if more > 0 else []
    if found.simple:
        columns = [
            Column("side", "side"),
            Column("plays", "plays"),
            Column("worth", "then worth", kind, digits),
            cost,
        ]
        rows = [
            [each.side, each.habit, each.value, each.cost if each.cost > 1e-12 else None]
            for each in found.simple
        ]
        sections.append(Table(columns, rows, "Simple players"))
    ends = found.ends[:_ENDS]
    if ends:
        rows = [
            [each.probability, _RESULTS[each.result], *_left(each.attacker, each.defender)] for each in ends
        ]
        rest = 1 - sum(each.probability for each in ends) - found.beyond
        sections.append(_standings("The likeliest ends", "how", rows, rest))
    return Page(
        headline=_headline(found),
        sections=sections,
        notes=[*notes, *_notes(found)],
        method=_method(found),
        follow=_follow(found),
    )


def _follow(found: BattleAnswer) -> list[Follow]:
    """What leads on from a battle, from its beginning."""
    attacker, defender = (
        f"{army.clan}: {', '.join(f'{each.count} {each.unit}' for each in army.types)}"
        for army in (found.attacker, found.defender)
    )
    both: dict[str, str | list[str]] = {"attacker": attacker, "defender": defender}
    whole: dict[str, str | list[str]] = {"attacker": found.attacker.clan, "chance": "0.9"}
    return [
        Follow("solve", both | whole, "Which armies are enough?"),
        Follow("solve", both | {"gold": "15"}, "What to buy for it?"),
        Follow("solve", both | {"simple": "true"}, "What does simple play lose?"),
    ]


def _headline(found: BattleAnswer) -> str:
    kind, digits = worth(found.objective)

    def said(value: float) -> str:
        return number_text(value, kind, digits) + (" %" if kind == "share" else "")

    value = (
        said(found.low) if found.value is not None else f"between {said(found.low)} and {said(found.high)}"
    )
    if found.objective == "win":
        return f"The attacker holds the territory with {value}."
    return f"The battle is worth {value} to the attacker."


def _facts(found: BattleAnswer) -> Facts:
    kind, digits = worth(found.objective)
    facts = [
        Fact("attacker", "attacker", army_text(found.attacker)),
        Fact("defender", "defender", army_text(found.defender)),
    ]
    head = "the attacker holds it" if found.objective == "win" else "worth to the attacker"
    if found.value is not None:
        facts.append(Fact("value", head, found.value, kind, digits))
    else:
        facts += [
            Fact("low", f"{head}, at least", found.low, kind, digits),
            Fact("high", f"{head}, at most", found.high, kind, digits),
        ]
    if found.value_to_defender is not None:
        facts.append(Fact("value_to_defender", "worth to the defender", found.value_to_defender, "signed", 4))
    if found.fraction is not None:
        facts.append(Fact("fraction", "as a fraction", found.fraction))
    if found.objective != "win":
        facts.append(Fact("win", "the attacker holds it", found.win, "share", 2))
    for name, army, rule in zip(_SIDES, (found.attacker, found.defender), found.retreats, strict=True):
        facts.append(Fact(f"{name}_destroyed", f"{name} destroyed", army.destroyed, "share", 2))
        if army.flees:
            facts.append(Fact(f"{name}_flees", f"{name} flees", army.flees, "share", 2))
        if rule is not None:
            facts.append(Fact(f"{name}_rule", f"{name} flees when", rule))
    freely = found.value_without_retreats
    if freely is not None:
        facts.append(Fact("freely", "fleeing as well as can be", freely, kind, digits))
    if found.beyond > 5e-7:
        facts.append(Fact("beyond", "not followed to its end", found.beyond, "share", 2))
    facts.append(Fact("assaults", "assaults on average", found.assaults, "number"))
    facts.append(Fact("starts", "next assault", found.starts))
    return Facts(facts)


def _losses(found: BattleAnswer) -> Table:
    """Losses by unit; as CSV with what the battle is worth in each row."""
    columns = [
        *(Column("side", "side"), Column("unit", "unit"), Column("count", "of", "count")),
        *(Column("lost", "mean", "number", 3), Column("deviation", "deviation", "number", 3)),
        Column("lost_if_it_wins", "if it wins", "number", 3),
    ]
    rows: list[list[Cell]] = [
        [
            side,
            unit.unit,
            unit.count,
            unit.lost,
            unit.lost_deviation,
            None if won is None else won.lost[level],
        ]
        for side, army, won in zip(_SIDES, (found.attacker, found.defender), found.won, strict=True)
        for level, unit in zip(army.levels, army.types, strict=True)
    ]
    context: dict[str, Cell] = {
        "attacker": army_text(found.attacker),
        "defender": army_text(found.defender),
        "objective": found.objective,
        "starts": found.starts,
        "kind": found.kind,
        **{key: getattr(found, key) for key in ("value", "low", "high", "win", "assaults", "states")},
        **{
            f"{side}_{key}": getattr(getattr(found, side), key)
            for side in _SIDES
            for key in ("flees", "destroyed")
        },
    }
    return Table(columns, rows, "Losses", context)


def _won(found: BattleAnswer) -> list[Section]:
    """What either side has lost, given that it wins."""
    tables: list[Section] = []
    for name, won in zip(_SIDES, found.won, strict=True):
        if won is not None:
            rows: list[list[Cell]] = [
                [lost, share] for lost, share in enumerate(won.figures_lost) if share > ROUNDING
            ]
            title = f"Lost if the {name} wins ({number_text(won.chance, 'share', 2)} %)"
            columns = [Column("figures", "figures", "count"), Column("chance", "chance", "share", 2)]
            tables.append(Table(columns, rows, title))
    return tables


def _after(found: BattleAnswer) -> list[Section]:
    """How it stands after the rounds asked for."""
    after = found.after
    if after is None:
        return []
    rows: list[list[Cell]] = [
        [each.probability, _RESULTS[each.standing], *_left(each.attacker, each.defender)]
        for each in after.standings[:_ENDS]
    ]
    rest = sum(each.probability for each in after.standings[_ENDS:]) + after.left_out
    goes_on = number_text(after.fighting, "share", 2)
    rounds = counted(after.rounds, "round")
    return [_standings(f"After {rounds} ({goes_on} % still go on)", "how it stands", rows, rest)]


def _standings(title: str, how: str, rows: Sequence[list[Cell]], rest: float) -> Table:
    columns = [
        *(Column("chance", "chance", "share", 2), Column("how", how)),
        *(Column("attacker_left", "attacker: I II III left"), Column("defender_left", "defender")),
    ]
    last: list[list[Cell]] = [[rest, "all others together", "", ""]] if rest > 5e-5 else []
    return Table(columns, [*rows, *last], title)


def _left(attacker: Sequence[int], defender: Sequence[int]) -> list[Cell]:
    return [" ".join(map(str, attacker)), " ".join(map(str, defender))]


def _move(found: BattleAnswer, option: OptionReport) -> str:
    if option.eliminated is None:
        return {"reroll": "roll the blanks again"}.get(option.move, option.move)
    army = found.defender if found.starts == "attacker" else found.attacker
    types = dict(zip(army.levels, (unit.unit for unit in army.types), strict=True))
    killed = [f"{count} {types[kind]}" for kind, count in enumerate(option.eliminated) if count]
    return f"eliminate {', '.join(killed)}" if killed else "eliminate nobody (a rage token)"


def weights_line(weights: dict[str, float] | None) -> list[str]:
    """Return which weights counted; nothing where none did."""
    if weights is None:
        return []
    return [f"Weights: {', '.join(f'{name} {value:g}' for name, value in weights.items())}."]


def rules_lines(switches: SwitchesReport) -> str:
    """Return the switches of battles."""
    limit = "none" if switches.rage_limit is None else switches.rage_limit
    return f"sparing {str(switches.sparing).lower()}, rage_limit {limit}, a die injures with {switches.hit}"


def _notes(found: BattleAnswer) -> list[str]:
    lines = weights_line(found.weights)
    chooser = f", {'the attacker' if found.solo else 'its adversary'} chooses for elves"
    lines.append(f"Rules: {rules_lines(found.switches)}{chooser if found.defender.clan == 'elves' else ''}.")
    if found.attacker.clan == found.defender.clan:
        lines.append("Both sides are of one clan, which no game has.")
    lines.append(
        {"exact": "Exact but for rounding.", "fraction": "Exact."}.get(found.kind, "A proved bracket.")
    )
    if found.kind == "bracket" and found.value is not None:
        lines.append("The value is a bracket, closed but for rounding.")
    if found.kind == "bracket":
        lines.append("The tables are of play that fears the worst beyond the tokens counted.")
    return lines


def _method(found: BattleAnswer) -> list[str]:
    return [
        f"{found.states:,} positions, {found.sha256[:16]}.",
        "Both sides decide optimally: rerolls, whom injuries eliminate or spare, flight. Nothing is sampled.",
    ]
