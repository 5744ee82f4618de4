"""``ragers train``: learn by self-play what positions of a match are worth."""

from __future__ import annotations

from pathlib import Path

from cli.entry import command
from cli.options import GivenRules, examples
from cli.ragers.commands.options import with_rules
from cli.training import check_values, train_to_file, with_training
from engine.ragers.rules import Rules


@command(
    "train",
    short_help="Learn the values that ragers match plays by.",
    epilog=examples(
        "ragers train values.npz",
        "ragers train values.npz --rules my.toml --plays 400000",
        "ragers match --rules my.toml --player values:file=values.npz",
    ),
)
@with_training(200_000)
@with_rules
def train(values: Path, rules: GivenRules[Rules], plays: int, seed: int, force: bool, quiet: bool) -> None:
    """Learn by self-play what positions of a match are worth, and write it to the file VALUES.

    `ragers match --player values:file=VALUES` plays by it. No equilibrium is claimed. One thread; the same
    plays and seed give the same values on one kind of machine. The file says what it was learned by.
    """
    loaded = rules.load()
    check_values(values, force=force)

    from analysis.ragers.match import networks

    train_to_file(values, plays, lambda watch: networks.train(loaded, plays, seed, watch), quiet=quiet)
