"""Players of the whole game, as they are written on the command line: by rules, by search, at random."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from analysis.errors import RequestError
from engine.rulefiles import unknown
from engine.warage.styles import GREEDY, RULE_BASED, Style

if TYPE_CHECKING:
    from engine.warage.sampling import SamplingTables
    from solver.sampling.head_to_head import ChoosingPolicy
    from solver.sampling.policy import CompiledPolicy

STYLES = {"rules": RULE_BASED, "greedy": GREEDY}
PLAYERS = (*STYLES, "search", "random")
_MOST = 10_000_000
ITERATIONS = 200


@dataclass(frozen=True)
class Player:
    """How somebody plays.

    Attributes
    ----------
    name : one of `PLAYERS`.
    style : of those who play by rules; a search plays its playouts by it.
    iterations : playouts for each decision of a search.
    """

    name: str
    style: Style = RULE_BASED
    iterations: int = ITERATIONS

    @property
    def by_rules(self) -> bool:
        """Whether rules alone say what he does."""
        return self.name in STYLES

    @property
    def settings(self) -> dict[str, int]:
        """The numbers that set it."""
        if self.name == "random":
            return {}
        own = {} if self.by_rules else {"iterations": self.iterations}
        return own | self.style._asdict()


def parse_player(text: str, option: str = "--player") -> Player:
    """Read `greedy`, `rules:life_below=10,reserve=5`, or `search:iterations=500`.

    Raises
    ------
    RequestError
        If there is no such player, or setting.
    """
    name, _, tail = text.partition(":")
    name = name.strip()
    if name not in PLAYERS:
        raise RequestError(f"{name!r}: {unknown('player', name, PLAYERS)}; {', '.join(PLAYERS)}", option)
    player = Player(name, STYLES.get(name, RULE_BASED))
    known = list(player.settings)
    changed = {}
    for word in (word for word in tail.split(",") if word.strip()):
        key, equals, value = (part.strip() for part in word.partition("="))
        if key not in known:
            reason = unknown("setting", key, known)
            raise RequestError(f"{key!r}: {reason}; {', '.join(known) or 'there are none'}", option)
        least = int(key == "iterations")
        if not equals or not value.isdigit() or not least <= int(value) <= _MOST:
            raise RequestError(f"{word.strip()!r}: write {key}=NUMBER, {least} to {_MOST}", option)
        changed[key] = int(value)
    iterations = changed.pop("iterations", ITERATIONS)
    return Player(name, player.style._replace(**changed), iterations)


def policy_of(player: Player, game: SamplingTables, place: int) -> CompiledPolicy | ChoosingPolicy:
    """Return a player's policy in a game whose style at this place, 0 or 1, is his."""
    from engine.warage.sampling import first_style, second_style
    from solver.sampling.information_set_search import SearchSettings
    from solver.sampling.policy import function_policy, uniform_policy
    from solver.sampling.rollouts import RolloutSearch

    if player.name == "random":
        return uniform_policy()
    by_style = function_policy(player.name, second_style if place else first_style)
    if player.by_rules:
        return by_style
    return RolloutSearch(game, by_style, SearchSettings(player.iterations), "search")
