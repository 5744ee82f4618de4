"""How an attack with hidden responses looks."""

from __future__ import annotations

from dataclasses import dataclass

from analysis.amounts import chance, percent
from analysis.ophidian.reports import DecisionReport, ResponseReport
from cli.grid import Section

_ROWS = 6
_ANY = 1e-6
_UNITS = {
    "result": "1 a win, -1 a loss",
    "points": "points at the end of the wave, a match that is won counting as {}",
    "wounds": "wounds at the end of the wave, a match that is won counting as {}",
}
ATTACK = "attack"
"""What every exchange begins with, and needs no cell."""


@dataclass(frozen=True)
class View:
    """The tables; with `details`, every decision that play comes to."""

    details: bool = False

    def csv_rows(self, report: ResponseReport) -> list[dict[str, object]]:
        """Return a row for each choice at each decision."""
        return [
            {
                "side": each.side,
                "hand": ", ".join(each.hand),
                "seen": "; ".join(each.seen),
                "reach": each.reach,
                "action": action,
                "probability": share,
            }
            for each in report.decisions
            for action, share in each.mix.items()
        ]

    def sections(self, report: ResponseReport) -> list[Section]:
        """Return what to do, how likely responses have to be, and the mixes."""
        facts = [
            ("do it", _advice(report)),
            ("worth", f"{_amount(report, report.attack_value)} if you attack"),
            ("no attack", f"{_amount(report, report.otherwise)}: {report.best_other}"),
            ("open hands", f"{_amount(report, report.open_value)} if both saw all cards"),
        ]
        parts = [Section(f"{report.attack}, wave {report.wave}", facts=facts)]
        if report.thresholds:
            rows = [
                [each.card, f"{100 * each.held:.0f}", _threshold(each.wrong_from)]
                for each in report.thresholds
            ]
            parts.append(Section("", ["response", "held, %", "alone, wrong from"], rows))
        shown = report.decisions if self.details else report.decisions[:_ROWS]
        rows = [
            [
                each.side,
                ", ".join(each.hand) or "-",
                ", ".join(word for word in each.seen if word != ATTACK) or "-",
                *_shares(each),
            ]
            for each in shown
        ]
        more = len(report.decisions) - len(shown)
        head = ["who", "hand", "so far", "reached, %", "does"]
        lines = [f"{more} more: --details"] if more else []
        parts.append(Section("Where play comes to", head, rows, left=[0, 1, 2, 4], lines=lines))
        return parts

    def notes(self, report: ResponseReport) -> list[str]:
        """Return what it rests on, and how exact it is."""
        unit = _UNITS[report.value_in].format(report.win_counts)
        lines = [
            f"Values are the attacker's: {unit}. Exact for this attack (NashConv {report.nash_conv:.0e}),"
            " compared with the best action that is no attack; what follows is proved without cards.",
            "alone: that card is the only one they may hold; wrong from: how likely it must be.",
        ]
        attacker = ("team", "against").index(report.attacker)
        for side, names in enumerate(report.idle):
            if names:
                whose = "attacker" if side == attacker else "defender"
                held = f"the {whose}'s {', '.join(names)}"
                lines.append(f"Counted as other, since they cannot answer this attack: {held}.")
        if report.rules.illustrative:
            lines.append(report.rules.illustrative)
        if self.details:
            lines.append(
                f"{report.nodes:,} nodes, {report.infosets:,} infosets, {report.time_s:.1f} s; rules"
                f" {report.rules.sha256[:16]}, version {report.version}."
            )
        return lines


def _amount(report: ResponseReport, value: float) -> str:
    """A value in its unit; what surely ends the match is no amount."""
    if abs(value) > report.win_counts - 1e-9:
        return "the match is won" if value > 0 else "the match is lost"
    return f"{value:+.3f}" if abs(value) >= 0.0005 else "0"


def _advice(report: ResponseReport) -> str:
    share = 100 * report.attacks
    gain = report.attack_value - report.otherwise
    if abs(gain) < 1e-6 and report.value - report.otherwise < 1e-6:
        return "no difference"
    if share >= 100:
        return f"yes, {gain:.3f} better than {report.best_other}"
    if share <= 0:
        return f"no, {-gain:.3f} worse than {report.best_other}"
    return f"in {chance(share / 100, 0)} of hands"


def _threshold(wrong_from: float | None) -> str:
    if wrong_from is None:
        return "never"
    if wrong_from == 0:
        return "always"
    return "any chance" if wrong_from < _ANY else chance(wrong_from, 0)


def _shares(decision: DecisionReport) -> tuple[str, str]:
    """How often play comes to a decision, and the mix."""
    mix = [action if share >= 1 else f"{action} {chance(share, 0)}" for action, share in decision.mix.items()]
    return percent(decision.reach, 1), ", ".join(mix)
