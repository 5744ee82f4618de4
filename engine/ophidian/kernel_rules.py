"""The rules of a match, with both decks, as one int64 array for the kernels."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from engine.ophidian import layout
from engine.ophidian.abilities import (
    ACTS,
    DAMAGES,
    KINDS,
    ONS,
    REPLIES,
    SIDES,
    SIGNS,
    STATS,
    WHENS,
    WORDS,
    Ability,
    Do,
    Filter,
    If,
)
from engine.ophidian.reference import Seat
from engine.ophidian.reference_state import FIELD_NUMBERS, TIMES
from engine.ophidian.rules import BodyRule, CardRule, GladiatorRule, Rules
from engine.ophidian.rules_schema import CARD_KINDS, DISCIPLINES, NUMBERS, ROAR_WINDOWS

KernelRules = NDArray[np.int64]
"""`[NUM_RULES]`"""

UNTIL = TIMES.index("until-0")
CARD_SIGNS = ("-", "+", "variable", "response")
_DURATIONS = {"action": 0, "wave": 1, "until_momentum": UNTIL, "while_in_play": 0}


def kernel_rules(rules: Rules, seats: Sequence[Seat]) -> KernelRules:
    """Return the array of a match."""
    array = np.zeros(layout.NUM_RULES, np.int64)
    match, combat = rules.match, rules.combat
    _put(
        array,
        0,
        [
            len(rules.cards),
            match.team_size,
            match.waves,
            match.extra_waves,
            match.winning_points,
            match.riot,
            match.promotions,
            match.promotion_heals,
            match.hand_size,
            match.extra_draws,
            match.base_resources,
            int(combat.stand_in_defends),
            combat.rage_damage,
            ROAR_WINDOWS.index(combat.roar_window),
            int(rules.answers_late),
        ],
    )
    for player, seat in enumerate(seats):
        place = layout.RULE_SEAT + player * layout.SEAT_WORDS
        _put(array, place, [len(seat.team), sum(seat.deck), len(seat.stack)])
        _put(array, place + layout.SEAT_TEAM, seat.team)
        _put(array, place + layout.SEAT_STACK, seat.stack)
        _put(array, place + layout.SEAT_DECK, seat.deck)
    for number, gladiator in enumerate(rules.gladiators):
        place = layout.RULE_GLADIATOR + number * layout.GLADIATOR_WORDS
        _put(array, place, [*_body(gladiator), *_gladiator(gladiator)])
    for number, card in enumerate(rules.cards):
        place = layout.RULE_CARD + number * layout.CARD_WORDS
        _put(array, place, [*_body(card.body), *_card(card)])
    return array


def _put(array: KernelRules, place: int, values: Sequence[int]) -> None:
    array[place : place + len(values)] = values


def _body(rule: BodyRule) -> list[int]:
    numbers = [value for key in NUMBERS for value in getattr(rule, key)]
    abilities = [word for ability in rule.abilities for word in _ability(ability)]
    head = [rule.points, rule.maintain, int(rule.stands_in), len(rule.abilities)]
    values = [*head, *numbers, *abilities]
    return values + [0] * (layout.BODY_WORDS - len(values))


def _gladiator(rule: GladiatorRule) -> list[int]:
    return [sum(1 << DISCIPLINES.index(each) for each in set(rule.disciplines)), int(rule.reinforcement)]


def _card(card: CardRule) -> list[int]:
    requires = [word for name, level in card.requires for word in (DISCIPLINES.index(name), level)]
    requires += [0] * (layout.CARD_PUT_ON - layout.CARD_REQUIRE - len(requires))
    return [
        CARD_KINDS.index(card.type),
        card.cost,
        CARD_SIGNS.index(card.sign),
        int(card.unique),
        len(card.requires),
        *requires,
        *_filter(card.put_on),
    ]


def _maybe(value: bool | None) -> int:
    return -1 if value is None else int(value)


def _field(word: str) -> int:
    return FIELD_NUMBERS.get(word, -1)


def _if(condition: If) -> list[int]:
    return [
        _maybe(condition.raging),
        int(condition.favourite),
        _field(condition.field),
        condition.level,
        condition.wave,
        condition.die,
    ]


def _filter(wanted: Filter) -> list[int]:
    return [
        SIDES.index(wanted.side),
        KINDS.index(wanted.kind),
        _field(wanted.field),
        *map(_maybe, (wanted.set, wanted.raging, wanted.wounded)),
    ]


def _ability(ability: Ability) -> list[int]:
    cost = ability.cost
    values = [
        WHENS.index(ability.when),
        REPLIES.index(ability.to),
        max(0, CARD_SIGNS.index(ability.sign) if ability.sign else 0),
        int(cost.set),
        cost.resources,
        cost.cheer,
        cost.discard,
        cost.wound,
        int(cost.destroy),
        _DURATIONS[ability.duration],
        ability.repeatable,
        int(ability.counts_as_pass),
        int(ability.needs_die),
        int(ability.target is not None),
        len(ability.do),
        *_if(ability.condition),
        *_if(ability.positive_if),
        *_filter(ability.target or Filter()),
        *_filter(ability.count or Filter()),
        *(word for do in ability.do for word in _do(ability, do)),
    ]
    return values + [0] * (layout.ABILITY_WORDS - len(values))


def _do(ability: Ability, do: Do) -> list[int]:
    number = isinstance(do.amount, int)
    return [
        ACTS.index(do.act),
        0 if number else 1 + WORDS.index(str(do.amount)),
        int(do.amount) if number else 0,
        DAMAGES.index(do.type),
        STATS.index(do.stat) if do.stat else -1,
        _field(do.field),
        SIGNS.index(do.sign),
        int(do.enemy),
        ONS.index(ability.on(do)),
        *_if(do.condition),
    ]
