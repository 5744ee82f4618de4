"""Everybody against everybody: decks, or every race with every class, by season too."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement
from pathlib import Path

from analysis.interrupt import Interrupt
from analysis.payoff_matrices import PayoffMatrix
from analysis.timing import Stopwatch
from analysis.warage.learned import check_learned, settings_of
from analysis.warage.matches import Tally, tallies, tasks_of, with_race
from analysis.warage.players import Player
from analysis.warage.race import Note
from analysis.warage.reports import SCHEMA_NUMBER, BalanceReport, CellReport, card_set
from engine.warage.reference import hero_of
from engine.warage.reference_state import HeroSetup
from engine.warage.rules import Rules


@dataclass(frozen=True)
class Balance:
    """Who is compared: names with their heroes, all played alike."""

    rules: Rules
    heroes: Mapping[str, HeroSetup]
    player: Player
    duels: int
    seed: int = 0


def of_decks(rules: Rules, decks: Sequence[str]) -> dict[str, HeroSetup]:
    """Return who plays decks, by their names."""
    return {deck: hero_of(rules, rules.deck(deck)) for deck in decks}


def of_heroes(rules: Rules, decks: Sequence[str]) -> dict[str, HeroSetup]:
    """Return every race with the first of these decks of each class, as `orc/warrior`."""
    own: dict[str, HeroSetup] = {}
    for deck in decks:
        own.setdefault(rules.deck(deck).hero_class, hero_of(rules, rules.deck(deck)))
    classes = [each.id for each in rules.classes if each.id in own]
    races = [race.id for race in rules.races]
    return {f"{race}/{name}": with_race(rules, own[name], race) for race in races for name in classes}


def balance_report(
    balance: Balance,
    *,
    jobs: int = 1,
    scheduler: str | None = None,
    interrupt: Interrupt | None = None,
    note: Note | None = None,
    keep: Path | None = None,
) -> BalanceReport:
    """Let everybody play everybody else, and himself; stopped, it has the pairs that are finished."""
    watch = Stopwatch()
    rules, names = balance.rules, list(balance.heroes)
    check_learned(balance.player, rules)
    pairs = list(combinations_with_replacement(names, 2))
    tasks = tasks_of(
        rules,
        [(balance.heroes[one], balance.heroes[other]) for one, other in pairs],
        (balance.player, balance.player),
        balance.duels,
        balance.seed,
    )
    found = tallies(
        tasks, len(pairs), jobs=jobs, scheduler=scheduler, interrupt=interrupt, note=note, keep=keep
    )
    whole = 2 * ((balance.duels + 1) // 2)
    finished = {pair: tally for pair, tally in zip(pairs, found, strict=True) if sum(tally.played) == whole}
    return BalanceReport(
        schema=SCHEMA_NUMBER,
        card_set=card_set(rules),
        method="sampled",
        player=balance.player.name,
        settings=settings_of(balance.player),
        decks=names,
        duels=whole,
        seed=balance.seed,
        cells=[_cell(balance, one, other, tally) for (one, other), tally in finished.items()],
        mean={name: share for name in names if (share := _mean(name, finished)) is not None},
        by_season={name: _by_season(rules, name, finished) for name in names},
        complete=len(finished) == len(pairs),
        time_s=watch.work_s,
        compile_s=watch.compile_s,
    )


def _cell(balance: Balance, one: str, other: str, tally: Tally) -> CellReport:
    heroes = balance.heroes[one], balance.heroes[other]
    exact = tally.by_design(heroes, (balance.player, balance.player))
    low, high = (None, None) if exact else tally.interval
    return CellReport(one, other, tally.share, low, high, tally.by_seat, tally.seat_widths, tally.mean_turns)


def share_matrix(report: BalanceReport) -> PayoffMatrix:
    """Return everybody's share of wins against everybody."""
    shares: dict[tuple[str, str], float] = {}
    for cell in report.cells:
        shares[cell.against, cell.deck] = 1 - cell.win
        shares[cell.deck, cell.against] = cell.win
    names = report.decks
    payoffs = [[shares.get((one, other)) for other in names] for one in names]
    return PayoffMatrix(f"Share of wins, played by {report.player}", ("row", "column"), names, names, payoffs)


def _mean(name: str, finished: Mapping[tuple[str, str], Tally]) -> float | None:
    """A hero's share on average over the others."""
    shares = [
        tally.share if name == one else 1 - tally.share
        for (one, other), tally in finished.items()
        if one != other and name in (one, other)
    ]
    return sum(shares) / len(shares) if shares else None


def _by_season(rules: Rules, name: str, finished: Mapping[tuple[str, str], Tally]) -> dict[str, float]:
    """The same by the base season at the beginning."""
    shares: dict[str, list[float]] = {}
    for (one, other), tally in finished.items():
        if one != other and name in (one, other):
            for season, share in tally.by_season(rules).items():
                shares.setdefault(season, []).append(share if name == one else 1 - share)
    return {season: sum(each) / len(each) for season, each in shares.items()}
