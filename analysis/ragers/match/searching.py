"""A search for the whole match from a state of the reference, blind for what its player cannot see."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TYPE_CHECKING

import msgspec

from engine.ragers.codec import encode
from engine.ragers.kernel_rules import pack_counts
from engine.ragers.reference import Counts, State, legal_actions
from engine.ragers.rules import Rules, load_rules
from engine.ragers.sampling import sampled_words, sampling_tables
from engine.ragers.sampling_layout import BURIED, CHOICE, FIRST, HIDDEN, PATRONS

if TYPE_CHECKING:
    from analysis.learned_values import TrainedNetwork
    from engine.ragers.sampling import Words
    from solver.sampling.guided_search import GuidedSearch

ITERATIONS = 3_000
PLAYS = 20_000
"""Of a training for rules that no values are carried for."""


def sampled_state(state: State, player: int, buried: Sequence[Counts]) -> Words:
    """Return a decision of the reference as a state to search from, `player` to choose first.

    Parameters
    ----------
    buried : by player, the cards laid down hidden on earlier days. Under which patron is not told: these
        count as laid down under one that forbids nothing, if there is one.
    """
    words = sampled_words(encode(state))
    harmless = [index for index, patron in enumerate(state.rules.patrons) if not patron.forbidden]
    for side, own in enumerate(state.players):
        now = [slot[0].printed for slot in own.row if slot[0].hidden]
        cards = [count + now.count(card) for card, count in enumerate(buried[side])]
        earlier = sum(buried[side])
        patrons = [harmless[0] if harmless else state.patron or 0] * earlier + [state.patron or 0] * len(now)
        words[HIDDEN + side] = pack_counts(cards)
        words[BURIED + side] = sum(patron << PATRONS.stride * index for index, patron in enumerate(patrons))
    words[CHOICE] |= player << FIRST.offset
    return words


def network_to_search_by(rules: Rules) -> TrainedNetwork:
    """Return the carried network, also for single days of its rules; for others a quickly trained one."""
    from analysis.ragers.match import networks

    box = load_rules()
    match = msgspec.structs.replace(rules.match, days=box.match.days, discards=box.match.discards)
    found = networks.carried(msgspec.structs.replace(rules, match=match))
    if found is None:
        found = networks.train(rules, PLAYS, 0)
        assert found is not None
    return found


class MatchSearcher:
    """Searches from states of one set of rules.

    Parameters
    ----------
    iterations, seconds : of each search; it ends at the first of them.
    """

    def __init__(self, rules: Rules, iterations: int = ITERATIONS, seconds: float = 1.0) -> None:
        from analysis.ragers.match.players import EXPLORATION
        from solver.sampling.guided_search import GuidedSearch
        from solver.sampling.information_set_search import SearchSettings

        settings = SearchSettings(iterations=iterations, seconds=seconds, exploration=EXPLORATION)
        self.rules = rules
        self._search: GuidedSearch = GuidedSearch(
            sampling_tables(rules), network_to_search_by(rules).network, settings
        )

    def chances(
        self, state: State, player: int, buried: Sequence[Counts], seed: int
    ) -> tuple[int, dict[int, float]]:
        """Return the action found, and the chance of winning with each by the search, NaN if untried."""
        legal = legal_actions(state, player)
        if len(legal) == 1:
            return legal[0], {legal[0]: float("nan")}
        found = self._search.search(sampled_state(state, player, buried), seed)
        wins = (found.mean_payoffs + 1.0) / 2.0
        return legal[found.move], dict(zip(legal, wins.tolist(), strict=True))

    def choose(self, state: State, player: int, buried: Sequence[Counts], random: Random) -> int:
        """Return the action found."""
        return self.chances(state, player, buried, random.randrange(2**62))[0]
