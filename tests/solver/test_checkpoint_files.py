"""Files of saved solves: what is refused, what is not written over, and where they may lie."""

from __future__ import annotations

import json
import math
import os
import threading
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.lib import format as npy
from numpy.typing import NDArray

from solver.hidden_hands import Checkpoint, CheckpointError, check_checkpoint, check_checkpoint_place
from solver.hidden_hands.checkpoint import Keeper, Pace, load, save, stored

ME = {"day": "one", "version": "1"}
WORDS: dict[str, Any] = {
    "identity": ME,
    "title": "a day",
    "pace": {"next_check": 3, "check_s": 0.5, "plain_s": 0.25, "full_s": 0.0},
    "elapsed_s": 2.5,
    "history": [[1, 0.5, 4.0], [3, 2.0, 1.5]],
}


class Small:
    """Something to save, of two arrays."""

    def __init__(self, iterations: int = 3) -> None:
        self.iterations = iterations
        self.average = np.linspace(0.0, 1.0, 50)
        self.regret = np.full((2, 3), 2.0, np.float32)

    def arrays(self) -> dict[str, NDArray[Any]]:
        return {"average": self.average, "regret": self.regret}

    def numbers(self) -> dict[str, float]:
        return {"iterations": self.iterations, "total_weight": 14.0}

    def set_numbers(self, numbers: Mapping[str, float]) -> None:
        self.iterations = int(numbers["iterations"])


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    path = tmp_path / "solve"
    save(path, Small(), WORDS)
    return path


def rewrite(path: Path, change: Callable[[dict[str, Any]], None], **arrays: NDArray[Any]) -> None:
    """Write a saved solve again with another header, or other arrays; its check sums are right."""
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    header = json.loads(members["header.json"])
    change(header)
    members["header.json"] = json.dumps(header).encode()
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in members.items():
            with archive.open(name, "w") as member:
                if name.removesuffix(".npy") in arrays:
                    npy.write_array(member, arrays[name.removesuffix(".npy")], (1, 0))
                else:
                    member.write(data)


def put(*keys: Any, value: Any) -> Callable[[dict[str, Any]], None]:
    def change(header: dict[str, Any]) -> None:
        place: Any = header
        for key in keys[:-1]:
            place = place[key]
        place[keys[-1]] = value

    return change


def resume(path: Path) -> object:
    return Keeper(Checkpoint(ME, resume_from=path), Small()).resume()


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf, "three", None, [1]])
@pytest.mark.parametrize(
    "keys",
    [
        ("numbers", "total_weight"),
        ("numbers", "iterations"),
        ("iterations",),
        ("pace", "next_check"),
        ("pace", "check_s"),
        ("elapsed_s",),
        ("history", 0, 2),
        ("history", 0),
    ],
    ids=str,
)
def test_a_number_that_is_none(keys: tuple[Any, ...], number: Any, saved: Path) -> None:
    assert resume(saved)
    rewrite(saved, put(*keys, value=number))
    with pytest.raises(CheckpointError, match=r"spoilt|no saved solve"):
        resume(saved)
    if isinstance(number, float):  # that is refused before any work
        with pytest.raises(CheckpointError, match=r"spoilt: a number is not finite"):
            check_checkpoint(saved, ME)


@pytest.mark.parametrize("number", [math.nan, math.inf])
@pytest.mark.parametrize("name", ["average", "regret"])
def test_an_array_with_a_number_that_is_none(name: str, number: float, saved: Path) -> None:
    array = Small().arrays()[name]
    array.flat[array.size // 2] = number
    rewrite(saved, lambda _: None, **{name: array})
    with pytest.raises(CheckpointError, match=r"spoilt: a number is not finite"):
        load(saved, Small(), ME)
    with pytest.raises(CheckpointError, match="a number is not finite"):
        stored(saved, name)


@pytest.mark.parametrize("key", ["numbers", "arrays", "iterations", "pace", "elapsed_s", "history"])
def test_a_header_that_lacks_something(key: str, saved: Path) -> None:
    rewrite(saved, lambda header: header.pop(key))
    with pytest.raises(CheckpointError, match=r"spoilt|no saved solve"):
        resume(saved)


def test_what_is_no_saved_solve_is_not_written_over(tmp_path: Path, saved: Path) -> None:
    path = tmp_path / "notes.txt"
    assert check_checkpoint_place(path, ME) == 0
    path.touch()
    assert check_checkpoint_place(path, ME) == 0
    assert check_checkpoint_place(tmp_path, ME) == 0  # that it cannot be written is said elsewhere
    assert check_checkpoint_place(saved, ME) == 3
    with pytest.raises(CheckpointError, match="another solve"):
        check_checkpoint_place(saved, {"day": "two", "version": "1"})
    path.write_text("work of many years")
    with pytest.raises(CheckpointError, match="no saved solve"):
        check_checkpoint_place(path, ME)
    with pytest.raises(CheckpointError, match="no saved solve"):
        Keeper(Checkpoint(ME, save_to=path), Small())
    assert path.read_text() == "work of many years"
    keeper = Keeper(Checkpoint(ME, save_to=path, overwrite=True), Small())
    assert keeper.save(Pace(), 1.0, [])
    assert check_checkpoint_place(path, ME) == 3


def test_an_earlier_state_of_this_solve_is_kept_until_there_is_more(saved: Path) -> None:
    """Who begins anew where hours were saved loses none of them."""
    whole = saved.read_bytes()
    notes: list[str] = []
    solve = Small(iterations=2)
    keeper = Keeper(Checkpoint(ME, "", saved, interval_s=0.0, note=notes.append), solve)
    assert not keeper.due()
    keeper.close(Pace(), 1.0, [])
    assert saved.read_bytes() == whole
    assert notes == [
        f"{saved} holds iteration 3 of this solve from an earlier time, and is left as it is:"
        f" --resume {saved} goes on from there."
    ]
    solve.iterations = 4
    assert keeper.due()
    keeper.close(Pace(), 1.0, [])
    assert check_checkpoint(saved, ME)["iterations"] == 4
    solve.iterations = 2
    insisting = Keeper(Checkpoint(ME, "", saved, interval_s=0.0, overwrite=True), solve)
    assert insisting.save(Pace(), 1.0, [])
    assert check_checkpoint(saved, ME)["iterations"] == 2


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_devices_take_it_at_the_end_and_stay_devices(tmp_path: Path) -> None:
    for path, words in ((Path("/dev/null"), "is saved."), (Path("/dev/full"), "No space left")):
        notes: list[str] = []
        keeper = Keeper(Checkpoint(ME, "", path, interval_s=0.0, note=notes.append), Small())
        assert not keeper.due()
        keeper.close(Pace(), 1.0, [])
        assert path.is_char_device()
        assert len(notes) == 1
        assert words in notes[0]


def test_a_pipe_takes_a_whole_file(tmp_path: Path, saved: Path) -> None:
    pipe, copy = tmp_path / "pipe", tmp_path / "copy"
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: copy.write_bytes(pipe.read_bytes()))
    reader.start()
    assert save(pipe, Small(), WORDS) == 0
    reader.join(20)
    solve = Small(iterations=9)
    assert load(copy, solve, ME)["iterations"] == 3
    assert solve.iterations == 3
