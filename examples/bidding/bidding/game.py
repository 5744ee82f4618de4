"""Bidding, declared: players, words, and the game from which commands, functions, pages and schemas come."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Annotated, Any

from analysis.errors import RequestError
from analysis.front.contest import Policy, ReferenceContest
from analysis.front.game import Game
from analysis.front.kinds import Counts, Named, Parts, Pick
from analysis.front.parameters import Bundle, param
from analysis.front.players import Player
from analysis.front.session import ReferenceSession
from analysis.front.tree import ReferenceTree
from bidding import reference
from bidding.reference import State
from bidding.rules import Rules


class Hand(Parts, frozen=True):
    """What a player holds."""

    cards: Annotated[dict[str, int], param("Cards of the hand.", kind=Counts("cards", least=1, most=5))]


ONE_OF_EACH = Hand(cards={"one": 1, "two": 1, "three": 1})


class Setup(Bundle, frozen=True, kw_only=True):
    """What is settled before the first prize is turned up."""

    first: Annotated[Hand, param("Hand of the first player.", metavar="CARDS")] = ONE_OF_EACH
    second: Annotated[Hand, param("Hand of the second player.", metavar="CARDS")] = ONE_OF_EACH
    prize: (
        Annotated[
            str, param("Prize that is turned up first.  [default: any]", kind=Pick("prizes"), metavar="PRIZE")
        ]
        | None
    ) = None


class Rank(Player, frozen=True, tag="rank"):
    """Bids the card whose place among its cards is that of the prize among those left."""


class High(Player, frozen=True, tag="high"):
    """Bids its highest card for valuable prizes, its lowest one for others."""

    least: Annotated[int, param("A prize of this worth is valuable.", ge=1, le=99)] = 2


class Random(Player, frozen=True, tag="random"):
    """Bids any of its cards."""


def policy(player: Rank | High | Random) -> Policy:
    """Return how a player bids; what the other one has bid is never looked at."""

    def rank(state: State, seat: int, chance: random.Random) -> str:
        worth = _numbers(state.rules.prizes)
        higher = sum(worth[prize] > worth[state.turned] for prize in state.prizes)
        cards = _by_value(state, seat)
        return cards[max(0, len(cards) - 1 - higher)]

    def high(state: State, seat: int, chance: random.Random) -> str:
        assert isinstance(player, High)
        valuable = _numbers(state.rules.prizes)[state.turned] >= player.least
        return _by_value(state, seat)[-1 if valuable else 0]

    def anything(state: State, seat: int, chance: random.Random) -> str:
        return chance.choice(reference.legal_moves(state))

    return rank if isinstance(player, Rank) else high if isinstance(player, High) else anything


def _numbers(entries: Sequence[Any]) -> dict[str, int]:
    return {entry.id: entry.number for entry in entries}


def _by_value(state: State, seat: int) -> list[str]:
    return sorted(state.hands[seat], key=_numbers(state.rules.cards).__getitem__)


def start(rules: Rules, setup: Setup) -> State:
    """Return the state in which play begins."""
    hands = tuple(
        tuple(card for card, number in hand.cards.items() for _ in range(number))
        for hand in (setup.first, setup.second)
    )
    if len(hands[0]) != len(hands[1]):
        raise RequestError("both players hold equally many cards", "--second")
    known = _numbers(rules.cards)
    for option, hand in zip(("--first", "--second"), hands, strict=True):
        for card in hand:
            if card not in known:
                raise RequestError(f"there is no card {card!r}", option)
    return reference.start(rules, (hands[0], hands[1]), setup.prize)


def contest(rules: Rules, setup: Setup, players: Sequence[Any]) -> ReferenceContest:
    """Return players who can meet."""
    return ReferenceContest(
        reference,
        lambda: start(rules, setup),
        [policy(player) for player in players],
        length=lambda state: len(state.history),
        score=lambda state: (len(state.history), state.points),
    )


def tree(rules: Rules, setup: Setup) -> ReferenceTree:
    """Return the game as a tree."""
    return ReferenceTree(reference, start(rules, setup), reference.knows)


class Words:
    """The words of the game."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.entries = {entry.id: entry for entry in (*rules.cards, *rules.prizes)}

    def move(self, state: State, move: str) -> str:
        """Return a bid in words."""
        return f"bid {self.entries[move].name}"

    def events(self, before: State, move: str, after: State, seat: int) -> list[str]:
        """Return what the person learns."""
        if not before.turned:
            prize = self.entries[move]
            return [f"The prize is {prize.name}, worth {prize.number}."]
        if before.first_bid:
            _, *bids = after.history[-1]
            own, other = (self.entries[bids[player]].name for player in (seat, 1 - seat))
            return [f"You bid {own}, the other player bid {other}."]
        return []

    def board(self, state: State, seat: int) -> list[str]:
        """Return what the person sees."""
        points = [f"{number / 2:g}" for number in state.points]
        hand = ", ".join(self.entries[card].name for card in state.hands[seat]) or "nothing"
        return [f"Worth won: you {points[seat]}, the other player {points[1 - seat]}.", f"You hold {hand}."]

    def explain(self, name: str) -> str | None:
        """Return what a card or a prize does."""
        entry = self.entries.get(name.lower())
        if entry is None:
            return None
        is_card = entry in self.rules.cards
        return f"{entry.name} is {'a card of value' if is_card else 'a prize, worth'} {entry.number}."

    def ending(self, state: State, seat: int) -> list[str]:
        """Return who has won."""
        paid = reference.payoffs(state)[seat]
        return ["You win." if paid > 0 else "You lose." if paid < 0 else "A draw."]


def session(rules: Rules, setup: Setup, seat: int, opponent: Any, seed: int, advice: Any) -> ReferenceSession:
    """Return a game with a person in it."""
    words = Words(rules)
    rank = policy(Rank())

    def hint(state: State, moves: Sequence[str]) -> list[str]:
        return [f"The player rank would {words.move(state, rank(state, seat, random.Random(0)))}."]

    begun = start(rules, setup)
    return ReferenceSession(reference, words, begun, seat, policy(opponent), seed, hint)


def names(rules: Rules) -> dict[str, list[Named]]:
    """Return the lists that values are chosen from."""
    cards = [Named(card.id, card.name, f"A card of value {card.number}.") for card in rules.cards]
    prizes = [Named(prize.id, prize.name, f"A prize, worth {prize.number}.") for prize in rules.prizes]
    return {"cards": cards, "prizes": prizes}


GAME = Game(
    name="bidding",
    title="Bidding",
    seats=(2,),
    place="bidding.game:GAME",
    load="bidding.rules:load_rules",
    rules_schema="bidding.rules:SCHEMA",
    rules_example="cards.three.value=4",
    setup=Setup,
    player=Rank | High | Random,
    usual=(Rank(), Random()),
    names=names,
    contest=contest,
    session=session,
    tree=tree,
    length="bids",
    examples={
        "solve": ("solve", "solve --set match.ties=shared --details", 'solve --second "one, three, three"'),
        "match": (
            "match",
            "match --player rank --player high:least=3 --deals 500",
            "match --deals 100 --vary prizes.gold.worth=1:6",
        ),
        "play": ("play --seed 7", "play --seat 2 --opponent high --hints"),
        "export": ("export -o bidding.efg", "export --prize gold --format table"),
    },
)
