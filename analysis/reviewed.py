"""What a game of a person's is told about its decisions: what they cost, and which could not be told apart.

The same for all games whose decisions are judged by playouts (`solver.sampling.paired_playouts`). Nobody is
told that nothing was lost where it is not known.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

MOST_COSTS = 5
"""Decisions that are named."""
LEAST_COST = 0.02
"""Chance to win; a decision that surely cost less is said to have cost next to nothing."""
_INTERVAL = 1.96


class Decision(NamedTuple):
    """A decision that was judged.

    Attributes
    ----------
    when : such as "turn 3".
    made, better : in words.
    cost : chance to win that it gave away; below 0 where the other move did worse.
    error : its standard error.
    dear : whether the other move was surely better.
    cheap : whether it surely cost less than `LEAST_COST`.
    pairs : of playouts by which it was judged.
    """

    when: str
    made: str
    better: str
    cost: float
    error: float
    dear: bool
    cheap: bool
    pairs: int

    def __str__(self) -> str:
        """Return what it cost, in a line."""
        figures = f"{100 * self.cost:.0f} ±{max(1.0, 100 * _INTERVAL * self.error):.0f} %"
        return f"{figures}  {self.when}: {self.made}; better: {self.better}"


class Review(NamedTuple):
    """What is said at the end: named decisions, the dearest first, under a heading; then sentences."""

    heading: str
    named: list[Decision]
    sentences: list[str]


def dearest(decisions: Sequence[Decision]) -> list[Decision]:
    """Return decisions that surely cost something, the dearest first."""
    return sorted((each for each in decisions if each.dear), key=lambda each: -each.cost)


def review(decisions: Sequence[Decision], more: str) -> Review:
    """Say what decisions cost.

    Parameters
    ----------
    more : the option that gives a judgement more playouts, such as ``--playouts``.
    """
    dear = dearest(decisions)
    named, cheap = dear[:MOST_COSTS], sum(each.cheap and not each.dear for each in decisions)
    unsure = [each for each in decisions if not (each.dear or each.cheap)]
    sentences = []
    if len(dear) > len(named):
        sentences.append(f"{len(dear) - len(named)} more of your decisions cost something, too.")
    if unsure:
        pairs = max(each.pairs for each in unsure)
        sentences.append(
            f"{len(unsure)} of your {len(decisions)} decisions could not be told apart from the best other"
            f" move by up to {pairs} pairs of playouts; a larger {more} tells more."
        )
    if cheap:
        which = "All" if cheap == len(decisions) else f"{cheap} of"
        least = f"{100 * LEAST_COST:g} %"
        sentences.append(f"{which} your {len(decisions)} decisions surely cost less than {least}.")
    if not decisions:
        sentences.append("None of your decisions was judged: you never had a choice that playouts can try.")
    return Review("What your decisions cost, in chance to win:" if named else "", named, sentences)
