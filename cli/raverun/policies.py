"""Players of the full game: trained, greedy, random and searching; and how trained ones are kept in files.

Only imported by commands that play: numba starts here.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np

from engine.raverun.greedy import greedy_moves
from engine.raverun.rules import Rules
from engine.raverun.sampling import SamplingTables, sampling_tables
from solver.external_sampling import UNIFORM, ExternalSamplingSettings, ExternalSamplingTrainer
from solver.head_to_head import ChoosingPolicy
from solver.information_set_search import InformationSetSearch, SearchSettings
from solver.infoset_table import COUNT, FIRST, InfosetTable, find_or_add_record, new_table
from solver.sampling_policy import CompiledPolicy, function_policy, table_policy, uniform_policy

RECALLS = ("summary", "view", "perfect")
HORIZON = 20
"""Own decisions among which training picks one: nine plays in ten have fewer (measured)."""
MOVES_PER_INFOSET = 6.0
_FILE_KIND = "raverun-policy-1"


class PolicyFileError(ValueError):
    """A policy file that cannot be used; the message says why and what to do."""


def training_settings(max_infosets: int, seed: int) -> ExternalSamplingSettings:
    """Return how the full game is trained: one branching decision a walk, so that walks end."""
    return ExternalSamplingSettings(
        branching=1,
        horizon=HORIZON,
        exploration=1.0,
        period=1000,
        max_infosets=max_infosets,
        moves_per_infoset=MOVES_PER_INFOSET,
        when_full=UNIFORM,
        seed=seed,
    )


def full_game(rules: Rules, num_players: int, recall: str) -> SamplingTables:
    """Return the game that is trained, with infosets as `recall` says."""
    return sampling_tables(rules, num_players, recall)  # type: ignore[arg-type]


def train(
    trainer: ExternalSamplingTrainer,
    seconds: float | None,
    iterations: int | None,
    watch: Callable[[int, float], bool],
) -> None:
    """Train until a limit, or until `watch` (iterations, seconds) says so."""
    trainer.run(iterations, seconds=seconds, progress=watch)


def greedy() -> CompiledPolicy:
    """Return the player by rule of thumb."""
    return function_policy("greedy", greedy_moves)


def opponent(
    name: str, rules: Rules, num_players: int, search: SearchSettings
) -> CompiledPolicy | ChoosingPolicy:
    """Return "random", "greedy" or "search", the last one on views, whatever the others know."""
    if name == "random":
        return replace(uniform_policy(), name="random")
    if name == "greedy":
        return greedy()
    return InformationSetSearch(sampling_tables(rules, num_players, "view"), search)


def save_policy(path: Path, policy: CompiledPolicy, rules: Rules, num_players: int, recall: str) -> None:
    """Write a trained policy's averages, beside its place and then renamed."""
    table = policy.table
    used = np.flatnonzero(table.records[:, 0])
    counts = table.records[used, COUNT]
    rows = [table.reals[first + n : first + 2 * n] for first, n in table.records[used][:, [FIRST, COUNT]]]
    handle, temporary = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            np.savez_compressed(
                file,
                kind=np.array(_FILE_KIND),
                rules=np.array(rules.sha256),
                num_players=np.array(num_players),
                recall=np.array(recall),
                keys=table.records[used, 0],
                counts=counts,
                averages=np.concatenate([*rows, np.zeros(0)]).astype(np.float32),
            )
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def load_policy(path: Path, rules: Rules, num_players: int) -> tuple[CompiledPolicy, str]:
    """Return a kept policy, and its recall.

    Raises
    ------
    PolicyFileError
        If it is not for these rules and this number of players, or no policy at all.
    """
    try:
        with np.load(path, allow_pickle=False) as file:
            held = {name: file[name] for name in file.files}
        kind = str(held["kind"])
    except (OSError, ValueError, KeyError) as error:
        raise PolicyFileError(f"{path} is no policy file ({error})") from None
    if kind != _FILE_KIND:
        raise PolicyFileError(f"{path} is of kind {kind!r}, not {_FILE_KIND!r}: train again")
    if str(held["rules"]) != rules.sha256 or int(held["num_players"]) != num_players:
        raise PolicyFileError(
            f"{path} was trained for other rules or {int(held['num_players'])} players;"
            " give the same --rules, --set and --players, or train again"
        )
    return table_policy("trained", _table(held["keys"], held["counts"], held["averages"])), str(
        held["recall"]
    )


def _table(keys: np.ndarray, counts: np.ndarray, averages: np.ndarray) -> InfosetTable:
    """Return a table with these second rows."""
    table = new_table(max(len(keys), 1), max(1.0, float(counts.mean())) if len(keys) else 1.0)
    begin = 0
    for key, count in zip(keys.tolist(), counts.tolist(), strict=True):
        record = find_or_add_record(table.records, table.reals, table.counters, table.capacity, key, count, 0)
        first = int(table.records[record, FIRST]) + count
        table.reals[first : first + count] = averages[begin : begin + count]
        begin += count
    return table
