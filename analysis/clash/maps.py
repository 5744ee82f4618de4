"""On which tiles whole games are played (U1): by chance for each deal, the first sides, or named ones.

The tiles lie in the layout that the rules file has for their number.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Literal

import msgspec

from analysis.errors import RequestError
from engine.clash.rules import Rules, UnknownNameError

Tiles = tuple[str, ...] | None
"""Sides in the order of the layout; none of them for the first sides, None for chance."""
CHANCE, FIRST = "chance", "first"
_SAID = 3


class MapReport(msgspec.Struct, frozen=True):
    """On which tiles games were played.

    Attributes
    ----------
    choice : by chance for each deal, the first side of the first tiles, or as they were given.
    tiles : sides in the order of the layout, of each deal in turn; of the only map, unless it was by chance.
    centres : where they lie, axial.
    """

    choice: Literal["chance", "first", "given"]
    tiles: list[list[str]]
    centres: list[tuple[int, int]]


def read_tiles(rules: Rules, text: str | None) -> Tiles:
    """Read ``chance``, ``first`` or sides of tiles such as ``2a,5b``.

    Raises
    ------
    RequestError
        For a side that there is not.
    """
    wanted = CHANCE if text is None else text.strip().casefold()
    if wanted == CHANCE:
        return None
    if wanted == FIRST:
        return ()
    try:
        return tuple(rules.tile(part).id for part in wanted.split(","))
    except UnknownNameError as error:
        raise RequestError(f"{error}; or say {CHANCE} or {FIRST}", "--tiles") from None


def check_tiles(tiles: Tiles, num_players: int) -> None:
    """Raise RequestError if that many players do not need that many different tiles (U1, X1)."""
    needed = num_tiles(num_players)
    if tiles and (len(tiles) != needed or len({side[:-1] for side in tiles}) < needed):
        players = "one player needs" if num_players == 1 else f"{num_players} players need"
        raise RequestError(f"{players} {needed} different tiles, not {', '.join(tiles)}", "--tiles")


def num_tiles(num_players: int) -> int:
    """Return how many tiles so many players need (U1, X1)."""
    return max(2, num_players)


def tiles_of_deal(rules: Rules, tiles: Tiles, num_players: int, seed: int, deal: int) -> tuple[str, ...]:
    """Return the tiles of a deal, as `engine.clash.board.scenario` takes them."""
    if tiles is not None:
        return tiles
    chance = random.Random(f"{seed}/{deal}/tiles")
    by_number: dict[str, list[str]] = {}
    for tile in rules.tiles:
        by_number.setdefault(tile.id[:-1], []).append(tile.id)
    numbers = chance.sample(sorted(by_number), num_tiles(num_players))
    return tuple(chance.choice(by_number[number]) for number in numbers)


def map_report(
    tiles: Tiles, maps: Sequence[tuple[str, ...]], centres: Sequence[tuple[int, int]]
) -> MapReport:
    """Return what an answer says of its maps, those of its deals in turn."""
    found = [list(each) for each in maps] if tiles is None else [list(maps[0])]
    choice: Literal["chance", "first", "given"] = "chance" if tiles is None else "given" if tiles else "first"
    return MapReport(choice, found, list(centres))


def map_text(report: MapReport, each: str = "deal") -> str:
    """Return on which tiles games were played, as a sentence; `each` is what chance dealt a map for."""
    if report.choice != CHANCE:
        which = "the first sides" if report.choice == FIRST else "as given"
        return f"Tiles: {' '.join(report.tiles[0])}, {which}."
    different = sorted({tuple(each) for each in report.tiles})
    said = "; ".join(" ".join(each) for each in different[:_SAID])
    more = ", ..." if len(different) > _SAID else ""
    return f"Tiles: by chance for each {each}, {len(different)} maps ({said}{more}); --tiles names one map."
