"""Command lines as a version ago had them, where more than the name of an option has changed."""

from __future__ import annotations

from collections.abc import Sequence

from analysis.front.former import in_seconds, quoted, taken

__all__ = ["words_today"]

_SEARCHES = ("search", "guided")
_LEARNED = ("guided", "values")
_EFFORT = ("--search-time", "--search-iterations")
_VALUED = (
    "--player",
    "--against",
    "--opponent",
    "--values",
    "--search-time",
    "--search-iterations",
    "--method",
)
_OLD = {"--against", "--resume", "--values", *_EFFORT}
"""Options of a match that there are no more; each line with one is an old one."""


def words_today(words: Sequence[str]) -> list[str]:
    """Return the words of a command line as they are written now: settings stand beside their players."""
    verb, *rest = words
    options = {word.partition("=")[0] for word in rest}
    if verb == "solve" and "--method" in options:
        given, found = taken(rest, _VALUED)
        return [verb, *found] if given["--method"] == ["learned"] else list(words)
    old = _OLD if verb == "match" else {"--values", *_EFFORT}
    if verb not in ("match", "play") or not options & old:
        return list(words)
    given, found = taken(rest, _VALUED)
    usual = ["guided"] if given["--values"] or verb == "match" else ["search"]
    if verb == "match":
        new, players = "--player", (given["--player"] or usual) + (given["--against"] or ["greedy"])
        if "--resume" in found:
            kept = [found[place + 1] for place, word in enumerate(found[:-1]) if word in ("--output", "-o")]
            found.remove("--resume")
            found += ["--keep", f"{kept[-1]}.deals"] if kept else []
    else:
        new, players = "--opponent", given["--opponent"] or usual
        # What a person is helped by is named apart from what an opponent plays by.
        found += [word for file in given["--values"][-1:] for word in ("--values", file)]
    return [verb, *(word for name in players for word in (new, _with_settings(name, given))), *found]


def _with_settings(player: str, given: dict[str, list[str]]) -> str:
    """A player as it is written now; one that has settings already is left as it is."""
    settings = []
    if player in _SEARCHES:
        settings += [f"iterations={number}" for number in given["--search-iterations"][-1:]]
        settings += [f"seconds={in_seconds(time)}" for time in given["--search-time"][-1:]]
    if player in _LEARNED:
        settings += [f"file={quoted(file)}" for file in given["--values"][-1:]]
    return f"{player}:{','.join(settings)}" if settings else player
