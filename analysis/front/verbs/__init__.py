"""Questions that every game has as far as it supplies what they need."""

from __future__ import annotations

from typing import Any


def general_places(game: Any) -> dict[str, str]:
    """Return the questions that are no game's own: name -> where it stands how to make it of a game."""
    here = "analysis.front.verbs"
    found: dict[str, str] = {}
    if game.tree is not None:
        found["solve"] = f"{here}.solve:solve_of"
    if game.contest is not None:
        found["match"] = f"{here}.match:match_of"
    if game.contest is not None or game.entries:
        found["checkup"] = "analysis.front.checkup.question:checkup_of"
    if game.entries:
        found["balance"] = f"{here}.balance:balance_of"
    if game.tree is not None:
        found["export"] = f"{here}.export:export_of"
    return found | {
        "rules show": f"{here}.rules:show_of",
        "rules check": f"{here}.check:check_of",
        "rules new": f"{here}.new_entry:new_question",
    }


def other_places(game: Any) -> dict[str, str]:
    """Return what has a command and is no question: name -> where it stands how to make it of a game."""
    return {} if game.session is None else {"play": "analysis.front.verbs.play:play_of"}
