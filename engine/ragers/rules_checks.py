"""What is wrong between values of a rules file that are each allowed on their own."""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations

from engine.ragers.rules_schema import (
    ATTACK_NAMES,
    MAX_DECK,
    MAX_ENTRIES,
    MAX_OF_ONE_ICON,
    PLAYERS,
    SCHEMA,
    TYPES,
)
from engine.rulefiles import MISSING, Problem, canonical_id
from engine.rulelayers import Draft


def contradictions(draft: Draft) -> Iterator[Problem]:
    """What is wrong between values that are each allowed on their own."""
    yield from _card_contradictions(draft)
    yield from _deck_contradictions(draft)
    yield from _cheers_contradictions(draft)
    for table in ("patrons", "cheers"):
        yield from _name_contradictions(draft, table)
        for entry in draft.entries[table]:
            yield from _repeats(draft, f"{table}.{entry}", "forbidden", 1)
        if len(draft.entries[table]) > MAX_ENTRIES:
            file = list(draft.entries[table].values())[-1]
            reason = f"too many: {len(draft.entries[table])}"
            yield Problem(
                file, table, "", MISSING, reason, f"at most {MAX_ENTRIES} {SCHEMA.entries[table].word}s"
            )
    days = draft.leaves["match.days"]
    fewest = min(len(draft.entries["patrons"]), len(draft.entries["cheers"]))
    if days.value > fewest:
        reason = "each day takes a patron and a cheers card of its own"
        yield Problem(days.file, "match", "days", days.value, reason, f"at most {fewest}")


def _card_contradictions(draft: Draft) -> Iterator[Problem]:
    for card in TYPES:
        table = f"cards.{card}"
        fixed = "attack" if card in ATTACK_NAMES else "special"
        kind, beats = draft.leaves[f"{table}.kind"], draft.leaves[f"{table}.beats"]
        if kind.value != fixed:
            reason = "what a card does is part of the program"
            yield Problem(kind.file, table, "kind", kind.value, reason, f'only "{fixed}"')
        if fixed == "special" and beats.value:
            yield Problem(beats.file, table, "beats", beats.value, "only an attack beats others", "[]")
        yield from _repeats(draft, table, "beats", 1)
        if card in beats.value:
            reason = "a card does not beat itself"
            allowed = ", ".join(attack for attack in ATTACK_NAMES if attack != card)
            yield Problem(beats.file, table, "beats", beats.value, reason, allowed)
    for pair in combinations(ATTACK_NAMES, 2):
        # Of the two that beat each other, the one that is not as in the box is at fault.
        second, first = sorted(
            pair, key=lambda attack: draft.leaves[f"cards.{attack}.beats"].file != draft.base
        )
        one, other = draft.leaves[f"cards.{first}.beats"], draft.leaves[f"cards.{second}.beats"]
        if second in one.value and first in other.value:
            reason = f"but [cards.{second}] beats {first} too"
            file = draft.files([one, other])
            yield Problem(file, f"cards.{first}", "beats", one.value, reason, "one of the two at most")


def _deck_contradictions(draft: Draft) -> Iterator[Problem]:
    for player in PLAYERS:
        leaves = [draft.leaves[f"cards.{card}.copies.{player}"] for card in TYPES]
        total = sum(leaf.value for leaf in leaves)
        if not 1 <= total <= MAX_DECK:
            reason = f"the deck of the {player.capitalize()} has {total} cards"
            allowed = f"1 to {MAX_DECK} cards in a deck"
            yield Problem(draft.files(leaves), "cards", "copies", MISSING, reason, allowed)


def _cheers_contradictions(draft: Draft) -> Iterator[Problem]:
    for entry in draft.entries["cheers"]:
        table = f"cheers.{entry}"
        yield from _repeats(draft, table, "required", MAX_OF_ONE_ICON)
        required, forbidden = draft.leaves[f"{table}.required"], draft.leaves[f"{table}.forbidden"]
        both = [icon for icon in TYPES if icon in required.value and icon in forbidden.value]
        if both:
            reason = f"{' and '.join(both)} required as well, so nobody could meet this card"
            allowed = "icons that are not required"
            yield Problem(forbidden.file, table, "forbidden", forbidden.value, reason, allowed)


def _repeats(draft: Draft, table: str, key: str, most: int) -> Iterator[Problem]:
    leaf = draft.leaves[f"{table}.{key}"]
    for icon, count in Counter(leaf.value).items():
        if count > most:
            allowed = "each type once" if most == 1 else f"each type at most {most} times"
            yield Problem(leaf.file, table, key, leaf.value, f"{icon} stands here {count} times", allowed)


def _name_contradictions(draft: Draft, table: str) -> Iterator[Problem]:
    """Two entries must not answer to one name: they are looked up by id and by name."""
    owner: dict[str, str] = {entry: entry for entry in draft.entries[table]}
    for entry in draft.entries[table]:
        name = draft.leaves[f"{table}.{entry}.name"]
        other = owner.setdefault(canonical_id(name.value), entry)
        if other != entry:
            reason = f"[{table}.{other}] answers to this name already"
            allowed = f"a name that no other {SCHEMA.entries[table].word} has"
            yield Problem(name.file, f"{table}.{entry}", "name", name.value, reason, allowed)
