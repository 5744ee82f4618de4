"""``warage queue``: an attack with hidden replies."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

import click

from analysis.errors import RequestError
from analysis.exit_codes import EXIT_INTERRUPTED
from cli.entry import command
from cli.options import GivenRules, Output, bundle, with_output
from cli.warage.commands.options import (
    STOPPED_CODES,
    STOPPING,
    hp_option,
    loadouts_of,
    pair,
    season_option,
    totals_of,
    with_rules,
)
from engine.warage.rules import Rules

if TYPE_CHECKING:
    from analysis.warage.loadouts import Loadout
    from analysis.warage.queues import QueueQuestion


class Replies:
    """What both may hold, and what the end is worth."""

    def __init__(
        self,
        pool_a: str,
        pool_b: str,
        hidden: str,
        weapon: str,
        season: str,
        hp: str | None,
        rounds_left: int | None,
        card_hp: int,
    ) -> None:
        self.pools, self.hidden, self.weapon, self.season = (pool_a, pool_b), hidden, weapon, season
        self.hp, self.rounds_left, self.card_hp = hp, rounds_left, card_hp

    def question(self, rules: Rules, attacker: str, defender: str) -> QueueQuestion:
        """Return the question; wrong usage if it makes no sense."""
        from analysis.warage.loadouts import Table, season_of
        from analysis.warage.queue_game import parse_pool

        heroes = loadouts_of(rules, (attacker, defender), ("ATTACKER", "DEFENDER"))
        totals = totals_of(self.hp, heroes)
        sizes = pair(self.hidden, "--hidden", (1, 1))
        options = "--pool-a", "--pool-b"
        one, other = (
            parse_pool(rules, text, option) for text, option in zip(self.pools, options, strict=True)
        )
        for pool, number, option in zip((one, other), sizes, options, strict=True):
            if sum(copies for _, copies in pool) < number:
                raise RequestError(f"{number} hidden cards, and the pool has fewer", option)
        spell, copies = _attack(heroes[0], self.weapon.strip())
        in_force = season_of(rules, self.season) or "summer"
        # scipy, and with it all that solves, is imported when nothing is wrong any more.
        from analysis.warage.queues import QueueQuestion

        table = Table(rules, heroes, in_force, hp=totals)
        return QueueQuestion(table, spell, copies, (one, other), sizes, self.rounds_left, self.card_hp)


def _attack(hero: Loadout, text: str) -> tuple[str | None, int]:
    """Read ``melee``, or a spell in play with its copies."""
    if text == "melee":
        return None, 1
    name, _, count = text.rpartition(" ")
    counted = bool(name) and count.isdigit()
    copies, word = (int(count), name) if counted else (1, text)
    found = [each for each in hero.spells if each.startswith(word)]
    if not found or not 1 <= copies <= hero.spells[found[0]]:
        there = ", ".join(f"{each} {number}" for each, number in hero.spells.items()) or "none"
        raise RequestError(f"{text!r}: melee, or spells in play: {there}", "--attack")
    return found[0], copies


with_replies = bundle(
    "replies",
    Replies,
    click.option(
        "--pool-a",
        default="battle-cry 3, negate 2, other 11",
        show_default=True,
        metavar="CARDS",
        help="What the attacker may hold: flashes, and all other cards together.",
    ),
    click.option(
        "--pool-b",
        default="parry 3, bulwark 2, negate 2, other 9",
        show_default=True,
        metavar="CARDS",
        help="The same for the defender.",
    ),
    click.option("--hidden", default="1,1", show_default=True, metavar="A,B", help="Cards in both hands."),
    click.option("--attack", "weapon", default="melee", show_default=True, help='Or a spell: "fireball 2".'),
    season_option,
    hp_option,
    click.option(
        "--rounds-left",
        type=click.IntRange(1, 200),
        help="The end is worth the chance to win a race of so many rounds.  [default: it is worth HP]",
    ),
    click.option(
        "--card-hp",
        type=click.IntRange(0, 20),
        default=1,
        show_default=True,
        help="What a card kept counts for.",
    ),
)


@command("queue", epilog=STOPPED_CODES)
@click.argument("attacker", metavar="ATTACKER")
@click.argument("defender", metavar="DEFENDER")
@with_replies
@click.option(
    "--sweep",
    metavar="LEAST,MOST",
    help="For every HP of the defender from one to the other: does hiding matter?",
)
@with_rules
@with_output()
def queue(
    attacker: str,
    defender: str,
    replies: Replies,
    sweep: str | None,
    rules: GivenRules[Rules],
    out: Output,
) -> None:
    """Say whether to answer an attack with a card, or keep it: an equilibrium over all hands.

    Both hold cards from pools that are known. Everything is exact: replies to replies, the order in which
    they resolve, dice. Mixes are shown where play comes to.

    \b
    Examples:
      warage queue orc/warrior:great-sword human/paladin --hp 40,12
      warage queue "elf/mage:bone-collar,fireball 2" orc/warrior --attack "fireball 2" --hidden 2,2 \\
                   --pool-a "arcane-surge 3, negate 2, other 11" --rounds-left 12
      warage queue orc/warrior:great-sword human/paladin --sweep 1,30
    """
    question = replies.question(rules.load(), attacker, defender)
    if sweep is not None:
        _sweep(question, pair(sweep, "--sweep", (1, 1), least=1), out)
    from analysis.warage.queues import queue_report
    from cli.warage.views import queue as view

    out.show(queue_report(question), view)


def _sweep(question: QueueQuestion, ends: tuple[int, int], out: Output) -> NoReturn:
    """Solve the same attack for many HP of the defender, and write the answer."""
    if ends[0] > ends[1]:
        raise RequestError(f"{ends[0]},{ends[1]}: the smaller number comes first", "--sweep")
    from analysis.interrupt import Interrupt
    from analysis.warage.queue_sweep import sweep_report
    from cli.progress import Counter
    from cli.warage.views import sweep as view

    interrupt = Interrupt(STOPPING)
    with interrupt.installed(), Counter(out.quiet) as progress:
        report = sweep_report(question, range(ends[0], ends[1] + 1), stop=interrupt, note=progress)
    out.show(report, view, 0 if report.complete else EXIT_INTERRUPTED)
