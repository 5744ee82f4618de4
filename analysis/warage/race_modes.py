"""The modes of a race: what the seasons do to two loadouts, and the season deck, lumped by what is alike.

Cards are drawn without replacement; used up, the deck is shuffled anew without what is in force (S1). A
special card lies over the base season until the next change (S4). Seasons that treat both heroes alike
under everything that may lie over them are one class, and so are special cards.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from analysis.errors import RequestError, WorkError
from analysis.warage.loadouts import Loadout, Table, base_seasons
from engine.warage.combat import Law, all_of, mean_damage
from engine.warage.reference_state import holds
from engine.warage.rules import Rules

MAX_MODES = 200_000
NO_SPECIAL = -1
RACED = ("ready", "attack")
"""Triggers that count in a race; of `opening`, `closing` and `use` only what gains HP."""


@dataclass(frozen=True)
class Signature:
    """What a pair of season cards makes of a race: laws of a round, and gains, of both sides."""

    laws: tuple[Law, Law]
    gains: tuple[int, int]
    ways: tuple[tuple[tuple[str | None, int], ...], ...]

    def key(self) -> tuple[object, ...]:
        """Equal where it makes no difference."""
        return (*(frozenset(law.items()) for law in self.laws), self.gains)


@dataclass(frozen=True)
class Modes:
    """The modes of a race.

    Attributes
    ----------
    bases, specials : classes of base seasons and of special cards, each a list of ids.
    signatures : one for each class of modes.
    mode_class, successors, depth : as in `solver.stochastic.attrition`; successors with their chances.
    roots : base season -> the mode in which it is in force and all other cards are in the deck.
    """

    bases: list[list[str]]
    specials: list[list[str]]
    signatures: list[Signature]
    mode_class: list[int]
    successors: list[dict[int, float]]
    depth: list[int]
    roots: dict[str, int]


def check_raced(heroes: Sequence[Loadout]) -> None:
    """Raise RequestError for cards that a race without hidden cards and decisions cannot take."""
    for hero in heroes:
        for card in hero.cards:
            for effect in card.effects:
                heals = effect.action == "gain" and effect.trigger in ("opening", "closing", "use")
                if effect.if_hp:
                    raise RequestError(f"{card.id}: what depends on HP is not raced; leave it out")
                if effect.trigger == "opening" and effect.action == "draw":
                    raise RequestError(f"{card.id} draws cards, and a race has none; leave it out")
                if effect.trigger not in RACED and not heals:
                    said = f"{card.id}: {effect.trigger}, {effect.action} is a decision or an event"
                    raise RequestError(f"{said} that a race does not have; leave it out")


def signature(table: Table) -> Signature:
    """What a round of each side does in a season; spells go apart or together, whichever hurts more."""
    state = table.state()
    laws, gains, ways = [], [], []
    from analysis.warage.attacks import arrangements

    for side in (0, 1):
        best: tuple[Law, tuple[tuple[str | None, int], ...]] | None = None
        for way in arrangements(table.heroes[side]):
            law = all_of(table.attack(side, spell, size) for spell, size in way)
            if best is None or mean_damage(law) > mean_damage(best[0]):
                best = law, way
        assert best is not None
        laws.append(best[0])
        ways.append(best[1])
        gain = 0
        for card in table.heroes[side].cards:
            for effect in card.effects:
                heals = effect.action == "gain" and effect.trigger in ("opening", "closing", "use")
                if heals and holds(state, side, effect):
                    gain += effect.amount - (effect.cost_hp if effect.trigger == "use" else 0)
        for season in state.seasons():
            gain += sum(
                effect.amount
                for effect in season.effects
                if effect.action == "gain"
                and effect.trigger in ("opening", "closing")
                and holds(state, side, effect)
            )
        gains.append(max(gain, 0))
    return Signature((laws[0], laws[1]), (gains[0], gains[1]), tuple(ways))


def race_modes(rules: Rules, heroes: tuple[Loadout, Loadout], *, specials: bool = True) -> Modes:
    """Return the modes of a race between two loadouts; without `specials` these cards are taken out.

    Raises
    ------
    RequestError
        If a loadout holds what cannot be raced.
    WorkError
        If there are too many modes.
    """
    check_raced(heroes)
    bases = base_seasons(rules)
    over = [season for season in rules.seasons if not season.base and season.copies] if specials else []
    for season in over:
        for effect in season.effects:
            if (effect.trigger, effect.action) not in (
                ("ready", "modify"),
                ("opening", "gain"),
                ("closing", "gain"),
            ):
                said = f"{season.id}: {effect.trigger}, {effect.action} is not raced"
                raise RequestError(f"{said}; --special-seasons without leaves special season cards out")
    ids: list[str | None] = [None, *(season.id for season in over)]
    known = {
        (base, special): signature(Table(rules, heroes, base, special)) for base in bases for special in ids
    }
    base_classes = _lumped([(base, [known[base, special].key() for special in ids]) for base in bases])
    special_classes = _lumped(
        [(str(special), [known[base, special].key() for base in bases]) for special in ids]
    )
    # What does as much as no special card at all is still a card: in force, it is not shuffled in.
    nothing = special_classes[0][1:]
    classes = [*([nothing] if nothing else []), *special_classes[1:]]
    copies = {season.id: season.copies for season in rules.seasons}
    totals = [sum(copies[name] for name in names) for names in (*base_classes, *classes)]
    num_bases = len(base_classes)

    signatures: list[Signature] = []
    class_of: dict[tuple[object, ...], int] = {}
    pair_class: dict[tuple[int, int], int] = {}
    for base, names in enumerate(base_classes):
        for special in range(NO_SPECIAL, len(classes)):
            found = known[names[0], None if special == NO_SPECIAL else classes[special][0]]
            if found.key() not in class_of:
                class_of[found.key()] = len(signatures)
                signatures.append(found)
            pair_class[base, special] = class_of[found.key()]

    Mode = tuple[tuple[int, ...], int, int]

    def after(mode: Mode) -> dict[Mode, float]:
        deck, base, special = mode
        cards = list(deck)
        if not sum(cards):
            cards = list(totals)
            cards[base] -= 1
            if special != NO_SPECIAL:
                cards[num_bases + special] -= 1
        total = sum(cards)
        if not total:
            return {mode: 1.0}
        found: dict[Mode, float] = {}
        for number, there in enumerate(cards):
            if there:
                rest = (*cards[:number], there - 1, *cards[number + 1 :])
                new = (rest, number, NO_SPECIAL) if number < num_bases else (rest, base, number - num_bases)
                found[new] = found.get(new, 0.0) + there / total
        return found

    numbers: dict[Mode, int] = {}
    roots: dict[str, int] = {}
    depth: list[int] = []
    queue: list[Mode] = []

    def number_of(mode: Mode, flags: int) -> int:
        if mode not in numbers:
            if len(numbers) >= MAX_MODES:
                raise WorkError(
                    f"more than {MAX_MODES} states of the season deck; try --special-seasons without"
                )
            numbers[mode] = len(numbers)
            depth.append(flags)
            queue.append(mode)
        return numbers[mode]

    for base, names in enumerate(base_classes):
        deck = tuple(total - (number == base) for number, total in enumerate(totals))
        root = number_of((deck, base, NO_SPECIAL), 0)
        roots |= dict.fromkeys(names, root)
    successors: list[dict[int, float]] = []
    place = 0
    while place < len(queue):
        successors.append(
            {number_of(mode, depth[place] + 1): chance for mode, chance in after(queue[place]).items()}
        )
        place += 1
    mode_class = [pair_class[base, special] for _, base, special in queue]
    return Modes(base_classes, classes, signatures, mode_class, successors, depth, roots)


def _lumped(keyed: Sequence[tuple[str, list[tuple[object, ...]]]]) -> list[list[str]]:
    """Names with equal keys together, in the order of the first of each."""
    groups: list[tuple[list[tuple[object, ...]], list[str]]] = []
    for name, key in keyed:
        for known, names in groups:
            if known == key:
                names.append(name)
                break
        else:
            groups.append((key, [name]))
    return [names for _, names in groups]
