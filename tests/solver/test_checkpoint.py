"""A solve that was saved and taken up again against one that was not: equal to the last bit."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from engine.ragers.day import day_tables
from engine.ragers.rules import load_rules
from solver.hidden_hands import (
    Checkpoint,
    CheckpointError,
    Left,
    Settings,
    Solution,
    check_checkpoint,
    machine,
    solve,
)
from solver.hidden_hands.checkpoint import load, save
from solver.hidden_hands.problem import blueprint, build_problem
from solver.hidden_hands.training import Trainer, tree_trainer
from tests.oracles.games import ASYMMETRIC, LARGE, SYMMETRIC, TinyGame
from tests.solver.merged_days import certificate_of, subtrees_of

pytestmark = pytest.mark.kernels

GAMES = {game.name: game for game in (*SYMMETRIC, *ASYMMETRIC, *LARGE)}
ME = {"day": "one", "version": "1"}
WORDS: dict[str, Any] = {"identity": ME, "title": "a day"}


def trainer_of(game: TinyGame) -> Trainer:
    plan = blueprint(day_tables(game.rules(), game.patron, game.cheers), game.preparation)
    trainer = tree_trainer(plan, build_problem(plan), 1, game.preparation == "redraw")
    subtrees_of(trainer).threshold = 0.02
    return trainer


def iterate(trainer: Trainer, until: int) -> None:
    """Visit everything now and then, by the number of the iteration."""
    while trainer.iterations < until:
        trainer.iterate(everything=trainer.iterations < 2 or trainer.iterations % 7 == 6)


def state(trainer: Trainer) -> dict[str, bytes]:
    found = {name: array.tobytes() for name, array in trainer.arrays().items()}
    return found | {"numbers": repr(trainer.numbers()).encode()}


@pytest.mark.parametrize("name", ["veterans", "uneven-redraw", "uneven-seen", "four-steps", "attacks"])
def test_a_resumed_trainer_is_the_uninterrupted_one(name: str, tmp_path: Path) -> None:
    game = GAMES[name]
    through = trainer_of(game)
    iterate(through, 14)
    first = trainer_of(game)
    iterate(first, 5)
    path = tmp_path / "solve"
    save(path, first, WORDS)
    iterate(first, 14)  # having been saved changes nothing either
    second = trainer_of(game)
    iterate(second, 1)  # nor does what was in memory before
    assert load(path, second, ME)["iterations"] == 5
    assert state(second) != state(first)
    iterate(second, 14)
    assert state(first) == state(through)
    assert state(second) == state(through)
    one, other = certificate_of(second), certificate_of(through)
    assert one.best_response_values == other.best_response_values
    for p in range(2):
        assert one.opening_values[p].tobytes() == other.opening_values[p].tobytes()


def test_every_array_that_changes_is_saved() -> None:
    """Whatever a trainer holds and an iteration changes is among its arrays or numbers."""
    trainer = trainer_of(GAMES["uneven-redraw"])
    iterate(trainer, 3)
    held = {id(array) for array in trainer.arrays().values()}
    inner = [trainer.tables.state, subtrees_of(trainer).lazy_updates, trainer.root_mass, trainer.root_average]
    holders = (trainer, trainer.tables)
    arrays = [each for one in holders for each in vars(one).values() if isinstance(each, np.ndarray)]
    arrays += [each for group in inner for each in group]
    before = [array.copy() for array in arrays]
    iterate(trainer, 7)
    changed = [array for array, old in zip(arrays, before, strict=True) if array.tobytes() != old.tobytes()]
    assert len(changed) >= 6
    assert all(id(array) in held for array in changed)


class Block:
    """Something to save: an array of a size that one notices."""

    def __init__(self, size: int, fill: int = 0) -> None:
        self.iterations = 3
        self.block = np.full(size, fill, np.uint8)

    def arrays(self) -> dict[str, NDArray[Any]]:
        return {"block": self.block, "empty": np.zeros((0, 2)), "flags": np.array([[True], [False]])}

    def numbers(self) -> dict[str, float]:
        return {"iterations": self.iterations, "third": 1 / 3}

    def set_numbers(self, numbers: Mapping[str, float]) -> None:
        assert numbers == {"iterations": 3, "third": 1 / 3}


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    path = tmp_path / "solve"
    save(path, Block(3000, 9), WORDS)
    return path


def test_cut_off_anywhere(saved: Path) -> None:
    whole = saved.read_bytes()
    for length in (*range(0, len(whole), 97), len(whole) - 1):
        saved.write_bytes(whole[:length])
        with pytest.raises(CheckpointError, match="no saved solve, or it is cut off"):
            check_checkpoint(saved, ME)
    saved.write_bytes(whole)
    assert check_checkpoint(saved, ME)["iterations"] == 3


def zipped(**members: str) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, text in members.items():
            archive.writestr(name.replace("_", "."), text)
    return file.getvalue()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "cut off"),
        (b"[match]\nhand_size = 2\n", "no saved solve"),
        (zipped(other_json="{}"), "no saved solve"),
        (zipped(header_json="{}"), "no saved solve"),
        (zipped(header_json="[1]"), "no saved solve"),
        (zipped(header_json="\udcff".encode("utf-8", "surrogatepass").decode("latin-1")), "no saved solve"),
    ],
)
def test_foreign_files(content: bytes, message: str, tmp_path: Path) -> None:
    path = tmp_path / "solve"
    path.write_bytes(content)
    with pytest.raises(CheckpointError, match=message):
        check_checkpoint(path, ME)


@pytest.mark.parametrize(
    ("identity", "message"),
    [
        ({"day": "two", "version": "1"}, r"another solve \(a day\): its day is one, and two was asked for"),
        ({"day": "one", "version": "2"}, "its version is 1, and 2"),
        ({"day": "one"}, "its version is 1, and None"),
        (ME | {"model": "3"}, "its model is None, and 3"),
    ],
)
def test_another_solve(identity: dict[str, str], message: str, saved: Path) -> None:
    with pytest.raises(CheckpointError, match=message):
        check_checkpoint(saved, identity)
    with pytest.raises(CheckpointError, match=message):
        load(saved, Block(3000), identity)


@contextmanager
def full_disk(size: int) -> Iterator[None]:
    """Let no file grow beyond `size` bytes."""
    resource = pytest.importorskip("resource")
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)


# ---- whole solves ------------------------------------------------------------------------------------------

SHORT = ("match.row_length=3", "match.hand_size=3", "cards.slasher.copies=2")


def day(*overrides: str) -> Any:
    return day_tables(load_rules(overrides=(*SHORT, *overrides)), "solennos", ("two-bashers",))


def answer(solution: Solution) -> dict[str, Any]:
    """All of a solution but time and memory."""
    fields = {
        name: value for name, value in vars(solution).items() if name not in ("seconds", "peak_memory_bytes")
    }
    fields["history"] = [(iteration, gap) for iteration, _, gap in solution.history]
    return {
        name: value.tobytes() if isinstance(value, np.ndarray) else repr(value)
        for name, value in fields.items()
    }


def test_a_stopped_solve_goes_on_as_if_it_had_not_been(tmp_path: Path) -> None:
    game, path = day(), tmp_path / "solve"
    settings = Settings(preparation="redraw", iterations=12, threads=1)
    whole = solve(game, settings)
    notes: list[str] = []
    polls = iter(range(100))
    half = solve(
        game, settings, stop=lambda: next(polls) == 6, checkpoint=Checkpoint(ME, "", path, note=notes.append)
    )
    assert half.iterations == 7
    assert notes == [f"Iteration 6 is saved: --resume {path} goes on from there."]
    earlier_s = check_checkpoint(path, ME)["elapsed_s"]
    resumed = solve(game, settings, checkpoint=Checkpoint(ME, "", path, path))
    assert answer(resumed) == answer(whole)
    assert resumed.seconds > earlier_s > 0  # time counts from the very start
    # What was finished can be finished again, or gone on with.
    assert check_checkpoint(path, ME)["iterations"] == 11
    assert answer(solve(game, settings, checkpoint=Checkpoint(ME, resume_from=path))) == answer(whole)
    longer = Settings(preparation="redraw", iterations=15, threads=2)
    again = solve(game, longer, checkpoint=Checkpoint(ME, resume_from=path))
    assert answer(again)["opening"] == answer(solve(game, longer))["opening"]


def leaving(polls: int) -> Any:
    """Leave at once when asked for the so manieth time; one more question is fine."""
    left = iter(range(polls))
    return lambda: next(left, None) is None


@pytest.mark.parametrize("overrides", [(), ("cards.slasher.gp=4",)])
def test_who_leaves_at_once_gets_what_is_known(overrides: tuple[str, ...]) -> None:
    """In an iteration or in the proof: openings, and a bound that holds; before there is anything: `Left`."""
    game = day(*overrides)
    settings = Settings(preparation="redraw", iterations=12, threads=1)
    with pytest.raises(Left):
        solve(game, settings, leave=lambda: True)
    whole = solve(game, settings)
    polled = 0

    def count() -> bool:
        nonlocal polled
        polled += 1
        return False

    assert answer(solve(game, settings, leave=count)) == answer(whole)
    for polls in (polled // 3, polled - 2, polled - 1):
        found = solve(game, settings, leave=leaving(polls))
        assert not found.certified
        assert "left" in found.certificate
        assert found.iterations <= whole.iterations
        np.testing.assert_allclose(found.opening_mix.sum(axis=1), 1.0)
        assert np.isnan(found.outcome).all()
        assert np.isnan(found.usage).all()
        low, high = -found.best_response_values[1], found.best_response_values[0]
        assert low <= found.value <= high
        assert low <= whole.best_response_values[0]
        assert -whole.best_response_values[1] <= high
        assert 0.0 <= found.nash_conv < np.inf
    # Proved, and left before outcomes were counted.
    assert found.nash_conv == whole.nash_conv


def test_a_limit_that_is_over_is_like_leaving(monkeypatch: pytest.MonkeyPatch) -> None:
    settings = Settings(preparation="redraw", time_limit_s=1e-9, threads=1)
    monkeypatch.setattr(machine, "_LEAST_OVER_S", 0.0)
    with pytest.raises(Left):
        solve(day(), settings)
    # With time for it, the only iteration is proved.
    monkeypatch.setattr(machine, "_LEAST_OVER_S", 1e6)
    found = solve(day(), settings)
    assert (found.certified, found.iterations) == (True, 1)
    # What is over in the middle of that is the proof.
    monkeypatch.setattr(machine, "_LEAST_OVER_S", 0.5)
    monkeypatch.setattr(machine.Clock, "elapsed", lambda clock: float(getattr(clock, "certifies", 0)))
    say = machine.Clock.say

    def noticed(clock: Any, phase: str, *words: Any) -> None:
        clock.certifies = phase == "certify"
        say(clock, phase, *words)

    monkeypatch.setattr(machine.Clock, "say", noticed)
    cut = solve(day(), replace(settings, iterations=5, time_limit_s=0.1))
    assert not cut.certified
    np.testing.assert_allclose(cut.opening_mix.sum(axis=1), 1.0)


def test_a_solve_goes_on_by_the_method_it_was_begun_with(tmp_path: Path) -> None:
    """Whatever ``auto`` would choose by the time and memory there are now."""
    game, path = day(), tmp_path / "solve"
    settings = Settings(preparation="none", method="merged", iterations=10, threads=1)
    solve(game, settings, checkpoint=Checkpoint(ME, save_to=path))
    again = solve(game, replace(settings, method="auto"), checkpoint=Checkpoint(ME, resume_from=path))
    assert again.method == "merged"
    assert answer(again) == answer(solve(game, settings))
    path.unlink()
    solve(game, replace(settings, method="exact"), checkpoint=Checkpoint(ME, save_to=path))
    assert (
        solve(game, replace(settings, method="auto"), checkpoint=Checkpoint(ME, resume_from=path)).method
        == "exact"
    )


def test_saving_that_fails_stops_nothing(tmp_path: Path) -> None:
    game = day()
    settings = Settings(preparation="none", iterations=6, threads=1)
    notes: list[str] = []
    for path in (tmp_path / "solve", tmp_path / "nowhere" / "solve", tmp_path):
        with full_disk(20_000):
            found = solve(
                game, settings, checkpoint=Checkpoint(ME, "", path, interval_s=0.0, note=notes.append)
            )
        assert answer(found) == answer(solve(game, settings))
    assert list(tmp_path.iterdir()) == []
    assert "File too large. The solve goes on." in notes[0]
    assert "No such file or directory. The solve goes on." in notes[6]
    assert "folder" in notes[-7] or "directory" in notes[-7].lower()
