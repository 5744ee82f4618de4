"""Decks: what each card is worth in one, and which swaps make it better."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import msgspec
import numpy as np
from numpy.typing import NDArray

from analysis.estimates import Estimate, estimate
from analysis.front.parameters import text_of
from analysis.front.question import Running
from analysis.warage.deck_contents import problem
from analysis.warage.game import GAME
from analysis.warage.players import Ruled, settings_of, style_of
from analysis.warage.questions.tune import SwapRow, Tune, TuneAnswer
from engine.warage.duels import matches
from engine.warage.kernel_rules import kernel_rules
from engine.warage.reference import hero_of
from engine.warage.reference_state import HeroSetup, Setup
from engine.warage.rules import CardRule, DeckRule, Rules


def with_blank(rules: Rules, card: str) -> Rules:
    """Return the rules with a card that does nothing, right after another one.

    A blank in that one's place then comes by the same random numbers, and all other cards come as before.
    """
    place = rules.card_numbers[card] + 1
    blank = CardRule("a-blank", "a blank", "flash", 0, 0, 0, 0, "none", 0, ())
    return msgspec.structs.replace(rules, cards=(*rules.cards[:place], blank, *rules.cards[place:]))


def blanked(rules: Rules, hero: HeroSetup, card: str) -> HeroSetup:
    """Return a hero of whose copies of a card one is blank; `rules` are those `with_blank`."""
    deck, number = list(hero.deck), rules.card_numbers[card]
    deck[number] -= 1
    deck[number + 1] += 1
    return hero._replace(deck=tuple(deck))


def swapped(rules: Rules, hero: HeroSetup, out: str, into: str) -> HeroSetup:
    """Return a hero with one copy of a card less and one of another more."""
    deck = list(hero.deck)
    deck[rules.card_numbers[out]] -= 1
    deck[rules.card_numbers[into]] += 1
    return hero._replace(deck=tuple(deck))


@dataclass(frozen=True)
class Field:
    """Whom a deck is measured against, by whom it is played, and how often.

    Attributes
    ----------
    against : other heroes, each as often as any other.
    duels : with every deck that is tried, all in all.
    """

    rules: Rules
    against: tuple[DeckRule, ...]
    player: Ruled
    duels: int
    seed: int

    def points(
        self, hero: HeroSetup, duels: int | None = None, first: int = 0, rules: Rules | None = None
    ) -> NDArray[np.float64]:
        """Return what a hero wins of each duel; the same numbers of duels have the same random numbers."""
        each = max((duels or self.duels) // (2 * len(self.against)), 1)
        known, styles = rules or self.rules, [style_of(self.player)] * 2
        points = []
        for other in self.against:
            for seat in range(2):
                heroes = [hero_of(known, other)]
                heroes.insert(seat, hero)
                compiled = kernel_rules(known, Setup(known, tuple(heroes), (0, 1)))
                points.append(matches(compiled, styles, each, self.seed, first=first).points(seat))
        return np.concatenate(points)

    def worth(
        self, deck: DeckRule, card: str, base: NDArray[np.float64], duels: int | None = None, first: int = 0
    ) -> Estimate:
        """Return what one copy of a card adds to the points `base` of a deck."""
        rules = with_blank(self.rules, card)
        without = self.points(blanked(rules, hero_of(rules, deck), card), duels, first, rules)
        return _gain(base - without)


def _gain(values: NDArray[np.float64]) -> Estimate:
    """The mean of gains from -1 to 1."""
    return estimate(values, (-1.0, 1.0))


def _mean(found: Estimate) -> float:
    return found.mean or 0.0


def _swaps(rules: Rules, deck: DeckRule) -> Iterator[tuple[str, str]]:
    """Swaps of one copy that leave a legal deck (H2) whose hero can use what comes in."""
    copies = dict(deck.cards)
    hero = next(each for each in rules.classes if each.id == deck.hero_class)
    for into in rules.cards:
        most = 1 if into.kind == "amulet" else rules.match.max_copies
        if copies.get(into.id, 0) >= most or problem(into, hero.red, hero.blue):
            continue
        for out in copies:
            if out != into.id:
                yield out, into.id


def _after(deck: DeckRule, out: str, into: str) -> DeckRule:
    copies = dict(deck.cards)
    copies[into] = copies.get(into, 0) + 1
    copies[out] -= 1
    return msgspec.structs.replace(deck, cards=tuple((name, left) for name, left in copies.items() if left))


def answer(asked: Tune, running: Running) -> TuneAnswer:
    """Make a deck better."""
    rules = GAME.rules_of(asked.rules)
    deck = rules.deck(asked.deck)
    others = others_of(rules, deck, asked.against)
    field = Field(rules, others, asked.player, 2 * asked.deals, asked.chance.seed)
    return tune_report(field, deck, asked.swaps, running)


def others_of(rules: Rules, deck: DeckRule, named: Sequence[str]) -> tuple[DeckRule, ...]:
    """Return whom a deck plays: those named, else all others; itself if there is none."""
    names = named or [other.id for other in rules.decks]
    return tuple(rules.deck(name) for name in names if name != deck.id or name in named) or (deck,)


def tune_report(field: Field, deck: DeckRule, most: int, running: Running) -> TuneAnswer:
    """Swap single cards, at most so many, as long as one makes the deck better beyond chance.

    In each round a few duels rank the cards to take out by what they are worth against a blank, and the
    cards to bring in by what they are worth in place of the worst of them. The best pairs are then measured
    anew, on other duels, and the best is made if all of its interval lies above 0.
    """
    rules, duels, stop = field.rules, field.duels, running.interrupt
    now, finished = deck, False
    swaps: list[SwapRow] = []
    for number in range(most):
        if stop():
            break
        found = _best_swap(field, now, (2 * number + 1) * duels, running)
        if stop():
            break
        if found is None:
            finished = True
            break
        swaps.append(found)
        now = _after(now, found.out, found.into)
    fresh = 2 * (most + 1) * duels
    before, after = (field.points(hero_of(rules, each), first=fresh) for each in (deck, now))
    return TuneAnswer(
        deck=deck.id,
        against=[other.id for other in field.against],
        player=text_of(field.player),
        settings=settings_of(field.player),
        duels=duels,
        before=float(before.mean()),
        after=float(after.mean()),
        gain=_gain(after - before),
        swaps=swaps,
        cards=[name if copies == 1 else f"{name} {copies}" for name, copies in now.cards],
        finished=finished,
        complete=not stop(),
    )


_TRIED = 6


def _best_swap(field: Field, deck: DeckRule, first: int, running: Running) -> SwapRow | None:
    """The best swap of one copy that is better beyond chance, if there is one."""
    rules, few, stop = field.rules, max(field.duels // 8, 2), running.interrupt
    hero, legal = hero_of(rules, deck), list(_swaps(rules, deck))
    outs = list(dict.fromkeys(out for out, _ in legal))
    intos = list(dict.fromkeys(into for _, into in legal))

    def heard(done: int) -> None:
        running.note("cards", done, len(outs) + len(intos))

    def gain(out: str, into: str, duels: int, start: int, base: NDArray[np.float64]) -> Estimate:
        return _gain(field.points(swapped(rules, hero, out, into), duels, start) - base)

    base = field.points(hero, few, first)
    worths, gains = {}, {}
    for out in outs:
        if stop():
            return None
        worths[out] = _mean(field.worth(deck, out, base, few, first))
        heard(len(worths))
    worst = sorted(worths, key=lambda card: worths[card])
    for into in intos:
        if stop():
            return None
        out = next(card for card in worst if (card, into) in legal)
        gains[into] = _mean(gain(out, into, few, first, base))
        heard(len(outs) + len(gains))
    fresh = first + field.duels
    base = field.points(hero, field.duels, fresh)
    rows = [
        SwapRow(out, into, gain(out, into, field.duels, fresh, base))
        for into in sorted(gains, key=lambda card: -gains[card])[:_TRIED]
        for out in worst[:2]
        if (out, into) in legal and not stop()
    ]
    sure = [row for row in rows if _mean(row.gain) > row.gain.width]
    return max(sure, key=lambda row: _mean(row.gain)) if sure else None
