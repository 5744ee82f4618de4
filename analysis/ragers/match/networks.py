"""What positions of a match are worth, as learned by self-play: carried for the box, trained for other rules.

The carried file is written by ``ragers train``, like any other of its kind.
"""

from __future__ import annotations

import hashlib
import io
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from analysis.errors import RequestError
from analysis.version import __version__
from engine.ragers.facts import COMMON_FACTS, NUM_FEATURES, NUM_STAGES, SIDE_FACTS
from engine.ragers.rules import Rules
from engine.ragers.sampling import sampling_tables
from solver.sampling.value_network import ValueNetwork
from solver.sampling.value_training import ValueTrainingSettings, train_values

KIND = "ragers-values-1"
NUM_HIDDEN = 64
PLAYS = 60_000
"""Of a training on the spot."""


class Provenance(msgspec.Struct, frozen=True):
    """Where a network comes from.

    Attributes
    ----------
    facts : a hash of the list of facts it knows.
    """

    kind: str
    version: str
    rules_sha256: str
    facts: str
    plays: int
    positions: int
    seed: int
    rates: tuple[float, float]
    temperatures: tuple[float, float]
    random_share: float
    trace: float


@dataclass(frozen=True, eq=False)
class TrainedNetwork:
    """A network with its provenance."""

    network: ValueNetwork
    provenance: Provenance

    @property
    def words(self) -> str:
        """What it was trained by."""
        return f"{self.provenance.plays:,} plays, seed {self.provenance.seed}"


def facts_hash() -> str:
    """Return what tells lists of facts apart."""
    listed = msgspec.json.encode([sorted(SIDE_FACTS.items()), sorted(COMMON_FACTS.items()), NUM_STAGES])
    return hashlib.sha256(listed).hexdigest()[:16]


def train(
    rules: Rules, plays: int, seed: int, progress: Callable[[int, float], bool | None] | None = None
) -> TrainedNetwork | None:
    """Learn by so many matches of self-play; None if `progress` ended it early.

    The same plays and seed give the same network on one kind of machine.
    """
    settings = ValueTrainingSettings(num_hidden=NUM_HIDDEN, seed=seed)
    game = sampling_tables(rules)
    untrained = _first_inputs(settings)
    result = train_values(game, (-1.0, 1.0), settings, plays=plays, progress=progress)
    if not result.completed:
        return None
    network = result.network
    # Facts that never came up stand for nothing; and numbers are kept as the file holds them.
    inputs = network.inputs.astype(np.float16).astype(np.float32)
    inputs[(network.inputs == untrained).all(axis=1)] = 0.0
    provenance = Provenance(
        kind=KIND,
        version=__version__,
        rules_sha256=rules.sha256,
        facts=facts_hash(),
        plays=result.plays,
        positions=result.positions,
        seed=seed,
        rates=settings.rates,
        temperatures=settings.temperatures,
        random_share=settings.random_share,
        trace=settings.trace,
    )
    return TrainedNetwork(ValueNetwork(inputs, network.hidden, network.scale), provenance)


def _first_inputs(settings: ValueTrainingSettings) -> Any:
    from solver.sampling.value_network import new_network

    return new_network(NUM_FEATURES, settings.num_hidden, (-1.0, 1.0), settings.seed).inputs


def encoded(trained: TrainedNetwork) -> bytes:
    """Return the file of a network."""
    network = trained.network
    used = np.flatnonzero(network.inputs.any(axis=1))
    file = io.BytesIO()
    np.savez_compressed(
        file,
        provenance=np.array(msgspec.json.encode(trained.provenance).decode()),
        used=used.astype(np.int32),
        inputs=network.inputs[used].astype(np.float16),
        hidden=network.hidden,
        scale=network.scale,
    )
    return file.getvalue()


def decoded(data: bytes, what: str) -> TrainedNetwork:
    """Return the network of a file.

    Raises
    ------
    RequestError
        If it is none, or of another version's kind; `what` names it.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)):
            pass
        with np.load(io.BytesIO(data), allow_pickle=False) as file:
            held = {name: np.ascontiguousarray(file[name]).reshape(file[name].shape) for name in file.files}
        provenance = msgspec.json.decode(str(held["provenance"].item()), type=Provenance)
        used, hidden, scale = held["used"], held["hidden"], held["scale"]
        inputs = np.zeros((NUM_FEATURES, hidden.shape[1]), np.float32)
        if provenance.kind == KIND and provenance.facts == facts_hash():
            inputs[used] = held["inputs"]
        numbers = np.concatenate([inputs.ravel(), hidden.ravel(), scale.ravel()])
        sound = hidden.dtype == np.float32 and scale.shape == (3,) and bool(np.isfinite(numbers).all())
    # What goes wrong inside a damaged archive is anybody's guess: numpy, zipfile, zlib have a dozen kinds.
    except Exception:
        raise RequestError(f"{what} is no file of values, or damaged", "--values") from None
    if provenance.kind != KIND or provenance.facts != facts_hash():
        raise RequestError(f"{what} is of another version: train again (ragers train)", "--values")
    if not sound:
        raise RequestError(f"{what} is damaged", "--values")
    return TrainedNetwork(ValueNetwork(inputs, hidden, scale), provenance)


def carried_path() -> Path:
    """Return where the network for the box lies."""
    import results

    return Path(results.__file__).parent / "match" / "values.npz"


def carried(rules: Rules) -> TrainedNetwork | None:
    """Return the carried network if it was trained by these rules."""
    path = carried_path()
    if not path.exists():
        return None
    found = decoded(path.read_bytes(), str(path))
    return found if found.provenance.rules_sha256 == rules.sha256 else None


def from_file(path: Path, rules: Rules) -> TrainedNetwork:
    """Return the network at `path`.

    Raises
    ------
    RequestError
        If it cannot be read, or was trained by other rules.
    """
    try:
        found = decoded(path.read_bytes(), str(path))
    except OSError as error:
        raise RequestError(f"cannot read {path}: {error.strerror}", "--values") from None
    if found.provenance.rules_sha256 != rules.sha256:
        raise RequestError(f"{path} was trained by other rules: train again (ragers train)", "--values")
    return found
