"""What one game supplies; everything that can be asked about it follows from that.

Parts that need a compiler or numpy are named by ``module:attribute`` and imported when they are asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from analysis.errors import RequestError
from analysis.front.bundles import RulesFiles
from analysis.front.kinds import Named, Names
from analysis.front.parameters import Bundle, text_of
from analysis.front.players import Player
from analysis.front.question import Declared, Question, RulesNote, imported
from analysis.rules_reports import read
from engine.rulefiles import Schema

__all__ = ["Game", "NoAdvice", "NoSetup"]


class NoSetup(Bundle, frozen=True, kw_only=True):
    """Nothing has to be settled before the first move."""


class NoAdvice(Bundle, frozen=True, kw_only=True):
    """Nothing has to be settled about how a person is helped."""


def _no_names(rules: Any) -> Names:
    return {}


def _by_place(setup: Any, players: Sequence[Player]) -> list[str]:
    return [text_of(player) for player in players]


@dataclass(frozen=True, kw_only=True, eq=False)
class Game:
    """A game.

    Attributes
    ----------
    name, title : of its commands, and as on the box.
    seats : how many may play.
    place : where this declaration is, ``module:GAME``; tasks for other processes name a game so.
    load : (files, overrides) -> rules; rules have ``name``, ``sha256`` and ``changed``.
    rules_schema : where it stands what rules files may hold, an `engine.rulefiles.Schema`.
    rules_example : an override that works, ``cards.fireball.cost=6``.
    setup : a bundle of what is settled before the first move.
    player : structs of players, joined by ``|``.
    usual : the players of a match if none are named.
    opponent : who plays against a person if nobody is named; None: the first of the usual ones.
    advice : a bundle of how a person at the game is helped; none if there is nothing to settle.
    names : rules -> the lists that `kinds` choose from.
    contest : (rules, setup, players) -> `contest.Contest`; None if players cannot meet.
    session : (rules, setup, seat, opponent, seed, advice) -> `session.Session`; None if nobody can play.
        Where more than two may play, the opponent is a tuple of those named: one for all seats, or one each.
    resume : (transcript, rules files, seed, advice) -> the `session.Session` to go on with; sessions then
        have ``record()``, which returns the transcript. None if games are not kept.
    tree : (rules, setup) -> `solver.extensive.GameSource`; None if the game is too large for one.
    questions_at : where questions of this game alone are, ``module:QUESTION`` by name; each is imported when
        it is asked for, so that help on one of them stays quick.
    own : such questions that are here already; they come after those.
    sides : (setup, players) -> what to call the players of a match.
    size : setup -> how many play, where the setup says that.
    measure : whether a match is about shares of wins, or about payoffs.
    bounds : how many play -> the least and the largest payoff; None if they have no bounds.
    value_words : rules -> dotted keys of values that are data, such as effects, and what they say in words.
    said : rules -> a sentence that has to go with every answer; empty if there is none.
    own_names : rules -> id -> name of what a rules file names itself; answers are shown with these names.
    board_changes : whether only what has changed of a board is shown again; each line begins with a head.
    tallies : group of plays -> whose wins are counted in it; the first player's where it is not said.
    moves_help : lines about words that `session.Session.named` reads.
    length : what a play's length is counted in.
    examples : verb -> examples of its commands; a verb without any has one of its defaults.
    carried : whether ``report`` shows the answers of the package if no file is named.
    former : verb -> options as a version ago had them -> as they are now, ``{"--duels": "--deals"}``.
        A comma at the end says that the old one took several values with commas between them; commas between
        new names, that the first of these values is the first one's, and so on.
    former_words : words of a command line as a version ago had them -> as they are now, where more than the
        name of an option has changed.
    """

    name: str
    title: str
    seats: tuple[int, ...]
    place: str
    load: str | Callable[..., Any]
    rules_schema: str
    rules_example: str
    setup: type[Bundle] = NoSetup
    advice: type[Bundle] = NoAdvice
    player: Any
    usual: tuple[Player, ...]
    opponent: Player | None = None
    names: str | Callable[[Any], Names] = _no_names
    contest: str | Callable[..., Any] | None = None
    session: str | Callable[..., Any] | None = None
    resume: str | Callable[..., Any] | None = None
    tree: str | Callable[..., Any] | None = None
    questions_at: Mapping[str, str] = field(default_factory=dict)
    own: tuple[Question[Any, Any], ...] = ()
    sides: str | Callable[[Any, Sequence[Player]], Sequence[str]] = _by_place
    size: Callable[[Any], int] | None = None
    measure: Literal["share", "signed"] = "share"
    bounds: Callable[[int], tuple[float, float]] | None = None
    value_words: str | Callable[[Any], Mapping[str, str]] | None = None
    said: Callable[[Any], str] | None = None
    own_names: Callable[[Any], dict[str, str]] | None = None
    board_changes: bool = False
    tallies: Mapping[str, str] = field(default_factory=dict)
    moves_help: str = ""
    length: str = "turns"
    examples: Mapping[str, tuple[str, ...]] | None = None
    carried: bool = False
    former: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    former_words: str | Callable[[list[str]], list[str]] | None = None

    @cached_property
    def _asked(self) -> dict[str, Any]:
        """Questions, or where they are, by name: its own, then those of all games, those about rules last."""
        from analysis.front.verbs import all_questions

        found: dict[str, Any] = dict(self.questions_at)
        for each in (*self.own, *all_questions(self)):
            found.setdefault(each.name, each)
        return found

    @cached_property
    def _known(self) -> dict[str, Question[Any, Any]]:
        return {}

    @property
    def question_names(self) -> list[str]:
        """The names of all questions: its own, then those of all games, those about rules last."""
        return list(self._asked)

    @cached_property
    def questions(self) -> dict[str, Question[Any, Any]]:
        """All questions by name."""
        return {name: self.question(name) for name in self._asked}

    @cached_property
    def play(self) -> Declared[Any] | None:
        """How a person plays; None if nobody can."""
        if self.session is None:
            return None
        from analysis.front.verbs.play import play_of

        made: Declared[Any] = self._with_examples(replace(play_of(self), needs=self))
        return made

    @cached_property
    def report(self) -> Declared[Any]:
        """How kept answers are shown."""
        from analysis.front.verbs.report import report_of

        return replace(report_of(self), needs=self)

    @cached_property
    def declared(self) -> list[Declared[Any]]:
        """All that a program of the game has a command for."""
        from analysis.front.sheets import sheet_of

        asked = list(self.questions.values())
        about_rules = [each for each in asked if each.name.startswith("rules ")]
        rest = [each for each in asked if each not in about_rules]
        return [*rest, *([self.play] if self.play else []), *about_rules, sheet_of(self), self.report]

    def below(self, word: str) -> dict[str, Declared[Any]]:
        """Return what is declared under two words of which this is the first, by the second."""
        from analysis.front.sheets import sheet_of

        asked: list[Declared[Any]] = [
            self.question(name) for name in self._asked if name.startswith(f"{word} ")
        ]
        asked += [each for each in [sheet_of(self)] if each.name.startswith(f"{word} ")]
        return {each.name.split()[1]: each for each in asked}

    def _with_examples(self, declared: Any) -> Any:
        examples = (self.examples or {}).get(declared.name) or declared.examples or (declared.name,)
        return replace(declared, examples=examples)

    def question(self, name: str) -> Question[Any, Any]:
        """Return a question by its name; RequestError if there is no such one."""
        if name not in self._asked:
            raise RequestError(f"{self.name} has no question {name!r}; there are {', '.join(self._asked)}")
        if name not in self._known:
            made = replace(imported(self._asked[name]), needs=self)
            self._known[name] = self._with_examples(made)
        return self._known[name]

    def read(self, files: Sequence[Path] = (), overrides: Sequence[str] = ()) -> Any:
        """Return the box's rules with files and values laid over them; RequestError if they are wrong."""
        return read(imported(self.load), list(map(Path, files)), list(overrides))

    @cached_property
    def schema(self) -> Schema:
        """What the game's rules files may hold, an `engine.rulefiles.Schema`."""
        found: Schema = imported(self.rules_schema)
        return found

    def lists(self, rules: Any) -> Names:
        """Return the lists that values are chosen from, the sections of the rules among them."""
        found: Names = imported(self.names)(rules)
        from analysis.front.verbs.new_entry import kind_names

        sections = [Named(name, name) for name in self.schema.sections]
        return {**found, "sections": sections, "kinds": kind_names(self.schema)}

    def rules_of(self, files: RulesFiles) -> Any:
        """Return the rules that a bundle names."""
        try:
            return self.read(files.rules, files.set)
        except RequestError as error:
            raise RequestError(str(error), "--set" if files.set and not files.rules else "--rules") from None

    def rules_note(self, rules: Any) -> RulesNote:
        """Return which rules these are."""
        said = "" if self.said is None else self.said(rules)
        names = {} if self.own_names is None else self.own_names(rules)
        return RulesNote(rules.name, rules.sha256, list(rules.changed), said, names)
