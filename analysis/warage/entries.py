"""Cards with and without them, for ``balance --only``: one copy in a deck against a blank in its place."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from analysis.errors import RequestError
from analysis.front.entries import Tried, Usage
from analysis.front.parameters import text_of
from analysis.front.question import Running
from analysis.warage.deck_building import Field, blanked, others_of, swapped, with_blank
from analysis.warage.deck_contents import problem
from analysis.warage.players import Ruled, policy_of, style_of
from engine.warage import recording
from engine.warage.reference import hero_of
from engine.warage.reference_state import HeroSetup, Setup
from engine.warage.rules import CardRule, DeckRule, Rules
from engine.warage.rules_schema import MAX_CARDS

if TYPE_CHECKING:
    from analysis.warage.questions.balance import Balance

__all__ = ["cards", "cards_of"]

WATCHED = 200
"""Deals of which each card that is played is counted."""


def cards(rules: Rules, asked: Balance, ids: Sequence[str], running: Running) -> dict[str, Tried]:
    """Return what cards are worth; deals are spread evenly over the other decks that are named, or all.

    Raises
    ------
    RequestError
        If who plays does not play by rules.
    """
    player = asked.player
    if not isinstance(player, Ruled):
        raise RequestError("with --only decks are played by rules or greedy", "--player")
    decks = list(map(rules.deck, asked.deck)) or list(rules.decks)
    # A deck that is asked about holds all of its cards.
    owners = [deck for deck in rules.decks if deck.id == asked.only.only]
    first = owners[0] if owners else _deck_of(rules, rules.card(ids[0]), decks)
    # All in one deck as far as it holds them.
    decks = [*([first] if first is not None else []), *decks]
    found = {}
    for number, id_ in enumerate(ids):
        if running.interrupt():
            break
        running.note("cards", number, len(ids))
        found[id_] = _tried(rules, asked, player, rules.card(id_), decks)
    return found


def cards_of(rules: Rules, deck: str) -> list[str]:
    """Return the cards of a deck."""
    return [card for card, _ in rules.deck(deck).cards]


def _tried(rules: Rules, asked: Balance, player: Ruled, card: CardRule, decks: Sequence[DeckRule]) -> Tried:
    deck = _deck_of(rules, card, decks)
    if deck is None:
        return Tried((), (), f"No hero of these decks can use {card.id}, so nothing can be said of it.")
    blank = with_blank(rules, card.id)
    hero, place = hero_of(blank, deck), ""
    if card.id not in dict(deck.cards):
        out = max(dict(deck.cards), key=lambda name: _alike(card, rules.card(name)))
        hero, place = swapped(blank, hero, out, card.id), f", in place of one {out}"
    others = others_of(rules, deck, [name for name in asked.deck if name != deck.id])
    field = Field(blank, others, player, 2 * max(asked.deals, len(others)), asked.work.seed)
    each = field.duels // (2 * len(others))
    with_it, without = (
        # Opponent, seat, number: both seats of a deal have the same luck.
        field.points(one).reshape(len(others), 2, each).mean(axis=1).ravel().tolist()
        for one in (hero, blanked(blank, hero, card.id))
    )
    how = f"With: {deck.id}{place}. Without: the same deck with a blank in place of one copy of the card."
    return Tried(with_it, without, how, _usage(field, hero, others[0], card.id, asked.deals))


def _deck_of(rules: Rules, card: CardRule, decks: Sequence[DeckRule]) -> DeckRule | None:
    """The first of some decks that holds a card; else the first one whose hero can use it."""
    heroes = {each.id: each for each in rules.classes}
    able = [
        deck for deck in decks if not problem(card, heroes[deck.hero_class].red, heroes[deck.hero_class].blue)
    ]
    return next((deck for deck in able if card.id in dict(deck.cards)), able[0] if able else None)


def _alike(one: CardRule, other: CardRule) -> tuple[bool, int]:
    return one.kind == other.kind, -abs(one.cost - other.cost)


def _usage(field: Field, hero: HeroSetup, against: DeckRule, card: str, deals: int) -> Usage:
    """How often a hero plays a card."""
    from engine.warage.sampling import sampling_tables
    from solver.sampling.head_to_head import play_matches

    rules = with_blank(field.rules, card)
    player, number, times = field.player, rules.card_numbers[card], list[int]()
    for seat in range(2):
        heroes = [hero_of(rules, against)]
        heroes.insert(seat, hero)
        game = sampling_tables(rules, Setup(rules, tuple(heroes), (0, 1)), styles=[style_of(player)] * 2)
        played = play_matches(
            *(game, policy_of(player, game, 0), policy_of(player, game, 1)),
            num_deals=min(deals, WATCHED),
            seed=field.seed,
            seats=(seat,),
            num_noted=recording.NUM_USES,
        )
        assert played.noted is not None
        times += played.noted[:, 0, recording.USES + MAX_CARDS * seat + number].tolist()
    return Usage(text_of(player), "played", len(times), sum(map(bool, times)), sum(times) / len(times))
