"""A decision asked about: from the library, or by solving the day from there on."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

from analysis.amounts import counted, size
from analysis.errors import RequestError
from analysis.exit_codes import EXIT_INTERRUPTED, EXIT_MEMORY, EXIT_TARGET_NOT_REACHED
from analysis.interrupt import Interrupt
from analysis.progress import Reporter
from analysis.ragers.answers import library
from analysis.ragers.answers.answered import Answered
from analysis.ragers.answers.asking import Question, answer_all
from analysis.ragers.answers.reached import pool_after
from analysis.ragers.answers.report import action_name, day_report
from analysis.ragers.answers.solving import Effort
from analysis.ragers.answers.trust import trust_in
from analysis.ragers.hands import HandError, check_hand, hand_names
from analysis.ragers.play import advice
from analysis.ragers.play.histories import HistoryError, Step, history_text, own_cards
from analysis.ragers.play.stored_steps import StoredDecision, stored_decision
from analysis.ragers.scenarios import Scenario
from engine.ragers.rules import PLAYERS


@dataclass(frozen=True)
class Asked:
    """A question, and the ways to answer it; with no cards in `hand` the likeliest one is asked about."""

    scenario: Scenario
    player: int
    hand: tuple[int, ...]
    steps: list[Step]
    exchange: bool
    beliefs: str
    top: int
    effort: Effort
    fresh: bool
    reporter: Reporter

    def answer(self) -> tuple[advice.AdviceAnswer | None, int]:
        """Return the report, if there is one, and the exit code."""
        opening = None
        if self.scenario.preparation != "seen" and (self.beliefs == "strategy" or not self.steps):
            opening, code = self._opening()
            if opening is None:
                if code == EXIT_MEMORY:
                    self.reporter.say(
                        "The opening of this day is not stored, and too large to solve here. Past the"
                        " opening, --beliefs uniform does without it."
                    )
                return None, code
            if not self.steps:
                return self._from_opening(opening), code
            opening = self._with_second_step(opening)
            if (stored := self._stored(opening)) is not None:
                return self._from_stored(opening, stored), code
        return self._from_position(opening)

    def _with_second_step(self, opening: Answered) -> Answered:
        """Return the opening with what is stored of the second step."""
        strategy = opening.strategy
        if strategy is None or strategy.second is not None or not opening.from_library:
            return opening
        return replace(opening, strategy=replace(strategy, second=library.second_step(self.scenario)))

    def _stored(self, opening: Answered) -> StoredDecision | None:
        """The decision as it is stored, where that is as good as was asked for."""
        answer, effort = opening.answer, self.effort
        enough = effort.unlimited or effort.is_met_by(answer)
        if self.fresh or not enough or not trust_in(answer).answers or opening.strategy is None:
            return None
        return stored_decision(self.scenario, self.player, self.steps, opening.strategy, answer.nash_conv_gp)

    def _opening(self) -> tuple[Answered | None, int]:
        """The stored or solved day, for its opening."""
        effort = self.effort
        if self.steps:
            # The target is for the decision asked about; whatever is stored of the opening will do.
            effort = replace(effort, target_gp=None)
        elif any(self.hand):
            self._check_hand(tuple(card.copies[self.player] for card in self.scenario.rules.cards))
        question = Question(self.player, None, effort, self.fresh and not self.steps, strategy=True)
        answered, code = answer_all([self.scenario], question, self.reporter)
        return (answered[0] if answered else None), code

    def _check_hand(self, copies: tuple[int, ...]) -> None:
        try:
            check_hand(self.hand, copies, self.scenario.rules.match.hand_size, own_cards(self.steps))
        except HandError as error:
            raise RequestError(str(error), "--hand") from None

    def _from_opening(self, opening: Answered) -> advice.AdviceAnswer:
        strategy, answer = opening.strategy, opening.answer
        assert strategy is not None
        if not any(self.hand):
            likely = strategy.deal_probability if self.exchange else strategy.reach
            hand = strategy.hands[int(likely[self.player].argmax())].tolist()
            return replace(self, hand=tuple(hand))._from_opening(opening)
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
            range_mix=advice.opening_range(strategy, self.player, exchange=self.exchange),
            **advice.opening_certificate(answer),
        )

    def _from_stored(self, opening: Answered, stored: StoredDecision) -> advice.AdviceAnswer:
        """Advice that is read from the entry of the day."""
        answer, later, me = opening.answer, stored.here.later, self.player
        if not any(self.hand):
            return replace(self, hand=stored.likeliest_hand())._from_stored(opening, stored)
        left = pool_after(self.scenario.day, me, [card for card in later.shown[me] if card >= 0])
        self._check_hand(tuple(n - away for n, away in zip(left, stored.hidden, strict=True)))
        try:
            state = stored.state(self.hand)
        except HistoryError as error:
            raise RequestError(str(error), "--history") from None
        mix, worth = later.mix[me][state].tolist(), later.worth[me][state].tolist()
        shares = stored.shares(me)
        assert shares is not None
        plays = None if later.kind == "hide" else stored.shares(1 - me)
        own, opp = later.best_response_gp
        seen = [pair if me == 0 else pair[::-1] for pair in stored.here.seen]
        return self._report(
            [(action_name(a), mix[a], worth[a]) for a in range(len(mix)) if not math.isnan(worth[a])],
            stored.held(1 - me),
            plays,
            step=2 if later.kind == "place" else 1,
            decision=later.kind,
            hidden=hand_names(stored.hidden),
            reach=float(stored.ranges[me][state]),
            readings=[
                advice.ReadingReport(1, opening.source, answer.nash_conv_gp, pair, (False, False))
                for pair in seen
            ],
            best_response_gp=(own, opp) if me == 0 else (opp, own),
            nash_conv_gp=stored.nash_conv_gp,
            certified=True,
            certificate=stored.certificate,
            from_library=True,
            source=f"second step: {opening.source}",
            range_mix=advice.named_shares(shares, "nothing"),
            iterations=answer.iterations,
            seconds=answer.seconds,
            seed=answer.seed,
        )

    def _from_position(self, opening: Answered | None) -> tuple[advice.AdviceAnswer | None, int]:
        from analysis.ragers.play.advising import DEFAULT_TARGET_GP, Adviser, likeliest_hand, state_of
        from solver.hidden_hands import MemoryRefused

        first = None
        if opening is not None:
            assert opening.strategy is not None
            first = (opening.strategy, f"opening: {opening.source}", opening.answer.nash_conv_gp)
        interrupt = Interrupt("Stopping: proving what there is; again to leave without.")
        reporter = self.reporter
        with interrupt.installed():
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
                if not any(self.hand):
                    hand = likeliest_hand(adviser, decision)
                    return replace(self, hand=hand)._from_position(opening)
                pool = start.pools[self.player].tolist()
                self._check_hand(tuple(n - away for n, away in zip(pool, decision.hidden, strict=True)))
                state = state_of(adviser, decision, self.hand)
                solution, how = adviser.solve(decision.position)
            except HistoryError as error:
                raise RequestError(str(error), "--history") from None
            except MemoryRefused as refused:
                self.reporter.say(
                    f"Refused {self.scenario.title}: solving on from there needs at least"
                    f" {size(refused.needed_bytes)}, and only {size(refused.limit_bytes)} may be used"
                    f" (--memory). {_lighter(refused.threads)}"
                )
                return None, EXIT_MEMORY
        held, plays = advice.position_opponent(adviser, decision, solution)
        wanted = DEFAULT_TARGET_GP if self.effort.target_gp is None else self.effort.target_gp
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
            range_mix=advice.position_range(adviser, decision, solution),
            source=f"{how} (exact, {counted(solution.iterations, 'iteration')} in {solution.seconds:.1f} s"
            f"{'' if solution.nash_conv <= wanted else ', not finished'})",
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
    ) -> advice.AdviceAnswer:
        rows, mixed, best = advice.actions_report(actions)
        trust = fields.get("trust")
        shown = advice.mix_holds(rows, fields["nash_conv_gp"]) and (trust is None or trust.answers)
        if not shown:
            rows = sorted(rows, key=lambda row: row.cost_gp)
        types, hands, left_out = advice.opponent_report(held, plays, self.top)
        return advice.AdviceAnswer(
            patron=self.scenario.patron.id,
            cheers=self.scenario.cheers.id,
            preparation=self.scenario.preparation,  # type: ignore[arg-type]  # one of the three
            player=PLAYERS[self.player],  # type: ignore[arg-type]  # one of both
            beliefs=self.beliefs,  # type: ignore[arg-type]  # one of both
            history=history_text(self.steps),
            hand=hand_names(self.hand),
            actions=rows,
            mix_shown=shown,
            day=day_report(self.scenario),
            ev_gp=mixed,
            best_ev_gp=best,
            opponent_types=types,
            opponent_hands=hands,
            opponent_hands_left_out=left_out,
            **fields,
        )


def _lighter(threads: int | None) -> str:
    """Return what would need less memory; `threads` would fit, if any number does."""
    if threads is not None:
        return f"Each thread takes its share: try --threads {threads}."
    return "Later steps need far less; --beliefs uniform solves none of the earlier ones."
