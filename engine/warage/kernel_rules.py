"""The rules and the heroes of a match as the integers that kernels take."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from engine.warage import layout
from engine.warage.effects import CHOSEN, TAKING
from engine.warage.reference_state import ROOM, Setup
from engine.warage.rules import CardRule, Effect, Rules
from engine.warage.rules_schema import (
    ACTIONS,
    DURATIONS,
    ITEM_KINDS,
    KINDS,
    LAWS,
    STATS,
    TARGETS,
    TRIGGERS,
)

KernelRules = NDArray[np.int64]
"""Rules and heroes for kernels, `[layout.NUM_RULES] int64`, at the offsets `layout.RULE_...`."""


def kernel_rules(rules: Rules, setup: Setup) -> KernelRules:
    """Compile rules and the heroes of a match for the kernels."""
    array = np.zeros(layout.NUM_RULES, np.int64)
    match = rules.match
    numbers = [
        len(setup.heroes),
        len(rules.cards),
        len(rules.seasons),
        match.hand_size,
        match.redraw_hand_size,
        match.draws,
        match.life_places,
        match.amulets_a_round,
        match.dice,
        match.season_unit == "point",
        match.pay_to_death,
        match.optional_draw,
        match.infinite_hp,
        match.max_turns,
        *_summed(rules),
    ]
    array[: len(numbers)] = numbers
    seasons = [season.id for season in rules.seasons]

    def season_number(name: str) -> int:
        return seasons.index(name) if name in seasons else -1

    for seat, hero in enumerate(setup.heroes):
        race, hero_class = setup.race(seat), setup.hero_class(seat)
        values = [
            setup.guilds[seat],
            race.hp,
            hero_class.attack,
            hero_class.defence,
            hero_class.magic,
            hero_class.red,
            hero_class.blue,
            season_number(race.plus),
            season_number(race.minus),
            hero.race,
            hero.hero_class,
            sum(hero.deck),
            situations(race.effects, "use"),
            *_effects(rules, race.effects),
        ]
        place = layout.RULE_SEATS + seat * layout.SEAT_WORDS
        array[place : place + len(values)] = values
        array[place + layout.SEAT_DECK : place + layout.SEAT_DECK + len(hero.deck)] = hero.deck
    for number, season in enumerate(rules.seasons):
        values = [season.copies, season.base, LAWS.index(season.law), *_effects(rules, season.effects)]
        place = layout.RULE_SEASON + number * layout.SEASON_WORDS
        array[place : place + len(values)] = values
    for number, card in enumerate(rules.cards):
        array[layout.RULE_BRIEF + number] = _brief(card)
        array[layout.RULE_PLAYS + number] = situations(card.effects, "play") if card.kind == "flash" else 0
        array[layout.RULE_USES + number] = situations(card.effects, "use")
        values = [*_card(card), *_effects(rules, card.effects)]
        place = layout.RULE_CARD + number * layout.CARD_WORDS
        array[place : place + len(values)] = values
    return array


def _card(card: CardRule) -> list[int]:
    part, need = ROOM[card.encumbrance]
    return [
        KINDS.index(card.kind),
        card.cost,
        card.sell,
        card.red,
        card.blue,
        part,
        need,
        card.helper_defence,
        card.attack_spell,
        card.spell_magic,
        *always_adds(card.effects),
    ]


def _brief(card: CardRule) -> int:
    """A card in one word (`layout.BRIEF`)."""
    fields = (
        card.kind == "flash",
        card.sell > 0,
        card.red,
        card.blue,
    )
    return sum(int(value) << bits.offset for value, bits in zip(fields, layout.BRIEF, strict=True))


def _summed(rules: Rules) -> list[int]:
    """Triggers that any card has, and those with effects that cost HP; whether a card takes from opponents.

    Kernels skip what no card of the set could do.
    """
    effects = [effect for card in rules.cards for effect in card.effects]
    effects += [effect for season in rules.seasons for effect in season.effects]
    return [
        sum({1 << TRIGGERS.index(effect.trigger) for effect in effects}),
        sum({1 << TRIGGERS.index(effect.trigger) for effect in effects if effect.action in TAKING}),
        any(effect.trigger == "ready" and effect.target == "opponent" for effect in effects),
    ]


def always_adds(effects: Sequence[Effect]) -> list[int]:
    """What a ready card adds to each value, and whether that varies: then nothing is added up here."""
    ready = [effect for effect in effects if effect.trigger == "ready" and effect.action == "modify"]
    if any(effect.conditional or effect.target != "self" for effect in ready):
        return [0] * len(STATS) + [1]
    return [*(sum(effect.amount for effect in ready if effect.stat == stat) for stat in STATS), 0]


def _effects(rules: Rules, effects: Sequence[Effect]) -> list[int]:
    """Effects of a card, a race or a season card."""
    triggers = sum({1 << TRIGGERS.index(effect.trigger) for effect in effects})
    cost = sum(effect.cost_hp for effect in effects if effect.trigger == "use")
    numbers = [len(effects), triggers, cost]
    for effect in effects:
        numbers += _effect(rules, effect)
    return numbers + [0] * (layout.EFFECTS_WORDS - len(numbers))


def situations(effects: Sequence[Effect], trigger: str) -> int:
    """Where the effects of a trigger can do anything: a 1 at the offset of each of `layout.SITUATIONS`."""
    own = [effect for effect in effects if effect.trigger == trigger]
    if all(effect.target == "this-attack" for effect in own):
        return sum(1 << place for place in {place for effect in own for place in _bears_on(effect)})
    chosen = [effect.target for effect in own if effect.target in CHOSEN]
    queue = chosen[:1] == ["queue-item"]
    return sum(1 << place for place in layout.SITUATIONS if not (queue and place == layout.AT_REST))


def _bears_on(effect: Effect) -> tuple[int, ...]:
    """The situations in which an effect on this attack does anything: only the two that fight have totals."""
    if effect.action == "prevent" or effect.stat == "D":
        return (layout.UNDER_ATTACK,)
    if effect.stat in ("A", "M"):
        return (layout.IN_MELEE if effect.stat == "A" else layout.IN_MAGIC,)
    return layout.IN_MELEE, layout.IN_MAGIC, layout.UNDER_ATTACK


def _effect(rules: Rules, effect: Effect) -> list[int]:
    def index(names: Sequence[str], name: str) -> int:
        return list(names).index(name) if name else -1

    kinds = ITEM_KINDS if effect.target == "queue-item" else KINDS
    seasons = [season.id for season in rules.seasons]
    named = layout.NEXT_SEASON if effect.season in ("", "next") else seasons.index(effect.season)
    return [
        TRIGGERS.index(effect.trigger),
        ACTIONS.index(effect.action),
        index(STATS, effect.stat),
        effect.amount,
        TARGETS.index(effect.target),
        sum(1 << kinds.index(kind) for kind in set(effect.kinds)),
        named,
        DURATIONS.index(effect.duration),
        index(seasons, effect.if_season),
        index([race.id for race in rules.races], effect.if_race),
        index([each.id for each in rules.classes], effect.if_class),
        effect.if_hp,
        effect.cost_hp,
        effect.limit,
        sum(1 << place for place in _bears_on(effect)),
    ]
