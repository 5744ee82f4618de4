"""A match read from its transcript up to the decision that is due: where it stands, what may be believed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from analysis.errors import RequestError
from analysis.front.bundles import RulesFiles
from analysis.ragers.last_day.solving import Beliefs
from analysis.ragers.last_day.standings import Standing
from analysis.ragers.play.transcript import Replay, replayed
from analysis.ragers.play.views import Played, View
from engine.ragers.reference import CHANCE, Phase, State, deciders, is_over

_OPTION = "--match"


@dataclass(frozen=True)
class Followed:
    """A match up to a decision.

    Attributes
    ----------
    played : the transcript.
    before : moves up to the discards of the present day, or to its beginning where that is still to come.
    """

    played: Replay
    before: Sequence[Played]

    @property
    def state(self) -> State:
        """Where it stands."""
        return self.played.end

    @property
    def player(self) -> int:
        """Whose transcript it is."""
        return self.played.header.player

    @property
    def is_last_day(self) -> bool:
        """Whether the present day is the last one."""
        return self.state.day + 1 == self.state.rules.match.days

    @property
    def day(self) -> tuple[str, tuple[str, ...]]:
        """Patron and cheers cards on the table, by id."""
        return day_of_state(self.state)

    @property
    def discards_due(self) -> bool:
        """Whether the discards of the day are what is decided."""
        return self.state.phase == Phase.PREPARE

    @property
    def has_begun(self) -> bool:
        """Whether cards have been placed on this day."""
        return any(each.state.phase != Phase.PREPARE for each in self._today)

    @property
    def _today(self) -> list[Played]:
        day = self.state.day
        return [
            each for each in self.played.steps if each.state.day == day and not isinstance(each.move, int)
        ]

    def view(self) -> View:
        """Return what the player decides on."""
        past = tuple((each.state, each.move) for each in self._today if not isinstance(each.move, int))
        return View(self.state, self.player, self.buried, past)

    @property
    def buried(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Cards of each type hidden on earlier days, by player."""
        from analysis.ragers.play.transcript import Game

        return Game.resume(self.played).buried

    def beliefs(self) -> tuple[Standing, Beliefs]:
        """Return where the match stands when combat (or the discard) of this day begins, and the beliefs."""
        return standing_and_beliefs(self.state, self.before)


def day_of_state(state: State) -> tuple[str, tuple[str, ...]]:
    """Return patron and cheers cards on the table, by id."""
    assert state.patron is not None
    cheers = tuple(state.rules.cheers[each].id for each in state.cheers_table)
    return state.rules.patrons[state.patron].id, cheers


def standing_and_beliefs(state: State, before: Sequence[Played]) -> tuple[Standing, Beliefs]:
    """Return where a match stands on a day, and what the moves `before` its combat tell of both hands."""
    from analysis.ragers.last_day.beliefs import follow_match, reader_for

    found, pools, hidden = follow_match(before, state.rules, reader_for(state.rules))
    first, second = state.players
    standing = Standing(
        state.day + 1,
        (first.score, second.score),
        (len(first.cheers), len(second.cheers)),
        (tuple(pools[0].tolist()), tuple(pools[1].tolist())),
        (hidden[0], hidden[1]),
    )
    return standing, found


def before_combat(steps: Sequence[Played], day: int) -> Sequence[Played]:
    """Return the moves of a match up to the first placement of a day, of all there are so far."""
    outside = (Phase.PATRON, Phase.CHEERS, Phase.PREPARE)
    for number, each in enumerate(steps):
        if each.state.day == day and each.state.phase not in outside and not isinstance(each.move, int):
            return steps[:number]
    return steps


def followed(path: Path) -> Followed:
    """Read the transcript of a match in play.

    Raises
    ------
    RequestError
        If it is none, or nobody decides anything where it ends.
    """
    played = replayed(path, RulesFiles(), _OPTION)
    state = played.end
    if played.header.day is not None:
        raise RequestError(f"{path} is of a single day, not of a match", _OPTION)
    if is_over(state):
        raise RequestError(f"{path}: the match is over", _OPTION)
    if CHANCE in deciders(state) or state.patron is None:
        raise RequestError(f"{path} ends where chance has a move, not a decision", _OPTION)
    return Followed(played, before_combat(played.steps, state.day))
