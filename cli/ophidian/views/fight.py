"""How a fight that was proved looks."""

from __future__ import annotations

from dataclasses import dataclass

from analysis.amounts import chance
from analysis.ophidian.reports import ActionReport, FighterReport, FightReport, Worth
from cli.grid import Section

_ROWS = 8
_LINES = 3
_RESULTS = {1: "win", 0: "even", -1: "loss"}


@dataclass(frozen=True)
class View:
    """The tables; with `details`, all of them whole."""

    details: bool = False

    def csv_rows(self, report: FightReport) -> list[dict[str, object]]:
        """Return a row for each action."""
        return [
            {"action": each.action, "best": each.best, "answer": each.answer}
            | {f"{part}_low": getattr(each.low, part) for part in _parts(report)}
            | {f"{part}_high": getattr(each.high, part) for part in _parts(report)}
            for each in report.actions
        ]

    def sections(self, report: FightReport) -> list[Section]:
        """Return what it is worth, the actions, and a best line."""
        who = "the team" if report.decides == "team" else "the other side"
        what = f"answers {report.pending}" if report.pending else "acts"
        title = f"{report.team.name} against {report.against.name}, wave {report.wave}: {who} {what}"
        facts = [("worth", _worth(report.low, report.high))]
        if self.details:
            facts += [(side.name, _side(side.fighters, side.cheer)) for side in (report.team, report.against)]
        parts = [Section(title, facts=facts), self._actions(report)]
        if report.thresholds:
            rows = [[str(each.cheer), _worth(each.low, each.high)] for each in report.thresholds]
            parts.append(Section("With other cheer of whoever acts", ["from", "worth"], rows, left=[1]))
        if report.line:
            parts.append(self._line(report))
        return parts

    def _actions(self, report: FightReport) -> Section:
        shown = report.actions if self.details else report.actions[:_ROWS]
        left = len(report.actions) - len(shown)
        best = report.actions[0]
        head = ["answer" if report.pending else "action", *_parts(report), "costs"]
        rows = [[each.action, *_cells(each, report), _cost(best, each, report)] for each in shown]
        words = [0]
        # With wounds there is no room for it beside the numbers.
        if not report.pending and (self.details or report.objective != "wounds"):
            words.append(len(head))
            head.append("their best answer")
            for row, each in zip(rows, shown, strict=True):
                row.append(each.answer or "-")
        proved = report.kind == "exact"
        lines = [f"{left} more, {'worth no more' if proved else 'not proved'}: --details"] if left else []
        return Section("", head, rows, left=words, lines=lines)

    def _line(self, report: FightReport) -> Section:
        shown = report.line if self.details else report.line[:_LINES]
        lines = [f"{number}. {words}" for number, words in enumerate(shown, 1)]
        if len(shown) < len(report.line):
            lines.append(f"... and {len(report.line) - len(shown)} more: --details")
        return Section("One best line", lines=lines)

    def notes(self, report: FightReport) -> list[str]:
        """Return how far to trust it."""
        proved = "Proved" if report.kind == "exact" else _bounds(report)
        cards = f"to the end of the {report.horizon}, without cards"
        lines = [f"{proved} {cards}; actions worth the same are ties. {_horizon(report)}"]
        if report.estimate:
            lines.append(f"Where the match goes on after the wave, this is an estimate: {report.estimate}.")
        if report.rules.illustrative:
            lines.append(report.rules.illustrative)
        if self.details:
            stand_in = "deals" if report.rules.stand_in_defends else "does not deal"
            lines += [
                *report.notes,
                f"Ruled: a stand-in {stand_in} its own defence damage (A5); a roar comes when an action has"
                " resolved (M4).",
                f"{report.nodes:,} positions opened, {report.kept:,} kept, {report.time_s:.1f} s; rules"
                f" {report.rules.sha256[:16]}, version {report.version}.",
            ]
        return lines


def _parts(report: FightReport) -> tuple[str, ...]:
    if report.objective == "match":
        return ("chance",)
    return ("result", "points", "wounds")[: ("result", "points", "wounds").index(report.objective) + 1]


def _bounds(report: FightReport) -> str:
    """Why bounds are all that is known."""
    if report.horizon == "wave":
        return "Stopped: bounds that are proved"
    return "Stopped, or a die after a full tie decides: bounds that are proved"


def _horizon(report: FightReport) -> str:
    if report.horizon == "match":
        return "Promotions and placements of later waves are played out."
    if report.last_wave:
        return "More points win at the end of this wave."
    return "The match goes on after this wave unless somebody wins in it."


def _number(value: int) -> str:
    return f"{value:+d}" if value else "0"


def _worth(low: Worth, high: Worth) -> str:
    """What it is worth for the team, in words."""
    if low.chance is not None and high.chance is not None:
        if low == high:
            return f"a chance of {chance(low.chance, 1)} for the team to win the match"
        least, most = chance(low.chance, 1), chance(high.chance, 1)
        return f"a chance of {least} to {most} for the team to win the match"
    if low.result != high.result:
        words = {1: "a win", 0: "nobody's win", -1: "a loss"}
        return f"between {words[low.result]} and {words[high.result]}"
    if low != high:
        return f"between {_worth(low, low)} and {_worth(high, high)}"
    said = [{1: "the team wins", 0: "nobody wins", -1: "the team loses"}[low.result]]
    if low.points is not None:
        said.append(f"points {_number(low.points)}")
    if low.wounds is not None:
        said.append(f"wounds {_number(low.wounds)}")
    return ", ".join(said)


def _cells(action: ActionReport, report: FightReport) -> list[str]:
    cells: list[str] = []
    for part in _parts(report):
        if cells and action.low.result != action.high.result:
            cells.append("?")
            continue
        low, high = getattr(action.low, part), getattr(action.high, part)
        if part == "chance":
            said = [chance(each, 1) for each in (low, high)]
            cells.append(said[0] if low == high else " to ".join(said))
            continue
        said = [_RESULTS[each] if part == "result" else _number(each) for each in (low, high)]
        cells.append(said[0] if low == high else " to ".join(said))
    return cells


def _cost(best: ActionReport, action: ActionReport, report: FightReport) -> str:
    """What an action gives away against the best one, by the first part in which it does."""
    if action.low != action.high or best.low != best.high:
        return "?"
    for part in _parts(report):
        lost = abs(getattr(best.low, part) - getattr(action.low, part))
        if lost and part == "chance":
            return f"{100 * lost:.1f} points"
        if lost and part == "result":
            return "the match" if lost == 2 else "half a win"
        if lost:
            return f"{lost} {part[:-1] if lost == 1 else part}"
    return "-"


def _side(fighters: list[FighterReport], cheer: int) -> str:
    return "; ".join(map(_fighter, fighters)) + f"; cheer {cheer}"


def _fighter(fighter: FighterReport) -> str:
    if fighter.destroyed:
        return f"{fighter.name} destroyed"
    said = [f"level {fighter.level}", f"{fighter.wounds} of {fighter.life} wounds", fighter.field]
    said += [word for word, true in (("set", fighter.set), ("raging", fighter.raging)) if true]
    return f"{fighter.name} ({', '.join(said)})"
