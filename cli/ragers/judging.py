"""What decisions of a played game cost, where a stored solution tells: the first placement of the first"
" day."""

from __future__ import annotations

import math
from collections.abc import Sequence

import msgspec

from cli.ragers.notation import Move, action_text
from cli.ragers.opponents import View, stored_mix, stored_worth
from engine.ragers.reference import Counts, State, legal_actions
from engine.ragers.rules import PLAYERS


class Judgement(msgspec.Struct, frozen=True):
    """A decision against the stored solution.

    Attributes
    ----------
    player
        Who decided.
    action
        What he did.
    cost_gp
        What it is worth less than the best action, by best play afterwards.
    best
        The best action.
    share
        How often the stored solution does it.
    """

    player: str
    action: str
    cost_gp: float
    best: str
    share: float


def judge_move(state: State, move: Move, buried: tuple[Counts, Counts], player: int) -> Judgement | None:
    """Return what the player's part of `move` costs, or None where nothing stored tells."""
    if isinstance(move, int) or player not in _deciding(state):
        return None
    view = View(state, player, buried)
    worth, mix = stored_worth(view), stored_mix(view)
    if worth is None or mix is None:
        return None
    playable = {action: worth[action] for action in legal_actions(state, player)}
    best = max(playable, key=lambda action: playable[action])
    if math.isnan(playable[best]) or math.isnan(playable[move[player]]):
        return None
    return Judgement(
        PLAYERS[player],
        action_text(move[player]),
        playable[best] - playable[move[player]],
        action_text(best),
        mix[move[player]],
    )


def _deciding(state: State) -> Sequence[int]:
    return [player for player in (0, 1) if legal_actions(state, player)]


def judgement_text(judgement: Judgement, who: str) -> str:
    """Return a judgement as a sentence."""
    often = f"the stored solution does so in {100 * judgement.share:.0f} %"
    if judgement.cost_gp < 0.0005:
        return f"{who} opened with {judgement.action}: nothing lost; {often}."
    return (
        f"{who} opened with {judgement.action}: {judgement.cost_gp:.3f} GP lost against {judgement.best};"
        f" {often}."
    )
