"""The games that are declared, with quick settings of their questions, and random values."""

from __future__ import annotations

import random
import sys
from pathlib import Path
from typing import Any

import pytest

from analysis import registry
from analysis.front.kinds import Counts, Named, Names, Parts, Pick
from analysis.front.parameters import Parameter, Shape, parameters
from analysis.front.players import players_of
from analysis.front.verbs.new_entry import kinds_of

ROOT = Path(__file__).resolve().parents[2]
BIDDING = ROOT / "examples" / "bidding"
SMALL_DAY = (
    *("--patron", "the-nameless", "--cheers", "two-bashers"),
    *("--set", "match.row_length=2", "--set", "match.hand_size=2"),
)
QUICK: dict[str, dict[str, tuple[str, ...]]] = {
    "bidding": {"solve": (), "match": ("--deals", "120"), "export": ()},
    "clash": {
        "match": ("--deals", "2", "--player", "rule", "--player", "random"),
        "solo": ("--deals", "2", "--player", "rule", "--set", "match.max_rounds=2"),
    },
    "ophidian": {"match": ("--deals", "40", "--player", "greedy", "--player", "random")},
    "ragers": {
        "explain": (),
        "advise": ("--patron", "Solennos", "--cheers", "two-bashers", "--hand", "BBSCT"),
        "balance": ("--patron", "Solennos"),
        "day": ("--hand", "BBSCT"),
        "diff": (
            *("--left", "patron=Arianna", "--right", "patron=Solennos"),
            *("--cheers", "two-bashers"),
        ),
        "sweep": ("--vary", "cheers.two-bashers.gp=2:3", *SMALL_DAY, "--iterations", "20"),
        "tune": (
            *("--vary", "cards.basher.gp=2:3", "--goal", "opening.basher=0:90", "--budget", "2"),
            *(*SMALL_DAY, "--iterations", "20"),
        ),
        "lock": ("--habit", "chancer=0", *SMALL_DAY, "--iterations", "20"),
    },
    "warage": {"match": ("--deals", "4500")},
}
"""Words that make each question quick, by game: a question without an entry fails the suite."""
COMPILES: set[str] = {*registry.GAMES, "ragers lock", "ragers sweep", "ragers tune"} - {"ragers"}
"""Games whose questions compile kernels, and single questions that do."""


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
            found.append(pytest.param(name, verb, id=f"{name}-{verb.replace(' ', '-')}", marks=marks))
    return found


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
    """Every game's rules can be shown, checked and compared."""
    for name, verbs in QUICK.items():
        change = ("--set", game(name).rules_example)
        verbs.update({"rules show": (), "rules check": change, "rules diff": change})
        verbs["rules new"] = (next(iter(kinds_of(game(name).schema))),)


_with_rules()
