"""Random rules of Ophidian Arena: any words that go together, small decks, short matches."""

from __future__ import annotations

import random
from typing import Any

from msgspec.structs import replace

from engine.ophidian.abilities import RESPONSE_WHENS, STATS, WHENS, Ability, Cost, Do, Filter, If
from engine.ophidian.abilities_checks import wrong_ability
from engine.ophidian.reference import Seat
from engine.ophidian.rules import CardRule, GladiatorRule, Rules, load_rules
from engine.ophidian.rules_schema import DISCIPLINES, NEVER, ROAR_WINDOWS

BOX = load_rules()
_MAYBE = (None, None, None, False, True)


def random_rules(seed: int) -> Rules:
    """Rules that depend on the seed alone."""
    rng = random.Random(seed)
    match = replace(
        BOX.match,
        waves=rng.randint(1, 4),
        extra_waves=rng.randint(0, 2),
        winning_points=rng.choice([4, 12]),
        riot=rng.choice([3, 15]),
        promotions=rng.randint(0, 4),
        promotion_heals=rng.randint(0, 2),
        hand_size=rng.randint(1, 7),
        extra_draws=rng.randint(0, 2),
        base_resources=rng.randint(0, 12),
        team_size=rng.randint(2, 4),
    )
    combat = replace(
        BOX.combat,
        stand_in_defends=rng.random() < 0.5,
        rage_damage=rng.randint(0, 2),
        roar_window=rng.choice(ROAR_WINDOWS),
    )
    return Rules(
        name="random",
        match=match,
        combat=combat,
        gladiators=tuple(_gladiator(rng, each) for each in BOX.gladiators),
        cards=tuple(_card(rng, each) for each in BOX.cards),
        teams=BOX.teams,
        decks=BOX.decks,
        provenance={},
    )


def random_seats(seed: int, rules: Rules | None = None) -> tuple[Rules, list[Seat]]:
    """A match with small teams and decks, by random rules if none are given."""
    rules, rng = rules or random_rules(seed), random.Random(-seed)
    starting = [number for number, each in enumerate(rules.gladiators) if not each.reinforcement]
    entering = [number for number, each in enumerate(rules.gladiators) if each.reinforcement]
    least = rules.match.hand_size + rules.match.extra_draws
    seats = []
    for _ in range(2):
        team = tuple(rng.sample(starting, rng.randint(1, rules.match.team_size)))
        deck = [0] * len(rules.cards)
        for card in rng.sample(range(len(deck)), rng.randint(3, 8)):
            deck[card] = rng.randint(1, 3)
        while sum(deck) < max(least, rng.randint(5, 30)):
            deck[rng.randrange(len(deck))] += 1
        stack = tuple(sorted(rng.sample(entering, rng.randint(0, len(entering)))))
        seats.append(Seat(team, tuple(deck), stack))
    return rules, seats


def _gladiator(rng: random.Random, box: GladiatorRule) -> GladiatorRule:
    life = [rng.randint(1, 9)]
    for _ in range(3):
        life.append(min(15, life[-1] + rng.randint(0, 2)))
    disciplines = tuple(rng.sample(DISCIPLINES, rng.randint(1, 3)))
    return replace(
        box,
        life=tuple(life),
        rage=_numbers(rng, 0, 9),
        attack=_numbers(rng, 0, 5),
        defence=_numbers(rng, 0, 3),
        shield=_numbers(rng, 0, 3),
        disciplines=disciplines,
        maintain=rng.randint(0, 3) if box.reinforcement else 0,
        abilities=tuple(_ability(rng, "gladiator") for _ in range(rng.choice([0, 1, 1, 2]))),
    )


def _numbers(rng: random.Random, low: int, high: int) -> tuple[int, ...]:
    return tuple(rng.randint(low, high) for _ in range(4))


def _card(rng: random.Random, box: CardRule) -> CardRule:
    kind = box.type
    owner = "response" if box.sign == "response" else kind
    if kind == "quick-hit":
        abilities: tuple[Ability, ...] = (_ability(rng, owner),)
    else:
        abilities = tuple(_ability(rng, owner) for _ in range(rng.choice([0, 1, 1, 2])))
    sign: Any = box.sign
    if owner in ("minion", "pump"):
        sign = rng.choice("+-")
    elif owner == "quick-hit":
        sign = "-" if abilities[0].counts_as_pass else rng.choice(["+", "-", "variable"])
    maintain = 0 if kind == "quick-hit" else rng.choice([0, 1, 2, NEVER])
    body = replace(box.body, maintain=maintain, abilities=abilities)
    if kind == "minion":
        life, attack = (rng.randint(1, 6),) * 4, (rng.randint(0, 4),) * 4
        body = replace(body, life=life, attack=attack, rage=(rng.randint(0, 6),) * 4)
        body = replace(body, defence=(rng.randint(0, 2),) * 4, shield=(rng.randint(0, 2),) * 4)
    return replace(
        box,
        cost=rng.randint(0, 4),
        requires=tuple((rng.choice(DISCIPLINES), rng.randint(1, 2)) for _ in range(rng.choice([0, 0, 1, 2]))),
        sign=sign,
        maintain=maintain,
        unique=kind != "quick-hit" and rng.random() < 0.3,
        body=body,
        put_on=_filter(rng) if kind == "pump" else Filter(),
        abilities=abilities,
    )


def _ability(rng: random.Random, owner: str) -> Ability:
    """Words at random, until they go together."""
    while True:
        ability = _words(rng, owner)
        if not list(wrong_ability(ability, owner)):
            return ability


def _words(rng: random.Random, owner: str) -> Ability:
    in_play = owner in ("gladiator", "minion")
    when: Any = {
        "pump": rng.choice(["static", "breather"]),
        "quick-hit": "action",
        "response": rng.choice(RESPONSE_WHENS),
    }.get(owner, rng.choice(WHENS))
    to: Any = rng.choice(["attacked", "attacks", "positive", "negative"]) if when in RESPONSE_WHENS else ""
    by_itself = when in ("static", "breather")
    sign: Any = rng.choice(["+", "-", "variable"]) if when == "action" and in_play else ""
    target = None if by_itself or rng.random() < 0.4 else _filter(rng)
    dos = tuple(_do(rng, when, to) for _ in range(rng.choice([1, 1, 2, 3])))
    may_vary = sign == "variable" or (when == "action" and not in_play)
    return Ability(
        when=when,
        do=dos,
        to=to,
        sign=sign,
        cost=Cost() if by_itself else _cost(rng, in_play),
        condition=_if(rng, 0) if rng.random() < 0.4 else If(),
        positive_if=_if(rng, 6) if may_vary else If(),
        target=target,
        count=_filter(rng) if any(do.amount == "count" for do in dos) else None,
        lasts=rng.choice(["", "action", "wave", "until_momentum"]) if not by_itself else "",
        repeatable=rng.choice([1, 1, 2]),
        counts_as_pass=when == "action" and sign in ("", "-") and rng.random() < 0.2,
    )


def _cost(rng: random.Random, in_play: bool) -> Cost:
    return Cost(
        set=in_play and rng.random() < 0.5,
        resources=rng.choice([0, 0, 1, 2]),
        cheer=rng.choice([0, 0, 0, 1]),
        discard=rng.choice([0, 0, 0, 1, 2]),
        wound=rng.choice([0, 0, 0, 1]),
        destroy=in_play and rng.random() < 0.1,
    )


def _if(rng: random.Random, die: int) -> If:
    return If(
        raging=rng.choice(_MAYBE),
        favourite=rng.random() < 0.3,
        field=rng.choice(["any", "any", "action", "support"]),
        level=rng.choice([0, 0, 0, 1, 2]),
        wave=rng.choice([0, 0, 2]),
        die=rng.randint(0, die),
    )


def _filter(rng: random.Random) -> Filter:
    return Filter(
        side=rng.choice(["own", "enemy", "any"]),
        kind=rng.choice(["gladiator", "minion", "any", "any"]),
        field=rng.choice(["any", "any", "action", "support"]),
        set=rng.choice(_MAYBE),
        raging=rng.choice(_MAYBE),
        wounded=rng.choice(_MAYBE),
    )


def _do(rng: random.Random, when: str, to: str) -> Do:
    acts: list[Any] = ["damage", "heal", "modify", "set", "unset", "move", "prevent", "destroy"]
    acts += ["cheer", "steal_cheer", "draw", "discard", "resources", "damage", "modify", "modify"]
    acts += ["become"] * 4 if to in ("positive", "negative") else []
    if when == "static":
        acts = ["modify", "modify", "modify", "stand_in"]
    elif when == "breather":
        acts = ["heal", "cheer", "resources"]
    act = rng.choice(acts)
    amount: Any = rng.choice([1, 1, 2, 3, "die", "wounds", "level", "count"])
    if act in ("set", "unset", "move", "destroy", "become", "stand_in"):
        amount = 0
    elif act == "modify" and isinstance(amount, int):
        amount = rng.choice([-2, -1, 1, 2])
    on: Any = rng.choice(["", "", "attacker", "defender"]) if to in ("attacked", "attacks") else ""
    return Do(
        act=act,
        amount=amount,
        type=rng.choice(["attack", "rage", "direct"]) if act == "damage" else "",
        stat=rng.choice(STATS) if act == "modify" else "",
        field=rng.choice(["action", "support"]) if act == "move" else "any",
        sign=rng.choice("+-") if act == "become" else "",
        enemy=act in ("cheer", "draw", "discard", "resources") and rng.random() < 0.3,
        on=on if act in ("damage", "heal", "modify", "set", "unset", "move", "prevent", "destroy") else "",
        condition=_if(rng, 0 if when in ("static", "breather") else 5) if rng.random() < 0.3 else If(),
    )
