"""Files of learned values: what is written is read back, and what is damaged or of others is refused."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from analysis.errors import RequestError
from analysis.learned_values import (
    Facts,
    Provenance,
    TrainedNetwork,
    carried,
    decoded,
    decoded_for,
    encoded,
    from_file,
    in_file,
)
from solver.sampling.value_network import ValueNetwork

FACTS = Facts("bidding", 5, "0123456789abcdef")
RULES = "f" * 64


def trained(**more: Any) -> TrainedNetwork:
    """Return a network of five facts, of which one never came up, and two hidden units."""
    inputs = np.array([[1, 2], [0, 0], [0.5, -1], [0, 3], [-4, 0.25]], np.float32)
    hidden = np.array([[0.1, 0.2], [0.3, -0.4]], np.float32)
    given: dict[str, Any] = {
        "kind": FACTS.kind,
        "version": "1",
        "rules_sha256": RULES,
        "facts": FACTS.digest,
        "plays": 1234,
        "positions": 99,
        "seed": 7,
        "rates": (0.1, 0.01),
        "temperatures": (1.0, 0.5),
        "random_share": 0.1,
        "trace": 0.5,
    }
    network = ValueNetwork(inputs, hidden, np.array([0.0, 1.0, 0.25]))
    return TrainedNetwork(network, Provenance(**(given | more)), {"bonus": np.array([[1.5, 2.5]])})


def test_a_network_is_read_back_with_what_the_game_keeps_beside_it() -> None:
    before = trained()
    after = decoded(encoded(before), "it", FACTS)
    assert after.provenance == before.provenance
    for name in ("inputs", "hidden", "scale"):
        one, other = getattr(before.network, name), getattr(after.network, name)
        assert one.dtype == other.dtype
        np.testing.assert_array_equal(one, other)
    assert list(after.further) == ["bonus"]
    np.testing.assert_array_equal(after.further["bonus"], before.further["bonus"])
    assert after.words == "1,234 plays, seed 7"


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"kind": "clash-values-1"}, "of another game .clash-values-1."),
        ({"kind": "bidding-values-0"}, "of another version: train again .bidding train."),
        ({"facts": "0" * 16}, "of another version"),
    ],
)
def test_values_of_other_games_and_versions_are_refused(changes: dict[str, str], said: str) -> None:
    with pytest.raises(RequestError, match=said) as refused:
        decoded(encoded(trained(**changes)), "it", FACTS)
    assert refused.value.option == "--values"


def archive(**changes: Any) -> bytes:
    """Return a file of values in which some arrays are others; None leaves one out."""
    with np.load(io.BytesIO(encoded(trained()))) as file:
        held = {name: file[name] for name in file.files}
    held |= changes
    written = io.BytesIO()
    np.savez_compressed(written, **{name: array for name, array in held.items() if array is not None})
    return written.getvalue()


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"hidden": np.zeros((2, 2))}, "it is damaged"),
        ({"scale": np.zeros(4)}, "it is damaged"),
        ({"scale": np.array([0.0, np.nan, 0.0])}, "it is damaged"),
        ({"further-bonus": np.array([np.nan])}, "it is damaged"),
        ({"inputs": None}, "no file of values"),
        ({"used": np.array([0, 2, 3, 9], np.int32)}, "no file of values"),
    ],
)
def test_damaged_values_are_refused(changes: dict[str, Any], said: str) -> None:
    assert decoded(archive(), "it", FACTS).provenance.plays == 1234
    with pytest.raises(RequestError, match=said):
        decoded(archive(**changes), "it", FACTS)


def test_values_hold_for_the_rules_that_they_were_learned_by(tmp_path: Path) -> None:
    file, other = tmp_path / "values.npz", "0" * 64
    assert carried(file, FACTS, RULES) is None
    with pytest.raises(RequestError, match="cannot read"):
        from_file(file, FACTS, RULES)
    file.write_bytes(encoded(trained()))
    found = carried(file, FACTS, RULES)
    assert found is not None
    assert found.provenance == trained().provenance
    assert carried(file, FACTS, other) is None
    assert from_file(file, FACTS, RULES).provenance.seed == 7
    with pytest.raises(RequestError, match="was trained by other rules: train again"):
        from_file(file, FACTS, other)
    with pytest.raises(RequestError, match="x was trained by other rules"):
        decoded_for(file.read_bytes(), "x", FACTS, other)


@pytest.mark.parametrize("force", [False, True])
@pytest.mark.parametrize(
    ("there", "asked", "learns"),
    [
        (None, (1234, 7), True),
        (b"", (1234, 7), True),
        (b"something", (1234, 7), None),
        ("values", (1234, 7), False),
        ("values", (1234, 8), None),
        ("values", (1235, 7), None),
    ],
)
def test_what_a_file_holds_already_is_not_learned_again(
    tmp_path: Path, force: bool, there: bytes | str | None, asked: tuple[int, int], learns: bool | None
) -> None:
    """Learned, found, or, where another file would be lost, refused; but for one who wants it so."""
    file = tmp_path / "values.npz"
    if there is not None:
        file.write_bytes(encoded(trained()) if isinstance(there, str) else there)
    calls = []

    def learned() -> TrainedNetwork:
        calls.append(1)
        return trained(plays=asked[0], seed=asked[1])

    def known(path: Path) -> TrainedNetwork:
        return from_file(path, FACTS, RULES)

    def found() -> TrainedNetwork | None:
        return in_file(file, asked, learned, known, force=force)

    if learns is None and not force:
        before = file.read_bytes()
        with pytest.raises(RequestError, match="--force"):
            found()
        assert (file.read_bytes(), calls) == (before, [])
        return
    network = found()
    assert network is not None
    assert (network.provenance.plays, network.provenance.seed) == asked
    assert bool(calls) is bool(learns or force)
    assert known(file).provenance == network.provenance
