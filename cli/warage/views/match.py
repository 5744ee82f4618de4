"""How sampled duels look."""

from __future__ import annotations

from analysis.amounts import chance
from analysis.symmetry import BY_DESIGN, WHY
from analysis.warage.reports import BalanceReport, MatchReport
from cli.grid import Section, Shown
from cli.warage.views.common import card_set_note, named, wrapped

_NOT_OPTIMAL = (
    "Sampled, for these players: no equilibrium, and nothing that a better player could not change."
)


def _settings(settings: dict[str, int]) -> str:
    return ", ".join(f"{key} {value}" for key, value in settings.items())


@named
def _match_sections(report: MatchReport) -> list[Section]:
    lines = []
    for name, player in zip("AB", report.players, strict=True):
        settings = f" ({_settings(player.settings)})" if player.settings else ""
        lines += wrapped(f"{name}  {player.deck}, {player.player}{settings}", "   ")
    rows = [
        ["A wins", f"{chance(report.win)}{_bounds(report)}"],
        *(
            [f"  moving {place}", f"{chance(share)} ±{100 * width:.2f}"]
            for place, share, width in zip(
                ("first", "second"), report.by_seat, report.by_seat_width, strict=True
            )
        ),
        ["draws", chance(report.draws)],
    ]
    if report.turns is not None:
        turns = f"{report.turns:.1f} on average; 90 % are over after {report.ninetieth}"
        rows.append(["turns", turns])
    if report.by_season:
        shares = ", ".join(f"{season} {100 * share:.1f}" for season, share in report.by_season.items())
        rows.append(["began in", shares])
    return [Section("", lines=lines), Section("", ("", ""), rows, left=2)]


def _bounds(report: MatchReport) -> str:
    """What stands beside a share: its interval, or why it has none."""
    if report.by_design:
        return f" {BY_DESIGN}"
    if report.low is None or report.high is None:
        return ""
    return f", 95 %: {100 * report.low:.2f} to {chance(report.high)}"


@named
def _match_notes(report: MatchReport) -> list[str]:
    stopped = "" if report.complete else "Stopped: this is what was finished. "
    pace = report.duels_per_s
    speed = f"{pace:,.0f} a second" if pace >= 1.0 else f"{1.0 / max(pace, 1e-9):,.1f} s a duel"
    return [
        f"{stopped}Every deal is played twice, with either deck first: {report.duels:,} duels, seed"
        f" {report.seed}, {speed}.",
        *([WHY] if report.by_design else []),
        _NOT_OPTIMAL,
        card_set_note(report.card_set),
    ]


def _match_rows(report: MatchReport) -> list[dict[str, object]]:
    return [
        {
            "card_set": report.card_set.sha256,
            "assumed": report.card_set.assumed,
            "deck": report.players[0].deck,
            "against": report.players[1].deck,
            "duels": report.duels,
            "seed": report.seed,
            "win": report.win,
            "low": report.low,
            "high": report.high,
            "first": report.by_seat[0],
            "second": report.by_seat[1],
            "seat_width": report.by_seat_width[0],
            "draws": report.draws,
            "turns": report.turns,
        }
    ]


@named
def _balance_sections(report: BalanceReport) -> list[Section]:
    shares = {(cell.deck, cell.against): cell.win for cell in report.cells}
    rows = []
    for deck in report.decks:
        row = [deck]
        for other in report.decks:
            share = shares.get((deck, other))
            if share is None and (other, deck) in shares:
                share = 1 - shares[other, deck]
            row.append("-" if share is None else f"{100 * share:.1f}")
        rows.append([*row, f"{100 * report.mean[deck]:.1f}" if deck in report.mean else "-"])
    numbers = [str(place + 1) for place in range(len(report.decks))]
    for place, row in enumerate(rows):
        row[0] = f"{place + 1} {row[0]}"
    parts = [Section("A row beats a column, in per cent", ("", *numbers, "mean"), rows)]
    seasons = list(dict.fromkeys(season for each in report.by_season.values() for season in each))
    own = {cell.deck: cell for cell in report.cells if cell.deck == cell.against}
    more = []
    for deck in report.decks:
        means = report.by_season.get(deck, {})
        cells = [f"{100 * means[season]:.1f}" if season in means else "-" for season in seasons]
        cell = own.get(deck)
        first = "-" if cell is None else f"{100 * cell.by_seat[0]:.1f}"
        turns = "-" if cell is None or cell.turns is None else f"{cell.turns:.1f}"
        more.append([deck, *cells, first, turns])
    title = "Mean by the season at the beginning; first seat and turns against itself"
    parts.append(Section(title, ("", *seasons, "first", "turns"), more))
    return parts


@named
def _balance_notes(report: BalanceReport) -> list[str]:
    stopped = "" if report.complete else "Stopped: this is what was finished. "
    widths = [
        (cell.high - cell.low) / 2 for cell in report.cells if cell.low is not None and cell.high is not None
    ]
    widest = max(widths, default=0.0)
    seats = max((cell.by_seat_width[0] for cell in report.cells), default=0.0)
    return [
        f"{stopped}Every deal is played twice, with either deck first: {report.duels:,} duels a pair, seed"
        f" {report.seed}; ±{100 * widest:.1f} points with 95 %, ±{100 * seats:.1f} in the first seat;"
        f" {report.time_s:.1f} s. Against itself a deck wins half by design.",
        f"Players: {report.player} ({_settings(report.settings)}).",
        _NOT_OPTIMAL,
        card_set_note(report.card_set),
    ]


def _balance_rows(report: BalanceReport) -> list[dict[str, object]]:
    return [
        {
            "card_set": report.card_set.sha256,
            "deck": cell.deck,
            "against": cell.against,
            "duels": report.duels,
            "win": cell.win,
            "low": cell.low,
            "high": cell.high,
            "first": cell.by_seat[0],
            "second": cell.by_seat[1],
            "turns": cell.turns,
        }
        for cell in report.cells
    ]


MATCH = Shown(_match_rows, _match_sections, _match_notes)
BALANCE = Shown(_balance_rows, _balance_sections, _balance_notes)
