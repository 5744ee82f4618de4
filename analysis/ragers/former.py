"""Command lines as a version ago had them, in today's words; to be left out with the next version."""

from __future__ import annotations

from analysis.front.former import in_seconds, quoted, taken

__all__ = ["words_today"]

_MATCH = ("--player", "--against", "--games", "--values", "--train", "--iterations")
_STUDIED = {"--games", "--values", "--train", "--no-giving", "--compare"}
_DAYS = ("--patron", "--cheers", "--preparation", "--player", "--rules", "--set")
_PLAY = ("--opponent", "--playouts", "--think", "--player")
_SIDES = {"accusers": "1", "defenders": "2"}


def words_today(words: list[str]) -> list[str]:
    """Return the words of a command line, from the verb on, as they are written now."""
    verb, *rest = words
    options = {word.partition("=")[0] for word in rest}
    if verb == "match" and options & {*_STUDIED, "--against"}:
        return _match(rest, options)
    if verb == "play":
        return _play(words)
    if verb == "solve" and "--match" in options:
        given, found = taken(rest, ("--match", "--player"))
        sides = [word for side in given["--player"] for word in ("--side", side)]
        return ["last-day", given["--match"][-1], *sides, *found]
    if verb == "report" and options & {*_DAYS, "--match", "--compare", "--compare-set", "--solve"}:
        return _report(rest)
    if words[:2] in (["export", "behaviour"], ["export", "strategies"]):
        return _rows(words)
    return words


def _report(rest: list[str]) -> list[str]:
    """A page was of days by options; now it is what another question says, or of files."""
    given, found = taken(rest, ("--match", "--compare", "--compare-set", "--player"))
    found += [word for side in given["--player"] for word in ("--side", side)]
    page = [] if "--format" in rest else ["--format", "html"]
    if given["--compare"] or given["--compare-set"]:
        changes = [word for value in given["--compare-set"] for word in ("--set", value)]
        return ["diff", *given["--compare"], *changes, *(each for each in found if each != "--solve"), *page]
    if given["--match"]:
        return ["report", *given["--match"], *found]
    if "--solve" in found:
        return ["solve", *(each for each in found if each != "--solve"), *page]
    return ["balance", *found, *page]


def _rows(words: list[str]) -> list[str]:
    """Rows were written as Parquet by the file's name, or by the format; now beside what else is written."""
    given, found = taken(words, ("--output", "-o", "--format"))
    file, form = [*given["--output"], *given["-o"]][-1:], given["--format"][-1:]
    if form == ["parquet"] or (not form and file and file[0].endswith(".parquet")):
        return [*found, "--parquet", *file, "--format", "table"]
    return words


def _match(rest: list[str], options: set[str]) -> list[str]:
    """A match of a player with itself is a study; one against others, a match of two each."""
    given, found = taken(rest, _MATCH)
    number = ["--deals", given["--games"][-1]] if given["--games"] else []
    first = _learned((given["--player"] or ["values"])[-1], given)
    if "--against" not in options:
        found = ["--diff" if word == "--compare" else word for word in found]
        return ["study", "--player", first, *number, *found]
    # One match is of two players; of several old ones the first.
    other = _learned(given["--against"][0], given)
    return ["match", "--player", first, "--player", other, *number, *found]


def _learned(player: str, given: dict[str, list[str]]) -> str:
    """A player of matches with the settings that stood beside it."""
    settings = []
    if player in ("values", "guided"):
        settings += [f"file={quoted(file)}" for file in given["--values"][-1:]]
        settings += [f"plays={plays}" for plays in given["--train"][-1:]]
    if player == "guided":
        settings += [f"iterations={number}" for number in given["--iterations"][-1:]]
    return f"{player}:{','.join(settings)}" if settings else player


def _play(words: list[str]) -> list[str]:
    """How strong an opponent is stood beside it; hints still have as many playouts as it."""
    given, found = taken(words, _PLAY)
    player = (given["--opponent"] or ["rollouts"])[-1]
    settings = []
    if player in ("rollouts", "stored", "equilibrium"):
        settings += [f"playouts={number}" for number in given["--playouts"][-1:]]
    if player in ("equilibrium", "match"):
        settings += [f"seconds={in_seconds(time)}" for time in given["--think"][-1:]]
    if not (settings or given["--player"] or player == "uniform"):
        return words
    name = "random" if player == "uniform" else player
    found += ["--opponent", f"{name}:{','.join(settings)}" if settings else name]
    found += [word for side in given["--player"] for word in ("--seat", _SIDES.get(side, side))]
    return [*found, *(word for number in given["--playouts"][-1:] for word in ("--playouts", number))]
