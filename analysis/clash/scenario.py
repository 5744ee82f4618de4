"""A question about one battle, checked, and what all answers about battles share."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import msgspec

from analysis.clash.armies import Army, WeightTable, parse_weights
from analysis.clash.reports import SwitchesReport
from analysis.clash.retreats import Retreat
from analysis.errors import RefusedError, RequestError
from engine.clash.rules import Rules

if TYPE_CHECKING:
    from engine.clash.battle_objectives import Objective, Payoffs, Weights
    from engine.clash.battle_tables import BattleTables, Habit

MODEL = 1
"""Part of every `sha256`: raised when answers to the same question change their meaning."""
DEFAULT_MEMORY = 512 << 20
_FIXED_BYTES = 190 << 20
"""What a process takes that solves nothing."""


class TooLargeError(RefusedError):
    """A battle that does not fit into memory; the message says what would."""


@dataclass(frozen=True)
class Moment:
    """Where within an assault the question stands: dice have been rolled.

    Attributes
    ----------
    injuries : to be distributed now (B7); None if that is not yet so.
    hits : dice that injure, of those rolled; None if none are.
    rerolls : rerolls still allowed, with `hits` (B5).
    """

    injuries: int | None = None
    hits: int | None = None
    rerolls: int = 0


@dataclass(frozen=True)
class Scenario:
    """A battle, and where in it the question stands.

    Attributes
    ----------
    solo : whether the attacker distributes injuries dealt by elves, whatever the rules file says (X4).
    rage : tokens of both sides.
    turn : whose assault is next; None for whoever is less slow (B2).
    most_tokens : where the state space is cut; None for nowhere. If it is, ties are not broken.
    retreats : rules by which the sides flee; None for as well as can be.
    """

    rules: Rules
    attacker: Army
    defender: Army
    objective: Objective = "win"
    weights: WeightTable | None = None
    weights_of_defender: WeightTable | None = None
    solo: bool = False
    rage: tuple[int, int] = (0, 0)
    turn: int | None = None
    most_tokens: int | None = None
    retreats: tuple[Retreat | None, Retreat | None] = (None, None)

    def check(self) -> None:
        """Raise RequestError for what cannot be asked."""
        if self.attacker.elves:
            raise RequestError("elves never attack; swap the armies: they can be the defender", "--attacker")
        if self.solo and not self.defender.elves:
            raise RequestError("only a battle against elves is fought solo (X4)", "--solo")
        if self.retreats[1] is not None and self.defender.elves:
            raise RequestError("elves never flee (B3)", "--retreat-when-defender")
        limit = self.rules.battle.rage_limit
        if min(self.rage) < 0 or (limit is not None and max(self.rage) > limit):
            most = "" if limit is None else f" and, by battle.rage_limit, at most {limit}"
            raise RequestError(f"rage tokens are 0 or more{most}", "--rage")
        if self.objective == "own" and limit is not None:
            raise RequestError(
                "with battle.rage_limit a battle may go on for ever, and is solved as a bracket only; that"
                ' needs an objective of which one side gains what the other loses: "win" or "material"',
                "--objective",
            )
        if self.objective == "own" and self.most_tokens is not None:
            raise RequestError('a bracket needs the objective "win" or "material"', "--bracket")
        if self.weights_of_defender is not None and self.objective != "own":
            raise RequestError(
                "the defender has weights of its own with --objective own only", "--weights-defender"
            )
        if self.weights is not None and self.objective == "win":
            raise RequestError("weights mean something with --objective material or own only", "--weights")

    @property
    def armies(self) -> tuple[Army, Army]:
        """Both sides."""
        return self.attacker, self.defender

    @property
    def chooser(self) -> int:
        """Who distributes injuries that elves deal (B1, X4)."""
        solo = self.solo or self.rules.battle.elves == "attacker"
        return 0 if self.defender.elves and solo else 1

    @property
    def starts(self) -> int:
        """Whose assault is next."""
        if self.turn is not None:
            return self.turn
        return 0 if self.attacker.slowness < self.defender.slowness else 1

    @property
    def weight_tables(self) -> tuple[WeightTable, WeightTable]:
        """What each side values; where the defender has no weights of its own, those of the attacker."""
        own = self.weights or parse_weights(self.rules, None, "--weights")
        return own, self.weights_of_defender or own

    @property
    def side_weights(self) -> tuple[Weights, Weights]:
        """The same as the engine takes it."""
        from engine.clash.battle_objectives import Weights

        one, two = (
            Weights(table.territory, table.of(self.attacker), table.of(self.defender))
            for table in self.weight_tables
        )
        return one, two

    def tables(self, memory: int, habits: tuple[Habit, Habit] | None = None) -> BattleTables:
        """Return the battle as arrays; TooLargeError if numbering its positions takes too much memory."""
        from engine.clash import battle_layout as at
        from engine.clash.battle_tables import OPTIMAL, Habit

        def held(side: int) -> Habit:
            retreat = self.retreats[side]
            figures = sum(self.armies[side].counts)
            return OPTIMAL if retreat is None else Habit(at.BY_RULE, retreats=retreat.bounds(figures))

        def made(most_tokens: int | None) -> BattleTables:
            from engine.clash.battle_tables import battle_tables

            return battle_tables(
                self.rules.battle,
                (self.attacker.fighters, self.defender.fighters),
                (self.attacker.counts, self.defender.counts),
                elves=self.defender.elves,
                chooser=self.chooser,
                rage=self.rage,
                most_tokens=most_tokens,
                habits=habits or (held(0), held(1)),
            )

        tables = made(self.most_tokens)
        if least_memory(tables) > memory:
            raise TooLargeError(self._advice(tables, made, memory))
        return tables

    def _advice(self, tables: BattleTables, made: Any, memory: int) -> str:
        said = (
            f"{tables.num_positions:,} positions take more than {least_memory(tables) >> 20} MiB, and"
            f" {memory >> 20} MiB are allowed (--memory)"
        )
        if self.objective == "own":
            return f"{said}; with --objective material, --bracket would give bounds"
        for tokens in range(max(tables.cuts), 0, -1):
            smaller = made(tokens)
            if likely_memory(smaller) <= memory:
                return (
                    f"{said}; --bracket {tokens} gives bounds: {smaller.num_positions:,} positions, about"
                    f" {likely_memory(smaller) >> 20} MiB"
                )
        return f"{said}; no bracket fits either"

    def payoffs(self, tables: BattleTables) -> Payoffs:
        """Return what its ends are worth."""
        from engine.clash.battle_objectives import payoffs_of

        ties = self.most_tokens is None
        return payoffs_of(tables, self.objective, self.side_weights, ties=ties)

    def root(self, tables: BattleTables) -> int:
        """Return the position that the question is about."""
        return tables.position((self.attacker.counts, self.defender.counts), self.rage, self.starts)

    def dependencies(self) -> dict[str, Any]:
        """Return all that an answer depends on."""
        battle = msgspec.structs.asdict(self.rules.battle)
        sides = [
            {"types": [tuple(each) for each in army.fighters], "counts": army.counts, "elves": army.elves}
            for army in self.armies
        ]
        weights = None if self.objective == "win" else [list(map(list_of, self.side_weights))]
        held = {} if self.retreats == (None, None) else {"retreats": self.retreats}
        return held | {
            "model": MODEL,
            "battle": battle,
            "sides": sides,
            "chooser": self.chooser,
            "objective": self.objective,
            "weights": weights,
            "rage": self.rage,
            "starts": self.starts,
            "most_tokens": self.most_tokens,
        }


def list_of(weights: Weights) -> list[Any]:
    """Return weights as lists."""
    return [weights.territory, list(weights.attacker), list(weights.defender)]


def least_memory(tables: BattleTables) -> int:
    """Return the bytes that any solve takes: the numbers of all positions."""
    return _FIXED_BYTES + 4 * tables.num_positions


def likely_memory(tables: BattleTables) -> int:
    """Return the bytes that a cut solve takes, where three quarters of the positions are reached."""
    return least_memory(tables) + 6 * tables.num_positions


def most_rows(tables: BattleTables, memory: int, columns: int) -> int:
    """Return how many positions may be evaluated within so much memory."""
    return max(1, (memory - least_memory(tables)) // (8 * columns))


def digest(value: Any) -> str:
    """Return the sha256 of anything that msgspec can encode."""
    return hashlib.sha256(msgspec.json.encode(value, order="deterministic")).hexdigest()


def switches_report(rules: Rules) -> SwitchesReport:
    """Return the switches of battles."""
    battle = rules.battle
    return SwitchesReport(battle.hit, battle.sparing, battle.rage_limit, battle.elves)


def with_counts(army: Army, counts: tuple[int, int, int]) -> Army:
    """Return an army with other numbers of figures."""
    return replace(army, counts=counts)
