"""Damaged files of values: one clear line each, whatever is wrong with them."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from analysis.raverun import kept_files
from analysis.raverun.policies import load_network, load_training
from engine.raverun.features import NUM_FEATURES
from engine.raverun.rules import load_rules

RULES = load_rules()
ABOUT = {"rules": np.array(RULES.sha256), "num_players": np.array(2)}
VALUES = {
    **ABOUT,
    "kind": np.array(kept_files.NETWORK.tag),
    "inputs": np.zeros((NUM_FEATURES, 2), np.float32),
    "hidden": np.zeros((2, 2), np.float32),
    "scale": np.array([0.0, 1.0, 0.0]),
    "progress": np.array([5, 50, 0, 1], np.int64),
    "seconds": np.array(1.0),
    "stream": np.array(3, np.uint64),
    "settings": np.array([0.01, 0.0005, 0.1, 0.02, 0.02, 0.8]),
}
LOADERS: dict[str, tuple[dict[str, Any], list[Callable[..., Any]]]] = {
    "--values": (VALUES, [load_network, load_training]),
}


def packed(arrays: dict[str, Any]) -> bytes:
    file = io.BytesIO()
    np.savez_compressed(file, **arrays)
    return file.getvalue()


@pytest.mark.parametrize("name", ["progress", "seconds", "stream", "settings"])
def test_values_of_which_the_training_is_lost_can_still_be_played_with(name: str, tmp_path: Path) -> None:
    path = tmp_path / "kept.npz"
    path.write_bytes(packed({key: value for key, value in VALUES.items() if key != name}))
    load_network(path, RULES, 2)
    with pytest.raises(kept_files.KeptFileError, match=f"{name} is missing"):
        load_training(path, RULES, 2)


@pytest.mark.parametrize("option", LOADERS)
def test_whatever_happens_to_a_file_it_is_read_or_refused(option: str, tmp_path: Path) -> None:
    arrays, loaders = LOADERS[option]
    path, generator = tmp_path / "kept.npz", np.random.default_rng(0)
    whole = np.frombuffer(packed(arrays), np.uint8)
    refused = 0
    for _ in range(60):
        data = whole.copy()
        places = generator.integers(len(data), size=int(generator.integers(1, 4)))
        data[places] = generator.integers(256, size=len(places))
        path.write_bytes(data[: int(generator.integers(len(data) // 2, 2 * len(data)))].tobytes())
        try:
            loaders[0](path, RULES, 2)
        except kept_files.KeptFileError:
            refused += 1
    assert refused > 30
    path.write_bytes(whole.tobytes())
    loaders[0](path, RULES, 2)
