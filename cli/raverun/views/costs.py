"""What decisions cost, in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from cli.play import wrapped
from cli.raverun.views.moves import Names, move_text
from engine.raverun.reference import legal_moves

if TYPE_CHECKING:
    from analysis.raverun.played_game import Decision

LEAST_COST = 0.005
"""Decisions that cost less are not spoken of, in units of payoff."""


def cost_lines(decisions: Sequence[Decision], names: Names, most: int | None = None) -> list[str]:
    """Return a line for each of a person's decisions that cost something, the dearest first.

    Parameters
    ----------
    most : how many at most; None for all.
    """
    if not decisions:
        return []
    dear = sorted(decisions, key=lambda decision: -decision.cost)[:most]
    dear = [decision for decision in dear if decision.cost >= LEAST_COST]
    guessed = [decision for decision in decisions if not decision.exact]
    lines = ["What your decisions cost, in payoff:"] if dear else []
    if not dear:
        number = "1 decision" if len(decisions) == 1 else f"{len(decisions)} decisions"
        by = ", by what judges" if guessed else ""
        lines.append(f"Of your {number} that could be judged none cost {LEAST_COST} or more{by}.")
    for decision in dear:
        moves = list(legal_moves(decision.state))
        did, best = (
            move_text(decision.state, moves[index], names) for index in (decision.index, decision.best)
        )
        lines.append(wrapped(f"{decision.cost:.2f}  {did}; better: {best} ({decision.how})", 2, 6))
    if guessed:
        text = f"{len(guessed)} of {len(decisions)} are judged {guessed[0].how}: estimates, no proofs."
        lines.append(wrapped(text, 2, 6))
    return lines
