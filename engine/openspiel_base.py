"""What games share as games of OpenSpiel (extra `openspiel`): the way to a state, and observers.

A game says by a `Form` what is seen of its states and moves; everything else is the same for all.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
import pyspiel
from numpy.typing import NDArray

Row = tuple[int, ...]
"""What is seen of a move: small whole numbers, 0 for what is not."""

Viewers = tuple[int, ...]
"""Players whose private information counts, ascending; what everybody sees always does."""


class Form(Protocol):
    """What is seen of a game's states and moves.

    Attributes
    ----------
    num_players : who plays.
    row_width : numbers in a row.
    public_size, private_size : numbers in the vectors.
    """

    num_players: int
    row_width: int
    public_size: int
    private_size: int

    def step(self, state: Any, move: Any) -> Any:
        """Return the state after a move; raises if it is not allowed."""
        ...

    def deciders(self, state: Any) -> tuple[int, ...]:
        """Return the players who decide now, or `(CHANCE,)`; empty when it is over."""
        ...

    def rows(self, before: Any, move: Any, after: Any, viewers: Viewers) -> Sequence[Row]:
        """Return what is seen of a move by all, and by these players."""
        ...

    def public_text(self, state: Any) -> str:
        """Return what everybody sees of a state."""
        ...

    def private_text(self, state: Any, player: int) -> str:
        """Return what a player sees beyond that."""
        ...

    def public_vector(self, state: Any) -> NDArray[np.float32]:
        """Return what everybody sees of a state, `[public_size]`."""
        ...

    def private_vector(self, state: Any, player: int) -> NDArray[np.float32]:
        """Return what a player sees beyond that, `[private_size]`."""
        ...


class Path:
    """A state and the way to it. Never changed, so that clones of a state of OpenSpiel share it.

    Attributes
    ----------
    state : of the reference.
    before, move : the path it was reached by, and from there; None at the start.
    length : moves from the start.
    """

    __slots__ = ("_rows", "before", "length", "move", "state")

    def __init__(self, state: Any, before: Path | None = None, move: Any = None) -> None:
        self.state = state
        self.before = before
        self.move = move
        self.length: int = 0 if before is None else before.length + 1
        self._rows: dict[Viewers, tuple[Row, ...]] = {}

    def __deepcopy__(self, memo: object) -> Path:
        return self

    def steps(self) -> list[tuple[Any, Any]]:
        """Return every state from the start on that was left, with the move made there."""
        found = []
        path = self
        while path.before is not None:
            found.append((path.before.state, path.move))
            path = path.before
        return found[::-1]

    def rows(self, form: Form, viewers: Viewers) -> tuple[Row, ...]:
        """Return all that was seen on the way by these players."""
        behind = []
        path = self
        while path.before is not None and viewers not in path._rows:
            behind.append(path)
            path = path.before
        known = path._rows.get(viewers, ())
        for path in reversed(behind):
            assert path.before is not None
            known = (*known, *form.rows(path.before.state, path.move, path.state, viewers))
            path._rows[viewers] = known
        return known

    def private_rows(self, form: Form, viewers: Viewers) -> list[Row]:
        """Return what these players saw on the way and others did not."""
        found = []
        path: Path = self
        while path.before is not None:
            step = (path.before.state, path.move, path.state)
            public = form.rows(*step, ())
            found += [row for row in reversed(form.rows(*step, viewers)) if row not in public]
            path = path.before
        return found[::-1]


class PathState(pyspiel.State):  # type: ignore[misc]
    """A state with the way to it. Games add who decides, what is legal, and how moves are numbered.

    Attributes
    ----------
    path : the state of the reference, and how it was reached.
    chosen : what player 0 has chosen where both choose at once but are asked in turn; None otherwise.
    """

    def __init__(self, game: Any) -> None:
        super().__init__(game)
        self.path = Path(game.start)
        self.chosen: int | None = None

    @property
    def state(self) -> Any:
        """The state of the reference."""
        return self.path.state

    def _go(self, form: Form, move: Any) -> None:
        self.path = Path(form.step(self.path.state, move), self.path, move)

    def __str__(self) -> str:
        """Return the history, for people."""
        return " ".join(str(action) for action in self.history())


class Observer:
    """What is seen of a state, as text and as a vector, by every flag of OpenSpiel's observation types.

    Public information is what everybody sees. Private information is what one player, or each, sees beyond
    that. With perfect recall, what was seen of every move so far stands in the part `events`, a row each.
    """

    def __init__(self, game: Any, iig_obs_type: Any, params: Any) -> None:
        if params:
            raise ValueError(f"observers take no parameters, got {params}")
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        self._form: Form = game.form
        self._public = bool(kind.public_info)
        self._recall = bool(kind.perfect_recall)
        self._private = kind.private_info
        players = self._form.num_players
        shapes: dict[str, tuple[int, ...]] = {}
        if self._public:
            # Besides: who decides, and who of them is asked now. The last place of each is for nobody.
            shapes["public"] = (self._form.public_size + 2 * (players + 1),)
        if self._private == pyspiel.PrivateInfoType.SINGLE_PLAYER:
            shapes["private"] = (1, self._form.private_size + game.num_distinct_actions())
        elif self._private == pyspiel.PrivateInfoType.ALL_PLAYERS:
            shapes["private"] = (players, self._form.private_size + game.num_distinct_actions())
        if self._recall:
            shapes["events"] = (game.max_history_length(), self._form.row_width)
        sizes = [int(np.prod(shape)) for shape in shapes.values()]
        self.tensor = np.zeros(sum(sizes), np.float32)
        self.dict: dict[str, NDArray[np.float32]] = {}
        for (name, shape), size, end in zip(shapes.items(), sizes, np.cumsum(sizes), strict=True):
            self.dict[name] = self.tensor[end - size : end].reshape(shape)

    def _viewers(self, player: int) -> Viewers:
        if self._private == pyspiel.PrivateInfoType.SINGLE_PLAYER:
            return (player,)
        everybody = self._private == pyspiel.PrivateInfoType.ALL_PLAYERS
        return tuple(range(self._form.num_players)) if everybody else ()

    def _events(self, state: PathState, viewers: Viewers) -> Sequence[Row]:
        if self._public:
            return state.path.rows(self._form, viewers)
        return state.path.private_rows(self._form, viewers) if viewers else ()

    def set_from(self, state: PathState, player: int) -> None:
        """Put what is seen into the vector."""
        self.tensor.fill(0.0)
        viewers = self._viewers(player)
        if "public" in self.dict:
            size, others = self._form.public_size, self._form.num_players + 1
            self.dict["public"][:size] = self._form.public_vector(state.state)
            for who in self._form.deciders(state.state):
                self.dict["public"][size + (who if who >= 0 else others - 1)] = 1.0
            self.dict["public"][size + others + _turn(state)] = 1.0
        for row, viewer in zip(self.dict.get("private", ()), viewers, strict=False):
            row[: self._form.private_size] = self._form.private_vector(state.state, viewer)
            if viewer == 0 and state.chosen is not None:
                row[self._form.private_size + state.chosen] = 1.0
        if self._recall:
            events = self._events(state, viewers)
            if events:
                self.dict["events"][: len(events)] = events

    def string_from(self, state: PathState, player: int) -> str:
        """Return what is seen as text."""
        viewers = self._viewers(player)
        # All that was ever seen tells what is to be seen now; without what is public it does not.
        whole = self._recall and self._public
        lines = []
        if self._public:
            now = "" if whole else self._form.public_text(state.state)
            lines.append(f"turn {_turn(state)} {now}")
        for viewer in viewers:
            now = "" if whole else self._form.private_text(state.state, viewer)
            own = f"chosen {state.chosen} " if viewer == 0 and state.chosen is not None else ""
            lines.append(f"player {viewer} {own}{now}")
        if self._recall:
            lines.append(";".join(" ".join(map(str, row)) for row in self._events(state, viewers)))
        return "\n".join(lines)


def _turn(state: PathState) -> int:
    """Return who is to move: a player, or one more for chance, for both at once, and after the end."""
    player = state.current_player()
    return int(player) if player >= 0 else int(state.get_game().num_players())
