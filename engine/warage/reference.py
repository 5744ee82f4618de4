"""The whole game of Warage in plain Python: duel, brawl and guilds of two to six heroes.

`start` gives the first state of a match; the functions of `engine.protocol` lead on. Nothing is hidden
in a state: `engine.warage.reference_view` says what a player sees. A hero who can only pass is not asked.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.protocol import CHANCE, OVER, IllegalMove
from engine.records import replace
from engine.warage.reference_effects import change_hp, checked, reveal_season
from engine.warage.reference_moves import cost_hp, priority_moves, uses
from engine.warage.reference_round import passed, settled
from engine.warage.reference_state import (
    NONE,
    Do,
    Hero,
    HeroSetup,
    Item,
    Kind,
    Move,
    Phase,
    Piece,
    Setup,
    State,
    Task,
    check_setup,
    has_room,
    then,
    with_hero,
    without_piece,
)
from engine.warage.rules import DeckRule, Rules

__all__ = [
    "CHANCE",
    "OVER",
    "Hero",
    "HeroSetup",
    "IllegalMove",
    "Item",
    "Kind",
    "Move",
    "Phase",
    "Piece",
    "Setup",
    "State",
    "carried_out",
    "chance_outcomes",
    "decider",
    "hero_of",
    "is_over",
    "legal_moves",
    "payoffs",
    "setup_of",
    "start",
    "step",
]

FACES = tuple(range(1, 7))


def hero_of(rules: Rules, deck: DeckRule) -> HeroSetup:
    """Return who plays a deck."""
    races = [race.id for race in rules.races]
    classes = [each.id for each in rules.classes]
    copies = [0] * len(rules.cards)
    for card, number in deck.cards:
        copies[rules.card_numbers[card]] += number
    return HeroSetup(races.index(deck.race), classes.index(deck.hero_class), tuple(copies))


def setup_of(rules: Rules, decks: Sequence[str], *, guilds: int = 0) -> Setup:
    """Return a match between decks in playing order: a duel, a brawl, or so many `guilds` (M1).

    Guilds sit alternating: A1 B1 A2 B2.

    Raises
    ------
    ValueError
        If so many cannot play, or guilds are not of equal sizes.
    """
    heroes = tuple(hero_of(rules, rules.deck(deck)) for deck in decks)
    if guilds and len(heroes) % guilds:
        raise ValueError(f"{len(heroes)} heroes do not make {guilds} guilds of equal sizes (M1)")
    seats = tuple(seat % guilds if guilds else seat for seat in range(len(heroes)))
    check_setup(rules, heroes, seats)
    return Setup(rules, heroes, seats)


def start(setup: Setup) -> State:
    """Return the first state of a match: the season deck is shuffled, nothing is dealt."""
    rules = setup.rules
    heroes = tuple(
        Hero(hp=setup.race(seat).hp, hand=(), deck=hero.deck) for seat, hero in enumerate(setup.heroes)
    )
    seats = range(len(heroes))
    agenda = [Task(Do.ROUND, 0)]
    agenda += [Task(Do.REDRAW, seat) for seat in reversed(seats)]
    agenda += [Task(Do.DEAL, seat, rules.match.hand_size) for seat in reversed(seats)]
    agenda.append(Task(Do.SEASON_AT_START))
    deck = tuple(season.copies for season in rules.seasons)
    return settled(State(setup=setup, heroes=heroes, season_deck=deck, agenda=tuple(agenda)))


def is_over(state: State) -> bool:
    """Whether the match has ended."""
    return state.phase == Phase.OVER


def decider(state: State) -> int:
    """Who decides: a seat, `CHANCE` or `OVER`."""
    if is_over(state):
        return OVER
    task = state.agenda[-1]
    if task.do == Do.PRIORITY:
        return state.priority
    if task.do == Do.REDRAW or (task.do == Do.DRAW and task.c == NONE):
        return task.a
    return CHANCE


def legal_moves(state: State) -> tuple[Move, ...]:
    """What the decider may do, each once, in a fixed order."""
    if decider(state) < 0:
        return ()
    task = state.agenda[-1]
    if task.do == Do.PRIORITY:
        return tuple(priority_moves(state))
    if task.do == Do.REDRAW:
        return Move("keep"), Move("redraw")
    places = len(state.heroes[task.a].life) < state.rules.match.life_places
    kinds = ["hand", *(["life"] if places else []), *(["stop"] if task.d else [])]
    return tuple(map(Move, kinds))


def chance_outcomes(state: State) -> list[tuple[int, int]]:
    """Outcomes of a chance node with their weights: cards, season cards, or faces of a die."""
    if decider(state) != CHANCE:
        return []
    task = state.agenda[-1]
    if task.do == Do.DICE:
        return [(face, 1) for face in FACES]
    if task.do in (Do.SEASON, Do.SEASON_AT_START):
        if task.do == Do.SEASON and not sum(state.season_deck):
            return [(state.bottom[0], 1)]
        return [(number, copies) for number, copies in enumerate(state.season_deck) if copies]
    hero = state.heroes[task.a]
    if task.do == Do.DISCARD:
        return [(card, hero.hand.count(card)) for card in dict.fromkeys(hero.hand)]
    return [(card, copies) for card, copies in enumerate(hero.deck) if copies]


def payoffs(state: State) -> tuple[float, ...]:
    """What a finished match pays: in a duel 1, -1 or 0; else shares of 1 for all who have won together."""
    if not is_over(state):
        raise ValueError("the match is not over")
    seats = range(state.num_players)
    if state.num_players == 2:
        if len(state.winners) != 1:
            return 0.0, 0.0
        return tuple(1.0 if seat in state.winners else -1.0 for seat in seats)
    return tuple((seat in state.winners) / len(state.winners) for seat in seats)


def step(state: State, move: Move | int) -> State:
    """Return the state after a move or an outcome; raises IllegalMove."""
    if isinstance(move, Move):
        if move not in legal_moves(state):
            raise IllegalMove(f"{move} cannot be played here")
        return carried_out(state, move)
    if move not in [outcome for outcome, _ in chance_outcomes(state)]:
        raise IllegalMove(f"{move} cannot come here")
    return settled(_chance(state, move))


def carried_out(state: State, move: Move) -> State:
    """Return the state after a move that is known to be legal."""
    return settled(_decide(state, move))


def _chance(state: State, outcome: int) -> State:
    task = state.agenda[-1]
    if task.do == Do.DICE:
        faces = [list(side) for side in state.faces]
        faces[task.a][outcome - 1] += 1
        state = replace(state, faces=(tuple(faces[0]), tuple(faces[1])))
        return then(state, task._replace(b=task.b - 1))
    if task.do == Do.SEASON:
        return reveal_season(then(state), outcome)
    if task.do == Do.SEASON_AT_START:
        deck = list(state.season_deck)
        deck[outcome] -= 1
        state = replace(state, season_deck=tuple(deck))
        if state.rules.seasons[outcome].base:
            return then(replace(state, season=outcome))
        return replace(state, bottom=(*state.bottom, outcome))
    hero = state.heroes[task.a]
    if task.do == Do.DISCARD:
        hand = list(hero.hand)
        hand.remove(outcome)
        return then(with_hero(state, task.a, hand=tuple(hand)), task._replace(b=task.b - 1))
    cards = list(hero.deck)
    cards[outcome] -= 1
    state = with_hero(state, task.a, deck=tuple(cards))
    if task.do == Do.DRAW and task.c == 1:
        state = with_hero(state, task.a, life=tuple(sorted((*hero.life, outcome))))
        state = then(state, task._replace(b=task.b - 1, c=NONE))
        return checked(change_hp(state, task.a, state.card(outcome).cost))
    state = with_hero(state, task.a, hand=tuple(sorted((*hero.hand, outcome))))
    return then(state, task._replace(b=task.b - 1, c=NONE))


def _decide(state: State, move: Move) -> State:
    task = state.agenda[-1]
    if task.do == Do.DRAW:
        return then(state) if move.kind == "stop" else then(state, task._replace(c=int(move.kind == "life")))
    if task.do == Do.REDRAW:
        return then(state) if move.kind == "keep" else _redrawn(state, task.a)
    if move.kind == "pass":
        return passed(state)
    return _PLAYS[move.kind](replace(state, passes=0), state.priority, move.values)


def _redrawn(state: State, seat: int) -> State:
    hero = state.heroes[seat]
    deck = list(hero.deck)
    for card in hero.hand:
        deck[card] += 1
    state = with_hero(state, seat, hand=(), deck=tuple(deck))
    return then(state, Task(Do.DEAL, seat, state.rules.match.redraw_hand_size))


def _paid(state: State, seat: int, cost: int) -> State:
    """A cost is paid on declaration, and HP are checked (Q2, Q5)."""
    return checked(change_hp(state, seat, -cost)) if cost else state


def _without_card(state: State, seat: int, card: int) -> State:
    hand = list(state.heroes[seat].hand)
    hand.remove(card)
    return with_hero(state, seat, hand=tuple(hand))


def _queued(state: State, item: Item) -> State:
    return replace(state, queue=(*state.queue, item))


def _buy(state: State, seat: int, values: tuple[int, ...]) -> State:
    """Put a card into play: ready if there is room, a spell asleep (E1-E4)."""
    card = state.card(values[0])
    piece = Piece(values[0], has_room(state, seat, card), card.kind != "spell")
    state = _without_card(state, seat, values[0])
    state = with_hero(state, seat, play=(*state.heroes[seat].play, piece))
    state = replace(state, amulets=state.amulets + (card.kind == "amulet"))
    return _paid(state, seat, card.cost)


def _turn_piece(state: State, seat: int, values: tuple[int, ...]) -> State:
    """Make a piece ready or unready (E3)."""
    play = list(state.heroes[seat].play)
    play[values[0]] = replace(play[values[0]], ready=not play[values[0]].ready, moved=True)
    return with_hero(state, seat, play=tuple(play))


def _attack(state: State, seat: int, values: tuple[int, ...]) -> State:
    return _queued(replace(state, attacked=True), Item(Kind.MELEE, seat, hero=values[0], piece=values[1]))


def _cast(state: State, seat: int, values: tuple[int, ...]) -> State:
    """Cast a spell with so many copies (K4): they sleep until the next opening (E4)."""
    card, copies, hero, target = values
    play = list(state.heroes[seat].play)
    sources = [index for index, piece in enumerate(play) if piece.card == card and piece.awake][:copies]
    for index in sources:
        play[index] = replace(play[index], awake=False)
    state = with_hero(state, seat, play=tuple(play))
    return _queued(state, Item(Kind.MAGIC, seat, card, hero, target, sources=tuple(sources)))


def _aimed(kind: Kind, seat: int, card: int, target: tuple[int, ...]) -> Item:
    hero, piece, item = target
    return Item(kind, seat, card, hero, piece, item)


def _flash(state: State, seat: int, values: tuple[int, ...]) -> State:
    state = _without_card(state, seat, values[0])
    state = _queued(state, _aimed(Kind.FLASH, seat, values[0], values[1:]))
    return _paid(state, seat, state.card(values[0]).cost)


def _use(state: State, seat: int, values: tuple[int, ...]) -> State:
    play = list(state.heroes[seat].play)
    piece = play[values[0]]
    effects = uses(state.card(piece.card).effects)
    if effects[0].limit:
        play[values[0]] = replace(piece, awake=False)
        state = with_hero(state, seat, play=tuple(play))
    state = _queued(state, _aimed(Kind.USE, seat, piece.card, values[1:]))
    return _paid(state, seat, cost_hp(effects))


def _ability(state: State, seat: int, values: tuple[int, ...]) -> State:
    state = _queued(replace(state, ability=True), _aimed(Kind.ABILITY, seat, NONE, values))
    return _paid(state, seat, cost_hp(uses(state.setup.race(seat).effects)))


def _sell(state: State, seat: int, values: tuple[int, ...]) -> State:
    """The card leaves play at once, the HP come when the item resolves (E7)."""
    card = state.heroes[seat].play[values[0]].card
    return _queued(without_piece(state, seat, values[0]), Item(Kind.SALE, seat, card))


_PLAYS = {
    "buy": _buy,
    "ready": _turn_piece,
    "unready": _turn_piece,
    "attack": _attack,
    "cast": _cast,
    "flash": _flash,
    "use": _use,
    "ability": _ability,
    "sell": _sell,
}
