"""The games that are declared, with quick settings of their questions, and random values."""

from __future__ import annotations

import os
import random
import sys
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from analysis import registry
from analysis.front.kinds import Counts, Holding, Lineup, Named, Names, Parts, Pick, Steps
from analysis.front.parameters import Parameter, Shape, parameters
from analysis.front.players import players_of
from analysis.front.verbs.new_entry import kinds_of

ROOT = Path(__file__).resolve().parents[2]
BIDDING = ROOT / "examples" / "bidding"
_EXCHANGE = (
    *("--team", "Thorn w5, Whisper w3 L2", "--against", "Understudy w3 L3, G'frhtru w9 L2"),
    *("--wave", "3", "--cheer", "3:1", "--attack", "Thorn > G'frhtru"),
)
FILES = Path(__file__).with_name("files")
"""Files that examples name, by game."""
QUICK: dict[str, dict[str, tuple[str, ...]]] = {
    "bidding": {"checkup": ("--effort", "glance"), "solve": (), "match": ("--deals", "120"), "export": ()},
    "clash": {
        "checkup": ("--effort", "glance"),
        "match": ("--deals", "2", "--player", "rule", "--player", "random"),
        "solve": ("--attacker", "bohorg: 2 Pummeler, 1 Executioner", "--defender", "elves: 2 Templar"),
        "tactic": ("--playouts", "4"),
        "balance": ("--clan", "bohorg", "--clan", "tomb", "--points", "2", "--battles", "3"),
        "export": (),
    },
    "ophidian": {
        "checkup": ("--effort", "glance"),
        "solve": (*_EXCHANGE, "--hidden", "hex 3, sidestep 3, other 45"),
        "duel": ("Runt", "Scrap", "--set", "match.extra_waves=0"),
        "worth": ("--size", "1", "--positions", "12"),
        "balance": ("--deals", "12"),
        "train": (str(Path(tempfile.gettempdir()) / f"values-{os.getpid()}.npz"), "--plays", "16"),
        "export": ("--to", "response", *_EXCHANGE, "--hidden", "hex 3, other 45"),
        "match": ("--deals", "40", "--player", "greedy", "--player", "random"),
    },
    "ragers": {
        "checkup": ("--effort", "glance"),
        "solve": ("--patron", "Arianna", "--hand", "BBSCT"),
        "advise": ("--patron", "Solennos", "--cheers", "two-bashers", "--hand", "BBSCT"),
        "balance": ("--patron", "Solennos"),
        "review": (str(FILES / "ragers" / "match.txt"),),
        "match": ("--deals", "300", "--player", "greedy", "--player", "random"),
        "library list": (),
        # All are finished before: the carried library stays as it is.
        "library build": ("--patron", "Solennos", "--target", "0.3"),
        "library prune": ("--useless", "--dry-run"),
        "train": ("/dev/null", "--plays", "40"),
        "warmup": (),
        "export": ("--to", "efg", "--hands", "BS | SP"),
    },
    "raverun": {
        "checkup": ("--effort", "glance"),
        "match": ("--deals", "130", "--player", "greedy", "--player", "random"),
        "balance": ("--deals", "130"),
        "review": (str(FILES / "raverun" / "game.txt"),),
        "solve": ("--games", "20", "--deals", "20"),
        "export": ("--set", "match.characters=2", "--set", "match.hand_size=2"),
        "train": (
            *("/dev/null", "--plays", "40", "--deals", "4"),
            *("--response-iterations", "2", "--response-deals", "2"),
        ),
    },
    "warage": {
        "checkup": ("--effort", "glance"),
        "match": ("--deals", "4500"),
        "solve": ("--hp", "12", "--other-hp", "12", "--special-seasons", "without"),
        "attack": ("--other-hp", "12"),
        "worth": ("--hp", "12", "--other-hp", "12", "--rounds-left", "8", "--special-seasons", "without"),
        "balance": ("--deals", "50", "--deck", "orc-warrior", "--deck", "elf-mage"),
        "tune": ("--deals", "8", "--swaps", "1", "--against", "elf-mage"),
        "export": ("--to", "duel", "--turns", "2"),
    },
}
"""Words that make each question quick, by game: a question without an entry fails the suite."""
_LONG = (*("advise", "balance", "checkup", "match", "review", "train"),)
SLOW = {"ragers warmup", *(f"{name} checkup" for name in registry.GAMES)}
"""Questions that take minutes on a new machine."""
COMPILES: set[str] = {*registry.GAMES, *(f"ragers {verb}" for verb in _LONG)} - {"ragers"}
"""Games whose questions compile kernels, and single questions that do, or take seconds."""


def brought() -> None:
    """Let the game of the examples be found, as an installed package would be."""
    if str(BIDDING) not in sys.path:
        sys.path.insert(0, str(BIDDING))
    registry.GAMES.setdefault("bidding", "bidding.game:GAME")


def declared(*, asks: bool = False) -> list[Any]:
    """Return (game, question) for every question; with `asks` those that compile carry the marker."""
    found = []
    for name in QUICK:
        for verb in QUICK[name]:
            compiles = {name, f"{name} {verb}"} & COMPILES and not verb.startswith("rules ")
            marks = [pytest.mark.kernels] if asks and compiles else []
            marks += [pytest.mark.slow] if asks and f"{name} {verb}" in SLOW else []
            found.append(pytest.param(name, verb, id=f"{name}-{verb.replace(' ', '-')}", marks=marks))
    return found


def walks() -> list[Any]:
    """Return (game, questions) for tests that ask all: a game's quick questions, and those with a marker."""
    found: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for each in declared(asks=True):
        name, verb = map(str, each.values)
        found.setdefault((name, tuple(mark.name for mark in each.marks)), []).append(verb)
    return [
        pytest.param(name, verbs, id="-".join((name, *marks)), marks=[getattr(pytest.mark, m) for m in marks])
        for (name, marks), verbs in found.items()
    ]


def check_each(verbs: Iterable[str], check: Callable[[str], None]) -> None:
    """Check every question, and say of which it failed."""
    failed = []
    for verb in verbs:
        try:
            check(verb)
        except Exception as error:
            error.add_note(f"question: {verb}")
            failed.append(error)
    if failed:
        raise ExceptionGroup("not all questions", failed)


def game(name: str) -> Any:
    """Return a game's declaration."""
    brought()
    return registry.game_named(name)


def random_value(parameter: Parameter, names: Names, chance: random.Random) -> Any:
    """Return a value that a parameter can have."""
    kind = parameter.kind
    if isinstance(kind, Pick):
        return chance.choice(list(names[kind.names])).id
    if isinstance(kind, Counts):
        return random_counts(kind, list(names[kind.names]), chance)
    if isinstance(kind, Lineup):
        return random_lineup(kind, names, chance)
    if isinstance(kind, Holding):
        held = chance.sample(list(names[kind.held]), chance.randint(1, kind.most))
        return f"{chance.choice(list(names[kind.names])).id}: {', '.join(each.id for each in held)}"
    if isinstance(kind, Steps):
        sides = [chance.choice(list(names[each])).id for each in (kind.names, kind.other)]
        return "; ".join(["/".join(sides)] * chance.randint(1, kind.most))
    if parameter.shape is Shape.KIND:
        return random_parts(parameter.type, names, chance)
    if parameter.shape is Shape.PLAYER:
        struct = chance.choice(list(players_of(parameter.type).values()))
        known = parameters(struct)
        some = [each for each in known if each.required or chance.random() < 0.7]
        return struct(**{each.name: random_value(each, names, chance) for each in some})
    if parameter.shape is Shape.FLAG:
        return chance.random() < 0.5
    if parameter.shape is Shape.CHOICE:
        return chance.choice(parameter.choices)
    if parameter.shape in (Shape.WHOLE, Shape.NUMBER):
        least = parameter.least or 0
        most = parameter.largest if parameter.largest is not None else least + 10**6
        number = chance.choice([least, most, chance.uniform(least, most)])
        return round(number) if parameter.shape is Shape.WHOLE else float(number)
    letters = "abc,:;=\" '\\/é|0 1"
    text = "".join(chance.choice(letters) for _ in range(chance.randint(1, 12)))
    return Path(text) if parameter.shape is Shape.FILE else text


def random_counts(kind: Counts, entries: list[Named], chance: random.Random) -> dict[str, int]:
    """Return counts that a kind allows."""
    found: dict[str, int] = {}
    most = kind.most if kind.most is not None else 12
    for _ in range(chance.randint(max(kind.least, 1 if kind.least else 0), most)):
        fitting = [each for each in entries if each.most is None or found.get(each.id, 0) < each.most]
        entry = chance.choice(fitting).id
        found[entry] = found.get(entry, 0) + 1
    return found


def random_lineup(kind: Lineup, names: Names, chance: random.Random) -> str:
    """Return a lineup that has a name, or entries with a mark each."""
    if kind.ready and chance.random() < 0.3:
        return chance.choice(list(names[kind.ready])).id
    chosen = chance.sample(list(names[kind.names]), chance.randint(1, kind.most or 3))
    marks = [chance.choice(kind.marks).text.format(1) if kind.marks else "" for _ in chosen]
    return ", ".join(f"{each.id} {mark}".strip() for each, mark in zip(chosen, marks, strict=True))


def random_parts(struct: type[Parts], names: Names, chance: random.Random) -> Parts:
    """Return a value made of parts."""
    values: dict[str, Any] = {}
    for each in parameters(struct):
        kind = each.kind
        assert isinstance(kind, Pick | Counts)
        group = values.get(kind.of, "")
        entries = [entry for entry in names[kind.names] if not kind.of or entry.group == group]
        values[each.name] = (
            chance.choice(entries).id if isinstance(kind, Pick) else random_counts(kind, entries, chance)
        )
    return struct(**values)


def _with_rules() -> None:
    """Every game's rules can be shown and checked."""
    for name, verbs in QUICK.items():
        change = ("--set", game(name).rules_example)
        verbs.update({"rules show": (), "rules check": change})
        verbs["rules new"] = (next(iter(kinds_of(game(name).schema))),)


_with_rules()
