"""``raverun-solve``: what a learned player says of Raverun, or reduced games solved exactly."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import click

from analysis.errors import RequestError, WorkError
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
from cli.options import (
    Decorator,
    Output,
    at_least,
    bundle,
    choice,
    exit_codes,
    iterations_option,
    time_limit_option,
    with_output,
)
from cli.output import write_output
from cli.raverun.commands.options import GivenGame, file_option, usual_seed, with_game
from cli.raverun.views import exact as exact_view
from engine.raverun.rules import Rules

if TYPE_CHECKING:
    from solver.sampling.policy import CompiledPolicy

DEFAULT_TIME_LIMIT_S = 300.0
DEFAULT_MAX_INFOSETS = 2_000_000


@dataclass(frozen=True)
class Training:
    """How the player who answers learns, where he has to; `method` says who he is."""

    method: str
    time_limit: float | None
    iterations: int | None
    values: Path | None
    recall: str
    max_infosets: int
    save_policy: Path | None
    force: bool


@dataclass(frozen=True)
class Measuring:
    """By how much play the figures are made."""

    games: int
    deals: int
    threads: int | None


@dataclass(frozen=True)
class Exactly:
    """How a reduced game is solved, and where its tree is written."""

    target: float | None
    max_nodes: int
    efg: Path | None
    profile: Path | None


def _file(name: str, text: str) -> Decorator:
    return click.option(name, type=click.Path(path_type=Path), help=text)


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
@click.option("--hand", metavar="CARDS", help='What to choose first with this hand: "1A 3C 4B 5A 6C 7B 8A".')
@with_game
@bundle(
    "training",
    Training,
    time_limit_option(
        "300 (seconds), 10m, 1h: of training and measuring together.  [default: 5m where something is"
        " trained, unless --iterations]"
    ),
    file_option(
        "--values",
        "Values learned by raverun train.  [default: for the box those that come with the package; for other"
        " rules they are learned first]",
    ),
    choice(
        "--method",
        ["learned", "mccfr"],
        "Who answers: a player by learned values, or one by MCCFR on an abstraction, who is much weaker.",
    ),
    iterations_option(
        "Of training: plays, or walks of mccfr; with --exact, of CFR at most, 0 to leave it out.  [default"
        " with --exact: 20000]",
        least=0,
    ),
    choice(
        "--recall",
        ["summary", "view", "perfect"],
        "With mccfr: what the strategies keep apart; the box needs the coarsest.",
    ),
    at_least(
        1,
        "--max-infosets",
        "With mccfr: room in the table, about 180 bytes each; what finds no room plays evenly, and is"
        " counted.",
        DEFAULT_MAX_INFOSETS,
    ),
    _file(
        "--save-policy",
        "With mccfr: also keep the strategies in this file, for raverun play and raverun match. It is"
        " written over only if it holds such strategies for the same rules and players.",
    ),
    click.option("--force", is_flag=True, help="Write over whatever lies at --save-policy."),
)
@bundle(
    "measuring",
    Measuring,
    at_least(2, "--games", "Games behind the figures.", 2000),
    at_least(2, "--deals", "Deals a match has.", 2000),
    at_least(
        1,
        "--threads",
        "Of measuring; the answer is the same for any number.  [default: all processors]",
    ),
)
@usual_seed
@bundle(
    "exactly",
    Exactly,
    click.option(
        "--target",
        type=click.FloatRange(min=0, min_open=True),
        help="With --exact: NashConv at which CFR stops.  [default: 0.001]",
    ),
    at_least(1, "--max-nodes", "Refuse larger trees; a node takes about 2 KiB.", DEFAULT_MAX_NODES),
    _file("--efg", "Also write the tree to this file, for Gambit and OpenSpiel."),
    _file("--profile", "With --efg: also write how both play to this file, as Gambit's tools read it."),
)
@with_output()
@click.version_option(__version__, prog_name="raverun-solve")
@click.pass_context
def solve(
    ctx: click.Context,
    exact: bool,
    hand: str | None,
    game: GivenGame,
    training: Training,
    measuring: Measuring,
    seed: int,
    exactly: Exactly,
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
    rules = game.load()
    _check_options(ctx, exact, training)
    save_policy, efg, profile = training.save_policy, exactly.efg, exactly.profile
    if profile is not None and efg is None:
        raise RequestError("--profile means something only with --efg: it follows the order of that file")
    if training.force and save_policy is None:
        raise RequestError("--force is about what lies at --save-policy, and none was given")
    files = {"--save-policy": save_policy, "--efg": efg, "--profile": profile}
    given = {option: path for option, path in files.items() if path is not None}
    check_one_on_stdout(**given, **{"the answer": out.path})
    if save_policy is not None:
        check_place(save_policy, "--save-policy", POLICY, rules, game.players, force=training.force)
    for path, option in ((efg, "--efg"), (profile, "--profile")):
        if path is not None:
            check_output(path, option)
    if exact:
        _solve_exactly(rules, hand, exactly, training.iterations, out)
    _answer(rules, game.players, hand, training, measuring, seed, out)


def _answer(
    rules: Rules,
    num_players: int,
    hand: str | None,
    training: Training,
    measuring: Measuring,
    seed: int,
    out: Output,
) -> NoReturn:
    """Answer by a player who has learned, or learns now."""
    from analysis.raverun import learned, policies
    from analysis.raverun.approximate import Effort, approximate
    from analysis.raverun.hands import parse_hand
    from analysis.raverun.training import shipped_values
    from arena_solver.machine import processors
    from cli.raverun.views import approximate as view

    if training.iterations == 0:
        raise RequestError("training needs at least one iteration: --iterations 1 or more")
    carried = training.values is not None or shipped_values(rules, num_players) is not None
    time_limit = training.time_limit
    if training.iterations is None and time_limit is None and (training.method == "mccfr" or not carried):
        time_limit = DEFAULT_TIME_LIMIT_S
    cards = None if hand is None else parse_hand(rules, num_players, hand)
    effort = Effort(
        time_limit,
        training.iterations,
        measuring.games,
        measuring.deals,
        seed,
        measuring.threads or processors(),
        training.recall,
        training.max_infosets,
    )

    def keep(policy: CompiledPolicy) -> None:
        if training.save_policy is None:
            return
        elsewhere = policies.save_policy(training.save_policy, policy, rules, num_players, training.recall)
        if elsewhere is not None:
            click.echo(elsewhere, err=True)

    interrupt = Interrupt(STOPPING, LEAVING)
    with interrupt.installed():
        if training.method == "mccfr":
            answer = approximate(rules, num_players, cards, effort, interrupt, out.note, keep)
        else:
            answer = learned.answer(rules, num_players, cards, effort, training.values, interrupt, out.note)
    out.show(answer, view, EXIT_INTERRUPTED if interrupt.requested else 0)


def _solve_exactly(
    rules: Rules, hand: str | None, exactly: Exactly, iterations: int | None, out: Output
) -> NoReturn:
    """Solve the whole tree of a reduced game for two."""
    from analysis.raverun import exact as exact_solver
    from analysis.raverun.hands import parse_hand

    asked = None if hand is None else " ".join(map(rules.card_name, parse_hand(rules, 2, hand)))
    iterations = exact_solver.DEFAULT_ITERATIONS if iterations is None else iterations
    target = exact_solver.DEFAULT_TARGET if exactly.target is None else exactly.target
    out.note("building the tree")
    game = exact_solver.build_tree(rules, exactly.max_nodes)
    if exactly.efg is not None:
        from solver.gambit import write_efg

        try:
            write_efg(game, exactly.efg, title=rules.name)
        except OSError as error:
            raise WorkError(f"cannot write {str(exactly.efg)!r}: {error.strerror}") from None
    interrupt = Interrupt(exact_solver.STOPPING)
    with interrupt.installed():
        solved = exact_solver.solve_tree(rules, game, iterations, target, interrupt, out.note)
    code = 0 if solved.converged else EXIT_TARGET_NOT_REACHED
    if interrupt.requested or (iterations and solved.report.cfr is None):
        code = EXIT_INTERRUPTED
    if exactly.profile is not None:
        from solver.gambit import profile_text

        if not write_output(profile_text(game, solved.strategy.tolist()), exactly.profile):
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


def _check_options(ctx: click.Context, exact: bool, training: Training) -> None:
    """Raise for options that would do nothing."""
    from click.core import ParameterSource

    useless = [(name, "without --exact") for name in (*_ONLY_TRAINED, *_ONLY_MCCFR) if exact]
    useless += [(name, "with --exact") for name in _ONLY_EXACT if not exact]
    useless += [(name, "with --method mccfr") for name in _ONLY_MCCFR if training.method != "mccfr"]
    useless += [("values", "with --method learned")] if training.method == "mccfr" else []
    for name, where in useless:
        if ctx.get_parameter_source(name) == ParameterSource.COMMANDLINE:
            raise RequestError(f"--{name.replace('_', '-')} means something only {where}")
    if training.values is not None and training.iterations is not None and not exact:
        raise RequestError("--iterations is about training, and --values were trained before")
