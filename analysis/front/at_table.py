"""Games with a person in them whose decisions playouts can try: undo, hints, and what decisions cost."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NamedTuple, TypeVar

from analysis.front.hints import hint_lines, review_lines
from analysis.reviewed import Decision, decided

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from solver.sampling.paired_playouts import Judgement, PairedPlayouts

__all__ = ["AtTable", "Judged", "Raced", "Tried"]

C = TypeVar("C")


class Tried(NamedTuple):
    """A choice of the person's, and what it is worth by playouts.

    Attributes
    ----------
    win, error : chance to win, with its standard error.
    behind, behind_error : how far it is behind the best, by playouts with the same luck.
    told : whether it is surely worse.
    """

    text: str
    win: float
    error: float
    behind: float
    behind_error: float
    told: bool
    playouts: int


class Raced(NamedTuple):
    """Playouts of choices, which of these are still in the race, and all of them in words."""

    playouts: PairedPlayouts
    left: NDArray[Any]
    texts: Sequence[str]


class Judged(NamedTuple):
    """When a decision was made, what was made, the best of the others, and how they compare."""

    when: str
    made: str
    better: str
    found: Judgement


class AtTable(ABC, Generic[C]):
    """A `session.Session` as far as games share it; each game supplies its rules and its words.

    Parameters
    ----------
    judged : whether every decision is judged, so that costs can be told.

    Attributes
    ----------
    who : plays the playouts, in words.
    nothing : what a hint says where there is nothing to try.
    span, defeat : how far payoffs lie apart, and what a defeat pays.
    """

    who: ClassVar[str]
    nothing: ClassVar[str] = "there is nothing here that playouts could try"
    span: ClassVar[float] = 2.0
    defeat: ClassVar[float] = -1.0

    def __init__(self, seat: int, *, judged: bool) -> None:
        self.seat, self.judged = seat, judged
        self.events: list[str] = []
        self.decisions: list[Decision] = []
        self._points: list[tuple[Any, int]] = []

    # ---- what a game supplies ------------------------------------------------------------------------------

    @property
    @abstractmethod
    def over(self) -> bool:
        """Whether the game has ended."""

    @property
    @abstractmethod
    def asked(self) -> bool:
        """Whether the person decides now."""

    @abstractmethod
    def choices(self) -> Sequence[C]:
        """Return what the person can do."""

    @abstractmethod
    def text(self, choice: C) -> str:
        """Return a choice in words."""

    @abstractmethod
    def go_on(self) -> None:
        """Let chance, or whoever else decides, make one step; what happens is added to `events`."""

    @abstractmethod
    def carry_out(self, choice: C, number: int) -> None:
        """Make the person's choice of this number; what happens is added to `events`."""

    @abstractmethod
    def mark(self) -> Any:
        """Return where the game is, chance included."""

    @abstractmethod
    def go_back(self, mark: Any) -> None:
        """Go back to a mark."""

    def race(self) -> Raced | None:
        """Try the choices here by playouts; None where there is nothing to try."""
        return None

    def judge(self, choice: C, number: int) -> Judged | None:
        """Compare a choice with the best of the others by the same playouts; None where that cannot be."""
        return None

    @abstractmethod
    def result(self) -> tuple[str, float]:
        """Return how the game ended, in words and for the person: 1 for a win, 0 for a defeat."""

    @abstractmethod
    def board(self) -> Sequence[str]:
        """See `session.Session.board`."""

    @abstractmethod
    def explain(self, name: str) -> str | None:
        """See `session.Session.explain`."""

    @abstractmethod
    def fingerprint(self) -> str | bytes:
        """See `session.Session.fingerprint`."""

    # ---- what all share ------------------------------------------------------------------------------------

    def play_on(self) -> None:
        """Play on to the person's next decision, or the end."""
        while not self.over and not self.asked:
            self.go_on()

    def advance(self) -> Sequence[str]:
        """See `session.Session.advance`."""
        self.play_on()
        events = self.events[:]
        self.events.clear()
        return events

    def options(self) -> list[str] | None:
        """See `session.Session.options`."""
        return None if self.over else [self.text(choice) for choice in self.choices()]

    def named(self, typed: str) -> int | None:
        """See `session.Session.named`: choices are named by the words of their lines."""
        return None

    def make(self, number: int) -> None:
        """See `session.Session.make`."""
        choice = self.choices()[number]
        self._points.append((self.mark(), len(self.decisions)))
        judged = self.judge(choice, number) if self.judged else None
        if judged is not None:
            when, made, better, found = judged
            self.decisions.append(decided(when, made, better, found, self.span, self.defeat))
        self.carry_out(choice, number)

    def undo(self) -> bool:
        """See `session.Session.undo`."""
        if not self._points:
            return False
        mark, decisions = self._points.pop()
        self.go_back(mark)
        del self.decisions[decisions:]
        self.events.clear()
        return True

    def task(self) -> str:
        """See `session.Session.task`: the choices say it."""
        return ""

    def tried(self) -> tuple[list[Tried], bool]:
        """Return the choices with their worth by playouts, the best first; whether all went alike."""
        raced = self.race()
        if raced is None:
            return [], False
        found, left, texts = raced
        wins = (found.means - self.defeat) / self.span
        best = int(left[int(wins[left].argmax())])
        ahead, errors = found.ahead(best)
        options = [
            Tried(
                text,
                float(wins[place]),
                float(found.errors[place]) / self.span,
                float(-ahead[place]) / self.span,
                float(errors[place]) / self.span,
                place not in left,
                int(found.playouts[place]),
            )
            for place, text in enumerate(texts)
        ]
        order = sorted(range(len(options)), key=lambda place: (place != best, options[place].behind))
        return [options[place] for place in order], found.alike

    def hints(self) -> Sequence[str]:
        """See `session.Session.hints`."""
        options, alike = self.tried()
        return hint_lines(options, alike=alike, who=self.who) if options else [self.nothing]

    def ending(self) -> Sequence[str]:
        """See `session.Session.ending`: who has won, and what decisions cost."""
        said, result = self.result()
        return [said, *(review_lines(self.decisions, result) if self.judged else [])]
