"""``ragers advise``: what to do now with this hand, at any point of a day, and why."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import click

from analysis.amounts import size
from analysis.files import check_output
from analysis.interrupt import Interrupt
from analysis.ragers.answers.asking import (
    EXIT_FAILURE,
    EXIT_INTERRUPTED,
    EXIT_MEMORY,
    EXIT_TARGET_NOT_REACHED,
    Answered,
    Question,
    read_rules,
)
from analysis.ragers.answers.report import rules_report
from analysis.ragers.answers.solving import Effort
from analysis.ragers.hands import LETTERS_HELP, HandError, check_hand, hand_names, parse_hand
from analysis.ragers.play import advice
from analysis.ragers.play.histories import HistoryError, Step, history_text, own_cards, parse_history
from analysis.ragers.scenarios import PREPARATIONS, Scenario, scenarios
from cli import grid
from cli.entry import command
from cli.output import write_output
from cli.ragers.asking import ask
from cli.ragers.commands.options import (
    SETTINGS,
    effort_options,
    examples,
    output_options,
    rules_options,
    take_limits,
)
from cli.ragers.progress import Reporter
from cli.ragers.views import advise as view
from engine.ragers.rules import PLAYERS

BELIEFS = ("strategy", "uniform")
DEFAULT_TOP = 8


@command(
    "advise",
    context_settings=SETTINGS,
    short_help="What to do now with this hand, and why.",
    epilog=examples(
        'ragers advise --patron Solennos --cheers two-bashers --hand "B B S C T"',
        'ragers advise --patron Solennos --cheers two-bashers --hand "B B S C T" --exchange',
        'ragers advise --patron Solennos --cheers two-bashers --history "B/S; P/D+?" --hand "B S C T H"',
        'ragers advise --patron Arianna --cheers two-bashers --history "V/B" --hand "B S S C T"',
        'ragers advise --patron Gharan-zul --cheers two-bashers --beliefs uniform --history "B/S; P/P; S/B"'
        ' --hand "B S C T H"',
    )
    + "\n\n\b\nHistory: steps separated by semicolons; in each your cards, a slash, the opponent's. V+B: a\n"
    "  Veteran, a Basher on top; D+?S: your Deadeye and what it hides; D+?: the opponent's; -: nothing.\n"
    "  With --preparation seen the first part is what was put away: -B/-S, or - for nothing.\n"
    "  A last part that stops in the middle of its step asks about the placement that is due: V/B."
    "\n\n\b\nExit codes: as for ragers solve.",
)
@click.option("--patron", required=True, metavar="NAME", help="Patron of the day.")
@click.option("--cheers", required=True, metavar="NAME", help="Cheers card on the table.")
@rules_options
@click.option(
    "--preparation",
    type=click.Choice(PREPARATIONS),
    default="redraw",
    show_default=True,
    help="Model of the discard before the day.",
)
@click.option(
    "--player", type=click.Choice(PLAYERS), default=PLAYERS[0], show_default=True, help="Who you are."
)
@click.option(
    "--hand",
    "hand_text",
    required=True,
    metavar="CARDS",
    help=f'Your hand now, after all draws, e.g. "B B S C V". Letters: {LETTERS_HELP}; names will do too.',
)
@click.option(
    "--history", "history_words", default="", metavar="STEPS", help='The day so far, e.g. "B/S; V+C/P".'
)
@click.option("--exchange", is_flag=True, help="Advise on the unseen exchange of the hand as dealt.")
@click.option(
    "--beliefs",
    type=click.Choice(BELIEFS),
    default=BELIEFS[0],
    show_default=True,
    help="What past placements say of hands: by the strategies, or as if any card had been as likely (needs"
    " no solve of earlier decisions).",
)
@click.option(
    "--top", type=click.IntRange(min=0), default=DEFAULT_TOP, show_default=True, help="Hands to list."
)
@effort_options
@output_options()
@click.pass_context
def advise(
    ctx: click.Context,
    /,
    patron: str,
    cheers: str,
    rules_files: tuple[Path, ...],
    overrides: tuple[str, ...],
    preparation: str,
    player: str,
    hand_text: str,
    history_words: str,
    exchange: bool,
    beliefs: str,
    top: int,
    fresh: bool,
    form: str,
    output: Path | None,
    quiet: bool,
    **limits: Any,
) -> None:
    """Advise on one decision: how often equilibrium takes each action of this hand, what each is worth and
    what the others cost, what the opponent may hold, and how exact all that is.

    The opening is answered from the library, or by solving the day. Later decisions are solved on the spot,
    with what the placements so far say about both hands; what was solved is kept for the steps that follow.
    Without any limit all solves of later decisions take about 12 seconds together.
    """
    rules = read_rules(rules_files, overrides)
    (scenario,) = scenarios(rules, [patron], [cheers], preparation)
    if output is not None:
        check_output(output)
    try:
        steps = parse_history(history_words)
        hand = parse_hand(hand_text)
    except HistoryError as error:
        raise click.BadParameter(str(error), param_hint="'--history'") from None
    except HandError as error:
        raise click.BadParameter(str(error), param_hint="'--hand'") from None
    if exchange and (steps or scenario.preparation != "redraw"):
        raise click.UsageError("--exchange is about the unseen exchange (redraw) before the first step")
    effort = take_limits(limits).effort()
    asked = _Asked(scenario, PLAYERS.index(player), hand, steps, exchange, beliefs, top, effort, fresh, quiet)
    report, code = asked.answer()
    if report is not None and not write_output(
        grid.in_format(report, form, view.csv_rows, view.sections, view.notes), output
    ):
        code = code or EXIT_FAILURE
    ctx.exit(code)


def _lighter(threads: int | None) -> str:
    """Return what would need less memory; `threads` would fit, if any number does."""
    if threads is not None:
        return f"Each thread takes its share: try --threads {threads}."
    return "Later steps need far less; --beliefs uniform solves none of the earlier ones."


@dataclass(frozen=True)
class _Asked:
    """A question, and the ways to answer it."""

    scenario: Scenario
    player: int
    hand: tuple[int, ...]
    steps: list[Step]
    exchange: bool
    beliefs: str
    top: int
    effort: Effort
    fresh: bool
    quiet: bool

    def answer(self) -> tuple[advice.AdviceReport | None, int]:
        """Return the report, if there is one, and the exit code."""
        opening = None
        if self.scenario.preparation != "seen" and (self.beliefs == "strategy" or not self.steps):
            opening, code = self._opening()
            if opening is None:
                if code == EXIT_MEMORY:
                    click.echo(
                        "The opening of this day is not stored, and too large to solve here. Past the"
                        " opening, --beliefs uniform does without it.",
                        err=True,
                    )
                return None, code
            if not self.steps:
                return self._from_opening(opening), code
        return self._from_position(opening)

    def _opening(self) -> tuple[Answered | None, int]:
        """The stored or solved day, for its opening."""
        effort = self.effort
        if self.steps:
            # The target is for the decision asked about; whatever is stored of the opening will do.
            effort = replace(effort, target_gp=None)
        else:
            self._check_hand(tuple(card.copies[self.player] for card in self.scenario.rules.cards))
        question = Question(self.player, None, effort, self.fresh and not self.steps, strategy=True)
        answered, code = ask([self.scenario], question, quiet=self.quiet)
        return (answered[0] if answered else None), code

    def _check_hand(self, copies: tuple[int, ...]) -> None:
        try:
            check_hand(self.hand, copies, self.scenario.rules.match.hand_size, own_cards(self.steps))
        except HandError as error:
            raise click.BadParameter(str(error), param_hint="'--hand'") from None

    def _from_opening(self, opening: Answered) -> advice.AdviceReport:
        strategy, answer = opening.strategy, opening.answer
        assert strategy is not None
        copies = [card.copies[self.player] for card in self.scenario.rules.cards]
        if self.exchange:
            found = advice.exchange_actions(strategy, self.player, self.hand, copies)
        else:
            found = advice.opening_actions(strategy, self.player, self.hand)
        held, plays = advice.opening_opponent(strategy, 1 - self.player, exchanged=not self.exchange)
        row = strategy.index(self.hand)
        reach = strategy.deal_probability if self.exchange else strategy.reach
        own, opp = answer.best_response_gp
        return self._report(
            found,
            held,
            plays,
            step=1,
            decision="exchange" if self.exchange else "place",
            hidden=[],
            reach=float(reach[self.player, row]),
            readings=[],
            best_response_gp=(own, opp) if self.player == 0 else (opp, own),
            from_library=opening.from_library,
            source=opening.source,
            **advice.opening_certificate(answer),
        )

    def _from_position(self, opening: Answered | None) -> tuple[advice.AdviceReport | None, int]:
        from analysis.ragers.play.advising import Adviser, state_of
        from solver.hidden_hands import MemoryRefused

        first = None
        if opening is not None:
            assert opening.strategy is not None
            first = (opening.strategy, f"opening: {opening.source}", opening.answer.nash_conv_gp)
        interrupt = Interrupt("Stopping: proving what there is; again to leave without.")
        with interrupt.installed(), Reporter(quiet=self.quiet, total=1) as reporter:
            adviser = Adviser(
                self.scenario,
                self.player,
                self.effort,
                first,
                uniform=self.beliefs == "uniform",
                fresh=self.fresh,
                begin=lambda title, limit: reporter.begin(title, 1, limit),
                progress=reporter,
                stop=interrupt,
                note=reporter.note,
            )
            try:
                decision = adviser.follow(self.steps)
                start = decision.position.start
                pool = start.pools[self.player].tolist()
                self._check_hand(tuple(n - away for n, away in zip(pool, decision.hidden, strict=True)))
                state = state_of(adviser, decision, self.hand)
                solution, how = adviser.solve(decision.position)
            except HistoryError as error:
                raise click.BadParameter(str(error), param_hint="'--history'") from None
            except MemoryRefused as refused:
                click.echo(
                    f"Refused {self.scenario.title}: solving on from there needs at least"
                    f" {size(refused.needed_bytes)}, and only {size(refused.limit_bytes)} may be used"
                    f" (--memory). {_lighter(refused.threads)}",
                    err=True,
                )
                return None, EXIT_MEMORY
        held, plays = advice.position_opponent(adviser, decision, solution)
        own, opp = solution.best_response_values
        report = self._report(
            advice.position_actions(adviser, decision, state, solution),
            held,
            plays,
            step=start.step + 1,
            decision=adviser.kind(decision),
            hidden=hand_names(decision.hidden),
            reach=float(decision.position.ranges[self.player][state]),
            readings=[
                advice.ReadingReport(r.step, r.source, r.nash_conv_gp, r.probability, r.trembled)
                for r in decision.readings
            ],
            best_response_gp=(own, opp) if self.player == 0 else (opp, own),
            nash_conv_gp=solution.nash_conv,
            certified=True,
            certificate="exact best response on the rest of the un-merged game, ranges given; rounding"
            " counted",
            from_library=False,
            source=f"{how} (exact, {solution.iterations} iterations in {solution.seconds:.1f} s)",
            iterations=solution.iterations,
            seconds=solution.seconds,
            seed=solution.seed,
        )
        if interrupt.requested:
            return report, EXIT_INTERRUPTED
        target_gp = self.effort.target_gp
        missed = target_gp is not None and solution.nash_conv > target_gp
        return report, EXIT_TARGET_NOT_REACHED if missed else 0

    def _report(
        self,
        actions: list[tuple[str, float, float]],
        held: list[tuple[tuple[int, ...], tuple[int, ...], float]],
        plays: list[float] | None,
        **fields: Any,
    ) -> advice.AdviceReport:
        rows, mixed, best = advice.actions_report(actions)
        types, hands, left_out = advice.opponent_report(held, plays, self.top)
        return advice.AdviceReport(
            rules=rules_report(self.scenario.rules),
            patron=self.scenario.patron.id,
            cheers=self.scenario.cheers.id,
            preparation=self.scenario.preparation,  # type: ignore[arg-type]  # one of the three
            player=PLAYERS[self.player],  # type: ignore[arg-type]  # one of both
            beliefs=self.beliefs,  # type: ignore[arg-type]  # one of both
            history=history_text(self.steps),
            hand=hand_names(self.hand),
            actions=rows,
            ev_gp=mixed,
            best_ev_gp=best,
            opponent_types=types,
            opponent_hands=hands,
            opponent_hands_left_out=left_out,
            **fields,
        )
