"""Asking: a question once, over values, for a goal, or beside something else.

It stands above questions, grids, differences, goals and kept answers; none of them knows who uses it.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from analysis.front.difference import with_and_without
from analysis.front.goals import read_goal
from analysis.front.grid import over, read_axis
from analysis.front.question import Answer, Question, Running, several
from analysis.front.store import answered

__all__ = ["ask", "function_of"]

_EXTRA: dict[str, tuple[Any, str]] = {
    "vary": ((), "KEY=VALUES, at most two: ask over values of the rules or of a parameter; a `GridAnswer`."),
    "goal": ((), "With `vary`: KEY=FROM:TO or KEY=VALUE, a figure to reach by the smallest change."),
    "diff": (False, "Compare with the box, or with a file of rules that is named; a `DifferenceAnswer`."),
}
"""What functions of questions with figures take besides what is declared: default and help."""
_RUNNING = "Who is told how far it is, when to stop, memory that may be used, whether to compute anew."


def ask(
    question: Question[Any, Any],
    given: Mapping[str, Any],
    running: Running | None = None,
    *,
    vary: Any = (),
    goal: Any = (),
    diff: str | Path | bool = False,
) -> Answer:
    """Ask a question, from values or texts of its parameters by name; see `function_of` for the rest."""
    if diff:
        return with_and_without(question, given, running, None if diff is True else diff)
    if vary:
        axes = [read_axis(text) for text in several(vary)]
        return over(question, given, axes, running, [read_goal(text) for text in several(goal)])
    found: Answer = answered(question, question.build(**given), running)
    return found


def function_of(question: Question[Any, Any]) -> Callable[..., Any]:
    """Return a question as a function of keywords, with a signature and a docstring.

    Where there are figures to compare it takes `vary`, too, and `goal` with it, and returns a
    `grid.GridAnswer` then; or `diff`, for a `difference.DifferenceAnswer`.
    """
    # A question without figures to compare may have a parameter of its own of these names.
    extra = _EXTRA if question.amounts is not None else {}

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
