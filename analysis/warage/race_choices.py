"""Races with decisions: pieces that may be sold at any time, in reply too; attacks that may be declined."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from analysis.amounts import size
from analysis.errors import RequestError, WorkError
from analysis.front.question import Running
from analysis.warage.game import GAME
from analysis.warage.loadouts import Loadout, Table, base_seasons
from analysis.warage.questions.solve import Certificate, Decisions, RaceAnswer, SeasonRow, Solve
from analysis.warage.race import SLACK, RaceQuestion, race_game, race_question, race_report, season_weights
from analysis.warage.race_modes import Modes, race_modes, signature
from engine.warage.combat import NO_DAMAGE, Law, law
from engine.warage.rules import CardRule, Rules
from solver.stochastic.attrition import solve_attrition
from solver.stochastic.attrition_choices import Choices, solve_choices

Pieces = tuple[tuple[CardRule, ...], tuple[CardRule, ...]]


def answer(asked: Solve, running: Running) -> RaceAnswer:
    """Solve a race, with decisions if any are allowed."""
    rules = GAME.rules_of(asked.rules)
    decides = bool(asked.sell or asked.other_sell or asked.decline)
    if decides and asked.race.special_seasons == "with":
        raise RequestError("a race with decisions leaves special season cards out", "--special-seasons")
    said = asked.race.totals.hp or asked.race.totals.other_hp or asked.race.rounds_left is not None
    question = race_question(
        rules,
        asked.heroes,
        asked.race,
        season=asked.season,
        first={"hero": 0, "other": 1}.get(asked.first),
        truce=asked.start == "truce" if asked.start else not said,
    )
    if decides:
        pieces = (
            pieces_of(rules, question.heroes[0], asked.sell, "--sell"),
            pieces_of(rules, question.heroes[1], asked.other_sell, "--other-sell"),
        )
        return choice_report(question, pieces, may_decline=asked.decline)
    return race_report(question, running.note)


def pieces_of(rules: Rules, hero: Loadout, asked: Mapping[str, int], option: str) -> tuple[CardRule, ...]:
    """Return the cards in play that a hero may sell.

    Raises
    ------
    RequestError
        If one is not in play, or cannot be sold.
    """
    for name, copies in asked.items():
        card = rules.card(name)
        if sum(each.id == name for each in hero.cards) < copies:
            names = ", ".join(dict.fromkeys(each.id for each in hero.cards)) or "nothing"
            raise RequestError(f"{name}: {hero.text} has in play {names}", option)
        if not card.sell:
            raise RequestError(f"{name} has no selling value (E8)", option)
        if card.kind == "spell":
            raise RequestError(f"{name}: spells are not sold in a race; name equipment or amulets", option)
    return tuple(rules.card(name) for name, copies in asked.items() for _ in range(copies))


def _left(hero: Loadout, pieces: tuple[CardRule, ...], mask: int) -> Loadout:
    """The loadout when of these pieces only those of a set are left."""
    for number, card in enumerate(pieces):
        if not mask >> number & 1:
            hero = hero.without(card.id)
    return hero


def race_choices(
    question: RaceQuestion, modes: Modes, pieces: Pieces, first: int, *, may_decline: bool
) -> Choices:
    """Return a race with decisions.

    Raises
    ------
    RequestError
        If seasons that are alike with all pieces are not without one of them.
    """
    sets = (1 << len(pieces[0]), 1 << len(pieces[1]))
    game = race_game(question, modes, first)
    prices = tuple(tuple(card.sell for card in side) for side in pieces)
    own_rounds = [(len(game.fights) + (side == first)) // 2 for side in (0, 1)]
    tables = {
        (one, other, base): Table(
            question.rules,
            (_left(question.heroes[0], pieces[0], one), _left(question.heroes[1], pieces[1], other)),
            base,
        )
        for one, other in np.ndindex(sets)
        for names in modes.bases
        for base in names
    }
    gains = np.zeros((*sets, len(modes.signatures), 2), np.int64)
    laws: dict[tuple[int, int, int, int, int], Law] = {}
    numbers = [0] * 2
    ways: list[list[tuple[tuple[str | None, int], ...]]] = [[], []]
    for names in modes.bases:
        group = modes.mode_class[modes.roots[names[0]]]
        while len(ways[0]) <= group:
            ways[0].append(())
            ways[1].append(())
        for side in (0, 1):
            ways[side][group] = modes.signatures[group].ways[side]
            numbers[side] = max(numbers[side], len(ways[side][group]))
        for one, other in np.ndindex(sets):
            for side in (0, 1):
                for attack, (spell, copies) in enumerate(ways[side][group]):
                    found = [law(tables[one, other, base].attack(side, spell, copies)) for base in names]
                    if any(each != found[0] for each in found):
                        said = "a season that counts for one of the pieces alone is not raced with decisions"
                        raise RequestError(said)
                    laws[one, other, group, side, attack] = found[0]
            gains[one, other, group] = signature(tables[one, other, names[0]]).gains
    width = 1 + max(damage for each in laws.values() for damage, _ in each)
    attacks: list[list[list[np.ndarray]]] = [[], []]
    for side in (0, 1):
        for group, way in enumerate(ways[side]):
            stack = []
            for attack in range(len(way)):
                table = np.zeros((*sets, 2, width))
                for one, other in np.ndindex(sets):
                    each = laws.get((one, other, group, side, attack), NO_DAMAGE)
                    for (damage, six), chance in each.items():
                        table[one, other, int(six), damage] += float(chance)
                stack.append(table)
            attacks[side].append(stack)
    largest = [
        question.hp[side] + sum(prices[side]) + int(gains[..., side].max()) * own_rounds[side]
        for side in (0, 1)
    ]
    return Choices(
        game=replace(game, largest=(largest[0], largest[1])),
        attacks=attacks,
        gains=gains,
        prices=(prices[0], prices[1]),
        may_decline=may_decline,
    )


def choice_report(question: RaceQuestion, pieces: Pieces, *, may_decline: bool) -> RaceAnswer:
    """Solve a race with decisions, beside the same race without; special season cards are left out.

    Raises
    ------
    RequestError
        If a card cannot be raced.
    WorkError
        If it takes too much memory.
    """
    question = replace(question, specials=False)
    modes = race_modes(question.rules, question.heroes, specials=False)
    weights = season_weights(question, modes)
    names = [question.season] if question.season else base_seasons(question.rules)
    firsts = (0, 1) if question.first is None else (question.first,)
    found: dict[int, np.ndarray] = {}
    plain: dict[int, np.ndarray] = {}
    differences = []
    for first in firsts:
        asked = race_choices(question, modes, pieces, first, may_decline=may_decline)
        cells = asked.sets[0] * asked.sets[1] * asked.game.largest[0] * asked.game.largest[1]
        need = 8 * cells * asked.game.modes_at(len(asked.game.fights))
        if need > question.memory:
            raise WorkError(
                f"this race takes {size(need)}, more than {size(question.memory)};"
                " fewer pieces, HP or more --memory would do"
            )
        if not asked.game.fights:
            raise RequestError("no round is left in which anything could be decided", "--rounds-left")
        found[first] = solve_choices(asked)
        without = race_choices(question, modes, ((), ()), first, may_decline=False)
        plain[first] = solve_choices(without)
        place = (question.hp[0] - 1, question.hp[1] - 1)
        again = solve_attrition(race_game(question, modes, first)).values[0]
        differences.append(
            float(np.abs(plain[first][:, place[0], place[1]] - again[:, place[0], place[1]]).max())
        )

    def at(table: np.ndarray, root: int) -> float:
        return float(table[root, question.hp[0] - 1, question.hp[1] - 1])

    def mean(tables: dict[int, np.ndarray], first: int) -> float:
        return sum(weight * at(tables[first], root) for root, weight in weights.items())

    rows = []
    for name in names:
        cells_of = [at(found[first], modes.roots[name]) if first in found else None for first in (0, 1)]
        known = [value for value in cells_of if value is not None]
        rows.append(SeasonRow(name, cells_of[0], cells_of[1], sum(known) / len(known)))
    over = [season.id for season in question.rules.seasons if not season.base and season.copies]
    undecided = sum(mean(plain, first) for first in firsts) / len(firsts)
    return RaceAnswer(
        heroes=[hero.text for hero in question.heroes],
        hp=list(question.hp),
        cards_left=list(question.cards_left),
        rounds_left=[question.horizon(first)[0] for first in firsts],
        truce=question.truce,
        win=sum(mean(found, first) for first in firsts) / len(firsts),
        by_seat=[mean(found, first) if first in found else None for first in (0, 1)],
        by_season=rows,
        spells=[],
        season_classes=modes.bases,
        special_seasons=[],
        left_out=over,
        largest_hp=list(question.hp),
        certificate=Certificate(max(differences), SLACK),
        decisions=Decisions([[card.id for card in side] for side in pieces], may_decline, undecided),
    )
