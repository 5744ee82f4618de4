"""What happens in a whole game, in words: places, choices, battles."""

from __future__ import annotations

from collections import Counter

from analysis.clash.whole_game import Choice, Fought, WholeGame
from engine.clash import layout
from engine.clash.board import board_of
from engine.clash.codec import decode, decode_move
from engine.clash.fighters import Card
from engine.clash.kernel_fighters import ATTACKER_FLED, FLED
from engine.clash.reference import Move, State
from engine.clash.rules import Bonus, ElfRule, EquipmentRule, UnitRule

_SPACES = ("weapon", "armor")


def place_name(state: State, place: int) -> str:
    """Return the name of a territory, such as `city 12`, or of the Bastion."""
    board = state.board
    if place == board.num_territories:
        return "Bastion"
    kinds = [
        (board.cities, "city"),
        (board.forges, "forge"),
        (tuple(where for where, _ in board.stones), "stone"),
    ]
    for places, kind in kinds:
        if place in places:
            return f"{kind} {place}"
    return f"plain {place}"


def unit_types(state: State, player: int) -> tuple[UnitRule | ElfRule, ...]:
    """Return the types of a player, or of the elves if he is -1."""
    return state.rules.elves if player < 0 else state.rules.clan(state.scenario.clans[player]).units


def army_text(state: State, player: int, counts: tuple[int, ...]) -> str:
    """Return an army such as `2 Pummeler, 1 Kragrider`."""
    both = zip(counts, unit_types(state, player), strict=True)
    return ", ".join(f"{count} {kind.name}" for count, kind in both if count) or "nobody"


def card_name(state: State, card: int) -> str:
    """Return the name of a card."""
    return state.card(card).name


def tactic_text(state: State, player: int, card: int) -> str:
    """Return what a tactic card says."""
    tactic = state.rules.clan(state.scenario.clans[player]).tactics[card]
    return f"card {tactic.order}: {tactic.gold} gold, {army_text(state, player, tactic.units)}"


def move_text(state: State, player: int, move: Move) -> str:
    """Return a move in words."""
    kind, values = move.kind, move.values
    if kind == "card":
        return tactic_text(state, player, values[0])
    if kind == "bastion":
        board = state.board
        beside = ", ".join(place_name(state, place) for place in board.spot_neighbours[values[0]])
        return f"Bastion beside {beside}"
    if kind == "place":
        return f"to {place_name(state, values[0])}"
    if kind == "attach":
        unit = unit_types(state, player)[state.slot // 2].name
        what = "nothing" if values[0] < 0 else card_name(state, values[0])
        return f"{what} as {_SPACES[state.slot % 2]} of {unit}"
    if kind in ("buy", "keep") and values:
        return f"{kind} {card_name(state, values[0])}"
    if kind == "discard":
        return "discard " + " and ".join(card_name(state, card) for card in values)
    if kind == "move":
        unit = unit_types(state, player)[values[0]].name
        return f"{unit} from {place_name(state, values[1])} to {place_name(state, values[2])}"
    if kind == "battle":
        return f"battle at {place_name(state, values[0])}"
    return kind


def state_of(game: WholeGame) -> State:
    """Return the game's state as the reference has it."""
    return decode(game.words, game.rules, game.scenario)


def choice_text(game: WholeGame, choice: Choice) -> str:
    """Return a choice in words, in a game where it can be made."""
    state = state_of(game)
    if choice.marches is None:
        move = decode_move(game.words, game.compiled, choice.move)
        assert isinstance(move, Move)
        return move_text(state, game.decider, move)
    moves = Counter(choice.marches)
    targets: dict[int, list[str]] = {}
    for move, number in moves.items():
        kind, origin, target = move // 1024, move // 32 % 32, move % 32
        unit = unit_types(state, game.decider)[kind].name
        targets.setdefault(target, []).append(f"{number} {unit} from {place_name(state, origin)}")
    parts = [f"{', '.join(units)} to {place_name(state, target)}" for target, units in targets.items()]
    return "march: " + "; ".join(parts)


def fought_text(game: WholeGame, fought: Fought) -> str:
    """Return how a battle went, and how likely it was to be won."""
    state = decode(fought.words, game.rules, game.scenario)
    assert state.battle is not None
    assert state.battlefield is not None
    elves = state.battle.elves
    owner = (
        -1
        if elves
        else next(
            player
            for player in range(state.num_players)
            if player != state.active and any(state.players[player].units[state.battlefield])
        )
    )
    own, other = state.battle.counts
    left = fought.outcome & layout.ARMY_MASK, fought.outcome >> layout.ARMY_BITS & layout.ARMY_MASK
    texts = [
        army_text(state, player, _counts(army))
        for player, army in zip((state.active, owner), left, strict=True)
    ]
    if fought.outcome & FLED:
        end = "the attacker flees" if fought.outcome & ATTACKER_FLED else "the defender flees"
    else:
        end = "the attacker holds it" if left[0] else "the defender holds it"
    return (
        f"Battle at {place_name(state, state.battlefield)}: {army_text(state, state.active, own)} against"
        f" {'elves: ' if elves else ''}{army_text(state, owner, other)}, chance to hold"
        f" {fought.table.hold:.2f}. {end[0].upper() + end[1:]}; left: {texts[0]} against {texts[1]}."
    )


def _counts(army: int) -> tuple[int, ...]:
    return tuple(army >> layout.COUNT_BITS * kind & layout.COUNT_MASK for kind in range(layout.NUM_TYPES))


def table_lines(state: State, player: int) -> list[str]:
    """Return what lies on the table, as a player sees it."""
    own = state.players[player]
    board = board_of(state.rules, state.scenario)
    lines = [f"Round {state.round}, action {state.action}" if state.action else f"Round {state.round}"]
    if state.is_solo:
        lines[0] += f"; elves have {state.domination} of {_threshold(state)} domination points"
    for index, each in enumerate(state.players):
        name = "you" if index == player else f"player {index + 1}"
        points = _points(state, index)
        lines.append(
            f"  {name} ({state.scenario.clans[index]}): {points} points, {each.gold} gold,"
            f" {each.crystals} crystals"
        )
        cards = [
            f"{unit_types(state, index)[slot // 2].name}: {card_name(state, card)}"
            for slot, card in enumerate(each.attached)
            if card is not None
        ]
        if cards:
            lines.append("    " + ", ".join(cards))
    for place in range(board.num_territories):
        there = []
        if any(state.elves[place]):
            there.append("elves: " + army_text(state, -1, state.elves[place]))
        for index, each in enumerate(state.players):
            if any(each.units[place]):
                name = "you" if index == player else state.scenario.clans[index]
                there.append(f"{name}: " + army_text(state, index, each.units[place]))
        name = place_name(state, place)
        if there or not name.startswith("plain"):
            beside = " ".join(str(other) for other in board.open[place])
            lines.append(f"  {name} (to {beside}): {'; '.join(there) or 'nobody'}")
    for index, each in enumerate(state.players):
        if any(each.units[-1]) and index == player:
            lines.append("  Bastion: " + army_text(state, index, each.units[-1]))
        elif any(each.units[-1]):
            lines.append(f"  Bastion of player {index + 1}: " + army_text(state, index, each.units[-1]))
    market = [card_name(state, card) for card, copies in enumerate(state.market) if copies]
    lines.append("  Market: " + ", ".join(market))
    lines.append("  Your hand: " + ", ".join(f"{_order(state, player, card)}" for card in own.hand))
    return lines


def _order(state: State, player: int, card: int) -> int:
    return state.rules.clan(state.scenario.clans[player]).tactics[card].order


def _points(state: State, player: int) -> int:
    from engine.clash.reference_state import points

    return points(state, player)


def _threshold(state: State) -> int:
    from engine.clash.rules_schema import DIFFICULTIES

    assert state.scenario.difficulty is not None
    return state.rules.solo.thresholds[DIFFICULTIES.index(state.scenario.difficulty)]


def explained(game: WholeGame, name: str) -> str | None:
    """Return what a card, unit or place is, in a sentence; None if nothing is called so."""
    state = state_of(game)
    rules, wanted = state.rules, name.strip().casefold()
    cards: list[Card] = [*rules.equipment, *rules.legendary]
    for card in cards:
        if wanted in (card.id, card.name.casefold()):
            cost = f", {card.cost} gold" if isinstance(card, EquipmentRule) else ", legendary"
            return f"{card.name}: {card.space}{cost}; {_icons(card.bonus)}."
    types: list[UnitRule | ElfRule] = [
        *rules.elves,
        *(unit for clan in rules.clans for unit in clan.units),
    ]
    for kind in types:
        if wanted in (kind.id, kind.name.casefold()):
            moves = f", moves {kind.move}" if isinstance(kind, UnitRule) else ""
            return f"{kind.name}: power {kind.power}, life {kind.life}{moves}; {_icons(kind.icons)}."
    places = range(state.board.num_territories)
    for place in places:
        if wanted in (str(place), place_name(state, place)):
            beside = ", ".join(place_name(state, other) for other in state.board.open[place])
            return f"{place_name(state, place)}: next to {beside}."
    return None


def _icons(bonus: Bonus) -> str:
    said = [f"{part} {value}" for part, value in zip(bonus._fields, bonus, strict=True) if value]
    return ", ".join(said) or "no icons"
