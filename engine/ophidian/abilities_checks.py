"""Which words of abilities go together."""

from __future__ import annotations

from collections.abc import Iterator

from engine.ophidian.abilities import (
    MAX_AMOUNT,
    MAX_DOS,
    ON_CHARACTERS,
    RESPONSE_WHENS,
    WHENS,
    Ability,
    Cost,
    Do,
    If,
)

Wrong = tuple[str, str]
"""What is wrong, and what is allowed."""

_OF_PLAYERS = ("cheer", "draw", "discard", "resources")
_BREATHER = ("heal", "cheer", "resources")
_KEYS = {"type": "damage", "stat": "modify", "sign": "become"}
_WITHOUT_AMOUNT = ("set", "unset", "move", "destroy", "become", "stand_in")


def wrong_ability(ability: Ability, owner: str) -> Iterator[Wrong]:
    """Yield what does not go together.

    Parameters
    ----------
    owner
        `gladiator`, `minion`, `pump`, `quick-hit`, or `response` for a quick-hit of that sign.
    """
    allowed = {
        "gladiator": WHENS,
        "minion": WHENS,
        "pump": ("static", "breather"),
        "quick-hit": ("action",),
        "response": RESPONSE_WHENS,
    }[owner]
    in_play = owner in ("gladiator", "minion")
    if ability.when not in allowed:
        yield f"when = {ability.when!r} does not go with a {owner}", ", ".join(allowed)
        return
    if not 1 <= len(ability.do) <= MAX_DOS:
        yield f"it does {len(ability.do)} things", f"1 to {MAX_DOS}"
    if ability.responds != bool(ability.to):
        yield "`to` says what a response answers", "with when = 'announced' or 'resolved', and only there"
    if (ability.when == "action" and in_play) != bool(ability.sign):
        yield "a sign belongs to an action of a card in play; that of a quick-hit is the card's", "+ or -"
    if (ability.positive_if != If()) and ability.sign != "variable" and in_play:
        yield "positive_if belongs to variable actions", "sign = 'variable'"
    if ability.counts_as_pass and ability.sign != "-" and owner != "quick-hit":
        yield "only a negative action counts as a pass", "sign = '-'"
    if not 1 <= ability.repeatable <= 9:
        yield f"repeatable = {ability.repeatable}", "1 to 9"
    yield from _wrong_cost(ability.cost, ability, in_play)
    yield from _wrong_conditions(ability, in_play)
    if ability.lasts == "while_in_play" and ability.when != "static":
        yield "while_in_play belongs to static abilities", "action, until_momentum, wave"
    if ability.when == "static" and ability.lasts not in ("", "while_in_play"):
        yield "a static ability lasts while its card is in play", "no lasts"
    for do in ability.do:
        yield from _wrong_do(do, ability, owner)


def _wrong_cost(cost: Cost, ability: Ability, in_play: bool) -> Iterator[Wrong]:
    for key in ("resources", "cheer", "discard", "wound"):
        if not 0 <= getattr(cost, key) <= MAX_AMOUNT:
            yield f"cost: {key} = {getattr(cost, key)}", f"0 to {MAX_AMOUNT}"
    if ability.when in ("static", "breather") and cost != Cost():
        yield "what works by itself costs nothing", "no cost"
    if not in_play and (cost.set or cost.destroy):
        yield "a card in hand cannot be set or destroyed", "another cost"
    if in_play and ability.when == "action" and cost == Cost():
        yield "an action in play without a cost could be repeated for ever", "a cost, such as { set = true }"


def _wrong_conditions(ability: Ability, in_play: bool) -> Iterator[Wrong]:
    free = ability.when == "action" or ability.to in ("positive", "negative")
    if ability.condition.of_character and not in_play and free and ability.when != "static":
        yield "a card in hand has no Character to ask about", "a target of that kind"
    if ability.condition.die:
        yield "the die falls when the action resolves", "die in positive_if, or in what it does"
    if ability.positive_if.of_character and not in_play:
        yield "a card in hand has no Character to ask about", "favourite, wave, die"
    if ability.when in ("static", "breather") and (ability.target is not None or ability.needs_die):
        yield "what works by itself has no target and no die", "its own card"
    counts = any(do.amount == "count" for do in ability.do)
    if counts != (ability.count is not None):
        yield "`count` says what the amount 'count' counts", "both, or neither"


def _wrong_do(do: Do, ability: Ability, owner: str) -> Iterator[Wrong]:
    for key, act in _KEYS.items():
        if bool(getattr(do, key)) != (do.act == act):
            yield f"{do.act}: {key} belongs to {act}, which needs it", act
    if (do.field != "any") != (do.act == "move"):
        yield f"{do.act}: a field belongs to move, which needs it", "action, support"
    if do.sign == "variable":
        yield "an action becomes positive or negative", "+ or -"
    if do.enemy and do.act not in _OF_PLAYERS:
        yield f"{do.act}: enemy belongs to {', '.join(_OF_PLAYERS)}", "a target of side = 'enemy'"
    if do.act in _WITHOUT_AMOUNT:
        if do.amount != 0:
            yield f"{do.act} has no amount", "no amount"
    elif do.act == "modify":
        if do.amount == 0 or (isinstance(do.amount, int) and abs(do.amount) > MAX_AMOUNT):
            yield "modify needs an amount, and not 0", f"-{MAX_AMOUNT} to {MAX_AMOUNT}"
    elif isinstance(do.amount, int) and not 1 <= do.amount <= MAX_AMOUNT:
        yield f"{do.act} needs an amount", f"1 to {MAX_AMOUNT}"
    if do.act == "stand_in" and not (owner == "minion" and ability.when == "static"):
        yield "stand_in is a static ability of minions", "gladiators may always (A3)"
    if do.act == "become" and ability.to not in ("positive", "negative"):
        yield "become answers an action of a sign", "to = 'positive' or 'negative'"
    yield from _wrong_place(do, ability, owner)


def _wrong_place(do: Do, ability: Ability, owner: str) -> Iterator[Wrong]:
    """On whom it falls, and what works by itself."""
    on, in_play = ability.on(do), owner in ("gladiator", "minion")
    if do.act not in ON_CHARACTERS and do.on:
        yield f"{do.act} falls on no Character", "no `on`"
    if on == "target" and ability.target is None:
        yield f"{do.act} on a target, and there is none", "target = { side = 'enemy' }"
    if on in ("attacker", "defender") and ability.to not in ("attacked", "attacks"):
        yield f"{do.act} on {on} outside an attack", "to = 'attacked' or 'attacks'"
    if do.act in ON_CHARACTERS and on == "source" and not in_play and owner != "pump":
        yield f"{do.act} needs somebody to fall on", "a target"
    if do.condition.of_character and do.act not in ON_CHARACTERS and not in_play and owner != "pump":
        yield f"{do.act} falls on no Character to ask about", "favourite, wave, die"
    if do.amount in ("wounds", "level") and do.act not in ON_CHARACTERS:
        yield f"{do.act}: {do.amount} of whom", "a number, die, or count"
    if ability.when == "static":
        vital = do.act == "modify" and do.stat in ("life", "rage")
        if do.act not in ("modify", "stand_in"):
            yield f"{do.act} is no static ability", "modify, stand_in"
        elif vital and owner != "pump":
            yield f"its own {do.stat} stands in its numbers", "other numbers, or a pump"
        elif vital and (not isinstance(do.amount, int) or do.condition != If() or ability.condition != If()):
            yield f"{do.stat} changes by a number, and always", "no condition"
        elif do.condition.die or ability.condition.die:
            yield "what works by itself has no die", "another condition"
    if ability.when == "breather" and do.act not in _BREATHER:
        yield f"{do.act} does not work in the breather", ", ".join(_BREATHER)
