"""Options of effort, any two of them: each pair has a meaning, or is refused in words."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from analysis.front.parameters import Parameter, Shape
from tests.front.games import QUICK, declared, game
from tests.front.test_fuzz import check

NO_EFFORT = {"threads", "processes", "players", "", "HP", "cards", "rounds", "dice", "gladiators", "entries"}
"""Units of numbers that say what is asked about, or who works."""
BY_NAME = {"target", "within", "playouts", "plays", "response-iterations", "top"}


def efforts_of(name: str, question: str) -> list[Parameter]:
    """Return the options that say how far to go, or how long."""
    return [
        each
        for each in game(name).declared[question].parameters
        if each.shape in (Shape.WHOLE, Shape.NUMBER)
        and not each.argument
        and (each.unit not in NO_EFFORT or each.name in BY_NAME)
    ]


def little(parameter: Parameter) -> str:
    """Return a value that asks for next to nothing."""
    if parameter.unit == "s":
        return "0.3"
    if parameter.name == "target":
        return "0.5"
    least = max(parameter.least or 0, 1 if parameter.shape is Shape.NUMBER else 3)
    return str(least if parameter.largest is None else min(least, parameter.largest))


@pytest.mark.parametrize(("name", "question"), declared(asks=True))
def test_any_two_options_of_effort_go_together_or_are_refused(
    name: str, question: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for pair in itertools.combinations(efforts_of(name, question), 2):
        words = [word for each in pair for word in (each.option, little(each))]
        check(name, [*question.split(), *QUICK[name][question], *words, "-q"], "")
