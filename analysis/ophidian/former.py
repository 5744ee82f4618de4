"""Command lines as a version ago had them, where more than the name of an option has changed."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["words_today"]

_SETTINGS = {
    "--iterations": ("search", "iterations"),
    "--time": ("search", "seconds"),
    "--values": ("values", "file"),
}
"""Of which player each is a setting now."""
_USUAL = {"match": "search,greedy", "play": "greedy"}


def words_today(words: Sequence[str]) -> list[str]:
    """Return the words of a command line as they are written now: settings stand beside their players."""
    options = {word.partition("=")[0] for word in words}
    if not words or words[0] not in _USUAL or not options & set(_SETTINGS) or "--player" in options:
        return list(words)
    given: dict[str, str] = {}
    found = [words[0]]
    rest = iter(words[1:])
    for word in rest:
        option, equals, value = word.partition("=")
        if option in ("--players", "--opponent", *_SETTINGS):
            given[option] = value if equals else next(rest, "")
        else:
            found.append(word)
    new = "--player" if words[0] == "match" else "--opponent"
    old = {"--player": "--players", "--opponent": "--opponent"}[new]
    settings = [key for key in given if key in _SETTINGS]
    names = [name.strip() for name in given.get(old, _USUAL[words[0]]).split(",")]
    for name in names:
        own = [_setting(key, given[key]) for key in settings if _SETTINGS[key][0] == name]
        found += [new, f"{name}:{','.join(own)}" if own else name]
    # What nobody heeds is left as it is, and refused.
    unheeded = [key for key in settings if _SETTINGS[key][0] not in names]
    found += [word for key in unheeded for word in (key, given[key])]
    return found


def _setting(key: str, value: str) -> str:
    name = _SETTINGS[key][1]
    return f'{name}="{value}"' if set(value) & set(',"') else f"{name}={value}"
