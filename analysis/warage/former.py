"""Command lines as a version ago had them, in today's words; to be left out with the next version."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

__all__ = ["words_today"]

_Today = Callable[[str], list[str]]


def _called(name: str) -> _Today:
    return lambda value: [name, value]


def _both(one: str, other: str) -> _Today:
    """Two numbers with a comma between them; a single one is today's."""

    def words(value: str) -> list[str]:
        first, comma, second = value.partition(",")
        return [one, first.strip(), other, second.strip()] if comma else [one, value]

    return words


def _each(name: str) -> _Today:
    return lambda value: [word for part in value.split(",") if part.strip() for word in (name, part.strip())]


def _deals(value: str) -> list[str]:
    return ["--deals", str((int(value) + 1) // 2) if value.isdecimal() else value]


def _first(value: str) -> list[str]:
    return ["--first", {"a": "hero", "b": "other"}.get(value, value)]


def _sweep(value: str) -> list[str]:
    return ["--vary", f"other_hp={value.replace(',', ':')}"]


_HP = {"--hp": _both("--hp", "--other-hp")}
_RACE = _HP | {
    "--cards-left": _both("--cards-left", "--other-cards-left"),
    "--first": _first,
    "--sell-a": _called("--sell"),
    "--sell-b": _called("--other-sell"),
}
_QUEUE = _HP | {
    "--hidden": _both("--hidden", "--other-hidden"),
    "--pool-a": _called("--pool"),
    "--pool-b": _called("--other-pool"),
    "--sweep": _sweep,
}
_DECKS = {"--cards": _each("--card"), "--against": _each("--against")}
_VALUED: Mapping[str, Mapping[str, _Today]] = {
    "attack": {
        "--hp": _called("--other-hp"),
        "--with": _called("--with-cards"),
        "--against": _called("--against-cards"),
    },
    "solve": _RACE,
    "worth": _RACE,
    "queue": _QUEUE,
    "export queue": _QUEUE,
    "export duel": {
        "--hp": _both("--start-hp", "--other-start-hp"),
        "--deck-a": _called("--deck-a"),
        "--deck-b": _called("--deck-b"),
    },
    "guild": {"--matches": _called("--plays")},
    "brawl": {"--matches": _called("--plays")},
    "match": {"--duels": _deals, "--player-b": _called("--player-b")},
    "balance": {"--duels": _deals, "--decks": _each("--deck")},
    "deck value": _DECKS,
    "deck tune": _DECKS,
}
_FLAGS = {
    "--specials": ["--special-seasons", "with"],
    "--no-specials": ["--special-seasons", "without"],
    "--truce": ["--start", "truce"],
    "--no-truce": ["--start", "attacks"],
    "--second": ["--seat", "2"],
    "--costs": [],
}
_MERGED = ("--with-cards", "--against-cards")


def words_today(words: list[str]) -> list[str]:
    """Return the words of a command line, from the verb on, as they are written now."""
    verb = next((each for each in _VALUED if words[: len(each.split())] == each.split()), words[0])
    verb = "solve" if verb == "race" else verb
    head, rest = verb.split(), iter(words[len(verb.split()) :])
    more: list[str] = []
    if verb == "guild":
        head = ["brawl"]
        more = [] if any(word.startswith("--guilds") for word in words) else ["--guilds", "2"]
    found: list[str] = []
    for word in rest:
        name, equals, value = word.partition("=")
        today = _VALUED.get(verb, {}).get(name)
        if today is not None:
            found += today(value if equals else next(rest, ""))
        else:
            found += _FLAGS.get(word, [word])
    decks = [word for word in found[:2] if re.fullmatch(r"[a-z][a-z0-9-]*-[a-z0-9-]+", word)]
    if verb == "solve" and len(decks) == 2:
        # Two decks have always played by the whole rules.
        return ["match", *found, "--deals", "10000"]
    if verb == "attack":
        found = _merged(found)
    if verb == "match":
        found = _in_seats(found)
    if verb == "export duel":
        found = _with_decks(found)
    return [*head, *found, *more]


def _taken(words: list[str], name: str) -> list[str]:
    """Take an option with its values out of the words; return the values."""
    values = []
    while name in words:
        place = words.index(name)
        values.append(words[place + 1])
        del words[place : place + 2]
    return values


def _merged(words: list[str]) -> list[str]:
    for name in _MERGED:
        values = _taken(words, name)
        words += [name, ", ".join(values)] if values else []
    return words


def _in_seats(words: list[str]) -> list[str]:
    """The second player's option, which came with or without the first one's."""
    second = _taken(words, "--player-b")
    if not second:
        return words
    first = any(word == "--player" or word.startswith("--player=") for word in words)
    return [*words, *([] if first else ["--player", "rules"]), "--player", second[-1]]


def _with_decks(words: list[str]) -> list[str]:
    """Decks, which stand behind their heroes today."""
    for place, name in enumerate(("--deck-a", "--deck-b")):
        for cards in _taken(words, name):
            words[place] = f"{words[place]}: {cards}"
    return words
