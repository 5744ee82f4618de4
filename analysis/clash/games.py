"""Whole games played in numbers: by processes or a cluster, kept as they are finished."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from analysis import estimates, workers
from analysis.clash.game_reports import Share
from analysis.clash.maps import Tiles, check_tiles, tiles_of_deal
from analysis.clash.scenario import digest
from analysis.errors import RequestError
from analysis.interrupt import Interrupt
from analysis.kept_tasks import KeptTasks
from analysis.workers import Work
from engine.clash.board import Scenario, scenario
from engine.clash.rules import Rules

KEPT = 3
"""Part of the header of files of games: raised when they change their meaning."""
Note = Callable[[str, int, int], None]


@dataclass(frozen=True)
class Terms:
    """What all games of a question have in common.

    Attributes
    ----------
    seed : of set-ups and chance.
    budget : playouts or, if the second is there, seconds for each decision of searching players.
    habits : what differs from the usual ones.
    tiles : of all games; by chance for each deal if they are None.
    """

    rules: Rules
    seed: int = 0
    budget: tuple[int, float | None] = (400, None)
    habits: Mapping[str, float] = field(default_factory=dict)
    tiles: Tiles = None

    def budget_text(self, players: Sequence[str]) -> str:
        """Return what a search may spend on a decision, in words."""
        if "search" not in players:
            return "-"
        return f"{self.budget[0]} playouts" if self.budget[1] is None else f"{self.budget[1]:g} s"


@dataclass(frozen=True)
class Running:
    """Where games are played, and who is told.

    Attributes
    ----------
    keep : file in which every deal is kept once it is played, and from which earlier ones are taken.
    note : told how many deals are played, and of how many.
    """

    interrupt: Interrupt
    jobs: int = 1
    scheduler: str | None = None
    keep: Path | None = None
    note: Note = lambda phase, done, total: None


@dataclass(frozen=True)
class GameTask:
    """Games from one deal: each player in each seat once.

    Attributes
    ----------
    number : of the task.
    players : names, in the order of the match.
    deal : with the seed it says what chance does.
    """

    number: int
    terms: Terms
    scenario: Scenario
    players: tuple[str, ...]
    deal: int

    @property
    def chance(self) -> int:
        """The seed of chance."""
        return random.Random(f"{self.terms.seed}/{self.deal}").getrandbits(62)

    @property
    def key(self) -> str:
        """What tells these games from others on the same terms."""
        where = self.scenario
        parts = (*where.clans, *where.tiles, where.difficulty or "", "long" if where.long_game else "")
        return "/".join(filter(None, (str(self.deal), *parts)))


@dataclass(frozen=True)
class Played:
    """What became of a task.

    Attributes
    ----------
    scores : by rotation, of each player in the order of the match: 1 for a win, shared in a draw.
    rounds : of each game.
    error : why it failed, or empty; `stopped` if it was not begun, or not finished.
    """

    number: int
    scores: list[list[float]] = field(default_factory=list)
    rounds: list[int] = field(default_factory=list)
    error: str = ""
    stopped: bool = False


_tables: dict[str, Any] = {}


def play(task: GameTask, stop: Callable[[], bool] | None = None) -> Played:
    """Play the games of a task; runs in a worker. Whatever goes wrong is handed back, not raised."""
    try:
        return _play(task, stop)
    except Exception as error:
        return Played(task.number, error=f"{type(error).__name__}: {error}")


def _play(task: GameTask, stop: Callable[[], bool] | None) -> Played:
    from analysis.clash.outcomes import OutcomeTables
    from analysis.clash.players import habits_of
    from analysis.clash.searching import Budget, player_named
    from analysis.clash.whole_game import WholeGame

    # Tables are what games of one process share.
    terms = task.terms
    tables = _tables.setdefault(terms.rules.sha256, OutcomeTables(terms.rules))
    size, budget = len(task.players), Budget(*terms.budget)
    habits = habits_of(terms.habits) if terms.habits else None
    scores, rounds = [], []
    for rotation in range(size):
        seed = task.chance
        # What players draw depends on the deal and the seat alone: who plays himself plays one game twice.
        seated = [
            player_named(task.players[(seat + rotation) % size], budget, seed + 1 + seat, habits)
            for seat in range(size)
        ]
        game = WholeGame(terms.rules, task.scenario, tables, seed)
        while not game.over:
            if stop is not None and stop():
                return Played(task.number, stopped=True)
            game.make(seated[game.decider].choose(game))
        nobody = 0.0 if size == 1 else 1.0 / size
        won = [nobody] * size if game.winner < 0 else [0.0] * size
        if game.winner >= 0:
            won[(game.winner + rotation) % size] = 1.0
        scores.append(won)
        rounds.append(game.round)
    return Played(task.number, scores, rounds)


def _stopped(task: GameTask) -> Played:
    return Played(task.number, stopped=True)


def _failed(task: GameTask, why: str) -> Played:
    return Played(task.number, error=why)


WORK = Work(play, _stopped, _failed)
_TERMS = "rules, players, effort, habits, seed"


def play_all(tasks: Sequence[GameTask], running: Running) -> dict[int, Played]:
    """Play tasks, by their numbers; after an interrupt, those that there was time for.

    Raises
    ------
    RequestError
        If the file of kept games holds others, or a game failed.
    analysis.workers.WorkersError, analysis.workers.WorkersLost
        For workers that cannot be used, or are gone.
    """
    terms, kept = tasks[0].terms, None
    if running.keep is not None:
        asked = [KEPT, terms.rules.sha256, tasks[0].players, terms.budget, dict(terms.habits), terms.seed]
        kept = KeptTasks(running.keep, "clash-games", digest(asked), _TERMS)
    before = kept.done if kept else {}
    done = {task.number: Played(task.number, *before[task.key]) for task in tasks if task.key in before}
    keys = {task.number: task.key for task in tasks}
    todo = [task for task in tasks if task.number not in done]
    running.note("deals", len(done), len(tasks))
    for played in workers.here_or_on_workers(WORK, todo, running.jobs, running.scheduler, running.interrupt):
        if played.error:
            raise RequestError(f"deal {played.number} failed: {played.error}")
        if not played.stopped:
            done[played.number] = played
            if kept is not None:
                kept.add(keys[played.number], played.scores, played.rounds)
            running.note("deals", len(done), len(tasks))
    return done


def tasks_of(
    terms: Terms,
    players: Sequence[str],
    deals: int,
    *,
    clans: Sequence[str] | None,
    difficulty: str | None = None,
    long_game: bool = False,
) -> list[GameTask]:
    """Return the deals of a match; where no clans are named, chance names some for each."""
    known = [clan.id for clan in terms.rules.clans]
    tasks = []
    for deal in range(deals):
        chosen = clans or random.Random(f"{terms.seed}/{deal}/clans").sample(known, len(players))
        tasks.append(
            task_of(terms, players, deal, deal, clans=chosen, difficulty=difficulty, long_game=long_game)
        )
    return tasks


def task_of(
    terms: Terms,
    players: Sequence[str],
    number: int,
    deal: int,
    *,
    clans: Sequence[str],
    difficulty: str | None = None,
    long_game: bool = False,
) -> GameTask:
    """Return the games of one deal, on the tiles that the terms or chance say."""
    check_tiles(terms.tiles, len(clans))
    tiles = tiles_of_deal(terms.rules, terms.tiles, len(clans), terms.seed, deal)
    try:
        where = scenario(terms.rules, clans, tiles=tiles, difficulty=difficulty, long_game=long_game)
    except ValueError as error:
        raise RequestError(str(error)) from None
    return GameTask(number, terms, where, tuple(players), deal)


def share_of(deals: Sequence[Sequence[float]]) -> Share:
    """Return the mean over games, and its interval over deals, each of which has some games."""
    games = sum(map(len, deals))
    if not games:
        return Share(None, None, None, 0, 0)
    among = len(deals)
    if among == games:
        found = estimates.share(sum(map(sum, deals)), games)
        return Share(found.mean, *((found.low, found.high) if among > 1 else (None, None)), games, among)
    points = [point for deal in deals for point in deal]
    numbers = [number for number, deal in enumerate(deals) for _ in deal]
    found = estimates.share_of(points, numbers)
    return Share(found.mean, found.low, found.high, games, among)
