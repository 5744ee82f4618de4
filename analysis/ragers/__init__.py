"""What can be asked about Ragers: one function for each question, for notebooks and programs.

Each takes names as people type them and returns a frozen struct; :mod:`msgspec` turns any of them into JSON.
Nothing is printed. What is stored is looked up without importing numba or scipy.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from analysis.progress import Silent

if TYPE_CHECKING:
    from pathlib import Path

    from analysis.progress import Reporter
    from analysis.ragers.answers.report import ScenarioReport
    from analysis.ragers.answers.solving import Effort
    from analysis.ragers.play.advice import AdviceAnswer
    from analysis.ragers.workbench.comparing import DiffAnswer
    from analysis.ragers.workbench.health import BalanceAnswer
    from analysis.ragers.workbench.locking import LockAnswer
    from analysis.ragers.workbench.sweeping import SweepAnswer
    from analysis.ragers.workbench.tuning import TuneAnswer
    from engine.ragers.rules import Rules

__all__ = ["advise", "balance", "diff", "effort", "lock", "rules", "solve", "sweep", "tune"]

_ANY: tuple[str, ...] = ()
_PLAYERS = ("accusers", "defenders")


def rules(files: Sequence[Path] = (), overrides: Sequence[str] = ()) -> Rules:
    """Return the box's rules with changes.

    Parameters
    ----------
    files
        TOML files with the values that differ.
    overrides
        Single values, such as ``cards.basher.gp=4``.

    Raises
    ------
    RequestError
        If a file or an override is wrong.
    """
    from analysis.ragers.answers.asking import read_rules

    return read_rules(files, overrides)


def effort(
    time_limit_s: float | None = None,
    target_gp: float | None = None,
    iterations: int | None = None,
    **further: object,
) -> Effort:
    """Return how far to solve what is not stored.

    Parameters
    ----------
    time_limit_s, iterations
        Limits for each scenario.
    target_gp
        NashConv to stop at, in glory points.
    further
        Other fields of :class:`analysis.ragers.answers.solving.Effort`.
    """
    from analysis.ragers.answers.solving import Effort

    return Effort(time_limit_s=time_limit_s, target_gp=target_gp, iterations=iterations, **further)  # type: ignore[arg-type]


def solve(
    patron: str,
    cheers: str,
    *,
    rules: Rules | None = None,
    preparation: str = "redraw",
    player: str = "accusers",
    hand: str | None = None,
    effort: Effort | None = None,
    fresh: bool = False,
    reporter: Reporter | None = None,
) -> ScenarioReport:
    """Return how to play a day, what it is worth, and how exact that is.

    Parameters
    ----------
    patron, cheers
        The day, by name or id.
    rules
        The rules; None for the box's.
    preparation
        Model of the preparation: ``none``, ``redraw`` or ``seen``.
    player
        Whose point of view: ``accusers`` or ``defenders``.
    hand
        A hand to be told about, such as ``"B B S C V"``.
    effort
        How far to solve what is not stored; None for five minutes at most.
    fresh
        Whether stored answers do not count.
    reporter
        Told how a solve goes.

    Raises
    ------
    RequestError
        If a name is unknown, or the hand cannot be held.
    RuntimeError
        If the solve was refused or interrupted.

    Examples
    --------
    >>> import analysis
    >>> day = analysis.ragers.solve("Arianna", "two-bashers")
    >>> day.certified, day.from_library
    (True, True)
    >>> max(day.opening_mix, key=day.opening_mix.get)
    'basher'
    """
    from analysis.errors import RequestError
    from analysis.ragers.answers.asking import Question, answer_all, read_rules
    from analysis.ragers.answers.report import hand_report, scenario_report
    from analysis.ragers.answers.solving import Effort
    from analysis.ragers.hands import HandError, check_hand, parse_hand
    from analysis.ragers.scenarios import scenarios

    rules = rules or read_rules((), ())
    seat = _seat(player)
    counts = None
    copies = tuple(card.copies[seat] for card in rules.cards)
    if hand is not None:
        try:
            counts = parse_hand(hand)
            check_hand(counts, copies, rules.match.hand_size)
        except HandError as error:
            raise RequestError(str(error), "--hand") from None
    (scenario,) = scenarios(rules, [patron], [cheers], preparation)
    question = Question(seat, counts, effort or Effort(), fresh)
    answered, _ = answer_all([scenario], question, reporter or Silent())
    if not answered:
        raise RuntimeError(f"{scenario.title} has no answer: refused, failed or interrupted")
    (found,) = answered
    told = None
    if counts is not None:
        assert found.strategy is not None
        told = hand_report(found.strategy, counts, seat, copies)
    return scenario_report(
        scenario,
        found.answer,
        seat,
        from_library=found.from_library,
        source=found.source,
        relabelled_from=found.relabelled_from,
        hand=told,
    )


def balance(
    *,
    patrons: Sequence[str] = _ANY,
    cheers: Sequence[str] = _ANY,
    rules: Rules | None = None,
    preparation: str = "redraw",
    player: str = "accusers",
) -> BalanceAnswer:
    """Return which cards hardly count or always do, for all days that are answered already.

    Parameters are those of :func:`solve`; no name means all of them.

    Examples
    --------
    >>> import analysis
    >>> report = analysis.ragers.balance(patrons=["Solennos"])
    >>> len(report.scenarios), report.missing
    (6, [])
    """
    from analysis.ragers.answers.asking import read_rules
    from analysis.ragers.scenarios import scenarios
    from analysis.ragers.workbench import health

    todo = scenarios(rules or read_rules((), ()), patrons, cheers, preparation)
    found, missing = health.balance(todo, _seat(player), lambda phase, done, total: None)
    return health.BalanceAnswer(scenarios=found, missing=missing)


def diff(
    left: Rules,
    right: Rules,
    *,
    patrons: Sequence[str] = _ANY,
    cheers: Sequence[str] = _ANY,
    preparation: str = "redraw",
    player: str = "accusers",
    effort: Effort | None = None,
    reporter: Reporter | None = None,
) -> DiffAnswer:
    """Return what changes between two sets of rules, and which of it is certain.

    Parameters are those of :func:`solve`; no name means all of them.
    """
    from analysis.ragers.answers.asking import Question
    from analysis.ragers.answers.solving import Effort
    from analysis.ragers.workbench import comparing

    question = Question(_seat(player), None, effort or Effort(), False, strategy=True)
    sides = comparing.Half(left), comparing.Half(right)
    report, _ = comparing.diff(*sides, (patrons, cheers), preparation, question, reporter or Silent())
    return report


def sweep(
    *vary: str,
    patrons: Sequence[str] = _ANY,
    cheers: Sequence[str] = _ANY,
    files: Sequence[Path] = (),
    overrides: Sequence[str] = (),
    preparation: str = "redraw",
    player: str = "accusers",
    effort: Effort | None = None,
    jobs: int = 1,
    reporter: Reporter | None = None,
) -> SweepAnswer:
    """Return the answers along one or two ranges of rule values.

    Parameters
    ----------
    vary
        Ranges such as ``cards.basher.gp=2:6``.
    files, overrides
        The rules they are varied in, as for :func:`rules`.
    jobs
        Processes; 0 for all that cores and memory allow.

    The others are those of :func:`solve`; no name means all of them.
    """
    from analysis.ragers.answers.asking import Question
    from analysis.ragers.answers.solving import Effort
    from analysis.ragers.workbench import sweeping
    from analysis.ragers.workbench.point_answers import answer_points

    axes = sweeping.parse_axes(vary)
    points = sweeping.all_points(axes, files, overrides, (patrons, cheers), preparation)
    seat = _seat(player)
    question = Question(seat, None, effort or Effort(), False, strategy=True)
    answered, _ = answer_points(points, question, jobs, None, reporter or Silent())
    return sweeping.sweep_report(axes, points, answered, seat)


def advise(
    patron: str,
    cheers: str,
    hand: str,
    *,
    history: str = "",
    exchange: bool = False,
    rules: Rules | None = None,
    preparation: str = "redraw",
    player: str = "accusers",
    beliefs: str = "strategy",
    top: int = 8,
    effort: Effort | None = None,
    reporter: Reporter | None = None,
) -> AdviceAnswer:
    """Return what to do now with a hand, what each action is worth, and what the opponent may hold.

    Parameters
    ----------
    patron, cheers
        The day, by name or id.
    hand
        Cards now, after all draws, such as ``"B B S C V"``.
    history
        The day so far, as for ``ragers advise``: ``"B/S; V+C/P"``.
    exchange
        Whether the unseen exchange before the first step is asked about.
    beliefs
        What past placements say of hands: ``strategy``, or ``uniform``.
    top
        Hands of the opponent to list.

    The others are those of :func:`solve`.

    Raises
    ------
    RequestError
        If a name is unknown, or hand or history make no sense.
    RuntimeError
        If the solve was refused or interrupted.

    Examples
    --------
    >>> import analysis
    >>> told = analysis.ragers.advise("Solennos", "two-bashers", "B B S C T")
    >>> max(told.actions, key=lambda each: each.mix).action
    'basher'
    """
    from analysis.errors import RequestError
    from analysis.ragers.answers.asking import read_rules
    from analysis.ragers.answers.solving import Effort
    from analysis.ragers.hands import HandError, parse_hand
    from analysis.ragers.play.asked import Asked
    from analysis.ragers.play.histories import HistoryError, parse_history
    from analysis.ragers.scenarios import scenarios

    (scenario,) = scenarios(rules or read_rules((), ()), [patron], [cheers], preparation)
    try:
        steps, counts = parse_history(history), parse_hand(hand)
    except HistoryError as error:
        raise RequestError(str(error), "--history") from None
    except HandError as error:
        raise RequestError(str(error), "--hand") from None
    how, told = effort or Effort(), reporter or Silent()
    asked = Asked(scenario, _seat(player), counts, steps, exchange, beliefs, top, how, False, told)
    report, _ = asked.answer()
    if report is None:
        raise RuntimeError(f"{scenario.title} has no answer: refused, failed or interrupted")
    return report


def lock(
    *habits: str,
    patrons: Sequence[str] = _ANY,
    cheers: Sequence[str] = _ANY,
    rules: Rules | None = None,
    preparation: str = "redraw",
    player: str = "accusers",
    effort: Effort | None = None,
    reporter: Reporter | None = None,
) -> LockAnswer:
    """Return what fixed frequencies do to days, and what they cost who has them.

    Parameters
    ----------
    habits
        Such as ``chancer@1=0``: how often a type is placed in a step, by hands that hold it and something
        else.
    player
        Who has them: ``accusers``, ``defenders`` or ``both``.

    The others are those of :func:`solve`; no name means all of them.

    Raises
    ------
    RequestError
        If a habit makes no sense, or not here.
    """
    from analysis.ragers.answers.asking import Question, read_rules
    from analysis.ragers.answers.solving import Effort
    from analysis.ragers.scenarios import scenarios
    from analysis.ragers.workbench import locking

    rules = rules or read_rules((), ())
    question = Question(0 if player == "both" else _seat(player), None, effort or Effort(), False)
    todo = scenarios(rules, patrons, cheers, preparation)
    report, _ = locking.lock(rules, todo, habits, player, question, reporter or Silent())
    return report


def tune(
    goals: Sequence[str],
    vary: Sequence[str],
    *,
    over: str = "each",
    budget: int = 40,
    patrons: Sequence[str] = _ANY,
    cheers: Sequence[str] = _ANY,
    files: Sequence[Path] = (),
    overrides: Sequence[str] = (),
    preparation: str = "redraw",
    player: str = "accusers",
    effort: Effort | None = None,
    reporter: Reporter | None = None,
) -> TuneAnswer:
    """Return rule values that meet goals, as near as possible to the present rules.

    Parameters
    ----------
    goals
        Such as ``opening.each=5:35``, or ``draw=:10``.
    vary
        Values that may change, and their bounds, such as ``cards.basher.gp=1:6``.
    over
        Whether ``each`` scenario is to meet the goals, or their ``mean``.
    budget
        Variants tried at most.
    files, overrides
        The present rules, as for :func:`rules`.

    The others are those of :func:`solve`; no name means all of them.

    Raises
    ------
    RequestError
        If a goal, a range or a name is wrong.
    """
    from analysis.ragers.answers.asking import Question
    from analysis.ragers.answers.solving import Effort
    from analysis.ragers.workbench import trying

    question = Question(_seat(player), None, effort or Effort(), False, strategy=True)
    aim = trying.Aim(goals, vary, over, budget)
    changes, names = (files, overrides), (patrons, cheers)
    report, _ = trying.tune(aim, changes, names, preparation, question, (1, None), reporter or Silent())
    return report


def _seat(player: str) -> int:
    from analysis.errors import RequestError

    if player not in _PLAYERS:
        raise RequestError(f"{player!r} is no player; there are {' and '.join(_PLAYERS)}", "--player")
    return _PLAYERS.index(player)
