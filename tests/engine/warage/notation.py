"""Short notation for moves, and states somewhere in the middle of a match.

A move is its kind and its values, cards by name and trailing -1 left out: `flash parry`, `attack 1`,
`cast fireball 2 1`. An outcome of chance is its number.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from engine.protocol import choices
from engine.warage import reference
from engine.warage.reference import Move, Phase, Piece, State, setup_of, step
from engine.warage.reference_round import settled
from engine.warage.reference_state import Do, Task
from engine.warage.rules import Rules, load_rules

BOX = load_rules()
_OF_CARDS = ("buy", "flash", "cast")
_LENGTHS = {"attack": 2, "cast": 4, "flash": 4, "use": 4, "ability": 3, "buy": 1, "sell": 1}


def move_text(rules: Rules, move: Move | int) -> str:
    if isinstance(move, int):
        return str(move)
    values: list[Any] = list(move.values)
    while len(values) > 1 and values[-1] == -1:
        values.pop()
    if move.kind == "ability" and values == [-1]:
        values = []
    if move.kind in _OF_CARDS:
        values[0] = rules.cards[values[0]].id
    return " ".join((move.kind, *map(str, values)))


def move_of(rules: Rules, text: str) -> Move | int:
    """The move, or the outcome, that `move_text` wrote."""
    kind, *values = text.split()
    if not kind.isalpha():
        return int(kind)
    numbers = [rules.card_numbers[value] if value in rules.card_numbers else int(value) for value in values]
    numbers += [-1] * (_LENGTHS.get(kind, len(numbers)) - len(numbers))
    return Move(kind, tuple(numbers))


def options(state: State) -> list[str]:
    """Every move, or outcome, of a state."""
    return [move_text(state.rules, move) for move in choices(reference, state)]


def play(state: State, *texts: str) -> State:
    """The state after these moves and outcomes."""
    for text in texts:
        assert text in options(state), f"{text}: not among {options(state)}"
        state = step(state, move_of(state.rules, text))
    return state


def numbers(cards: str | Sequence[str], rules: Rules = BOX) -> tuple[int, ...]:
    """The numbers of cards, ascending."""
    names = cards.split() if isinstance(cards, str) else cards
    return tuple(sorted(rules.card_numbers[name] for name in names))


def pieces(cards: str, rules: Rules = BOX) -> tuple[Piece, ...]:
    """Cards in play, in order: `axe` ready, `-axe` unready, `~spell` asleep."""
    found = []
    for word in cards.split():
        name = word.lstrip("-~")
        found.append(Piece(rules.card_numbers[name], ready="-" not in word[:1], awake="~" not in word[:1]))
    return tuple(found)


def counts(cards: str, rules: Rules = BOX) -> tuple[int, ...]:
    """Copies by card."""
    deck = [0] * len(rules.cards)
    for number in numbers(cards, rules):
        deck[number] += 1
    return tuple(deck)


PHASES = {
    "first": Phase.FIRST_EQUIPMENT,
    "melee": Phase.MELEE,
    "magic": Phase.MAGIC,
    "second": Phase.SECOND_EQUIPMENT,
    "closing": Phase.CLOSING,
}


def table(
    decks: Sequence[str] = ("orc-warrior", "elf-mage"),
    *,
    phase: str = "melee",
    rules: Rules = BOX,
    hands: Sequence[str] = (),
    plays: Sequence[str] = (),
    hp: Sequence[int] = (),
    lives: Sequence[str] = (),
    left: Sequence[str] = (),
    guilds: int = 0,
    turn: int = 2,
    season: str = "summer",
    special: str | None = None,
    **changes: Any,
) -> State:
    """A state at the beginning of a phase of the first hero, or at its `opening`.

    Parameters
    ----------
    hands, plays, hp, lives, left : of each hero: hand, cards in play, HP, life pile, cards in the deck.
    changes : further attributes of the state.
    """
    setup = setup_of(rules, decks, guilds=guilds)
    ids = [each.id for each in rules.seasons]
    heroes = []
    for seat, hero in enumerate(reference.start(setup).heroes):

        def given(values: Sequence[Any], usual: Any, seat: int = seat) -> Any:
            return values[seat] if seat < len(values) else usual

        heroes.append(
            replace(
                hero,
                hp=given(hp, hero.hp),
                hand=numbers(given(hands, ""), rules),
                play=pieces(given(plays, ""), rules),
                life=numbers(given(lives, ""), rules),
                deck=counts(left[seat], rules) if seat < len(left) else hero.deck,
            )
        )
    task = Task(Do.ROUND, 0) if phase == "opening" else Task(Do.PHASE, PHASES[phase])
    deck = [each.copies for each in rules.seasons]
    deck[ids.index(season)] -= 1
    if special is not None:
        deck[ids.index(special)] -= 1
    state = State(
        setup=setup,
        heroes=tuple(heroes),
        season_deck=tuple(deck),
        agenda=(task,),
        turn=turn,
        season=ids.index(season),
        special=-1 if special is None else ids.index(special),
    )
    return settled(replace(state, **changes))
