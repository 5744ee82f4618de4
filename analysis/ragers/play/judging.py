"""What decisions of a played game cost.

The discard, the first placement and the second step are judged where a solution is stored, later decisions by
solving on.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import msgspec

from analysis.amounts import bound
from analysis.ragers.notation import action_text
from engine.ragers.reference import Phase, legal_actions
from engine.ragers.rules import PLAYERS

if TYPE_CHECKING:
    from analysis.ragers.play.equilibrium import DaySolver, StoredDays
    from analysis.ragers.play.views import Played

DID = {
    Phase.PREPARE: "discarded",
    Phase.PLACE: "placed",
    Phase.VETERAN: "placed on top",
    Phase.DEADEYE: "hid",
}


class Judgement(msgspec.Struct, frozen=True):
    """A decision against a solution.

    Attributes
    ----------
    player : who decided.
    step : in which step of the day, from 1; 0 for the discard before it.
    did : what kind of decision, in words.
    action : what it did.
    cost_gp : what it is worth less than the best action, by best play afterwards.
    best : the best action.
    share : how often the solution does it.
    nash_conv_gp : how exact a solve on the spot was; None for the stored solution.
    exact_to_gp : how exact what judges is: a cost below that is not certain.
    best_gp : what the best action is worth to who decided, on balance of the day.
    """

    player: str
    step: int
    did: str
    action: str
    cost_gp: float
    best: str
    share: float
    nash_conv_gp: float | None
    exact_to_gp: float | None = None
    best_gp: float = 0.0

    @property
    def is_certain(self) -> bool:
        """Whether it cost more than what judges may be off by."""
        return self.cost_gp > (self.exact_to_gp or 0.0)


def judge_move(played: Played, player: int, solver: DaySolver | StoredDays | None = None) -> Judgement | None:
    """Return what the player's part of a move costs, or None where nothing tells or it had no choice.

    Parameters
    ----------
    solver : solves on from decisions past the opening, or knows those that are stored; None: these are not
        judged.
    """
    # Here, since a question's answer is declared by what stands above.
    from analysis.ragers.play.opponents import stored_mix, stored_nash_conv, stored_worth

    state, move = played.state, played.move
    legal = legal_actions(state, player)
    if isinstance(move, int) or not legal:
        return None
    view = played.view(player)
    worth, mix, nash_conv, exact_to_gp = stored_worth(view), stored_mix(view), None, stored_nash_conv(view)
    if (worth is None or mix is None) and solver is not None and len(legal) > 1:
        solved = solver.solve(view)
        if solved is not None:
            worth, mix, exact_to_gp = solved.worth_gp, solved.mix, solved.nash_conv_gp
            nash_conv = solved.nash_conv_gp if solved.on_the_spot else None
    if worth is None or mix is None:
        return None
    playable = {action: worth[action] for action in legal}
    if any(math.isnan(each) for each in playable.values()):
        return None
    best = max(playable, key=lambda action: playable[action])
    return Judgement(
        PLAYERS[player],
        1 + sum(before.phase == Phase.PLACE for before, _ in played.past) - (state.phase != Phase.PLACE),
        DID[state.phase],
        action_text(move[player]),
        playable[best] - playable[move[player]],
        action_text(best),
        mix[move[player]],
        nash_conv,
        exact_to_gp,
        playable[best],
    )


def judgement_text(judgement: Judgement, who: str) -> str:
    """Return a judgement as a sentence."""
    exact = ""
    if judgement.nash_conv_gp is not None:
        exact = f" (solved on the spot, NashConv {judgement.nash_conv_gp:.3f} GP)"
    elif judgement.step == 0:
        exact = " (with discards that nobody sees)"
    often = f"the solution does so in {100 * judgement.share:.0f} %{exact}"
    when = "Before the day" if judgement.step == 0 else f"Step {judgement.step}"
    did = f"{when}: {who} {judgement.did} {named(judgement.action)}"
    if not judgement.is_certain:
        told = f"{judgement.cost_gp:.3f} GP behind {named(judgement.best)}, which is not certain"
        if judgement.action == judgement.best:
            told = "the best as far as is known"
        within = f"what judges is exact to {bound(judgement.exact_to_gp or 0.0)} GP"
        return f"{did}: {told} ({within}); {often}."
    return f"{did}: {judgement.cost_gp:.3f} GP lost against {named(judgement.best)}; {often}."


def named(action: str) -> str:
    """Return an action as people read it."""
    return "nothing" if action == "-" else action.capitalize()
