"""What a day or a match came to, split into luck and decisions by the values that a review has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from analysis.reviewed import Node, Split, judged_to_the_end, split
from engine.ragers.reference import deciders, is_over, legal_actions, scores, winner
from engine.ragers.rules import PLAYERS

if TYPE_CHECKING:
    from analysis.ragers.play.judging import Judgement
    from analysis.ragers.play.match_judging import MatchJudgement
    from analysis.ragers.play.transcript import Replay
    from analysis.ragers.play.views import Played


def split_day(played: Replay, judged: Sequence[tuple[Played, Mapping[int, Judgement]]]) -> Split | None:
    """Return the balance of a single day in GP, split; None if its last decisions are not judged.

    Parameters
    ----------
    judged : each move of players, and what is known of both their parts in it.
    """
    from analysis.ragers.play.opponents import stored_value

    if played.header.day is None or not is_over(played.end):
        return None
    me = played.header.player
    nodes: list[Node] = []
    for each, found in judged:
        worths: dict[int, tuple[float, float] | None] = {
            player: None for player in deciders(each.state) if len(legal_actions(each.state, player)) > 1
        }
        worths |= {player: (one.best_gp, one.best_gp - one.cost_gp) for player, one in found.items()}
        step = max((one.step for one in found.values()), default=0)
        nodes.append((f"step {step}" if step else "before the day", worths))
    known = judged_to_the_end(nodes, me)
    if not known:
        return None
    whole = len(known) == sum(me in worths for _, worths in nodes)
    first = judged[0][0].view(me)
    own, other = (
        sum(found[player].exact_to_gp or 0.0 for _, found in judged if player in found)
        for player in (me, 1 - me)
    )
    gp = scores(played.end)
    start = stored_value(first) if whole else None
    return split(float(gp[me] - gp[1 - me]), known, start, (own, other))


def split_match(played: Replay, judged: Sequence[Sequence[MatchJudgement]]) -> Split | None:
    """Return a match that was won (1) or lost (0), split; None if its last decisions are not judged."""
    if played.header.day is not None or not is_over(played.end):
        return None
    me = played.header.player
    nodes: list[Node] = []
    for found in judged:
        if not found:
            continue
        # A search may think less of its own choice than of the move that was made.
        worths = {
            PLAYERS.index(one.player): None if one.win is None else (max(one.best_win, one.win), one.win)
            for one in found
        }
        step = f", step {found[0].step}" if found[0].step else ""
        nodes.append((f"day {found[0].day}{step}", worths))
    known = judged_to_the_end(nodes, me)
    return split(float(winner(played.end) == me), known) if known else None
