"""Questions that every game has as far as it supplies what they need."""

from __future__ import annotations

from typing import Any

RULES = ("rules show", "rules check", "rules diff", "rules new")


def general_places(game: Any) -> dict[str, str]:
    """Return the questions that are no game's own: name -> where it stands how to make it of a game."""
    here = "analysis.front.verbs"
    found: dict[str, str] = {}
    if game.tree is not None:
        found["solve"] = f"{here}.solve:solve_of"
    if game.contest is not None:
        found["match"] = f"{here}.match:match_of"
    if game.entries:
        found["balance"] = f"{here}.balance:balance_of"
    if game.tree is not None:
        found["export"] = f"{here}.export:export_of"
    rules = {name: f"{here}.rules:{name.split()[1]}_of" for name in RULES[:-1]}
    return {**found, **rules, RULES[-1]: f"{here}.new_entry:new_question"}


def other_places(game: Any) -> dict[str, str]:
    """Return what has a command and is no question: name -> where it stands how to make it of a game."""
    here = "analysis.front"
    play = {"play": f"{here}.verbs.play:play_of"} if game.session is not None else {}
    return {**play, "rules sheet": f"{here}.sheets:sheet_of", "report": f"{here}.verbs.report:report_of"}
