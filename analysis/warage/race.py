"""Races: two loadouts, no hidden cards, no decisions; exact values by seat and season."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from analysis.amounts import size
from analysis.errors import WorkError
from analysis.front.sizes import read_memory
from analysis.warage.attacks import attack_name
from analysis.warage.loadouts import Loadout, base_seasons, hp_of, loadouts_of
from analysis.warage.positions import Heroes, Race
from analysis.warage.questions.solve import Certificate, RaceAnswer, Rounds, SeasonRow, SpellsRow
from analysis.warage.race_modes import Modes, race_modes
from engine.warage.rules import Rules
from solver.stochastic.attrition import (
    Attrition,
    AttritionPlays,
    AttritionValues,
    follow_attrition,
    solve_attrition,
)

DEFAULT_MEMORY = 2 << 30
MOST_VALUES = 1_000_000_000
"""With more values than these, special season cards are left out unless they are asked for."""
SLACK = 1e-9
"""What two computations of a chance may differ by: rounding of some ten million sums."""
Note = Callable[[str, int, int], None]


@dataclass(frozen=True)
class RaceQuestion:
    """A race.

    Attributes
    ----------
    season : at the beginning; None for any, by the copies in the deck.
    first : who moves first, 0 or 1; None for both.
    cards_left : in the decks.
    rounds_left : rounds of single heroes, after which whoever is next loses; None: until a deck is empty.
    truce : whether the first round of each goes by without attacks (T3).
    specials : special season cards; None: where it does not take too long.
    """

    rules: Rules
    heroes: tuple[Loadout, Loadout]
    hp: tuple[int, int]
    season: str | None = None
    first: int | None = None
    cards_left: tuple[int, int] = (43, 43)
    rounds_left: int | None = None
    truce: bool = True
    specials: bool | None = None
    memory: int = DEFAULT_MEMORY

    def horizon(self, first: int) -> tuple[int, int]:
        """Rounds until a deck is empty, and who wins then (H5): 42 and the second player with full decks."""
        if self.rounds_left is not None:
            return self.rounds_left, 1 - (first + self.rounds_left) % 2
        draws = self.rules.match.draws
        own, other = (self.cards_left[side] // draws for side in (first, 1 - first))
        rounds = min(2 * own, 2 * other + 1)
        return rounds, 1 - (first + rounds) % 2


def race_question(rules: Rules, heroes: Heroes, race: Race, **more: Any) -> RaceQuestion:
    """Return the question about a race; RequestError if it makes no sense."""
    loadouts = loadouts_of(rules, heroes)
    return RaceQuestion(
        rules,
        loadouts,
        hp_of(loadouts, race.totals),
        cards_left=(race.cards_left, race.other_cards_left),
        rounds_left=race.rounds_left,
        specials=None if race.special_seasons is None else race.special_seasons == "with",
        memory=read_memory(race.memory),
        **more,
    )


def race_game(question: RaceQuestion, modes: Modes, first: int, *, room: int = 0) -> Attrition:
    """Return a race as a game of attrition, with `room` for more HP of the first hero."""
    rounds, last = question.horizon(first)
    rounds = max(rounds, 0)
    width = 1 + max(damage for each in modes.signatures for law in each.laws for damage, _ in law)
    losses = np.zeros((len(modes.signatures), 2, 2, width))
    for group, each in enumerate(modes.signatures):
        for side in (0, 1):
            for (damage, six), chance in each.laws[side].items():
                losses[group, side, int(six), damage] += float(chance)
    most = max(map(len, modes.successors))
    successors = np.full((len(modes.successors), most), -1, np.int64)
    chances = np.zeros(successors.shape)
    for mode, after in enumerate(modes.successors):
        successors[mode, : len(after)] = list(after)
        chances[mode, : len(after)] = list(after.values())
    gains = np.array([each.gains for each in modes.signatures], np.int64)
    own_rounds = [(rounds + (side == first)) // 2 for side in (0, 1)]
    largest = [
        min(
            question.hp[side] + int(gains[:, side].max()) * own_rounds[side], question.rules.match.infinite_hp
        )
        for side in (0, 1)
    ]
    largest[0] += room
    return Attrition(
        losses=losses,
        gains=gains,
        mode_class=np.array(modes.mode_class, np.int64),
        successors=successors,
        chances=chances,
        depth=np.array(modes.depth, np.int64),
        largest=(largest[0], largest[1]),
        first=first,
        fights=tuple(not (question.truce and number < 2) for number in range(rounds)),
        last=last,
    )


def modes_of(question: RaceQuestion) -> Modes:
    """Return the modes of a race, with special season cards or, where that takes too long, without."""
    if question.specials is not None:
        return race_modes(question.rules, question.heroes, specials=question.specials)
    try:
        modes = race_modes(question.rules, question.heroes)
        if race_game(question, modes, question.first or 0).state_values <= MOST_VALUES:
            return modes
    except WorkError:
        pass
    return race_modes(question.rules, question.heroes, specials=False)


def check_size(question: RaceQuestion, game: Attrition, *, forward: bool) -> None:
    """Raise WorkError if a pass takes more memory than allowed."""
    need = game.bytes_needed(forward=forward)
    if need > question.memory:
        raise WorkError(
            f"this race takes {size(need)} ({game.state_values:,} values), more than"
            f" {size(question.memory)}; fewer HP, --special-seasons without or more --memory would do"
        )


@dataclass(frozen=True, eq=False)
class Solved:
    """One order of seats, solved."""

    game: Attrition
    values: AttritionValues
    plays: AttritionPlays | None


def solve_seats(
    question: RaceQuestion, modes: Modes, weights: dict[int, float], note: Note | None = None
) -> dict[int, Solved]:
    """Solve a race for whoever moves first; the second computation is left out where memory is short."""
    solved = {}
    for first in (0, 1) if question.first is None else (question.first,):
        game = race_game(question, modes, first)
        check_size(question, game, forward=False)

        def heard(done: int, total: int, first: int = first) -> None:
            if note is not None:
                note(f"rounds, hero {first + 1} first", done, total)

        values = solve_attrition(game, heard)
        plays = None
        if game.bytes_needed(forward=True) <= question.memory:
            plays = follow_attrition(game, weights, question.hp)
        solved[first] = Solved(game, values, plays)
    return solved


def season_weights(question: RaceQuestion, modes: Modes) -> dict[int, float]:
    """The chance of each root at the beginning: by the copies of base seasons (S1)."""
    names = [question.season] if question.season else base_seasons(question.rules)
    copies = {season.id: season.copies for season in question.rules.seasons}
    total = sum(copies[name] for name in names)
    weights: dict[int, float] = {}
    for name in names:
        root = modes.roots[name]
        weights[root] = weights.get(root, 0.0) + copies[name] / total
    return weights


def race_report(question: RaceQuestion, note: Note | None = None) -> RaceAnswer:
    """Solve a race.

    Raises
    ------
    RequestError
        If a card cannot be raced.
    WorkError
        If it takes too much memory.
    """
    modes = modes_of(question)
    weights = season_weights(question, modes)
    solved = solve_seats(question, modes, weights, note)
    names = [question.season] if question.season else base_seasons(question.rules)
    rows = []
    for name in names:
        found = [
            solved[first].values.value(modes.roots[name], question.hp)
            if first in solved and solved[first].game.fights
            else _at_once(solved, first)
            for first in (0, 1)
        ]
        known = [value for value in found if value is not None]
        rows.append(SeasonRow(name, found[0], found[1], sum(known) / len(known)))
    seats: list[float | None] = []
    differences = []
    for first in (0, 1):
        if first not in solved:
            seats.append(None)
            continue
        each = solved[first]
        value = (
            sum(weight * each.values.value(root, question.hp) for root, weight in weights.items())
            if each.game.fights
            else float(each.game.last == 0)
        )
        seats.append(value)
        if each.plays is not None:
            differences.append(abs(each.plays.win - value))
    known_seats = [value for value in seats if value is not None]
    plays = [each.plays for each in solved.values() if each.plays is not None]
    over = [season.id for season in question.rules.seasons if not season.base and season.copies]
    kept = [name for names in modes.specials for name in names]
    any_game = next(iter(solved.values())).game
    return RaceAnswer(
        heroes=[hero.text for hero in question.heroes],
        hp=list(question.hp),
        cards_left=list(question.cards_left),
        rounds_left=[len(each.game.fights) for each in solved.values()],
        truce=question.truce,
        win=sum(known_seats) / len(known_seats),
        by_seat=seats,
        by_season=rows,
        rounds=_rounds(plays),
        deck_out_share=sum(each.lasted for each in plays) / len(plays) if plays else None,
        spells=_spells(question, modes),
        season_classes=modes.bases,
        special_seasons=kept,
        left_out=[name for name in over if name not in kept],
        largest_hp=list(any_game.largest),
        modes=len(modes.mode_class),
        values=sum(each.game.state_values for each in solved.values()),
        certificate=Certificate(max(differences) if differences else None, SLACK),
    )


def _at_once(solved: dict[int, Solved], first: int) -> float | None:
    """Who has won if no round is left."""
    return float(solved[first].game.last == 0) if first in solved else None


def _rounds(plays: list[AttritionPlays]) -> Rounds | None:
    if not plays:
        return None
    count = len(plays)
    return Rounds(
        sum(each.mean_rounds for each in plays) / count,
        *(round(sum(each.quantile(share) for each in plays) / count) for share in (0.1, 0.5, 0.9)),
    )


def _spells(question: RaceQuestion, modes: Modes) -> list[SpellsRow]:
    """How spells are cast, for heroes who have any choice of it."""
    rows = []
    for side, hero in enumerate(question.heroes):
        if max(hero.spells.values(), default=0) < 2:
            continue
        by_way: dict[tuple[str, ...], list[str]] = {}
        for names, root in ((names, modes.roots[names[0]]) for names in modes.bases):
            way = modes.signatures[modes.mode_class[root]].ways[side]
            said = tuple(attack_name(spell, size) for spell, size in way)
            by_way.setdefault(said, []).extend(names)
        rows += [SpellsRow(side, seasons, list(said)) for said, seasons in by_way.items()]
    return rows
