"""The questions about a game as functions, for notebooks and programs: ``from arena_solver import clash``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from analysis.front.asking import function_of
from analysis.registry import game_named

__all__ = ["GameFunctions", "functions_of"]


class GameFunctions:
    """A game's questions, each a function of keywords that returns its answer.

    An answer shows itself as its page in a notebook; `rows()` gives its table for pandas or polars.
    """

    def __init__(self, game: Any) -> None:
        self._game = game
        self.__doc__ = f"{game.title}: {', '.join(game.questions)}, and rules."
        for question in game.questions.values():
            setattr(self, question.function_name, function_of(question))

    def __getattr__(self, name: str) -> Callable[..., Any]:
        # Reached only for what no question is called.
        raise AttributeError(f"{self._game.name} has no question {name!r}; there are {', '.join(dir(self))}")

    def rules(self, files: Any = (), overrides: Any = ()) -> Any:
        """Return the box's rules with files and single values, ``cards.three.value=4``, laid over them."""
        return self._game.read(files, overrides)

    def __dir__(self) -> list[str]:
        return [*(each.function_name for each in self._game.questions.values()), "rules"]

    def __repr__(self) -> str:
        return f"<questions about {self._game.title}: {', '.join(self._game.questions)}>"


_known: dict[str, GameFunctions] = {}


def functions_of(name: str) -> GameFunctions:
    """Return the functions of a game, or of ``arena``.

    Raises
    ------
    KeyError
        If no game is called so.
    """
    if name not in _known:
        _known[name] = GameFunctions(game_named(name))
    return _known[name]
