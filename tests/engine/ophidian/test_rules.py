"""Rules files of Ophidian Arena: the illustrative set, the words of abilities, contradictions."""

from __future__ import annotations

from tests.engine.ophidian.tables import BOX


def test_every_deck_can_play_all_its_cards() -> None:
    for deck in BOX.decks:
        team = [BOX.gladiators[BOX.gladiator(name)] for name in BOX.team(deck.team).gladiators]
        known = {discipline for rule in team for discipline in rule.disciplines}
        for name, _ in deck.cards:
            for discipline, _ in BOX.cards[BOX.card_numbers[name]].requires:
                assert {discipline, "universal"} & (known | {"universal"} & {discipline}), (deck.id, name)
