"""How an attack with hidden replies looks."""

from __future__ import annotations

from analysis.amounts import chance
from analysis.warage.queue_sweep import SweepReport
from analysis.warage.reports import QueueReport, ReplyRow
from cli.grid import Section
from cli.warage.views.common import card_set_note, named, wrapped

_ROWS = 4


def _worth(report: QueueReport, value: float) -> str:
    """An end's worth: beside the standing before the attack, where it is in HP."""
    return chance(value) if report.before is None else f"{value - report.before:+.3f} HP for the attacker"


def pool_line(report: QueueReport | SweepReport, who: int) -> str:
    """What a player may hold."""
    pool = report.pools[who].items()
    cards = ", ".join(name if copies == 1 else f"{name} {copies}" for name, copies in pool)
    number = report.hidden[who]
    held = f"{number} hidden card{'' if number == 1 else 's'}"
    return f"{('attacker', 'defender')[who]}: {held} of {cards}"


def _moves(row: ReplyRow) -> str:
    return ", ".join(f"{move} {chance(share, 0)}" if share < 1 else move for move, share in row.moves.items())


@named
def sections(report: QueueReport) -> list[Section]:
    """Return the tables."""
    lines = [
        *wrapped(f"{report.attacker}, {report.hp[0]} HP: {report.attack}"),
        *wrapped(f"  on {report.defender}, {report.hp[1]} HP, in {report.season}", "    "),
    ]
    lines += [line for who in (0, 1) for line in wrapped(pool_line(report, who), "    ")]
    gained = report.value - report.open_value
    what = "all this is worth" if report.value_in == "hp" else "the attacker wins"
    values = [
        ["the attack takes", f"{report.taken:.3f} HP"],
        ["it kills", chance(report.kill)],
        ["replies cost", f"the attacker {report.paid[0]:.3f} HP, the defender {report.paid[1]:.3f} HP"],
        [what, _worth(report, report.value)],
        ["if hands lay open", f"{_worth(report, report.open_value)} (hiding: {gained:+.4f})"],
    ]
    rows = [
        [
            row.player,
            "+".join(row.hand),
            ", ".join(row.queue[1:]) or "-",
            chance(row.reach, 1),
            _moves(row),
        ]
        for row in report.decisions[:_ROWS]
    ]
    more = f", {len(rows)} of {len(report.decisions)}; all: --format json" if report.decisions[_ROWS:] else ""
    parts = [Section("", lines=lines), Section("", ("", ""), values, left=2)]
    if not rows:
        return parts
    return [
        *parts,
        Section(
            f"Where play comes to{more}",
            ("who", "hand", "replies", "reached", "does"),
            [[cell[:26] for cell in row] for row in rows],
            left=5,
        ),
    ]


@named
def notes(report: QueueReport) -> list[str]:
    """Return what has to be said beside the tables."""
    unit = "HP" if report.value_in == "hp" else "of the chance"
    made = (
        f"; {report.kill_hp} HP count for a kill, {report.card_hp} for a reply kept"
        if report.value_in == "hp"
        else ""
    )
    return [
        f"The pools are of no deck{made}.",
        f"{report.mixed} of {report.reached} decisions that are reached are mixed; to make the likelier move"
        f" always may cost the attacker {report.pure_loses[0]:.4f}, the defender {report.pure_loses[1]:.4f}"
        f" {unit}.",
        f"Exact: {report.nodes:,} nodes, {report.infosets:,} infosets, NashConv {report.nash_conv:.1e},"
        f" {report.time_s:.1f} s.",
        card_set_note(report.card_set),
    ]


def csv_rows(report: QueueReport) -> list[dict[str, object]]:
    """Return its rows as CSV has them."""
    return [
        {
            "card_set": report.card_set.sha256,
            "player": row.player,
            "hand": " ".join(row.hand),
            "queue": " ".join(row.queue),
            "reach": row.reach,
            "move": move,
            "chance": share,
        }
        for row in report.decisions
        for move, share in row.moves.items()
    ]
