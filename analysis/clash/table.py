"""What lies on the table of a whole game, all of it that is open, in lines (N1)."""

from __future__ import annotations

from analysis.clash.narration import army_text, card_name, place_name, player_name, tactic_text, unit_types
from engine.clash.reference import State
from engine.clash.reference_state import Phase, points, reserve, threshold
from engine.clash.rules_schema import SPACES

LEVELS = ("", "I", "II", "III")


def table_lines(state: State, player: int) -> list[str]:
    """Return what lies on the table, as a player sees it.

    Up to its first colon each line is another, and the same at every time: so what has changed can be told.
    """
    lines = [_round_line(state, player)]
    for index in range(state.num_players):
        lines += _player_lines(state, index, player)
    lines.append("  Elves carry: " + _elf_cards(state))
    if state.is_solo:
        lines.append("  Elves still in the bag: " + army_text(state, -1, state.bag))
    lines += [_place_line(state, place, player) for place in range(state.board.num_territories)]
    lines += _market_lines(state)
    hand = "; ".join(tactic_text(state, player, card) for card in state.players[player].hand)
    lines.append(f"  Your hand: {hand or 'nothing'}")
    return lines


def place_text(state: State, place: int) -> str:
    """Return a territory's name, the level of its stone, and where one gets from there (M1, M4)."""
    board = state.board
    stones = dict(board.stones)
    name = place_name(state, place)
    if name.startswith("stone"):
        name += f" of level {LEVELS[stones[place]]}"
    beside = " ".join(map(str, board.open[place]))
    over = " ".join(str(other) for other in board.neighbours[place] if other not in board.open[place])
    return f"{name} (to {beside}{f'; over mountains to {over}' if over else ''})"


def _round_line(state: State, player: int) -> str:
    line = f"Round {state.round}" + (f", action {state.action}" if state.action else "")
    line += f"; {state.goal} points win"
    if state.order and state.phase > Phase.TACTIC and not state.is_solo:
        order = ", ".join(player_name(state, each, player) for each in state.order)
        line += f"; turns in the order {order}"
    if state.is_solo:
        line += f"; elves have {state.domination} of {threshold(state)} domination points"
    return line


def _player_lines(state: State, index: int, player: int) -> list[str]:
    each, clan = state.players[index], state.scenario.clans[index]
    types = unit_types(state, index)
    number = points(state, index)
    said = f"{number} point{'' if number == 1 else 's'}, {each.gold} gold, {each.crystals} crystals"
    lines = [f"  {player_name(state, index, player)}: {said}"]
    sheet = [
        f"{card_name(state, card)} as {SPACES[slot % 2]} of {types[slot // 2].name}"
        for slot, card in enumerate(each.attached)
        if card is not None
    ]
    lines.append(f"    {clan}, equipment: " + (", ".join(sheet) or "none"))
    beside = list(each.cards)
    for card in each.attached:
        if card is not None:
            beside.remove(card)
    if beside:
        lines.append(f"    {clan}, beside the sheet: " + ", ".join(card_name(state, card) for card in beside))
    legends = [card_name(state, card) for card in each.cards if card >= len(state.rules.equipment)]
    if legends:
        lines.append(f"    {clan}, legendary cards, a point each: " + ", ".join(legends))
    lines.append(f"    {clan}, reserve: " + army_text(state, index, reserve(state, index)))
    if each.bastion is not None:
        around = ", ".join(place_name(state, place) for place in state.board.spot_neighbours[each.bastion])
        lines.append(f"    {clan}, Bastion beside {around}: " + army_text(state, index, each.units[-1]))
    # A card that is chosen but not revealed lies on no pile yet (T1).
    discard = [str(state.clan(index).tactics[card].order) for card in each.discard]
    lines.append(f"    {clan}, cards on the discard pile: " + (", ".join(discard) or "none"))
    return lines


def _elf_cards(state: State) -> str:
    carried = [
        f"{kind.name} {' and '.join(card_name(state, card) for card in cards if card is not None)}"
        for kind, cards in zip(state.rules.elves, state.elf_cards, strict=True)
        if any(card is not None for card in cards)
    ]
    return "; ".join(carried) or "nothing"


def _place_line(state: State, place: int, player: int) -> str:
    there = []
    if any(state.elves[place]):
        there.append("elves " + army_text(state, -1, state.elves[place]))
    for index, each in enumerate(state.players):
        if any(each.units[place]):
            name = "you" if index == player else state.scenario.clans[index]
            there.append(f"{name} {army_text(state, index, each.units[place])}")
    return f"  {place_text(state, place)}: {'; '.join(there) or 'nobody'}"


def _market_lines(state: State) -> list[str]:
    market = [
        f"{rule.name} for {rule.cost} gold" + (f" ({copies} of them)" if copies > 1 else "")
        for rule, copies in zip(state.rules.equipment, state.market, strict=True)
        if copies
    ]
    lines = ["  Black market: " + (", ".join(market) or "empty")]
    under = f", under it {', '.join(card_name(state, card) for card in state.under)}" if state.under else ""
    legends = len(state.legendary)
    lines.append(f"  Decks: {sum(state.deck)} equipment cards{under}; {legends} legendary cards")
    return lines
