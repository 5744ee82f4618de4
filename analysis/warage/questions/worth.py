"""``worth``: the price of points and cards in a race, by the rounds left."""

from __future__ import annotations

import msgspec

from analysis.front.bundles import RulesFiles
from analysis.front.page import Cell, Column, Curve, Fact, Facts, Format, Page, Section, Table
from analysis.front.question import Amount, Answer, Question
from analysis.warage.positions import Heroes, Race, Season

__all__ = ["QUESTION", "WorthAnswer", "WorthPoint", "WorthRow"]

_COLUMNS = 6


class Worth(msgspec.Struct, frozen=True, kw_only=True):
    """In which race points and cards are priced."""

    heroes: Heroes = Heroes()
    race: Race = Race()
    season: Season = "summer"
    rules: RulesFiles = RulesFiles()


class WorthPoint(msgspec.Struct, frozen=True):
    """What one thing is worth with so many rounds left.

    Attributes
    ----------
    win : the gain of the chance to win.
    hp : as many HP of the hero are worth as much; None where more than the hero has.
    """

    rounds_left: int
    win: float
    hp: float | None


class WorthRow(msgspec.Struct, frozen=True):
    """What a point, or a card, is worth by the rounds left.

    Attributes
    ----------
    cost : of the card; None for a point.
    break_even : the fewest rounds left from which on it is worth its cost; None if it never is, or a point.
    verdict : `under` or `over` priced at the beginning, or `fair` within half a HP; empty for a point.
    """

    name: str
    cost: int | None
    points: list[WorthPoint]
    break_even: int | None
    verdict: str


class WorthAnswer(Answer, frozen=True, kw_only=True):
    """What points and cards are worth to the first hero of a race, before its own rounds."""

    heroes: list[str]
    hp: list[int]
    season: str
    base: list[WorthPoint]
    prices: list[WorthRow]
    left_out: list[str]


def _amounts(found: WorthAnswer) -> list[Amount]:
    return [
        Amount("win", "the first hero wins", found.base[0].win, "share"),
        *(Amount(row.name, f"{row.name}, in HP", row.points[0].hp) for row in found.prices[1:]),
    ]


def _places(found: WorthAnswer) -> list[int]:
    """Places of the rounds left that the first tables show: the most, the fewest, and some between."""
    count = len(found.base)
    if count <= _COLUMNS:
        return list(range(count))
    return sorted({round(place * (count - 1) / (_COLUMNS - 1)) for place in range(_COLUMNS)})


def _page(found: WorthAnswer) -> Page:
    places = _places(found)
    rounds = [found.base[place].rounds_left for place in places]
    facts = [
        Fact("hero", "first hero", f"{found.heroes[0]}, {found.hp[0]} HP"),
        Fact("other", "other hero", f"{found.heroes[1]}, {found.hp[1]} HP"),
        Fact("season", "season", found.season),
    ]
    cards = [row for row in found.prices if row.cost is not None]
    points = [row for row in found.prices[1:] if row.cost is None]
    heads = [Column("name", "rounds left"), *(Column(str(each), str(each), "row", 2) for each in rounds)]
    rows: list[list[Cell]] = [
        ["the first hero wins, in %", *(found.base[place].win for place in places)],
        ["1 HP more, in points of that", *(found.prices[0].points[place].win for place in places)],
        *([f"{row.name}, in HP", *_hp(row, places)] for row in points),
    ]
    in_hp: Format = "number"
    kinds: list[Format] = ["share", "gain", *[in_hp] * len(points)]
    sections: list[Section] = [Facts(facts), Table(heads, rows, "What a point is worth", kinds=kinds)]
    if cards:
        card = [Column("card", "card"), Column("cost", "cost", "count")]
        card += [Column(str(each), str(each), "number", 1) for each in rounds]
        card += [Column("even", "even", "count"), Column("priced", "priced")]
        priced: list[list[Cell]] = [
            [row.name, row.cost, *_hp(row, places), row.break_even, row.verdict] for row in cards
        ]
        sections.append(Table(card, priced, "A card is worth, in HP, with so many rounds left"))
    data = _all(found)
    sections += [_curve(found), data]
    notes = [
        "even: rounds left from which on the card is worth its cost. A dash: more than is measured, for a"
        " card more than the HP that the hero has. priced: under or over its worth, with all rounds left."
    ]
    if found.left_out:
        names = ", ".join(found.left_out)
        notes.append(f"Left out of the season deck: {names}; --special-seasons with takes them in.")
    return Page(
        headline=_headline(cards, found.heroes[0]),
        sections=sections,
        notes=notes,
        method=["Exact but for rounding; between whole HP values are taken as straight."],
        details=len(sections) - 2,
        data=data,
    )


def _hp(row: WorthRow, places: list[int]) -> list[Cell]:
    return [row.points[place].hp for place in places]


def _headline(cards: list[WorthRow], hero: str) -> str:
    if not cards:
        return f"{hero} has no card in play that could be priced."
    said = {
        "under": "costs less than it is worth",
        "over": "costs more than it is worth",
        "fair": "has its price",
    }
    return f"{'; '.join(f'{row.name} {said[row.verdict]}' for row in cards)}."


def _curve(found: WorthAnswer) -> Curve:
    return Curve(
        title="What a point, and a card, is worth in HP",
        x="rounds left",
        y="HP",
        kind="number",
        points=[float(point.rounds_left) for point in found.base],
        series={row.name: [point.hp for point in row.points] for row in found.prices[1:]},
    )


def _all(found: WorthAnswer) -> Table:
    columns = [
        Column("name", "name"),
        Column("cost", "cost", "count"),
        Column("break_even", "even", "count"),
        Column("priced", "priced"),
        Column("rounds_left", "rounds left", "count"),
        Column("win", "gain", "gain", 2),
        Column("hp", "HP", "number", 1),
    ]
    rows: list[list[Cell]] = [
        [row.name, row.cost, row.break_even, row.verdict, point.rounds_left, point.win, point.hp]
        for row in found.prices
        for point in row.points
    ]
    return Table(columns, rows, "With any number of rounds left")


QUESTION = Question(
    name="worth",
    about="Price a point and each card in a race, by the rounds left. They are worth so many HP.",
    asked=Worth,
    answers=WorthAnswer,
    function="analysis.warage.worth:answer",
    page=_page,
    exactness="exact",
    amounts=_amounts,
    examples=(
        "worth orc/warrior:great-sword,wolf-fang human/paladin:war-axe,lunar-shield",
        "worth human/mage:bone-collar,fireball elf/mage:fireball --hp 60 --other-hp 60 --season winter",
        "worth orc/warrior:war-axe elf/mage:fireball --set cards.war-axe.cost=9 --format csv",
    ),
)
