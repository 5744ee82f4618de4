"""The last day of a tiny match as an explicit tree: the oracle of what is solved from a standing."""

from __future__ import annotations

from collections.abc import Sequence

from analysis.ragers.day_tree import DayTree, Node
from engine.ragers.day_match import MatchStanding
from engine.ragers.rules import Rules


class TinyLastDay(DayTree):
    """A day that pays 1 to the winner of the match and -1 to the other, by the reference rules (M3).

    The decks of the rules are the cards that the standing says are left.
    """

    def __init__(
        self, rules: Rules, patron: str, cheers: Sequence[str], standing: MatchStanding, preparation: str
    ) -> None:
        super().__init__(rules, patron, cheers, preparation)
        self.standing = standing

    def payoff(self, node: Node) -> int:
        assert node.state is not None
        first, second = node.state.players
        order = (
            self.standing.lead + first.score - second.score,
            self.standing.taken + len(first.cheers) - len(second.cheers),
            sum(first.deck) - sum(second.deck),
        )
        return 1 if next((each for each in order if each), -1) > 0 else -1
