"""The public form of answers about Warage: fields of their JSON."""

from __future__ import annotations

from typing import Literal

import msgspec

from engine.warage.rules import Rules, as_tables, load_rules

SCHEMA_NUMBER = 1
Method = Literal["exact", "sampled", "heuristic"]


class CardSetReport(msgspec.Struct, frozen=True):
    """Which cards and rules an answer is for.

    Attributes
    ----------
    assumed : the share of values that are assumptions, from 0 to 1.
    changed : keys whose values differ from the illustrative set.
    rulings : switches of the rules that differ from the usual ones, `key = value`.
    set_aside : sample decks that no longer fit the rules.
    names : id -> name of everything that has one, where a rules file gives names of its own; else empty.
    """

    name: str
    sha256: str
    assumed: float
    changed: list[str]
    rulings: list[str]
    set_aside: list[str]
    names: dict[str, str]


def card_set(rules: Rules) -> CardSetReport:
    """Describe the card set of an answer."""
    box = load_rules()
    usual, now = as_tables(box)["match"], as_tables(rules)["match"]
    left = {deck.id for deck in rules.decks}
    set_aside = [deck.id for deck in box.decks if deck.id not in left]
    rulings = [f"{key} = {str(value).lower()}" for key, value in now.items() if value != usual[key]]
    return CardSetReport(
        rules.name,
        rules.sha256,
        rules.share_assumed,
        rules.changed,
        rulings,
        set_aside,
        _own_names(rules, box),
    )


def _own_names(rules: Rules, box: Rules) -> dict[str, str]:
    """Names by id; none where all are those that we carry."""
    names, known = (
        {
            entry.id: entry.name
            for kind in (each.decks, each.seasons, each.classes, each.races, each.cards)
            for entry in kind
        }
        for each in (rules, box)
    )
    return {} if names.items() <= known.items() else names


class LawEntry(msgspec.Struct, frozen=True):
    """A damage, and its chances without and with a die that shows a 6."""

    damage: int
    without_six: float
    with_six: float
    fraction: str


class AttackRow(msgspec.Struct, frozen=True):
    """One attack.

    Attributes
    ----------
    attack, defence : totals before dice.
    mean, hit, kill, six : damage on average; chances to do any, to beat the defender, and of a 6.
    fractions : the four of them as ratios of whole numbers.
    """

    name: str
    attack: int
    attack_dice: int
    defence: int
    defence_dice: int
    mean: float
    hit: float
    kill: float
    six: float
    fractions: list[str]


class RoundRow(msgspec.Struct, frozen=True):
    """A way to attack in one round: which attacks, and what they do together."""

    attacks: list[str]
    mean: float
    kill: float
    six: float
    fractions: list[str]


class AttackReport(msgspec.Struct, frozen=True):
    """The attacks of one loadout on another in one season.

    Attributes
    ----------
    hp : of the defender.
    rounds : ways to attack in one round, the best first: by kill chance, then by damage.
    law : damage and sixes of the best of them, which has a fraction for both together.
    """

    schema: int
    card_set: CardSetReport
    method: Method
    attacker: str
    defender: str
    season: str
    special: str | None
    with_cards: list[str]
    against_cards: list[str]
    hp: int
    attacks: list[AttackRow]
    rounds: list[RoundRow]
    law: list[LawEntry]


class SeasonRow(msgspec.Struct, frozen=True):
    """The first hero's chance to win with a season in force at the beginning.

    Attributes
    ----------
    first, second : where he moves first, and second; None if that was not asked.
    mean : of the two.
    """

    season: str
    first: float | None
    second: float | None
    mean: float


class RoundsReport(msgspec.Struct, frozen=True):
    """How many rounds of single heroes a race takes: on average, and by when 10, 50, 90 % are over."""

    mean: float
    tenth: int
    median: int
    ninetieth: int


class CertificateReport(msgspec.Struct, frozen=True):
    """A second computation: chances pushed forward, beside values taken backward.

    Attributes
    ----------
    difference : the largest there is; None if there was no second computation.
    slack : what it may be.
    """

    difference: float | None
    slack: float


class SpellsRow(msgspec.Struct, frozen=True):
    """How a hero casts in some seasons: what hurts most on average, melee included."""

    hero: int
    seasons: list[str]
    attacks: list[str]


class RaceReport(msgspec.Struct, frozen=True):
    """Two loadouts without hidden cards and without decisions, played out exactly.

    Attributes
    ----------
    hp, cards_left : of both heroes.
    rounds_left : rounds of single heroes until one has to draw and cannot, by who moves first.
    win : the first hero's chance, over who moves first and the season at the beginning as far as not given.
    by_season : in the order of the season deck.
    deck_out_share : the chance that it is decided by a deck that is empty.
    season_classes, modes, values : sizes.
    specials : special season cards that are in the deck of this race.
    left_out : those that are not.
    """

    schema: int
    card_set: CardSetReport
    method: Method
    heroes: list[str]
    hp: list[int]
    cards_left: list[int]
    rounds_left: list[int]
    truce: bool
    win: float
    draw: float
    by_seat: list[float | None]
    by_season: list[SeasonRow]
    rounds: RoundsReport | None
    deck_out_share: float | None
    spells: list[SpellsRow]
    season_classes: list[list[str]]
    specials: list[str]
    left_out: list[str]
    largest_hp: list[int]
    modes: int
    values: int
    certificate: CertificateReport
    time_s: float
    compile_s: float | msgspec.UnsetType = msgspec.UNSET


class ChoiceReport(msgspec.Struct, frozen=True):
    """A race in which pieces may be sold, in reply too, and attacks declined; both sides decide optimally.

    Attributes
    ----------
    may_sell : pieces of both heroes.
    win, without : the first hero's chance, and the same without any decision.
    left_out : special season cards, which are not in the deck of this race.
    certificate_without : how far two computations of the race without decisions are apart.
    """

    schema: int
    card_set: CardSetReport
    method: Method
    heroes: list[str]
    hp: list[int]
    may_sell: list[list[str]]
    may_decline: bool
    rounds_left: list[int]
    win: float
    without: float
    by_seat: list[float | None]
    by_season: list[SeasonRow]
    left_out: list[str]
    certificate_without: float
    slack: float
    time_s: float
    compile_s: float | msgspec.UnsetType = msgspec.UNSET


class WorthPoint(msgspec.Struct, frozen=True):
    """What one thing is worth with so many rounds left.

    Attributes
    ----------
    win : the gain of the chance to win.
    hp : as many HP of one's own are worth as much; None where more than the hero has.
    """

    rounds_left: int
    win: float
    hp: float | None


class WorthRow(msgspec.Struct, frozen=True):
    """What a point, or a card, is worth by the rounds left.

    Attributes
    ----------
    cost : of the card; None for a point.
    break_even : the fewest rounds left from which on it is worth its cost; None if it never is, or a point.
    verdict : `under` or `over` priced at the beginning, or `fair` within half a HP; empty for a point.
    """

    name: str
    cost: int | None
    points: list[WorthPoint]
    break_even: int | None
    verdict: str


class WorthReport(msgspec.Struct, frozen=True):
    """What points and cards are worth to the first hero of a race, before his own rounds."""

    schema: int
    card_set: CardSetReport
    method: Method
    heroes: list[str]
    hp: list[int]
    season: str
    base: list[WorthPoint]
    rows: list[WorthRow]
    left_out: list[str]
    time_s: float
    compile_s: float | msgspec.UnsetType = msgspec.UNSET


class PlayerReport(msgspec.Struct, frozen=True):
    """A deck and who plays it, and the numbers that set how."""

    deck: str
    player: str
    settings: dict[str, int]


class MatchReport(msgspec.Struct, frozen=True):
    """Sampled duels of two decks, for the players named; half of them with either first.

    Attributes
    ----------
    duels : played; every deal is played twice, with either deck first.
    win : the first deck's share, a draw being half a win; `low` and `high` bound it with 95 %.
    by_design : whether it is one half whatever is sampled, as one player with one deck plays itself.
    by_seat : its share where it moves first, and second, each within `by_seat_width` with 95 %.
    by_season : its share by the base season at the beginning, of players by rules.
    draws : share of draws.
    turns : on average; `ninetieth` the turn by which nine in ten are over; None if they were not counted.
    """

    schema: int
    card_set: CardSetReport
    method: Method
    players: list[PlayerReport]
    duels: int
    seed: int
    win: float
    low: float | None
    high: float | None
    by_design: bool
    by_seat: list[float]
    by_seat_width: list[float]
    by_season: dict[str, float]
    draws: float
    turns: float | None
    ninetieth: int | None
    duels_per_s: float
    complete: bool


class CellReport(msgspec.Struct, frozen=True):
    """One deck against another: the first one's share, bounded with 95 %, and by seat.

    Attributes
    ----------
    low, high : None against itself, where one half is by design.
    """

    deck: str
    against: str
    win: float
    low: float | None
    high: float | None
    by_seat: list[float]
    by_seat_width: list[float]
    turns: float | None


class BalanceReport(msgspec.Struct, frozen=True):
    """Decks, or heroes as `race/class`, against each other, sampled, all played alike.

    Attributes
    ----------
    mean : deck -> its share on average over the others.
    by_season : the same by the base season at the beginning.
    complete : whether all cells are finished.
    """

    schema: int
    card_set: CardSetReport
    method: Method
    player: str
    settings: dict[str, int]
    decks: list[str]
    duels: int
    seed: int
    cells: list[CellReport]
    mean: dict[str, float]
    by_season: dict[str, dict[str, float]]
    complete: bool
    time_s: float
    compile_s: float | msgspec.UnsetType = msgspec.UNSET


class ReplyRow(msgspec.Struct, frozen=True):
    """What a player does at a decision that is reached: his hand, the queue, and the chance of each move.

    Attributes
    ----------
    reach : the chance that play comes here, all hands together.
    moves : move -> chance; those below one in a million are left out.
    """

    player: str
    hand: list[str]
    queue: list[str]
    reach: float
    moves: dict[str, float]


class QueueReport(msgspec.Struct, frozen=True):
    """One attack with hidden replies, solved: an equilibrium of both players.

    Attributes
    ----------
    pools, hidden : cards that both may hold, and how many each does.
    kill, taken : the chance that the attack beats the defender, and HP that it takes.
    paid : HP that replies cost the attacker, and the defender, less what they bring.
    value : of the end to the attacker, as a chance to win or in HP (`value_in`): his less the other's, with
        `card_hp` for each reply kept, and `kill_hp` more for a kill.
    before : the same before the attack, for one in HP: what the attack is worth is `value` less this.
    open_value : the same if both hands lay open.
    nash_conv : what both could gain together by deviating.
    decisions : at reached infosets, the likeliest first; `mixed` how many of `reached` are not pure.
    pure_loses : what the attacker, and the defender, may lose by always making the likelier move.
    """

    schema: int
    card_set: CardSetReport
    method: Method
    attacker: str
    defender: str
    attack: str
    season: str
    hp: list[int]
    pools: list[dict[str, int]]
    hidden: list[int]
    kill: float
    taken: float
    paid: list[float]
    value_in: Literal["hp", "win"]
    before: float | None
    kill_hp: int
    card_hp: int
    value: float
    open_value: float
    nash_conv: float
    decisions: list[ReplyRow]
    reached: int
    mixed: int
    pure_loses: list[float]
    nodes: int
    infosets: int
    time_s: float
    compile_s: float | msgspec.UnsetType = msgspec.UNSET
