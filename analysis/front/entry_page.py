"""How an answer about entries of the rules looks, and the option ``--only`` of a game's own ``balance``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from analysis.estimates import Estimate
from analysis.front.entries import EntryAnswer, EntryWorth, entries_answer, entries_observed, in_sentence
from analysis.front.page import Cell, Column, Facts, Format, Page, Section, Table
from analysis.front.question import Amount, Question, Running, imported
from analysis.front.render.numbers import number_text
from analysis.front.verdicts import Figure, best, doubt_said, listed, side_of

__all__ = ["entries_amounts", "entries_page", "with_only"]


def entries_page(found: EntryAnswer) -> Page:
    """Return how it looks: the verdict in words, then figures."""
    kind: Format = "share" if found.measure == "share" else "signed"
    gain = _gain(found)
    columns = [Column("entry", found.kind), Column("price", found.unit or "price", "number", 0)]
    columns.append(Column("worth", "worth", gain))
    columns += [Column("with_it", "with it", kind), Column("without", "without", kind)]
    columns += [Column("likeness", "alike", "share", 0), Column("apart", "less than it", gain)]
    used = next((each.usage for each in found.entries if each.usage), None)
    if used is not None:
        columns += [
            Column("used", f"{used.word} in plays", "share"),
            Column("times", "times a play", "number"),
        ]
    rows: list[list[Cell]] = []
    for each in found.entries:
        row: list[Cell] = [each.name, each.price, each.worth]
        row += [each.with_it.mean, each.without.mean, each.likeness, each.apart]
        if used is not None:
            usage = each.usage
            known = usage is not None and usage.plays > 0
            row += [usage.in_plays / usage.plays, usage.times] if usage and known else [None, None]
        rows.append(row)
    unused = ["likeness", "apart"] if found.only is None else []
    unused += ["price"] if all(each.price is None for each in found.entries) else []
    shown = [place for place, column in enumerate(columns) if column.key not in unused]
    title = "All, by what they were worth here" if found.only is None else "It, and those most like it"
    table = Table(
        [columns[place] for place in shown], [[row[place] for place in shown] for row in rows], title
    )
    sections: list[Section] = [table]
    if found.more:
        sections.append(Facts(found.more))
    return Page(headline=_headline(found), sections=sections, notes=_notes(found))


def _gain(found: EntryAnswer) -> Format:
    return "gain" if found.measure == "share" else "signed"


def _headline(found: EntryAnswer) -> str:
    if not found.entries:
        return "Nothing is finished."
    first = found.entries[0]
    if found.only is None:
        if found.complete:
            # An answer of before has no comparison by deals.
            highest = found.best if found.best.names else best(_figures(found))
            return _upper(
                highest.said("is worth most", "are worth most", found.how, _worths(found), _gain(found))
            )
        return f"Stopped early: what is finished does not say which {found.kind} is worth most."
    usage = first.usage
    never = ""
    if usage is not None and usage.plays and not usage.in_plays:
        never = f"Never {usage.word}: {usage.player} did so in none of {usage.plays:,} plays. "
    return f"{never}{_upper(_verdict(first, found.entries[1:], found))}"


def _worths(found: EntryAnswer) -> dict[str, Estimate]:
    return {in_sentence(each.name, found.kind): each.worth for each in found.entries}


def _figures(found: EntryAnswer) -> list[Figure]:
    return [Figure(name, worth) for name, worth in _worths(found).items() if worth.mean is not None]


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]


def _verdict(first: EntryWorth, others: Sequence[EntryWorth], found: EntryAnswer) -> str:
    """What an entry is worth, with its doubt, and what is certain of it beside those most like it."""
    if first.worth.mean is None:
        return found.how
    said = f"{in_sentence(first.name, found.kind)} is worth {_worth_said(first, found)}"
    beside = _beside(first, others, found) if found.complete else ""
    return f"{said}; {beside}." if beside else f"{said}."


def _worth_said(first: EntryWorth, found: EntryAnswer) -> str:
    kind = _gain(found)
    unit = " points" if kind == "gain" else ""
    assert first.worth.mean is not None
    said = f"{number_text(first.worth.mean, kind)}{unit}"
    side = side_of(first.worth)
    if side == "unknown":
        return f"{said}, with an error that is not known"
    nothing = ", which may be nothing" if side == "open" else ""
    return f"{said} ({doubt_said(first.worth, kind)}){nothing}"


def _beside(first: EntryWorth, others: Sequence[EntryWorth], found: EntryAnswer) -> str:
    """What is certain beside those most like it, prices included; else what the prices would have it be."""
    own = first.price or 0.0
    more = [each for each in others if each.certain and _less_than_first(each)]
    less = [each for each in others if each.certain and not _less_than_first(each)]
    open_ = [each for each in others if each.certain is False]
    priced = first.price is not None
    if beside := [each for each in more if (each.price or 0.0) >= own]:
        costs = ", and costs no more" if priced else ""
        return f"it is strong: worth more than {_names(beside, found)}{costs}"
    if beside := [each for each in less if (each.price or 0.0) <= own]:
        costs = ", and costs no less" if priced else ""
        return f"it is weak: worth less than {_names(beside, found)}{costs}"
    if twins := [each for each in others if each.twin]:
        dearer = [each for each in twins if (each.price or 0.0) > own]
        cheap, costs = ("cheap", "less") if dearer else ("dear", "more")
        return f"it is too {cheap}: it does what {_names(dearer or twins, found)} does, and costs {costs}"
    said = []
    if more:
        said.append(f"it is worth more than {_names(more, found)}, and costs more")
    if less:
        said.append(f"it is worth less than {_names(less, found)}, and costs less")
    if dearer := [each for each in open_ if (each.price or 0.0) > own]:
        said.append(f"it is not known to be worth less than {_names(dearer, found)}, and costs less")
    if cheaper := [each for each in open_ if (each.price or 0.0) < own]:
        said.append(f"it is not known to be worth more than {_names(cheaper, found)}, and costs more")
    if said:
        return "; ".join(said)
    return "no difference to those most like it is certain" if open_ else ""


def _less_than_first(each: EntryWorth) -> bool:
    return each.apart is not None and (each.apart.mean or 0.0) > 0


def _names(beside: Sequence[EntryWorth], found: EntryAnswer) -> str:
    return listed([in_sentence(each.name, found.kind) for each in beside])


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
        notes += _enough_said(found)
    notes.append("The figures hold for these players; a better one may change them.")
    if not found.complete:
        notes.append("Stopped early: this is what was finished.")
    return notes


def _enough_said(found: EntryAnswer) -> list[str]:
    """How many deals it takes, where those there are settle nothing."""
    done = found.entries[0].worth.observations
    used = f"{done:,} {found.deal} could be used"
    if found.asked is not None and found.asked > done:
        used = f"{done:,} of your {found.asked:,} {found.deal} could be used"
    if found.enough is None or any(each.certain for each in found.entries):
        return [f"{used}."] if found.asked is not None and done < found.asked else []
    if found.enough <= done:
        return [f"{used}, enough to tell a difference of three points."]
    about = 10 ** max(len(str(found.enough)) - 2, 0)
    return [f"{used}; telling three points apart takes about {-(-found.enough // about) * about:,}."]


def entries_amounts(found: EntryAnswer) -> list[Amount]:
    """Return what can be compared: what each entry is worth."""
    entries = found.entries[:1] if found.only is not None else found.entries
    names = [_upper(in_sentence(each.name, found.kind)) for each in entries]
    return [
        Amount(each.entry, f"{name} is worth", each.worth, _gain(found))
        for each, name in zip(entries, names, strict=True)
    ]


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

    def observed(asked: Any, running: Running) -> Any:
        if asked.only.only is not None:
            return entries_observed(imported(place), asked, running)
        if question.observed is None:
            return imported(question.function)(asked, running), {}
        return imported(question.observed)(asked, running)

    def without_matrix(asked: Any) -> str | None:
        if asked.only.only is not None:
            return "an answer about one entry has none"
        return question.without_matrix(asked)

    return replace(
        question,
        also=(*question.also, EntryAnswer),
        function=answer,
        page=either(question.page, entries_page),
        observed=observed,
        amounts=None if question.amounts is None else either(question.amounts, entries_amounts),
        without_matrix=without_matrix,
    )
