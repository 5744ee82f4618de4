"""What a game of a person's is told about its decisions: what they cost, and which could not be told apart.

The same for all games whose decisions are judged by playouts (`solver.sampling.paired_playouts`). Nobody is
told that nothing was lost where it is not known. Where a review has values, the result is split into luck and
decisions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import fsum
from typing import TYPE_CHECKING, NamedTuple

import msgspec

if TYPE_CHECKING:
    from solver.sampling.paired_playouts import Judgement

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
    worth : chance to win with what was made, in these playouts.
    """

    when: str
    made: str
    better: str
    cost: float
    error: float
    dear: bool
    cheap: bool
    pairs: int
    worth: float

    def __str__(self) -> str:
        """Return what it cost, in a line."""
        figures = f"{100 * self.cost:.0f} ±{max(1.0, 100 * _INTERVAL * self.error):.0f} %"
        return f"{figures}  {self.when}: {self.made}; better: {self.better}"


def decided(when: str, made: str, better: str, found: Judgement, span: float, defeat: float) -> Decision:
    """Return a decision as playouts judge it: a defeat pays `defeat`, and a win `span` more."""
    figures = found.cost / span, found.error / span, found.dear, found.cheap(LEAST_COST * span), found.pairs
    return Decision(when, made, better, *figures, (found.worth - defeat) / span)


def shares(decisions: Sequence[Decision], result: float) -> str:
    """Say what of a result one's decisions made, and what luck and the others did: both add up to it.

    Costs are taken as they were measured, those below 0 too, so that they are right on average.

    Parameters
    ----------
    decisions : at least one, in the order of the game.
    result : 1 for a win, 0 for a defeat.
    """
    start = decisions[0].worth + decisions[0].cost
    own = -fsum(each.cost for each in decisions)
    error = _INTERVAL * fsum(each.error**2 for each in decisions) ** 0.5
    rest = result - start - own
    return (
        f"From {100 * start:.0f} % to win at your first decision to {100 * result:.0f} % in the end: your"
        f" decisions {100 * own:+.0f} ±{max(1.0, 100 * error):.0f} %, luck and the others'"
        f" {100 * rest:+.0f} %."
    )


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


class Part(msgspec.Struct, frozen=True):
    """A decision of the person's, and what happened from it to the next one.

    Attributes
    ----------
    when : in words.
    value : of the game to the person before it, with best play from there on.
    own : what the decision made of that: nothing, or a loss.
    other : what the others' decisions gave away until the next one.
    luck : what neither explains: chance, hidden cards, and which of several good moves was made.
    """

    when: str
    value: float
    own: float
    other: float
    luck: float


class Split(msgspec.Struct, frozen=True):
    """A result of the person's, split into parts that add up to it.

    Attributes
    ----------
    result : what the game came to.
    start : what it was worth to the person where the split begins.
    own, other, luck : sums over `parts`; `luck` also holds what chance brought before the first of them.
    errors : how far `own`, and how far `other`, may be off, as far as that is known.
    """

    result: float
    start: float
    own: float
    other: float
    luck: float
    parts: list[Part]
    errors: tuple[float, float] | None = None


class Judged(NamedTuple):
    """A decision of the person's with what it is worth, and what others gave away until the next one."""

    when: str
    best: float
    made: float
    given: float


Node = tuple[str, Mapping[int, tuple[float, float] | None]]
"""When decisions were made, and by player who had a choice there what the best move and the one made were
worth to that player; None where nothing tells."""


def judged_to_the_end(nodes: Sequence[Node], person: int) -> list[Judged]:
    """Return the person's decisions from the first one on from which all decisions are judged.

    Parameters
    ----------
    nodes : in the order of the game; players who decide at once share one.
    """
    begin = max((place for place, (_, worths) in enumerate(nodes, 1) if None in worths.values()), default=0)
    found: list[Judged] = []
    for when, worths in nodes[begin:]:
        own = worths.get(person)
        if own is not None:
            found.append(Judged(when, *own, 0.0))
        given = fsum(worth[0] - worth[1] for player, worth in worths.items() if worth and player != person)
        if found:
            found[-1] = found[-1]._replace(given=found[-1].given + given)
    return found


def split(
    result: float,
    judged: Sequence[Judged],
    start: float | None = None,
    errors: tuple[float, float] | None = None,
) -> Split:
    """Split a result into luck and decisions, by the values that a review has (as AIVAT does).

    Each value is what the game is worth with best play from there on. What a decision changes is a part, so
    is what the others' decisions change, in their own eyes; what is left between one value and the next is
    luck: its mean is nothing where the values are exact and all play by them.

    Parameters
    ----------
    judged : at least one, in the order of the game.
    start : what the game was worth before the first of them; None: where the split begins with it.
    """
    ends = [*(each.best for each in judged[1:]), result]
    parts = [
        Part(each.when, each.best, each.made - each.best, each.given, end - each.made - each.given)
        for each, end in zip(judged, ends, strict=True)
    ]
    begin = judged[0].best if start is None else start
    return Split(
        result=result,
        start=begin,
        own=fsum(each.own for each in parts),
        other=fsum(each.other for each in parts),
        luck=fsum([judged[0].best - begin, *(each.luck for each in parts)]),
        parts=parts,
        errors=errors,
    )
