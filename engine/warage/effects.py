"""Effects of cards in the words of the rules files: what they may be, and what is wrong with one.

An effect says when, what, to whom, for how long, if what. Which words go together stands in `_ALLOWED`;
everything else is refused by name. There is no code in cards.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from engine.rulefiles import toml_value, unknown
from engine.warage.rules_schema import (
    ACTIONS,
    CONDITIONS,
    DURATIONS,
    EFFECT_KEYS,
    ITEM_KINDS,
    KINDS,
    MAX_AMOUNT,
    MAX_CAP,
    STATS,
    TARGETS,
    TRIGGERS,
)

ACTIVE = ("play", "use")
"""Triggers that a player pulls, and that go by the queue."""
EVENTS = ("opening", "closing", "hit", "hurt", "season-change")
"""Triggers that come by themselves, not by the queue (Q4)."""
TAKING = ("lose", "drain")
"""Actions that take HP from heroes."""
GIVING = ("gain", "drain")
"""Actions that give HP to the owner."""
CHOSEN = ("chosen-hero", "chosen-card", "queue-item")
"""Targets that are named when an effect is declared."""
WITHOUT_AMOUNT = ("destroy", "negate", "season", "deactivate")

_LATER = ("this-round", "until-opening")
_HEROES = ("self", "opponent", "chosen-hero")
_EVENT_ACTIONS: dict[str, tuple[tuple[str, tuple[str, ...]], ...]] = {
    "gain": (("self", ("instant",)),),
    "lose": (("opponent", ("instant",)), ("self", ("instant",))),
    "drain": (("opponent", ("instant",)),),
    "draw": (("self", ("instant",)),),
    "discard": (("opponent", ("instant",)), ("self", ("instant",))),
    "season": (("self", ("instant",)),),
    "modify": (("self", _LATER), ("opponent", _LATER)),
}
_ACTIVE_ACTIONS: dict[str, tuple[tuple[str, tuple[str, ...]], ...]] = {
    "gain": (("self", ("instant",)),),
    "lose": (("chosen-hero", ("instant",)), ("opponent", ("instant",)), ("self", ("instant",))),
    "drain": (("chosen-hero", ("instant",)), ("opponent", ("instant",))),
    "draw": (("self", ("instant",)),),
    "discard": (("chosen-hero", ("instant",)), ("opponent", ("instant",)), ("self", ("instant",))),
    "season": (("self", ("instant",)),),
    "modify": (("this-attack", ("this-attack",)), *((hero, _LATER) for hero in _HEROES)),
    "prevent": (("this-attack", ("this-attack",)),),
    "reroll": (("this-attack", ("this-attack",)),),
    "destroy": (("chosen-card", ("instant",)),),
    "deactivate": (("chosen-card", ("instant",)),),
    "negate": (("queue-item", ("instant",)),),
}
_ALLOWED: dict[str, dict[str, tuple[tuple[str, tuple[str, ...]], ...]]] = {
    "ready": {
        "modify": (("self", ("in-play",)), ("opponent", ("in-play",))),
        "extra-amulet": (("self", ("in-play",)),),
    },
    "attack": {"modify": (("this-attack", ("this-attack",)),)},
    **dict.fromkeys(EVENTS, _EVENT_ACTIONS),
    # A change that changes the season again would never end.
    "season-change": {action: ways for action, ways in _EVENT_ACTIONS.items() if action != "season"},
    **dict.fromkeys(ACTIVE, _ACTIVE_ACTIONS),
}
"""Trigger -> action -> targets, the usual one first, each with its durations."""


class Effect(msgspec.Struct, frozen=True):
    """An effect (data model of the rulings); conditions are those of the card's owner.

    Attributes
    ----------
    stat : of `modify`: A, D, M or dice.
    kinds : of a chosen card, or of an item on the queue.
    season : of the action `season`: `next`, or a base season.
    if_season, if_race, if_class, if_hp : the condition; empty, or 0, where there is none.
    cost_hp, limit : of a `use`: what it costs, and how often it works in a turn, 0 for any number.
    """

    trigger: str
    action: str
    stat: str = ""
    amount: int = 0
    target: str = "self"
    kinds: tuple[str, ...] = ()
    season: str = ""
    duration: str = "instant"
    if_season: str = ""
    if_race: str = ""
    if_class: str = ""
    if_hp: int = 0
    cost_hp: int = 0
    limit: int = 1

    @property
    def conditional(self) -> bool:
        """Whether it has a condition."""
        return bool(self.if_season or self.if_race or self.if_class or self.if_hp)


def effect_of(words: Mapping[str, Any]) -> Effect:
    """Read a sound effect, the usual words filled in."""
    trigger, action = words["trigger"], words["action"]
    targets = dict(_ALLOWED[trigger][action])
    target = words.get("target", next(iter(targets)))
    condition = words.get("condition", {})
    return Effect(
        trigger=trigger,
        action=action,
        stat=words.get("stat", ""),
        amount=words.get("amount", 1 if action == "extra-amulet" else 0),
        target=target,
        kinds=tuple(words.get("kinds", ())),
        season=words.get("season", ""),
        duration=words.get("duration", targets[target][0]),
        if_season=condition.get("season", ""),
        if_race=condition.get("race", ""),
        if_class=condition.get("class", ""),
        if_hp=condition.get("hp_at_most", 0),
        cost_hp=words.get("cost_hp", 0),
        limit=words.get("limit", 1),
    )


def effect_words(effect: Effect) -> dict[str, Any]:
    """Write an effect as a file holds it: without what is usual."""
    targets = _ALLOWED[effect.trigger][effect.action]
    words: dict[str, Any] = {"trigger": effect.trigger, "action": effect.action}
    if effect.stat:
        words["stat"] = effect.stat
    if effect.amount and not (effect.action == "extra-amulet" and effect.amount == 1):
        words["amount"] = effect.amount
    if effect.target != targets[0][0]:
        words["target"] = effect.target
    if effect.kinds:
        words["kinds"] = list(effect.kinds)
    if effect.season:
        words["season"] = effect.season
    if effect.duration != dict(targets)[effect.target][0]:
        words["duration"] = effect.duration
    condition = {
        key: value
        for key, value in zip(
            CONDITIONS, (effect.if_season, effect.if_race, effect.if_class, effect.if_hp), strict=True
        )
        if value
    }
    if condition:
        words["condition"] = condition
    if effect.cost_hp:
        words["cost_hp"] = effect.cost_hp
    if effect.limit != 1:
        words["limit"] = effect.limit
    return words


class Known(NamedTuple):
    """What conditions may name."""

    seasons: Sequence[str]
    base_seasons: Sequence[str]
    races: Sequence[str]
    classes: Sequence[str]


Wrong = tuple[str, str]
"""What is wrong, and what is allowed."""


def wrong_words(words: Mapping[str, Any], known: Known) -> Iterator[Wrong]:
    """Yield what is wrong with an effect on its own; nothing if it is sound."""
    for key in words:
        if key not in EFFECT_KEYS:
            yield unknown("key of an effect", str(key), EFFECT_KEYS), ", ".join(EFFECT_KEYS)
    for key, choices in (
        ("trigger", TRIGGERS),
        ("action", ACTIONS),
        ("target", TARGETS),
        ("duration", DURATIONS),
        ("stat", STATS),
    ):
        if key in words and words[key] not in choices:
            yield f"{toml_value(words[key])}: {unknown(key, str(words[key]), choices)}", ", ".join(choices)
        elif key in ("trigger", "action") and key not in words:
            yield f"an effect needs its {key}", ", ".join(choices)
    for key, low, high in (
        ("amount", -MAX_AMOUNT, MAX_AMOUNT),
        ("cost_hp", 0, MAX_AMOUNT),
        ("limit", 0, 1),
    ):
        if key in words and not _whole(words[key], low, high):
            yield f"{key} = {toml_value(words[key])}", f"a whole number from {low} to {high}"
    yield from _wrong_condition(words.get("condition", {}), known)


def _whole(value: Any, low: int, high: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and low <= value <= high


def _wrong_condition(condition: Any, known: Known) -> Iterator[Wrong]:
    if not isinstance(condition, Mapping):
        yield f"condition = {toml_value(condition)}", '{ season = "spring" }'
        return
    choices = {"season": known.seasons, "race": known.races, "class": known.classes}
    for key, value in condition.items():
        if key == "hp_at_most":
            if not _whole(value, 1, MAX_CAP):
                yield f"hp_at_most = {toml_value(value)}", f"a whole number from 1 to {MAX_CAP}"
        elif key not in choices:
            yield unknown("condition", str(key), CONDITIONS), ", ".join(CONDITIONS)
        elif value not in choices[key]:
            yield f"{toml_value(value)}: {unknown(key, str(value), choices[key])}", ", ".join(choices[key])


def wrong_together(words: Mapping[str, Any], known: Known) -> Iterator[Wrong]:
    """Yield what does not go together in an effect whose words are sound one by one."""
    trigger, action = words["trigger"], words["action"]
    actions = _ALLOWED[trigger]
    if action not in actions:
        yield f"{action} does not go with the trigger {trigger}", ", ".join(actions)
        return
    targets = dict(actions[action])
    target = words.get("target", next(iter(targets)))
    if target not in targets:
        yield f"{trigger}, {action}: the target {target} has no meaning here", ", ".join(targets)
    elif words.get("duration", targets[target][0]) not in targets[target]:
        reason = f"{trigger}, {action}, {target}: the duration {words['duration']} has no meaning here"
        yield reason, ", ".join(targets[target])
    yield from _wrong_amount(words)
    yield from _wrong_kinds(words, target)
    if (action == "modify") != ("stat" in words):
        yield "a stat belongs to modify, and modify needs one", ", ".join(STATS)
    elif trigger == "attack" and words["stat"] != "M":
        yield "an attack spell adds to M", "M"
    seasons = ("next", *known.base_seasons)
    if action == "season" and words.get("season") not in seasons:
        yield f"season = {toml_value(words.get('season', ''))}", ", ".join(seasons)
    elif action != "season" and "season" in words:
        yield "a season belongs to the action season", "no season"
    if trigger != "use" and ("cost_hp" in words or "limit" in words):
        yield f"cost_hp and limit belong to the trigger use, not to {trigger}", "use"


def _wrong_amount(words: Mapping[str, Any]) -> Iterator[Wrong]:
    action, amount = words["action"], words.get("amount")
    if action in WITHOUT_AMOUNT:
        if amount is not None:
            yield f"{action} has no amount", "no amount"
    elif action == "modify":
        if not amount:
            yield "modify needs an amount, and not 0", f"a whole number from -{MAX_AMOUNT} to {MAX_AMOUNT}"
    elif action != "extra-amulet" or amount is not None:
        most = {"draw": 9, "discard": 9, "reroll": 3, "extra-amulet": 3}.get(action, MAX_AMOUNT)
        if not _whole(amount, 1, most):
            yield f"{action} needs an amount", f"a whole number from 1 to {most}"


def _wrong_kinds(words: Mapping[str, Any], target: str) -> Iterator[Wrong]:
    kinds = words.get("kinds")
    if target not in ("chosen-card", "queue-item"):
        if kinds is not None:
            yield f"kinds belong to chosen-card and queue-item, not to {target}", "no kinds"
        return
    choices: Sequence[str] = ITEM_KINDS
    if target == "chosen-card":
        choices = ("spell",) if words["action"] == "deactivate" else tuple(k for k in KINDS if k != "flash")
    if not isinstance(kinds, list) or not kinds:
        yield f"{words['action']} needs kinds", ", ".join(choices)
        return
    for kind in kinds:
        if kind not in choices:
            yield f"{toml_value(kind)}: {unknown('kind here', str(kind), choices)}", ", ".join(choices)
