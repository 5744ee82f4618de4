"""Abilities of gladiators and cards as sentences."""

from __future__ import annotations

from collections.abc import Iterator

from engine.ophidian.abilities import Ability, Do, Filter, If
from engine.ophidian.rules import Rules
from engine.ophidian.rules_schema import NEVER

__all__ = ["ability_words", "deed_words", "value_words"]

_WHEN = {
    "action": "as an action",
    "announced": "in response",
    "resolved": "once it has resolved",
    "static": "always",
    "breather": "in the breather",
}
_TO = {
    "attacked": "to an attack on it",
    "attacks": "to its own attack",
    "positive": "to a positive action",
    "negative": "to a negative action",
}
_SIGNS = {"+": "positive", "-": "negative", "variable": "of either sign"}
_ON = {
    "target": "the target",
    "source": "itself",
    "attacker": "the attacker",
    "defender": "the defender",
    "": "",
}
_LASTS = {
    "action": "for this action",
    "until_momentum": "until momentum changes",
    "wave": "for this wave",
    "while_in_play": "while it is in play",
}
_FIELDS = {"action": "the action field", "support": "the support field"}
_STATS = {"rage_damage": "rage damage"}
_AMOUNTS = {
    "die": "as many as the die shows",
    "wounds": "as many as its wounds",
    "level": "as many as its level",
    "count": "one for each that counts",
}


def ability_words(ability: Ability) -> str:
    """Return what an ability does, as a sentence without its full stop."""
    when = _WHEN[ability.when]
    if ability.responds and ability.to:
        when = f"{when} {_TO[ability.to]}"
    parts = [f"{when}: {deed_words(ability)}"]
    if ability.target is not None:
        parts.append(f"the target is {_filter(ability.target)}")
    if ability.count is not None:
        parts.append(f"what counts is {_filter(ability.count)}")
    parts += [f"only {each}" for each in _conditions(ability.condition)]
    cost = list(_cost(ability))
    if cost:
        parts.append(f"it costs {' and '.join(cost)}")
    if ability.sign:
        parts.append(f"the action is {_SIGNS[ability.sign]}")
    positive = list(_conditions(ability.positive_if))
    if positive:
        parts.append(f"the action is positive {' and '.join(positive)}")
    if ability.repeatable > 1:
        parts.append(f"up to {ability.repeatable} times in one action")
    if ability.counts_as_pass:
        parts.append("it counts as a pass")
    return "; ".join(parts)


def deed_words(ability: Ability) -> str:
    """Return only what happens: what stands beside a card's name in a list of moves."""
    return " and ".join(_do(ability, each) for each in ability.do)


def value_words(rules: Rules) -> dict[str, str]:
    """Return what abilities do, and which costs mean never, by the dotted keys of gladiators and cards."""
    abilities = {
        f"{kind}.{each.id}.abilities": "; ".join(map(ability_words, each.abilities)) or "-"
        for kind, entries in (("gladiators", rules.gladiators), ("cards", rules.cards))
        for each in entries
    }
    never = {f"cards.{card.id}.maintain": "never" for card in rules.cards if card.maintain == NEVER}
    return abilities | never


def _counted(number: int | str, what: str) -> str:
    if isinstance(number, str):
        return f"{what}s, {_AMOUNTS[number]}"
    return f"{number} {what}{'' if number == 1 else 's'}"


def _do(ability: Ability, do: Do) -> str:
    """One thing that an ability does."""
    on = _ON[ability.on(do)]
    words = _plain(ability, do, on)
    said = [words, *_conditions(do.condition)]
    return " ".join(said)


def _plain(ability: Ability, do: Do, on: str) -> str:
    who = "the opponent" if do.enemy else "you"
    if do.act == "modify":
        stat = _STATS.get(do.stat, do.stat)
        amount = f"{do.amount:+d}" if isinstance(do.amount, int) else f"more, {_AMOUNTS[do.amount]},"
        return f"{on or 'it'} has {amount} {stat} {_LASTS[ability.duration]}"
    if do.act == "damage":
        kind = "" if do.type in ("", "direct") else f"{do.type} "
        past = " past all shields" if do.type == "direct" else ""
        return f"deals {_counted(do.amount, f'{kind}wound')} to {on}{past}"
    less = isinstance(do.amount, int) and do.amount < 0
    cheer = f"{abs(do.amount)} cheer" if isinstance(do.amount, int) else f"cheer, {_AMOUNTS[do.amount]},"
    texts = {
        "heal": f"heals {_counted(do.amount, 'wound')} of {on}",
        "set": f"sets {on}",
        "unset": f"unsets {on}",
        "move": f"moves {on} to {_FIELDS.get(do.field, 'the other field')}",
        "prevent": f"prevents {_counted(do.amount, 'wound') if do.amount else 'all wounds'} of {on}",
        "cheer": f"{who} {'lose' if less else 'get'}{'s' if do.enemy else ''} {cheer}",
        "steal_cheer": f"you take {cheer} from the opponent",
        "draw": f"{who} draw{'s' if do.enemy else ''} {_counted(do.amount, 'card')}",
        "discard": f"{who} discard{'s' if do.enemy else ''} {_counted(do.amount, 'card')}",
        "resources": f"{who} get{'s' if do.enemy else ''} {_counted(do.amount, 'resource')}",
        "destroy": f"destroys {on}",
        "become": f"the action becomes {_SIGNS.get(do.sign, do.sign)}",
        "stand_in": "it stands in for the target",
    }
    return texts[do.act]


def _filter(wanted: Filter) -> str:
    """Which Characters are meant."""
    states = (("set", wanted.set), ("raging", wanted.raging), ("wounded", wanted.wounded))
    words = [name if true else f"not {name}" for name, true in states if true is not None]
    whose = {"own": "one of your own", "enemy": "one of the opponent's", "any": "any"}[wanted.side]
    kind = {"gladiator": "gladiator", "minion": "minion", "any": "Character"}[wanted.kind]
    noun = kind if wanted.side == "any" else f"{kind}s"
    field = "" if wanted.field == "any" else f" in {_FIELDS[wanted.field]}"
    states_text = f" that is {' and '.join(words)}" if words else ""
    return f"{whose} {noun}{field}{states_text}"


def _conditions(condition: If) -> Iterator[str]:
    """What has to hold, each with its conjunction."""
    if condition.raging is not None:
        yield "if it is raging" if condition.raging else "if it is not raging"
    if condition.favourite:
        yield "if you are the crowd's favourite"
    if condition.field != "any":
        yield f"in {_FIELDS[condition.field]}"
    if condition.level:
        yield f"from level {condition.level} on"
    if condition.wave:
        yield f"from wave {condition.wave} on"
    if condition.die:
        yield f"if a die shows {condition.die} or more"


def _cost(ability: Ability) -> Iterator[str]:
    cost = ability.cost
    if cost.set:
        yield "setting it"
    if cost.resources:
        yield _counted(cost.resources, "resource")
    if cost.cheer:
        yield f"{cost.cheer} cheer"
    if cost.discard:
        yield f"discarding {_counted(cost.discard, 'card')}"
    if cost.wound:
        yield f"{_counted(cost.wound, 'wound')} of an own gladiator"
    if cost.destroy:
        yield "destroying it"
