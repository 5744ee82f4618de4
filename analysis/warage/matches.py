"""Heroes with their decks against each other: sampled duels of named players, with intervals."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from analysis import estimates, workers
from analysis.errors import RequestError
from analysis.interrupt import Interrupt
from analysis.kept_tasks import KeptTasks
from analysis.symmetry import exact_by_symmetry
from analysis.warage.learned import check_learned, settings_of
from analysis.warage.players import Player, policy_of
from analysis.warage.race import Note
from analysis.warage.reports import SCHEMA_NUMBER, MatchReport, PlayerReport, card_set
from analysis.workers import Work
from engine.randomness import mixed
from engine.warage.duels import matches
from engine.warage.kernel_rules import kernel_rules
from engine.warage.reference_state import HeroSetup, Setup
from engine.warage.rules import Rules

PART = 2_000
"""Deals of a task between players by rules: some tenths of a second."""
SEARCHED_PART = 1
LEARNED_PART = 50
"""Of players by learned values, each move of which is tried: a few tenths of a second as well."""
KEPT = 1
"""Part of the header of files of duels: raised when they change their meaning."""


@dataclass(frozen=True)
class Tally:
    """Duels of one pair, by the seat of the first: how many, and what he won; by season too.

    Attributes
    ----------
    seasons : of players by rules, duels and points by the base season at the beginning.
    turns : of players by rules, duels by the turn in which they ended.
    """

    played: tuple[int, int] = (0, 0)
    points: tuple[float, float] = (0.0, 0.0)
    draws: int = 0
    seasons: tuple[tuple[int, float], ...] = ()
    turns: tuple[int, ...] = ()

    def __add__(self, other: Tally) -> Tally:
        """Return both together."""
        return Tally(
            (self.played[0] + other.played[0], self.played[1] + other.played[1]),
            (self.points[0] + other.points[0], self.points[1] + other.points[1]),
            self.draws + other.draws,
            tuple((a + b, x + y) for (a, x), (b, y) in zip(self.seasons, other.seasons, strict=True))
            if self.seasons and other.seasons
            else self.seasons or other.seasons,
            tuple(map(sum, zip(self.turns, other.turns, strict=True)))
            if self.turns and other.turns
            else self.turns or other.turns,
        )

    @property
    def share(self) -> float:
        """The first one's share."""
        return sum(self.points) / max(sum(self.played), 1)

    @property
    def interval(self) -> tuple[float, float]:
        """What bounds it with 95 %; anything does without duels."""
        found = estimates.share(sum(self.points), sum(self.played))
        return (0.0, 1.0) if found.low is None or found.high is None else (found.low, found.high)

    @property
    def by_seat(self) -> list[float]:
        """Its share where it moves first, and second."""
        return [points / max(played, 1) for points, played in zip(self.points, self.played, strict=True)]

    @property
    def seat_widths(self) -> list[float]:
        """Halves of the intervals of those, which are of half as many duels."""
        return [
            estimates.share(points, played).width
            for points, played in zip(self.points, self.played, strict=True)
        ]

    def by_design(self, heroes: tuple[HeroSetup, HeroSetup], players: tuple[Player, Player]) -> bool:
        """Whether its share is one half whatever is sampled: one player with one deck plays itself."""
        sides = [(hero, player.key) for hero, player in zip(heroes, players, strict=True)]
        return exact_by_symmetry(sides, self.share if sum(self.played) else None, 0.5)

    def by_season(self, rules: Rules) -> dict[str, float]:
        """Its share by the base season at the beginning, as far as any was played."""
        names = [season.id for season in rules.seasons]
        return {
            name: points / number
            for name, (number, points) in zip(names, self.seasons, strict=False)
            if number
        }

    @property
    def mean_turns(self) -> float | None:
        """Turns on average, where they were counted."""
        if not self.turns:
            return None
        return sum(turn * count for turn, count in enumerate(self.turns)) / max(sum(self.turns), 1)

    def quantile(self, share: float) -> int | None:
        """The turn by which so many duels are over, where they were counted."""
        left = share * sum(self.turns)
        for turn, count in enumerate(self.turns):
            left -= count
            if left <= 0:
                return turn
        return None


@dataclass(frozen=True)
class DuelTask:
    """Some deals of a pair of heroes, each with either first.

    Attributes
    ----------
    number : of the task; `pair` which pair it belongs to.
    deals : how many, from number `first` on.
    """

    number: int
    pair: int
    rules: Rules
    heroes: tuple[HeroSetup, HeroSetup]
    players: tuple[Player, Player]
    first: int
    deals: int
    seed: int

    @property
    def key(self) -> str:
        """What tells these duels from others by the same players from the same seed."""
        heroes = sha256(repr(self.heroes).encode()).hexdigest()[:16]
        return f"{heroes}/{self.first}/{self.deals}"


@dataclass(frozen=True)
class PlayedTask:
    """What became of a task: `error` why it failed, `stopped` if it was not finished."""

    number: int
    pair: int
    tally: Tally = field(default_factory=Tally)
    error: str = ""
    stopped: bool = False


def play(task: DuelTask, stop: Callable[[], bool] | None = None) -> PlayedTask:
    """Play the duels of a task; runs in a worker. Whatever goes wrong is handed back, not raised."""
    if stop is not None and stop():
        return _stopped(task)
    try:
        return PlayedTask(task.number, task.pair, _by_seats(task))
    except Exception as error:
        return _failed(task, f"{type(error).__name__}: {error}")


def _stopped(task: DuelTask) -> PlayedTask:
    return PlayedTask(task.number, task.pair, stopped=True)


def _failed(task: DuelTask, why: str) -> PlayedTask:
    return PlayedTask(task.number, task.pair, error=why)


WORK = Work(play, _stopped, _failed)


def _by_seats(task: DuelTask) -> Tally:
    """Play every deal twice, with the same random numbers."""
    total = Tally()
    for seat in range(2):
        order = (0, 1) if seat == 0 else (1, 0)
        setup = Setup(task.rules, tuple(task.heroes[place] for place in order), (0, 1))
        seated = tuple(task.players[place] for place in order)
        by_rules = all(player.by_rules for player in seated)
        total += _by_rules(task, setup, seated, seat) if by_rules else _sampled(task, setup, seated, seat)
    return total


def _one_seat(seat: int, one: Any) -> tuple[Any, Any]:
    return (one, type(one)()) if seat == 0 else (type(one)(), one)


def _by_rules(task: DuelTask, setup: Setup, seated: Sequence[Player], seat: int) -> Tally:
    compiled = kernel_rules(task.rules, setup)
    styles = [player.style for player in seated]
    found = matches(compiled, styles, task.deals, task.seed, first=task.first)
    points = found.points(seat)
    size = len(task.rules.seasons)
    number = np.bincount(found.seasons, minlength=size)
    won = np.bincount(found.seasons, points, minlength=size)
    return Tally(
        _one_seat(seat, task.deals),
        _one_seat(seat, float(points.sum())),
        found.shared,
        tuple(zip(number.tolist(), won.tolist(), strict=True)),
        found.turns,
    )


def _sampled(task: DuelTask, setup: Setup, seated: Sequence[Player], seat: int) -> Tally:
    from engine.warage.sampling import sampling_tables
    from solver.sampling.head_to_head import play_matches

    styles = [player.style for player in task.players]
    learned = any(player.learned for player in task.players)
    game = sampling_tables(task.rules, setup, styles=styles, pauses=learned)
    own, opp = (policy_of(player, game, place) for place, player in enumerate(task.players))
    # Policies draw their numbers from a seed and the number of the deal, which begins at 0 in every task.
    seed = int(mixed(task.seed ^ int(mixed(task.first)))) & 2**62 - 1
    found = play_matches(game, own, opp, num_deals=task.deals, seed=seed, seats=(seat,))
    points = found.wins + found.draws / 2
    return Tally(_one_seat(seat, task.deals), _one_seat(seat, float(points)), found.draws)


def tasks_of(
    rules: Rules,
    pairs: Sequence[tuple[HeroSetup, HeroSetup]],
    players: tuple[Player, Player],
    duels: int,
    seed: int,
) -> list[DuelTask]:
    """Cut the duels of each pair into tasks; a deal is two duels."""
    part = SEARCHED_PART
    if all(player.by_rules for player in players):
        part = PART
    elif any(player.learned for player in players) and not any(player.searches for player in players):
        part = LEARNED_PART
    deals = (duels + 1) // 2
    tasks: list[DuelTask] = []
    for pair, heroes in enumerate(pairs):
        for first in range(0, deals, part):
            size = min(part, deals - first)
            tasks.append(DuelTask(len(tasks), pair, rules, heroes, players, first, size, seed))
    return tasks


def tallies(
    tasks: Sequence[DuelTask],
    num_pairs: int,
    *,
    jobs: int = 1,
    scheduler: str | None = None,
    interrupt: Interrupt | None = None,
    note: Note | None = None,
    keep: Path | None = None,
) -> list[Tally]:
    """Play tasks, and return what each pair came to, as far as it was played.

    Parameters
    ----------
    keep : file in which tasks are kept once they are played, and from which earlier ones are taken.

    Raises
    ------
    RequestError
        If that file holds other duels, or a task failed.
    """
    kept = None if keep is None else _kept(keep, tasks)
    done = {key: msgspec.convert(tally, Tally) for key, [tally] in kept.done.items()} if kept else {}
    earlier = {task.number: done[task.key] for task in tasks if task.key in done}
    todo = [task for task in tasks if task.number not in earlier]
    found = [Tally() for _ in range(num_pairs)]
    for number, tally in earlier.items():
        found[tasks[number].pair] += tally
    total = 2 * sum(task.deals for task in tasks)
    finished = sum(sum(tally.played) for tally in earlier.values())
    for played in workers.here_or_on_workers(WORK, todo, jobs, scheduler, interrupt or Interrupt()):
        if played.error:
            raise RequestError(f"duels failed: {played.error}")
        if played.stopped:
            continue
        found[played.pair] += played.tally
        if kept is not None:
            kept.add(tasks[played.number].key, msgspec.to_builtins(played.tally))
        finished += sum(played.tally.played)
        if note is not None:
            note("duels", finished, total)
    return found


def _kept(path: Path, tasks: Sequence[DuelTask]) -> KeptTasks:
    one = tasks[0]
    asked = [KEPT, one.rules.sha256, [player.key for player in one.players], one.seed]
    digest = sha256(json.dumps(asked).encode()).hexdigest()
    return KeptTasks(path, "warage-duels", digest, "rules, players, effort, seed")


def player_report(name: str, player: Player) -> PlayerReport:
    """Say who plays a deck."""
    return PlayerReport(name, player.name, settings_of(player))


@dataclass(frozen=True)
class Match:
    """Who plays whom.

    Attributes
    ----------
    names : of the decks.
    """

    rules: Rules
    names: tuple[str, str]
    heroes: tuple[HeroSetup, HeroSetup]
    players: tuple[Player, Player]
    duels: int
    seed: int = 0


def match_report(
    match: Match,
    *,
    jobs: int = 1,
    scheduler: str | None = None,
    interrupt: Interrupt | None = None,
    note: Note | None = None,
    keep: Path | None = None,
) -> MatchReport:
    """Let two decks play duels.

    Raises
    ------
    RequestError
        See `tallies`; and for learned values of other rules.
    """
    begin_s = time.perf_counter()
    for player, option in zip(match.players, ("--player", "--player-b"), strict=True):
        check_learned(player, match.rules, option)
    tasks = tasks_of(match.rules, [match.heroes], match.players, match.duels, match.seed)
    [found] = tallies(tasks, 1, jobs=jobs, scheduler=scheduler, interrupt=interrupt, note=note, keep=keep)
    exact = found.by_design(match.heroes, match.players)
    low, high = (None, None) if exact else found.interval
    played = sum(found.played)
    return MatchReport(
        schema=SCHEMA_NUMBER,
        card_set=card_set(match.rules),
        method="sampled",
        players=list(map(player_report, match.names, match.players)),
        duels=played,
        seed=match.seed,
        win=found.share,
        low=low,
        high=high,
        by_design=exact,
        by_seat=found.by_seat,
        by_seat_width=found.seat_widths,
        by_season=found.by_season(match.rules),
        draws=found.draws / max(played, 1),
        turns=found.mean_turns,
        ninetieth=found.quantile(0.9),
        duels_per_s=played / max(time.perf_counter() - begin_s, 1e-9),
        complete=played == 2 * ((match.duels + 1) // 2),
    )


def with_race(rules: Rules, hero: HeroSetup, race: str) -> HeroSetup:
    """Return a hero of another race with the same deck."""
    return hero._replace(race=[each.id for each in rules.races].index(race))


__all__ = ["Match", "Tally", "match_report", "tallies", "tasks_of", "with_race"]
