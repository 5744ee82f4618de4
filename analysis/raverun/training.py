"""Learning by self-play what positions of the full game are worth, and measuring what was learned."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from analysis.errors import RequestError
from analysis.estimates import CONFIDENCE
from analysis.front.question import Answer
from analysis.interrupt import Interrupt
from analysis.raverun.approximate_answers import BoundReport, MatchReport
from analysis.raverun.budget import Budget, SeatByTurn

if TYPE_CHECKING:
    from engine.raverun.rules import Rules
    from engine.raverun.sampling import SamplingTables
    from solver.sampling.policy import CompiledPolicy
    from solver.sampling.value_network import ValueNetwork
    from solver.sampling.value_training import ValueTrainingResult

DEFAULT_TIME_LIMIT_S = 600.0
NUM_HIDDEN, FEW_HIDDEN = {2: 256}, 64
"""Units of the network for so many players, and for others; measured for two only."""
TRAINING_SHARE = 0.8
"""Of the time; the rest is for measuring."""
RESPONSE_ITERATIONS, RESPONSE_DEALS = (100, 300), 100
"""Of searches that respond to the player one move ahead, a measurement for each; and deals in each seat."""
_PLAIN_INTERVAL_S = 10.0


class ValuesAnswer(Answer, frozen=True, kw_only=True):
    """What a training came to, measured without search: each decision looks one move ahead.

    Attributes
    ----------
    plays, positions, seconds : of self-play; positions are corrections of the network.
    num_features, num_hidden : size of the network.
    completed : False after an interrupt: then the last steps were still large.
    matches : of the player one move ahead, every deal once per seat.
    bounds : what responses by search win from it, by the iterations of each search; none with three players
        or after an interrupt.
    said : what has to be known of the file of values.
    """

    schema: int = 2
    players: int
    method: str
    plays: int
    positions: int
    seconds: float
    num_features: int
    num_hidden: int
    seed: int
    completed: bool
    confidence: float
    matches: list[MatchReport]
    bounds: list[BoundReport]
    said: str = ""


@dataclass(frozen=True)
class Course:
    """How long to train.

    Attributes
    ----------
    time_limit_s, plays : one of them is given; the time is for training and measuring together.
    response_iterations : of each search that responds to what was learned, one measurement for each.
    response_deals : of each measurement, in each seat.
    """

    time_limit_s: float | None
    plays: int | None
    seed: int
    response_iterations: tuple[int, ...] = RESPONSE_ITERATIONS
    response_deals: int = RESPONSE_DEALS

    @property
    def training_s(self) -> float | None:
        """The time for training alone."""
        return None if self.time_limit_s is None else self.time_limit_s * TRAINING_SHARE


def train_and_measure(
    rules: Rules,
    num_players: int,
    course: Course,
    deals: int,
    values: Path,
    interrupt: Interrupt,
    note: Callable[[str], None],
    *,
    resume: bool = False,
) -> ValuesAnswer:
    """Train, keep what was learned at `values`, and measure it, after an interrupt by a tenth of the deals.

    Parameters
    ----------
    deals : of each match.
    note : takes a line about progress.
    resume : go on with the training at `values`, which was interrupted; its seed counts then.

    Raises
    ------
    RequestError
        If there is none.
    NotKeptError
        If what was learned can be written nowhere.
    """
    from analysis.raverun.policies import full_game, save_training, training_of, values_at

    game = full_game(rules, num_players)
    earlier = None
    if resume:
        earlier = training_of(values_at(values, rules, num_players, "FILE"))
        if earlier.completed:
            raise RequestError(f"the training at {values} is finished: nothing is left of it", "--resume")
    result = learn(game, course.seed, course.training_s, course.plays, interrupt, note, earlier)
    elsewhere = save_training(values, result, rules, num_players)
    said = elsewhere or ""
    if elsewhere is None and not result.completed:
        said = f"The values at {values} are unfinished: they can be used, and gone on with (--resume)."
    left = None if course.time_limit_s is None else course.time_limit_s * (1.0 - TRAINING_SHARE)
    found = _measured(rules, game, result, deals, course, Budget(left), interrupt, note)
    return msgspec.structs.replace(found, said=said)


def learn(
    game: SamplingTables,
    seed: int,
    seconds: float | None,
    plays: int | None,
    interrupt: Interrupt,
    note: Callable[[str], None],
    earlier: ValueTrainingResult | None = None,
) -> ValueTrainingResult:
    """Learn for so many seconds or plays, or until an interrupt; `earlier` is what to go on with."""
    from solver.sampling import value_training

    next_note = time.monotonic() + _PLAIN_INTERVAL_S

    def watch(done: int, spent: float) -> bool:
        nonlocal next_note
        if time.monotonic() >= next_note:
            next_note = time.monotonic() + _PLAIN_INTERVAL_S
            limit = f"{spent:.0f} s of {seconds:.0f}" if seconds is not None else f"of {plays}, {spent:.0f} s"
            note(f"training: play {done}, {limit}")
        return interrupt.requested

    hidden = NUM_HIDDEN.get(game.num_players, FEW_HIDDEN)
    note("training (compiling first, the first time)")
    return value_training.train_values(
        game,
        # A win is worth 1; what a loss is worth depends on the number of players (A2).
        (-1.0 / (game.num_players - 1), 1.0),
        None if earlier else value_training.ValueTrainingSettings(num_hidden=hidden, seed=seed),
        plays=plays,
        seconds=seconds,
        progress=watch,
        earlier=earlier,
    )


def shipped_values(rules: Rules, num_players: int) -> Path | None:
    """Return the file of values that comes with the package for these rules, None if there is none."""
    import results
    from analysis.learned_values import carried
    from analysis.raverun.policies import FACTS

    path = Path(results.__file__).parent / "raverun" / f"values-{num_players}.npz"
    return None if carried(path, FACTS, rules.sha256) is None else path


def shipped_report(values: Path) -> ValuesAnswer | None:
    """Return how the values of a shipped file were learned and measured, None if that is missing."""
    try:
        return msgspec.json.decode(values.with_suffix(".json").read_bytes(), type=ValuesAnswer)
    except (OSError, msgspec.MsgspecError):
        return None


def _measured(
    rules: Rules,
    game: SamplingTables,
    result: ValueTrainingResult,
    deals: int,
    course: Course,
    budget: Budget,
    interrupt: Interrupt,
    note: Callable[[str], None],
) -> ValuesAnswer:
    """Play the matches of the player one move ahead, and respond to it."""
    from analysis.raverun.policies import TEMPERATURE, opponent
    from analysis.raverun.statistics import match_report
    from solver.sampling.head_to_head import play_matches
    from solver.sampling.information_set_search import SearchSettings
    from solver.sampling.value_policy import network_policy

    note("measuring")
    seed = result.seed
    enough = interrupt.leaves if interrupt.requested else interrupt
    player = network_policy(game, result.network, TEMPERATURE)
    unused = SearchSettings(iterations=1)
    deals = deals if not interrupt.requested else max(2, deals // 10)
    bounded = game.num_players == 2 and not interrupt.requested
    matches = []
    for left, name in ((4, "random"), (3, "greedy")):
        # Each match and each seat's response has a quarter of the time.
        part = budget.part(left if bounded else left - 2)
        matches.append(
            match_report(
                play_matches(
                    game,
                    player,
                    opponent(name, rules, game.num_players, unused),
                    num_deals=deals,
                    seed=seed + 1,
                    progress=lambda done, part=part: done > 1 and (enough() or part.over()),  # type: ignore[misc]
                )
            )
        )
    bounds = []
    if bounded:
        for left, iterations in enumerate(course.response_iterations):
            note(f"responding by search, {iterations} iterations a move")
            part = budget.part(len(course.response_iterations) - left)
            found = _bound(
                game, result.network, player, iterations, course.response_deals, seed + 2, part, interrupt
            )
            bounds += [] if found is None else [found]
    inputs = result.network.inputs
    return ValuesAnswer(
        players=game.num_players,
        method="values learned by self-play, TD(lambda) on a network with one hidden layer",
        plays=result.plays,
        positions=result.positions,
        seconds=result.seconds,
        num_features=inputs.shape[0],
        num_hidden=inputs.shape[1],
        seed=seed,
        completed=result.completed,
        confidence=CONFIDENCE,
        matches=matches,
        bounds=bounds,
        complete=not interrupt.requested,
    )


def _bound(
    game: SamplingTables,
    network: ValueNetwork,
    player: CompiledPolicy,
    iterations: int,
    deals: int,
    seed: int,
    budget: Budget,
    interrupt: Interrupt,
) -> BoundReport | None:
    """Let searches that know how the player plays respond to it; None if an interrupt came first."""
    from analysis.raverun.policies import GUIDED_EXPLORATION, TEMPERATURE
    from analysis.raverun.statistics import bound_report
    from solver.sampling.guided_search import Guidance, GuidedSearch
    from solver.sampling.information_set_search import SearchSettings
    from solver.sampling.responses import measure_responses

    settings = SearchSettings(iterations=iterations, exploration=GUIDED_EXPLORATION, frozen=True)
    search = GuidedSearch(game, network, settings, Guidance(temperature=TEMPERATURE))
    begin = time.perf_counter()
    found = measure_responses(
        game,
        player,
        [search] * game.num_players,
        num_deals=deals,
        seed=seed,
        confidence=CONFIDENCE,
        progress=SeatByTurn(budget, game.num_players, interrupt),
    )
    if interrupt.requested:
        return None
    spent = time.perf_counter() - begin
    return bound_report(found, ["search"] * game.num_players, spent, iterations)
