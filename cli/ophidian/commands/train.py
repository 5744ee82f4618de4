"""``ophidian train``: learn by self-play what positions of a match are worth."""

from __future__ import annotations

from pathlib import Path

from cli.entry import command
from cli.options import GivenRules, examples, with_rules
from cli.training import check_values, train_to_file, with_training
from engine.ophidian.rules import Rules, load_rules


@command(
    "train",
    short_help="Learn the values that ophidian match and solve use.",
    epilog=examples(
        "ophidian train values.npz",
        "ophidian train values.npz --rules my.toml --plays 40000",
        "ophidian match --rules my.toml --values values.npz --players values,greedy",
        "ophidian solve --rules my.toml --values values.npz --objective match --team iron --against storm",
    ),
)
@with_training(12_000)
@with_rules(load_rules, "cards.hex.cost=3")
def train(values: Path, rules: GivenRules[Rules], plays: int, seed: int, force: bool, quiet: bool) -> None:
    """Learn by self-play what positions of a match are worth, and write it to the file VALUES.

    Learned from are the matches of all decks of the rules against all. The file also holds what the end of a
    wave is worth, fitted to how further matches ended, and how far off that was on matches left out. No
    equilibrium is claimed. One thread; the same plays and seed give the same values on one kind of machine.
    """
    loaded = rules.load()
    check_values(values, force=force)

    from analysis.ophidian import learned

    train_to_file(values, plays, lambda watch: learned.train(loaded, plays, seed, watch), quiet=quiet)
