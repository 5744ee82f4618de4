"""What is wrong between values of a rules file of Warage that are each allowed on their own."""

from collections.abc import Iterator, Sequence
from typing import Any

from engine.rulefiles import MISSING, Problem, unknown
from engine.rulelayers import Draft
from engine.warage.effects import CHOSEN, Known, effect_of, wrong_together, wrong_words
from engine.warage.loops import find_loop, uses_of
from engine.warage.rules_schema import (
    BASE_SEASONS,
    COLOURS,
    MAX_BOTTOM,
    MAX_CARDS,
    MAX_CLASSES,
    MAX_DECK,
    MAX_RACES,
    MAX_SEASONS,
    one_of,
)

_TRIGGERS_OF = {
    "flash": ("play",),
    "spell": ("attack", "use"),
    "equipment": ("ready", "opening", "closing", "use", "hit", "hurt", "season-change"),
    "amulet": ("ready", "opening", "closing", "use", "hit", "hurt", "season-change"),
    "helper": ("ready", "opening", "closing", "use", "hit", "hurt", "season-change"),
    "race": ("use",),
    "season": ("ready", "opening", "closing"),
}
"""What may set off an effect of each kind of card."""
_MOST = {"cards": MAX_CARDS, "races": MAX_RACES, "classes": MAX_CLASSES, "seasons": MAX_SEASONS}


def contradictions(draft: Draft) -> Iterator[Problem]:
    """Yield what is wrong: effects, slots, prices, seasons, decks, and loops that give infinite HP."""
    yield from _counts(draft)
    yield from _match(draft)
    sound = True
    for problem in _all_effects(draft):
        sound = False
        yield problem
    for card in draft.entries["cards"]:
        yield from _card(draft, card)
    yield from _races(draft)
    yield from _seasons(draft)
    draft.set_aside("decks", _deck)
    for deck in draft.entries["decks"]:
        yield from _deck(draft, deck)
    if sound:
        yield from _loops(draft)


def _counts(draft: Draft) -> Iterator[Problem]:
    for table, most in _MOST.items():
        entries = draft.entries[table]
        if len(entries) > most:
            file = list(entries.values())[-1]
            yield Problem(file, table, "", MISSING, f"too many: {len(entries)}", f"at most {most}")


def _match(draft: Draft) -> Iterator[Problem]:
    """A redraw is of no more cards than the first hand; a hero begins below infinity (W2)."""
    hand, redraw = (draft.leaves[f"match.{key}"] for key in ("hand_size", "redraw_hand_size"))
    if redraw.value > hand.value:
        reason = f"a redraw of {redraw.value} cards after a hand of {hand.value}"
        file = draft.files([hand, redraw])
        yield Problem(file, "match", "redraw_hand_size", redraw.value, reason, f"a number up to {hand.value}")
    cap = draft.leaves["match.infinite_hp"]
    for race in draft.entries["races"]:
        hp = draft.leaves[f"races.{race}.hp"]
        if hp.value >= cap.value:
            reason = f"infinite_hp is {cap.value}: the hero has won before it begins"
            file = draft.files([hp, cap])
            yield Problem(file, f"races.{race}", "hp", hp.value, reason, f"less than {cap.value}")


def _known(draft: Draft) -> Known:
    return Known(
        tuple(draft.entries["seasons"]),
        BASE_SEASONS,
        tuple(draft.entries["races"]),
        tuple(draft.entries["classes"]),
    )


def _all_effects(draft: Draft) -> Iterator[Problem]:
    for table, kind in (("races", "race"), ("seasons", "season"), ("cards", "")):
        for entry in draft.entries[table]:
            path = f"{table}.{entry}"
            yield from _effects(draft, path, kind or draft.leaves[f"{path}.kind"].value)


def _effects(draft: Draft, path: str, kind: str) -> Iterator[Problem]:
    """Words, what goes together, and triggers that such a card cannot have."""
    leaf, known = draft.leaves[f"{path}.effects"], _known(draft)
    before = len(leaf.value)

    def problem(number: int, words: Any, reason: str, allowed: str) -> Problem:
        place = "effects" if before == 1 else f"effects[{number + 1}]"
        return Problem(leaf.file, path, place, words, reason, allowed)

    triggers = []
    for number, words in enumerate(leaf.value):
        wrong = list(wrong_words(words, known)) or list(wrong_together(words, known))
        for reason, allowed in wrong:
            yield problem(number, words, reason, allowed)
        if wrong:
            continue
        trigger = words["trigger"]
        triggers.append(trigger)
        if trigger not in _TRIGGERS_OF[kind]:
            reason = f"{one_of(kind)} has no effect of the trigger {trigger}"
            if kind == "race":
                reason += ": an ability works when its player uses it, in its own round (E6)"
            yield problem(number, words, reason, ", ".join(_TRIGGERS_OF[kind]))
        elif kind == "season" and effect_of(words).target != "self":
            yield problem(number, words, "a season card is in force for every hero", 'target = "self"')
        elif kind in ("spell", "race") and words.get("limit", 1) == 0:
            yield problem(number, words, f"{one_of(kind)} works once a turn (E4, E6)", "limit = 1")
    if len(triggers) < before:
        return
    if kind in ("flash", "spell") and not triggers:
        reason = f"{one_of(kind)} needs an effect"
        yield Problem(leaf.file, path, "effects", leaf.value, reason, ", ".join(_TRIGGERS_OF[kind]))
    if kind == "spell" and len(set(triggers)) > 1:
        reason = "a spell is either an attack or a use (E4)"
        yield Problem(leaf.file, path, "effects", leaf.value, reason, "effects of one trigger")
    effects = [effect_of(words) for words in leaf.value]
    if sum(effect.target in CHOSEN for effect in effects) > 1:
        reason = "two effects that choose a target"
        yield Problem(leaf.file, path, "effects", leaf.value, reason, "at most one of them")
    uses = [effect for effect in effects if effect.trigger == "use"]
    if any(effect.limit == 0 for effect in uses) and not any(effect.cost_hp for effect in uses):
        reason, allowed = "a use without bound: no limit and no cost_hp", "limit = 1, or a cost_hp"
        yield Problem(leaf.file, path, "effects", leaf.value, reason, allowed)
    if len({effect.limit for effect in uses}) > 1:
        reason = "uses of one card with different limits: they work together"
        yield Problem(leaf.file, path, "effects", leaf.value, reason, "one limit")


def _card(draft: Draft, card: str) -> Iterator[Problem]:
    """Prices and slots (E1, E6, E7, H1)."""
    path = f"cards.{card}"
    cost, sell, kind, encumbrance, defence = (
        draft.leaves[f"{path}.{key}"] for key in ("cost", "sell", "kind", "encumbrance", "helper_defence")
    )
    slots = {colour: draft.leaves[f"{path}.slots.{colour}"] for colour in COLOURS}
    if sell.value and sell.value >= cost.value:
        reason = f"it sells for {sell.value} and costs {cost.value}"
        file = draft.files([sell, cost])
        yield Problem(file, path, "sell", sell.value, reason, "less than the cost")
    need = {"equipment": "red", "amulet": "red", "spell": "blue"}.get(kind.value)
    for colour, leaf in slots.items():
        if colour == need and not leaf.value:
            yield Problem(
                draft.files([leaf, kind]),
                path,
                f"slots.{colour}",
                0,
                f"{kind.value} without {colour} slots",
                "at least 1",
            )
        elif colour != need and leaf.value:
            file = draft.files([leaf, kind])
            yield Problem(file, path, f"slots.{colour}", leaf.value, f"{kind.value} with {colour} slots", "0")
        elif leaf.value and draft.entries["classes"]:
            most = max(
                draft.leaves[f"classes.{name}.slots.{colour}"].value for name in draft.entries["classes"]
            )
            if leaf.value > most:
                reason = f"no class has so many {colour} slots"
                yield Problem(leaf.file, path, f"slots.{colour}", leaf.value, reason, f"at most {most}")
    if kind.value == "flash" and sell.value:
        yield Problem(
            draft.files([sell, kind]), path, "sell", sell.value, "a flash with a selling value", "0"
        )
    if encumbrance.value != "none" and kind.value not in ("equipment", "amulet"):
        reason = f"{one_of(kind.value)} has no encumbrance"
        yield Problem(encumbrance.file, path, "encumbrance", encumbrance.value, reason, '"none"')
    if defence.value and kind.value != "helper":
        reason = f"{kind.value} is no helper"
        yield Problem(defence.file, path, "helper_defence", defence.value, reason, "0")


def _races(draft: Draft) -> Iterator[Problem]:
    """A season cannot favour a race and hinder it (S2)."""
    for race in draft.entries["races"]:
        plus, minus = (draft.leaves[f"races.{race}.{key}"] for key in ("plus", "minus"))
        if plus.value == minus.value != "none":
            reason = f"{plus.value} favours and hinders it"
            file = draft.files([plus, minus])
            yield Problem(file, f"races.{race}", "minus", minus.value, reason, "another season")


def _seasons(draft: Draft) -> Iterator[Problem]:
    """All four base seasons are there, without a law of their own; the first card is one of them (S1, S4)."""
    for season in BASE_SEASONS:
        if season not in draft.entries["seasons"]:
            reason = "is missing: races and abilities name it"
            yield Problem(draft.base, f"seasons.{season}", "copies", MISSING, reason, "at least 0 copies")
            continue
        law = draft.leaves[f"seasons.{season}.law"]
        effects = draft.leaves[f"seasons.{season}.effects"]
        for key, leaf, allowed in (("law", law, '"none"'), ("effects", effects, "[]")):
            if leaf.value not in ("none", []):
                reason = "a base season has only what races say of it"
                yield Problem(leaf.file, f"seasons.{season}", key, leaf.value, reason, allowed)
    copies = [
        draft.leaves[f"seasons.{season}.copies"]
        for season in BASE_SEASONS
        if season in draft.entries["seasons"]
    ]
    special = [
        draft.leaves[f"seasons.{season}.copies"]
        for season in draft.entries["seasons"]
        if season not in BASE_SEASONS
    ]
    if sum(leaf.value for leaf in special) > MAX_BOTTOM:
        reason = f"{sum(leaf.value for leaf in special)} special season cards"
        file = draft.files(special)
        yield Problem(file, "seasons", "", MISSING, reason, f"at most {MAX_BOTTOM} in all")
    if not sum(leaf.value for leaf in copies):
        reason = "no base season in the deck"
        yield Problem(draft.files(copies), "seasons.spring", "copies", 0, reason, "at least 1 in all")


def parse_copies(text: str) -> tuple[str, int] | None:
    """Read `war-axe 3`, or `war-axe`; None if it is neither."""
    name, _, number = text.partition(" ")
    if not number:
        return name, 1
    return (name, int(number)) if number.isascii() and number.isdigit() and int(number) > 0 else None


def _deck(draft: Draft, deck: str) -> Iterator[Problem]:
    """Race, class, at least 48 cards, at most 3 copies of a card, 1 of an amulet (H2)."""
    path = f"decks.{deck}"
    for key, table in (("race", "races"), ("class", "classes")):
        leaf = draft.leaves[f"{path}.{key}"]
        if leaf.value not in draft.entries[table]:
            reason = unknown(key, leaf.value, draft.entries[table])
            yield Problem(leaf.file, path, key, leaf.value, reason, ", ".join(draft.entries[table]))
    leaf = draft.leaves[f"{path}.cards"]
    kinds = {card: draft.leaves[f"cards.{card}.kind"].value for card in draft.entries["cards"]}
    least, most = (draft.leaves[f"match.{key}"].value for key in ("min_deck", "max_copies"))
    hand = draft.leaves["match.hand_size"]
    size = sum(pair[1] for pair in map(parse_copies, leaf.value) if pair is not None)
    if size < hand.value:
        reason = f"{size} cards, and a hand of {hand.value} is dealt from them (match.hand_size)"
        yield Problem(
            draft.files([leaf, hand]), path, "cards", MISSING, reason, f"{hand.value} cards at least"
        )
    for reason, allowed in wrong_deck(leaf.value, kinds, least, most):
        yield Problem(
            leaf.file, path, "cards", leaf.value if len(leaf.value) < 4 else MISSING, reason, allowed
        )


def wrong_deck(
    cards: Sequence[str], kinds: dict[str, str], least: int, most: int
) -> Iterator[tuple[str, str]]:
    """Yield what is wrong with a deck's list of cards, and what is allowed (H2)."""
    copies: dict[str, int] = {}
    for text in cards:
        pair = parse_copies(text)
        if pair is None:
            yield f'"{text}" is not a card with its copies', '"war-axe 3", or "war-axe"'
        elif pair[0] not in kinds:
            yield f"{pair[0]}: {unknown('card', pair[0], kinds)}", "a card of [cards]"
        else:
            copies[pair[0]] = copies.get(pair[0], 0) + pair[1]
    for card, number in copies.items():
        limit = 1 if kinds[card] == "amulet" else most
        if number > limit:
            of = " of an amulet" if kinds[card] == "amulet" else ""
            yield f"{number} copies of {card}", f"at most {limit}{of}"
    total = sum(copies.values())
    if not least <= total <= MAX_DECK:
        yield f"{total} cards", f"from {least} to {MAX_DECK} beside race and class"


def _loops(draft: Draft) -> Iterator[Problem]:
    """No loop that gives infinite HP (W2): the one that is found is shown."""
    uses = [
        use
        for card in draft.entries["cards"]
        for use in uses_of(card, [effect_of(words) for words in draft.leaves[f"cards.{card}.effects"].value])
    ]
    loop = find_loop(uses, BASE_SEASONS)
    if loop is not None:
        leaf = draft.leaves[f"cards.{loop.uses[0].card}.effects"]
        yield Problem(
            leaf.file,
            f"cards.{loop.uses[0].card}",
            "effects",
            MISSING,
            f"infinite HP: {loop}",
            "a limit, or a cost_hp that is at least what is gained",
        )
