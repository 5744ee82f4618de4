"""How decks look."""

from __future__ import annotations

from analysis.amounts import chance
from analysis.warage.deck_reports import DeckReport, TuneReport, ValueReport
from cli.grid import Section, Shown
from cli.warage.views.common import card_set_note, named

_BY_RULES = "For these players: no equilibrium; another way to play wants other cards."


def _points(value: float, width: float) -> str:
    return f"{100 * value:+.2f} ±{100 * width:.2f}"


def _settings(report: ValueReport | TuneReport) -> str:
    settings = ", ".join(f"{key} {value}" for key, value in report.settings.items())
    return f"Players: {report.player} ({settings}); against {', '.join(report.against)}."


@named
def _check_sections(report: DeckReport) -> list[Section]:
    kinds = ", ".join(f"{kind} {count}" for kind, count in report.kinds.items())
    facts = [
        (report.deck, f"{report.hero}, {report.size} cards: {kinds}"),
        ("costs", f"{report.cost} HP in all, {report.mean_cost:.1f} a card"),
        (
            "slots",
            f"{report.slots[0]} red and {report.slots[1]} blue; all cards together need"
            f" {report.needs[0]} and {report.needs[1]}",
        ),
        ("HP", "no bound" if report.most_hp is None else f"never more than {report.most_hp} in a duel"),
    ]
    rows = [
        [
            row.card,
            row.kind,
            str(row.copies),
            f"{row.cost}/{row.sell}" if row.sell else str(row.cost),
            f"{row.red}r" if row.red else f"{row.blue}b" if row.blue else "-",
            row.problem,
        ]
        for row in report.rows
    ]
    head = ("card", "kind", "copies", "cost/sell", "slots", "")
    return [Section("", facts=facts), Section("", head, rows, left=(0, 1, 5))]


@named
def _check_notes(report: DeckReport) -> list[str]:
    said = []
    if report.useless:
        said.append(f"{report.useless} cards are of no use to this hero.")
    return [*said, card_set_note(report.card_set)]


def _check_rows(report: DeckReport) -> list[dict[str, object]]:
    return [
        {
            "deck": report.deck,
            "card": row.card,
            "kind": row.kind,
            "copies": row.copies,
            "cost": row.cost,
            "sell": row.sell,
            "red": row.red,
            "blue": row.blue,
            "problem": row.problem,
        }
        for row in report.rows
    ]


@named
def _value_sections(report: ValueReport) -> list[Section]:
    rows = [[row.card, str(row.copies), str(row.cost), _points(row.worth, row.width)] for row in report.rows]
    title = f"What one copy adds, in points of the share of {report.deck} ({chance(report.win)})"
    return [Section(title, ("card", "copies", "cost", "worth"), rows)]


@named
def _value_notes(report: ValueReport) -> list[str]:
    stopped = "" if report.complete else "Stopped: this is what was finished. "
    return [
        f"{stopped}One copy is taken out for a blank, which comes by the same random numbers;"
        f" {report.duels:,} duels each, seed {report.seed}, intervals of 95 %; {report.time_s:.1f} s.",
        _settings(report),
        _BY_RULES,
        card_set_note(report.card_set),
    ]


def _value_rows(report: ValueReport) -> list[dict[str, object]]:
    return [
        {
            "card_set": report.card_set.sha256,
            "deck": report.deck,
            "card": row.card,
            "copies": row.copies,
            "cost": row.cost,
            "worth": row.worth,
            "width": row.width,
        }
        for row in report.rows
    ]


@named
def _tune_sections(report: TuneReport) -> list[Section]:
    facts = [
        (report.deck, f"wins {chance(report.before)}; afterwards {chance(report.after)}"),
        ("gain", f"{_points(report.gain, report.width)} points, on duels that no swap was chosen by"),
    ]
    rows = [[row.out, row.into, _points(row.gain, row.width)] for row in report.swaps]
    parts = [Section("", facts=facts)]
    if rows:
        parts.append(Section("Swaps", ("out", "in", "when tried"), rows, left=2))
        parts.append(Section("The deck now", facts=[("", ", ".join(report.cards))]))
    return parts


@named
def _tune_notes(report: TuneReport) -> list[str]:
    ends = "No further swap is better beyond chance." if report.finished else "More swaps might follow."
    return [
        f"{ends} {report.duels:,} duels with every pair of the last choice, seed {report.seed};"
        f" {report.time_s:.1f} s.",
        _settings(report),
        _BY_RULES,
        card_set_note(report.card_set),
    ]


def _tune_rows(report: TuneReport) -> list[dict[str, object]]:
    return [
        {"deck": report.deck, "out": row.out, "in": row.into, "gain": row.gain, "width": row.width}
        for row in report.swaps
    ]


CHECK = Shown(_check_rows, _check_sections, _check_notes)
VALUE = Shown(_value_rows, _value_sections, _value_notes)
TUNE = Shown(_tune_rows, _tune_sections, _tune_notes)
