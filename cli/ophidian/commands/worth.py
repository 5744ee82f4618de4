"""``ophidian worth``: what momentum, cheer, a level and each gladiator are worth."""

from __future__ import annotations

from analysis.exit_codes import EXIT_INTERRUPTED
from analysis.interrupt import Interrupt
from cli.entry import command
from cli.options import (
    GivenRules,
    Output,
    Workers,
    at_least,
    exit_codes,
    seed_option,
    with_output,
    with_rules,
    with_workers,
)
from cli.progress import Counter
from engine.ophidian.rules import Rules, load_rules


@command("worth", epilog=exit_codes({EXIT_INTERRUPTED: "interrupted, with what was proved"}))
@at_least(1, "--size", "Gladiators on each side; of three a side a position takes a second, not .1.", 2)
@at_least(2, "--positions", "How many are proved.", 400)
@at_least(1, "--wave", "Whose end counts.  [default: the last one]")
@seed_option("Which positions those are.")
@with_workers(1, "Processes", "one for each processor")
@with_rules(load_rules, "gladiators.runt.attack=3")
@with_output()
def worth(
    size: int,
    positions: int,
    wave: int | None,
    seed: int,
    workers: Workers,
    rules: GivenRules[Rules],
    out: Output,
) -> None:
    """Say what momentum, a cheer more, a level more, and each gladiator are worth.

    Random positions within a wave are proved, without and with each change, and the means shown with their
    intervals. There are no cards. The same seed gives the same positions, however many work at them.

    \b
    Examples:
      ophidian worth
      ophidian worth --size 3 --positions 100 --jobs 0
      ophidian worth --set gladiators.runt.attack=3 --format csv
    """
    from analysis.ophidian.worth import Drawn
    from analysis.ophidian.worth import worth as worth_of
    from cli.ophidian.views import worth as view

    chosen = rules.load()
    drawn = Drawn(chosen, size, wave or chosen.match.waves, seed)
    interrupt = Interrupt("Stopping with what is proved; again to leave at once.")
    with interrupt.installed(), Counter(out.quiet) as counter:
        report = worth_of(
            drawn,
            positions,
            jobs=workers.jobs,
            scheduler=workers.scheduler,
            interrupt=interrupt,
            note=counter,
        )
    out.show(report, view, EXIT_INTERRUPTED if interrupt.requested else 0)
