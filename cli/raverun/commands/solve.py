"""``raverun-solve``: Raverun trained by sampling, or reduced games solved exactly."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from analysis.files import check_one_on_stdout, check_output
from analysis.interrupt import Interrupt
from analysis.raverun.exact import DEFAULT_MAX_NODES
from analysis.raverun.kept_files import LEAVING, POLICY, STOPPING, check_place
from analysis.version import __version__
from cli.entry import command
from cli.output import write_output
from cli.parameters import duration
from cli.raverun.commands.options import rules_options
from cli.raverun.views import exact as exact_view
from engine.raverun.rules import RulesError, load_rules

if TYPE_CHECKING:
    from solver.sampling.policy import CompiledPolicy

EXIT_FAILURE = 1
EXIT_TARGET_NOT_REACHED = 3
EXIT_MEMORY = 4
EXIT_INTERRUPTED = 130

DEFAULT_TIME_LIMIT_S = 300.0
DEFAULT_MAX_INFOSETS = 2_000_000


@command(
    "solve",
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Exit codes: 0 answered; 1 failure; 2 wrong usage; 3 target not reached (best so far printed);"
    " 4 refused for memory; 130 interrupted (what is known printed).",
)
@click.option("--exact", is_flag=True, help="Solve the whole tree: for reduced games of two.")
@click.option("--players", type=click.Choice(["2", "3"]), default="2", show_default=True)
@click.option("--hand", metavar="CARDS", help='What to choose first with this hand: "1A 3C 4B 5A 6C 7B 8A".')
@rules_options
@click.option(
    "--time-limit",
    type=duration,
    metavar="TIME",
    help="300 (seconds), 10m, 1h: of training and measuring together.  [default: 5m, unless --iterations]",
)
@click.option(
    "--iterations",
    type=click.IntRange(min=0),
    help="Of training; with --exact, of CFR at most, 0 to leave it out.  [default with --exact: 20000]",
)
@click.option(
    "--recall",
    type=click.Choice(["summary", "view", "perfect"]),
    default="summary",
    show_default=True,
    help="What the trained strategies keep apart: the box needs the coarsest.",
)
@click.option(
    "--max-infosets",
    type=click.IntRange(min=1),
    default=DEFAULT_MAX_INFOSETS,
    show_default=True,
    help="Room in the table, about 180 bytes each; what finds no room plays evenly, and is counted.",
)
@click.option(
    "--games", type=click.IntRange(min=2), default=40_000, show_default=True, help="Games behind each figure."
)
@click.option(
    "--deals", type=click.IntRange(min=2), default=20_000, show_default=True, help="Deals a match has."
)
@click.option("--seed", type=click.IntRange(min=0, max=2**62), default=0, show_default=True)
@click.option(
    "--save-policy",
    type=click.Path(path_type=Path),
    help="Also keep the trained strategies in this file, for raverun play and raverun match. It is written"
    " over only if it holds such strategies for the same rules and players.",
)
@click.option("--force", is_flag=True, help="Write over whatever lies at --save-policy.")
@click.option(
    "--target",
    type=click.FloatRange(min=0, min_open=True),
    help="With --exact: NashConv at which CFR stops.  [default: 0.001]",
)
@click.option(
    "--max-nodes",
    type=click.IntRange(min=1),
    default=DEFAULT_MAX_NODES,
    show_default=True,
    help="Refuse larger trees; a node takes about 2 KiB.",
)
@click.option(
    "--efg",
    type=click.Path(path_type=Path),
    help="Also write the tree to this file, for Gambit and OpenSpiel.",
)
@click.option(
    "--profile",
    type=click.Path(path_type=Path),
    help="With --efg: also write how both play to this file, as Gambit's tools read it.",
)
@click.option(
    "--format", "form", type=click.Choice(list(exact_view.FORMATS)), default="table", show_default=True
)
@click.option("--output", "-o", type=click.Path(path_type=Path), help="File to write instead of stdout.")
@click.option("-q", "--quiet", is_flag=True, help="No progress.")
@click.version_option(__version__, prog_name="raverun-solve")
@click.pass_context
def solve(
    ctx: click.Context,
    exact: bool,
    players: str,
    hand: str | None,
    rules_files: tuple[Path, ...],
    overrides: tuple[str, ...],
    time_limit: float | None,
    iterations: int | None,
    recall: str,
    max_infosets: int,
    games: int,
    deals: int,
    seed: int,
    save_policy: Path | None,
    force: bool,
    target: float | None,
    max_nodes: int,
    efg: Path | None,
    profile: Path | None,
    form: str,
    output: Path | None,
    quiet: bool,
) -> None:
    """Find how to play Raverun, and what cards, actions and the order of play are worth.

    Strategies are trained by sampling, on an abstraction of what players know, and then measured: against
    responses trained to beat them, against simpler players, and against each other. The answer is an
    approximation and says how far it is from an equilibrium as far as that can be measured. With --exact,
    the whole tree of a reduced game for two is solved instead, by linear programming and by CFR.

    \b
    Examples:
      raverun-solve --time-limit 10m
      raverun-solve --hand "1A 3C 4B 5A 6C 7B 8A" --save-policy strategies.npz
      raverun-solve --players 3 --time-limit 5m --format json --output three.json
      raverun-solve --exact --set match.characters=2 --set match.hand_size=2
      raverun-solve --exact --rules small.toml --efg small.efg
    """
    try:
        rules = load_rules(rules_files, overrides)
        num_players = int(players)
        rules.hand_size(num_players)
    except (RulesError, ValueError) as error:
        raise click.UsageError(str(error)) from None
    _check_options(ctx, exact)
    if profile is not None and efg is None:
        raise click.UsageError("--profile means something only with --efg: it follows the order of that file")
    if force and save_policy is None:
        raise click.UsageError("--force is about what lies at --save-policy, and none was given")
    files = {"--save-policy": save_policy, "--efg": efg, "--profile": profile}
    given = {option: path for option, path in files.items() if path is not None}
    check_one_on_stdout(**given, **{"the answer": output})
    if save_policy is not None:
        check_place(save_policy, "--save-policy", POLICY, rules, num_players, force=force)
    for path, option in ((efg, "--efg"), (profile, "--profile"), (output, "--output")):
        if path is not None:
            check_output(path, option)

    def note(text: str) -> None:
        if not quiet:
            click.echo(text, err=True)

    if not exact:
        from analysis.raverun import policies
        from analysis.raverun.approximate import Effort, approximate, parse_hand
        from cli.raverun.views.approximate import FORMATS

        if iterations is None and time_limit is None:
            time_limit = DEFAULT_TIME_LIMIT_S
        elif iterations == 0:
            raise click.UsageError("training needs at least one iteration: --iterations 1 or more")
        cards = None if hand is None else parse_hand(rules, num_players, hand)
        effort = Effort(recall, time_limit, iterations, max_infosets, games, deals, seed)

        def keep(policy: CompiledPolicy) -> None:
            if save_policy is None:
                return
            elsewhere = policies.save_policy(save_policy, policy, rules, num_players, recall)
            if elsewhere is not None:
                click.echo(elsewhere, err=True)

        interrupt = Interrupt(STOPPING, LEAVING)
        with interrupt.installed():
            answer = approximate(rules, num_players, cards, effort, interrupt, note, keep)
        code = EXIT_INTERRUPTED if interrupt.requested else 0
        if not write_output(FORMATS[form](answer), output):
            code = code or EXIT_FAILURE
        ctx.exit(code)

    from analysis.raverun import exact as exact_solver

    iterations = exact_solver.DEFAULT_ITERATIONS if iterations is None else iterations
    target = exact_solver.DEFAULT_TARGET if target is None else target
    note("building the tree")
    try:
        game = exact_solver.build_tree(rules, max_nodes)
    except exact_solver.TooLargeError as error:
        click.echo(
            f"Refused: {error}. Make the game smaller"
            " (--set match.characters=2 --set match.hand_size=2), or allow more (--max-nodes).",
            err=True,
        )
        ctx.exit(EXIT_MEMORY)
    if efg is not None:
        from solver.gambit import write_efg

        try:
            write_efg(game, efg, title=rules.name)
        except OSError as error:
            raise click.ClickException(f"cannot write {str(efg)!r}: {error.strerror}") from None
    interrupt = Interrupt(exact_solver.STOPPING)
    with interrupt.installed():
        solved = exact_solver.solve_tree(rules, game, iterations, target, interrupt, note)
    code = 0 if solved.converged else EXIT_TARGET_NOT_REACHED
    if interrupt.requested or (iterations and solved.report.cfr is None):
        code = EXIT_INTERRUPTED
    if profile is not None:
        from solver.gambit import profile_text

        if not write_output(profile_text(game, solved.strategy.tolist()), profile):
            code = code or EXIT_FAILURE
    if not write_output(exact_view.FORMATS[form](solved.report), output):
        code = code or EXIT_FAILURE
    ctx.exit(code)


_ONLY_EXACT = ("target", "max_nodes", "efg", "profile")
_ONLY_TRAINED = (
    "players",
    "hand",
    "time_limit",
    "recall",
    "max_infosets",
    "games",
    "deals",
    "seed",
    "save_policy",
    "force",
)


def _check_options(ctx: click.Context, exact: bool) -> None:
    """Raise UsageError for options that would do nothing."""
    from click.core import ParameterSource

    for name in _ONLY_TRAINED if exact else _ONLY_EXACT:
        if ctx.get_parameter_source(name) == ParameterSource.COMMANDLINE:
            where = "without" if exact else "with"
            raise click.UsageError(f"--{name.replace('_', '-')} means something only {where} --exact")
