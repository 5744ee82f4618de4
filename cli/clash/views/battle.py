"""How a battle looks."""

from __future__ import annotations

from collections.abc import Mapping

from analysis.amounts import chance
from analysis.clash.reports import ROUNDING, ArmyReport, BattleReport, OptionReport, RulesReport, TypeReport
from cli.grid import Section

_ENDS = 8
_OPTIONS = 12
_RESULTS = {
    "fighting": "goes on",
    "destroyed": "destroyed",
    "attacker-fled": "the attacker fled",
    "defender-fled": "the defender fled",
}


def worth(objective: str, value: float) -> str:
    """Return a value: in percent, unless it is an amount of what counts."""
    return f"{value:+.4f}" if objective in ("material", "own") else chance(value)


def counted(number: int, what: str) -> str:
    """Return a number of things in words."""
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def first_notes(rules: RulesReport, weights: Mapping[str, float] | None = None) -> list[str]:
    """Return what every report says first: that its numbers are illustrative; the weights, if any count."""
    lines = [rules.illustrative] if rules.illustrative else []
    if weights is not None:
        lines.append(f"Weights: {', '.join(f'{name} {value:g}' for name, value in weights.items())}.")
    return lines


def army_text(army: ArmyReport) -> str:
    """Return an army in words."""
    units = ", ".join(_unit_text(each) for each in army.types)
    rage = f"; rage {army.rage}" if army.rage else ""
    return f"{army.clan}: {units} (slowness {army.slowness}{rage})"


def _unit_text(unit: TypeReport) -> str:
    cards = f" [{', '.join(unit.equipment)}]" if unit.equipment else ""
    return f"{unit.count} {unit.unit}{cards}"


def _value(report: BattleReport) -> str:
    if report.value is not None:
        said = worth(report.objective, report.value)
        if report.kind == "bracket":
            said += " (a bracket, closed but for rounding)"
        return said
    return f"between {worth(report.objective, report.low)} and {worth(report.objective, report.high)}"


def _facts(report: BattleReport) -> list[list[str]]:
    what = "the attacker holds it" if report.objective == "win" else "worth to the attacker"
    rows = [[what, _value(report)]]
    if report.value_to_defender is not None:
        rows.append(["worth to the defender", f"{report.value_to_defender:+.4f}"])
    if report.fraction is not None:
        rows.append(["as a fraction", report.fraction])
    if report.objective != "win":
        rows.append(["the attacker holds it", chance(report.win)])
    for name, army in (("attacker", report.attacker), ("defender", report.defender)):
        fled = f", flees {chance(army.flees)}" if army.flees else ""
        rows.append([f"{name} destroyed", f"{chance(army.destroyed)}{fled}"])
    for name, rule in zip(("attacker", "defender"), report.retreats, strict=True):
        if rule is not None:
            rows.append([f"{name} flees when", rule])
    if report.value_without_retreats is not None:
        rows.append(["fleeing as well as can be", worth(report.objective, report.value_without_retreats)])
    if report.beyond > 5e-7:
        rows.append(["not followed to its end", chance(report.beyond)])
    rows.append(["assaults on average", f"{report.assaults:.2f}"])
    rows.append(["next assault", report.starts])
    return rows


def sections(report: BattleReport) -> list[Section]:
    """Return the tables."""
    armies = [("attacker", army_text(report.attacker)), ("defender", army_text(report.defender))]
    parts = [
        Section("", facts=armies),
        Section("", ("", ""), _facts(report), left=2),
        _losses(report),
        *_won(report),
        *_after(report),
    ]
    if report.first is not None:
        rows = [
            [_move(report, option), worth(report.objective, option.value), _cost(report, option.cost)]
            for option in report.first.options[:_OPTIONS]
        ]
        more = len(report.first.options) - _OPTIONS
        lines = [f"{more} more cost as much or more; all of them: --format json"] if more > 0 else []
        parts.append(
            Section(
                f"The {report.first.decider} decides", ("decision", "then worth", "costs"), rows, lines=lines
            )
        )
    if report.simple:
        rows = [
            [each.side, each.habit, worth(report.objective, each.value), _cost(report, each.cost)]
            for each in report.simple
        ]
        parts.append(Section("Simple players", ("side", "plays", "then worth", "costs"), rows, left=2))
    ends = report.ends[:_ENDS]
    if ends:
        rows = [
            [chance(end.probability), _RESULTS[end.result], _left(end.attacker), _left(end.defender)]
            for end in ends
        ]
        rest = 1 - sum(end.probability for end in ends) - report.beyond
        lines = [f"all other ends together: {chance(rest)}"] if rest > 5e-5 else []
        head = ("chance", "how", "attacker: I II III left", "defender")
        parts.append(Section("The likeliest ends", head, rows, left=4, lines=lines))
    return parts


def _losses(report: BattleReport) -> Section:
    rows = [
        [side, unit.unit, str(unit.count), f"{unit.lost:.3f}", f"{unit.lost_deviation:.3f}"]
        for side, army in (("attacker", report.attacker), ("defender", report.defender))
        for unit in army.types
    ]
    return Section("Losses", ("side", "unit", "of", "mean", "deviation"), rows, left=2)


def _won(report: BattleReport) -> list[Section]:
    """Return what either side has lost, given that it wins."""
    sections = []
    for name, army, won in zip(
        ("attacker", "defender"), (report.attacker, report.defender), report.won, strict=True
    ):
        if won is None:
            continue
        rows = [[str(lost), chance(share)] for lost, share in enumerate(won.figures_lost) if share > ROUNDING]
        units = ", ".join(
            f"{won.lost[level]:.3f} of {unit.count} {unit.unit}"
            for level, unit in zip(army.levels, army.types, strict=True)
        )
        title = f"Lost if the {name} wins ({chance(won.chance)})"
        sections.append(Section(title, ("figures", "chance"), rows, lines=[f"on average {units}"]))
    return sections


def _after(report: BattleReport) -> list[Section]:
    """Return how it stands after the rounds asked for."""
    after = report.after
    if after is None:
        return []
    rows = [
        [chance(each.probability), _RESULTS[each.standing], _left(each.attacker), _left(each.defender)]
        for each in after.standings[:_ENDS]
    ]
    rest = sum(each.probability for each in after.standings[_ENDS:]) + after.left_out
    lines = [f"all other standings together: {chance(rest)}"] if rest > 5e-5 else []
    lines.insert(0, f"it still goes on: {chance(after.fighting)}")
    head = ("chance", "how it stands", "attacker: I II III left", "defender")
    return [Section(f"After {counted(after.rounds, 'round')}", head, rows, left=4, lines=lines)]


def _left(counts: list[int]) -> str:
    return " ".join(map(str, counts))


def _move(report: BattleReport, option: OptionReport) -> str:
    if option.eliminated is None:
        return {"reroll": "roll the blanks again"}.get(option.move, option.move)
    side = report.defender if report.starts == "attacker" else report.attacker
    types = report_types(side)
    killed = [f"{count} {types[kind]}" for kind, count in enumerate(option.eliminated) if count]
    return f"eliminate {', '.join(killed)}" if killed else "eliminate nobody (a rage token)"


def report_types(army: ArmyReport) -> dict[int, str]:
    """Return the names of an army's types by level, from 0."""
    return dict(zip(army.levels, (unit.unit for unit in army.types), strict=True))


def _cost(report: BattleReport, cost: float) -> str:
    if cost <= 1e-12:
        return "-"
    return f"{100 * cost:.2f} points" if report.objective == "win" else f"{cost:.4f}"


def notes(report: BattleReport) -> list[str]:
    """Return what has to be said beside the tables."""
    battle = report.switches
    lines = first_notes(report.rules, None if report.objective == "win" else report.weights)
    switches = f"sparing {str(battle.sparing).lower()}, rage_limit {battle.rage_limit or 'none'}"
    if battle.rage_limit == 0:
        switches = f"sparing {str(battle.sparing).lower()}, rage_limit 0"
    if report.defender.clan == "elves":
        chooser = "the attacker" if report.solo else "his adversary"
        switches += f", for elves chooses {chooser}"
    lines.append(f"Rules: {report.rules.name}, {switches}, a die injures with {battle.hit}.")
    if report.attacker.clan == report.defender.clan:
        lines.append("Both sides are of one clan, which no game has.")
    kinds = {"exact": "Exact but for rounding", "fraction": "Exact", "bracket": "A proved bracket"}
    solved = f"{report.states:,} positions in {report.time_s:.2f} s, {report.sha256[:16]}"
    lines.append(f"{kinds[report.kind]}: {solved}.")
    if report.kind == "bracket":
        lines.append("The tables are of play that fears the worst beyond the tokens counted.")
    return lines


def csv_rows(report: BattleReport) -> list[dict[str, object]]:
    """Return the answer as one line."""
    row: dict[str, object] = {
        "rules_sha256": report.rules.sha256,
        "attacker": army_text(report.attacker),
        "defender": army_text(report.defender),
        "objective": report.objective,
        "starts": report.starts,
        "kind": report.kind,
        "value": report.value,
        "low": report.low,
        "high": report.high,
        "win": report.win,
        "attacker_flees": report.attacker.flees,
        "defender_flees": report.defender.flees,
        "attacker_destroyed": report.attacker.destroyed,
        "defender_destroyed": report.defender.destroyed,
        "assaults": report.assaults,
        "states": report.states,
    }
    for side, army in (("attacker", report.attacker), ("defender", report.defender)):
        for kind, unit in report_types(army).items():
            unit_row = next(each for each in army.types if each.unit == unit)
            row[f"{side}_{kind + 1}_lost"] = unit_row.lost
            row[f"{side}_{kind + 1}_deviation"] = unit_row.lost_deviation
    for side, army, won in zip(
        ("attacker", "defender"), (report.attacker, report.defender), report.won, strict=True
    ):
        for level in army.levels:
            row[f"{side}_{level + 1}_lost_if_it_wins"] = None if won is None else won.lost[level]
    row["illustrative"] = report.rules.illustrative is not None
    return [row]
