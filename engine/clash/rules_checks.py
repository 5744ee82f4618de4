"""What is wrong between values of a rules file that are each allowed on their own."""

from collections.abc import Iterator, Sequence

from engine.clash.rules_schema import (
    DIRECTIONS,
    ELVES,
    LAYOUTS,
    LEVELS,
    MAX_CARD_COPIES,
    MAX_CLANS,
    MAX_EQUIPMENT,
    MAX_LEGENDARY,
    MAX_PLAYERS,
    NUM_TYPES,
    SPACES,
    TILE_SIZE,
    TILES,
)
from engine.rulefiles import MISSING, Problem, canonical_id
from engine.rulelayers import Draft, Leaf

FLOWER = ((0, 0), *DIRECTIONS)
"""Where the territories of a tile lie, from its centre."""


def contradictions(draft: Draft) -> Iterator[Problem]:
    """Yield what is wrong: numbers that do not add up, tactic cards, tiles and layouts that cannot be."""
    yield from _clans(draft)
    yield from _figures(draft)
    yield from _cards(draft)
    yield from _elves(draft)
    yield from _tactics(draft)
    for tile in TILES:
        yield from _tile(draft, tile)
    for layout in LAYOUTS:
        yield from _layout(draft, layout)
    yield from _hit(draft)
    units = [f"clans.{clan}.units" for clan in draft.entries["clans"]]
    for tables in (["clans"], ["elves"], ["equipment", "legendary"], *([table] for table in units)):
        yield from _names(draft, tables)


def unit_tables(draft: Draft) -> list[str]:
    """The table of every unit type."""
    return [
        f"{table}.{unit}"
        for table, units in draft.entries.items()
        if table.endswith(".units")
        for unit in units
    ]


def _clans(draft: Draft) -> Iterator[Problem]:
    """One unit type of each level (C2)."""
    for clan, file in draft.entries["clans"].items():
        table = f"clans.{clan}.units"
        units = draft.entries.get(table, {})
        levels = [draft.leaves[f"{table}.{unit}.level"] for unit in units]
        if sorted(level.value for level in levels) != list(range(1, NUM_TYPES + 1)):
            found = ", ".join(str(level.value) for level in levels)
            reason = f"{len(units)} unit types, of levels {found or 'none'}"
            where = draft.files(levels) or file
            yield Problem(where, table, "", MISSING, reason, "one unit type of each level, 1, 2 and 3")
    if len(draft.entries["clans"]) > MAX_CLANS:
        yield _too_many(draft, "clans", MAX_CLANS)


def _hit(draft: Draft) -> Iterator[Problem]:
    """A die hits sometimes, and not always (C5)."""
    hit = draft.leaves["battle.hit"]
    faces, sides = map(int, hit.value.split("/"))
    if faces >= sides:
        reason = f"{faces} faces of {sides}"
        yield Problem(hit.file, "battle", "hit", hit.value, reason, "a fraction below 1")


def _figures(draft: Draft) -> Iterator[Problem]:
    """Figures over all clans (C1)."""
    for level, word in enumerate(LEVELS, 1):
        tables = [table for table in unit_tables(draft) if draft.leaves[f"{table}.level"].value == level]
        counted = [draft.leaves[f"{table}.max"] for table in tables]
        levels = [draft.leaves[f"{table}.level"] for table in unit_tables(draft)]
        yield from _total(draft, counted, f"figures.{word}", f"units of level {level}: figures", levels)


def _cards(draft: Draft) -> Iterator[Problem]:
    """Equipment and legendary cards by space (C4)."""
    spaces = {card: draft.leaves[f"equipment.{card}.space"] for card in draft.entries["equipment"]}
    legendary = [draft.leaves[f"legendary.{card}.space"] for card in draft.entries["legendary"]]
    for space in SPACES:
        copies = [
            draft.leaves[f"equipment.{card}.copies"] for card, leaf in spaces.items() if leaf.value == space
        ]
        what = f"{space}s in the market deck: copies"
        yield from _total(draft, copies, f"{space}s", what, list(spaces.values()))
        counted = [leaf._replace(value=int(leaf.value == space)) for leaf in legendary]
        yield from _total(draft, counted, f"legendary_{space}s", f"legendary {space}s")
    if len(draft.entries["equipment"]) > MAX_EQUIPMENT:
        yield _too_many(draft, "equipment", MAX_EQUIPMENT)
    if len(draft.entries["legendary"]) > MAX_LEGENDARY:
        yield _too_many(draft, "legendary", MAX_LEGENDARY)
    both = [draft.leaves[f"components.{space}s"] for space in SPACES]
    if sum(leaf.value for leaf in both) > MAX_CARD_COPIES:
        reason = f"{' and '.join(str(leaf.value) for leaf in both)} equipment cards"
        allowed = f"at most {MAX_CARD_COPIES} in all"
        yield Problem(draft.files(both), "components", "weapons", both[0].value, reason, allowed)


def _total(
    draft: Draft, counted: Sequence[Leaf], key: str, what: str, involved: Sequence[Leaf] = ()
) -> Iterator[Problem]:
    """Whether counts add up to what lies in the box; `involved` are values that decide what is counted.

    The box's own total follows what is changed, and is then named among the changes; one that a file or an
    override states itself has to be right.
    """
    stated = draft.leaves[f"components.{key}"]
    total = sum(leaf.value for leaf in counted)
    if total == stated.value:
        return
    changed = [leaf.file for leaf in (*counted, *involved) if leaf.file != draft.base]
    if stated.file == draft.base and changed:
        draft.leaves[f"components.{key}"] = stated._replace(value=total, file=changed[-1])
    else:
        file = draft.files([*counted, *involved, stated])
        reason = f"{what} add up to {total}"
        yield Problem(
            file, "components", key, stated.value, reason, f"{key} = {total}, or counts that add up"
        )


def _too_many(draft: Draft, table: str, most: int) -> Problem:
    entries = draft.entries[table]
    return Problem(
        list(entries.values())[-1], table, "", MISSING, f"too many: {len(entries)}", f"at most {most}"
    )


def _elves(draft: Draft) -> Iterator[Problem]:
    """Enough tokens for every city and forge (U2)."""
    sites = [draft.leaves["match.city_elves"], draft.leaves["match.forge_elves"]]
    tokens = [draft.leaves[f"elves.{elf}.tokens"] for elf in ELVES]
    needed, there = MAX_PLAYERS * sum(leaf.value for leaf in sites), sum(leaf.value for leaf in tokens)
    if needed > there:
        file = draft.files([*sites, *tokens])
        reason = f"{MAX_PLAYERS} tiles need {needed} elves, and there are {there}"
        yield Problem(
            file, "match", "city_elves", sites[0].value, reason, f"at most {there // MAX_PLAYERS} a tile"
        )


def _tactics(draft: Draft) -> Iterator[Problem]:
    """Cards for every clan, of distinct orders (T1)."""
    for clan in draft.entries["clans"]:
        if clan not in draft.entries["tactics"]:
            file = draft.entries["clans"][clan]
            yield Problem(
                file, f"tactics.{clan}", "cards", MISSING, "is missing, and the clan needs it", "7 cards"
            )
    owner: dict[int, str] = {}
    for clan, file in draft.entries["tactics"].items():
        if clan not in draft.entries["clans"]:
            allowed = ", ".join(draft.entries["clans"])
            yield Problem(file, f"tactics.{clan}", "", MISSING, "there is no such clan", allowed)
        leaf = draft.leaves[f"tactics.{clan}.cards"]
        orders = [card[0] for card in leaf.value]
        for order in orders:
            other = owner.setdefault(order, clan)
            if other != clan or orders.count(order) > 1:
                # Of the two clans, the one whose cards are not as in the box is at fault.
                wrong = other if leaf.file == draft.base else clan
                cards = draft.leaves[f"tactics.{wrong}.cards"]
                reason = f"order {order} stands on another card, of {clan if wrong == other else other}"
                allowed = "an order of its own for each card"
                yield Problem(cards.file, f"tactics.{wrong}", "cards", cards.value, reason, allowed)
                break


def _tile(draft: Draft, tile: str) -> Iterator[Problem]:
    """One city, one forge, one stone, and mountains between neighbours (C6)."""
    places = [draft.leaves[f"tiles.{tile}.{key}"] for key in ("city", "forge", "stone")]
    if len({leaf.value for leaf in places}) < len(places):
        reason = "city, forge and stone lie in territories " + ", ".join(str(leaf.value) for leaf in places)
        yield Problem(
            draft.files(places), f"tiles.{tile}", "city", places[0].value, reason, "three territories"
        )
    mountains = draft.leaves[f"tiles.{tile}.mountains"]
    for one, other in mountains.value:
        if not adjacent(FLOWER[one], FLOWER[other]):
            reason = f"territories {one} and {other} are no neighbours"
            allowed = "0 and any other, or two of 1 to 6 that follow each other"
            yield Problem(mountains.file, f"tiles.{tile}", "mountains", mountains.value, reason, allowed)
            break


def _layout(draft: Draft, layout: str) -> Iterator[Problem]:
    leaf = draft.leaves[f"layouts.{layout}.centres"]
    reason = layout_problem(leaf.value)
    if len(leaf.value) != LAYOUTS.index(layout) + 2:
        reason = f"{len(leaf.value)} tiles"
    if reason:
        allowed = f"{layout} tiles that touch without overlapping"
        yield Problem(leaf.file, f"layouts.{layout}", "centres", leaf.value, reason, allowed)


def layout_problem(centres: Sequence[Sequence[int]]) -> str:
    """Why tiles cannot lie so (U1); empty if they can: they touch and do not overlap."""
    tiles = [{(q + dq, r + dr) for dq, dr in FLOWER} for q, r in centres]
    hexes = set().union(*tiles)
    if len(hexes) < TILE_SIZE * len(tiles):
        return "tiles overlap"
    reached, grown = tiles[0], set[tuple[int, int]]()
    while reached != grown:
        grown = reached
        reached = reached.union(*(tile for tile in tiles if any(adjacent(a, b) for a in tile for b in grown)))
    return "" if reached == hexes else "tiles lie apart"


def adjacent(one: Sequence[int], other: Sequence[int]) -> bool:
    """Whether two hexes are neighbours."""
    return (other[0] - one[0], other[1] - one[1]) in DIRECTIONS


def _names(draft: Draft, tables: Sequence[str]) -> Iterator[Problem]:
    """Two entries must not answer to one name: they are looked up by id and by name."""
    entries = {table: draft.entries.get(table, {}) for table in tables}
    owner = {entry: f"{table}.{entry}" for table in reversed(tables) for entry in entries[table]}
    for table in tables:
        for entry in entries[table]:
            path = f"{table}.{entry}"
            if owner[entry] != path:
                # Of the two, the one that is not in the box is at fault.
                first, file = tables[0], entries[table][entry]
                if file == draft.base:
                    path, file = f"{first}.{entry}", entries[first][entry]
                reason = f"{first} and {table} have the same id"
                yield Problem(file, path, "", MISSING, reason, "an id of its own")
                continue
            name = draft.leaves[f"{path}.name"]
            other = owner.setdefault(name_id(name.value), path)
            if other != path:
                # Of the two, the one that is not as in the box is at fault.
                if name.file == draft.base:
                    path, other = other, path
                    name = draft.leaves[f"{path}.name"]
                reason = f"[{other}] answers to this name already"
                yield Problem(name.file, path, "name", name.value, reason, "a name of its own")


def name_id(name: str) -> str:
    """Spell a name as an id: `Shaman's Wand` -> `shamans-wand`."""
    return canonical_id(name.replace("'", "").replace("’", ""))
