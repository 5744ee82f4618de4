"""Players of the whole game, as they are written on the command line: rules, searches, values, chance."""

from __future__ import annotations

from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from analysis.errors import RequestError
from engine.rulefiles import unknown
from engine.warage.styles import GREEDY, RULE_BASED, Style

if TYPE_CHECKING:
    from engine.warage.sampling import SamplingTables
    from solver.sampling.head_to_head import ChoosingPolicy
    from solver.sampling.policy import CompiledPolicy

STYLES = {"rules": RULE_BASED, "greedy": GREEDY}
LEARNED = ("values", "guided")
"""Players by learned values: one move ahead, and by a search among them."""
PLAYERS = (*STYLES, "search", *LEARNED, "random")
_EXPLORATION = 0.3
"""Of `guided`."""
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
    file : of learned values.
    data : what is in it, so that workers elsewhere need no file.
    """

    name: str
    style: Style = RULE_BASED
    iterations: int = ITERATIONS
    file: str = ""
    data: bytes = field(default=b"", repr=False)

    @property
    def by_rules(self) -> bool:
        """Whether rules alone say what he does."""
        return self.name in STYLES

    @property
    def learned(self) -> bool:
        """Whether he plays by learned values."""
        return self.name in LEARNED

    @property
    def searches(self) -> bool:
        """Whether each of his moves takes long."""
        return self.name in ("search", "guided")

    @property
    def key(self) -> list[Any]:
        """What tells him from others, as JSON has it."""
        told = [self.name, list(self.style), self.iterations]
        return [*told, sha256(self.data).hexdigest()] if self.learned else told

    @property
    def settings(self) -> dict[str, int]:
        """The numbers that set it."""
        if self.name in ("random", "values"):
            return {}
        if self.name == "guided":
            return {"iterations": self.iterations}
        own = {} if self.by_rules else {"iterations": self.iterations}
        return own | self.style._asdict()


def parse_player(text: str, option: str = "--player") -> Player:
    """Read `greedy`, `rules:life_below=10,reserve=5`, `search:iterations=500`, `values:FILE`, or
    `guided:FILE,iterations=500`. Without FILE values are those that are carried.

    Raises
    ------
    RequestError
        If there is no such player, or setting, or no such file.
    """
    name, _, tail = text.partition(":")
    name = name.strip()
    if name not in PLAYERS:
        raise RequestError(f"{name!r}: {unknown('player', name, PLAYERS)}; {', '.join(PLAYERS)}", option)
    if name in LEARNED:
        return _by_values(name, tail.strip(), option)
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


def _by_values(name: str, tail: str, option: str) -> Player:
    file, said, number = tail, "", ""
    if name == "guided" and "iterations=" in tail:
        file, said, number = tail.rpartition("iterations=")
        file = file.removesuffix(",")
    if said and (not number.isdigit() or not 1 <= int(number) <= _MOST):
        raise RequestError(f"'iterations={number}': write iterations=NUMBER, 1 to {_MOST}", option)
    path = Path(file) if file else carried_path()
    try:
        data = path.read_bytes()
    except OSError as error:
        raise RequestError(f"cannot read {path}: {error.strerror}", option) from None
    return Player(name, iterations=int(number or ITERATIONS), file=str(path), data=data)


def carried_path() -> Path:
    """Return where the values of the illustrative cards lie."""
    import results

    return Path(results.__file__).parent / "warage" / "values.npz"


def policy_of(player: Player, game: SamplingTables, place: int) -> CompiledPolicy | ChoosingPolicy:
    """Return a player's policy in a game whose style at this place, 0 or 1, is his.

    Learned values want a game with pauses (`sampling_tables`).
    """
    from engine.warage.sampling import first_style, second_style
    from solver.sampling.information_set_search import SearchSettings
    from solver.sampling.policy import function_policy, uniform_policy
    from solver.sampling.rollouts import RolloutSearch

    if player.name == "random":
        return uniform_policy()
    if player.learned:
        from analysis.warage.learned import network_of
        from solver.sampling.guided_search import GuidedSearch
        from solver.sampling.value_policy import network_policy

        network = network_of(player).network
        if player.name == "values":
            return network_policy(game, network)
        return GuidedSearch(game, network, SearchSettings(player.iterations, exploration=_EXPLORATION))
    by_style = function_policy(player.name, second_style if place else first_style)
    if player.by_rules:
        return by_style
    return RolloutSearch(game, by_style, SearchSettings(player.iterations), "search")
