"""Matches of one player of the full game against others, deal by deal."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from analysis.errors import RequestError
from analysis.estimates import CONFIDENCE
from analysis.interrupt import Interrupt
from analysis.raverun.approximate_answers import MatchReport
from analysis.raverun.exact_answers import RulesReport, rules_report
from analysis.raverun.kept_files import loading
from analysis.symmetry import exact_by_symmetry, without_interval
from analysis.version import __version__

if TYPE_CHECKING:
    from engine.raverun.rules import Rules
    from engine.raverun.sampling import SamplingTables
    from solver.sampling.head_to_head import ChoosingPolicy
    from solver.sampling.policy import CompiledPolicy

PLAYERS = ("guided", "values", "trained", "search", "greedy", "random")
SEARCHING = ("guided", "search")
STOPPING = "Stopping: the deal under way is finished; again to leave without it."


class MatchesReport(msgspec.Struct, frozen=True, kw_only=True):
    """Matches of one player; payoffs per game, every deal once per seat with the same chance.

    Attributes
    ----------
    budget : of each search, in words.
    policy : file of the trained strategies, None if they did not play.
    values : file of the learned values, None if nobody used them (or could: early files lack it).
    played : with --resume, of each match the payoffs of each deal, by the seats of the player.
    """

    schema: int
    game: str
    version: str
    rules: RulesReport
    players: int
    player: str
    budget: str
    policy: str | None
    values: str | None = None
    deals: int
    seed: int
    confidence: float
    matches: list[MatchReport]
    played: list[list[list[float]]] | None = None


@dataclass(frozen=True)
class Table:
    """Who plays whom, and how much.

    Attributes
    ----------
    policy, values : files that players play by.
    search_time_s, search_iterations : of each search, the latter if there is no time.
    """

    rules: Rules
    num_players: int
    player: str
    against: tuple[str, ...]
    policy: Path | None
    values: Path | None
    search_time_s: float | None
    search_iterations: int
    deals: int
    seed: int

    def __post_init__(self) -> None:
        """Raise RequestError for players whose files are missing."""
        playing = {self.player, *self.against}
        if self.values is None and playing & {"guided", "values"}:
            raise RequestError("guided and values need --values, a file of raverun train")
        if self.policy is None and "trained" in playing:
            raise RequestError("the trained player needs --policy, a file of raverun-solve --save-policy")

    @property
    def budget(self) -> str:
        """What a search may spend, in words."""
        if not {self.player, *self.against} & set(SEARCHING):
            return "-"
        if self.search_time_s is None:
            return f"{self.search_iterations} iterations"
        return f"{self.search_time_s:g} s"

    def nothing_played(self) -> MatchesReport:
        """Return the report before the first deal."""
        return MatchesReport(
            schema=1,
            game="raverun",
            version=__version__,
            rules=rules_report(self.rules),
            players=self.num_players,
            player=self.player,
            budget=self.budget,
            policy=None if self.policy is None else self.policy.name,
            values=None if self.values is None else self.values.name,
            deals=self.deals,
            seed=self.seed,
            confidence=CONFIDENCE,
            matches=[],
        )


def kept_deals(path: Path, table: Table) -> list[list[list[float]]]:
    """Return the deals of each match kept in a file, none if there is no file yet.

    Raises
    ------
    RequestError
        If the file holds another match.
    """
    against, asked = table.against, table.nothing_played()
    if not path.exists() or path.stat().st_size == 0:
        return [[] for _ in against]
    try:
        held = msgspec.json.decode(path.read_bytes(), type=MatchesReport)
    except OSError as error:
        raise RequestError(f"cannot read {path}: {error.strerror}") from None
    except msgspec.MsgspecError as error:
        raise RequestError(f"{path} is no kept match ({error}); give another --output") from None
    names = [match.opponent for match in held.matches]
    played = held.played or []
    same = msgspec.structs.replace(held, deals=asked.deals, matches=[], played=None) == asked
    if not same or names != list(against[: len(names)]) or len(played) != len(names):
        raise RequestError(f"{path} holds a match with other options; give those, or another --output")
    if any(len(deals) > asked.deals for deals in played):
        raise RequestError(f"{path} has more deals than {asked.deals}")
    return [*played, *[[] for _ in against[len(names) :]]]


def play_all(
    table: Table,
    interrupt: Interrupt,
    begins: Callable[[str], None],
    earlier: list[list[list[float]]] | None = None,
    keep: Callable[[MatchesReport], None] | None = None,
    tell: Callable[[int], None] = lambda done: None,
) -> MatchesReport:
    """Play the matches; after an interrupt, those that there were time for.

    Parameters
    ----------
    begins : called with the opponent of each match.
    tell : called with the number of its deals that are finished.
    earlier : deals played before, by match; with them, even none, each further one goes to `keep` at once.

    Raises
    ------
    RequestError
        For files that cannot be used.
    """
    import numpy as np

    from analysis.raverun.approximate import match_report
    from solver.sampling import head_to_head
    from solver.sampling.policy import CompiledPolicy

    game, make = _players(table)
    report = table.nothing_played()
    for number, name in enumerate(table.against):
        begins(name)
        own, opp = make(table.player), make(name)
        deals = np.array(earlier[number] if earlier else []).reshape(-1, table.num_players)
        before = report
        # Deals that take long are counted one by one, from two on: one alone says nothing about chance.
        slow = earlier is not None or not (
            isinstance(own, CompiledPolicy) and isinstance(opp, CompiledPolicy)
        )

        def watch(done: int) -> bool:
            tell(done)
            return done > 1 and interrupt.requested

        while True:
            goal = min(max(len(deals) + 1, 2), table.deals) if slow else table.deals
            try:
                result = head_to_head.play_matches(
                    game,
                    own,
                    opp,
                    num_deals=goal,
                    seed=table.seed,
                    progress=watch,
                    played_before=deals,
                )
            except KeyboardInterrupt:
                return report
            deals = result.payoffs
            played = match_report(result)
            same_luck = table.search_time_s is None or not {table.player, name} & set(SEARCHING)
            if exact_by_symmetry((table.player, name), played.payoff.mean, 0.0, same_luck=same_luck):
                played = msgspec.structs.replace(played, payoff=without_interval(played.payoff))
            report = msgspec.structs.replace(before, matches=[*before.matches, played])
            if earlier is not None:
                kept = [*(before.played or []), deals.tolist()]
                report = msgspec.structs.replace(report, played=kept)
                if keep is not None:
                    keep(report)
            if interrupt.requested:
                return report
            if len(deals) >= table.deals:
                break
    return report


def _players(
    table: Table,
) -> tuple[SamplingTables, Callable[[str], CompiledPolicy | ChoosingPolicy]]:
    """Return the game, and who makes its players by name."""
    from analysis.raverun.policies import full_game, load_network, load_policy, opponent
    from solver.sampling.information_set_search import SearchSettings

    trained, network, recall = None, None, "summary"
    if table.policy is not None:
        with loading("--policy"):
            trained, recall = load_policy(table.policy, table.rules, table.num_players)
    if table.values is not None:
        with loading("--values"):
            network = load_network(table.values, table.rules, table.num_players)
    if recall == "perfect" and {table.player, *table.against} & set(SEARCHING):
        raise RequestError("search cannot play strategies trained with --recall perfect")
    if table.search_time_s is None:
        search = SearchSettings(iterations=table.search_iterations)
    else:
        search = SearchSettings(iterations=0, seconds=table.search_time_s)

    def make(name: str) -> CompiledPolicy | ChoosingPolicy:
        if name == "trained":
            assert trained is not None
            return replace(trained, name="trained")
        return opponent(name, table.rules, table.num_players, search, network)

    return full_game(table.rules, table.num_players, recall), make
