"""Abilities of gladiators and cards, in the words of the rules files: what they may be.

An ability says when it works, what it costs, under which conditions, on whom, and what it does. There is no
code in cards: what is not in these words is refused by name. Which words go together is checked in
`engine.ophidian.abilities_checks`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Any, Literal, get_args

import msgspec

from engine.rulefiles import close_matches

When = Literal["action", "announced", "resolved", "static", "breather"]
Reply = Literal["", "attacked", "attacks", "positive", "negative"]
Sign = Literal["", "+", "-", "variable"]
Act = Literal[
    "damage",
    "heal",
    "modify",
    "set",
    "unset",
    "move",
    "prevent",
    "cheer",
    "steal_cheer",
    "draw",
    "discard",
    "resources",
    "destroy",
    "become",
    "stand_in",
]
Stat = Literal["", "life", "rage", "attack", "defence", "shield", "rage_damage"]
Damage = Literal["", "attack", "rage", "direct"]
Lasts = Literal["", "action", "until_momentum", "wave", "while_in_play"]
On = Literal["", "target", "source", "attacker", "defender"]
Word = Literal["die", "wounds", "level", "count"]
SideWord = Literal["own", "enemy", "any"]
KindWord = Literal["gladiator", "minion", "any"]
FieldWord = Literal["action", "support", "any"]

WHENS: tuple[str, ...] = get_args(When)
RESPONSE_WHENS = ("announced", "resolved")
"""Of responses: before the action resolves, and after it (M2)."""
REPLIES: tuple[str, ...] = get_args(Reply)
SIGNS: tuple[str, ...] = get_args(Sign)
ACTS: tuple[str, ...] = get_args(Act)
STATS: tuple[str, ...] = get_args(Stat)[1:]
"""Numbers of a Character; a number's position here is its column everywhere."""
DAMAGES: tuple[str, ...] = get_args(Damage)
LASTS: tuple[str, ...] = get_args(Lasts)
ONS: tuple[str, ...] = get_args(On)
WORDS: tuple[str, ...] = get_args(Word)
SIDES: tuple[str, ...] = get_args(SideWord)
KINDS: tuple[str, ...] = get_args(KindWord)
FIELDS: tuple[str, ...] = ("support", "action", "any")

ON_CHARACTERS = ("damage", "heal", "modify", "set", "unset", "move", "prevent", "destroy")
"""What falls on a Character; the rest falls on a player, or on the action."""
MAX_ABILITIES = 2
MAX_DOS = 3
MAX_AMOUNT = 15


class Filter(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Which Characters are meant; None where it does not matter."""

    side: SideWord = "any"
    kind: KindWord = "any"
    field: FieldWord = "any"
    set: bool | None = None
    raging: bool | None = None
    wounded: bool | None = None


class If(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A condition: about a Character, its owner, the wave, or the die of this action.

    Attributes
    ----------
    level, wave, die : at least so much; 0 where it does not matter.
    """

    raging: bool | None = None
    favourite: bool = False
    field: FieldWord = "any"
    level: int = 0
    wave: int = 0
    die: int = 0

    @property
    def of_character(self) -> bool:
        """Whether it asks for a Character."""
        return self.raging is not None or self.field != "any" or self.level > 0


class Cost(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What has to be paid: in play by the card itself; wounds of a card in hand by an own gladiator."""

    set: bool = False
    resources: int = 0
    cheer: int = 0
    discard: int = 0
    wound: int = 0
    destroy: bool = False


class Do(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One thing that an ability does.

    Attributes
    ----------
    amount : a number, or where it comes from.
    type, stat, field, sign : of damage, modify, move, become.
    enemy : it falls on the opponent: cheer, draw, discard, resources.
    on : the Character it falls on, where that is not the usual one.
    condition : else nothing happens.
    """

    act: Act
    amount: int | Word = 0
    type: Damage = ""
    stat: Stat = ""
    field: FieldWord = "any"
    sign: Sign = ""
    enemy: bool = False
    on: On = ""
    condition: If = msgspec.field(default=If(), name="if")


class Ability(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """An ability of a gladiator or a card.

    Attributes
    ----------
    when : it is an action, a response to what is announced or has resolved, always on, or of the breather.
    to : what a response answers.
    sign, positive_if : of an action in play; what makes a variable action positive, of cards too.
    target : whom its owner chooses, None for nobody.
    count : what the amount `count` counts.
    lasts : of what it modifies.
    repeatable : how often a response works in one action.
    """

    when: When
    do: tuple[Do, ...]
    to: Reply = ""
    sign: Sign = ""
    cost: Cost = Cost()
    condition: If = msgspec.field(default=If(), name="if")
    positive_if: If = If()
    target: Filter | None = None
    count: Filter | None = None
    lasts: Lasts = ""
    repeatable: int = 1
    counts_as_pass: bool = False

    @property
    def responds(self) -> bool:
        """Whether it is a response."""
        return self.when in RESPONSE_WHENS

    @property
    def needs_die(self) -> bool:
        """Whether a die is rolled for it."""
        conditions = [self.positive_if, *(each.condition for each in self.do)]
        return any(each.die for each in conditions) or any(each.amount == "die" for each in self.do)

    def on(self, do: Do) -> str:
        """On whom something falls, the usual one filled in."""
        if do.on or do.act not in ON_CHARACTERS:
            return do.on
        if self.target is not None:
            return "target"
        return {"attacked": "defender", "attacks": "attacker"}.get(self.to, "source")

    @property
    def duration(self) -> str:
        """How long what it modifies lasts, the usual time filled in."""
        usual = {"announced": "action", "static": "while_in_play"}
        return self.lasts or usual.get(self.when, "wave")


def ability_of(words: Mapping[str, Any]) -> Ability:
    """Read an ability; raises ValueError with what is wrong, and what comes near it."""
    try:
        return msgspec.convert(words, Ability)
    except msgspec.ValidationError as error:
        raise ValueError(_plain(str(error))) from None


def filter_of(words: Mapping[str, Any]) -> Filter:
    """Read which Characters are meant; raises ValueError."""
    try:
        return msgspec.convert(words, Filter)
    except msgspec.ValidationError as error:
        raise ValueError(_plain(str(error))) from None


def words_of(value: Ability | Filter) -> dict[str, Any]:
    """Write an ability, or a filter, as a file holds it: without what is usual."""
    # Equal, not identical: what comes from another process has copies of defaults, and msgspec keeps those.
    words: dict[str, Any] = _unusual(value)
    return words


def _unusual(value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple(map(_unusual, value))
    if not isinstance(value, msgspec.Struct):
        return value
    given = {word: (getattr(value, name), usual) for word, name, usual in _parts(type(value))}
    return {name: _unusual(part) for name, (part, usual) in given.items() if part != usual}


@cache
def _parts(struct: type[msgspec.Struct]) -> list[tuple[str, str, Any]]:
    """Each part's word, attribute and usual value."""
    return [(each.encode_name, each.name, each.default) for each in msgspec.structs.fields(struct)]


_VOCABULARY = (
    *WHENS,
    *REPLIES,
    *SIGNS,
    *ACTS,
    *STATS,
    *DAMAGES,
    *LASTS,
    *ONS,
    *WORDS,
    *SIDES,
    *KINDS,
    *FIELDS,
    *(name for struct in (Filter, If, Cost, Do, Ability) for name in struct.__struct_encode_fields__),
)


def _plain(message: str) -> str:
    """Say what msgspec found in plain words."""
    place = re.search(r" - at `\$\.?(.*)`$", message)
    where = f"{place[1]}: " if place and place[1] else ""
    said = re.sub(r" - at `.*`$", "", message)
    word = re.search(r"(?:unknown field `|Invalid enum value ')(.*?)[`']", said)
    if word is None:
        return where + said[0].lower() + said[1:]
    near = close_matches(word[1], [each for each in dict.fromkeys(_VOCABULARY) if each])
    hint = f"; did you mean {' or '.join(near)}?" if near else ""
    return f"{where}there is no such word, {word[1]!r}{hint}"
