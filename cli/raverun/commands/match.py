"""``raverun match``: kept strategies, search, greedy and random players against each other."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from analysis.files import check_output, write_atomically
from analysis.raverun.approximate_answers import MatchReport
from analysis.raverun.estimates import CONFIDENCE, signed
from analysis.raverun.exact_answers import RulesReport, rules_report
from analysis.version import __version__
from cli.entry import command
from cli.output import to_json, write_output
from cli.parameters import duration
from engine.raverun.rules import RulesError, load_rules

if TYPE_CHECKING:
    from engine.raverun.rules import Rules
    from solver.sampling.information_set_search import SearchSettings

PLAYERS = ("guided", "values", "trained", "search", "greedy", "random")
SEARCHING = ("guided", "search")


class MatchesReport(msgspec.Struct, frozen=True, kw_only=True):
    """Matches of one player; payoffs per game, every deal once per seat with the same chance.

    Attributes
    ----------
    budget : of each search, in words.
    policy : file of the trained strategies, None if they did not play.
    values : file of the learned values, None if nobody used them (or could: early files lack it).
    played : with --resume, of each match the payoffs of each deal, by the seats of the player.
    """

    schema: int
    game: str
    version: str
    rules: RulesReport
    players: int
    player: str
    budget: str
    policy: str | None
    values: str | None = None
    deals: int
    seed: int
    confidence: float
    matches: list[MatchReport]
    played: list[list[list[float]]] | None = None


def _to_text(report: MatchesReport) -> str:
    lines = [
        f"{report.player} with {report.players} players, {report.deals} deals each, every deal once per seat;"
        f" ±: {report.confidence:.0%}"
    ]
    for match in report.matches:
        lines.append(
            f"against {match.opponent:8} {signed(match.payoff)} a game"
            f"   {match.wins} won, {match.draws} drawn, {match.losses} lost"
        )
    return "\n".join(lines) + "\n"


@command("match", context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.option(
    "--player", type=click.Choice(PLAYERS), help="[default: guided with --values, otherwise trained]"
)
@click.option(
    "--against", multiple=True, type=click.Choice(PLAYERS), help="Repeatable.  [default: greedy and random]"
)
@click.option(
    "--policy",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="Strategies kept by raverun-solve --save-policy: the player called trained.",
)
@click.option(
    "--values",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="Values learned by raverun train: the players called guided (a search) and values (without one).",
)
@click.option("--players", type=click.Choice(["2", "3"]), default="2", show_default=True)
@click.option("--deals", type=click.IntRange(min=2), default=1000, show_default=True)
@click.option("--search-time", type=duration, metavar="TIME", help="Of each search, instead of iterations.")
@click.option("--search-iterations", type=click.IntRange(min=1), default=1000, show_default=True)
@click.option(
    "--rules", "rules_files", multiple=True, type=click.Path(path_type=Path, exists=True, dir_okay=False)
)
@click.option("--set", "overrides", multiple=True, metavar="KEY=VALUE")
@click.option("--seed", type=click.IntRange(min=0, max=2**62), default=0, show_default=True)
@click.option("--format", "form", type=click.Choice(["table", "json"]), default="table", show_default=True)
@click.option("--output", type=click.Path(path_type=Path), help="File to write instead of stdout.")
@click.option(
    "--resume",
    is_flag=True,
    help="Keep every deal in --output (JSON) as soon as it is played, and go on with what is there.",
)
@click.option("-q", "--quiet", is_flag=True, help="No progress.")
@click.pass_context
def match(
    ctx: click.Context,
    player: str | None,
    against: tuple[str, ...],
    policy: Path | None,
    values: Path | None,
    players: str,
    deals: int,
    search_time: float | None,
    search_iterations: int,
    rules_files: tuple[Path, ...],
    overrides: tuple[str, ...],
    seed: int,
    form: str,
    output: Path | None,
    resume: bool,
    quiet: bool,
) -> None:
    """Let one player play others, each deal once in every seat, and say what he wins.

    Interrupted, a match counts with the deals it has.

    \b
    Examples:
      raverun match --values values.npz --against search --search-time 1s --deals 50
      raverun match --player search --against greedy --resume --output match.json --format json
      raverun match --policy strategies.npz --against greedy --against search
      raverun match --player search --search-time 1s --deals 100 --against random
      raverun match --player search --players 3 --deals 200
    """
    try:
        rules = load_rules(rules_files, overrides)
        rules.hand_size(int(players))
    except (RulesError, ValueError) as error:
        raise click.UsageError(str(error)) from None
    player = player or ("trained" if values is None else "guided")
    against = against or ("greedy", "random")
    playing = {player, *against}
    if values is None and playing & {"guided", "values"}:
        raise click.UsageError("guided and values need --values, a file of raverun train")
    if policy is None and "trained" in playing:
        raise click.UsageError("the trained player needs --policy, a file of raverun-solve --save-policy")
    to_file = None if output is None or str(output) == "-" else output
    if to_file is not None:
        check_output(to_file)
    if resume and (to_file is None or form != "json"):
        raise click.UsageError("--resume needs --output FILE and --format json: there the deals are kept")
    from solver.sampling.information_set_search import SearchSettings

    if search_time is None:
        search, budget = SearchSettings(iterations=search_iterations), f"{search_iterations} iterations"
    else:
        search, budget = SearchSettings(iterations=0, seconds=search_time), f"{search_time:g} s"
    if not playing & set(SEARCHING):
        budget = "-"
    report = MatchesReport(
        schema=1,
        game="raverun",
        version=__version__,
        rules=rules_report(rules),
        players=int(players),
        player=player,
        budget=budget,
        policy=None if policy is None else policy.name,
        values=None if values is None else values.name,
        deals=deals,
        seed=seed,
        confidence=CONFIDENCE,
        matches=[],
    )
    earlier = _earlier(to_file, report, against) if resume and to_file is not None else None
    report, code = _play(report, rules, against, policy, values, search, quiet, earlier, to_file)
    text = to_json(report) if form == "json" else _to_text(report)
    if not write_output(text, to_file):
        code = code or 1
    ctx.exit(code)


def _earlier(path: Path, asked: MatchesReport, against: Sequence[str]) -> list[list[list[float]]]:
    """Return the deals of each match kept in a file, none if there is no file yet.

    Raises
    ------
    click.UsageError
        If the file holds another match.
    """
    if not path.exists() or path.stat().st_size == 0:
        return [[] for _ in against]
    try:
        held = msgspec.json.decode(path.read_bytes(), type=MatchesReport)
    except OSError as error:
        raise click.UsageError(f"cannot read {path}: {error.strerror}") from None
    except msgspec.MsgspecError as error:
        raise click.UsageError(f"{path} is no kept match ({error}); give another --output") from None
    names = [match.opponent for match in held.matches]
    played = held.played or []
    same = msgspec.structs.replace(held, deals=asked.deals, matches=[], played=None) == asked
    if not same or names != list(against[: len(names)]) or len(played) != len(names):
        raise click.UsageError(f"{path} holds a match with other options; give those, or another --output")
    if any(len(deals) > asked.deals for deals in played):
        raise click.UsageError(f"{path} has more deals than {asked.deals}")
    return [*played, *[[] for _ in against[len(names) :]]]


def _play(
    report: MatchesReport,
    rules: Rules,
    against: Sequence[str],
    policy: Path | None,
    values: Path | None,
    search: SearchSettings,
    quiet: bool,
    earlier: list[list[list[float]]] | None,
    keep: Path | None,
) -> tuple[MatchesReport, int]:
    """Play the matches; returns the finished report and the exit code.

    With `earlier` deals, even none, each further one is written to `keep` at once.
    """
    from dataclasses import replace

    import numpy as np

    from analysis.interrupt import Interrupt
    from analysis.raverun.approximate import match_report
    from analysis.raverun.kept_files import KeptFileError
    from analysis.raverun.policies import full_game, load_network, load_policy, opponent
    from solver.sampling.head_to_head import play_matches
    from solver.sampling.policy import CompiledPolicy

    trained, network, recall = None, None, "summary"
    num_players, player = report.players, report.player
    try:
        if policy is not None:
            trained, recall = load_policy(policy, rules, num_players)
        if values is not None:
            network = load_network(values, rules, num_players)
    except KeptFileError as error:
        raise click.UsageError(str(error)) from None
    game = full_game(rules, num_players, recall)
    if recall == "perfect" and {player, *against} & set(SEARCHING):
        raise click.UsageError("search cannot play strategies trained with --recall perfect")

    def make(name: str) -> object:
        if name == "trained":
            assert trained is not None
            return replace(trained, name="trained")
        return opponent(name, rules, num_players, search, network)

    keeps = True
    interrupt = Interrupt("Stopping: the deal under way is finished; again to leave without it.")
    with interrupt.installed():
        for number, name in enumerate(against):
            if not quiet:
                click.echo(f"{player} against {name}", err=True)
            own, opp = make(player), make(name)
            deals = np.array(earlier[number] if earlier else []).reshape(-1, num_players)
            before = report
            # Deals that take long are counted one by one, from two on: one alone says nothing about chance.
            slow = earlier is not None or not (
                isinstance(own, CompiledPolicy) and isinstance(opp, CompiledPolicy)
            )
            while True:
                goal = min(max(len(deals) + 1, 2), report.deals) if slow else report.deals
                try:
                    result = play_matches(
                        game,
                        own,  # type: ignore[arg-type]
                        opp,  # type: ignore[arg-type]
                        num_deals=goal,
                        seed=report.seed,
                        progress=lambda done: done > 1 and interrupt.requested,
                        played_before=deals,
                    )
                except KeyboardInterrupt:
                    return report, 130
                deals = result.payoffs
                report = msgspec.structs.replace(before, matches=[*before.matches, match_report(result)])
                if earlier is not None:
                    kept = [*(before.played or []), deals.tolist()]
                    report = msgspec.structs.replace(report, played=kept)
                    assert keep is not None
                    try:
                        write_atomically(keep, to_json(report).encode())
                    except OSError as error:
                        if keeps:
                            click.echo(f"Error: cannot write {str(keep)!r}: {error.strerror}.", err=True)
                        keeps = False
                if interrupt.requested:
                    return report, 130
                if len(deals) >= report.deals:
                    break
    return report, 0
