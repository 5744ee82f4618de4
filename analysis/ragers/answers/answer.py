"""An answer: a solved scenario as numbers to show and to store, and its strategy hand by hand.

Reading one needs neither numba nor scipy, and numpy only for the strategy.

Letters: T types of the rules (`TYPES` order), A = T + 1 actions (the last: nothing placed), H hands, K steps.
"""

from __future__ import annotations

import hashlib
import io
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from analysis.ragers.answers.profiles import Profile
from engine.ragers.rules import TYPES

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from analysis.ragers.answers.second_step import SecondStep
    from solver.hidden_hands import Solution

NUM_TYPES = len(TYPES)
NOTHING = NUM_TYPES
_MIB = 1024.0 * 1024.0
#: Rounding of probabilities and of amounts on their way through float32.
_SUM_TOLERANCE = 1e-4


class Answer(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is known of one solved day. Player 0 are the Accusers, player 1 the Defenders.

    Attributes
    ----------
    day_sha256 : hash of the day's game, see :func:`engine.ragers.isomorphism.day_game`.
    preparation : model of the preparation: ``none``, ``redraw`` or ``seen``.
    method : how the strategies were found.
    told_apart : where histories are merged, the share of play in which they were distinguished by more than
        their rows; None elsewhere.
    certificate : how `nash_conv_gp` was found, in words.
    certified : whether `nash_conv_gp` is an upper bound computed exactly, apart from the solver.
    value_gp : what the day pays player 0 on balance when both play the strategies found, kept within what the
        best responses allow; 0 with equal decks.
    nash_conv_gp : what the two players together could gain by deviating.
    best_response_gp : what each player gets by a best response; the game's value lies in [-second, first].
    opening_mix : [2, A] probabilities of each first action.
    usage : [2, K, A] how often each step is opened with each type; cards on Veterans and hidden ones not
        counted.
    outcome : probabilities that player 0 wins, both draw, player 1 wins, both lose.
    mean_gp : mean glory points of each player.
    profile : statistics of sampled days; None where none were sampled.
    history : seconds and NashConv on the way, the last few; unset where none was seen.
    started_from : the day whose tables the solve began from; unset where it began anew. `iterations` are
        those since.
    """

    day_sha256: str
    preparation: str
    method: str
    certificate: str
    certified: bool
    value_gp: float
    nash_conv_gp: float
    best_response_gp: tuple[float, float]
    opening_mix: list[list[float]]
    usage: list[list[list[float]]]
    outcome: tuple[float, float, float, float]
    mean_gp: tuple[float, float]
    iterations: int
    seconds: float
    peak_memory_mb: float
    seed: int
    version: str
    profile: Profile | None = None
    told_apart: float | None = None
    history: list[tuple[float, float]] | msgspec.UnsetType = msgspec.UNSET
    started_from: str | msgspec.UnsetType = msgspec.UNSET

    @property
    def is_whole(self) -> bool:
        """Whether outcomes, points and later cards are known: not where somebody left a solve at once."""
        return not math.isnan(self.outcome[0])

    def relabelled(self, types: Sequence[int], day_sha256: str) -> Answer:
        """Return the answer to the same day with each type t called ``types[t]``.

        Parameters
        ----------
        types : a permutation of the type ids.
        """
        order = _inverse(types)
        return msgspec.structs.replace(
            self,
            day_sha256=day_sha256,
            opening_mix=[_moved(row, order) for row in self.opening_mix],
            usage=[[_moved(row, order) for row in steps] for steps in self.usage],
            profile=None if self.profile is None else self.profile.relabelled(order),
        )

    def problems(self) -> list[str]:
        """Return what cannot be true of any solved day; empty if all is well."""
        found = []
        numbers = [self.value_gp, self.nash_conv_gp, self.seconds, self.peak_memory_mb]
        numbers += [*self.best_response_gp, *self.outcome, *self.mean_gp]
        numbers += [p for row in self.opening_mix for p in row]
        numbers += [p for steps in self.usage for row in steps for p in row]
        if not all(math.isfinite(number) for number in numbers):
            found.append("a number is not finite")
        if self.nash_conv_gp < 0:
            found.append(f"NashConv is negative ({self.nash_conv_gp})")
        if self.nash_conv_gp + _SUM_TOLERANCE < self.best_response_gp[0] + self.best_response_gp[1]:
            found.append("NashConv is less than what the best responses gain")
        low, high = -self.best_response_gp[1], self.best_response_gp[0]
        if not low - _SUM_TOLERANCE <= self.value_gp <= high + _SUM_TOLERANCE:
            found.append(f"the value {self.value_gp} is not within [{low}, {high}]")
        if abs(self.mean_gp[0] - self.mean_gp[1] - self.value_gp) > max(_SUM_TOLERANCE, self.nash_conv_gp):
            found.append("the value is not the difference of the mean glory points")
        sums = [*self.opening_mix, self.outcome]
        if any(abs(sum(mix) - 1.0) > _SUM_TOLERANCE or min(mix) < -_SUM_TOLERANCE for mix in sums):
            found.append("a mix is no probability distribution")
        shapes = [len(self.opening_mix) == 2, len(self.usage) == 2]
        shapes += [len(row) == NUM_TYPES + 1 for row in self.opening_mix]
        shapes += [len(row) == NUM_TYPES + 1 for steps in self.usage for row in steps]
        if not all(shapes):
            found.append("a table has the wrong shape")
        return found + ([] if self.profile is None else self.profile.problems())


@dataclass(frozen=True)
class HandStrategy:
    """The opening, hand by hand.

    Attributes
    ----------
    hands : [H, T] int8, cards of each type.
    deal_probability : [2, H] float64, probability of being dealt the hand.
    reach : [2, H] float64, probability of holding it at the first placement.
    opening : [2, H, A] float32, mix over the first action of who holds it then.
    opening_ev : [2, H, A] float32, glory points on balance for its owner after each first action; NaN where
        it cannot.
    preparation_mix : [2, H, A] float32, what to discard of a hand as dealt, the last entry for keeping it;
        None where the model has no discard.
    second : how hands go on in the second step; None where that is not known, or was not read.
    """

    hands: NDArray[np.int8]
    deal_probability: NDArray[np.float64]
    reach: NDArray[np.float64]
    opening: NDArray[np.float32]
    opening_ev: NDArray[np.float32]
    preparation_mix: NDArray[np.float32] | None
    second: SecondStep | None = None

    def index(self, counts: Sequence[int]) -> int | None:
        """Return the row of the hand with these `counts` of each type, or None."""
        rows = (self.hands == list(counts)).all(axis=1).nonzero()[0]
        return int(rows[0]) if len(rows) else None

    def relabelled(self, types: Sequence[int]) -> HandStrategy:
        """Return the strategy with each type t called ``types[t]``."""
        order = _inverse(types)
        actions = [*order, NOTHING]
        return HandStrategy(
            hands=self.hands[:, order],
            deal_probability=self.deal_probability,
            reach=self.reach,
            opening=self.opening[..., actions],
            opening_ev=self.opening_ev[..., actions],
            preparation_mix=None if self.preparation_mix is None else self.preparation_mix[..., actions],
            second=None if self.second is None else self.second.relabelled(types),
        )

    def to_bytes(self) -> bytes:
        """Return a compressed ``.npz`` of the opening; equal players are stored once."""
        import numpy as np

        arrays: dict[str, Any] = {"hands": self.hands}
        for name in ("deal_probability", "reach", "opening", "opening_ev", "preparation_mix"):
            array = getattr(self, name)
            if array is not None:
                same = np.array_equal(array[0], array[1], equal_nan=True)
                arrays[name] = array[:1] if same else array
        buffer = io.BytesIO()
        np.savez_compressed(buffer, **arrays)
        return buffer.getvalue()

    @classmethod
    def from_bytes(cls, data: bytes) -> HandStrategy:
        """Return the strategy stored by :meth:`to_bytes`.

        Raises
        ------
        ValueError, KeyError, OSError, zipfile.BadZipFile
            If `data` is something else.
        """
        import numpy as np

        with np.load(io.BytesIO(data), allow_pickle=False) as archive:
            arrays = {name: archive[name] for name in archive.files}
        both = {
            name: np.repeat(array, 2, axis=0) if name != "hands" and len(array) == 1 else array
            for name, array in arrays.items()
        }
        return cls(
            hands=both["hands"],
            deal_probability=both["deal_probability"],
            reach=both["reach"],
            opening=both["opening"],
            opening_ev=both["opening_ev"],
            preparation_mix=both.get("preparation_mix"),
        )


def from_solution(
    solution: Solution, type_ids: Sequence[str], day_sha256: str, version: str, profile: Profile | None = None
) -> tuple[Answer, HandStrategy]:
    """Return a solver's result in the types of the rules.

    Parameters
    ----------
    solution : result over the types of the solved game.
    type_ids : names of these types; those the rules have besides are never held.
    profile : statistics of days sampled from it.
    """
    import numpy as np

    columns = [TYPES.index(name) for name in type_ids]
    actions = [*columns, NOTHING]

    def spread(array: NDArray[Any], targets: list[int], width: int, fill: float = 0.0) -> NDArray[Any]:
        """Place the last axis of `array` in the `targets` of a wider one."""
        wide = np.full((*array.shape[:-1], width), fill, array.dtype)
        wide[..., targets] = array
        return wide

    def over_actions(array: NDArray[Any], fill: float = 0.0) -> NDArray[Any]:
        return spread(array, actions, NUM_TYPES + 1, fill)

    answer = Answer(
        day_sha256=day_sha256,
        preparation=solution.preparation,
        method=solution.method,
        certificate=solution.certificate,
        certified=solution.certified,
        value_gp=float(solution.value),
        nash_conv_gp=float(solution.nash_conv),
        best_response_gp=(float(solution.best_response_values[0]), float(solution.best_response_values[1])),
        opening_mix=over_actions(solution.opening_mix).tolist(),
        usage=over_actions(solution.usage).tolist(),
        outcome=tuple(float(p) for p in solution.outcome),  # type: ignore[arg-type]  # four of them
        mean_gp=(float(solution.mean_gp[0]), float(solution.mean_gp[1])),
        iterations=int(solution.iterations),
        seconds=float(solution.seconds),
        peak_memory_mb=float(solution.peak_memory_bytes) / _MIB,
        seed=int(solution.seed),
        version=version,
        profile=profile,
        told_apart=solution.refined,
        started_from=solution.started_from or msgspec.UNSET,
    )
    preparation_mix = solution.preparation_mix
    strategy = HandStrategy(
        hands=spread(solution.hands, columns, NUM_TYPES),
        deal_probability=solution.hand_probability,
        reach=solution.reach,
        opening=over_actions(solution.opening),
        opening_ev=over_actions(solution.opening_ev, math.nan),
        preparation_mix=None if preparation_mix is None else over_actions(preparation_mix),
    )
    return answer, strategy


def load_strategy(path: Path, sha256: str) -> HandStrategy | None:
    """Return the strategy stored at `path`, or None if it is missing, damaged or another one."""
    import zipfile

    try:
        data = path.read_bytes()
        if hashlib.sha256(data).hexdigest() != sha256:
            return None
        return HandStrategy.from_bytes(data)
    except (OSError, EOFError, ValueError, KeyError, zipfile.BadZipFile):
        return None


def _inverse(types: Sequence[int]) -> list[int]:
    """Return the permutation that undoes `types`."""
    order = [0] * len(types)
    for old, new in enumerate(types):
        order[new] = old
    return order


def _moved(row: Sequence[float], order: Sequence[int]) -> list[float]:
    """Return a row over actions with its types in `order`."""
    return [*(row[old] for old in order), row[NOTHING]]
