"""``ragers-solve``: certified equilibria of single days."""

from __future__ import annotations

import traceback
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cli import __version__
from cli.interrupt import Interrupt
from cli.output import check_output, to_json, write_output
from cli.parameters import duration, memory
from cli.ragers import library, report, tables
from cli.ragers.answers import Answer, HandStrategy
from cli.ragers.hands import LETTERS_HELP, HandError, check_hand, parse_hand
from cli.ragers.parameters import glory_points
from cli.ragers.progress import Reporter, clock, size
from cli.ragers.scenarios import PREPARATIONS, Scenario, scenarios
from cli.ragers.solving import DEFAULT_TIME_LIMIT_S, Effort, Keeping
from engine.ragers.isomorphism import relabelling
from engine.ragers.rules import PLAYERS, Rules, RulesError, load_rules

if TYPE_CHECKING:
    from solver.hidden_hands import Habit

EXIT_FAILURE = 1
EXIT_TARGET_NOT_REACHED = 3
EXIT_MEMORY = 4
EXIT_INTERRUPTED = 130

#: What a run that met several of them exits with: the first one here.
_SEVERITY = (EXIT_INTERRUPTED, EXIT_FAILURE, EXIT_MEMORY, EXIT_TARGET_NOT_REACHED, 0)

FORMATS = ("table", "json", "csv", "md")


def worst(codes: Collection[int]) -> int:
    """Return the most serious of some exit codes."""
    return next(code for code in _SEVERITY if code in codes)


@dataclass(frozen=True)
class Question:
    """What is to be found out about each scenario.

    Attributes
    ----------
    player
        Whose point of view.
    hand
        Cards of each type in the hand asked about, or None.
    effort
        How to solve.
    fresh
        Whether stored answers do not count.
    strategy
        Whether the openings hand by hand are wanted, even if no hand is asked about.
    habits
        Frequencies that are fixed; answers with any are neither looked up nor kept.
    keeping
        Where the solve is saved, and which one is taken up; None for neither.
    """

    player: int
    hand: tuple[int, ...] | None
    effort: Effort
    fresh: bool
    strategy: bool = False
    habits: tuple[Habit, ...] = ()
    keeping: Keeping | None = None

    @property
    def by_hand(self) -> bool:
        """Whether an answer without its strategy is of no use."""
        return self.strategy or self.hand is not None


@dataclass(frozen=True)
class Answered:
    """A scenario with its answer.

    Attributes
    ----------
    scenario, answer
        Question and numbers.
    strategy
        Hand by hand; None where it was not read.
    from_library
        Whether it was stored before this run.
    source
        Where it comes from, in words.
    relabelled_from
        Id of the cheers card whose solve this is under other names, or None.
    """

    scenario: Scenario
    answer: Answer
    strategy: HandStrategy | None
    from_library: bool
    source: str
    relabelled_from: str | None = None


def read_rules(files: Sequence[Path], overrides: Sequence[str]) -> Rules:
    """Return the rules of a command line.

    Raises
    ------
    click.UsageError
        If a file or an override is wrong.
    """
    try:
        return load_rules(files, overrides)
    except RulesError as error:
        raise click.UsageError(str(error)) from None


@click.command(
    "solve",
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Exit codes: 0 answered; 1 failure; 2 wrong usage; 3 target not reached (best so far printed);"
    " 4 refused for memory; 130 interrupted (best so far printed).",
)
@click.option("--patron", "patrons", multiple=True, metavar="NAME", help="Patron; repeatable. Default: all.")
@click.option("--cheers", multiple=True, metavar="NAME", help="Cheers card; repeatable. Default: all.")
@click.option(
    "--rules",
    "rules_files",
    multiple=True,
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="TOML file with the values that differ from the box; repeatable.",
)
@click.option(
    "--set", "overrides", multiple=True, metavar="KEY=VALUE", help="E.g. cards.basher.gp=4; repeatable."
)
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
    help="The whole public tree, or histories with equal rows merged; auto merges where it must for memory.",
)
@click.option(
    "--player", type=click.Choice(PLAYERS), default=PLAYERS[0], show_default=True, help="Whose view."
)
@click.option(
    "--hand",
    metavar="CARDS",
    help=f'Mix and worth of each action for one hand, e.g. "B B S C V". Letters: {LETTERS_HELP};'
    " names, also shortened, will do too.",
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
@click.option(
    "--checkpoint",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Save the running solve there now and then, at the end, and on Ctrl-C.",
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
@click.option("--dry-run", is_flag=True, help="Only say what solving would take.")
@click.option("--fresh", is_flag=True, help="Solve again, whatever is stored.")
@click.option("--format", "form", type=click.Choice(FORMATS), default="table", show_default=True)
@click.option("--output", type=click.Path(path_type=Path), help="File to write instead of stdout.")
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
    target: float | None,
    time_limit: float | None,
    iterations: int | None,
    threads: int,
    seed: int,
    memory: int | None,
    checkpoint: Path | None,
    checkpoint_every: float,
    resume: Path | None,
    dry_run: bool,
    fresh: bool,
    form: str,
    output: Path | None,
    quiet: bool,
) -> None:
    """Find how to play a day of Ragers, what it is worth, and how exact that is.

    A day has one patron and one cheers card. Answers come from the solution library where it has them, and
    are solved on the spot where not.
    """
    rules = read_rules(rules_files, overrides)
    if rules.match.discards == 0 and preparation not in (None, "none"):
        raise click.UsageError(f"these rules allow no discard, so there is no preparation {preparation!r}")
    todo = scenarios(rules, patrons, cheers, preparation or "redraw")
    question = Question(
        player=PLAYERS.index(player),
        hand=_read_hand(hand, rules, PLAYERS.index(player)),
        effort=Effort(method, target, time_limit, iterations, threads, seed, memory, profile=True),
        fresh=fresh,
    )
    if checkpoint is not None or resume is not None:
        question = replace(question, keeping=_keeping(todo, checkpoint, resume, checkpoint_every))
    if output is not None and str(output) != "-":
        check_output(output)
    else:
        output = None
    if dry_run:
        from cli.ragers.dry_run import dry_run_report

        text, code = dry_run_report(todo, question.effort, form)
    else:
        answered, code = answer_all(todo, question, quiet=quiet)
        text = _render(rules, answered, question, form, to_terminal=output is None) if answered else ""
    if text and not write_output(text, output):
        code = code or EXIT_FAILURE
    ctx.exit(code)


def _keeping(
    todo: Sequence[Scenario], checkpoint: Path | None, resume: Path | None, interval_s: float
) -> Keeping:
    """Return where the one solve of `todo` is kept; what cannot be taken up is refused before any work."""
    if len(todo) > 1:
        raise click.UsageError(
            f"--checkpoint and --resume are for one solve, and {len(todo)} scenarios were asked for;"
            " name one with --patron and --cheers"
        )
    if resume is not None:
        from cli.ragers.solving import identity
        from solver.hidden_hands import CheckpointError, check_checkpoint

        try:
            check_checkpoint(resume, identity(todo[0]))
        except CheckpointError as error:
            raise _no_resume(error) from None
    return Keeping(checkpoint or resume, resume, interval_s)


def _no_resume(error: Exception) -> click.BadParameter:
    return click.BadParameter(str(error), param_hint="'--resume'")


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


def answer_all(todo: Sequence[Scenario], question: Question, *, quiet: bool) -> tuple[list[Answered], int]:
    """Answer scenario after scenario until done or interrupted.

    Returns
    -------
    tuple
        What was answered, in the order asked, and the exit code.
    """
    answered: list[Answered] = []
    codes = {0}
    interrupt = Interrupt()
    with interrupt.installed(), Reporter(quiet=quiet, total=len(todo)) as reporter:
        for number, scenario in enumerate(todo, 1):
            try:
                result = stored_answer(scenario, question)
                if result is not None and question.keeping is not None:
                    click.echo("This is stored already: nothing to save (--fresh solves again).", err=True)
                result = result or _renamed(scenario, answered, question)
                if result is None:
                    reporter.begin(scenario.title, number, _time_limit_s(question.effort))
                    result = _solved(scenario, question, reporter, interrupt)
            except KeyboardInterrupt:
                interrupt.requested = True
                break
            except click.UsageError:
                raise
            except _Refused as refusal:
                click.echo(f"Refused {scenario.title}: {refusal}", err=True)
                codes.add(EXIT_MEMORY)
                continue
            except Exception:
                # What was answered before is still worth printing; the traceback is for the bug report.
                traceback.print_exc()
                click.echo(f"Error: {scenario.title} failed; see above.", err=True)
                codes.add(EXIT_FAILURE)
                continue
            answered.append(result)
            if interrupt.requested:
                break
            if not _reached(result.answer, question.effort):
                codes.add(EXIT_TARGET_NOT_REACHED)
    if interrupt.requested:
        codes.add(EXIT_INTERRUPTED)
    return answered, worst(codes)


class _Refused(Exception):
    """Too much memory needed; the message says how much and what to do."""


def _time_limit_s(effort: Effort) -> float | None:
    return DEFAULT_TIME_LIMIT_S if effort.unlimited else effort.time_limit_s


def _reached(answer: Answer, effort: Effort) -> bool:
    """Return whether the target asked for, if any, is certified."""
    return effort.target_gp is None or (answer.certified and answer.nash_conv_gp <= effort.target_gp)


def stored_answer(scenario: Scenario, question: Question) -> Answered | None:
    """Return a stored answer that is good enough, or None."""
    if question.fresh or question.habits:
        return None
    if question.keeping is not None and question.keeping.resume_from is not None:
        return None
    candidates = [scenario]
    candidates += [
        Scenario(scenario.rules, scenario.patron, card, scenario.preparation)
        for card in scenario.rules.cheers
        if card.id != scenario.cheers.id
    ]
    for candidate in candidates:
        types = relabelling(candidate.day, scenario.day)
        found = None if types is None else library.find(candidate)
        if found is None or types is None or not _reached(found.entry.answer, question.effort):
            continue
        if library.carried().find(candidate) is None and not question.effort.is_met_by(found.entry.answer):
            continue  # A short try of yesterday is no answer to who is ready to wait longer today.
        strategy = None
        if question.by_hand:
            strategy = found.strategy()
            if strategy is None:
                continue  # A damaged file: better to solve again than to answer half.
            strategy = strategy.relabelled(types)
        entry = found.entry
        renamed = candidate is not scenario
        return Answered(
            scenario,
            entry.answer.relabelled(types, scenario.day.sha256) if renamed else entry.answer,
            strategy,
            True,
            _source(f"solution {found.library}", entry.answer),
            entry.relabelled_from or (candidate.cheers.id if renamed else None),
        )
    return None


def _renamed(scenario: Scenario, answered: Sequence[Answered], question: Question) -> Answered | None:
    """Return the answer this run found to the same game under other names of the attacks, or None."""
    for other in () if question.habits else answered:
        if other.strategy is None and question.by_hand:
            continue
        types = relabelling(other.scenario.day, scenario.day)
        if types is None or other.scenario.preparation != scenario.preparation:
            continue
        return Answered(
            scenario,
            other.answer.relabelled(types, scenario.day.sha256),
            None if other.strategy is None else other.strategy.relabelled(types),
            other.from_library,
            other.source,
            other.relabelled_from or other.scenario.cheers.id,
        )
    return None


def _solved(scenario: Scenario, question: Question, reporter: Reporter, interrupt: Interrupt) -> Answered:
    """Solve `scenario`, and keep the answer for next time."""
    from cli.ragers import solving
    from solver.hidden_hands import CannotMerge, CheckpointError, MemoryRefused

    keeping = question.keeping
    checkpoint = None if keeping is None else keeping.checkpoint(scenario, reporter.say)
    try:
        answer, strategy = solving.solve(
            scenario, question.effort, reporter, interrupt, question.habits, checkpoint
        )
    except CheckpointError as error:
        raise _no_resume(error) from None
    except CannotMerge as error:
        raise click.UsageError(
            f"--method merged: {error}; try --preparation redraw, or --method exact."
        ) from None
    except MemoryRefused as refused:
        raise _Refused(
            f"solving it needs {size(refused.needed_bytes)}, and only {size(refused.limit_bytes)} may be used"
            " (--memory). Try a smaller variant (--set match.hand_size=4, or fewer slots)"
            " or a machine with more."
        ) from None
    if answer.certified and not question.habits:
        own = library.own()
        try:
            known = own.find(scenario)
            if known is None or answer.nash_conv_gp < known.entry.answer.nash_conv_gp:
                own.store(scenario, answer, strategy)
        except OSError as error:
            reporter.note(f"Could not keep the answer in {own.root}: {error.strerror or error}")
    return Answered(scenario, answer, strategy, False, _source("solved now", answer))


def _source(what: str, answer: Answer) -> str:
    text = f"{what} ({answer.method}, {answer.iterations} iterations in {clock(answer.seconds)}"
    return text + (")" if what == "solved now" else f", version {answer.version})")


def _render(
    rules: Rules, answered: Sequence[Answered], question: Question, form: str, *, to_terminal: bool
) -> str:
    """Return the answers in the format asked for."""
    solved = []
    for item in answered:
        hand = None
        if question.hand is not None:
            assert item.strategy is not None
            hand = report.hand_report(item.strategy, question.hand, question.player)
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
    whole = report.SolveReport(rules=report.rules_report(rules), scenarios=solved)
    if form == "json":
        return to_json(whole)
    if form == "csv":
        return report.to_csv(whole)
    if form == "md":
        return tables.to_markdown(whole)
    import os
    import sys

    color = to_terminal and sys.stdout.isatty() and "NO_COLOR" not in os.environ
    return tables.to_text(whole, color=color)
