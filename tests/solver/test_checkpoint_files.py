"""Files of saved solves: what is refused, what is not written over, and where they may lie."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from solver.hidden_hands import Checkpoint, CheckpointError, check_checkpoint, check_checkpoint_place
from solver.hidden_hands.checkpoint import Keeper, Pace, save

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
