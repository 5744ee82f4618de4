"""``raverun-solve``: what a learned player says of Raverun, or reduced games solved exactly."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from analysis.exit_codes import (
    EXIT_FAILURE,
    EXIT_INTERRUPTED,
    EXIT_MEMORY,
    EXIT_TARGET_NOT_REACHED,
)
from analysis.files import check_one_on_stdout, check_output
from analysis.interrupt import Interrupt
from analysis.raverun.exact import DEFAULT_MAX_NODES
from analysis.raverun.kept_files import LEAVING, POLICY, STOPPING, check_place
from analysis.version import __version__
from cli.entry import command
from cli.options import Output, exit_codes, with_output
from cli.output import write_output
from cli.parameters import duration
from cli.raverun.commands.options import rules_options
from cli.raverun.views import exact as exact_view
from engine.raverun.rules import RulesError, load_rules

if TYPE_CHECKING:
    from solver.sampling.policy import CompiledPolicy

DEFAULT_TIME_LIMIT_S = 300.0
DEFAULT_MAX_INFOSETS = 2_000_000


@command(
    "solve",
    epilog=exit_codes(
        {
            EXIT_TARGET_NOT_REACHED: "target not reached (best so far printed)",
            EXIT_MEMORY: "refused for memory",
            EXIT_INTERRUPTED: "interrupted (what is known printed)",
        }
    ),
)
@click.option("--exact", is_flag=True, help="Solve the whole tree: for reduced games of two.")
@click.option("--players", type=click.Choice(["2", "3"]), default="2", show_default=True)
@click.option("--hand", metavar="CARDS", help='What to choose first with this hand: "1A 3C 4B 5A 6C 7B 8A".')
@rules_options
@click.option(
    "--time-limit",
    type=duration,
    metavar="TIME",
    help="300 (seconds), 10m, 1h: of training and measuring together.  [default: 5m where something is"
    " trained, unless --iterations]",
)
@click.option(
    "--values",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="Values learned by raverun train.  [default: for the box those that come with the package; for other"
    " rules they are learned first]",
)
@click.option(
    "--method",
    type=click.Choice(["learned", "mccfr"]),
    default="learned",
    show_default=True,
    help="Who answers: a player by learned values, or one by MCCFR on an abstraction, who is much weaker.",
)
@click.option(
    "--iterations",
    type=click.IntRange(min=0),
    help="Of training: plays, or walks of mccfr; with --exact, of CFR at most, 0 to leave it out.  [default"
    " with --exact: 20000]",
)
@click.option(
    "--recall",
    type=click.Choice(["summary", "view", "perfect"]),
    default="summary",
    show_default=True,
    help="With mccfr: what the strategies keep apart; the box needs the coarsest.",
)
@click.option(
    "--max-infosets",
    type=click.IntRange(min=1),
    default=DEFAULT_MAX_INFOSETS,
    show_default=True,
    help="With mccfr: room in the table, about 180 bytes each; what finds no room plays evenly, and is"
    " counted.",
)
@click.option(
    "--games", type=click.IntRange(min=2), default=2000, show_default=True, help="Games behind the figures."
)
@click.option(
    "--deals", type=click.IntRange(min=2), default=2000, show_default=True, help="Deals a match has."
)
@click.option(
    "--threads",
    type=click.IntRange(min=1),
    help="Of measuring; the answer is the same for any number.  [default: all processors]",
)
@click.option("--seed", type=click.IntRange(min=0, max=2**62), default=0, show_default=True)
@click.option(
    "--save-policy",
    type=click.Path(path_type=Path),
    help="With mccfr: also keep the strategies in this file, for raverun play and raverun match. It is"
    " written over only if it holds such strategies for the same rules and players.",
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
@with_output()
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
    values: Path | None,
    method: str,
    recall: str,
    max_infosets: int,
    games: int,
    deals: int,
    threads: int | None,
    seed: int,
    save_policy: Path | None,
    force: bool,
    target: float | None,
    max_nodes: int,
    efg: Path | None,
    profile: Path | None,
    out: Output,
) -> None:
    """Find how to play Raverun, and what cards, actions and the order of play are worth.

    A player who learned by playing himself plays himself again, and every kind of move is tried. For the box
    such a player comes with the package; for other rules he learns first. The answer is an approximation and
    says how far it is from an equilibrium as far as that was measured. With --exact, the whole tree of a
    reduced game for two is solved instead, by linear programming and by CFR.

    \b
    Examples:
      raverun-solve
      raverun-solve --hand "1A 3C 4B 5A 6C 7B 8A"
      raverun-solve --players 3 --games 10000 --format json --output three.json
      raverun-solve --set characters.8.action=bury --time-limit 10m
      raverun-solve --exact --set match.characters=2 --set match.hand_size=2
      raverun-solve --exact --rules small.toml --efg small.efg
    """
    try:
        rules = load_rules(rules_files, overrides)
        num_players = int(players)
        rules.hand_size(num_players)
    except (RulesError, ValueError) as error:
        raise click.UsageError(str(error)) from None
    _check_options(ctx, exact, method)
    if profile is not None and efg is None:
        raise click.UsageError("--profile means something only with --efg: it follows the order of that file")
    if force and save_policy is None:
        raise click.UsageError("--force is about what lies at --save-policy, and none was given")
    files = {"--save-policy": save_policy, "--efg": efg, "--profile": profile}
    given = {option: path for option, path in files.items() if path is not None}
    check_one_on_stdout(**given, **{"the answer": out.path})
    if save_policy is not None:
        check_place(save_policy, "--save-policy", POLICY, rules, num_players, force=force)
    for path, option in ((efg, "--efg"), (profile, "--profile")):
        if path is not None:
            check_output(path, option)
    if not exact:
        from analysis.raverun import learned, policies, training
        from analysis.raverun.approximate import Effort, approximate, num_processors
        from analysis.raverun.hands import parse_hand
        from cli.raverun.views import approximate as view

        if iterations == 0:
            raise click.UsageError("training needs at least one iteration: --iterations 1 or more")
        carried = values is not None or training.shipped_values(rules, num_players) is not None
        if iterations is None and time_limit is None and (method == "mccfr" or not carried):
            time_limit = DEFAULT_TIME_LIMIT_S
        cards = None if hand is None else parse_hand(rules, num_players, hand)
        effort = Effort(
            time_limit, iterations, games, deals, seed, threads or num_processors(), recall, max_infosets
        )

        def keep(policy: CompiledPolicy) -> None:
            if save_policy is None:
                return
            elsewhere = policies.save_policy(save_policy, policy, rules, num_players, recall)
            if elsewhere is not None:
                click.echo(elsewhere, err=True)

        interrupt = Interrupt(STOPPING, LEAVING)
        with interrupt.installed():
            if method == "mccfr":
                answer = approximate(rules, num_players, cards, effort, interrupt, out.note, keep)
            else:
                answer = learned.answer(rules, num_players, cards, effort, values, interrupt, out.note)
        out.show(answer, view, EXIT_INTERRUPTED if interrupt.requested else 0)

    from analysis.raverun import exact as exact_solver
    from analysis.raverun.hands import parse_hand

    asked = None if hand is None else " ".join(map(rules.card_name, parse_hand(rules, num_players, hand)))

    iterations = exact_solver.DEFAULT_ITERATIONS if iterations is None else iterations
    target = exact_solver.DEFAULT_TARGET if target is None else target
    out.note("building the tree")
    game = exact_solver.build_tree(rules, max_nodes)
    if efg is not None:
        from solver.gambit import write_efg

        try:
            write_efg(game, efg, title=rules.name)
        except OSError as error:
            raise click.ClickException(f"cannot write {str(efg)!r}: {error.strerror}") from None
    interrupt = Interrupt(exact_solver.STOPPING)
    with interrupt.installed():
        solved = exact_solver.solve_tree(rules, game, iterations, target, interrupt, out.note)
    code = 0 if solved.converged else EXIT_TARGET_NOT_REACHED
    if interrupt.requested or (iterations and solved.report.cfr is None):
        code = EXIT_INTERRUPTED
    if profile is not None:
        from solver.gambit import profile_text

        if not write_output(profile_text(game, solved.strategy.tolist()), profile):
            code = code or EXIT_FAILURE
    out.show(exact_view.shown(solved.report, asked), exact_view, code)


_ONLY_EXACT = ("target", "max_nodes", "efg", "profile")
_ONLY_TRAINED = (
    "players",
    "time_limit",
    "values",
    "method",
    "games",
    "deals",
    "threads",
    "seed",
)
_ONLY_MCCFR = ("recall", "max_infosets", "save_policy", "force")


def _check_options(ctx: click.Context, exact: bool, method: str) -> None:
    """Raise UsageError for options that would do nothing."""
    from click.core import ParameterSource

    useless = [(name, "without --exact") for name in (*_ONLY_TRAINED, *_ONLY_MCCFR) if exact]
    useless += [(name, "with --exact") for name in _ONLY_EXACT if not exact]
    useless += [(name, "with --method mccfr") for name in _ONLY_MCCFR if method != "mccfr"]
    useless += [("values", "with --method learned")] if method == "mccfr" else []
    for name, where in useless:
        if ctx.get_parameter_source(name) == ParameterSource.COMMANDLINE:
            raise click.UsageError(f"--{name.replace('_', '-')} means something only {where}")
    if ctx.params["values"] is not None and ctx.params["iterations"] is not None and not exact:
        raise click.UsageError("--iterations is about training, and --values were trained before")
