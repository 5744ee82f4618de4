"""Questions that every game has as far as it supplies what they need."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from analysis.front.question import Question


def all_questions(game: Any) -> Iterator[Question[Any, Any]]:
    """Yield the questions about a game that are no game's own."""
    if game.tree is not None:
        from analysis.front.verbs.solve import solve_of

        yield solve_of(game)
    if game.contest is not None:
        from analysis.front.verbs.match import match_of

        yield match_of(game)
    if game.tree is not None:
        from analysis.front.verbs.export import export_of

        yield export_of(game)
    from analysis.front.verbs.rules import rules_questions

    yield from rules_questions(game)
