"""``ragers play``: a day or a match at the terminal."""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from pathlib import Path
from random import Random, SystemRandom

import click

from analysis.files import check_output, is_stream
from analysis.ragers.answers.asking import read_rules
from analysis.ragers.hands import LETTERS, LETTERS_HELP, HandError, card_type, hand_names
from analysis.ragers.notation import action_text, row_text
from analysis.ragers.play.equilibrium import OPPONENTS, DaySolver, Equilibrium
from analysis.ragers.play.judging import judge_move, judgement_text
from analysis.ragers.play.opponents import Opponent, Rollouts, opening_of, stored_mix, stored_worth
from analysis.ragers.play.transcript import Game, Header, free_name
from analysis.ragers.scenarios import scenarios
from cli.entry import command
from cli.parameters import duration
from cli.ragers.commands.options import SETTINGS, examples, rules_options
from engine.ragers.reference import (
    NOTHING,
    Phase,
    State,
    deciders,
    is_over,
    legal_actions,
    scores,
    winner,
)
from engine.ragers.reference_row import DayResult, Outcome, Slot
from engine.ragers.rules import PLAYERS, TYPES, Rules

_LETTER_OF = {name: letter for letter, name in LETTERS.items()}
_HELP = f"""\
  a card: its letter ({LETTERS_HELP}), its name, or the beginning of it
  keep    discard nothing, in the preparation
  any     a legal card by chance
  hint    what equilibrium does where it is known, or else what playouts say
  undo    take back your last decision
  table   show the table again
  quit    stop here; the transcript is kept
"""


@command(
    "play",
    context_settings=SETTINGS,
    short_help="Play a day or a match.",
    epilog=examples(
        "ragers play",
        "ragers play --patron Solennos --cheers two-bashers --opponent equilibrium",
        "ragers play --opponent rollouts --playouts 300 --player defenders --transcript match.txt",
        "ragers review match.txt",
    )
    + "\n\n\b\nAt the prompt:\n"
    + _HELP.rstrip(),
)
@click.option("--patron", metavar="NAME", help="A single day under this patron. Default: a match.")
@click.option("--cheers", metavar="NAME", help="A single day with this cheers card.")
@click.option("--no-discard", is_flag=True, help="A single day without the preparation.")
@rules_options
@click.option(
    "--opponent",
    type=click.Choice(list(OPPONENTS)),
    default="rollouts",
    show_default=True,
    help="uniform: any legal card. greedy: the attack held most. rollouts: about a best reply to uniform"
    " play, by playouts. stored: opens the first day by the stored solution, then plays rollouts."
    " equilibrium: goes on by solving the rest of the first day on the spot. match: plays to win the match,"
    " by a search of a second at most.",
)
@click.option(
    "--playouts",
    type=click.IntRange(min=1),
    default=100,
    show_default=True,
    help="For each card, of rollouts.",
)
@click.option(
    "--think",
    type=duration,
    default="10s",
    show_default=True,
    metavar="TIME",
    help="For each decision, of equilibrium; also for judging yours afterwards.",
)
@click.option(
    "--player", type=click.Choice(PLAYERS), default=PLAYERS[0], show_default=True, help="Your side."
)
@click.option("--seed", type=click.IntRange(min=0), help="Same seed, same cards.  [default: by chance]")
@click.option(
    "--transcript",
    type=click.Path(path_type=Path, dir_okay=False),
    help="File to keep the game in; written after every move. If one lies there already, the next free name"
    " (game-2.txt) is taken.",
)
@click.option("--force", is_flag=True, help="Write over whatever lies at --transcript.")
@click.option("--hints", is_flag=True, help="A hint before every decision.")
@click.pass_context
def play(
    ctx: click.Context,
    /,
    patron: str | None,
    cheers: str | None,
    no_discard: bool,
    rules_files: tuple[Path, ...],
    overrides: tuple[str, ...],
    opponent: str,
    playouts: int,
    think: float,
    player: str,
    seed: int | None,
    transcript: Path | None,
    force: bool,
    hints: bool,
) -> None:
    """Play a match, or with --patron or --cheers a single day.

    Both place at once: the opponent chooses before you do, and sees what his side sees, no more. Afterwards
    you are told what your opening cost, if a stored solution knows; against the opponent equilibrium, what
    all your decisions of the first day cost.
    """
    rules = read_rules(rules_files, overrides)
    transcript = _free(transcript, force=force)
    if seed is None:
        seed = SystemRandom().randrange(2**32)
    day = _day(rules, patron, cheers, seed)
    if no_discard and day is None:
        raise click.UsageError("--no-discard is for a single day; name a --patron or a --cheers card")
    foe = OPPONENTS[opponent](playouts, think)
    header = Header(rules, day, not no_discard, PLAYERS.index(player), foe.name, seed)
    solver = foe.solver if isinstance(foe, Equilibrium) else None
    table = _Table(Game.begin(header), foe, Rollouts(playouts), solver, transcript, hints)
    table.run()
    ctx.exit(0)


def _free(transcript: Path | None, *, force: bool) -> Path | None:
    """Return where the game is kept: nothing that lies there is lost, unless that is insisted on."""
    if transcript is None:
        if force:
            raise click.UsageError("--force is about what lies at --transcript, and none was given")
        return None
    check_output(transcript, "--transcript")
    if force:
        return transcript
    try:
        free = free_name(transcript)
    except OSError as error:
        raise click.BadParameter(
            f"cannot read {str(transcript)!r}: {error.strerror}", param_hint="'--transcript'"
        ) from None
    if free is None:
        raise click.BadParameter(
            f"what lies at {str(transcript)!r} is no transcript of play; it is not written over"
            " (--force would, and it would be lost)",
            param_hint="'--transcript'",
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


class _Quit(Exception):
    """The person has had enough."""


class _Table:
    """A game being played: who sits there, and what is said."""

    def __init__(
        self,
        game: Game,
        foe: Opponent,
        adviser: Rollouts,
        solver: DaySolver | None,
        transcript: Path | None,
        hints: bool,
    ) -> None:
        self.game = game
        self.foe = foe
        self.adviser = adviser
        self.solver = solver
        self.transcript = transcript
        self.kept = True
        self.hints = hints
        self.me = game.header.player

    def run(self) -> None:
        """Play to the end, or until the person leaves."""
        header = self.game.header
        what = "A match" if header.day is None else "A day"
        _say(f"{what} of {header.rules.name}; you are the {PLAYERS[self.me]}. Seed {header.seed}.")
        _say(f"Opponent {header.opponent}.")
        _say("'help' tells what you may type.")
        try:
            while True:
                self._chance()
                if is_over(self.game.state):
                    break
                self._decision()
        except _Quit:
            _say("\nStopped; the game is not over.")
        except KeyboardInterrupt:
            self._save(last=True)
            raise
        self._save(last=True)
        self._close()

    def _chance(self) -> None:
        days = self.game.state.day
        self.game.chance()
        self._tell_results(days)

    def _decision(self) -> None:
        """Both players' choices of one node; the opponent makes his first, so that none depends on yours."""
        game, state = self.game, self.game.state
        who = deciders(state)
        if self.me in who:
            game.mark()
        move = [NOTHING, NOTHING]
        if 1 - self.me in who:
            move[1 - self.me] = self.foe.choose(game.view(1 - self.me), game.random)
        if self.me in who:
            mine = self._ask()
            if mine is None:  # taken back
                return
            move[self.me] = mine
        game.go((move[0], move[1]))
        foe = move[1 - self.me]
        if 1 - self.me in who and (state.phase != Phase.DEADEYE):
            verb = "discards" if state.phase == Phase.PREPARE else "places"
            _say(f"  opponent {verb} {'nothing' if foe == NOTHING else TYPES[foe]}")
        self._tell_results(state.day)
        self._save()

    def _tell_results(self, days: int) -> None:
        results = self.game.state.results
        for number in range(days, len(results)):
            _say(f"  {_result_text(self.game.state.rules, results[number], self.me)}")
            own, opp = _sides(scores(self.game.state), self.me)
            _say(f"  score: you {own}, opponent {opp}")

    def _ask(self) -> int | None:
        """Return the person's action, or None if he took one back."""
        self._show()
        if self.hints:
            self._hint()
        state = self.game.state
        legal = legal_actions(state, self.me)
        while True:
            word = _read(_question(state, self.me))
            if word in ("quit", "exit"):
                raise _Quit
            if word == "help":
                _say(_HELP.rstrip())
            elif word == "table":
                self._show()
            elif word == "hint":
                self._hint()
            elif word == "any":
                # Apart from the game's own chance, which must not depend on what is typed.
                return Random(f"{self.game.header.seed} {len(self.game.moves)}").choice(legal)
            elif word == "undo":
                if self.game.undo():
                    _say("  taken back")
                    return None
                _say("  there is nothing to take back")
            elif word in ("keep", "-", "nothing"):
                if NOTHING in legal:
                    return NOTHING
                _say("  a card has to be placed")
            elif word:
                action = self._card(word, legal)
                if action is not None:
                    return action

    def _card(self, word: str, legal: Sequence[int]) -> int | None:
        try:
            card = card_type(word)
        except HandError as error:
            _say(f"  {error}, or type 'help'")
            return None
        if card in legal:
            return card
        allowed = ", ".join(action_text(action) for action in legal if action != NOTHING)
        _say(f"  you cannot play {TYPES[card]} now; you can: {allowed}")
        return None

    def _show(self) -> None:
        state = self.game.state
        rules = state.rules
        own, opp = state.players[self.me], state.players[1 - self.me]
        assert state.patron is not None
        patron = rules.patrons[state.patron]
        cheers = ", ".join(_cheers_text(rules, index) for index in state.cheers_table) or "none"
        banned = f" (forbids {', '.join(patron.forbidden)})" if patron.forbidden else ""
        _say(
            f"\nDay {state.day + 1}, {patron.name}{banned}, rows of {rules.row_length(patron)}; cheers:"
            f" {cheers}"
        )
        _say(f"  opponent  {row_text((*opp.row, *_open(opp.slot)), is_own=False)}{'  (mark)' * opp.mark}")
        _say(f"  you       {row_text((*own.row, *_open(own.slot)), is_own=True)}{'  (mark)' * own.mark}")
        _say(f"  hand      {', '.join(hand_names(own.hand)) or 'empty'}")

    def _hint(self) -> None:
        state = self.game.state
        view = self.game.view(self.me)
        legal = legal_actions(state, self.me)
        mix, worth = stored_mix(view), stored_worth(view)
        opening = opening_of(state)
        title = "" if opening is None else f"stored solution ({opening[0].preparation}), {opening[1]}"
        if mix is None and self.solver is not None and len(legal) > 1:
            solved = self.solver.solve(view)
            if solved is not None:
                mix, worth = solved.mix, solved.worth_gp
                title = f"the rest of the day, solved (NashConv {solved.nash_conv_gp:.3f} GP)"
        if mix is not None:
            _say(f"  {title}:")
            for action in legal:
                known = worth is not None and not math.isnan(worth[action])
                value = f", worth {worth[action]:+.3f} GP" if known and worth is not None else ""
                _say(f"    {_action(action):9}{100 * max(0.0, mix[action]):4.0f} %{value}")
            return
        if len(legal) == 1:
            _say(f"  {_action(legal[0])} is all you can do")
            return
        # Its own chance: asking changes nothing in the game.
        means = self.adviser.means(view, Random(f"{self.game.header.seed} {len(self.game.moves)} hint"))
        _say(f"  mean GP on balance in {self.adviser.playouts} random playouts of the day (a rough guide):")
        for action, mean in sorted(means.items(), key=lambda pair: -pair[1]):
            _say(f"    {_action(action):9}{mean:+.2f}")

    def _save(self, *, last: bool = False) -> None:
        """Keep the game so far; into devices and pipes goes only its `last` state. No failure ends a game."""
        if self.transcript is None or (is_stream(self.transcript) and not last):
            return
        try:
            self.game.save(self.transcript)
        except OSError as error:
            if self.kept:
                click.echo(f"Error: cannot write {str(self.transcript)!r}: {error.strerror}.", err=True)
            self.kept = False
            if last:
                click.echo("The game as far as it was played:", err=True)
                _say(self.game.text().rstrip())
        else:
            self.kept = True

    def _close(self) -> None:
        game, state = self.game, self.game.state
        if is_over(state):
            own, opp = _sides(scores(state), self.me)
            if game.header.day is None:
                _say(f"\nYou {'win' if winner(state) == self.me else 'lose'} the match, {own} to {opp}.")
            else:
                _say(f"\nThe day is over: you {own} GP, opponent {opp} GP.")
        for played in game.steps():
            judgement = judge_move(played, self.me, self.solver)
            if judgement is not None:
                _say(judgement_text(judgement, "you"))
        if self.transcript is not None and self.kept and not is_stream(self.transcript):
            _say(f"Kept in {self.transcript}; look at it with: ragers review {self.transcript}")


def _say(text: str) -> None:
    click.echo(text)
    sys.stdout.flush()


def _read(question: str) -> str:
    """Return what the person types, in small letters except for single ones; the end of input is quitting."""
    click.echo(question, nl=False)
    sys.stdout.flush()
    line = sys.stdin.readline()
    if not line:
        raise _Quit
    if not sys.stdin.isatty():
        click.echo(line.rstrip())  # so that a script's output reads like a game
    return line.strip().lower()


def _question(state: State, me: int) -> str:
    allowed = " ".join(_LETTER_OF[TYPES[a]] for a in legal_actions(state, me) if a != NOTHING)
    what = {
        Phase.PREPARE: f"discard ({allowed}, or keep)",
        Phase.PLACE: f"place ({allowed})",
        Phase.VETERAN: f"on your Veteran ({allowed})",
        Phase.DEADEYE: f"hide beside your Deadeye ({allowed})",
    }[state.phase]
    return f"{what} > "


def _action(action: int) -> str:
    return "keep" if action == NOTHING else TYPES[action]


def _open(slot: Slot) -> tuple[Slot, ...]:
    """Return the slot of the step being resolved as part of a row, if there is one."""
    return (slot,) if slot else ()


def _cheers_text(rules: Rules, index: int) -> str:
    card = rules.cheers[index]
    without = f" without {', '.join(card.forbidden)}" if card.forbidden else ""
    return f"{' + '.join(card.required)}{without} for {card.gp} GP"


def _sides(pair: tuple[int, int], me: int) -> tuple[int, int]:
    return (pair[0], pair[1]) if me == 0 else (pair[1], pair[0])


def _result_text(rules: Rules, result: DayResult, me: int) -> str:
    won = {Outcome.WIN_0: 0, Outcome.WIN_1: 1}.get(result.outcome)
    if won is not None:
        text = "you win the day" if won == me else "your opponent wins the day"
    else:
        text = "the day is a draw" if result.outcome == Outcome.DRAW else "no attack shows: both lose the day"
    own, opp = _sides(result.gp, me)
    text += f": {own} GP for you, {opp} for your opponent"
    for player, taken in enumerate(result.taken):
        for index in taken:
            text += f"; {'you take' if player == me else 'he takes'} {rules.cheers[index].name}"
    return text
