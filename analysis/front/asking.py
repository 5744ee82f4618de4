"""Asking: a question once, over values, for a goal, or beside something else.

It stands above questions, grids, differences, goals and kept answers; none of them knows who uses it.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any

from analysis.errors import RequestError
from analysis.front.axes import read_axis
from analysis.front.difference import BOX, beside
from analysis.front.goals import read_goal
from analysis.front.question import Answer, Question, Running, several
from analysis.front.store import answered
from analysis.front.varying import Effort, over

__all__ = ["ask", "extras", "function_of"]

_EXTRAS: dict[str, tuple[Any, str]] = {
    "vary": ((), "KEY=VALUES: ask over values of the rules or of a parameter; a `GridAnswer`."),
    "goal": ((), "With `vary`: FIGURE=LOW:HIGH, a figure to reach by the smallest change."),
    "budget": (None, "With `goal`: points that are tried at most."),
    "diff": (False, "Compare with the box (True), a file of rules or KEY=VALUE; a `DifferenceAnswer`."),
    "jobs": (1, "With `vary`: processes that ask points; 0 is one for each processor."),
    "scheduler": (None, "With `vary`: ask points on the Dask cluster there instead."),
}
"""What can be said of questions with figures besides what is declared: default and help."""
_RUNNING = "Who is told how far it is, when to stop, memory that may be used, whether to compute anew."


def extras(question: Question[Any, Any]) -> dict[str, tuple[Any, str]]:
    """Return what can be said of a question besides its parameters: name -> default and help."""
    own = {each.name for each in question.parameters}
    if question.amounts is None:
        return {}
    return {name: told for name, told in _EXTRAS.items() if name not in own}


def ask(
    question: Question[Any, Any],
    given: Mapping[str, Any],
    running: Running | None = None,
    *,
    vary: Any = (),
    goal: Any = (),
    budget: int | None = None,
    diff: Any = False,
    jobs: int = 1,
    scheduler: str | None = None,
) -> Answer:
    """Ask a question, from values or texts of its parameters by name; see `function_of` for the rest.

    Raises
    ------
    RequestError
        If what is said of it does not go together, or the question cannot be asked so.
    """
    if vary and diff:
        raise RequestError("ask for one of the two: --vary, or --diff", "--diff")
    of_points = {"--goal": goal, "--budget": budget, "--jobs": jobs != 1, "--scheduler": scheduler}
    for option, value in of_points.items():
        if value and not vary:
            raise RequestError("say what may change: --vary KEY=VALUES", option)
    if diff:
        return beside(question, given, [BOX] if diff is True else several(diff), running)
    if vary:
        axes, goals = [read_axis(text) for text in several(vary)], [read_goal(text) for text in several(goal)]
        return over(question, given, axes, running, goals, Effort(budget, jobs, scheduler))
    found: Answer = answered(question, question.build(**given), running)
    return found


def function_of(question: Question[Any, Any]) -> Callable[..., Any]:
    """Return a question as a function of keywords, with a signature and a docstring.

    Where there are figures to compare it takes what `extras` says, too, and returns a `grid.GridAnswer` or a
    `difference.DifferenceAnswer` then.
    """
    extra = extras(question)

    def asked(*, running: Running | None = None, **given: Any) -> Any:
        own = {key: given.pop(key) for key in extra if key in given}
        return ask(question, given, running, **own)

    keywords = [
        inspect.Parameter(
            each.name,
            inspect.Parameter.KEYWORD_ONLY,
            default=inspect.Parameter.empty if each.required else each.default,
        )
        for each in question.parameters
    ]
    defaults = {name: default for name, (default, _) in extra.items()} | {"running": None}
    last = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=value)
        for name, value in defaults.items()
    ]
    asked.__name__ = asked.__qualname__ = question.function_name
    asked.__signature__ = inspect.Signature([*keywords, *last])  # type: ignore[attr-defined]
    helps = {each.name: each.help for each in question.parameters}
    helps |= {name: help for name, (_, help) in extra.items()} | {"running": _RUNNING}
    told = "\n".join(f"{name}\n    {help}" for name, help in helps.items())
    asked.__doc__ = f"{question.about}\n\nParameters\n----------\n{told}\n"
    return asked
