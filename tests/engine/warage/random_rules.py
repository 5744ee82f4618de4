"""Random card sets of Warage: any words that go together, small decks, short matches."""

from __future__ import annotations

import random

from msgspec.structs import replace

from engine.warage.effects import _ALLOWED, ACTIVE, CHOSEN, WITHOUT_AMOUNT, Effect
from engine.warage.reference import HeroSetup, Setup
from engine.warage.rules import CardRule, Rules, load_rules
from engine.warage.rules_schema import BASE_SEASONS, ITEM_KINDS, LAWS, STATS

BOX = load_rules()
_PLACED = ("ready", "opening", "closing", "use", "hit", "hurt", "season-change")
_TRIGGERS = {
    "flash": ("play",),
    "equipment": _PLACED,
    "amulet": _PLACED,
    "helper": _PLACED,
}


def random_rules(seed: int) -> Rules:
    """A card set that depends on the seed alone."""
    rng = random.Random(seed)
    match = replace(
        BOX.match,
        hand_size=rng.randint(1, 5),
        redraw_hand_size=rng.randint(0, 1),
        draws=rng.randint(1, 3),
        life_places=rng.randint(0, 4),
        amulets_a_round=rng.randint(0, 2),
        dice=rng.choice([0, 1, 1, 2]),
        season_unit=rng.choice(["die", "point"]),
        pay_to_death=rng.random() < 0.3,
        optional_draw=rng.random() < 0.3,
        infinite_hp=rng.choice([60, 1000]),
        max_turns=rng.choice([3, 8, 100]),
    )
    races = tuple(
        replace(
            race,
            hp=rng.randint(5, 40),
            plus=rng.choice([*BASE_SEASONS, "none"]),
            minus=rng.choice([*BASE_SEASONS, "none"]),
            effects=_effects(rng, ("use",), rng.randint(0, 2)),
        )
        for race in BOX.races
    )
    classes = tuple(
        replace(
            each,
            attack=rng.randint(4, 18),
            defence=rng.randint(4, 16),
            magic=rng.randint(0, 14),
            red=rng.randint(2, 9),
            blue=rng.randint(0, 6),
        )
        for each in BOX.classes
    )
    seasons = tuple(
        replace(
            season,
            copies=rng.randint(1 if season.id == "spring" else 0, 2),
            law="none" if season.base else rng.choice(LAWS),
            effects=() if season.base else _season_effects(rng),
        )
        for season in BOX.seasons
    )
    return Rules(
        name="random",
        match=match,
        races=races,
        classes=classes,
        seasons=seasons,
        cards=tuple(_card(rng, card) for card in BOX.cards),
        decks=BOX.decks,
        provenance={},
    )


def random_setup(seed: int) -> Setup:
    """A match of two to six heroes with small decks from a random card set, in guilds or not."""
    rules, rng = random_rules(seed), random.Random(-seed)
    players = rng.choice([2, 2, 2, 3, 3, 4, 5, 6])
    guilds = rng.choice(
        [number for number in (0, 2, 3) if number < players and not (number and players % number)]
    )
    heroes = []
    for _ in range(players):
        deck = [0] * len(rules.cards)
        for card in rng.sample(range(len(deck)), rng.randint(3, 7)):
            deck[card] = 1 if rules.cards[card].kind == "amulet" else rng.randint(1, 3)
        while sum(deck) < max(rules.match.hand_size, rules.match.redraw_hand_size):
            deck[rng.randrange(len(deck))] += 1
        heroes.append(HeroSetup(rng.randrange(4), rng.randrange(3), tuple(deck)))
    seats = tuple(seat % guilds if guilds else seat for seat in range(players))
    return Setup(rules, tuple(heroes), seats)


def _card(rng: random.Random, card: CardRule) -> CardRule:
    cost = rng.randint(0, 6)
    card = replace(card, cost=cost)
    if card.kind == "flash":
        return replace(card, effects=_effects(rng, ("play",), rng.randint(1, 3)))
    card = replace(card, sell=rng.randint(0, max(cost - 1, 0)))
    if card.kind == "spell":
        if card.attack_spell:
            amount = rng.randint(1, 9)
            return replace(card, effects=(replace(card.effects[0], amount=amount),))
        return replace(card, effects=_effects(rng, ("use",), rng.randint(1, 2)))
    encumbrance = rng.choice(["none", "helmet", "armour", "hand", "two-hands"])
    if card.kind == "helper":
        encumbrance = "none"
        card = replace(card, helper_defence=rng.randint(0, 25))
    effects = _effects(rng, _TRIGGERS[card.kind], rng.randint(0, 3))
    return replace(card, encumbrance=encumbrance, effects=effects)


def _season_effects(rng: random.Random) -> tuple[Effect, ...]:
    effects = _effects(rng, ("ready", "opening", "closing"), rng.randint(0, 2))
    return tuple(effect for effect in effects if effect.target == "self")


def _effects(rng: random.Random, triggers: tuple[str, ...], number: int) -> tuple[Effect, ...]:
    """So many effects; one at most chooses a target, and all uses have one limit."""
    effects: list[Effect] = []
    limit = rng.choice([1, 1, 1, 0])
    while len(effects) < number:
        effect = _effect(rng, rng.choice(triggers), limit)
        if effect.target in CHOSEN and any(other.target in CHOSEN for other in effects):
            continue
        effects.append(effect)
    return tuple(effects)


def _effect(rng: random.Random, trigger: str, limit: int) -> Effect:
    action = rng.choice(list(_ALLOWED[trigger]))
    target, durations = rng.choice(list(_ALLOWED[trigger][action]))
    amount = 0
    if action == "modify":
        amount = rng.choice([-3, -1, 1, 2, 4, 8])
    elif action not in WITHOUT_AMOUNT:
        amount = rng.randint(1, 3 if action in ("draw", "discard", "reroll", "extra-amulet") else 8)
    kinds: tuple[str, ...] = ()
    if target == "queue-item":
        kinds = tuple(rng.sample(ITEM_KINDS, rng.randint(1, 4)))
    elif target == "chosen-card":
        choices = ("spell",) if action == "deactivate" else ("equipment", "amulet", "spell", "helper")
        kinds = tuple(rng.sample(choices, rng.randint(1, len(choices))))
    return Effect(
        trigger=trigger,
        action=action,
        stat=rng.choice(STATS) if action == "modify" else "",
        amount=amount,
        target=target,
        kinds=kinds,
        season=rng.choice(["next", *BASE_SEASONS]) if action == "season" else "",
        duration=rng.choice(durations),
        if_season=rng.choice(["", "", "", *BASE_SEASONS, "tempest"]),
        if_race=rng.choice(["", "", "", "", "elf", "orc"]),
        if_class=rng.choice(["", "", "", "", "mage"]),
        if_hp=rng.choice([0, 0, 0, 0, 12]),
        cost_hp=(rng.randint(0, 3) if limit else rng.randint(1, 3)) if trigger == "use" else 0,
        limit=limit if trigger == "use" else 1,
    )


assert set(ACTIVE) <= set(_ALLOWED)
