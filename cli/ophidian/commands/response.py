"""``ophidian response``: whether to dare an attack that a hidden hand may answer."""

from __future__ import annotations

import click

from analysis.errors import RequestError
from analysis.ophidian import announced_attack, position
from cli.entry import command
from cli.ophidian.commands.options import Place, place_options
from cli.options import GivenRules, Output, bundle, exit_codes, with_output, with_rules
from engine.ophidian.rules import Rules, load_rules

NOTHING = "other"


@command("response", epilog=exit_codes())
@bundle("place", Place, *place_options)
@click.option("--attack", required=True, metavar="ATTACK", help='By whoever has momentum: "Tempest > Thorn".')
@click.option(
    "--hidden",
    required=True,
    metavar="POOL",
    help='Where the other hand comes from: a deck, or "sidestep 3, hex 3, other 45".',
)
@click.option("--cards", type=click.IntRange(0, 12), default=7, show_default=True, help="In that hand.")
@click.option("--own", default=NOTHING, metavar="POOL", help="Likewise of the attacker; by default nothing.")
@click.option("--own-cards", type=click.IntRange(0, 12), default=0, show_default=True, help="In his hand.")
@click.option(
    "--resources",
    metavar="N:N",
    help="Of the team, and of the others.  [default: what both begin the wave with]",
)
@with_rules(load_rules, "cards.hex.cost=3")
@with_output(quiet=False, details=True)
def response(
    place: Place,
    attack: str,
    hidden: str,
    cards: int,
    own: str,
    own_cards: int,
    resources: str | None,
    rules: GivenRules[Rules],
    out: Output,
) -> None:
    """Say whether to dare an attack, and how likely each response has to be for it to be wrong.

    Both sides may respond to this one attack, from hands that are hidden; then cards are put aside, and the
    rest of the wave is worth what is proved without them. An equilibrium over all hands, exact.

    \b
    Examples:
      ophidian response --team "Tempest, Scrap@S" --against "Thorn, Runt" --attack "Tempest > Thorn" \\
                        --hidden brood
      ophidian response --team "Bastion L2, Runt" --against "Tempest w4, Scrap" --wave 2 --cheer 1:1 \\
                        --attack "Bastion > Tempest" --hidden "hex 3, dread 3, other 45" --cards 5
    """
    chosen = rules.load()
    asked = position(place.team, place.against, rules=chosen, **place.further)
    move = announced_attack(asked, attack, "--attack")
    from analysis.ophidian.response_game import Hidden, parse_pool
    from analysis.ophidian.responses import ResponseQuestion, response_report
    from cli.ophidian.views import response as view

    left = _resources(resources, chosen, asked.wave)
    pools = parse_pool(chosen, own, "--own"), parse_pool(chosen, hidden, "--hidden")
    sizes = (own_cards, cards)
    for pool, number, option in zip(pools, sizes, ("--own", "--hidden"), strict=True):
        held = sum(copies for _, copies in pool)
        if held < number:
            raise RequestError(f"{number} cards in hand, and the pool has {held}", option)
    # Sides come in the order of the teams, the attacker's first only if the team attacks.
    mine = Hidden(pools[0], sizes[0], left[asked.turn])
    theirs = Hidden(pools[1], sizes[1], left[1 - asked.turn])
    both = (theirs, mine) if asked.turn else (mine, theirs)
    out.show(response_report(ResponseQuestion(asked, move, both)), view.View(out.details))


def _resources(text: str | None, rules: Rules, wave: int) -> tuple[int, int]:
    """Resources of both sides."""
    if text is None:
        usual = rules.match.base_resources + wave
        return usual, usual
    parts = text.replace(",", ":").split(":")
    if len(parts) != 2 or not all(part.strip().isdigit() for part in parts):
        raise RequestError(f"{text!r}: write the resources of both sides, such as 11:9", "--resources")
    return int(parts[0]), int(parts[1])
