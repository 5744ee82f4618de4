"""``ophidian response``: an action under possible responses from hidden hands."""

from __future__ import annotations

import re
from typing import Any

import click

from analysis.errors import RequestError
from analysis.ophidian import position
from cli.entry import command
from cli.options import GivenRules, Output, exit_codes, memory_option, with_output, with_rules
from engine.ophidian.rules import Rules, load_rules


@command("response", epilog=exit_codes({}))
@click.option("--team", required=True, metavar="TEAM", help='"iron", or "Bastion@S w5 L3 set, Mirror Witch".')
@click.option("--against", required=True, metavar="TEAM", help="The other side, likewise.")
@click.option("--wave", type=click.IntRange(min=1), default=1, show_default=True)
@click.option(
    "--cheer", default="0:0", show_default=True, metavar="N:N", help="Of the team, and of the others."
)
@click.option(
    "--momentum",
    type=click.Choice(["team", "against"]),
    default="team",
    show_default=True,
    help="Who acts.",
)
@click.option("--hand", default="", metavar="CARDS", help='The team\'s unseen responses, "blood-up 3".')
@click.option("--against-hand", default="", metavar="CARDS", help='Theirs, "sidestep 3, hex 2".')
@click.option(
    "--unseen", default="44:44", show_default=True, metavar="N:N", help="Cards that nobody has seen, by side."
)
@click.option("--sizes", default="7:7", show_default=True, metavar="N:N", help="Of them, cards in hand.")
@click.option("--resources", default="11:11", show_default=True, metavar="N:N", help="Left in this wave.")
@click.option("--attack", metavar="ATTACK", help='Say when "Bastion > Thorn" turns wrong.')
@memory_option("For what is proved.", default="256MiB")
@with_rules(load_rules, "cards.hex.cost=3")
@with_output(quiet=False)
def response(
    team: str,
    against: str,
    wave: int,
    cheer: str,
    momentum: Any,
    hand: str,
    against_hand: str,
    unseen: str,
    sizes: str,
    resources: str,
    attack: str | None,
    memory: int,
    rules: GivenRules[Rules],
    out: Output,
) -> None:
    """Solve one action when the other side may hold responses, and say whether to dare.

    Both sides know which cards have not been seen, not where they are. After this action cards are over: the
    rest of the wave is proved without them. The answer is an equilibrium of that game.

    \b
    Examples:
      ophidian response --team "Bastion, Runt" --against "Thorn w5, Scrap" --against-hand "sidestep 3, hex 2"
      ophidian response --team "Tempest" --against "Runt w4, Scrap" --wave 4 --attack "Tempest > Runt" \\
                        --against-hand "sidestep 3" --unseen 30:20
    """
    chosen = rules.load()
    asked = position(team, against, rules=chosen, wave=wave, cheer=cheer, momentum=momentum)
    pairs = [
        _pair(text, option)
        for text, option in ((unseen, "--unseen"), (sizes, "--sizes"), (resources, "--resources"))
    ]
    from analysis.ophidian import announced_attack
    from analysis.ophidian.exchange import parse_cards, response_report
    from cli.ophidian.views import response as view

    report = response_report(
        asked,
        (parse_cards(chosen, hand, "--hand"), parse_cards(chosen, against_hand, "--against-hand")),
        *pairs,
        attack=None if attack is None else announced_attack(asked, attack, "--attack"),
        memory=memory,
    )
    out.show(report, view, 0)


def _pair(text: str, option: str) -> tuple[int, int]:
    match = re.fullmatch(r"\s*(\d+)\s*[:,]\s*(\d+)\s*", text)
    if match is None:
        raise RequestError(f"{text!r}: write a number for each side, such as 7:7", option)
    return int(match[1]), int(match[2])
