"""What happens in a whole game, in words: places, choices, battles."""

from __future__ import annotations

from collections import Counter

from analysis.amounts import chance
from analysis.clash.whole_game import Choice, Fought, WholeGame
from engine.clash import layout
from engine.clash.codec import decode, decode_move
from engine.clash.kernel_fighters import ATTACKER_FLED, FLED
from engine.clash.reference import Move, State
from engine.clash.reference_state import Phase, threshold
from engine.clash.rules import ElfRule, UnitRule

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
    """Return the types of a player, or of the elves if it is -1."""
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
        arrives = next(level for level, number in enumerate(state.arriving) if number)
        return f"{unit_types(state, player)[arrives].name} to {place_name(state, values[0])}"
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
    sides = list(zip((state.active, owner), (own, other), map(_counts, left), strict=True))
    lost = [
        army_text(state, player, tuple(had - has for had, has in zip(before, after, strict=True)))
        for player, before, after in sides
    ]
    texts = [army_text(state, player, after) for player, _before, after in sides]
    if fought.outcome & FLED:
        end = "the attacker flees" if fought.outcome & ATTACKER_FLED else "the defender flees"
    else:
        end = "the attacker holds it" if left[0] else "the defender holds it"
    defender = "elves" if elves else state.scenario.clans[owner]
    return (
        f"Battle at {place_name(state, state.battlefield)}, {state.scenario.clans[state.active]} against"
        f" {defender}: {army_text(state, state.active, own)} against {army_text(state, owner, other)},"
        f" chance to hold {chance(fought.table.hold, 0)}. {end[0].upper() + end[1:]}."
        f" Lost: {lost[0]} against {lost[1]}; left: {texts[0]} against {texts[1]}."
    )


def _counts(army: int) -> tuple[int, ...]:
    return tuple(army >> layout.COUNT_BITS * kind & layout.COUNT_MASK for kind in range(layout.NUM_TYPES))


def player_name(state: State, player: int, viewer: int) -> str:
    """Return a player's clan, and whether that is who looks on."""
    clan = state.scenario.clans[player]
    return f"you ({clan})" if player == viewer else clan


def happened(before: State, after: State, viewer: int) -> list[str]:
    """Return what all at the table have seen between two states, but for choices and battles."""
    events = []
    if before.phase == Phase.TACTIC != after.phase:
        shown = [
            f"{player_name(after, player, viewer)} {tactic_text(after, player, card)}"
            for player in after.order
            if (card := after.players[player].chosen) is not None
        ]
        events.append(f"Tactic cards of round {after.round}, in the order of turns: {'; '.join(shown)}.")
    for kind, cards in enumerate(after.elf_cards):
        for old, new in zip(before.elf_cards[kind], cards, strict=True):
            if new is not None and new != old:
                instead = "" if old is None else f" in place of {card_name(after, old)}"
                name = after.rules.elves[kind].name
                events.append(f"{name} among the elves find {card_name(after, new)}{instead}.")
    if after.domination != before.domination:
        scored = after.domination - before.domination
        events.append(f"Elves score {scored}: {after.domination} of {threshold(after)} domination points.")
    if before.round:
        arrived = [
            f"{army_text(after, -1, more)} at {place_name(after, place)}"
            for place, (old, new) in enumerate(zip(before.elves, after.elves, strict=True))
            if any(more := tuple(max(0, has - had) for had, has in zip(old, new, strict=True)))
        ]
        if arrived:
            events.append(f"Elves arrive: {', '.join(arrived)}.")
        market = [
            card_name(after, card)
            for card, (old_copies, copies) in enumerate(zip(before.market, after.market, strict=True))
            if copies and not old_copies
        ]
        if market:
            events.append(f"New on the black market: {', '.join(market)}.")
    return events
