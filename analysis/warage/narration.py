"""Matches in words: what a move is, what has happened, how the table looks to one player."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import astuple

from analysis.amounts import counted
from engine.warage.reference_state import GONE, NONE, Item, Kind, Move, Phase, Piece, State
from engine.warage.rules import Rules

PHASES = {
    Phase.FIRST_EQUIPMENT: "first equipment phase",
    Phase.MELEE: "melee phase",
    Phase.MAGIC: "magic phase",
    Phase.SECOND_EQUIPMENT: "second equipment phase",
    Phase.CLOSING: "closing phase",
}
_PLAIN = {
    "hand": "draw a card into the hand",
    "life": "put the next card into the life pile, for its cost in HP",
    "stop": "draw no more",
    "pass": "pass",
}


def hero_names(state: State) -> list[str]:
    """Return what heroes are called: race and class, such as ``Elf Mage``, numbered if that is not enough."""
    setup = state.setup
    names = [f"{setup.race(seat).name} {setup.hero_class(seat).name}" for seat in range(state.num_players)]
    twice = {name for name, count in Counter(names).items() if count > 1}
    return [f"{name} {seat + 1}" if name in twice else name for seat, name in enumerate(names)]


def cards_text(rules: Rules, cards: Sequence[int]) -> str:
    """Return cards with their copies, such as ``Parry 2, War Axe``; a dash for none."""
    counts = Counter(rules.cards[card].name for card in cards)
    return ", ".join(card if copies == 1 else f"{card} {copies}" for card, copies in counts.items()) or "-"


def _cards(number: int) -> str:
    return counted(number, "card")


def _piece(state: State, seat: int, index: int) -> str:
    return state.card(state.heroes[seat].play[index].card).name


def _target(state: State, hero: int, piece: int, item: int) -> str:
    if item != NONE:
        return f" on {item_text(state, state.queue[item])}"
    if hero == NONE:
        return ""
    name = hero_names(state)[hero]
    return f" on {_piece(state, hero, piece)} of {name}" if piece >= 0 else f" on {name}"


def move_text(state: State, move: Move) -> str:
    """Return a decision in words."""
    kind, values = move
    if kind == "keep":
        return "keep the hand"
    if kind == "redraw":
        return f"draw a new hand, of {_cards(state.rules.match.redraw_hand_size)}"
    if kind in _PLAIN:
        return _PLAIN[kind]
    seat = state.priority
    if kind == "buy":
        card = state.card(values[0])
        return f"buy {card.name} for {card.cost}"
    if kind in ("ready", "unready"):
        return f"make {_piece(state, seat, values[0])} {kind}"
    if kind == "sell":
        card = state.card(state.heroes[seat].play[values[0]].card)
        return f"sell {card.name} for {card.sell}"
    if kind == "attack":
        return f"attack{_target(state, values[0], values[1], NONE)}"
    if kind == "cast":
        copies = f" {values[1]}" if values[1] > 1 else ""
        return f"cast {state.card(values[0]).name}{copies}{_target(state, values[2], values[3], NONE)}"
    if kind == "flash":
        card = state.card(values[0])
        return f"play {card.name} for {card.cost}{_target(state, *values[1:4])}"
    if kind == "use":
        return f"use {_piece(state, seat, values[0])}{_target(state, *values[1:4])}"
    return f"use the ability of the {state.setup.race(seat).name}{_target(state, *values[:3])}"


def item_text(state: State, item: Item) -> str:
    """Return an item on the queue in words."""
    names = hero_names(state)
    owner = names[item.owner]
    if item.kind == Kind.MELEE:
        text = f"the attack of {owner}"
    elif item.kind == Kind.MAGIC:
        text = f"{state.card(item.card).name} of {owner}"
    elif item.kind == Kind.ABILITY:
        text = f"the ability of {owner}"
    else:
        text = f"{'the sale of ' if item.kind == Kind.SALE else ''}{state.card(item.card).name} of {owner}"
    if item.hero != NONE and item.piece != GONE and item.kind in (Kind.MELEE, Kind.MAGIC):
        text += _target(state, item.hero, item.piece, NONE)
    return f"{text} (negated)" if item.negated else text


def _in_play(rules: Rules, play: Sequence[Piece]) -> str:
    names = Counter(
        f"{rules.cards[card].name}{'' if ready else ' (unready)'}{'' if active else ' (used)'}"
        for card, ready, active, _ in map(astuple, play)
    )
    return ", ".join(name if copies == 1 else f"{name} {copies}" for name, copies in names.items()) or "-"


def discarded(state: State, seat: int) -> list[int]:
    """Return a hero's discard pile: what is left of its list beside all other zones, and the queue."""
    hero, setup = state.heroes[seat], state.setup.heroes[seat]
    left = Counter({card: copies for card, copies in enumerate(setup.deck) if copies})
    left.subtract({card: copies for card, copies in enumerate(hero.deck) if copies})
    left.subtract([*hero.hand, *hero.life, *(piece.card for piece in hero.play)])
    cards = (Kind.FLASH, Kind.SALE)
    left.subtract(item.card for item in state.queue if item.owner == seat and item.kind in cards)
    return sorted(left.elements())


def table_lines(state: State, seat: int) -> list[str]:
    """Return the table as a player sees it."""
    rules, names = state.rules, hero_names(state)
    seasons = " under ".join(season.name for season in state.seasons()) or "no season yet"
    active = "you" if state.active == seat else names[state.active]
    phase = PHASES.get(state.phase)
    lines = [f"Turn {state.turn}, {seasons}" + (f"; {active}: {phase}" if phase else "")]
    for place, hero in enumerate(state.heroes):
        you = " (you)" if place == seat else ""
        if hero.beaten:
            lines.append(f"{names[place]}{you}: beaten")
            continue
        sizes = f"hand {len(hero.hand)}, deck {sum(hero.deck)}, life pile {len(hero.life)}"
        lines.append(f"{names[place]}{you}: {hero.hp} HP; {sizes}")
        lines.append(f"  in play: {_in_play(rules, hero.play)}")
        lines.append(f"  discarded: {cards_text(rules, discarded(state, place))}")
        if place == seat:
            lines.append(f"  hand: {cards_text(rules, hero.hand)}")
    if state.queue:
        items = "; ".join(item_text(state, item) for item in reversed(state.queue))
        lines.append(f"queue, the top first: {items}")
    return lines


def happened(before: State, after: State, seat: int) -> list[str]:
    """Return what one step has changed that a player sees: seasons, HP, cards that it draws."""
    texts = []
    names = hero_names(before)
    if (before.season, before.special) != (after.season, after.special) and after.season != NONE:
        texts.append(f"The season is {' under '.join(each.name for each in after.seasons())}.")
    for place, (old, new) in enumerate(zip(before.heroes, after.heroes, strict=True)):
        who = "You" if place == seat else names[place]
        if new.beaten and not old.beaten:
            texts.append(f"{who} {'are' if place == seat else 'is'} beaten.")
        elif new.hp != old.hp:
            change = new.hp - old.hp
            verb = ("gain" if change > 0 else "lose") + ("" if place == seat else "s")
            texts.append(f"{who} {verb} {abs(change)} HP: {new.hp}.")
        if place == seat and sum(new.deck) < sum(old.deck) and len(new.hand) > len(old.hand):
            [drawn] = Counter(new.hand) - Counter(old.hand) or [NONE]
            if drawn != NONE:
                texts.append(f"You draw {after.card(drawn).name}.")
        if len(new.life) > len(old.life):
            [laid] = Counter(new.life) - Counter(old.life)
            texts.append(f"{after.card(laid).name} goes into the life pile of {names[place]}.")
    return texts
