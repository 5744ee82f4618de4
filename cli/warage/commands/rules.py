"""``warage rules``: how a card set is shown."""

from __future__ import annotations

from analysis.warage.wording import effects_text
from cli.rules_commands import Grid, Mark, RulesOf, make_rules_group
from engine.warage.rules import Rules, as_tables, diff_rules, load_rules, to_toml
from engine.warage.rules_schema import SCHEMA


def _said(rules: Rules, mark: Mark, table: str) -> str:
    return mark(*(key for key in rules.provenance if key.startswith(f"{table}.")))


def _match_rows(rules: Rules, mark: Mark) -> Grid:
    grid = []
    for key, value in as_tables(rules)["match"].items():
        said = str(value).lower() if isinstance(value, bool) else str(value)
        grid.append([key, f"{said}{mark(f'match.{key}')}"])
    return ["key", "value"], grid


def _race_rows(rules: Rules, mark: Mark) -> Grid:
    grid = [
        [
            f"{race.id}{_said(rules, mark, f'races.{race.id}')}",
            str(race.hp),
            race.plus,
            race.minus,
            effects_text(race.effects),
        ]
        for race in rules.races
    ]
    return ["race", "HP", "plus", "minus", "ability"], grid


def _class_rows(rules: Rules, mark: Mark) -> Grid:
    grid = [
        [
            f"{each.id}{_said(rules, mark, f'classes.{each.id}')}",
            *map(str, (each.attack, each.defence, each.magic, each.red, each.blue)),
        ]
        for each in rules.classes
    ]
    return ["class", "A", "D", "M", "red", "blue"], grid


def _season_rows(rules: Rules, mark: Mark) -> Grid:
    grid = [
        [
            f"{each.id}{_said(rules, mark, f'seasons.{each.id}')}",
            str(each.copies),
            "-" if each.law == "none" else each.law,
            effects_text(each.effects),
        ]
        for each in rules.seasons
    ]
    return ["season", "copies", "law", "effects"], grid


def _card_rows(rules: Rules, mark: Mark) -> Grid:
    grid = []
    for card in rules.cards:
        slots = f"{card.red}r" if card.red else f"{card.blue}b" if card.blue else "-"
        kind = card.kind if card.encumbrance == "none" else f"{card.kind}, {card.encumbrance}"
        if card.helper_defence:
            kind = f"{kind} (D {card.helper_defence})"
        price = f"{card.cost}/{card.sell}" if card.sell else str(card.cost)
        name = f"{card.id}{_said(rules, mark, f'cards.{card.id}')}"
        grid.append([name, kind, price, slots, effects_text(card.effects)])
    return ["card", "kind", "cost/sell", "slots", "effects"], grid


def _deck_rows(rules: Rules, mark: Mark) -> Grid:
    grid = []
    for deck in rules.decks:
        cards = ", ".join(card if copies == 1 else f"{card} {copies}" for card, copies in deck.cards)
        said = _said(rules, mark, f"decks.{deck.id}")
        grid.append([f"{deck.id}{said}", f"{deck.race}/{deck.hero_class}", str(deck.size), cards])
    return ["deck", "hero", "cards", "list"], grid


rules_group = make_rules_group(
    RulesOf(
        program="warage",
        schema=SCHEMA,
        load_rules=load_rules,
        as_tables=as_tables,
        diff_rules=diff_rules,
        to_toml=to_toml,
        rows={
            "match": _match_rows,
            "races": _race_rows,
            "classes": _class_rows,
            "seasons": _season_rows,
            "cards": _card_rows,
            "decks": _deck_rows,
        },
        section="cards",
        file_lines=('name = "Dearer fireballs"', "[cards.fireball]", "cost = 10"),
    )
)
