"""Is an entry of the rules, such as a card or a unit, too strong? What a game says, and what follows from it.

A game measures an entry with and without it by equal deals; here stand the statistics and the entries that
are most like it, which are the same for all games.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import msgspec

from analysis.errors import RequestError
from analysis.estimates import Estimate, estimate
from analysis.front.chance import apart, holm
from analysis.front.kinds import Named, Pick
from analysis.front.page import Fact
from analysis.front.parameters import Bundle, param
from analysis.front.question import Answer, Running, imported
from analysis.front.verdicts import Best, Figure, best
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
    "in_sentence",
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
    usage : how often it is used, or what finds that out where it takes long; None if nobody looked.
    more : further figures: a head and a number, each.
    deals : their numbers, where some deals say nothing of it; empty if they are the first ones.
    """

    with_it: Sequence[float]
    without: Sequence[float]
    how: str
    usage: Usage | Callable[[], Usage | None] | None = None
    more: Sequence[Fact] = ()
    deals: Sequence[int] = ()


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
    whole : rules -> ids that are judged, as all that they do is measured; all if it is not said.
    called : the value that tells people which it is, beside its id where that is no name.
    number : which parameter says how many of them are asked for.
    parts : of what is no single entry, such as a deck: another kind, and where it stands which of those it
        has, (rules, id) -> ids. All of these are measured in it then.
    question : whose struct says what is asked.
    by_itself : whether how one is measured depends on which one is asked about.
    together : whether all are measured by the same observations, so that all take no longer than one.
    """

    table: str
    tried: str | Callable[[Any, Any, Sequence[str], Running], Mapping[str, Tried]]
    price: str = ""
    unit: str = ""
    deal: str = "deals"
    able: str | Callable[[Any], Collection[str]] | None = None
    whole: str | Callable[[Any], Collection[str]] | None = None
    called: str = "name"
    number: str = "deals"
    parts: tuple[str, str] | None = None
    question: str = "balance"
    by_itself: bool = False
    together: bool = False

    def name(self, id_: str, values: Mapping[str, Any]) -> str:
        """Return what to call an entry."""
        said = str(values.get(self.called, id_.replace("-", " ").title()))
        return said if self.called == "name" else f"{id_}, {said}"


class EntryWorth(msgspec.Struct, frozen=True):
    """An entry with and without it.

    Attributes
    ----------
    likeness : to the one that is asked about: the share of values that are equal, 1 for itself.
    worth : with it less without it, deal by deal.
    apart : what the one that is asked about is worth more than this, deal by deal where both have as many.
    certain : whether they differ for certain, all those beside it together; None if nothing tells.
    twin : whether it has all values of the one that is asked about but its price.
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
    certain: bool | None = None
    twin: bool = False


class EntryAnswer(Answer, frozen=True, kw_only=True):
    """Whether an entry is too strong, or all entries of a kind.

    Attributes
    ----------
    only : the one that is asked about; None if all are.
    entries : it first, then those most like it; or all, those first that were worth most.
    asked : how many observations were asked for; None if nobody said.
    best : which of all are worth most, as far as these tell.
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
    asked: int | None = None
    best: Best = Best()


def entries_of(game: Any, rules: Any) -> list[Named]:
    """Return the entries that can be asked about, as a list to choose from."""
    tables = rules.tables()
    found: dict[str, Named] = {}
    for kind in game.entries.values():
        for table, values in _tables(tables, kind).items():
            id_ = table.rpartition(".")[2]
            found.setdefault(id_, Named(id_, kind.name(id_, values)))
    return list(found.values())


def _entries(tables: Mapping[str, Any], kind: EntryKind) -> dict[str, Mapping[str, Any]]:
    return {table.rpartition(".")[2]: values for table, values in _tables(tables, kind).items()}


def _tables(tables: Mapping[str, Any], kind: EntryKind) -> dict[str, Mapping[str, Any]]:
    return {table: values for table, values in tables.items() if Schema.is_entry(table, kind.table)}


def entries_answer(game: Any, asked: Any, running: Running) -> EntryAnswer:
    """Measure an entry and those most like it; or, if none is named, all of the game's first kind."""
    return entries_observed(game, asked, running)[0]


def entries_observed(
    game: Any, asked: Any, running: Running, word: str = ""
) -> tuple[EntryAnswer, dict[str, list[float]]]:
    """Measure entries; also return what each was worth in each deal, not a number where it tells nothing.

    Parameters
    ----------
    word : of the kind that is measured: all of it, or the named one without those that are like it, and
        without how often it is used.
    """
    rules, only = game.rules_of(asked.rules), getattr(asked, "only", Only()).only
    tables = rules.tables()
    kinds = {**game.entries, **game.plan.kinds} if word else game.entries
    for kind in [kinds[word]] if word else kinds.values():
        known = _entries(tables, kind)
        if only is None or only in known:
            break
    else:
        raise RequestError(f"{only!r} is none of the entries that can be asked about", "--only")
    parts: Sequence[str] = ()
    if only is not None and kind.parts is not None:
        name, place = kind.parts
        kind, parts, only = game.entries[name], imported(place)(rules, only), None
        known = _entries(tables, kind)
    likeness = {id_: _likeness(known[only], values) if only else 1.0 for id_, values in known.items()}
    able = known if kind.able is None else imported(kind.able)(rules)
    ids = [id_ for id_ in parts or known if id_ in able]
    if only is not None:
        likeness[only] = 1.0
        others = sorted((id_ for id_ in ids if id_ != only), key=lambda id_: -likeness[id_])
        ids = [only, *([] if word else others[:NEIGHBOURS])]
    measure = imported(kind.tried)
    if word and only is None and kind.by_itself:
        tried: dict[str, Tried] = {}
        for id_ in ids:
            tried |= measure(rules, msgspec.structs.replace(asked, only=Only(only=id_)), [id_], running)
    else:
        tried = measure(rules, asked, ids, running)
    share = game.measure == "share"
    bounds = (0.0, 1.0) if share else _possible(game, asked)
    gains = {id_: _less(each.with_it, each.without) for id_, each in tried.items()}
    rows = _by_deal(tried, gains)
    beside = [id_ for id_ in ids if only in rows and id_ in rows and id_ != only]
    differences = {id_: apart(rows[only or ""], rows[id_]) for id_ in beside}
    certain = dict(zip(beside, holm([chance for _, chance in differences.values()]), strict=True))
    span = None if bounds is None else bounds[1] - bounds[0]
    found = []
    for id_ in filter(tried.__contains__, ids):
        with_it, without = tried[id_].with_it, tried[id_].without
        differs = differences.get(id_, (None, None))[0]
        usage = None if word and only else tried[id_].usage
        if callable(usage):
            usage = usage()
            if running.interrupt():
                break
        found.append(
            EntryWorth(
                entry=id_,
                name=kind.name(id_, known[id_]),
                price=float(known[id_][kind.price]) if kind.price else None,
                likeness=likeness[id_],
                with_it=estimate(with_it, bounds),
                without=estimate(without, bounds),
                worth=estimate(gains[id_], None if span is None else (-span, span)),
                apart=differs,
                usage=usage,
                certain=certain.get(id_),
                twin=only not in (None, id_) and _is_twin(known[only], known[id_], kind.price),
            )
        )
    complete = len(found) == len(ids)
    word = next(word for word, each in kinds.items() if each is kind)
    highest = Best()
    if only is None:
        found.sort(key=lambda each: -(each.worth.mean or 0.0))
        measured = [each for each in found if each.worth.mean is not None]
        figures = [Figure(in_sentence(each.name, word), each.worth, rows[each.entry]) for each in measured]
        highest = best(figures, finished=complete)
    first = tried.get(
        only or "", next(iter(tried.values()), Tried((), (), "Stopped before anything was finished."))
    )
    tells = only is not None and found and share
    answer = EntryAnswer(
        rules=game.rules_note(rules),
        only=only,
        kind=word,
        unit=kind.unit,
        deal=kind.deal,
        measure=game.measure,
        how=first.how,
        entries=found,
        enough=_enough(found[0].worth) if tells else None,
        more=list(first.more) if only is not None else [],
        asked=getattr(asked, kind.number, None),
        best=highest,
        complete=complete,
    )
    return answer, rows


def _possible(game: Any, asked: Any) -> tuple[float, float] | None:
    """The least and the largest payoff; None if there are no bounds."""
    if game.bounds is None:
        return None
    found: tuple[float, float] = game.bounds(2 if game.size is None else game.size(asked.setup))
    return found


def in_sentence(name: str, kind: str) -> str:
    """Return what a sentence calls an entry: a number is no name."""
    number, _, what = name.partition(", ")
    if not number.isdigit():
        return name
    return f"{kind} {number} ({what})" if what else f"{kind} {number}"


def _less(one: Sequence[float], other: Sequence[float]) -> list[float]:
    return [first - second for first, second in zip(one, other, strict=True)]


def _by_deal(tried: Mapping[str, Tried], gains: Mapping[str, Sequence[float]]) -> dict[str, list[float]]:
    """What each was worth in each deal; not a number where a deal says nothing of it."""
    known = {id_: each.deals or range(len(gains[id_])) for id_, each in tried.items() if gains[id_]}
    whole = 1 + max((max(numbers) for numbers in known.values()), default=-1)
    found = {}
    for id_, numbers in known.items():
        found[id_] = [math.nan] * whole
        for number, gain in zip(numbers, gains[id_], strict=True):
            found[id_][number] = gain
    return found


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


def _is_twin(one: Mapping[str, Any], other: Mapping[str, Any], price: str) -> bool:
    """Whether two are the same but for their price."""
    first, second = _flat(one), _flat(other)
    keys = first.keys() | second.keys()
    return bool(price) and [key for key in keys if first.get(key) != second.get(key)] == [price]


def _alike(one: Any, other: Any) -> float:
    if one == other:
        return 1.0
    numbers = all(isinstance(each, int | float) and not isinstance(each, bool) for each in (one, other))
    return 1.0 - abs(one - other) / (abs(one) + abs(other)) if numbers else 0.0


def _enough(worth: Estimate) -> int | None:
    if worth.low is None or worth.high is None or worth.observations < 2:
        return None
    return max(1, math.ceil(worth.observations * ((worth.high - worth.low) / 2 / THREE_POINTS) ** 2))
