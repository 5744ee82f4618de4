"""What one day of a match depends on, and when two days are the same game under other names.

A day's game (patron and cheers cards on the table, hands dealt from full decks) does not depend on names, nor
on any card, patron or match number that plays no part in it. :func:`day_game` keeps exactly what matters, so
its hash is the right key for stored solves. The attack types differ in nothing but what they beat (C2), so a
permutation of them that maps one day's values onto another's carries every strategy, value and certificate
over unchanged (:func:`relabelling`).

Letters: T types, H hands, A = T + 1 actions.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import permutations

from engine.ragers.rules import ATTACKS, DEADEYE, NUM_TYPES, TYPES, VETERAN, Rules

_SPECIALS = tuple(t for t in range(NUM_TYPES) if t not in ATTACKS)


@dataclass(frozen=True)
class DayCheers:
    """A cheers card as far as a day's payoff depends on it (C5, S3).

    Attributes
    ----------
    required
        Icons needed of each type, in `TYPES` order.
    forbidden
        Type ids that must not show, ascending.
    gp
        Glory points for meeting it.
    """

    required: tuple[int, ...]
    forbidden: tuple[int, ...]
    gp: int


@dataclass(frozen=True)
class DayGame:
    """All a day's game depends on; equal objects are the same game.

    Attributes
    ----------
    hand_size, discards, row_length
        As played under this patron (C4, M2, K1, K2).
    copies
        Cards of each type in the decks of player 0 and player 1 (C1).
    gp
        Glory points per type (C3); 0 for a type the patron bans, since it never lies in a row.
    beats
        Per type, the type ids it beats, ascending (C2).
    banned
        Type ids the patron forbids, ascending (K3).
    cheers
        The cheers cards on the table, sorted: their order means nothing (S3).
    hides_at_once
        Whether a Deadeye's further card comes before those on Veterans (K9); False where only one of the two
        can be placed, so that nothing depends on it.
    """

    hand_size: int
    discards: int
    row_length: int
    copies: tuple[tuple[int, ...], tuple[int, ...]]
    gp: tuple[int, ...]
    beats: tuple[tuple[int, ...], ...]
    banned: tuple[int, ...]
    cheers: tuple[DayCheers, ...]
    hides_at_once: bool = False

    @property
    def symmetric(self) -> bool:
        """Whether both players have the same deck, so that neither seat is better."""
        return self.copies[0] == self.copies[1]

    @property
    def sha256(self) -> str:
        """Hex digest of the values alone, the same on every machine and in every version of Python."""
        values: dict[str, object] = {
            "hand_size": self.hand_size,
            "discards": self.discards,
            "row_length": self.row_length,
            "types": list(TYPES),
            "copies": self.copies,
            "gp": self.gp,
            "beats": self.beats,
            "banned": self.banned,
            "cheers": [[card.required, card.forbidden, card.gp] for card in self.cheers],
        }
        if self.hides_at_once:
            values["hides_at_once"] = True
        return hashlib.sha256(json.dumps(values, sort_keys=True, separators=(",", ":")).encode()).hexdigest()

    def relabelled(self, types: Sequence[int]) -> DayGame:
        """Return the game in which each type t is called ``types[t]``.

        Parameters
        ----------
        types
            A permutation of the type ids.
        """
        inverse = [0] * NUM_TYPES
        for old, new in enumerate(types):
            inverse[new] = old

        def names(ids: Sequence[int]) -> tuple[int, ...]:
            return tuple(sorted(types[t] for t in ids))

        def moved(values: Sequence[int]) -> tuple[int, ...]:
            return tuple(values[old] for old in inverse)

        return replace(
            self,
            copies=(moved(self.copies[0]), moved(self.copies[1])),
            gp=moved(self.gp),
            beats=tuple(names(self.beats[old]) for old in inverse),
            banned=names(self.banned),
            cheers=_sorted_cheers(
                DayCheers(moved(card.required), names(card.forbidden), card.gp) for card in self.cheers
            ),
        )


def _sorted_cheers(cards: Iterable[DayCheers]) -> tuple[DayCheers, ...]:
    """Return `cards` in one fixed order."""
    return tuple(sorted(cards, key=lambda card: (card.required, card.forbidden, card.gp)))


def day_game(rules: Rules, patron_id: str, cheers_ids: Sequence[str]) -> DayGame:
    """Return what the day with this patron and these cheers cards depends on.

    Parameters
    ----------
    rules
        Any rules.
    patron_id, cheers_ids
        Ids (or names) known to `rules`.

    Raises
    ------
    UnknownNameError
        If `rules` has no such patron or cheers card.
    """
    index = {name: t for t, name in enumerate(TYPES)}
    patron = rules.patron(patron_id)
    banned = tuple(sorted(index[name] for name in patron.forbidden))
    cheers = []
    for cheers_id in cheers_ids:
        card = rules.cheers_card(cheers_id)
        required = tuple(card.required.count(name) for name in TYPES)
        cheers.append(DayCheers(required, tuple(sorted(index[name] for name in card.forbidden)), card.gp))
    return DayGame(
        hand_size=rules.match.hand_size,
        discards=rules.match.discards,
        row_length=rules.match.row_length if patron.row_length is None else patron.row_length,
        copies=(
            tuple(card.copies[0] for card in rules.cards),
            tuple(card.copies[1] for card in rules.cards),
        ),
        gp=tuple(0 if t in banned else card.gp for t, card in enumerate(rules.cards)),
        beats=tuple(tuple(sorted(index[name] for name in card.beats)) for card in rules.cards),
        banned=banned,
        cheers=_sorted_cheers(cheers),
        hides_at_once=rules.hides_at_once
        and all(sum(rules.cards[t].copies) and t not in banned for t in (DEADEYE, VETERAN)),
    )


def relabelling(source: DayGame, target: DayGame) -> tuple[int, ...] | None:
    """Return a permutation of the types that turns `source` into `target`, or None if there is none.

    Only attacks are permuted: each special has effects of its own (K4 to K8).

    Returns
    -------
    tuple of int or None
        ``types`` with ``source.relabelled(types) == target``; the identity is tried first.
    """
    for attacks in permutations(ATTACKS):
        types = [*attacks, *_SPECIALS]
        if source.relabelled(types) == target:
            return tuple(types)
    return None
