"""Decks: what is in them, what each card is worth in one, and which swaps make it better."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import msgspec
import numpy as np
from numpy.typing import NDArray

from analysis.estimates import estimate
from analysis.interrupt import Interrupt
from analysis.timing import Stopwatch
from analysis.warage.deck_reports import DeckReport, DeckRow, SwapRow, TuneReport, ValueReport, ValueRow
from analysis.warage.players import Player
from analysis.warage.race import Note
from analysis.warage.reports import SCHEMA_NUMBER, card_set
from engine.warage.duels import matches
from engine.warage.kernel_rules import kernel_rules
from engine.warage.reference import hero_of
from engine.warage.reference_state import HeroSetup, Setup
from engine.warage.rules import CardRule, DeckRule, Rules


def deck_report(rules: Rules, deck: DeckRule) -> DeckReport:
    """Say what is in a deck, what of it its hero can put down, and what it costs."""
    hero = next(each for each in rules.classes if each.id == deck.hero_class)
    rows = []
    for name, copies in deck.cards:
        card = rules.card(name)
        problem = _problem(card, hero.red, hero.blue)
        rows.append(DeckRow(name, card.kind, copies, card.cost, card.sell, card.red, card.blue, problem))
    kinds: Counter[str] = Counter()
    for row in rows:
        kinds[row.kind] += row.copies
    total = deck.size
    return DeckReport(
        schema=SCHEMA_NUMBER,
        card_set=card_set(rules),
        deck=deck.id,
        hero=f"{deck.race}/{deck.hero_class}",
        size=total,
        slots=[hero.red, hero.blue],
        needs=[sum(row.red * row.copies for row in rows), sum(row.blue * row.copies for row in rows)],
        cost=sum(row.cost * row.copies for row in rows),
        mean_cost=sum(row.cost * row.copies for row in rows) / max(total, 1),
        kinds=dict(kinds),
        rows=rows,
        useless=sum(row.copies for row in rows if row.problem),
        most_hp=most_hp(rules, deck),
    )


def most_hp(rules: Rules, deck: DeckRule) -> int | None:
    """What a hero's HP cannot exceed in a duel (W2): every gain there is, as often as it can come.

    None where gains may come any number of times, or draws may be left out.
    """
    race, match = rules.race(deck.race), rules.match
    cards = [(rules.card(name), copies) for name, copies in deck.cards]
    if match.optional_draw:
        return None
    rounds = (deck.size - min(match.hand_size, match.redraw_hand_size)) // match.draws + 1
    costs = sorted((card.cost for card, copies in cards for _ in range(copies)), reverse=True)
    total = race.hp + sum(costs[: match.life_places]) + sum(card.sell * copies for card, copies in cards)
    effects = [(effect, copies) for card, copies in cards for effect in card.effects]
    effects += [(effect, 1) for effect in race.effects]
    effects += [(effect, 1) for season in rules.seasons if season.copies for effect in season.effects]
    for effect, copies in effects:
        if effect.action != "gain":
            continue
        if effect.trigger == "play":
            total += copies * effect.amount
        elif effect.trigger in ("opening", "closing"):
            # Once in each round of anybody, a special season for the active hero alone.
            total += copies * effect.amount * 2 * rounds
        elif effect.trigger == "use" and effect.limit:
            total += copies * effect.amount * rounds
        else:
            return None
    return total


def _problem(card: CardRule, red: int, blue: int) -> str:
    """Why a hero can do nothing with a card, if that is so."""
    if card.red > red:
        return f"needs {card.red} red slots of {red}"
    if card.blue > blue:
        return f"needs {card.blue} blue slots of {blue}"
    return ""


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
    player: Player
    duels: int
    seed: int

    def points(
        self, hero: HeroSetup, duels: int | None = None, first: int = 0, rules: Rules | None = None
    ) -> NDArray[np.float64]:
        """Return what a hero wins of each duel; the same numbers of duels have the same random numbers."""
        each = max((duels or self.duels) // (2 * len(self.against)), 1)
        known, styles = rules or self.rules, [self.player.style] * 2
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
    ) -> tuple[float, float]:
        """Return what one copy of a card adds to the points `base` of a deck, and within what."""
        rules = with_blank(self.rules, card)
        without = self.points(blanked(rules, hero_of(rules, deck), card), duels, first, rules)
        return _mean(base - without)


def _mean(values: NDArray[np.float64], least: float = -1.0) -> tuple[float, float]:
    """The mean of values up to 1, and half the width of its interval."""
    found = estimate(values, (least, 1.0))
    assert found.mean is not None
    return found.mean, found.width


def value_report(
    rules: Rules,
    deck: DeckRule,
    against: Sequence[DeckRule],
    player: Player,
    duels: int,
    seed: int,
    *,
    cards: Sequence[str] = (),
    stop: Callable[[], bool] | None = None,
    note: Note | None = None,
) -> ValueReport:
    """Measure what one copy of each card is worth in a deck: against a blank in its place, same chance.

    Parameters
    ----------
    cards : which are measured; all of the deck if there are none.
    """
    watch = Stopwatch()
    field = Field(rules, tuple(against), player, duels, seed)
    asked = list(cards) or [name for name, _ in deck.cards]
    base = field.points(hero_of(rules, deck))
    rows = []
    for number, name in enumerate(asked):
        if stop is not None and stop():
            break
        if note is not None:
            note("cards", number, len(asked))
        worth, width = field.worth(deck, name, base)
        copies = dict(deck.cards)[name]
        rows.append(ValueRow(name, copies, rules.card(name).cost, worth, width))
    win, width = _mean(base, 0.0)
    return ValueReport(
        schema=SCHEMA_NUMBER,
        card_set=card_set(rules),
        method="sampled",
        deck=deck.id,
        against=[other.id for other in against],
        player=player.name,
        settings=player.settings,
        duels=len(base),
        seed=seed,
        win=win,
        width=width,
        rows=sorted(rows, key=lambda row: -row.worth),
        complete=len(rows) == len(asked),
        time_s=watch.work_s,
        compile_s=watch.compile_s,
    )


def _swaps(rules: Rules, deck: DeckRule) -> Iterator[tuple[str, str]]:
    """Swaps of one copy that leave a legal deck (H2) whose hero can use what comes in."""
    copies = dict(deck.cards)
    hero = next(each for each in rules.classes if each.id == deck.hero_class)
    for into in rules.cards:
        most = 1 if into.kind == "amulet" else rules.match.max_copies
        if copies.get(into.id, 0) >= most or _problem(into, hero.red, hero.blue):
            continue
        for out in copies:
            if out != into.id:
                yield out, into.id


def _after(deck: DeckRule, out: str, into: str) -> DeckRule:
    copies = dict(deck.cards)
    copies[into] = copies.get(into, 0) + 1
    copies[out] -= 1
    return msgspec.structs.replace(deck, cards=tuple((name, left) for name, left in copies.items() if left))


def tune_report(
    rules: Rules,
    deck: DeckRule,
    against: Sequence[DeckRule],
    player: Player,
    duels: int,
    seed: int,
    *,
    rounds: int = 5,
    interrupt: Interrupt | None = None,
    note: Note | None = None,
) -> TuneReport:
    """Swap single cards as long as one makes the deck better beyond chance.

    In each round a few duels rank the cards to take out by what they are worth against a blank, and the
    cards to bring in by what they are worth in place of the worst of them. The best pairs are then measured
    anew, on other duels, and the best is made if all of its interval lies above 0.
    """
    watch = Stopwatch()
    stop = interrupt or Interrupt()
    field = Field(rules, tuple(against), player, duels, seed)
    now, finished = deck, False
    swaps: list[SwapRow] = []
    for number in range(rounds):
        if stop():
            break
        found = _best_swap(field, now, first=(2 * number + 1) * duels, stop=stop, note=note)
        if stop():
            break
        if found is None:
            finished = True
            break
        swaps.append(found)
        now = _after(now, found.out, found.into)
    fresh = 2 * (rounds + 1) * duels
    before, after = (field.points(hero_of(rules, each), first=fresh) for each in (deck, now))
    gain, width = _mean(after - before)
    return TuneReport(
        schema=SCHEMA_NUMBER,
        card_set=card_set(rules),
        method="sampled",
        deck=deck.id,
        against=[other.id for other in against],
        player=player.name,
        settings=player.settings,
        duels=duels,
        seed=seed,
        before=float(before.mean()),
        after=float(after.mean()),
        gain=gain,
        width=width,
        swaps=swaps,
        cards=[name if copies == 1 else f"{name} {copies}" for name, copies in now.cards],
        finished=finished,
        time_s=watch.work_s,
        compile_s=watch.compile_s,
    )


_TRIED = 6


def _best_swap(
    field: Field, deck: DeckRule, *, first: int, stop: Callable[[], bool], note: Note | None
) -> SwapRow | None:
    """The best swap of one copy that is better beyond chance, if there is one."""
    rules, few = field.rules, max(field.duels // 8, 2)
    hero, legal = hero_of(rules, deck), list(_swaps(rules, deck))
    outs = list(dict.fromkeys(out for out, _ in legal))
    intos = list(dict.fromkeys(into for _, into in legal))

    def heard(done: int) -> None:
        if note is not None:
            note("cards", done, len(outs) + len(intos))

    def gain(out: str, into: str, duels: int, start: int, base: NDArray[np.float64]) -> tuple[float, float]:
        return _mean(field.points(swapped(rules, hero, out, into), duels, start) - base)

    base = field.points(hero, few, first)
    worths, gains = {}, {}
    for out in outs:
        if stop():
            return None
        worths[out] = field.worth(deck, out, base, few, first)[0]
        heard(len(worths))
    worst = sorted(worths, key=lambda card: worths[card])
    for into in intos:
        if stop():
            return None
        out = next(card for card in worst if (card, into) in legal)
        gains[into] = gain(out, into, few, first, base)[0]
        heard(len(outs) + len(gains))
    fresh = first + field.duels
    base = field.points(hero, field.duels, fresh)
    rows = [
        SwapRow(out, into, *gain(out, into, field.duels, fresh, base))
        for into in sorted(gains, key=lambda card: -gains[card])[:_TRIED]
        for out in worst[:2]
        if (out, into) in legal and not stop()
    ]
    sure = [row for row in rows if row.gain > row.width]
    return max(sure, key=lambda row: row.gain) if sure else None
