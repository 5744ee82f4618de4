"""``ragers-solve``: certified equilibria of single days."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import click

from analysis.errors import RequestError
from analysis.files import STDOUT
from analysis.ragers.answers import report
from analysis.ragers.answers.asking import Answered, Question, no_resume
from analysis.ragers.answers.solving import Effort, Keeping
from analysis.ragers.hands import LETTERS_HELP, HandError, check_hand, parse_hand
from analysis.ragers.scenarios import PREPARATIONS, Scenario, scenarios
from analysis.version import __version__
from cli.entry import command
from cli.options import GivenRules, Output, bundle, examples, with_output
from cli.parameters import duration
from cli.ragers.asking import ask
from cli.ragers.commands.options import (
    GivenScenarios,
    cheers_option,
    disk_option,
    effort_bundle,
    fresh_option,
    method_option,
    patron_option,
    seat_option,
    with_rules,
)
from cli.ragers.views import solve as view
from engine.ragers.rules import Rules


def _keeping(
    checkpoint: Path | None, checkpoint_every: float, resume: Path | None, force: bool
) -> Keeping | None:
    """Return where a solve is kept; None where it is not."""
    if checkpoint is None and resume is None:
        if force:
            raise RequestError("--force is about what lies at --checkpoint, and none was given")
        return None
    return Keeping(checkpoint or resume, resume, checkpoint_every, force)


@command(
    "solve",
    epilog=examples(
        "ragers solve --patron Arianna",
        'ragers solve --patron Arianna --cheers two-bashers --hand "B B S C V"',
        "ragers solve --set cards.basher.gp=4 --patron Solennos --time-limit 12m",
        "ragers solve --rules my.toml --patron Solennos --dry-run",
        "ragers solve --rules my.toml --format json --output answer.json",
    )
    + "\n\nExit codes: 0 answered; 1 failure; 2 wrong usage; 3 target not reached (best so far printed);"
    " 4 refused for memory; 130 interrupted (best so far printed; after a second Ctrl-C without its proof).",
)
@bundle(
    "asked",
    GivenScenarios,
    patron_option,
    cheers_option,
    click.option(
        "--preparation",
        type=click.Choice(PREPARATIONS),
        help="Model of the discard before the day: none, unseen and redrawn, or seen.  [default: redraw]",
    ),
)
@with_rules
@seat_option
@click.option(
    "--hand",
    metavar="CARDS",
    help=f'Mix and worth of each action for one hand, e.g. "B B S C V". Letters: {LETTERS_HELP};'
    " names, also shortened, will do too.",
)
@effort_bundle(
    method_option,
    disk_option,
    limit="Stop each scenario after 300 (seconds), 30m, 1h. Without any limit: after five minutes, or earlier"
    " once the answer is exact.",
    memory="E.g. 16GiB. Default: three quarters of what is free.",
    profile=True,
)
@bundle(
    "keeping",
    _keeping,
    click.option(
        "--checkpoint",
        type=click.Path(path_type=Path),
        metavar="FILE",
        help="Save the running solve there now and then, at the end, and on Ctrl-C. What is no saved solve of"
        " this scenario is not written over.",
    ),
    click.option(
        "--checkpoint-every",
        type=duration,
        default="10m",
        show_default=True,
        metavar="TIME",
        help="Time between two saves.",
    ),
    click.option(
        "--resume",
        type=click.Path(path_type=Path, exists=True, dir_okay=False),
        metavar="FILE",
        help="Go on with a saved solve; it is saved there again, or at --checkpoint.",
    ),
    click.option("--force", is_flag=True, help="Write over whatever lies at --checkpoint."),
)
@click.option("--dry-run", is_flag=True, help="Only say what solving would take.")
@fresh_option
@with_output(details=True)
@click.version_option(__version__, prog_name="ragers-solve")
def solve(
    asked: GivenScenarios,
    rules: GivenRules[Rules],
    seat: int,
    hand: str | None,
    effort: Effort,
    keeping: Keeping | None,
    dry_run: bool,
    fresh: bool,
    out: Output,
) -> None:
    """Find how to play a day of Ragers, what it is worth, and how exact that is.

    A day has one patron and one cheers card. Before it each player may exchange a card, unseen by default
    (redraw); the rulebook's discard is seen (--preparation seen). Answers come from the solution library
    where it has them, and are solved on the spot where not.
    """
    loaded = rules.load()
    if loaded.match.discards == 0 and asked.preparation not in (None, "none"):
        raise RequestError(f"these rules allow no discard, so there is no preparation {asked.preparation!r}")
    todo = scenarios(loaded, asked.patrons, asked.cheers, asked.preparation or "redraw")
    question = Question(
        player=seat, hand=_read_hand(hand, loaded, seat), effort=effort, fresh=fresh, parts=True
    )
    if keeping is not None:
        _check_keeping(todo, keeping)
        question = replace(question, keeping=keeping)
    if dry_run:
        from cli.ragers.views.dry_run import dry_run_report

        out.finish(*dry_run_report(todo, question.effort, out.form, quiet=out.quiet))
    answered, code = ask(todo, question, quiet=out.quiet)
    if not answered:
        raise click.exceptions.Exit(code)
    out.finish(_render(loaded, answered, question, out), code)


def _check_keeping(todo: Sequence[Scenario], keeping: Keeping) -> None:
    """Raise unless `todo` is one solve, and there is a place for it; what is none is not taken up."""
    if len(todo) > 1:
        raise RequestError(
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
        raise RequestError("the answer goes to stdout; name a file", "--checkpoint")
    if save_to is not None and not keeping.overwrite:
        try:
            check_checkpoint_place(save_to, mine)
        except CheckpointError as error:
            reason = f"{error}. It is not written over (--force would, and it would be lost)"
            raise RequestError(reason, "--checkpoint") from None


def _read_hand(text: str | None, rules: Rules, player: int) -> tuple[int, ...] | None:
    """Return the hand that was typed, checked against the deck of `player`."""
    if text is None:
        return None
    copies = tuple(card.copies[player] for card in rules.cards)
    try:
        counts = parse_hand(text)
        check_hand(counts, copies, rules.match.hand_size)
    except HandError as error:
        raise RequestError(str(error), "--hand") from None
    return counts


def _render(rules: Rules, answered: Sequence[Answered], question: Question, out: Output) -> str:
    """Return the answers in the format asked for."""
    copies = tuple(card.copies[question.player] for card in rules.cards)
    solved = []
    for item in answered:
        hand = None
        if question.hand is not None:
            assert item.strategy is not None
            hand = report.hand_report(item.strategy, question.hand, question.player, copies)
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
    days = [(each.scenario, each.answer) for each in answered]
    return view.rendered(report.solve_report(rules, days, solved, question.player), out)
