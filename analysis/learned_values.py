"""What positions of a game are worth, as learned by self-play: learning it, and the file that holds it.

Every game that is trained so keeps its values in a file of this form: the network, and where it comes from.
A game says by `Facts` which inputs its networks have; a file for other facts is refused.
"""

from __future__ import annotations

import io
import math
import zipfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np
import numpy.typing as npt
from numpy.lib import format as npy

from analysis.amounts import counted
from analysis.errors import RequestError, WorkError
from analysis.files import check_output, write_atomically
from analysis.version import __version__
from engine.bounded import read_bounded

if TYPE_CHECKING:
    from solver.sampling.value_network import FeaturedGame, ValueNetwork
    from solver.sampling.value_training import ValueTrainingResult, ValueTrainingSettings

PAYOFF_RANGE = (-1.0, 1.0)
"""Of every game whose values are kept so: a loss and a win."""
Progress = Callable[[int, float], bool | None]
"""Takes plays and seconds; True ends the learning there."""
_FURTHER = "further-"


class Provenance(msgspec.Struct, frozen=True):
    """Where a network comes from.

    Attributes
    ----------
    kind : tells games, and forms of files, apart.
    facts : a hash of the list of facts it knows.
    about : what else it was trained for, such as decks, in words.
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
    about: str = ""


@dataclass(frozen=True, eq=False)
class TrainedNetwork:
    """A network with its provenance.

    Attributes
    ----------
    further : what else the game keeps with it, float64 arrays by name.
    """

    network: ValueNetwork
    provenance: Provenance
    further: dict[str, npt.NDArray[np.float64]] = field(default_factory=dict)

    @property
    def words(self) -> str:
        """What it was trained by."""
        return f"{counted(self.provenance.plays, 'play')}, seed {self.provenance.seed}"


@dataclass(frozen=True)
class Facts:
    """The inputs of a game's networks.

    Attributes
    ----------
    game : its name, as its commands have it: `ragers train` makes the files of `ragers`.
    num_features : how many facts there are.
    digest : what tells lists of facts apart, of 16 hexadecimal digits or so.
    """

    game: str
    num_features: int
    digest: str

    @property
    def kind(self) -> str:
        """The kind of the game's files."""
        return f"{self.game}-values-1"


def learn(
    game: FeaturedGame,
    facts: Facts,
    rules_sha256: str,
    settings: ValueTrainingSettings,
    plays: int,
    progress: Progress | None = None,
    *,
    about: str = "",
) -> TrainedNetwork | None:
    """Learn by so many plays against itself; None if `progress` ended it early.

    The same plays and seed give the same network on one kind of machine.
    """
    from solver.sampling.value_training import train_values

    result = train_values(game, PAYOFF_RANGE, settings, plays=plays, progress=progress)
    if not result.completed:
        return None
    network = result.network
    make_small(network, settings.seed)
    return TrainedNetwork(network, provenance_of(result, facts, rules_sha256, about))


def make_small(network: ValueNetwork, seed: int) -> None:
    """Round a network to what its file holds: half precision, nothing for facts that never came up.

    It is modified in place; that changes what it says by less than a thousandth.
    """
    from solver.sampling.value_network import new_network

    num_features, num_hidden = network.inputs.shape
    untrained = new_network(num_features, num_hidden, PAYOFF_RANGE, seed).inputs
    network.inputs[(network.inputs == untrained).all(axis=1)] = 0.0
    network.inputs[:] = network.inputs.astype(np.float16)


def provenance_of(result: ValueTrainingResult, facts: Facts, rules_sha256: str, about: str) -> Provenance:
    """Return where the network of a training comes from."""
    settings = result.settings
    return Provenance(
        kind=facts.kind,
        version=__version__,
        rules_sha256=rules_sha256,
        facts=facts.digest,
        plays=result.plays,
        positions=result.positions,
        seed=settings.seed,
        rates=settings.rates,
        temperatures=settings.temperatures,
        random_share=settings.random_share,
        trace=settings.trace,
        about=about,
    )


def encoded(trained: TrainedNetwork, *, in_full: bool = False) -> bytes:
    """Return the file of a network; `in_full` for one that learning goes on with."""
    network = trained.network
    used = np.flatnonzero(network.inputs.any(axis=1))
    file = io.BytesIO()
    held: dict[str, Any] = {
        "provenance": np.array(msgspec.json.encode(trained.provenance).decode()),
        "used": used.astype(np.int32),
        "inputs": network.inputs[used].astype(np.float32 if in_full else np.float16),
        "hidden": network.hidden,
        "scale": network.scale,
        **{_FURTHER + name: numbers for name, numbers in trained.further.items()},
    }
    np.savez_compressed(file, **held)
    return file.getvalue()


MOST_BYTES = 1 << 26
"""Of a file of values, and of what is packed in it; those carried have up to a megabyte."""


def _check_sizes(archive: zipfile.ZipFile) -> None:
    """Raise ValueError if arrays would take more memory than their bytes in the file, or too much."""
    total = 0
    for info in archive.infolist():
        total += info.file_size
        with archive.open(info) as member:
            version = npy.read_magic(member)
            read = npy.read_array_header_1_0 if version == (1, 0) else npy.read_array_header_2_0
            shape, _, dtype = read(member)
        if math.prod(shape) * dtype.itemsize > info.file_size or total > MOST_BYTES:
            raise ValueError("an array is larger than the file")


def decoded(data: bytes, what: str, facts: Facts) -> TrainedNetwork:
    """Return the network of a file.

    Raises
    ------
    RequestError
        If it is none, or of another game or version; `what` names it.
    """
    from solver.sampling.value_network import ValueNetwork

    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            _check_sizes(archive)
        with np.load(io.BytesIO(data), allow_pickle=False) as file:
            held = {name: np.ascontiguousarray(file[name]).reshape(file[name].shape) for name in file.files}
        provenance = msgspec.json.decode(str(held["provenance"].item()), type=Provenance)
        used, hidden, scale = held["used"], held["hidden"], held["scale"]
        ours = provenance.kind == facts.kind and provenance.facts == facts.digest
        inputs = np.zeros((facts.num_features, hidden.shape[1]), np.float32)
        if ours:
            inputs[used] = held["inputs"]
        further = {
            name.removeprefix(_FURTHER): held[name].astype(np.float64)
            for name in held
            if name.startswith(_FURTHER)
        }
        kept = [each.ravel() for each in further.values()]
        numbers = np.concatenate([inputs.ravel(), hidden.ravel(), scale.ravel(), *kept])
        shaped = hidden.dtype == np.float32 and hidden.shape[0] == 2 and hidden.shape[1] > 0
        sound = shaped and scale.shape == (3,) and scale[1] > 0.0 and bool(np.isfinite(numbers).all())
    # What goes wrong inside a damaged archive is anybody's guess: numpy, zipfile, zlib have a dozen kinds.
    except Exception:
        raise RequestError(f"{what} is no file of values, or damaged", "--values") from None
    if not ours:
        if provenance.kind.rpartition("-values-")[0] not in ("", facts.game):
            raise RequestError(f"{what} holds values of another game ({provenance.kind})", "--values")
        raise RequestError(f"{what} is of another version: train again ({facts.game} train)", "--values")
    if not sound:
        raise RequestError(f"{what} is damaged", "--values")
    return TrainedNetwork(ValueNetwork(inputs, hidden, scale), provenance, further)


def from_file(path: Path, facts: Facts, rules_sha256: str) -> TrainedNetwork:
    """Return the network at `path`.

    Raises
    ------
    RequestError
        If it cannot be read, or was trained by other rules.
    """
    try:
        data = read_bounded(path, MOST_BYTES)
    except OSError as error:
        raise RequestError(f"cannot read {path}: {error.strerror}", "--values") from None
    return decoded_for(data, str(path), facts, rules_sha256)


def decoded_for(data: bytes, what: str, facts: Facts, rules_sha256: str) -> TrainedNetwork:
    """Return the network of a file as `decoded` does; RequestError if it was trained by other rules."""
    found = decoded(data, what, facts)
    if found.provenance.rules_sha256 != rules_sha256:
        raise RequestError(f"{what} was trained by other rules: train again ({facts.game} train)", "--values")
    return found


def carried(path: Path, facts: Facts, rules_sha256: str) -> TrainedNetwork | None:
    """Return the network carried at `path`, None if it is missing or for other rules."""
    if not path.exists():
        return None
    found = decoded(path.read_bytes(), str(path), facts)
    return found if found.provenance.rules_sha256 == rules_sha256 else None


def in_file(
    file: Path,
    asked: tuple[int, int],
    learned: Callable[[], TrainedNetwork | None],
    known: Callable[[Path], TrainedNetwork],
    *,
    force: bool,
) -> TrainedNetwork | None:
    """Return values that are learned now and written to a file; None if the learning was ended early.

    Those that the file holds already are not learned again, if they are the same.

    Parameters
    ----------
    asked : plays and seed.
    learned : learns them.
    known : path -> the values there by the rules; RequestError if it holds none.
    force : whether the file is written over, whatever it holds.
    """
    check_output(file, "FILE")
    if not force and file.is_file() and file.stat().st_size:
        try:
            there: TrainedNetwork | None = known(file)
        except RequestError:
            there = None
        if there is None or (there.provenance.plays, there.provenance.seed) != asked:
            raise RequestError(f"{file} is there already; --force writes over it", "FILE")
        return there
    found = learned()
    if found is not None:
        try:
            write_atomically(file, encoded(found))
        except OSError as error:
            raise WorkError(f"cannot write {str(file)!r}: {error.strerror}.") from None
    return found
