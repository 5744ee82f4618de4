"""What cards, units, places and words of the game are, in sentences, for who asks at the table."""

from __future__ import annotations

from analysis.clash.narration import place_name, state_of, tactic_text
from analysis.clash.table import LEVELS, place_text
from analysis.clash.whole_game import WholeGame
from engine.clash.fighters import Card
from engine.clash.reference import State
from engine.clash.rules import Bonus, ClanRule, ElfRule, EquipmentRule, UnitRule

_ICONS = {
    "power": "adds {0} to power",
    "reroll": "rolls all blanks again, {0} in each assault",
    "injury": "adds {0} to the injuries of each assault",
    "shield": "takes {0} off the injuries of each enemy assault",
    "rage": "brings {0} rage at the beginning of each own assault",
    "slow": "adds {0} to slowness",
    "speed": "adds {0} to movement",
    "flight": "flies over mountains and past enemies",
}
_WORDS = {
    "power": "Power is how many dice the strongest type that is present rolls in an assault (B4).",
    "life": "A figure is eliminated when one assault deals it as many injuries as its life (B7).",
    "movement": "Movement is how many territories a figure may go in an action, one point a step (M1).",
    "reroll": "A reroll rolls all blanks of an assault once more (B5).",
    "injury": "An injury icon adds one injury to each assault of its army (B6).",
    "shield": "A shield takes one injury off each assault of the enemy (B6).",
    "rage": "Each rage token adds an injury to all later assaults of its army in this battle. One comes with"
    " each assault that eliminates nobody, and one with each rage icon (B9, B10).",
    "slowness": "Slowness is the sum of the slowness icons of the types present, each type once, equipment"
    " included. Whoever has less begins a battle; if both have the same, the defender does (B2).",
    "speed": "Speed adds to the movement of the whole type (M4).",
    "flight": "Who flies crosses mountains and ignores enemies on the way (M4).",
    "flee": "Instead of rolling, an army may go home to its Bastion with all its survivors (B11).",
    "overrun": "Where as many of your units have stopped as there are enemies, further ones may pass (M3).",
    "control": "You control a territory where only your units stand (M6).",
    "city": "A controlled city counts a victory point, and 3 crystals with each tactic card (V1, T2).",
    "forge": "With a controlled forge an equip action may draw a legendary card for crystals (E3).",
    "stone": "A controlled reinforcement stone brings a unit of its level after each round (S1).",
    "mountains": "Mountains part two territories for all who do not fly (M1, M4).",
    "bastion": "Your Bastion lies outside the board; nobody else enters it, and who flees goes there (M2).",
    "reserve": "Figures that are not on the board; eliminated ones return to it (B13).",
    "legendary": "A kept legendary card is a victory point for good, attached or not (E3, V1).",
    "market": "Six different cards lie on the black market; equal ones are stacked (U3, E2).",
    "crystals": "Crystals come from cities and eliminated elves, and pay for the forge (T2, C3, E3).",
    "gold": "Gold comes with tactic cards and buys equipment (T2, E2).",
    "domination": "Alone you lose once the elves have so many points; forges and cities score for them (X1).",
}
_ALIKE = {
    "slow": "slowness",
    "move": "movement",
    "moves": "movement",
    "mountain": "mountains",
    "crystal": "crystals",
    "fleeing": "flee",
    "shields": "shield",
    "injuries": "injury",
    "rerolls": "reroll",
}


def explained(game: WholeGame, name: str) -> str | None:
    """Return what a card, unit, clan, place or word is, in sentences; None if nothing is called so."""
    state, wanted = state_of(game), " ".join(name.casefold().split())
    for found in (_clan, _card, _unit, _place, _tactic):
        text = found(state, wanted)
        if text is not None:
            return text
    return _WORDS.get(_ALIKE.get(wanted, wanted))


def bonus_text(bonus: Bonus) -> str:
    """Return what icons do, such as `adds 2 to power, adds 1 to slowness`."""
    said = [
        _ICONS[part].format("once" if part == "reroll" and value == 1 else _times(part, value))
        for part, value in zip(bonus._fields, bonus, strict=True)
        if value
    ]
    return ", ".join(said) or "has no icons"


def _times(part: str, value: int) -> str:
    return f"{value} times" if part == "reroll" else str(value)


def _card(state: State, wanted: str) -> str | None:
    cards: list[Card] = [*state.rules.equipment, *state.rules.legendary]
    for card in cards:
        if wanted in (card.id, card.name.casefold()):
            which = "a weapon" if card.space == "weapon" else "an armor"
            cost = f"for {card.cost} gold" if isinstance(card, EquipmentRule) else "among the legendary cards"
            return f"{card.name}: {which} {cost}. It {bonus_text(card.bonus)}."
    return None


def _unit(state: State, wanted: str) -> str | None:
    types: list[UnitRule | ElfRule] = [
        *state.rules.elves,
        *(unit for clan in state.rules.clans for unit in clan.units),
    ]
    return next((_unit_text(kind) for kind in types if wanted in (kind.id, kind.name.casefold())), None)


def _unit_text(kind: UnitRule | ElfRule) -> str:
    figures = f"power {kind.power}, life {kind.life}"
    if isinstance(kind, UnitRule):
        figures += f", movement {kind.move}, {kind.max} figures, level {LEVELS[kind.level]}"
    return f"{kind.name}: {figures}. It {bonus_text(kind.icons)}."


def _clan(state: State, wanted: str) -> str | None:
    for clan in state.rules.clans:
        if wanted in (clan.id, clan.name.casefold()):
            return f"{clan.name}. {' '.join(map(_unit_text, clan.units))} {_cards_text(clan)}"
    if wanted in ("elves", "elf"):
        return " ".join(map(_unit_text, state.rules.elves))
    return None


def _cards_text(clan: ClanRule) -> str:
    return f"Its tactic cards are {', '.join(str(card.order) for card in clan.tactics)}."


def _place(state: State, wanted: str) -> str | None:
    kind, _, number = wanted.rpartition(" ")
    if kind not in ("", "city", "forge", "stone", "plain", "territory") or not number.isdigit():
        return None
    place = int(number) if len(number) < 4 else state.board.num_territories
    if place >= state.board.num_territories:
        return None
    text = f"{place_text(state, place)}."
    if kind not in ("", "territory") and not place_name(state, place).startswith(kind):
        return f"Territory {place} is no {kind}: {text}"
    return text


def _tactic(state: State, wanted: str) -> str | None:
    for player, clan in enumerate(state.scenario.clans):
        for number, card in enumerate(state.rules.clan(clan).tactics):
            if wanted == f"card {card.order}":
                return f"{clan}, {tactic_text(state, player, number)}."
    return None
