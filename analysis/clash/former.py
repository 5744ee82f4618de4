"""Command lines as a version ago had them, in today's words; to be left out with the next version."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from analysis.clash.armies import NUMERALS
from analysis.front.former import in_seconds

__all__ = ["words_today"]

_PLAYERS = {
    "match": ("--player", "--players", ("search", "rule")),
    "solo": ("--player", "--policy", ("search",)),
    "play": ("--opponent", "--opponents", ("search",)),
}
"""Verb -> what players are called now, what they were called, and who plays if nobody is named."""


def words_today(words: list[str]) -> list[str]:
    """Return a command line in today's words; one that is written so already as it is."""
    verb = words[0] if words else ""
    if verb in _PLAYERS:
        return _with_settings(verb, words)
    if verb == "need":
        return _with_figures(words)
    return words


def _options(words: Sequence[str], taken: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield the taken options with their values, and all other words with an empty name."""
    rest = iter(words)
    for word in rest:
        name, equals, value = word.partition("=")
        if name in taken:
            yield name, value if equals else next(rest, "")
        else:
            yield "", word


def _with_settings(verb: str, words: list[str]) -> list[str]:
    """Put what was an option of all players into the settings of each."""
    now, before, usual = _PLAYERS[verb]
    effort = {"--time": "seconds"} | ({} if verb == "play" else {"--playouts": "playouts"})
    players: list[str] = []
    search: list[str] = []
    weights: list[str] = []
    others: list[str] = []
    for name, value in _options(words, (now, before, "--habit", *effort)):
        if name in (now, before):
            players += [part.strip() for part in value.split(",")] if name == before else [value]
        elif name == "--habit":
            weights.append(value)
        elif name:
            search.append(f"{effort[name]}={in_seconds(value) if name == '--time' else value}")
        else:
            others.append(value)
    if not search and not weights:
        return words
    found = []
    for player in [] if "--solo" in words else players or usual:
        settings = {"search": [*search, *weights], "rule": weights}.get(player, [])
        found += [now, f"{player}:{','.join(settings)}" if settings else player]
    return [*others, *found]


def _with_figures(words: list[str]) -> list[str]:
    """Put the figures at hand, which stood apart, into the army."""
    taken = list(_options(words, ("--attacker", "--max")))
    given = {name: value for name, value in taken if name}
    clan, figures = given.get("--attacker", ""), given.get("--max")
    if figures is None or ":" in clan:
        return words
    counts = figures.split(",")
    levels = [*NUMERALS, *["?"] * len(counts)]
    army = ", ".join(f"{count.strip()} {level}" for count, level in zip(counts, levels, strict=False))
    return [*(value for name, value in taken if not name), "--attacker", f"{clan}: {army}"]
