"""Played days and matches: going on, taking back, and as files that can be read and replayed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from analysis.errors import RequestError
from analysis.front.bundles import RulesFiles
from analysis.ragers.notation import Move, NotationError, move_text, parse_move
from analysis.ragers.play.views import Past, Played, View
from analysis.transcripts import Lines, TranscriptError, head, played_by, taken_apart
from engine.ragers.reference import (
    CHANCE,
    NOTHING,
    Counts,
    IllegalMove,
    State,
    chance_outcomes,
    deciders,
    is_over,
    legal_actions,
    scores,
    start_day,
    start_match,
    step,
)
from engine.ragers.rules import NUM_TYPES, PLAYERS, TYPES, Rules, diff_rules, load_rules

_GAME = "ragers"


@dataclass(frozen=True)
class Header:
    """What a transcript begins with.

    Attributes
    ----------
    rules : rules it is played by.
    day : patron and cheers card of a single day, or None for a match.
    preparation : whether a single day begins with the discard.
    player : who the person is.
    opponent : who plays the other side, as on the command line.
    seed : seed of chance and of the opponent.
    """

    rules: Rules
    day: tuple[str, str] | None
    preparation: bool
    player: int
    opponent: str
    seed: int

    def start(self) -> State:
        """Return the state it begins in."""
        if self.day is None:
            return start_match(self.rules)
        patron, cheers = self.day
        return start_day(self.rules, patron, [cheers], preparation=self.preparation)


@dataclass
class Game:
    """A day or a match in play.

    Attributes
    ----------
    header : how it began.
    state : where it stands.
    moves : every move so far, in words.
    undone : how many decisions were taken back.
    buried, past : as in `Played`.
    """

    header: Header
    state: State
    moves: list[str] = field(default_factory=list)
    undone: int = 0
    buried: tuple[Counts, Counts] = ((0,) * NUM_TYPES, (0,) * NUM_TYPES)
    past: Past = ()
    _played: list[Played] = field(default_factory=list)
    _marks: list[tuple[State, int, tuple[Counts, Counts], Past]] = field(default_factory=list)

    @classmethod
    def begin(cls, header: Header) -> Game:
        """Return the beginning."""
        return cls(header, header.start())

    @classmethod
    def resume(cls, played: Replay) -> Game:
        """Return the game of a transcript, to go on with."""
        game = cls.begin(played.header)
        game.undone = played.undone
        for each in played.steps:
            if game.header.player in deciders(game.state):
                game.mark()
            game.go(each.move)
        return game

    def dice(self, who: str) -> Random:
        """Return the chance of this point of the game for `who` needs some.

        It depends on the seed and on the number of moves, and on nothing else: a decision that is taken back,
        and a game that is gone on with another day, meet the same chance as they would have.
        """
        return Random(f"{self.header.seed} {len(self.moves)} {who}")

    def go(self, move: Move) -> None:
        """Make a move; IllegalMove if the rules do not allow it."""
        before = self.state
        self.state = step(before, move)
        self.moves.append(move_text(before, move))
        self._played.append(Played(before, move, self.buried, self.past))
        if not isinstance(move, int):
            self.past = (*self.past, (before, move))
        if self.state.day > before.day:
            self.past = ()
            self.buried = (_bury(before, 0, self.buried[0], move), _bury(before, 1, self.buried[1], move))

    def chance(self) -> None:
        """Make all moves of chance up to the next decision."""
        while deciders(self.state) == (CHANCE,):
            outcomes = chance_outcomes(self.state)
            ways, weights = [o for o, _ in outcomes], [weight for _, weight in outcomes]
            self.go(self.dice("chance").choices(ways, weights)[0])

    def mark(self) -> None:
        """Remember this point, where the person decides, to come back to."""
        self._marks.append((self.state, len(self.moves), self.buried, self.past))

    @property
    def decided(self) -> bool:
        """Whether the person has decided anything."""
        return bool(self._marks)

    def undo(self) -> bool:
        """Go back to the last mark; return whether there is one.

        Chance and the opponent go on as they would have the first time.
        """
        if not self._marks:
            return False
        self.state, length, self.buried, self.past = self._marks.pop()
        del self.moves[length:], self._played[length:]
        self.undone += 1
        return True

    def view(self, player: int) -> View:
        """Return what a player decides on now."""
        return View(self.state, player, self.buried, self.past, self.steps())

    def steps(self) -> list[Played]:
        """Return every move so far with what came before it."""
        return list(self._played)

    def text(self) -> str:
        """Return the transcript so far."""
        header = self.header
        rules = header.rules
        lines = head(_GAME, rules, diff_rules(load_rules(), rules))
        if header.day is None:
            lines.append("# match")
        else:
            lines.append(f"# day {' '.join(header.day)} {'discard' if header.preparation else 'no-discard'}")
        lines += [
            f"# you {PLAYERS[header.player]}",
            f"# opponent {header.opponent}",
            f"# seed {header.seed}",
            *self.moves,
        ]
        if self.undone:
            lines.append(f"# taken back {self.undone}")
        end = "finished" if is_over(self.state) else "unfinished"
        lines.append(f"# {end} {' '.join(map(str, scores(self.state)))}")
        return "\n".join(lines) + "\n"


def _bury(before: State, player: int, buried: Counts, move: Move) -> Counts:
    """Return the cards a player has hidden on finished days, the day ended by `move` included."""
    cards = [slot[0].printed for slot in before.players[player].row if slot[0].hidden]
    if before.phase.name == "DEADEYE" and not isinstance(move, int) and move[player] < NUM_TYPES:
        cards.append(move[player])
    return tuple(number + cards.count(card) for card, number in enumerate(buried))


@dataclass(frozen=True)
class Replay:
    """A transcript read again.

    Attributes
    ----------
    header : how it began.
    steps : every move, with what came before it.
    end : the last state.
    undone : how many decisions were taken back.
    """

    header: Header
    steps: list[Played]
    end: State
    undone: int


def replay(text: str, files: Sequence[Path] = (), overrides: Sequence[str] = ()) -> Replay:
    """Play a transcript again by the rules it names.

    Parameters
    ----------
    text : what :meth:`Game.text` wrote.
    files : rules files to use instead of the differences it lists.
    overrides : values laid over either.

    Raises
    ------
    TranscriptError
        If it is damaged, a move is illegal, or the scores are not those it claims.
    """
    lines = taken_apart(text, _GAME)
    fields, header = lines.fields, _header(lines, files, overrides)
    game = Game.begin(header)
    steps = []
    for number, line in lines.moves:
        state, buried, past = game.state, game.buried, game.past
        try:
            move = parse_move(state, line)
            game.go(move)
        except NotationError as error:
            raise TranscriptError(f"line {number}: {error}") from None
        except IllegalMove:
            reason = _refusal(state, move)
            raise TranscriptError(f"line {number}: {line!r} is not allowed: {reason}") from None
        steps.append(Played(state, move, buried, past))
    claimed = "finished" if is_over(game.state) else "unfinished"
    if claimed not in fields:
        raise TranscriptError(f"the moves leave it {claimed}, and the transcript does not say so")
    score = " ".join(map(str, scores(game.state)))
    if fields[claimed][-1] != score:
        raise TranscriptError(
            f"claims a score of {fields[claimed][-1]}, but the moves give {score} (accusers, defenders)"
        )
    undone = _number(fields.get("taken", ["back 0"])[-1].removeprefix("back "), "taken back")
    return Replay(header, steps, game.state, undone)


def replayed(path: Path, rules: RulesFiles, option: str) -> Replay:
    """Play the transcript of a file again; RequestError names the option if it cannot be read."""
    try:
        return replay(path.read_text(encoding="utf-8"), rules.rules, rules.set)
    except OSError as error:
        raise RequestError(f"cannot read {str(path)!r}: {error.strerror}", option) from None
    except UnicodeDecodeError:
        raise RequestError(f"{path} is no transcript: it is no text (UTF-8)", option) from None
    except TranscriptError as error:
        raise RequestError(f"{path}: {error}", option) from None


def _refusal(state: State, move: Move) -> str:
    """Return why the rules do not allow a move of players, in words."""
    rules = state.rules
    if isinstance(move, int):
        return "none of these is left there"
    for player, action in enumerate(move):
        who, legal = f"the {PLAYERS[player]}", legal_actions(state, player)
        if action in legal:
            continue
        if action == NOTHING:
            if legal:
                return f"{who} have to place a card there"
        elif not legal:
            return f"{who} have no choice there, and '-' stands for that"
        elif not state.players[player].hand[action]:
            return f"{who} do not hold a {TYPES[action].capitalize()} there"
        elif state.patron is not None:
            return f"{rules.patrons[state.patron].name} forbids the {TYPES[action].capitalize()}"
    return "nobody decides anything there"


def _number(text: str, name: str) -> int:
    """Return the number in a line of the header."""
    if not re.fullmatch(r"[0-9]{1,30}", text):
        raise TranscriptError(f"its line '# {name}' holds {text!r} instead of a number")
    return int(text)


def _header(lines: Lines, files: Sequence[Path], overrides: Sequence[str]) -> Header:
    fields = lines.fields
    rules = played_by(lines, files, lambda named, values: load_rules(named, [*values, *overrides]))
    day = None
    preparation = True
    if "day" in fields:
        words = lines.one("day").split()
        if len(words) != 3 or words[2] not in ("discard", "no-discard"):
            raise TranscriptError("its line '# day' needs a patron, a cheers card, and discard or no-discard")
        named = {
            "patron": (words[0], [entry.id for entry in rules.patrons]),
            "cheers card": (words[1], [entry.id for entry in rules.cheers]),
        }
        for what, (word, ids) in named.items():
            if word not in ids:
                known = ", ".join(ids)
                raise TranscriptError(f"its line '# day': no {what} is called {word!r}; there are {known}")
        day, preparation = (words[0], words[1]), words[2] == "discard"
    player = lines.one("you")
    if player not in PLAYERS:
        raise TranscriptError(f"{player!r} is no side; there are {', '.join(PLAYERS)}")
    seed = _number(lines.one("seed"), "seed")
    return Header(rules, day, preparation, PLAYERS.index(player), lines.one("opponent"), seed)
