"""Is an entry of the rules, such as a card or a unit, too strong? What a game says, and what follows from it.

A game measures an entry with and without it by equal deals; here stand the statistics, the entries that are
most like it, and the words, which are the same for all games.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any

import msgspec

from analysis.errors import RequestError
from analysis.estimates import Estimate, difference, estimate, excludes_zero
from analysis.front.kinds import Named, Pick
from analysis.front.page import Cell, Column, Fact, Facts, Format, Page, Section, Table
from analysis.front.parameters import Bundle, param
from analysis.front.question import Amount, Answer, Question, Running, imported
from engine.rulefiles import Schema

__all__ = [
    "EntryAnswer",
    "EntryKind",
    "EntryWorth",
    "Only",
    "Tried",
    "Usage",
    "entries_answer",
    "entries_of",
    "with_only",
]

NEIGHBOURS = 3
THREE_POINTS = 0.03


class Only(Bundle, frozen=True, kw_only=True):
    """Which entry is asked about."""

    only: (
        Annotated[
            str,
            param(
                "Ask whether this card, unit or the like is too strong.",
                kind=Pick("entries"),
            ),
        ]
        | None
    ) = None


class Usage(msgspec.Struct, frozen=True):
    """How often an entry is used.

    Attributes
    ----------
    player : who plays, and `word` what it does with it, such as played.
    plays : that were watched and in which it could have been used; `in_plays` those in which it was.
    times : a play, on average.
    """

    player: str
    word: str
    plays: int
    in_plays: int
    times: float


@dataclass(frozen=True)
class Tried:
    """What a game measured of an entry.

    Attributes
    ----------
    with_it, without : by deal, what its side won with it, and without it; empty if it cannot be taken out.
    how : a sentence about what these are, or why there are none.
    more : further figures: a head and a number, each.
    """

    with_it: Sequence[float]
    without: Sequence[float]
    how: str
    usage: Usage | None = None
    more: Sequence[Fact] = ()


@dataclass(frozen=True)
class EntryKind:
    """A kind of entries that can be asked about.

    Attributes
    ----------
    table : of the rules files, as `engine.rulefiles.Schema.kinds` has it.
    tried : (rules, what is asked, ids, running) -> `Tried` by id; or where it is, ``module:function``.
    price : the value that is its price, and `unit` what that counts; both empty if there is none.
    deal : what one observation is called.
    able : rules -> ids that can be measured; all if it is not said.
    measure : as of a game, where what it is worth is counted otherwise.
    called : the value that tells people which it is, beside its id where that is no name.
    """

    table: str
    tried: str | Callable[[Any, Any, Sequence[str], Running], Mapping[str, Tried]]
    price: str = ""
    unit: str = ""
    deal: str = "deals"
    able: str | Callable[[Any], Collection[str]] | None = None
    measure: str = ""
    called: str = "name"

    def name(self, id_: str, values: Mapping[str, Any]) -> str:
        """Return what to call an entry."""
        said = str(values.get(self.called, id_))
        return said if self.called == "name" else f"{id_}, {said}"


class EntryWorth(msgspec.Struct, frozen=True):
    """An entry with and without it.

    Attributes
    ----------
    likeness : to the one that is asked about: the share of values that are equal, 1 for itself.
    worth : with it less without it, deal by deal.
    apart : what the one that is asked about is worth more than this, deal by deal where both have as many.
    """

    entry: str
    name: str
    price: float | None
    likeness: float
    with_it: Estimate
    without: Estimate
    worth: Estimate
    apart: Estimate | None
    usage: Usage | None


class EntryAnswer(Answer, frozen=True, kw_only=True):
    """Whether an entry is too strong, or all entries of a kind.

    Attributes
    ----------
    only : the one that is asked about; None if all are.
    entries : it first, then those most like it; or all, the best first.
    enough : observations of which the interval of its worth is three points to either side; None if unknown.
    """

    only: str | None
    kind: str
    unit: str
    deal: str
    measure: str
    how: str
    entries: list[EntryWorth]
    enough: int | None
    more: list[Fact]


def entries_of(game: Any, rules: Any) -> list[Named]:
    """Return the entries that can be asked about, as a list to choose from."""
    tables = rules.tables()
    found: dict[str, Named] = {}
    for kind in game.entries.values():
        for table, values in _tables(tables, kind).items():
            id_ = table.rpartition(".")[2]
            found.setdefault(id_, Named(id_, kind.name(id_, values)))
    return list(found.values())


def _tables(tables: Mapping[str, Any], kind: EntryKind) -> dict[str, Mapping[str, Any]]:
    return {table: values for table, values in tables.items() if Schema.is_entry(table, kind.table)}


def entries_answer(game: Any, asked: Any, running: Running) -> EntryAnswer:
    """Measure an entry and those most like it; or, if none is named, all of the game's first kind."""
    rules, only = game.rules_of(asked.rules), asked.only.only
    tables = rules.tables()
    for kind in game.entries.values():
        known = {table.rpartition(".")[2]: values for table, values in _tables(tables, kind).items()}
        if only is None or only in known:
            break
    else:
        raise RequestError(f"{only!r} is none of the entries that can be asked about", "--only")
    likeness = {id_: _likeness(known[only], values) if only else 1.0 for id_, values in known.items()}
    able = known if kind.able is None else imported(kind.able)(rules)
    ids = [id_ for id_ in known if id_ in able]
    if only is not None:
        likeness[only] = 1.0
        others = sorted((id_ for id_ in ids if id_ != only), key=lambda id_: -likeness[id_])
        ids = [only, *others[:NEIGHBOURS]]
    tried = imported(kind.tried)(rules, asked, ids, running)
    measure = kind.measure or game.measure
    bounds = (0.0, 1.0) if measure == "share" else None
    gains = {id_: _less(each.with_it, each.without) for id_, each in tried.items()}
    found = [
        EntryWorth(
            entry=id_,
            name=kind.name(id_, known[id_]),
            price=float(known[id_][kind.price]) if kind.price else None,
            likeness=likeness[id_],
            with_it=estimate(tried[id_].with_it, bounds),
            without=estimate(tried[id_].without, bounds),
            worth=estimate(gains[id_], bounds and (-1.0, 1.0)),
            apart=_apart(gains[only], gains[id_]) if only in gains and id_ != only else None,
            usage=tried[id_].usage,
        )
        for id_ in ids
        if id_ in tried
    ]
    if only is None:
        found.sort(key=lambda each: -(each.worth.mean or 0.0))
    first = tried.get(
        only or "", next(iter(tried.values()), Tried((), (), "Stopped before anything was finished."))
    )
    return EntryAnswer(
        rules=game.rules_note(rules),
        only=only,
        kind=next(word for word, each in game.entries.items() if each is kind),
        unit=kind.unit,
        deal=kind.deal,
        measure=measure,
        how=first.how,
        entries=found,
        enough=_enough(found[0].worth) if only is not None and found and not kind.measure else None,
        more=list(first.more) if only is not None else [],
        complete=len(found) == len(ids),
    )


def _less(one: Sequence[float], other: Sequence[float]) -> list[float]:
    return [first - second for first, second in zip(one, other, strict=True)]


def _apart(own: Sequence[float], other: Sequence[float]) -> Estimate:
    """How much more one is worth than another; deals of the same number have the same luck."""
    if len(own) == len(other):
        return estimate(_less(own, other))
    return difference(estimate(other), estimate(own))


def _flat(values: Mapping[str, Any], under: str = "") -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in values.items():
        if isinstance(value, Mapping):
            found |= _flat(value, f"{under}{key}.")
        elif f"{under}{key}" != "name":
            found[f"{under}{key}"] = value
    return found


def _likeness(one: Mapping[str, Any], other: Mapping[str, Any]) -> float:
    """How alike the values of both are on average: numbers by their ratio, all else equal or not."""
    first, second = _flat(one), _flat(other)
    keys = first.keys() | second.keys()
    return sum(_alike(first.get(key), second.get(key)) for key in keys) / max(len(keys), 1)


def _alike(one: Any, other: Any) -> float:
    if one == other:
        return 1.0
    numbers = all(isinstance(each, int | float) and not isinstance(each, bool) for each in (one, other))
    return 1.0 - abs(one - other) / (abs(one) + abs(other)) if numbers else 0.0


def _enough(worth: Estimate) -> int | None:
    if worth.low is None or worth.high is None or worth.observations < 2:
        return None
    return max(1, math.ceil(worth.observations * ((worth.high - worth.low) / 2 / THREE_POINTS) ** 2))


# ---- how it looks ------------------------------------------------------------------------------------------


def entries_page(found: EntryAnswer) -> Page:
    """Return how it looks: the verdict in words, then figures."""
    kind: Format = "share" if found.measure == "share" else "signed"
    gain: Format = "gain" if kind == "share" else "signed"
    columns = [Column("entry", found.kind), Column("price", found.unit or "price", "number", 0)]
    columns += [Column("worth", "worth", gain), Column("with_it", "with it", kind)]
    columns += [Column("without", "without", kind), Column("likeness", "alike", "share", 0)]
    columns.append(Column("apart", "less than it", gain))
    used = next((each.usage for each in found.entries if each.usage), None)
    if used is not None:
        columns += [
            Column("used", f"{used.word} in plays", "share"),
            Column("times", "times a play", "number"),
        ]
    rows: list[list[Cell]] = []
    for each in found.entries:
        row: list[Cell] = [
            each.name,
            each.price,
            each.worth,
            each.with_it.mean,
            each.without.mean,
            each.likeness,
            each.apart,
        ]
        if used is not None:
            usage = each.usage
            known = usage is not None and usage.plays > 0
            row += [usage.in_plays / usage.plays, usage.times] if usage and known else [None, None]
        rows.append(row)
    if not any(each.price is not None for each in found.entries):
        columns, rows = _without(columns, rows, "price")
    if found.only is None:
        for key in ("likeness", "apart"):
            columns, rows = _without(columns, rows, key)
    title = "All, the best first" if found.only is None else "It, and those most like it"
    sections: list[Section] = [Table(columns, rows, title)]
    if found.more:
        sections.append(Facts(found.more))
    return Page(headline=_headline(found), sections=sections, notes=_notes(found))


def _without(
    columns: list[Column], rows: list[list[Cell]], key: str
) -> tuple[list[Column], list[list[Cell]]]:
    place = next(number for number, column in enumerate(columns) if column.key == key)
    return [*columns[:place], *columns[place + 1 :]], [[*row[:place], *row[place + 1 :]] for row in rows]


def _headline(found: EntryAnswer) -> str:
    if not found.entries:
        return "Nothing is finished."
    first = found.entries[0]
    if found.only is None:
        return f"Of all, {first.name} is worth most." if first.worth.mean is not None else found.how
    usage = first.usage
    never = ""
    if usage is not None and usage.plays and not usage.in_plays:
        never = f"Never {usage.word}: {usage.player} did so in none of {usage.plays:,} plays. "
    return f"{never}{_verdict(first, found.entries[1:], found)}"


def _verdict(first: EntryWorth, others: Sequence[EntryWorth], found: EntryAnswer) -> str:
    """What is certain of an entry beside those most like it: the interval of their difference has no 0."""
    low, high = first.worth.low, first.worth.high
    if low is None or high is None:
        return found.how if not first.worth.observations else f"Nothing says how strong {first.name} is."
    sure = [each for each in others if each.apart is not None and excludes_zero(each.apart)]
    dearer = [each for each in sure if _price(each) >= _price(first) and _more(each) > 0]
    cheaper = [each for each in sure if _price(each) <= _price(first) and _more(each) < 0]
    for beside, words, how in (
        (dearer, "strong", "more and costs no more"),
        (cheaper, "weak", "less and costs no less"),
    ):
        if beside:
            names = ", ".join(each.name for each in beside)
            priced = how if first.price is not None else how.partition(" and")[0]
            return f"{first.name} is {words} beside {names}: it is worth {priced}."
    if high < 0:
        return f"{first.name} makes its side weaker."
    worth = "is worth something" if low > 0 else "is not known to be worth anything"
    beside_all = ", nor too strong or too weak beside those most like it" if low <= 0 else ""
    alone = ", and is neither too strong nor too weak beside those most like it, as far as these tell"
    return f"{first.name} {worth}{beside_all if low <= 0 else alone}."


def _more(each: EntryWorth) -> float:
    return 0.0 if each.apart is None or each.apart.mean is None else each.apart.mean


def _price(each: EntryWorth) -> float:
    return each.price if each.price is not None else 0.0


def _notes(found: EntryAnswer) -> list[str]:
    notes = [found.how]
    if found.only is not None and found.entries:
        first = found.entries[0]
        usage = first.usage
        if usage is not None and usage.in_plays:
            notes.append(
                f"{usage.word.capitalize()} by {usage.player} in {usage.in_plays:,} of {usage.plays:,} plays,"
                f" {usage.times:.2f} times a play."
            )
        if found.enough is not None:
            done = first.worth.observations
            seen = "enough" if found.enough <= done else "too few"
            notes.append(
                f"To see a difference of three points takes {found.enough:,} {found.deal}; these {done:,} are"
                f" {seen}."
            )
    notes.append("The figures hold for these players; a better one may change them.")
    if not found.complete:
        notes.append("Stopped early: this is what was finished.")
    return notes


def entries_amounts(found: EntryAnswer) -> list[Amount]:
    """Return what can be compared: what each entry is worth."""
    kind: Format = "gain" if found.measure == "share" else "signed"
    entries = found.entries[:1] if found.only is not None else found.entries
    return [Amount(each.entry, f"{each.name} is worth", each.worth, kind) for each in entries]


# ---- the option of a game's own balance --------------------------------------------------------------------


def with_only(place: str, question: Question[Any, Any]) -> Question[Any, Any]:
    """Return a game's own ``balance``, whose struct has `Only`, with the answer about one entry.

    Parameters
    ----------
    place : of the game, as `analysis.front.game.Program.place`.
    """

    def either(own: Any, about_one: Any) -> Any:
        def chosen(found: Any, *more: Any) -> Any:
            return imported(about_one if isinstance(found, EntryAnswer) else own)(found, *more)

        return chosen

    def answer(asked: Any, running: Running) -> Any:
        if asked.only.only is None:
            return imported(question.function)(asked, running)
        return entries_answer(imported(place), asked, running)

    def without_matrix(asked: Any) -> str | None:
        if asked.only.only is not None:
            return "an answer about one entry has none"
        return question.without_matrix(asked)

    return replace(
        question,
        also=(*question.also, EntryAnswer),
        function=answer,
        page=either(question.page, entries_page),
        amounts=None if question.amounts is None else either(question.amounts, entries_amounts),
        without_matrix=without_matrix,
    )
