"""What every game of the engine promises, asked of each in the same words."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import FrozenInstanceError
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine.bits import WORD_BITS
from tests.engine.contract.games import GAMES, Game, Setup, changes


def compiling(game: Game) -> list[Any]:
    """Marks of a test that compiles a game's kernels."""
    return [] if game.name == "ragers" else [pytest.mark.kernels]


SETUPS = [
    pytest.param(game, setup, id=f"{game.name}-{name}")
    for game in GAMES.values()
    for name, setup in game.setups.items()
]
KERNEL_SETUPS = [
    pytest.param(game, setup, id=f"{game.name}-{name}", marks=compiling(game))
    for game in GAMES.values()
    for name, setup in game.setups.items()
]
PLAYS = 20
LONGEST = 2_000


def files(folder: str, suffix: str) -> list[Any]:
    return [
        pytest.param(game, file, id=f"{game.name}-{file.stem}", marks=compiling(game))
        for game in GAMES.values()
        for file in sorted((game.folder / folder).glob(f"*.{suffix}"))
    ]


@pytest.fixture(params=GAMES.values(), ids=GAMES)
def game(request: pytest.FixtureRequest) -> Game:
    value: Game = request.param
    return value


# ---- Files ------------------------------------------------------------------------------------------------


def test_every_game_has_the_same_modules(game: Game) -> None:
    folder = Path(str(game.engine.__file__)).parent
    names = {file.name for file in folder.glob("*.py")} | {file.name for file in folder.glob("data/*")}
    common = [
        "rules",
        "rules_schema",
        "rules_checks",
        "reference",
        "layout",
        "kernel_rules",
        "kernel",
        "codec",
    ]
    assert {f"{name}.py" for name in common} | {f"{game.name}.toml"} <= names


def test_reading_the_rules_imports_nothing_heavy(game: Game) -> None:
    code = (
        f"import sys; from engine.{game.name} import reference; reference;"
        f"from engine.{game.name}.rules import load_rules; load_rules();"
        "print([m for m in ('numpy', 'numba', 'scipy', 'rich', 'click', 'difflib') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


# ---- Rules as data ----------------------------------------------------------------------------------------


def test_the_box_states_where_each_value_comes_from(game: Game) -> None:
    box = game.rules.load_rules()
    assert box.changed == []
    assert set(box.provenance.values()) <= {"rulebook", "public", "assumed"}
    tables = box.tables()
    leaves = {
        leaf
        for table, keys in tables.items()
        for key in keys
        if key != "name"
        for leaf in game.schema.SCHEMA.leaf_keys(table, key)
    }
    assert set(box.provenance) == leaves


@pytest.mark.parametrize(("game", "setup"), SETUPS)
def test_rules_written_and_read_again_are_the_same(game: Game, setup: Setup, tmp_path: Path) -> None:
    rules, box = game.load(setup), game.rules.load_rules()
    file = tmp_path / "again.toml"
    file.write_text(game.rules.to_toml(rules), encoding="utf-8")
    again = game.rules.load_rules([file])
    assert again == rules
    assert (again.sha256 == box.sha256) == (not setup.overrides)
    changed = [key for key, _, _ in game.rules.diff_rules(box, rules)]
    assert all(any(leaf.startswith(key) for key in changed) for leaf in rules.changed)
    assert bool(changed) == bool(setup.overrides)


@pytest.mark.parametrize("text", ["nonsense = 1", "[match]\nhand_size = -1", "[match]\nhand_sice = 1", "= 1"])
def test_mistakes_name_the_file(game: Game, text: str, tmp_path: Path) -> None:
    file = tmp_path / "wrong.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(
        game.rules.RulesError, match=rf"wrong\.toml: .*{'' if text == '= 1' else 'allowed: '}"
    ):
        game.rules.load_rules([file])


# ---- The reference ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("game", "setup"), SETUPS)
def test_plays_of_values_end_and_always_offer_moves(game: Game, setup: Setup) -> None:
    for seed in range(PLAYS // 4):
        states, twins = (list(game.random_states(setup, seed)) for _ in range(2))
        assert len(states) < LONGEST
        assert states == twins
        assert list(map(hash, states)) == list(map(hash, twins))
        with pytest.raises(FrozenInstanceError):
            states[0].phase = None
        for state in states[:-1]:
            moves = game.moves(state)
            assert moves
            assert len(set(moves)) == len(moves)
            outcomes = game.chance(state)
            assert all(isinstance(weight, int) and weight > 0 for _, weight in outcomes)
            assert [outcome for outcome, _ in outcomes] == (moves if outcomes else [])
        assert not game.chance(states[-1])
        payoffs = game.payoffs(states[-1])
        assert len(payoffs) == setup.num_players
        assert any(sum(payoffs) == pytest.approx(total) for total in game.payoff_sums(setup))


# ---- The kernel -------------------------------------------------------------------------------------------


def test_the_layout_covers_no_bit_twice(game: Game) -> None:
    for name, fields in game.layout.WORDS.items():
        bits = [
            field.offset + field.stride * index + bit
            for field in fields
            for index in range(field.repeats)
            for bit in range(field.width)
        ]
        assert len(bits) == len(set(bits)), name
        assert max(bits) < WORD_BITS, name


@pytest.mark.parametrize(("game", "setup"), KERNEL_SETUPS)
def test_kernel_and_reference_agree(game: Game, setup: Setup) -> None:
    compiled = game.compiled(game.start(setup))
    words = np.zeros(game.layout.NUM_WORDS, np.int64)
    for seed in range(PLAYS):
        game.kernel_start(words, compiled)
        previous: Any = None
        for state, move in _with_moves(game, setup, seed):
            if previous is not None:
                game.kernel_step(previous, words, compiled, move)
            game.assert_same(state, words, compiled)
            assert game.encode(state).tolist() == words.tolist()
            previous = state
        assert game.kernel_over(words)


def _with_moves(game: Game, setup: Setup, seed: int) -> Iterator[tuple[Any, Any]]:
    """States of a random play, each with the move that led to it."""
    rng = random.Random(seed)
    state, move = game.start(setup), None
    while True:
        yield state, move
        if game.is_over(state):
            return
        move = game.random_move(state, rng)
        state = game.step(state, move)


# ---- Golden files -----------------------------------------------------------------------------------------


def test_golden_files_are_there(game: Game) -> None:
    assert len(list((game.folder / "perft").glob("*.json"))) >= 4
    stems = {file.stem for file in (game.folder / "transcripts").glob("*.txt")}
    assert stems == set(game.transcripts)
    assert len(stems) >= 4


@pytest.mark.parametrize(("game", "file"), files("perft", "json"))
def test_node_counts(game: Game, file: Path) -> None:
    """A file holds `rules` (overrides), where to `start`, and the number of `nodes` at each depth."""
    spec = json.loads(file.read_text())
    state = game.perft_start(game.rules.load_rules(overrides=spec["rules"]), spec["start"])
    assert game.nodes_by_depth(state, len(spec["nodes"]) - 1) == spec["nodes"]


@pytest.mark.parametrize(
    ("game", "name"),
    [
        pytest.param(game, name, id=f"{game.name}-{name}", marks=compiling(game))
        for game in GAMES.values()
        for name in game.transcripts
    ],
)
def test_transcripts(game: Game, name: str) -> None:
    """Whole plays, a line each move: the move, and after `=>` what it has changed.

    The moves are read from the file, so no random generator has a say. To write the files anew after a change
    of the rules: `python -m tests.engine.contract.test_contract`.
    """
    _, setup = game.transcripts[name]
    compiled = game.compiled(game.start(setup))
    words = np.zeros(game.layout.NUM_WORDS, np.int64)
    game.kernel_start(words, compiled)
    state = game.start(setup)
    lines = (game.folder / "transcripts" / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    for number, line in enumerate(lines, 1):
        text = line.partition(" =>")[0]
        move = {game.move_text(state, each): each for each in game.moves(state)}[text]
        after = game.step(state, move)
        game.kernel_step(state, words, compiled, move)
        game.assert_same(after, words, compiled)
        assert f"{text} => {' '.join(changes(state, after))}".rstrip() == line, f"{name}, line {number}"
        state = after
    assert game.is_over(state)


def write_transcripts() -> None:
    """Write all golden transcripts anew."""
    for game in GAMES.values():
        for name, (seed, setup) in game.transcripts.items():
            lines = []
            before: Any = None
            for state, move in _with_moves(game, setup, seed):
                if before is not None:
                    text = f"{game.move_text(before, move)} => {' '.join(changes(before, state))}"
                    lines.append(text.rstrip())
                before = state
            path = game.folder / "transcripts" / f"{name}.txt"
            path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


if __name__ == "__main__":
    write_transcripts()
