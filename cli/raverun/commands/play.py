"""``raverun play``: a game in the terminal against kept strategies, search, or a greedy or random player."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cli.entry import command
from cli.parameters import duration
from engine.raverun.reference import CHANCE, PASS, Move, Phase, State, decider, is_over, legal_moves, payoffs
from engine.raverun.rules import ACTIONS, Rules, RulesError, load_rules

if TYPE_CHECKING:
    from solver.sampling.information_set_search import SearchSettings

OPPONENTS = ("guided", "values", "search", "trained", "greedy", "random")


@command("play", context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.option(
    "--opponent",
    type=click.Choice(OPPONENTS),
    help="[default: guided with --values, trained with --policy, otherwise search]",
)
@click.option(
    "--policy",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="Strategies kept by raverun-solve --save-policy; makes the opponent the trained one.",
)
@click.option(
    "--values",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="Values learned by raverun train: the opponents guided (the strongest) and values.",
)
@click.option("--players", type=click.Choice(["2", "3"]), default="2", show_default=True)
@click.option("--seat", type=click.IntRange(min=0, max=2), default=0, show_default=True, help="Yours.")
@click.option("--search-time", type=duration, default="1s", show_default=True, metavar="TIME")
@click.option(
    "--search-iterations", type=click.IntRange(min=1), help="Instead of a time: the same every run."
)
@click.option(
    "--rules", "rules_files", multiple=True, type=click.Path(path_type=Path, exists=True, dir_okay=False)
)
@click.option("--set", "overrides", multiple=True, metavar="KEY=VALUE")
@click.option(
    "--seed", type=click.IntRange(min=0, max=2**62), help="Of the deal.  [default: another each time]"
)
@click.pass_context
def play(
    ctx: click.Context,
    opponent: str | None,
    policy: Path | None,
    values: Path | None,
    players: str,
    seat: int,
    search_time: float,
    search_iterations: int | None,
    rules_files: tuple[Path, ...],
    overrides: tuple[str, ...],
    seed: int | None,
) -> None:
    """Play a game of Raverun. Moves are typed as shown, or by their number; q gives up.

    Input may come from a file: one move a line.

    \b
    Examples:
      raverun play
      raverun play --values values.npz --search-time 2s
      raverun play --policy strategies.npz --seat 1
      raverun play --players 3 --search-iterations 2000 --seed 7 < moves.txt
    """
    try:
        rules = load_rules(rules_files, overrides)
        rules.hand_size(int(players))
    except (RulesError, ValueError) as error:
        raise click.UsageError(str(error)) from None
    if seat >= int(players):
        raise click.UsageError(f"--seat {seat}: with {players} players the seats are 0 to {int(players) - 1}")
    if opponent is None:
        opponent = "guided" if values is not None else "trained" if policy is not None else "search"
    if opponent == "trained" and policy is None:
        raise click.UsageError("the trained player needs --policy, a file of raverun-solve --save-policy")
    if opponent in ("guided", "values") and values is None:
        raise click.UsageError(f"the opponent {opponent} needs --values, a file of raverun train")
    from solver.sampling.information_set_search import SearchSettings

    if search_iterations is not None:
        search = SearchSettings(iterations=search_iterations)
    else:
        search = SearchSettings(iterations=0, seconds=search_time)
    finished = _Game(rules, int(players), seat, opponent, policy, values, search, seed).play()
    ctx.exit(0 if finished else 1)


class _Game:
    """A game between the one at the terminal and others; the reference keeps the score."""

    def __init__(
        self,
        rules: Rules,
        num_players: int,
        seat: int,
        opponent: str,
        policy: Path | None,
        values: Path | None,
        search: SearchSettings,
        seed: int | None,
    ) -> None:
        import numpy as np

        from analysis.raverun import policies
        from analysis.raverun.kept_files import KeptFileError
        from engine.raverun import reference
        from solver.sampling.head_to_head import ChoosingPolicy
        from solver.sampling.policy import CompiledPolicy

        self.rules, self.num_players, self.seat = rules, num_players, seat
        recall = "summary"
        other: CompiledPolicy | ChoosingPolicy
        try:
            if opponent == "trained" and policy is not None:
                other, recall = policies.load_policy(policy, rules, num_players)
            else:
                network = None if values is None else policies.load_network(values, rules, num_players)
                other = policies.opponent(opponent, rules, num_players, search, network)
        except KeptFileError as error:
            raise click.UsageError(str(error)) from None
        self.compiled = other if isinstance(other, CompiledPolicy) else None
        self.chooser: ChoosingPolicy | None = None if isinstance(other, CompiledPolicy) else other
        self.name = opponent
        self.game = policies.full_game(rules, num_players, recall)
        self.random = np.random.default_rng(seed)
        self.state = reference.start(rules, num_players)
        self.words = self.game.root.copy()

    def play(self) -> bool:
        """Play to the end; False if the player gave up or the input ended."""
        click.echo(f"You are player {self.seat}; {self.name} plays for the others.")
        while not is_over(self.state):
            player = decider(self.state)
            if player == CHANCE:
                self._step(int(self.random.integers(len(self._ways()))))
                continue
            if player == self.seat:
                self._show()
                ways = self._ways()
                index = 0 if len(ways) == 1 else self._asked(ways)
                if index is None:
                    click.echo("Given up.")
                    return False
            else:
                index = self._other()
            self._tell(player, self._ways()[index])
            self._step(index)
        self._show()
        score = payoffs(self.state)
        own = score[self.seat]
        click.echo("You win." if own > 0 else "You lose." if own < 0 else "A draw.")
        click.echo("Payoffs: " + " ".join(f"{value:+g}" for value in score))
        return True

    def _ways(self) -> list[Move | int]:
        from engine.raverun.reference import chance_outcomes

        return [outcome for outcome, _ in chance_outcomes(self.state)] or list(legal_moves(self.state))

    def _step(self, index: int) -> None:
        import numpy as np

        from engine.raverun import reference

        move = self._ways()[index]
        self.state = reference.step(self.state, move)
        self.game.apply(self.game.tables, self.words, np.zeros(self.game.work_words, np.int64), index)

    def _other(self) -> int:
        """The others' choice, by what they see."""
        import numpy as np

        from solver.sampling.policy import policy_probabilities

        if len(self._ways()) == 1:
            return 0
        seed = int(self.random.integers(2**62))
        if self.chooser is not None:
            return self.chooser.choose(self.words.copy(), seed)
        assert self.compiled is not None
        work, chances = np.zeros(self.game.work_words, np.int64), np.zeros(self.game.max_moves)
        self.game.observe(self.game.tables, self.words, work)
        mode, records, reals, function = self.compiled.arguments
        policy_probabilities(mode, records, reals, function, self.game.tables, self.words, work, chances)
        number = len(self._ways())
        return int(np.random.default_rng(seed).choice(number, p=chances[:number] / chances[:number].sum()))

    def _asked(self, ways: Sequence[Move | int]) -> int | None:
        """The number of the move that was typed; None for q or the end of the input."""
        texts = [self._text(move) for move in ways]
        click.echo("  ".join(f"{index}) {text}" for index, text in enumerate(texts)))
        while True:
            click.echo("> ", nl=False)
            line = sys.stdin.readline()
            typed = " ".join(line.split()).lower()
            if not line or typed in ("q", "quit"):
                return None
            lowered = [text.lower() for text in texts]
            if typed in lowered:
                return lowered.index(typed)
            if typed.isdigit() and int(typed) < len(texts):
                return int(typed)
            click.echo(f"{typed!r} is none of these moves; type a number from 0 to {len(texts) - 1}, or q.")

    def _text(self, move: Move | int) -> str:
        assert isinstance(move, Move)
        if move.order:
            return "order " + " ".join(map(str, move.order))
        if move == PASS:
            return "pass"
        card = "" if move.card is None else self.rules.card_name(move.card)
        target = "" if move.player is None else f">{move.player}"
        return card + target

    def _tell(self, player: int, move: Move | int) -> None:
        """Say what a player does, as far as all see it."""
        assert isinstance(move, Move)
        who = "You" if player == self.seat else f"Player {player}"
        unseen = player != self.seat and (
            self.state.phase == Phase.BID
            or (self.state.offered is not None and self._action(self.state) == "exchange" and move != PASS)
        )
        text = "a card, unseen" if unseen else self._text(move)
        what = "" if self.state.offered is None else f" with {self.rules.card_name(self.state.offered)}"
        click.echo(f"{who}{what}: {text}")

    def _action(self, state: State) -> str:
        assert state.offered is not None
        return ACTIONS[self.rules.action(state.offered)]

    def _show(self) -> None:
        """Show the table as the one at the terminal sees it (V4)."""
        from engine.raverun.reference_view import view

        seen = view(self.state, self.seat)
        names = self.rules.card_name
        click.echo("")
        for player in range(self.num_players):
            stack = " ".join("?" if card is None else names(card) for card in seen.stacks[player]) or "-"
            field = " ".join(map(names, seen.battlefields[player])) or "-"
            mark = "you" if player == self.seat else f"{seen.hand_sizes[player]} cards"
            click.echo(f"{player} ({mark})  stack, top last: {stack}   battlefield: {field}")
        hand = " ".join(map(names, seen.hand)) or "-"
        click.echo(f"deck {seen.deck_size}   your hand: {hand}")
        if self.state.offered is not None:
            click.echo(f"{names(self.state.offered)} may {self._action(self.state)}:")
