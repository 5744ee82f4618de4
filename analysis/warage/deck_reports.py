"""The public form of answers about decks and tables of heroes: fields of their JSON."""

from __future__ import annotations

import msgspec

from analysis.warage.reports import CardSetReport, Method


class DeckRow(msgspec.Struct, frozen=True):
    """A card of a deck; `problem` says why its hero can do nothing with it, if that is so."""

    card: str
    kind: str
    copies: int
    cost: int
    sell: int
    red: int
    blue: int
    problem: str


class DeckReport(msgspec.Struct, frozen=True):
    """What is in a deck.

    Attributes
    ----------
    slots, needs : red and blue ones of the hero, and of all cards together.
    cost, mean_cost : of all cards, and of a card on average.
    useless : copies that the hero can do nothing with.
    most_hp : what his HP can never exceed, as far as a count of all gains bounds them; None if it does not.
    """

    schema: int
    card_set: CardSetReport
    deck: str
    hero: str
    size: int
    slots: list[int]
    needs: list[int]
    cost: int
    mean_cost: float
    kinds: dict[str, int]
    rows: list[DeckRow]
    useless: int
    most_hp: int | None


class ValueRow(msgspec.Struct, frozen=True):
    """What one copy of a card adds to a deck's share, within `width` with 95 %."""

    card: str
    copies: int
    cost: int
    worth: float
    width: float


class ValueReport(msgspec.Struct, frozen=True):
    """What the cards of a deck are worth: one copy against a blank in its place, with the same chance.

    Attributes
    ----------
    win : the deck's share against the others, within `width`.
    duels : with the deck, and as many with each blank.
    rows : the best first.
    """

    schema: int
    card_set: CardSetReport
    method: Method
    deck: str
    against: list[str]
    player: str
    settings: dict[str, int]
    duels: int
    seed: int
    win: float
    width: float
    rows: list[ValueRow]
    complete: bool
    time_s: float
    compile_s: float | msgspec.UnsetType = msgspec.UNSET


class SwapRow(msgspec.Struct, frozen=True):
    """One copy out, one of another card in: what that gained when it was tried, within `width` with 95 %."""

    out: str
    into: str
    gain: float
    width: float


class TuneReport(msgspec.Struct, frozen=True):
    """A deck that is better against some others, card by card.

    Attributes
    ----------
    before, after : shares of the deck as it was, and as it is now, on duels that no swap was chosen by.
    gain : of all swaps together, within `width` with 95 %.
    cards : of the deck now.
    finished : whether no further swap was found.
    """

    schema: int
    card_set: CardSetReport
    method: Method
    deck: str
    against: list[str]
    player: str
    settings: dict[str, int]
    duels: int
    seed: int
    before: float
    after: float
    gain: float
    width: float
    swaps: list[SwapRow]
    cards: list[str]
    finished: bool
    time_s: float
    compile_s: float | msgspec.UnsetType = msgspec.UNSET


class SeatRow(msgspec.Struct, frozen=True):
    """What a seat, or a deck, wins of all matches, within `width` with 95 %."""

    name: str
    share: float
    width: float


class KingReport(msgspec.Struct, frozen=True):
    """How far players without chances decide who wins, by whom they attack.

    Attributes
    ----------
    attacks, lost : choices of a target in the matches watched, and those of players without chances.
    moved : how far the choice moves the share of one of the others, on average over the latter; None without.
    width : of its interval of 95 %.
    """

    matches: int
    attacks: int
    lost: int
    moved: float | None
    width: float | None


class TableReport(msgspec.Struct, frozen=True):
    """A brawl, or guilds: sampled matches at one table, in all orders of sitting.

    Attributes
    ----------
    guilds : how many; 0 for a brawl.
    turns : on average.
    """

    schema: int
    card_set: CardSetReport
    method: Method
    guilds: int
    player: str
    settings: dict[str, int]
    matches: int
    seed: int
    seats: list[SeatRow]
    decks: list[SeatRow]
    turns: float
    kings: KingReport | None
    complete: bool
    time_s: float
    compile_s: float | msgspec.UnsetType = msgspec.UNSET
