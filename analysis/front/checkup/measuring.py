"""Figures of a check-up: it asks the questions that anybody can ask, and keeps what they say.

A match of each player with itself tells who sits better, how long plays are, and what leads are worth; one
with the player below tells whether skill pays, and how much the deal decides. Each kind of entries is
measured as ``balance --only`` does, each pair of setups by a match.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import combinations
from typing import Any

import msgspec

from analysis.estimates import Estimate
from analysis.front.checkup.answer import Ask
from analysis.front.checkup.plan import EFFORTS, Rung, ladder_of
from analysis.front.entries import EntryAnswer, EntryKind, EntryWorth, entries_observed
from analysis.front.entry_page import entries_amounts, entries_page
from analysis.front.kinds import Named, Pick
from analysis.front.parameters import parameters, text_of
from analysis.front.question import Question, Running
from analysis.front.store import observed
from analysis.front.verbs.match_page import MatchAnswer

__all__ = ["Measured", "Measures", "kinds_of", "worth_of"]

Deals = Mapping[str, Sequence[float]]
_TIMES = 4
"""As many deals for entries that seem out of line as for all."""


@dataclass
class Measured:
    """What is known so far, with the deals that it was measured on.

    Attributes
    ----------
    alone : matches of each player with itself, the weakest first; `above` those of each with the one below.
    entries : by their word. `setups` : by pairs.
    """

    alone: list[tuple[MatchAnswer, Deals]] = field(default_factory=list)
    above: list[tuple[MatchAnswer, Deals]] = field(default_factory=list)
    entries: dict[str, tuple[EntryAnswer, Deals]] = field(default_factory=dict)
    setups: dict[tuple[str, str], tuple[MatchAnswer, Deals]] = field(default_factory=dict)


def kinds_of(game: Any) -> dict[str, EntryKind]:
    """Return the kinds of entries that are measured, by their word; those made of others left out."""
    return {word: kind for word, kind in {**game.entries, **game.plan.kinds}.items() if kind.parts is None}


def worth_of(game: Any, word: str) -> Question[Any, EntryAnswer]:
    """Return the question what all entries of a kind are worth, or the one that is named."""
    kind = kinds_of(game)[word]
    asked = game.question(kind.question)

    def found(of: Any, running: Running) -> tuple[EntryAnswer, dict[str, list[float]]]:
        return entries_observed(game, of, running, word)

    return replace(
        asked,
        name=f"checkup {word}",
        answers=EntryAnswer,
        also=(),
        function=lambda of, running: found(of, running)[0],
        observed=found,
        amounts=entries_amounts,
        page=entries_page,
        exactness="measured",
        kept=True,
    )


class Measures:
    """Asks what a check-up is made of.

    Parameters
    ----------
    given : rules, seed, and who works, by name.
    """

    def __init__(self, game: Any, effort: Any, given: Mapping[str, Any], running: Running) -> None:
        self.game, self.given, self.running = game, dict(given), running
        self.effort, self.factor = effort, EFFORTS[effort]
        self._known: dict[tuple[str, str], tuple[Any, Deals]] = {}
        self.ladder: list[Rung] = ladder_of(game)
        self.kinds = kinds_of(game)
        self.usual = game.plan.setups_by % len(self.ladder)
        self.changes = self.usual if game.plan.changes_by is None else game.plan.changes_by
        self.rules = game.read(self.given.get("rules", ()), self.given.get("set", ()))
        payoffs = game.measure != "share" and game.bounds is not None
        ends: tuple[float, float] = game.bounds(2) if payoffs else (0.0, 1.0)
        self.least, self.span = ends[0], ends[1] - ends[0]

    def by(self, given: Mapping[str, Any]) -> Measures:
        """Return the same with other rules, or another seed."""
        return Measures(self.game, self.effort, {**self.given, **given}, self.running)

    def ask(self, at: Ask) -> tuple[Any, Deals]:
        """Return an answer, and what each deal came to by the keys of its figures; each is asked once."""
        place = at.question, repr(at.given)
        if place not in self._known:
            question = self.question(at.question)
            asked = question.build(**self.asked(question, at.given))
            self._known[place] = observed(question, asked, self.running)
        return self._known[place]

    def question(self, name: str) -> Question[Any, Any]:
        """Return a question of the game, or one of a kind's entries."""
        verb, _, word = name.partition(" ")
        return worth_of(self.game, word) if verb == "checkup" else self.game.question(name)

    def number(self, deals: int) -> str:
        """Return so many deals of a quick check-up as this one plays."""
        return str(max(2, round(deals * self.factor)))

    def asked(self, question: Question[Any, Any], given: Mapping[str, Any]) -> dict[str, Any]:
        """Return all that is asked, rules and chance included."""
        known = {each.name for each in question.parameters}
        return {key: value for key, value in {**self.given, **given}.items() if key in known}

    def scaled_row(self, values: Sequence[float]) -> list[float]:
        """Return what is won as shares, whatever a game counts: one half is even between two."""
        return [(value - self.least) / self.span for value in values]

    def scaled(self, value: Estimate) -> Estimate:
        """Return the same of a figure."""
        ends = (value.mean, value.low, value.high)
        mean, low, high = (None if end is None else self.scaled_row([end])[0] for end in ends)
        return Estimate(mean, low, high, value.observations)

    # ---- what is asked -------------------------------------------------------------------------------------

    def alone(self, number: int) -> Ask:
        """Return the match of a player with itself."""
        rung = self.ladder[number]
        given: dict[str, Any] = {"player": [text_of(rung.player)], "deals": self.number(rung.deals)}
        return Ask("match", given, "first_seat")

    def above(self, number: int) -> Ask:
        """Return the match of a player with the one below it."""
        players = [text_of(self.ladder[at].player) for at in (number, number - 1)]
        return Ask("match", {"player": players, "deals": self.number(self.ladder[number].deals)}, "won_1")

    def worth(self, word: str, entry: str = "", times: int = 1) -> Ask:
        """Return the question what an entry is worth, or all of its kind."""
        kind = self.kinds[word]
        given: dict[str, Any] = {"player": text_of(self.ladder[self.usual].player)}
        if number := self.game.plan.entries.get(word):
            given[kind.number] = self.number(number * times)
        if entry and not kind.together and kind.question == "balance":
            given["only"] = entry
        return Ask(f"checkup {word}", given, entry)

    def contestants(self) -> tuple[tuple[str, ...], list[Named]]:
        """Return which options pick what is set against each other, and what there is."""
        picked: dict[str, list[str]] = {}
        for each in parameters(self.game.setup):
            if isinstance(each.kind, Pick) and not each.kind.of:
                picked.setdefault(each.kind.names, []).extend([each.name] * (1 + each.repeatable))
        for names, options in picked.items():
            if len(options) == 2:
                return tuple(options), list(self.game.lists(self.rules)[names])
        return (), []

    def against(self, one: str, other: str) -> Ask:
        """Return the match of two setups, both played alike."""
        (first, second), _ = self.contestants()
        sides = {first: [one, other]} if first == second else {first: one, second: other}
        player = text_of(self.ladder[self.usual].player)
        return Ask(
            "match", {**sides, "player": [player], "deals": self.number(self.game.plan.setups)}, "won_1"
        )

    # ---- all of it, part by part ---------------------------------------------------------------------------

    def all_parts(self, known: Measured) -> Iterator[None]:
        """Measure part by part; yield after each. Modified in place: `known`."""
        steps = [partial(self._rung, known, number) for number in range(len(self.ladder))]
        steps += [partial(self._kind, known, word) for word in self.kinds]
        steps += [partial(self._setups, known)]
        for step in steps:
            if self.running.interrupt():
                return
            step()
            yield

    def _rung(self, known: Measured, number: int) -> None:
        if self.game.contest is None:
            return
        known.alone.append(self.ask(self.alone(number)))
        if number:
            known.above.append(self.ask(self.above(number)))

    def _kind(self, known: Measured, word: str) -> None:
        known.entries[word] = self.ask(self.worth(word))

    def _setups(self, known: Measured) -> None:
        _, names = self.contestants()
        for one, other in combinations([each.id for each in names], 2):
            if self.running.interrupt():
                return
            known.setups[one, other] = self.ask(self.against(one, other))
            if known.setups[one, other][0].by_design:
                # They stay with their seats: each sits first in turn.
                known.setups[other, one] = self.ask(self.against(other, one))

    # ---- once more -----------------------------------------------------------------------------------------

    def of_box(self, known: Measured, changed: Sequence[tuple[str, str]]) -> Measured:
        """Return the same by the rules of the box, as far as changes can be seen in it.

        Parameters
        ----------
        changed : kinds and ids of the entries that differ from it.
        """
        box, found = self.by({"rules": (), "set": ()}), Measured()
        if len(known.alone) > self.changes and not self.running.interrupt():
            found.alone.append(box.ask(box.alone(self.changes)))
        for word, entry in changed:
            if self.running.interrupt():
                return found
            answer, deals = box.ask(box.worth(word, entry))
            entries = [each for each in answer.entries if each.entry == entry]
            before, seen = found.entries.get(word, (msgspec.structs.replace(answer, entries=[]), {}))
            together = msgspec.structs.replace(before, entries=[*before.entries, *entries])
            found.entries[word] = (together, {**seen, entry: deals.get(entry, ())})
        if known.setups:
            box._setups(found)
        return found

    def once_more(self, entries: Sequence[tuple[str, str]]) -> dict[tuple[str, str], EntryWorth]:
        """Measure entries with more deals, and others than those that made them seem out of line."""
        found: dict[tuple[str, str], EntryWorth] = {}
        again = self.by({"seed": int(self.given.get("seed") or 0) + 1})
        for word, entry in entries:
            if self.running.interrupt():
                break
            answer, _ = again.ask(again.worth(word, entry, _TIMES))
            # Who stops meanwhile gets no entries.
            for each in answer.entries:
                if each.entry == entry:
                    found[word, entry] = each
        return found
