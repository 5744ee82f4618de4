"""The games under the shared contract: one `Game` each, the same questions to all.

Moves are what each reference's `step` takes; a node where chance decides has the outcomes as its moves.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, is_dataclass
from enum import Enum
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tests.engine.clash import plays as clash_plays
from tests.engine.ophidian import plays as ophidian_plays
from tests.engine.ragers import plays as ragers_plays
from tests.engine.raverun import plays as raverun_plays
from tests.engine.warage import plays as warage_plays

Words = NDArray[np.int64]
TESTS = Path(__file__).parents[1]


@dataclass(frozen=True)
class Setup:
    """One way to play: overrides of the box, and how many players."""

    overrides: tuple[str, ...] = ()
    num_players: int = 2


@dataclass(frozen=True)
class Game:
    """A game as the contract sees it.

    Attributes
    ----------
    name : of its folder, its rules file and its commands.
    setups : ways to play it that every test takes.
    transcripts : seed and setup of each golden transcript.
    start, moves, chance, is_over, payoffs, step : the reference.
    perft_start : a state from the `start` table of a perft file.
    compiled : the rules of a state for the kernels.
    encode, kernel_start, kernel_step, kernel_over : the kernels.
    assert_same : that a state's words say the same as the state.
    payoff_sums : what the payoffs of a finished game may add up to.
    """

    name: str
    setups: dict[str, Setup]
    transcripts: dict[str, tuple[int, Setup]]
    start: Callable[[Setup], Any]
    moves: Callable[[Any], list[Any]]
    chance: Callable[[Any], list[tuple[int, int]]]
    is_over: Callable[[Any], bool]
    payoffs: Callable[[Any], tuple[float, ...]]
    step: Callable[[Any, Any], Any]
    perft_start: Callable[[Any, dict[str, Any]], Any]
    encode: Callable[[Any], Words]
    compiled: Callable[[Any], Words]
    kernel_start: Callable[[Words, Words], None]
    kernel_step: Callable[[Any, Words, Words, Any], None]
    kernel_over: Callable[[Words], bool]
    assert_same: Callable[[Any, Words, Words], None]
    payoff_sums: Callable[[Setup], set[float]] = lambda setup: {0.0}

    def module(self, name: str) -> ModuleType:
        """One of its modules."""
        return import_module(f"engine.{self.name}.{name}")

    @property
    def engine(self) -> ModuleType:
        """Its package."""
        return import_module(f"engine.{self.name}")

    @property
    def rules(self) -> ModuleType:
        """How its rules are loaded."""
        return self.module("rules")

    @property
    def schema(self) -> ModuleType:
        """What its rules files may hold."""
        return self.module("rules_schema")

    @property
    def layout(self) -> ModuleType:
        """Its bit fields."""
        return self.module("layout")

    @property
    def folder(self) -> Path:
        """Where the game's perft files and transcripts lie."""
        return TESTS / self.name

    def load(self, setup: Setup) -> Any:
        """The rules of a setup."""
        return self.rules.load_rules(overrides=setup.overrides)

    def random_move(self, state: Any, rng: random.Random) -> Any:
        """Chance by its weights, moves equally likely."""
        if outcomes := self.chance(state):
            return rng.choices(*zip(*outcomes, strict=True))[0]
        return rng.choice(self.moves(state))

    def random_states(self, setup: Setup, seed: int) -> Iterator[Any]:
        """The states of one random play, from the first to the last."""
        rng = random.Random(seed)
        state = self.start(setup)
        yield state
        while not self.is_over(state):
            state = self.step(state, self.random_move(state, rng))
            yield state

    def move_text(self, state: Any, move: Any) -> str:
        """A move in a transcript: who makes it, and what it holds that is not usual."""
        if isinstance(move, int):
            return f"chance {move}"
        usual = getattr(move, "_field_defaults", {})
        names = getattr(move, "_fields", ("first", "second"))
        words = [f"{k}={_short(v)}" for k, v in zip(names, move, strict=True) if v != usual.get(k)]
        decider = getattr(_module(self.name, "reference"), "decider", None)
        return " ".join([*([] if decider is None else [str(decider(state))]), *words])

    def nodes_by_depth(self, state: Any, depth: int) -> list[int]:
        """Count nodes by the reference, which walks equal states once; the kernel makes each move, too."""
        compiled = self.compiled(state)
        frontier = Counter({state: 1})
        nodes = [1]
        for _ in range(depth):
            children: Counter[Any] = Counter()
            for parent, paths in frontier.items():
                words = self.encode(parent)
                self.assert_same(parent, words, compiled)
                for move in [] if self.is_over(parent) else self.moves(parent):
                    child, moved = self.step(parent, move), words.copy()
                    self.kernel_step(parent, moved, compiled, move)
                    assert moved.tolist() == self.encode(child).tolist()
                    children[child] += paths
            frontier = children
            nodes.append(sum(frontier.values()))
        return nodes


def _short(value: Any) -> str:
    if is_dataclass(value):
        value = tuple(getattr(value, each.name) for each in fields(value))
    if isinstance(value, tuple):
        return f"({','.join(map(_short, value))})"
    return value.name.lower() if isinstance(value, Enum) else str(value)


def changes(before: Any, after: Any, path: str = "") -> Iterator[str]:
    """What differs between two states, part by part."""
    if before == after:
        return
    if is_dataclass(after) and type(before) is type(after):
        for each in fields(after):
            yield from changes(getattr(before, each.name), getattr(after, each.name), f"{path}.{each.name}")
    elif isinstance(after, tuple) and isinstance(before, tuple) and len(before) == len(after):
        for place, (one, other) in enumerate(zip(before, after, strict=True)):
            yield from changes(one, other, f"{path}.{place}")
    else:
        yield f"{path[1:]}={_short(after)}"


def _module(game: str, name: str) -> ModuleType:
    return import_module(f"engine.{game}.{name}")


def _game(name: str, plays: ModuleType, **own: Any) -> Game:
    """A game whose parts have the names that most have; `own` are the rest, and those that differ."""
    reference, kernel = _module(name, "reference"), _module(name, "kernel")
    transition = getattr(plays, "transition", kernel.transition)
    usual: dict[str, Any] = {
        "moves": plays.moves,
        "chance": reference.chance_outcomes,
        "is_over": reference.is_over,
        "payoffs": reference.payoffs,
        "step": reference.step,
        "encode": _module(name, "codec").encode,
        "kernel_start": kernel.start,
        "kernel_step": lambda state, words, rules, move: transition(
            words, rules, plays.moves(state).index(move)
        ),
        "kernel_over": kernel.is_over,
        "assert_same": plays.assert_same,
    }
    return Game(name=name, **usual | own)


def _ragers() -> Game:
    game = "ragers"
    reference, rules = _module(game, "reference"), _module(game, "rules")

    def perft_start(box: Any, begin: dict[str, Any]) -> Any:
        if begin.get("match"):
            return reference.start_match(box)
        return reference.start_day(
            box,
            begin["patron"],
            begin["cheers"],
            preparation=begin["preparation"],
            hands=begin.get("hands"),
            decks=begin.get("decks"),
        )

    def copies(first: str, second: str) -> tuple[str, ...]:
        pairs = zip(rules.TYPES, first, second, strict=True)
        return tuple(f"cards.{card}.copies={{accusers={one}, defenders={two}}}" for card, one, two in pairs)

    long_rows = ("match.row_length=7", "match.winning_lead=99", "cards.veteran.copies=4")
    uneven = copies("10044334", "44401000")
    return _game(
        game,
        ragers_plays,
        setups={"box": Setup(), "long-rows": Setup(long_rows), "uneven": Setup(uneven)},
        transcripts={
            "box-1": (1, Setup()),
            "box-2": (22, Setup()),
            "long-rows": (3, Setup(long_rows)),
            "specials-only-against-attacks-only": (4, Setup(uneven)),
        },
        start=lambda setup: reference.start_match(rules.load_rules(overrides=setup.overrides)),
        perft_start=perft_start,
        compiled=lambda state: _module(game, "kernel_rules").kernel_rules(state.rules),
        kernel_step=lambda state, words, rules, move: ragers_plays.step_words(words, rules, move),
    )


def _raverun() -> Game:
    game = "raverun"
    reference, rules = _module(game, "reference"), _module(game, "rules")
    buries = ("characters.1.action=bury", "characters.4.action=shuffle", "characters.7.action=bury")
    small = ("match.characters=2", "match.hand_size=2")

    def perft_start(box: Any, begin: dict[str, Any]) -> Any:
        if "hands" in begin:
            return reference.start_dealt(box, [[box.card(name) for name in hand] for hand in begin["hands"]])
        return reference.start(box, begin["players"])

    return _game(
        game,
        raverun_plays,
        setups={
            "box": Setup(),
            "three": Setup(num_players=3),
            "buries": Setup(buries),
            "small": Setup(small),
        },
        transcripts={
            "box-1": (1, Setup()),
            "box-2": (9, Setup()),
            "three": (3, Setup(num_players=3)),
            "buries-and-shuffles": (4, Setup(buries)),
        },
        start=lambda setup: reference.start(rules.load_rules(overrides=setup.overrides), setup.num_players),
        perft_start=perft_start,
        compiled=lambda state: _module(game, "kernel_rules").kernel_rules(state.rules, len(state.players)),
    )


def _clash() -> Game:
    game = "clash"
    reference = _module(game, "reference")
    short = ("match.max_rounds=2",)
    switched = (
        "battle.sparing=false",
        "battle.elves=attacker",
        "match.stone_placement=stone",
        "match.forge_cost=0",
        "match.points=2",
        "match.max_rounds=3",
    )

    def scenario(rules: Any, num_players: int) -> Any:
        difficulty = "medium" if num_players == 1 else None
        return reference.scenario(rules, clash_plays.CLANS[:num_players], difficulty=difficulty)

    def start(setup: Setup) -> Any:
        rules = _module(game, "rules").load_rules(overrides=setup.overrides)
        return reference.start(rules, scenario(rules, setup.num_players))

    def perft_start(rules: Any, begin: dict[str, Any]) -> Any:
        """Walk on until a phase has come so often, at step n by the move of number `stride` * n."""
        state = reference.start(rules, scenario(rules, begin["players"]))
        met, steps = 0, 0
        while met < begin["times"]:
            known = clash_plays.moves(state)
            before = state.phase
            state = reference.step(state, known[begin["stride"] * steps % len(known)])
            met += state.phase != before and state.phase.name == begin["phase"]
            steps += 1
        return state

    def payoff_sums(setup: Setup) -> set[float]:
        return {0.0, 1.0} if setup.num_players == 1 else {0.0} if setup.num_players == 2 else {1.0}

    return _game(
        game,
        clash_plays,
        setups={
            "two": Setup(short),
            "three": Setup(short, 3),
            "four": Setup(("match.max_rounds=1",), 4),
            "solo": Setup((), 1),
            "switched": Setup(switched),
        },
        transcripts={
            "two": (19, Setup(short)),
            "three": (1, Setup(short, 3)),
            "solo": (12, Setup((), 1)),
            "switched": (103, Setup(switched)),
        },
        start=start,
        perft_start=perft_start,
        compiled=lambda state: _module(game, "kernel_rules").kernel_rules(state.rules, state.scenario),
        payoff_sums=payoff_sums,
    )


def _warage() -> Game:
    game = "warage"
    reference = _module(game, "reference")
    decks = ("orc-warrior", "elf-mage", "human-paladin", "angel-paladin")
    short = ("match.max_turns=4",)
    switched = (
        "match.season_unit=point",
        "match.optional_draw=true",
        "match.pay_to_death=true",
        "match.draws=3",
        "match.max_turns=3",
        'cards.gauntlets.effects=[{trigger="hit",action="discard",amount=1},'
        '{trigger="hurt",action="gain",amount=1}]',
    )

    def match_of(rules: Any, num_players: int, guilds: int) -> Any:
        return reference.setup_of(rules, decks[:num_players], guilds=guilds)

    def start(setup: Setup) -> Any:
        rules = _module(game, "rules").load_rules(overrides=setup.overrides)
        return reference.start(match_of(rules, setup.num_players, 2 if setup.num_players == 4 else 0))

    def perft_start(rules: Any, begin: dict[str, Any]) -> Any:
        """Walk on until a phase of a turn, at step n by the move of number `stride` * n."""
        state, steps = reference.start(match_of(rules, begin["players"], begin["guilds"])), 0
        while state.phase.name != begin["phase"] or state.turn < begin["turn"]:
            known = warage_plays.moves(state)
            state = reference.step(state, known[begin["stride"] * steps % len(known)])
            steps += 1
        return state

    return _game(
        game,
        warage_plays,
        setups={
            "duel": Setup(("match.max_turns=3",)),
            "three": Setup(("match.max_turns=1",), 3),
            "guilds": Setup(("match.max_turns=1",), 4),
            "switched": Setup((*switched, "match.max_turns=2")),
        },
        transcripts={
            "duel": (1, Setup(short)),
            "three": (2, Setup(("match.max_turns=2",), 3)),
            "guilds": (3, Setup(("match.max_turns=2",), 4)),
            "switched": (4, Setup(switched)),
        },
        start=start,
        perft_start=perft_start,
        compiled=lambda state: _module(game, "kernel_rules").kernel_rules(state.rules, state.setup),
        payoff_sums=lambda setup: {0.0} if setup.num_players == 2 else {1.0},
    )


def _ophidian() -> Game:
    game = "ophidian"
    reference, kernel_rules = _module(game, "reference"), _module(game, "kernel_rules")
    decks = {"iron": ("iron", "storm"), "brood": ("brood", "patron")}
    short = ("match.waves=2", "match.extra_waves=1")
    switched = (
        "combat.stand_in_defends=false",
        "combat.rage_damage=2",
        "match.riot=8",
        "match.hand_size=4",
        "match.waves=2",
        "match.extra_waves=0",
        "cards.drone.stats={life=2,rage=0,attack=0,defence=0,shield=0}",
    )

    def seats(rules: Any) -> list[Any]:
        names = decks["brood" if rules.match.waves == 2 else "iron"]
        return [reference.seat_of(rules, name) for name in names]

    def start(setup: Setup) -> Any:
        rules = _module(game, "rules").load_rules(overrides=setup.overrides)
        return reference.start_match(rules, seats(rules))

    def perft_start(rules: Any, begin: dict[str, Any]) -> Any:
        """Walk on until a phase of a wave, at step n by the move of number `stride` * n."""
        state, steps = reference.start_match(rules, seats(rules)), 0
        while state.phase.name != begin["phase"] or state.wave < begin["wave"]:
            known = ophidian_plays.moves(state)
            state = reference.step(state, known[begin["stride"] * steps % len(known)])
            steps += 1
        return state

    return _game(
        game,
        ophidian_plays,
        setups={
            "two-waves": Setup(short),
            "one-wave": Setup(("match.waves=1", "match.extra_waves=0")),
            "switched": Setup(switched),
        },
        transcripts={
            "box-1": (1, Setup()),
            "box-2": (2, Setup()),
            "two-waves": (3, Setup(short)),
            "switched": (4, Setup(switched)),
        },
        start=start,
        perft_start=perft_start,
        compiled=lambda state: kernel_rules.kernel_rules(state.rules, seats(state.rules)),
    )


GAMES = {game.name: game for game in (_ragers(), _raverun(), _clash(), _warage(), _ophidian())}
