"""Characters, for ``balance``: players who were dealt one against those who were not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from analysis.front.entries import Tried, Usage
from analysis.front.page import Fact
from analysis.front.parameters import text_of
from analysis.front.question import Running
from analysis.raverun.contest import QUICK, network_of, policy_of
from analysis.raverun.hands import check_players
from analysis.raverun.policies import full_game
from engine.raverun import recording
from engine.raverun.rules import Rules
from engine.raverun.rules_schema import MAX_CARDS
from solver.sampling.head_to_head import play_matches

__all__ = ["characters"]

HOW = (
    "With: players who were dealt a card of the character. Without: those of the same deal who were dealt"
    " none. The rules leave no character out, so nothing is taken out; chance deals the cards, so both are"
    " alike otherwise."
)


def characters(rules: Rules, asked: Any, ids: Sequence[str], running: Running) -> dict[str, Tried]:
    """Return what characters are worth, all of them from the same deals."""
    number = asked.setup.players
    check_players(rules, number)
    player = asked.player[0]
    network = network_of(player, rules, number, "--player")
    one, others = (policy_of(player, rules, number, network) for _ in range(2))

    def heard(done: int) -> bool:
        running.note("deals", done, asked.deals)
        return done % QUICK == 0 and running.interrupt()

    played = play_matches(
        *(full_game(rules, number), one, others),
        num_deals=asked.deals,
        seed=asked.work.seed,
        seats=(0,),
        progress=heard,
        num_noted=recording.NUM_USES,
    )
    assert played.noted is not None
    if played.num_deals < asked.deals:
        return {}
    found = {}
    paid, noted = played.all_payoffs[:, 0].tolist(), played.noted[:, 0].tolist()
    for id_ in ids:
        mine = [card for card in range(rules.num_cards) if str(rules.character(card) + 1) == id_]
        found[id_] = _tried(mine, number, paid, noted, player)
    return found


def _tried(
    mine: Sequence[int],
    number: int,
    paid: Sequence[Sequence[float]],
    noted: Sequence[Sequence[int]],
    player: Any,
) -> Tried:
    """Compare who holds a card with who holds none, where both are at the table."""
    with_it, without, laid, used = list[float](), list[float](), list[int](), 0
    deals = list[int]()
    for deal, (payoffs, words) in enumerate(zip(paid, noted, strict=True)):
        holds = [any(words[recording.DEALT + seat] >> card & 1 for card in mine) for seat in range(number)]
        if any(holds) and not all(holds):
            deals.append(deal)
            for found, is_held in ((with_it, True), (without, False)):
                some = [payoff for payoff, held in zip(payoffs, holds, strict=True) if held == is_held]
                found.append(sum(some) / len(some))
        for seat in range(number):
            places = [MAX_CARDS * seat + card for card in mine]
            if holds[seat]:
                laid.append(sum(words[recording.PLAYED + place] for place in places))
            used += sum(words[recording.USED + place] for place in places)
    usage = None
    if laid:
        usage = Usage(text_of(player), "played", len(laid), sum(map(bool, laid)), sum(laid) / len(laid))
    more = [Fact("used", "its action is used, times a game", used / len(paid), "number")]
    return Tried(with_it, without, HOW, usage, more, deals)
