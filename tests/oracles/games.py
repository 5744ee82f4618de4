"""Tiny days with known values: what every solver of days must reproduce.

`python -m tests.oracles.games` solves them all again by linear programming and prints their sizes and values.
"""

from __future__ import annotations

import time
from typing import NamedTuple

from engine.ragers.rules import TYPES, Rules, load_rules
from solver.extensive import ExtensiveGame, build_game
from solver.sequence_form import solve_sequence_form
from tests.oracles.tiny_day import TinyDay


class TinyGame(NamedTuple):
    """A configuration, and what it pays player 0.

    Attributes
    ----------
    overrides : for `load_rules`.
    value : GP, by the linear program on the sequence form, good to about 1e-9.
    num_nodes : of the explicit tree.
    """

    name: str
    overrides: tuple[str, ...]
    patron: str
    cheers: tuple[str, ...]
    preparation: str
    value: float
    num_nodes: int

    def rules(self) -> Rules:
        return load_rules(overrides=self.overrides)

    def source(self) -> TinyDay:
        return TinyDay(self.rules(), self.patron, self.cheers, self.preparation)

    def tree(self) -> ExtensiveGame:
        return build_game(self.source())


def decks(first: str, second: str | None = None) -> tuple[str, ...]:
    """Overrides that give decks named by initials: C is the Chancer, X the Cheater, T the Stopper."""
    initials = "BSPCXDTV"
    assert set(first + (second or "")) <= set(initials)
    return tuple(
        f"cards.{name}.copies.{player}={deck.count(initial)}"
        for player, deck in (("accusers", first), ("defenders", first if second is None else second))
        for name, initial in zip(TYPES, initials, strict=True)
    )


#: K9 as the rulebook can be read, too: before further cards go on Veterans.
AT_ONCE = "match.deadeye_card=at-once"


def _game(
    name: str,
    deck: tuple[str, str] | str,
    value: float,
    num_nodes: int,
    *changes: str,
    hand: int = 2,
    row: int = 2,
    patron: str = "the-nameless",
    cheers: tuple[str, ...] = ("two-bashers",),
    preparation: str = "none",
) -> TinyGame:
    numbers = (f"match.hand_size={hand}", f"match.row_length={row}")
    copies = decks(deck) if isinstance(deck, str) else decks(*deck)
    return TinyGame(name, (*copies, *numbers, *changes), patron, cheers, preparation, value, num_nodes)


SYMMETRIC = (
    _game("attacks", "BBSP", 0.0, 957),
    _game("attacks-redraw", "BSP", 0.0, 2_551, preparation="redraw"),
    _game("attacks-seen", "BSPP", 0.0, 7_632, preparation="seen"),
    _game("seen-whole-decks", "BSP", 0.0, 264, hand=3, row=3, preparation="seen"),
    _game("cheater-chancer", "BSCX", 0.0, 4_579),
    _game("deadeye", "BSPD", 0.0, 12_643, row=3, cheers=("basher-deadeye",)),
    _game("stopper", "BSTX", 0.0, 18_403, row=3, cheers=("prodder-stopper",)),
    _game("veteran", "BPVV", 0.0, 3_189, cheers=("slasher-veteran",)),
)

ASYMMETRIC = (
    _game("uneven-attacks", ("BBSP", "BSSP"), 0.840277777778, 957),
    _game("uneven-redraw", ("BBSP", "SSPP"), 1.4, 7_112, preparation="redraw"),
    _game("uneven-seen", ("BBSP", "BSPP"), 0.2, 7_632, preparation="seen"),
    _game("cheater-against-chancer", ("BSPXX", "BSPCC"), 1.491207110413, 7_575),
    _game("veterans", ("BSVV", "BPCV"), -0.90873015873, 6_445),
    _game("veteran-tops", ("BVXT", "PVCD"), -2.190734296109, 16_227, "cards.veteran.gp=2", row=3),
    _game("deadeyes", ("BPDD", "BSDC"), 1.023092369478, 5_837, row=3, cheers=("basher-deadeye",)),
    _game("stoppers", ("BPTT", "SPTX"), -2.056074127398, 7_661, row=3, cheers=("prodder-stopper",)),
    _game("stopper-protects", ("BPTV", "SCXT"), 1.10288635473, 18_403, row=3),
    _game("forbidden-cards", ("BSVX", "BPVC"), 0.166666666667, 1_123, row=3, patron="solennos"),
    _game("redraw-short-decks", ("BSV", "PBC"), -0.76, 2_551, row=3, preparation="redraw"),
    _game("four-steps", ("BSXV", "PBV"), 2.391534391534, 2_293, row=4),
    _game("empty-decks", ("BX", "PVC"), -3.5, 21, hand=3, row=3),
    _game(
        "seen-deck-of-two",
        ("BPT", "BB"),
        14.0,
        43,
        *("cards.prodder.gp=5", "cards.stopper.gp=4"),
        hand=3,
        row=3,
        cheers=("two-slashers",),
        preparation="seen",
    ),
    _game("seen-against-a-deck-of-two", ("BB", "BSP"), -1.0, 41, hand=3, row=3, preparation="seen"),
    _game("seen-specials-of-whole-decks", ("BVD", "SX"), 4.0, 86, hand=3, row=3, preparation="seen"),
    _game("seen-deck-of-one", ("B", "BST"), -4.0, 88, preparation="seen"),
    _game("redraw-deck-of-two", ("BSPX", "BS"), 4.0, 1_029, hand=3, row=3, preparation="redraw"),
    _game(
        "one-attack-and-a-deadeye",
        ("PD", "BSPD"),
        -6.666666666667,
        379,
        *("cards.prodder.gp=2", "cards.deadeye.gp=4"),
        *("cheers.two-prodders.required=prodder", "cheers.two-prodders.gp=0"),
        row=3,
        cheers=("two-prodders",),
    ),
    _game("deadeyes-at-once", ("BVX", "PDS"), 0.764705882353, 283, AT_ONCE, row=3),
    _game("deadeyes-at-once-four-steps", ("BVDX", "PDS"), 1.978359636538, 2_293, AT_ONCE, row=4),
    _game(
        "redraw-deadeyes-at-once",
        ("BSD", "PVX"),
        -0.764705882353,
        2_551,
        AT_ONCE,
        row=3,
        preparation="redraw",
    ),
    _game(
        "new-cheers",
        ("BSPX", "BPCD"),
        2.90738698039,
        4_147,
        "cheers.mixed.name=Mixed",
        "cheers.mixed.required=slasher,prodder",
        "cheers.mixed.forbidden=chancer",
        "cheers.mixed.gp=5",
        "cards.basher.gp=4",
        cheers=("mixed", "two-bashers"),
    ),
)

# More of them, with trees that take seconds to minutes to build.
LARGE = (
    _game("banned-cheaters", ("BSVC", "BPVXC"), 0.342999438833, 36_427, row=3, patron="greybeard"),
    _game("redraw-specials", ("BXVD", "PCT"), -0.386138613861, 21_961, preparation="redraw"),
    _game("seen-specials", ("BSXV", "PBCT"), 0.569487347528, 50_515, preparation="seen"),
    _game("seen-short-decks", ("BXTV", "PSCD"), 1.9318574889, 46_259, preparation="seen"),
    _game("redraw-all-types", ("BXVD", "PCTV"), -2.00518180532, 216_555, preparation="redraw"),
    _game("all-types", ("BSCXV", "PDTVC"), 3.093210412515, 200_223, cheers=("slasher-veteran",)),
    _game(
        "all-types-three-steps",
        ("BDXV", "PTVC"),
        -4.366764060171,
        16_323,
        row=3,
        cheers=("prodder-stopper", "two-bashers"),
    ),
    _game("hands-of-three", ("BSPXV", "BPTVC"), 2.491521793673, 185_505, hand=3),
)


def main() -> None:
    for game in (*SYMMETRIC, *ASYMMETRIC, *LARGE):
        start = time.perf_counter()
        tree = game.tree()
        built = time.perf_counter()
        solution = solve_sequence_form(tree)
        solved = time.perf_counter()
        print(
            f"{game.name:24} {tree.num_nodes:8} nodes {solution.num_sequences} sequences "
            f"{solution.value:18.12f} NashConv {solution.nash_conv:.1e} "
            f"build {built - start:.1f} s, solve {solved - built:.1f} s",
            flush=True,
        )


if __name__ == "__main__":
    main()
