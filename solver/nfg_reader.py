"""Gambit's `.nfg` files: games in strategic form, in both of the format's versions.

The format is described in Gambit's documentation, "The strategic game (.nfg) file format, payoff version" and
"... outcome version".
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import prod

from solver.gambit_tokens import (
    CLOSE,
    END,
    OPEN,
    STRING,
    WORD,
    Tokens,
    UnsupportedGameError,
    braced_strings,
    described,
    header,
    numbered_if_equal,
)


@dataclass(frozen=True)
class StrategicGame:
    """A game in strategic form.

    Attributes
    ----------
    title, players : as the file names them.
    strategies : of each player, all different.
    payoffs : of all players for each combination of strategies, that of player 0 running fastest.
    """

    title: str
    players: list[str]
    strategies: list[list[str]]
    payoffs: list[tuple[Fraction, ...]]


def parse_nfg(text: str, *, max_combinations: int = 5_000_000) -> StrategicGame:
    """Read a game.

    Raises
    ------
    GambitFormatError
        If the text is no `.nfg` file; says where.
    MemoryError
        If there are more than `max_combinations` combinations of strategies.
    """
    tokens = Tokens(text)
    title, players = header(tokens, "NFG", 1)
    strategies = _strategies(tokens, len(players), max_combinations)
    size = prod(map(len, strategies))
    if size > max_combinations:
        raise MemoryError(f"the game has {size} combinations of strategies")
    if tokens.next.kind == STRING:
        tokens.take()
    outcomes = _outcomes(tokens, len(players)) if tokens.next.kind == OPEN else None
    payoffs = []
    for done in range(size):
        if tokens.next.kind == END:
            tokens.fail(f"the file ends after {done} of {size} combinations of strategies")
        if outcomes is None:
            payoffs.append(tuple(tokens.number("a payoff") for _ in players))
            continue
        number = tokens.next
        outcome = tokens.whole("the number of an outcome")
        if outcome >= len(outcomes):
            tokens.fail(f"there are {len(outcomes) - 1} outcomes, and this is number {outcome}", number)
        payoffs.append(outcomes[outcome])
    if tokens.next.kind != END:
        tokens.fail(f"all {size} combinations have their payoffs, but {described(tokens.next)} follows")
    return StrategicGame(title, players, strategies, payoffs)


def _strategies(tokens: Tokens, num_players: int, most: int) -> list[list[str]]:
    """Read the strategies: how many of each player, or their names."""
    opening = tokens.expect(OPEN, "'{' before the strategies")
    strategies = []
    while tokens.next.kind != CLOSE:
        if tokens.next.kind == WORD:
            number = tokens.whole("a number of strategies, at least 1", 1)
            if number > most:
                raise MemoryError(f"a player has {number} strategies")
            strategies.append([str(strategy) for strategy in range(1, number + 1)])
            continue
        strategies.append(numbered_if_equal(braced_strings(tokens, "the name of a strategy")))
    tokens.take()
    if len(strategies) != num_players:
        tokens.fail(f"strategies of {len(strategies)} players, but there are {num_players}", opening)
    return strategies


def _outcomes(tokens: Tokens, num_players: int) -> list[tuple[Fraction, ...]]:
    """Read the table of outcomes; number 0 pays nothing."""
    tokens.take()
    outcomes = [(Fraction(0),) * num_players]
    while tokens.next.kind != CLOSE:
        opening = tokens.expect(OPEN, "'{' before an outcome, or '}'")
        if tokens.next.kind == STRING:
            tokens.take()
        payoffs = []
        while tokens.next.kind != CLOSE:
            payoffs.append(tokens.number("a payoff, or '}'"))
        tokens.take()
        if len(payoffs) != num_players:
            tokens.fail(f"{len(payoffs)} payoffs for {num_players} players", opening)
        outcomes.append(tuple(payoffs))
    tokens.take()
    return outcomes


def two_player_payoffs(game: StrategicGame) -> tuple[list[list[Fraction]], list[list[Fraction]]]:
    """Return the `[rows][columns]` payoffs of the two players.

    Raises UnsupportedGameError if there are not two.
    """
    if len(game.players) != 2:
        raise UnsupportedGameError(f"this game has {len(game.players)} players; only games of two are solved")
    rows, columns = map(len, game.strategies)
    tables = [
        [[game.payoffs[column * rows + row][player] for column in range(columns)] for row in range(rows)]
        for player in (0, 1)
    ]
    return tables[0], tables[1]
