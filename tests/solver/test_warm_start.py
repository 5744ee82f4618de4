"""Solves that begin from the tables of the same game with other payoffs: certified as any other."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine.ragers.day import DayTables, day_tables
from solver.extensive import build_game
from solver.hidden_hands import Settings, Solution, WarmStart, solve
from solver.hidden_hands import checkpoint as files
from solver.sequence_form import solve_sequence_form
from tests.oracles.games import ASYMMETRIC, LARGE, SYMMETRIC, TinyGame

pytestmark = pytest.mark.kernels

GAMES = {game.name: game for game in (*SYMMETRIC, *ASYMMETRIC, *LARGE)}
NAMES = ["attacks", "attacks-redraw", "attacks-seen", "veterans", "uneven-redraw", "uneven-seen"]
SETTINGS = Settings(preparation="none", iterations=40, threads=1)
IDENTITY = {"game": "tiny"}


def changed(game: TinyGame, *overrides: str) -> TinyGame:
    return game._replace(overrides=(*game.overrides, *overrides))


def tables(game: TinyGame) -> DayTables:
    return day_tables(game.rules(), game.patron, game.cheers)


def settings_of(game: TinyGame, **other: Any) -> Settings:
    return replace(SETTINGS, preparation=game.preparation, **other)


def kept(game: TinyGame, path: Path) -> WarmStart:
    """Solve a game and keep its tables; return what another one may begin from."""
    solve(tables(game), settings_of(game), warm=WarmStart(IDENTITY, game.name, keep_in=path, least_s=0.0))
    assert path.exists()
    return WarmStart(IDENTITY, "another", candidates=(path,))


def numbers(solution: Solution) -> dict[str, Any]:
    left_out = ("seconds", "peak_memory_bytes", "history")
    return {
        name: value.tobytes() if isinstance(value, np.ndarray) else repr(value)
        for name, value in vars(solution).items()
        if name not in left_out
    }


@pytest.mark.parametrize("name", NAMES)
def test_a_changed_value_is_solved_from_the_old_tables(name: str, tmp_path: Path) -> None:
    """Its value lies between the certified best responses, before the first iteration and at the end."""
    game = GAMES[name]
    start = kept(game, tmp_path / "base")
    rng = random.Random(name)
    other = changed(game, f"cards.{rng.choice(['basher', 'slasher', 'prodder'])}.gp={rng.choice([2, 4])}")
    value = solve_sequence_form(build_game(other.source())).value
    warm = solve(tables(other), settings_of(other), warm=start)
    assert warm.started_from == name
    assert warm.iterations == 40
    assert -warm.best_response_values[1] - 1e-4 <= value <= warm.best_response_values[0] + 1e-4
    first, last = warm.history[0], warm.history[-1]
    assert first[0] == 20  # what the old averages count as: before any iteration of this solve
    assert last[0] == 60
    assert last[2] == pytest.approx(warm.nash_conv)
    cold = solve(tables(other), settings_of(other))
    assert cold.started_from == ""
    assert warm.nash_conv <= 1.5 * cold.nash_conv + 0.02


@pytest.mark.slow
@pytest.mark.parametrize("name", [game.name for game in (*SYMMETRIC, *ASYMMETRIC)][:10])
@pytest.mark.parametrize("seed", [1, 2])
def test_random_changes_against_their_linear_programs(name: str, seed: int, tmp_path: Path) -> None:
    game, rng = GAMES[name], random.Random(f"{name} {seed}")
    start = kept(game, tmp_path / "base")
    cards = ["basher", "slasher", "prodder", "chancer", "cheater", "deadeye", "stopper"]
    other = changed(game, *(f"cards.{card}.gp={rng.randint(0, 7)}" for card in rng.sample(cards, 3)))
    value = solve_sequence_form(build_game(other.source())).value
    warm = solve(tables(other), settings_of(other, iterations=100), warm=start)
    assert -warm.best_response_values[1] - 1e-4 <= value <= warm.best_response_values[0] + 1e-4


def test_the_same_bits_with_any_number_of_threads(tmp_path: Path) -> None:
    game = GAMES["uneven-redraw"]
    start = kept(game, tmp_path / "base")
    other = changed(game, "cards.basher.gp=5")
    one = solve(tables(other), settings_of(other), warm=start)
    two = solve(tables(other), settings_of(other, threads=2), warm=start)
    assert numbers(one) == numbers(two)


@pytest.mark.parametrize("spoil", ["emptied", "cut", "other tree", "other identity", "a folder", "missing"])
def test_what_cannot_be_begun_from_is_said_and_left(
    spoil: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "base"
    game = GAMES["attacks"]
    start = kept(game, path)
    if spoil == "emptied":
        path.write_bytes(b"")
    elif spoil == "cut":
        path.write_bytes(path.read_bytes()[:-2000])
    elif spoil == "other tree":
        path.unlink()
        kept(GAMES["veterans"], path)
    elif spoil == "other identity":
        start = replace(start, identity={"game": "another"})
    else:
        path.unlink()
        if spoil == "a folder":
            path.mkdir()
    notes: list[str] = []
    other = changed(game, "cards.basher.gp=4")
    found = solve(tables(other), settings_of(other), warm=replace(start, note=notes.append))
    assert len(notes) == 1
    assert "Not begun from earlier tables" in notes[0]
    assert numbers(found) == numbers(solve(tables(other), settings_of(other)))


def test_a_solve_that_began_warm_goes_on_where_it_was_saved(tmp_path: Path) -> None:
    game = GAMES["attacks"]
    start = kept(game, tmp_path / "base")
    other, saved = changed(game, "cards.basher.gp=5"), tmp_path / "saved"
    settings = settings_of(other, iterations=12)
    whole = solve(tables(other), settings, warm=start)
    polls = iter(range(100))
    point = files.Checkpoint(IDENTITY, "", saved)
    solve(tables(other), settings, stop=lambda: next(polls) == 6, checkpoint=point, warm=start)
    resumed = solve(tables(other), settings, checkpoint=replace(point, resume_from=saved), warm=start)
    assert resumed.iterations == whole.iterations == 12
    assert resumed.opening.tobytes() == whole.opening.tobytes()
