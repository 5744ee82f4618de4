"""From the day so far to a decision: what may be believed of both hands, and how to play on.

The opening's strategy comes from the library, or from a solve of the whole day. What was placed then says
which hands are likely (Bayes' rule); the rest of the day is solved with these ranges, its strategy reads the
next decision, and so on up to the one that advice is asked about.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from analysis.ragers.answers.answer import HandStrategy
from analysis.ragers.answers.solving import Effort, solve_rest, tables
from analysis.ragers.hands import hand_names
from analysis.ragers.play import kept_positions
from analysis.ragers.play.histories import HistoryError, Step, Word
from analysis.ragers.play.stored_steps import mixes_by_pair, shown_by_seat
from analysis.ragers.scenarios import Scenario
from engine.ragers.rules import NUM_TYPES, TYPES
from solver.hidden_hands.spaces import EXCHANGE, HIDE, PLACE

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from solver.hidden_hands import Position, PositionSolution, Progress
    from solver.hidden_hands.course import Course

#: With no limit given, all solves on the spot together take about this long, and each stops at this NashConv.
DEFAULT_TIME_LIMIT_S = 12.0
DEFAULT_TARGET_GP = 0.01
#: A solve that later ones wait for may take this share of the time left; later ones are much smaller.
_SHARE = 0.6
_TIME_SPENT = 0.8

_KINDS = {PLACE: "place", HIDE: "hide", EXCHANGE: "exchange"}
_DID = {"place": "placed", "hide": "hid", "exchange": "put away (- for nothing)"}

Mixes = tuple["NDArray[np.float64]", "NDArray[np.float64]"]


@dataclass(frozen=True)
class Reading:
    """How a decision of the past was read.

    Attributes
    ----------
    step : its step, from 1; 0 for the exchange before the day.
    source : where the strategy comes from that read it, in words.
    nash_conv_gp : of that strategy; None where it is none of a solve.
    probability : of what each player did, by that strategy and over its whole range; None for who did not
        act. Own player first.
    trembled : whether that was so unlikely that uniform play was mixed in.
    """

    step: int
    source: str
    nash_conv_gp: float | None
    probability: tuple[float | None, float | None]
    trembled: tuple[bool, bool]


@dataclass(frozen=True)
class Decision:
    """A decision, and what is known when it is due.

    Attributes
    ----------
    position : where the day stands.
    readings : how the past was read.
    hidden : cards of each type the player has hidden.
    """

    position: Position
    readings: list[Reading]
    hidden: tuple[int, ...]


class Adviser:
    """Walks through a day and solves on the spot what no strategy is there for.

    Parameters
    ----------
    effort : limits for all solves together, except the memory, which is for each.
    opening : the strategy of the opening, its source in words, and its NashConv, if known; None if there is
        none. With a seen exchange, one of an unseen exchange may stand in: it then reads that, too.
    uniform : whether the past is read as though everybody had placed any card it could, each as likely.
    fresh : whether positions are solved again, whatever is kept.
    begin : told the title of each solve, and its time limit (s).
    progress, stop : as for `solving.solve`.
    note : told what could not be kept.
    """

    def __init__(
        self,
        scenario: Scenario,
        player: int,
        effort: Effort,
        opening: tuple[HandStrategy, str, float | None] | None,
        *,
        uniform: bool = False,
        fresh: bool = False,
        begin: Callable[[str, float | None], None] = lambda title, limit: None,
        progress: Callable[[Progress], None] | None = None,
        stop: Callable[[], bool] | None = None,
        note: Callable[[str], None] = lambda text: None,
    ) -> None:
        from solver.hidden_hands.course import Course

        self.scenario = scenario
        self.player = player
        self.course: Course = Course(tables(scenario))
        self._effort = effort
        self._opening = opening
        self._uniform = uniform
        self._fresh = fresh
        self._begin, self._progress, self._stop, self._note = begin, progress, stop, note
        self._spent_s = 0.0
        self._shown: list[list[Word]] = [[], []]  # what both did so far, own player first

    def follow(self, steps: Sequence[Step]) -> Decision:
        """Return the decision after the given steps.

        Raises
        ------
        HistoryError
            If no day can go like this, or nothing is left to decide.
        MemoryRefused
            If a position on the way cannot be solved within the memory allowed.
        """
        position = self._first()
        self._shown = [[], []]
        readings: list[Reading] = []
        hidden = [0] * NUM_TYPES
        for number, step in enumerate(steps, 1):
            where = f"part {number}, {'/'.join('+'.join(w.text for w in side) for side in step)!r}"
            queues = [list(step[0]), list(step[1])]
            done = 0
            while True:
                if done and self.course.begins_step(position.start):
                    break
                words = self._take(position, queues, where, last=number == len(steps) and done > 0)
                if words is None:
                    return self._decision(position, readings, hidden)
                following, reading = self._play(position, words, where)
                readings.append(reading)
                own = words[0]
                if own is not None and own.hidden and own.card is not None:
                    hidden[own.card] += 1
                if following is None:
                    raise HistoryError(
                        f"{where}: the day is over with it, so there is nothing left to decide"
                    )
                position = following
                done += 1
            left = [word.text for queue in queues for word in queue]
            if left:
                raise HistoryError(f"{where}: the step is over before {' '.join(left)}")
        return self._decision(position, readings, hidden)

    def solve(self, position: Position, *, last: bool = True) -> tuple[PositionSolution, str]:
        """Return how to play on from a position, kept or solved now, and which of both it is, in words.

        TooShortError if the limit is over before anything is proved, and nothing is kept.
        """
        kept = None if self._fresh else kept_positions.find(self.scenario, position)
        target_gp, limit_s = self._limits(last=last)
        if kept is not None and self._is_enough(kept, target_gp, limit_s):
            return kept, "kept from an earlier solve"
        settings = self._effort.settings("none", target_gp, limit_s)
        self._begin(f"{self.scenario.title}, from step {position.start.step + 1} on", limit_s)
        solution = solve_rest(self.course, position, settings, self._progress, self._stop)
        self._spent_s += solution.seconds
        if kept is not None and kept.nash_conv <= solution.nash_conv:
            return kept, "kept from an earlier solve"
        try:
            kept_positions.store(self.scenario, position, solution)
        except OSError as error:
            self._note(f"Could not keep the solve: {error.strerror or error}")
        return solution, "solved now"

    def _limits(self, *, last: bool) -> tuple[float | None, float | None]:
        """NashConv to stop a solve at, and seconds it may take."""
        effort = self._effort
        if effort.unlimited:
            effort = replace(effort, target_gp=DEFAULT_TARGET_GP, time_limit_s=DEFAULT_TIME_LIMIT_S)
        if effort.time_limit_s is None:
            return effort.target_gp, None
        left = max(effort.time_limit_s - self._spent_s, 0.02 * effort.time_limit_s)
        return effort.target_gp, left if last else _SHARE * left

    def _is_enough(self, kept: PositionSolution, target_gp: float | None, limit_s: float | None) -> bool:
        iterations = self._effort.iterations
        return (
            (target_gp is not None and kept.nash_conv <= target_gp)
            or (limit_s is not None and kept.seconds >= _TIME_SPENT * limit_s)
            or (iterations is not None and kept.iterations >= iterations)
        )

    def _first(self) -> Position:
        """The position in which the day begins, with the ranges of its opening."""
        from solver.hidden_hands import Position

        seen = self.scenario.preparation == "seen"
        position = self.course.begin(exchange=seen)
        if seen or self._opening is None:
            return position
        strategy = self._opening[0]
        ranges = []
        for p in range(2):
            reach = strategy.reach[p][self._rows(position, strategy, p)]
            ranges.append(reach / reach.sum())
        return Position(position.start, (ranges[0], ranges[1]))

    def _rows(self, position: Position, strategy: HandStrategy, player: int) -> NDArray[np.int64]:
        """Rows of the stored hands by private state."""
        import numpy as np

        rows = {tuple(hand): row for row, hand in enumerate(strategy.hands.tolist())}
        held, _ = self.course.states(position.start, player)
        return np.array([rows[tuple(hand)] for hand in held.tolist()], np.int64)

    def _take(
        self, position: Position, queues: list[list[Word]], where: str, *, last: bool
    ) -> tuple[Word | None, Word | None] | None:
        """What both players did at a decision, own player first; None where that is still to come."""
        start = position.start
        words: list[Word | None] = []
        missing, given = [], False
        for side, queue in enumerate(queues):
            seat = self.player if side == 0 else 1 - self.player
            word = None
            if (start.acts >> seat) & 1:
                if queue:
                    word = queue.pop(0)
                    given = True
                elif not int(start.pools[seat].sum()) - start.hidden[seat]:
                    word = Word("-")  # It holds nothing: no need to say what it places.
                else:
                    missing.append("you" if side == 0 else "the opponent")
            words.append(word)
        if missing and last and not given and not any(queues):
            return None
        if missing:
            did = _DID[_KINDS[start.kind]]
            raise HistoryError(f"{where}: it does not say what {' and '.join(missing)} {did}")
        return words[0], words[1]

    def _play(
        self, position: Position, words: tuple[Word | None, Word | None], where: str
    ) -> tuple[Position | None, Reading]:
        by_seat = words if self.player == 0 else (words[1], words[0])
        options = [0, 0]
        for seat, word in enumerate(by_seat):
            if word is not None:
                options[seat] = self._option(position, word, where, own=seat == self.player)
        mixes, source, nash_conv = self._believed(position)
        try:
            following, seen = self.course.play(position, (options[0], options[1]), mixes)
        except ValueError as error:
            raise HistoryError(f"{where}: this cannot have been placed here: {error}") from None
        own, opp = seen if self.player == 0 else (seen[1], seen[0])
        for past, word in zip(self._shown, words, strict=True):
            past += [] if word is None else [word]
        is_exchange = _KINDS[position.start.kind] == "exchange"
        return following, Reading(
            0 if is_exchange else position.start.step + 1,
            source,
            nash_conv,
            (own.probability if own else None, opp.probability if opp else None),
            (own is not None and own.trembled, opp is not None and opp.trembled),
        )

    def _option(self, position: Position, word: Word, where: str, *, own: bool) -> int:
        """The local action of a word."""
        kind = _KINDS[position.start.kind]
        whose = "your" if own else "the opponent's"
        if kind == "hide":
            if not word.hidden and word.text != "-":
                raise HistoryError(
                    f"{where}: {whose} Deadeye hides a further card first: write D+?{'S' if own else ''}"
                    " (or D+- if no card could be hidden)"
                )
            if own and word.hidden and word.card is None:
                raise HistoryError(f"{where}: say which card you hid, e.g. ?S")
            if not own and word.card is not None:
                raise HistoryError(f"{where}: the opponent's hidden card is not known to you; write ?")
            return 0 if word.hidden else 1
        if word.hidden:
            raise HistoryError(f"{where}: no card is hidden here ({word.text})")
        if word.away != (kind == "exchange" and word.card is not None):
            raise HistoryError(
                f"{where}: cards put away come first, as -B/-S, and only with --preparation seen"
                if word.away
                else f"{where}: before the day cards are put away: write -{word.text}, or - for none"
            )
        option = self.course.option(position.start, -1 if word.card is None else word.card)
        if option is None:
            what = "nothing" if word.card is None else TYPES[word.card]
            raise HistoryError(f"{where}: {self.scenario.patron.name} lets nobody place {what}")
        return option

    def _believed(self, position: Position) -> tuple[Mixes, str, float | None]:
        """The strategies a decision is read by, where they come from, and their NashConv."""
        course, start = self.course, position.start
        uniform = (course.uniform(start, 0), course.uniform(start, 1))
        if self._uniform:
            return uniform, "any card, each as likely (--beliefs uniform)", None
        if all((mix == 1.0).all() for mix in uniform):
            return uniform, "no choice", None
        if self._opening is not None and start.step == 0:
            strategy, source, nash_conv = self._opening
            table = strategy.opening if course.begins_step(start) else None
            if start.kind == EXCHANGE:
                table = strategy.preparation_mix
            if table is not None:
                mixes = []
                for p in range(2):
                    states, cards, _ = course.pairs(start, p)
                    rows = self._rows(position, strategy, p)
                    # A card of -1 is the last one: nothing placed, nothing put away.
                    mixes.append(table[p][rows[states], cards].astype(float))
                return (mixes[0], mixes[1]), source, nash_conv
        if self._opening is not None and (mixes_known := self._second_step(position)) is not None:
            return mixes_known, f"second step: {self._opening[1].removeprefix('opening: ')}", self._opening[2]
        solution, how = self.solve(position, last=False)
        return solution.mixes, how, solution.nash_conv

    def _second_step(self, position: Position) -> Mixes | None:
        """The stored strategies of a decision of the second step, if there are any."""
        import numpy as np

        assert self._opening is not None
        second, start, course = self._opening[0].second, position.start, self.course
        steps = [(tuple(self._shown[0]), tuple(self._shown[1]))]
        shown = shown_by_seat(steps, self.player)
        if second is None or shown is None or start.step > 1 or self.scenario.preparation == "seen":
            return None
        states = [np.concatenate(course.states(start, p), axis=1) for p in range(2)]
        pairs = [course.pairs(start, p)[:2] for p in range(2)]
        return mixes_by_pair(second, shown, states, pairs, [course.uniform(start, p) for p in range(2)])

    def kind(self, decision: Decision) -> str:
        """Return what is decided: ``place``, ``further`` (on top of a Veteran), ``hide`` or ``exchange``."""
        start = decision.position.start
        if start.kind == PLACE and not self.course.begins_step(start):
            return "further"
        return _KINDS[start.kind]

    def _decision(self, position: Position, readings: list[Reading], hidden: list[int]) -> Decision:
        if not (position.start.acts >> self.player) & 1:
            raise HistoryError("it is the opponent alone who decides next; add what it does to the history")
        return Decision(position, readings, tuple(hidden))


def state_of(adviser: Adviser, decision: Decision, hand: Sequence[int]) -> int:
    """Return the private state of the player with a hand; HistoryError if it cannot hold it."""
    held, hidden = adviser.course.states(decision.position.start, adviser.player)
    fits = (held == list(hand)).all(axis=1) & (hidden == list(decision.hidden)).all(axis=1)
    rows = fits.nonzero()[0]
    if not len(rows):
        raise HistoryError(f"nobody can hold {' '.join(hand_names(tuple(hand)))} here")
    return int(rows[0])


def likeliest_hand(adviser: Adviser, decision: Decision) -> tuple[int, ...]:
    """Return the hand that the player most likely holds, with the cards hidden so far."""
    held, hidden = adviser.course.states(decision.position.start, adviser.player)
    fits = (hidden == list(decision.hidden)).all(axis=1)
    row = int((decision.position.ranges[adviser.player] * fits).argmax())
    return tuple(held[row].tolist())
