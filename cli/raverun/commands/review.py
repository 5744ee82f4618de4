"""``raverun review``: read a transcript again, check it, and say what decisions cost."""

from __future__ import annotations

from pathlib import Path

import click

from analysis.raverun.transcript import Transcript as Played
from analysis.raverun.transcript import read
from analysis.transcripts import TranscriptError
from cli.entry import command
from cli.options import rules_file_option
from cli.play import wrapped
from cli.raverun.views.costs import cost_lines
from cli.raverun.views.moves import Names
from cli.raverun.views.transcript import wrong_words
from engine.raverun.reference import Phase, is_over, payoffs


@command("review", context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.argument("transcript", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option(
    "--values",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="Values learned by raverun train, to judge by.  [default: those of the package, if there are any]",
)
@rules_file_option()
@click.pass_context
def review(ctx: click.Context, transcript: Path, values: Path | None, rules_files: tuple[Path, ...]) -> None:
    """Play TRANSCRIPT again by the rules, show all that happened, and say what your decisions cost.

    They are judged by what you could see: by the learned values, and exactly in the last phase.

    \b
    Examples:
      raverun play --transcript game.txt
      raverun review game.txt

    \b
    Exit codes: 0; 1 for what is no transcript, or a damaged one.
    """
    try:
        played = read(transcript.read_text(encoding="utf-8"), rules_files)
    except OSError as error:
        raise click.ClickException(f"cannot read {str(transcript)!r}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise click.ClickException(f"{transcript} is no transcript: it is no text (UTF-8)") from None
    except TranscriptError as error:
        raise click.ClickException(f"{transcript}: {error}") from None
    wrong = wrong_words(played)
    if wrong is not None:
        raise click.ClickException(f"{transcript}: line {wrong.line}: its words are not those of its number")
    for line in _lines(played, values):
        click.echo(line)
    ctx.exit(0)


def _lines(played: Played, values: Path | None) -> list[str]:
    from analysis.raverun.played_game import decisions_of

    header, names = played.header, Names(played.header.num_players, played.header.seat)
    others = " and ".join(name for name in names.all if name != "you")
    lines = [f"You played against {others}, by the player {header.opponent}. Rules: {header.rules.name}."]
    rounds = 0
    for number, step in enumerate(played.steps):
        state = step.state
        if state.phase == Phase.DEAL:
            continue
        before = played.steps[number - 1].state.phase if number else Phase.DEAL
        if state.phase == Phase.BID != before:
            for player, each in enumerate(state.players):
                hand = " ".join(map(header.rules.card_name, each.hand))
                lines.append(f"{names.subject(player)} {'hold' if player == header.seat else 'holds'} {hand}")
            lines.append("First cards:")
        elif state.phase == Phase.ORDER != before:
            rounds += 1
            lines.append(f"Round {rounds}:")
        elif state.phase == Phase.LAST != before:
            lines.append("Last phase:")
        lines.append(wrapped(step.words, 2, 2))
    lines += cost_lines(decisions_of(header, [step.way for step in played.steps], values), names)
    if is_over(played.end):
        score = payoffs(played.end)
        own = score[header.seat]
        lines.append("You win." if own > 0 else "You lose." if own < 0 else "A draw.")
        lines.append("Payoffs: " + " ".join(f"{value:+g}" for value in score))
    else:
        lines.append("Not finished.")
    return lines
