"""``raverun train``: learn by self-play what positions are worth, for the players guided and values."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from analysis.files import check_one_on_stdout, check_output
from analysis.interrupt import Interrupt
from analysis.raverun.approximate_answers import BoundReport, MatchReport
from analysis.raverun.estimates import CONFIDENCE, signed
from analysis.raverun.exact_answers import RulesReport, rules_report
from analysis.raverun.kept_files import LEAVING, NETWORK, STOPPING, check_place
from analysis.version import __version__
from cli.entry import command
from cli.output import to_json, write_output
from cli.parameters import duration
from engine.raverun.rules import RulesError, load_rules

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine.raverun.rules import Rules
    from engine.raverun.sampling import SamplingTables
    from solver.sampling.value_network import ValueNetwork
    from solver.sampling.value_training import ValueTrainingResult

DEFAULT_TIME_LIMIT_S = 600.0
_PLAIN_INTERVAL_S = 10.0


class ValuesReport(msgspec.Struct, frozen=True):
    """What a training came to, measured without search: each decision looks one move ahead.

    Attributes
    ----------
    plays, positions, seconds : of self-play; positions are corrections of the network.
    num_features, num_hidden : size of the network.
    completed : False after an interrupt: then the last steps were still large.
    matches : of the player one move ahead, every deal once per seat.
    bound : what responses by search win from him at least; None with three players or after an interrupt.
    """

    schema: int
    game: str
    version: str
    rules: RulesReport
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
    bound: BoundReport | None


def _to_text(report: ValuesReport) -> str:
    lines = [
        f"{report.plays} plays of {report.players} against themselves, {report.positions} positions,"
        f" {report.seconds:.0f} s" + ("" if report.completed else "; interrupted"),
        f"The player who looks one move ahead, without search (±: {report.confidence:.0%}):",
    ]
    for match in report.matches:
        lines.append(f"against {match.opponent:8} {signed(match.payoff)} a game")
    if report.bound is not None:
        lines.append(
            f"His NashConv is at least {report.bound.lower_bound:.3f} of 2: a search that knows how he"
            " plays wins that much."
        )
    return "\n".join(lines) + "\n"


@command("train", context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.argument("values", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--players", type=click.Choice(["2", "3"]), default="2", show_default=True)
@click.option("--force", is_flag=True, help="Write over whatever lies at VALUES.")
@click.option(
    "--time-limit", type=duration, metavar="TIME", help="Of training.  [default: 10m, unless --plays]"
)
@click.option("--plays", type=click.IntRange(min=1), help="Instead of a time: the same values every run.")
@click.option(
    "--deals", type=click.IntRange(min=2), default=2000, show_default=True, help="Deals a match has."
)
@click.option(
    "--rules", "rules_files", multiple=True, type=click.Path(path_type=Path, exists=True, dir_okay=False)
)
@click.option("--set", "overrides", multiple=True, metavar="KEY=VALUE")
@click.option("--seed", type=click.IntRange(min=0, max=2**62), default=0, show_default=True)
@click.option("--format", "form", type=click.Choice(["table", "json"]), default="table", show_default=True)
@click.option("--output", type=click.Path(path_type=Path), help="File for the report instead of stdout.")
@click.option("-q", "--quiet", is_flag=True, help="No progress.")
@click.pass_context
def train(
    ctx: click.Context,
    values: Path,
    players: str,
    force: bool,
    time_limit: float | None,
    plays: int | None,
    deals: int,
    rules_files: tuple[Path, ...],
    overrides: tuple[str, ...],
    seed: int,
    form: str,
    output: Path | None,
    quiet: bool,
) -> None:
    """Learn by self-play what positions are worth, and write it to the file VALUES.

    The strongest player there is, guided, searches by these values; give the file to raverun match or
    raverun play. No equilibrium is claimed. Interrupted, what was learned is kept and measured; what lies at
    VALUES is written over only if it is such a file for the same rules and players.

    \b
    Examples:
      raverun train values.npz
      raverun train values.npz --time-limit 1m
      raverun train three.npz --players 3 --plays 200000 --seed 4 --format json --output three.json
    """
    try:
        rules = load_rules(rules_files, overrides)
        rules.hand_size(int(players))
    except (RulesError, ValueError) as error:
        raise click.UsageError(str(error)) from None
    if plays is not None and time_limit is not None:
        raise click.UsageError("give --time-limit or --plays, not both: steps shrink towards the end")
    check_one_on_stdout(**{"VALUES": values, "the report": output})
    check_place(values, "VALUES", NETWORK, rules, int(players), force=force)
    if output is not None:
        check_output(output)

    def note(text: str) -> None:
        if not quiet:
            click.echo(text, err=True)

    seconds = None if plays is not None else time_limit or DEFAULT_TIME_LIMIT_S
    interrupt = Interrupt(STOPPING, LEAVING)
    with interrupt.installed():
        report = _train(rules, int(players), seconds, plays, seed, deals, values, interrupt, note)
    code = 130 if interrupt.requested else 0
    text = to_json(report) if form == "json" else _to_text(report)
    if not write_output(text, output):
        code = code or 1
    ctx.exit(code)


def _train(
    rules: Rules,
    num_players: int,
    seconds: float | None,
    plays: int | None,
    seed: int,
    deals: int,
    values: Path,
    interrupt: Interrupt,
    note: Callable[[str], None],
) -> ValuesReport:
    from analysis.raverun.policies import full_game, save_network
    from solver.sampling.value_training import ValueTrainingSettings, train_values

    game = full_game(rules, num_players, "view")
    next_note = time.monotonic() + _PLAIN_INTERVAL_S

    def watch(done: int, spent: float) -> bool:
        nonlocal next_note
        if time.monotonic() >= next_note:
            next_note = time.monotonic() + _PLAIN_INTERVAL_S
            limit = f"{spent:.0f} s of {seconds:.0f}" if seconds is not None else f"of {plays}, {spent:.0f} s"
            note(f"training: play {done}, {limit}")
        return interrupt.requested

    note("training (compiling first, the first time)")
    # A win is worth 1; what a loss is worth depends on the number of players (A2).
    payoff_range = (-1.0 / (num_players - 1), 1.0)
    result = train_values(
        game, payoff_range, ValueTrainingSettings(seed=seed), plays=plays, seconds=seconds, progress=watch
    )
    elsewhere = save_network(values, result.network, rules, num_players)
    if elsewhere is not None:
        click.echo(elsewhere, err=True)
    return _measured(rules, game, result, deals, interrupt, note)


def _measured(
    rules: Rules,
    game: SamplingTables,
    result: ValueTrainingResult,
    deals: int,
    interrupt: Interrupt,
    note: Callable[[str], None],
) -> ValuesReport:
    """Play the matches of the player one move ahead, and respond to him."""
    from analysis.raverun.approximate import match_report
    from analysis.raverun.policies import TEMPERATURE, opponent
    from solver.sampling.head_to_head import play_matches
    from solver.sampling.information_set_search import SearchSettings
    from solver.sampling.value_policy import ValuePolicy

    note("measuring")
    seed = result.seed
    enough = interrupt.leaves if interrupt.requested else interrupt
    player = ValuePolicy(game, result.network, TEMPERATURE)
    unused = SearchSettings(iterations=1)
    deals = deals if not interrupt.requested else max(2, deals // 10)
    matches = [
        match_report(
            play_matches(
                game,
                player,
                opponent(name, rules, game.num_players, unused),
                num_deals=deals,
                seed=seed + 1,
                progress=lambda done: done > 1 and enough(),
            )
        )
        for name in ("random", "greedy")
    ]
    bound = None
    if game.num_players == 2 and not interrupt.requested:
        bound = _bound(game, result.network, player, min(deals, RESPONSE_DEALS), seed + 2, interrupt)
    inputs = result.network.inputs
    return ValuesReport(
        schema=1,
        game="raverun",
        version=__version__,
        rules=rules_report(rules),
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
        bound=bound,
    )


RESPONSE_ITERATIONS, RESPONSE_DEALS = 300, 100
"""Of each search that responds to the player one move ahead, and deals in each seat."""


def _bound(
    game: SamplingTables,
    network: ValueNetwork,
    player: object,
    deals: int,
    seed: int,
    interrupt: Interrupt,
) -> BoundReport | None:
    """Let searches that know how he plays respond to him; None if an interrupt came first."""
    from analysis.raverun.approximate import bound_report
    from analysis.raverun.policies import GUIDED_EXPLORATION, TEMPERATURE
    from solver.sampling.guided_search import Guidance, GuidedSearch
    from solver.sampling.information_set_search import SearchSettings
    from solver.sampling.trained_response import measure_responses

    settings = SearchSettings(iterations=RESPONSE_ITERATIONS, exploration=GUIDED_EXPLORATION, frozen=True)
    search = GuidedSearch(game, network, settings, Guidance(temperature=TEMPERATURE))
    begin = time.perf_counter()
    found = measure_responses(
        game,
        player,  # type: ignore[arg-type]
        [search] * game.num_players,
        num_deals=deals,
        seed=seed,
        confidence=CONFIDENCE,
        progress=lambda done: done > 1 and interrupt.requested,
    )
    if interrupt.requested:
        return None
    spent = time.perf_counter() - begin
    return bound_report(found, ["search"] * game.num_players, spent, RESPONSE_ITERATIONS)
