"""Options that commands of Raverun share."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import click

from analysis.errors import RequestError
from cli import options
from cli.options import Decorator, GivenRules, bundle, rules_file_option, seed_option, set_option
from engine.raverun.rules import Rules, load_rules
from engine.raverun.rules_schema import SCHEMA

LARGEST_SEED = 2**62


@dataclass(frozen=True)
class GivenGame:
    """The rules that a command line names, and for how many."""

    rules: GivenRules[Rules]
    players: int

    def load(self) -> Rules:
        """Return the rules.

        Raises
        ------
        RequestError
            If they cannot be used, or not for so many.
        """
        rules = self.rules.load()
        try:
            rules.hand_size(self.players)
        except ValueError as error:
            raise RequestError(str(error)) from None
        return rules


def _game(players: str, rules_files: tuple[Path, ...], overrides: tuple[str, ...]) -> GivenGame:
    return GivenGame(GivenRules(rules_files, overrides, load_rules), int(players))


with_game = bundle(
    "game",
    _game,
    options.choice("--players", ["2", "3"]),
    rules_file_option(),
    set_option(SCHEMA.example),
)
usual_seed = seed_option(most=LARGEST_SEED)


def file_option(name: str, text: str) -> Decorator:
    """Return an option for a file that is read."""
    kind = click.Path(path_type=Path, exists=True, dir_okay=False)
    return click.option(name, type=kind, help=text)
