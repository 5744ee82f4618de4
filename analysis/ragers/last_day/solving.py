"""A day of a match, solved for the chance of winning it: exactly on the last day.

The last day pays 1 to who wins the match and -1 to the other, so values are winning chances: (1 + value) / 2.
Earlier days pay what the match is worth after them, which is given (`worth`). The certificate is the day
solver's, from the position in which combat begins. It takes beliefs about both hands as given: fresh hands,
any of the cards a player still has being as likely as any other, or what the course of play tells of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from analysis.errors import RequestError, TooShortError
from analysis.progress import Reporter
from analysis.ragers.answers.solving import Effort, solve_rest
from analysis.ragers.hands import HandError, check_hand, hand_names
from analysis.ragers.last_day.advice import ActionChance, CardChances, Chance, LastDayAnswer, LastDayReport
from analysis.ragers.last_day.standings import Standing, check_last_day, check_table
from analysis.ragers.last_day.worth import ReadWorth, Worth
from engine.ragers.rules import PLAYERS, TYPES, Rules

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from engine.ragers.day_match import MatchDay
    from solver.hidden_hands import Position, PositionSolution, Progress
    from solver.hidden_hands.course import Course

TARGET = 0.02
"""NashConv, of payoffs from -1 to 1, at which a solve without limits ends: half a point either way."""
TIME_LIMIT_S = 120.0
"""Or after so long."""
EXPAND_BYTES = 2**27
"""Days that take less with their last step expanded are solved so, and without lazy updates."""
CERTIFICATE = "exact best response on the un-merged day, beliefs given; rounding counted"
GIVEN = "; so is what the match is worth after the day"
NOTHING = "nothing"


@dataclass(frozen=True, eq=False)
class Beliefs:
    """What is believed of both hands when the day's first decision is due.

    Attributes
    ----------
    hands : by player: how likely each hand is.
    read_by : where that comes from, in words.
    """

    hands: tuple[dict[tuple[int, ...], float], dict[tuple[int, ...], float]]
    read_by: str


@dataclass(frozen=True)
class LastDayQuestion:
    """What is asked.

    Attributes
    ----------
    patron, cheers : ids; all cheers cards on the table.
    player, hand : whose view, and a hand of its own or None.
    exchange : whether the day begins with the discard, which both see; else it is over.
    beliefs : what the course of play tells of the hands, if it is known.
    worth : of the match after the day; None on the last one.
    """

    rules: Rules
    patron: str
    cheers: tuple[str, ...]
    standing: Standing
    player: int
    hand: tuple[int, ...] | None
    effort: Effort
    exchange: bool = False
    beliefs: Beliefs | None = None
    worth: Worth | ReadWorth | None = None

    def check(self, gone: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())) -> None:
        """Raise RequestError if that cannot be asked; `gone`: cards of whose hand it is, see `check_hand`."""
        check_table(self.standing, len(self.cheers))
        if self.worth is None:
            check_last_day(self.standing, self.rules)
        if self.effort.target_gp is not None:
            raise RequestError(
                "is in GP; a match is solved in chances of winning: limit the time", "--target"
            )
        if self.effort.method == "merged":
            raise RequestError("the last day of a match is solved on the un-merged tree only", "--method")
        if self.hand is not None:
            try:
                check_hand(self.hand, self._left(gone), self.rules.match.hand_size, gone)
            except HandError as error:
                raise RequestError(str(error).replace("the deck has", "left are"), "--hand") from None

    def _left(self, gone: tuple[tuple[int, ...], tuple[int, ...]]) -> tuple[int, ...]:
        """The cards that the hand's player may still hold."""
        left = self.standing.left[self.player]
        for cards in gone:
            left = tuple(n - away for n, away in zip(left, cards, strict=True)) if cards else left
        return left

    @property
    def limits(self) -> tuple[float | None, float | None]:
        """NashConv to stop at, and seconds."""
        effort = self.effort
        return (TARGET, TIME_LIMIT_S) if effort.unlimited else (None, effort.time_limit_s)

    @property
    def is_last(self) -> bool:
        """Whether it is the last day."""
        return self.standing.day == self.rules.match.days


def begun(course: Course, day: MatchDay, *, exchange: bool, beliefs: Beliefs | None = None) -> Position:
    """Return the position in which the last day begins; each player's row is the empty one of its own."""
    import numpy as np

    position = course.begin(exchange=exchange)
    start = position.start._replace(rows=day.start_rows)
    if beliefs is None:
        return replace(position, start=start)
    ranges = []
    for player in range(2):
        held, _ = course.states(start, player)
        reach = np.array([beliefs.hands[player].get(tuple(hand), 0.0) for hand in held.tolist()])
        ranges.append(reach / reach.sum())
    return replace(position, start=start, ranges=(ranges[0], ranges[1]))


def day_of(question: LastDayQuestion, *, count_decks: bool = True) -> MatchDay:
    """Return the tables of the day asked about."""
    from engine.ragers.day_match import MatchStanding, earlier_day, last_day

    standing = question.standing
    lead, taken = (first - second for first, second in (standing.score, standing.cheers))
    where = MatchStanding(lead, taken, standing.left, standing.hidden)
    names = (question.rules, question.patron, question.cheers)
    worth = question.worth
    if worth is None:
        return last_day(*names, where, count_decks=count_decks)
    # What is left before the day, less what placing it costs.
    cards = worth.lead_of_cards(standing.left)
    return earlier_day(*names, where, lambda gp, cheers: worth.value(gp + cards), worth.costs)


def solve_last_day(
    question: LastDayQuestion, reporter: Reporter, stop: Callable[[], bool] | None = None
) -> LastDayReport:
    """Solve the day, with beliefs by the course of play if they are known, and with fresh hands.

    Raises
    ------
    RequestError
        If that cannot be asked.
    solver.hidden_hands.MemoryRefused
        If it would need more memory than allowed.
    """
    question.check()
    # Who discards draws another card, and rows do not tell who has: the deck before the day is not known.
    counted = not question.exchange
    try:
        return _solved(question, day_of(question, count_decks=counted), reporter, stop)
    except NotImplementedError:
        # A longer chain of Veterans empties the deck, so that it may be worth less; the solver wants it never
        # to be.
        return _solved(question, day_of(question, count_decks=False), reporter, stop)


def _solved(
    question: LastDayQuestion, day: MatchDay, reporter: Reporter, stop: Callable[[], bool] | None
) -> LastDayReport:
    from solver.hidden_hands.course import Course

    course, effort = Course(day.tables), question.effort
    target, limit_s = question.limits
    patron = question.rules.patron(question.patron).name
    todo = [None] if question.beliefs is None else [question.beliefs, None]
    answers: list[LastDayAnswer] = []
    for number, beliefs in enumerate(todo, 1):
        most = None if target is None else target * day.unit
        settings = effort.settings("none", most, limit_s, expand_bytes=EXPAND_BYTES)
        reporter.begin(f"Day {question.standing.day}, {patron}", number, limit_s)
        position = begun(course, day, exchange=question.exchange, beliefs=beliefs)
        try:
            solution = solve_rest(course, position, settings, in_points(reporter, day.unit), stop)
        except TooShortError:
            if not answers:
                raise
            break
        answers.append(_answer(question, course, position, in_chances(solution, day), beliefs))
        if stop is not None and stop():
            break
    ties: Literal["exact", "no decks", "later"] = "exact" if question.is_last else "later"
    if question.is_last and not (day.decks_counted and not (question.exchange and any(_decks(question)))):
        ties = "no decks"
    return LastDayReport(
        patron=question.patron,
        cheers=[*question.cheers],
        names=names_of(question.rules, question.patron, question.cheers),
        match=question.standing.text,
        preparation="seen" if question.exchange else "none",
        player=PLAYERS[question.player],
        hand=[] if question.hand is None else hand_names(question.hand),
        decision="exchange" if question.exchange else "place",
        tie_breaks=ties,
        worth="" if question.worth is None else question.worth.words,
        worth_error=0.0 if question.worth is None else question.worth.error,
        certificate=CERTIFICATE + ("" if question.is_last else GIVEN),
        seed=effort.seed,
        answers=answers,
    )


def _decks(question: LastDayQuestion) -> tuple[int, ...]:
    from engine.ragers.day_match import MatchStanding

    standing = question.standing
    return MatchStanding(0, 0, standing.left, standing.hidden).decks(question.rules.match.hand_size)


def in_chances(solution: PositionSolution, day: MatchDay) -> PositionSolution:
    """Return a solution of a day in units of matches won: payoffs from -1 to 1."""
    first, second = (each / day.unit for each in solution.best_response_values)
    own, opp = (each / day.unit for each in solution.values)
    gap = solution.nash_conv / day.unit
    return replace(solution, values=(own, opp), best_response_values=(first, second), nash_conv=gap)


def in_points(reporter: Reporter, unit: int = 1) -> Callable[[Progress], None]:
    """Return what tells a reporter how a solve goes, with the certificate in points of winning chance."""

    def tell(progress: Progress) -> None:
        if progress.nash_conv is not None:
            words = f"within ±{25.0 * progress.nash_conv / unit:.2g} win-%"
            message = f"{progress.message}, {words}" if progress.message else words
            progress = replace(progress, nash_conv=None, message=message)
        reporter(progress)

    return tell


def names_of(rules: Rules, patron: str, cheers: Sequence[str]) -> list[str]:
    """Return a day as the box names it: the patron, then the cheers cards."""
    return [rules.patron(patron).name, *(rules.cheers_card(each).name for each in cheers)]


def chance(best: Sequence[float], nash_conv: float, player: int) -> Chance:
    """Return a player's chance of winning by both best responses and NashConv, slack included."""
    slack = (nash_conv - max(sum(best), 0.0)) / 2.0
    low = (1.0 - best[1 - player] - slack) / 2.0
    high = (1.0 + best[player] + slack) / 2.0
    return Chance((low + high) / 2.0, max(0.0, low), min(1.0, high))


def as_chance(value: float) -> float:
    """Return the chance of winning of a value, which rounding may put a little outside -1 to 1."""
    return min(1.0, max(0.0, (1.0 + value) / 2.0))


def _answer(
    question: LastDayQuestion,
    course: Course,
    position: Position,
    solution: PositionSolution,
    beliefs: Beliefs | None,
) -> LastDayAnswer:
    player = question.player
    return LastDayAnswer(
        beliefs="fresh" if beliefs is None else "course",
        read_by="" if beliefs is None else beliefs.read_by,
        win=chance(solution.best_response_values, solution.nash_conv, player),
        nash_conv_win=solution.nash_conv / 2.0,
        cards=_cards(course, position, solution, player),
        hand=[] if question.hand is None else _hand(course, position, solution, player, question.hand),
        iterations=solution.iterations,
        seconds=solution.seconds,
    )


def _cards(course: Course, position: Position, solution: PositionSolution, player: int) -> list[CardChances]:
    """Return what each card means at the first decision."""
    import numpy as np

    states, types, _ = course.pairs(position.start, player)
    held, _ = course.states(position.start, player)
    reach, mix, value = position.ranges[player], solution.mixes[player], solution.values[player]
    best = np.full(len(reach), -np.inf)
    np.maximum.at(best, states, value)
    found = []
    for kind in (*range(len(TYPES)), -1):
        pairs = types == kind
        mass = reach[states[pairs]]
        among = reach * (held[:, kind] > 0) if kind >= 0 else np.zeros(len(reach))
        if not mass.sum() > 0.0 and not among.sum() > 0.0:
            continue
        found.append(
            CardChances(
                TYPES[kind] if kind >= 0 else NOTHING,
                float(mass @ mix[pairs]),
                _mean_chance(value[pairs], mass),
                _mean_chance(best, among),
            )
        )
    return found


def _mean_chance(values: NDArray[np.float64], weights: NDArray[np.float64]) -> float | None:
    total = float(weights.sum())
    if not total > 0.0:
        return None
    some = weights > 0.0
    return as_chance(float(values[some] @ weights[some]) / total)


def _hand(
    course: Course, position: Position, solution: PositionSolution, player: int, hand: tuple[int, ...]
) -> list[ActionChance]:
    """Return the actions of one hand."""
    held, _ = course.states(position.start, player)
    (number,) = (held == list(hand)).all(axis=1).nonzero()[0].tolist()
    return actions_of(course, position, solution, player, number)


def actions_of(
    course: Course, position: Position, solution: PositionSolution, player: int, number: int
) -> list[ActionChance]:
    """Return the actions of a private state."""
    states, types, _ = course.pairs(position.start, player)
    return [
        ActionChance(
            TYPES[kind] if kind >= 0 else NOTHING,
            float(solution.mixes[player][pair]),
            as_chance(float(solution.values[player][pair])),
        )
        for pair, (state, kind) in enumerate(zip(states.tolist(), types.tolist(), strict=True))
        if state == number
    ]
