"""``ragers play``: a day or a match at the terminal."""

from __future__ import annotations

from pathlib import Path
from random import Random, SystemRandom

import click

from analysis.errors import RequestError
from analysis.files import check_output
from analysis.ragers.last_day.opponents import OPPONENTS
from analysis.ragers.play.equilibrium import Equilibrium
from analysis.ragers.play.opponents import Opponent, Rollouts
from analysis.ragers.play.transcript import Game, Header, free_name, replay
from analysis.ragers.scenarios import scenarios
from analysis.transcripts import TranscriptError
from arena_solver.folders import cache_root
from cli.entry import command
from cli.options import GivenRules, at_least, choice, examples
from cli.parameters import duration
from cli.play import check_alone
from cli.play import play as play_at
from cli.ragers.commands.options import with_rules
from cli.ragers.table import RagersTable
from engine.ragers.reference import is_over
from engine.ragers.rules import PLAYERS, Rules

#: Where a game is kept that was left and has no transcript.
LEFT = "left-game.txt"
_HELP = """\
  a card      its letter, its name, or the beginning of it; keep to discard nothing
  ?           all that may be typed; help basher tells what a card does
  hint        what equilibrium does where it is known, or else what playouts say
  u, q        take back your last decision; stop here, to go on with --resume
"""


@command(
    "play",
    short_help="Play a day or a match.",
    epilog=examples(
        "ragers play",
        "ragers play --patron Solennos --cheers two-bashers --opponent equilibrium",
        "ragers play --opponent rollouts --playouts 300 --player defenders --transcript match.txt",
        "ragers play --resume match.txt",
        "ragers review match.txt",
    )
    + "\n\n\b\nAt the prompt:\n"
    + _HELP.rstrip(),
)
@click.option("--patron", metavar="NAME", help="A single day under this patron. Default: a match.")
@click.option("--cheers", metavar="NAME", help="A single day with this cheers card.")
@click.option("--no-discard", is_flag=True, help="A single day without the preparation.")
@with_rules
@click.option(
    "--opponent",
    type=click.Choice(list(OPPONENTS)),
    default="rollouts",
    show_default=True,
    help="uniform: any legal card. greedy: the attack held most. rollouts: about a best reply to uniform"
    " play, by playouts. stored: opens the first day by the stored solution, then plays rollouts."
    " equilibrium: goes on by solving the rest of the first day on the spot. match: plays to win the match,"
    " by a search of a second at most, and combat of the last day by solving it, where that fits.",
)
@at_least(1, "--playouts", "For each card, of rollouts.", 100)
@click.option(
    "--think",
    type=duration,
    default="10s",
    show_default=True,
    metavar="TIME",
    help="For each decision, of equilibrium, and for the last day, of match; also for judging yours"
    " afterwards.",
)
@choice("--player", PLAYERS, "Your side.")
@click.option("--seed", type=click.IntRange(min=0), help="Same seed, same cards.  [default: by chance]")
@click.option(
    "--transcript",
    type=click.Path(path_type=Path, dir_okay=False),
    help="File to keep the game in; written after every move. If one lies there already, the next free name"
    " (game-2.txt) is taken.",
)
@click.option("--force", is_flag=True, help="Write over whatever lies at --transcript.")
@click.option("--hints", is_flag=True, help="A hint before every decision.")
@click.option(
    "--resume",
    is_flag=False,
    flag_value="",
    metavar="[FILE]",
    help="Go on with the game of a transcript, or without FILE with the one left last that had none.",
)
@click.pass_context
def play(
    ctx: click.Context,
    /,
    patron: str | None,
    cheers: str | None,
    no_discard: bool,
    rules: GivenRules[Rules],
    opponent: str,
    playouts: int,
    think: float,
    player: str,
    seed: int | None,
    transcript: Path | None,
    force: bool,
    hints: bool,
    resume: str | None,
) -> None:
    """Play a match, or with --patron or --cheers a single day.

    Both place at once: the opponent chooses before you do, and sees what his side sees, no more. After each
    day you see why it scored so; afterwards, what your discard and your opening cost, if a stored solution
    knows. Against the opponent equilibrium, what all your decisions of the first day cost.
    """
    if resume is None:
        loaded = rules.load()
        transcript = _free(transcript, force=force)
        if seed is None:
            seed = SystemRandom().randrange(2**32)
        day = _day(loaded, patron, cheers, seed)
        if no_discard and day is None:
            raise RequestError("--no-discard is for a single day; name a --patron or a --cheers card")
        foe = OPPONENTS[opponent](playouts, think)
        side = PLAYERS.index(player)
        game = Game.begin(Header(loaded, day, not no_discard, side, foe.name, seed, playouts, think))
    else:
        check_alone(ctx, "rules_files")
        transcript = Path(resume) if resume else None
        game = _left_game(transcript or cache_root() / LEFT, rules.files)
        if transcript is not None:
            check_output(transcript, "--resume")
        foe = _same_opponent(ctx, game.header)
        playouts = game.header.playouts or playouts
    solver = foe.solver if isinstance(foe, Equilibrium) else None
    table = RagersTable(game, foe, Rollouts(playouts), solver, transcript, cache_root() / LEFT)
    table.greet()
    over = play_at(table, hints=hints)
    if over and resume == "":
        (cache_root() / LEFT).unlink(missing_ok=True)
    ctx.exit(0)


def _left_game(path: Path, rules_files: tuple[Path, ...]) -> Game:
    """Return a game that was left, to go on with."""
    try:
        played = replay(path.read_text(encoding="utf-8"), rules_files)
    except FileNotFoundError:
        reason = "no game was left" if path.name == LEFT else f"there is no file {str(path)!r}"
        raise RequestError(reason, "--resume") from None
    except OSError as error:
        reason = f"cannot read {str(path)!r}: {error.strerror}"
        raise RequestError(reason, "--resume") from None
    except UnicodeDecodeError:
        raise RequestError(f"{path} is no transcript: it is no text", "--resume") from None
    except TranscriptError as error:
        raise RequestError(f"{path}: {error}", "--resume") from None
    if is_over(played.end):
        raise RequestError(
            f"the game in {path} is finished; look at it with: ragers review {path}", "--resume"
        )
    return Game.resume(played)


def _same_opponent(ctx: click.Context, header: Header) -> Opponent:
    """Return the opponent that a game was begun with."""
    name = header.opponent.partition(":")[0]
    if name not in OPPONENTS:
        raise RequestError(f"it was played against {name!r}, and there is no such opponent", "--resume")
    defaults = {"playouts": header.playouts, "think": header.think_s}
    playouts, think = (ctx.params[each] if kept is None else kept for each, kept in defaults.items())
    return OPPONENTS[name](int(playouts), float(think))


def _free(transcript: Path | None, *, force: bool) -> Path | None:
    """Return where the game is kept: nothing that lies there is lost, unless that is insisted on."""
    if transcript is None:
        if force:
            raise RequestError("--force is about what lies at --transcript, and none was given")
        return None
    check_output(transcript, "--transcript")
    if force:
        return transcript
    try:
        free = free_name(transcript)
    except OSError as error:
        raise RequestError(f"cannot read {str(transcript)!r}: {error.strerror}", "--transcript") from None
    if free is None:
        raise RequestError(
            f"what lies at {str(transcript)!r} is no transcript of play; it is not written over"
            " (--force would, and it would be lost)",
            "--transcript",
        )
    if free != transcript:
        click.echo(f"{transcript} holds a game already; this one is kept in {free}.", err=True)
    return free


def _day(rules: Rules, patron: str | None, cheers: str | None, seed: int) -> tuple[str, str] | None:
    """Return the patron and the cheers card of a single day, one of them by chance if need be."""
    if patron is None and cheers is None:
        return None
    found = scenarios(rules, [patron] if patron else [], [cheers] if cheers else [], "none")
    chosen = Random(seed).choice(found)
    return chosen.patron.id, chosen.cheers.id
