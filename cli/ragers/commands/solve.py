"""``ragers-solve``: certified equilibria of single days."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import click

from analysis.files import STDOUT, check_output
from analysis.ragers.answers import report
from analysis.ragers.answers.asking import EXIT_FAILURE, Answered, Question, no_resume, read_rules
from analysis.ragers.answers.solving import Effort, Keeping
from analysis.ragers.hands import LETTERS_HELP, HandError, check_hand, parse_hand
from analysis.ragers.scenarios import PREPARATIONS, Scenario, scenarios
from analysis.version import __version__
from cli.entry import command
from cli.output import to_json, write_output
from cli.parameters import duration, memory
from cli.ragers.asking import ask
from cli.ragers.commands.options import FORMATS, SETTINGS, disk_option, examples, rules_options, view_option
from cli.ragers.commands.parameters import glory_points
from cli.ragers.views import solve as view
from engine.ragers.rules import PLAYERS, Rules


@command(
    "solve",
    context_settings=SETTINGS,
    epilog=examples(
        "ragers solve --patron Arianna",
        'ragers solve --patron Arianna --cheers two-bashers --hand "B B S C V"',
        "ragers solve --set cards.basher.gp=4 --patron Solennos --time-limit 12m",
        "ragers solve --rules my.toml --patron Solennos --dry-run",
        "ragers solve --rules my.toml --format json --output answer.json",
        'ragers solve --patron Solennos --cheers two-bashers --match "day 3, score 4:6, left B4S2:S3T2"',
    )
    + "\n\nExit codes: 0 answered; 1 failure; 2 wrong usage; 3 target not reached (best so far printed);"
    " 4 refused for memory; 130 interrupted (best so far printed; after a second Ctrl-C without its proof).",
)
@click.option("--patron", "patrons", multiple=True, metavar="NAME", help="Patron; repeatable. Default: all.")
@click.option("--cheers", multiple=True, metavar="NAME", help="Cheers card; repeatable. Default: all.")
@rules_options
@click.option(
    "--preparation",
    type=click.Choice(PREPARATIONS),
    help="Model of the discard before the day: none, unseen and redrawn, or seen.  [default: redraw]",
)
@click.option(
    "--method",
    type=click.Choice(["auto", "exact", "merged"]),
    default="auto",
    show_default=True,
    help="The whole public tree, or histories with equal rows merged; auto merges if memory or time "
    "is short.",
)
@view_option
@click.option(
    "--hand",
    metavar="CARDS",
    help=f'Mix and worth of each action for one hand, e.g. "B B S C V". Letters: {LETTERS_HELP};'
    " names, also shortened, will do too.",
)
@click.option(
    "--match",
    metavar="STANDING",
    help="The last day of a match, solved for the chance of winning: where it stands, Accusers first, e.g."
    ' "day 3, score 4:6, cheers 1:0, left B2S3P1:B1S2T2"; or a transcript of ragers play.',
)
@click.option("--target", type=glory_points, metavar="GP", help="Stop at this certified NashConv.")
@click.option(
    "--time-limit",
    type=duration,
    metavar="TIME",
    help="Stop each scenario after 300 (seconds), 30m, 1h. Without any limit: after five minutes, or earlier"
    " once the answer is good.",
)
@click.option("--iterations", type=click.IntRange(min=1), help="Stop each scenario after so many.")
@click.option("--threads", type=click.IntRange(min=0), default=0, help="0: all cores.  [default: 0]")
@click.option("--seed", type=click.IntRange(min=0, max=2**63 - 1), default=0, help="[default: 0]")
@click.option(
    "--memory", type=memory, metavar="SIZE", help="E.g. 16GiB. Default: three quarters of what is free."
)
@disk_option
@click.option(
    "--checkpoint",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Save the running solve there now and then, at the end, and on Ctrl-C. What is no saved solve of"
    " this scenario is not written over.",
)
@click.option(
    "--checkpoint-every",
    type=duration,
    default="10m",
    show_default=True,
    metavar="TIME",
    help="Time between two saves.",
)
@click.option(
    "--resume",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    metavar="FILE",
    help="Go on with a saved solve; it is saved there again, or at --checkpoint.",
)
@click.option("--force", is_flag=True, help="Write over whatever lies at --checkpoint.")
@click.option("--dry-run", is_flag=True, help="Only say what solving would take.")
@click.option("--fresh", is_flag=True, help="Solve again, whatever is stored.")
@click.option("--details", is_flag=True, help="Cards by step, hands in numbers, proofs and sources, too.")
@click.option("--format", "form", type=click.Choice(FORMATS), default="table", show_default=True)
@click.option("--output", "-o", type=click.Path(path_type=Path), help="File to write instead of stdout.")
@click.option("-q", "--quiet", is_flag=True, help="No progress.")
@click.version_option(__version__, prog_name="ragers-solve")
@click.pass_context
def solve(
    ctx: click.Context,
    patrons: tuple[str, ...],
    cheers: tuple[str, ...],
    rules_files: tuple[Path, ...],
    overrides: tuple[str, ...],
    preparation: str | None,
    method: str,
    player: str,
    hand: str | None,
    match: str | None,
    target: float | None,
    time_limit: float | None,
    iterations: int | None,
    threads: int,
    seed: int,
    memory: int | None,
    disk: Path | None,
    checkpoint: Path | None,
    checkpoint_every: float,
    resume: Path | None,
    force: bool,
    dry_run: bool,
    fresh: bool,
    details: bool,
    form: str,
    output: Path | None,
    quiet: bool,
) -> None:
    """Find how to play a day of Ragers, what it is worth, and how exact that is.

    A day has one patron and one cheers card. Before it each player may exchange a card, unseen by default
    (redraw); the rulebook's discard is seen (--preparation seen). Answers come from the solution library
    where it has them, and are solved on the spot where not.
    """
    rules = read_rules(rules_files, overrides)
    if match is not None:
        from cli.ragers.commands.last_day import GivenMatch, answer_last_day

        effort = Effort(method, target, time_limit, iterations, threads, seed, memory)
        asked = GivenMatch(match, patrons, cheers, preparation, player, hand)
        ctx.exit(answer_last_day(ctx, asked, rules, effort, (form, output, quiet)))
    if rules.match.discards == 0 and preparation not in (None, "none"):
        raise click.UsageError(f"these rules allow no discard, so there is no preparation {preparation!r}")
    todo = scenarios(rules, patrons, cheers, preparation or "redraw")
    question = Question(
        player=PLAYERS.index(player),
        hand=_read_hand(hand, rules, PLAYERS.index(player)),
        effort=Effort(method, target, time_limit, iterations, threads, seed, memory, disk, profile=True),
        fresh=fresh,
        parts=True,
    )
    if checkpoint is not None or resume is not None:
        keeping = _keeping(todo, Keeping(checkpoint or resume, resume, checkpoint_every, force))
        question = replace(question, keeping=keeping)
    elif force:
        raise click.UsageError("--force is about what lies at --checkpoint, and none was given")
    output = None if output == STDOUT else output
    if output is not None:
        check_output(output)
    if dry_run:
        from cli.ragers.views.dry_run import dry_run_report

        text, code = dry_run_report(todo, question.effort, form)
    else:
        answered, code = ask(todo, question, quiet=quiet)
        text = ""
        if answered:
            shown = (output is None, details)
            text = _render(rules, answered, question, form, shown)
    if text and not write_output(text, output):
        code = code or EXIT_FAILURE
    ctx.exit(code)


def _keeping(todo: Sequence[Scenario], keeping: Keeping) -> Keeping:
    """Return where the one solve of `todo` is kept; what cannot be taken up, or is none, is refused."""
    if len(todo) > 1:
        raise click.UsageError(
            f"--checkpoint and --resume are for one solve, and {len(todo)} scenarios were asked for;"
            " name one with --patron and --cheers"
        )
    from analysis.ragers.answers.solving import identity
    from solver.hidden_hands import CheckpointError, check_checkpoint, check_checkpoint_place

    mine, save_to = identity(todo[0]), keeping.save_to
    if keeping.resume_from is not None:
        try:
            check_checkpoint(keeping.resume_from, mine)
        except CheckpointError as error:
            raise no_resume(error) from None
    if save_to == STDOUT:
        raise click.BadParameter("the answer goes to stdout; name a file", param_hint="'--checkpoint'")
    if save_to is not None and not keeping.overwrite:
        try:
            check_checkpoint_place(save_to, mine)
        except CheckpointError as error:
            reason = f"{error}. It is not written over (--force would, and it would be lost)"
            raise click.BadParameter(reason, param_hint="'--checkpoint'") from None
    return keeping


def _read_hand(text: str | None, rules: Rules, player: int) -> tuple[int, ...] | None:
    """Return the hand that was typed, checked against the deck of `player`."""
    if text is None:
        return None
    copies = tuple(card.copies[player] for card in rules.cards)
    try:
        counts = parse_hand(text)
        check_hand(counts, copies, rules.match.hand_size)
    except HandError as error:
        raise click.BadParameter(str(error), param_hint="'--hand'") from None
    return counts


def _render(
    rules: Rules,
    answered: Sequence[Answered],
    question: Question,
    form: str,
    shown: tuple[bool, bool],
) -> str:
    """Return the answers in the format asked for; `shown`: on a terminal, and with details."""
    to_terminal, details = shown
    solved = []
    for item in answered:
        hand = None
        if question.hand is not None:
            assert item.strategy is not None
            hand = report.hand_report(
                item.strategy,
                question.hand,
                question.player,
                tuple(card.copies[question.player] for card in rules.cards),
            )
        solved.append(
            report.scenario_report(
                item.scenario,
                item.answer,
                question.player,
                from_library=item.from_library,
                source=item.source,
                relabelled_from=item.relabelled_from,
                hand=hand,
            )
        )
    whole = report.solve_report(
        rules, [(each.scenario, each.answer) for each in answered], solved, question.player
    )
    if form == "json":
        return to_json(whole)
    if form == "csv":
        return view.to_csv(whole)
    if form == "md":
        return view.to_markdown(whole)
    import os
    import sys

    color = to_terminal and sys.stdout.isatty() and "NO_COLOR" not in os.environ
    return view.to_text(whole, color=color, details=details)
