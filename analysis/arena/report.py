"""What `arena solve` says about a game."""

from __future__ import annotations

import msgspec

from analysis.front.question import Answer


class ActionReport(msgspec.Struct, frozen=True):
    """How often an action is played; `exact` as a fraction, None where it is rounded."""

    action: str
    probability: float
    exact: str | None


class InfosetReport(msgspec.Struct, frozen=True):
    """What a player does at an infoset. In strategic form there is one, "strategy"."""

    player: str
    infoset: str
    actions: list[ActionReport]


class EquilibriumReport(msgspec.Struct, frozen=True):
    """An equilibrium.

    Attributes
    ----------
    payoffs, exact_payoffs : of both players; the latter as fractions, None where they are rounded.
    nash_conv : what both could gain together by deviating alone, measured on the strategies.
    """

    payoffs: list[float]
    exact_payoffs: list[str] | None
    nash_conv: float
    strategies: list[InfosetReport]


class GameReport(Answer, frozen=True, kw_only=True):
    """A solved game.

    Attributes
    ----------
    form : "efg" or "nfg".
    size : numbers of nodes and infosets, or of rows and columns; of all where a tree is solved as a table.
    constant_sum : what the players' payoffs sum to, None if that differs.
    sum_deviation : how far sums in the file are off by rounding at most; then the first player's payoffs are
        solved, and the second one's are what is left. None where the sum is not constant.
    value, exact_value : of a constant-sum game to the first player; else None. The latter as a fraction, if
        known.
    lower, upper : what the strategies guarantee: the value lies between them.
    nash_conv : of the equilibrium, or the largest of several.
    method : "exact linear program", "linear program", "extreme equilibria" (exact), "verified candidates", or
        the variant of CFR.
    iterations : of the method; converged : whether it reached its target.
    all_listed : whether all extreme equilibria are; a constant-sum game needs one only.
    """

    schema: int = 2
    file: str
    form: str
    title: str
    players: list[str]
    size: dict[str, int]
    constant_sum: str | None
    sum_deviation: float | None
    value: float | None
    exact_value: str | None
    lower: float | None
    upper: float | None
    nash_conv: float
    method: str
    iterations: int
    converged: bool
    all_listed: bool
    equilibria: list[EquilibriumReport]
