"""The map of Clash of Rage: territories, who is next to whom, where Bastions can stand (C6, U1, U5)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from engine.clash.rules import Rules
from engine.clash.rules_checks import FLOWER, adjacent, layout_problem
from engine.clash.rules_schema import DIFFICULTIES, DIRECTIONS, LAYOUTS, MAX_PLAYERS, TILE_SIZE

Hex = tuple[int, int]


@dataclass(frozen=True)
class Scenario:
    """Who plays on what map; `scenario` builds one and says what is wrong.

    Attributes
    ----------
    clans : ids in the order of seats, clockwise (U4).
    tiles : ids of the tiles' sides, and `centres` where they lie, axial (U1).
    difficulty : of solo play (X1), None for more players.
    long_game : whether to play for more points (V1).
    """

    clans: tuple[str, ...]
    tiles: tuple[str, ...]
    centres: tuple[Hex, ...]
    difficulty: str | None = None
    long_game: bool = False


@dataclass(frozen=True)
class Board:
    """The map of a scenario. Territory `TILE_SIZE * tile + local` comes with each tile in turn.

    Attributes
    ----------
    hexes : of each territory, axial.
    neighbours : of each territory, ascending, whether mountains lie between or not (M4).
    open : those of them that no mountains part from it (M1).
    cities, forges : territories, ascending.
    stones : territory and level of each, by territory.
    spots : hexes where a Bastion can stand (U5).
    spot_neighbours : the territories next to each spot.
    """

    hexes: tuple[Hex, ...]
    neighbours: tuple[tuple[int, ...], ...]
    open: tuple[tuple[int, ...], ...]
    cities: tuple[int, ...]
    forges: tuple[int, ...]
    stones: tuple[tuple[int, int], ...]
    spots: tuple[Hex, ...]
    spot_neighbours: tuple[tuple[int, ...], ...]

    @property
    def num_territories(self) -> int:
        """Territories; a player's Bastion is the place after the last."""
        return len(self.hexes)


def scenario(
    rules: Rules,
    clans: Sequence[str],
    *,
    tiles: Sequence[str] = (),
    centres: Sequence[Hex] = (),
    difficulty: str | None = None,
    long_game: bool = False,
) -> Scenario:
    """A way to play: as many tiles as players, two in solo play (U1, X1).

    Parameters
    ----------
    clans : one for solo play, else two to four; names as `Rules.clan` takes them.
    tiles, centres : by default the first sides of the first tiles, in the layout of that number.
    difficulty : for solo play only.

    Raises
    ------
    ValueError
        For what cannot be played; UnknownNameError for what there is not.
    """
    if not 1 <= len(clans) <= MAX_PLAYERS:
        raise ValueError(f"Clash of Rage is for 1 to {MAX_PLAYERS} players, not {len(clans)}")
    ids = tuple(rules.clan(clan).id for clan in clans)
    if len(set(ids)) < len(ids):
        raise ValueError(f"each clan can be played once: {', '.join(ids)}")
    if len(ids) == 1 and difficulty not in DIFFICULTIES:
        raise ValueError(f"solo play needs a difficulty: {', '.join(DIFFICULTIES)}, not {difficulty}")
    if len(ids) > 1 and difficulty is not None:
        raise ValueError("a difficulty is for solo play only")
    num_tiles = max(2, len(ids))
    sides = tuple(rules.tile(tile).id for tile in tiles) or tuple(
        f"{number}a" for number in range(1, num_tiles + 1)
    )
    if len(sides) != num_tiles or len({side[:-1] for side in sides}) < num_tiles:
        raise ValueError(f"{len(ids)} players need {num_tiles} different tiles, not {', '.join(sides)}")
    places = tuple((q, r) for q, r in centres) or rules.layouts[num_tiles - 2]
    if len(places) != num_tiles or layout_problem(places):
        raise ValueError(f"tiles at {list(places)}: {layout_problem(places) or f'{len(places)} places'}")
    return Scenario(ids, sides, places, difficulty, long_game)


@lru_cache(maxsize=64)
def board_of(rules: Rules, chosen: Scenario) -> Board:
    """The map of a scenario."""
    tiles = [rules.tile(tile) for tile in chosen.tiles]
    hexes = tuple((q + dq, r + dr) for q, r in chosen.centres for dq, dr in FLOWER)
    mountains = {
        frozenset((TILE_SIZE * index + one, TILE_SIZE * index + other))
        for index, tile in enumerate(tiles)
        for one, other in tile.mountains
    }
    neighbours = tuple(
        tuple(index for index, other in enumerate(hexes) if adjacent(place, other)) for place in hexes
    )
    around = {(q + dq, r + dr) for q, r in hexes for dq, dr in DIRECTIONS} - set(hexes)
    beside = {
        spot: tuple(index for index, place in enumerate(hexes) if adjacent(spot, place)) for spot in around
    }
    spots = tuple(sorted(spot for spot in around if len(beside[spot]) >= 2))
    return Board(
        hexes=hexes,
        neighbours=neighbours,
        open=tuple(
            tuple(other for other in others if frozenset((place, other)) not in mountains)
            for place, others in enumerate(neighbours)
        ),
        cities=tuple(TILE_SIZE * index + tile.city for index, tile in enumerate(tiles)),
        forges=tuple(TILE_SIZE * index + tile.forge for index, tile in enumerate(tiles)),
        stones=tuple((TILE_SIZE * index + tile.stone, tile.stone_level) for index, tile in enumerate(tiles)),
        spots=spots,
        spot_neighbours=tuple(beside[spot] for spot in spots),
    )


assert len(LAYOUTS) == MAX_PLAYERS - 1
