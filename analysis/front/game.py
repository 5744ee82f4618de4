"""What one game supplies; everything that can be asked about it follows from that.

Parts that need a compiler or numpy are named by ``module:attribute`` and imported when they are asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from importlib import import_module
from pathlib import Path
from typing import Any, Literal

from analysis.errors import RequestError
from analysis.front.bundles import RulesFiles
from analysis.front.checkup.plan import Plan
from analysis.front.kinds import Named, Names
from analysis.front.parameters import Bundle, text_of
from analysis.front.players import Player
from analysis.front.question import Declared, Question, RulesNote, imported
from analysis.rules_reports import read
from engine.rulefiles import Schema

__all__ = ["Game", "NoAdvice", "NoFindings", "NoSetup", "Program"]


_SAID = ("entries", "cards", "carried cards", "units", "decks", "clans", "sides", "patrons")
"""Lists whose entries sentences call by their names."""
_NO_ENTRIES = ("other", "one", "two", "three")
"""Words that stand for all other entries, or for numbers."""


class NoSetup(Bundle, frozen=True, kw_only=True):
    """Nothing has to be settled before the first move."""


class NoFindings(Bundle, frozen=True, kw_only=True):
    """Nothing of the game is checked besides its rules."""


class NoAdvice(Bundle, frozen=True, kw_only=True):
    """Nothing has to be settled about how a person is helped."""


def _no_names(rules: Any) -> Names:
    return {}


class _WhenAsked(Mapping[str, Any]):
    """Declarations of a game by name; each is imported when it is asked for, for the sake of ``--help``."""

    def __init__(self, game: Program, makers: Mapping[str, Callable[[], Any]]) -> None:
        self._game, self._makers = game, makers
        self._found: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        if name not in self._found:
            made = self._makers[name]()
            examples = (self._game.examples or {}).get(name) or made.examples or (name,)
            self._found[name] = replace(made, needs=self._game, examples=examples)
        return self._found[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._makers)

    def __len__(self) -> int:
        return len(self._makers)


def _of(place: str, game: Program) -> Any:
    return imported(place)(game)


def _by_place(setup: Any, players: Sequence[Player]) -> list[str]:
    return [text_of(player) for player in players]


@dataclass(frozen=True, kw_only=True, eq=False)
class Program:
    """Questions under a name.

    Attributes
    ----------
    name, title : of its commands, and as on the box.
    place : where this declaration is, ``module:GAME``; tasks for other processes name it so.
    own : its questions; a name stands for ``QUESTION``, or one of ``QUESTIONS``, of the module with its first
        word as its name, with _ for -, in the folder ``questions`` beside the declaration.
    examples : verb -> examples of its commands; a verb without any has one of its defaults.
    """

    name: str
    title: str
    place: str
    own: tuple[Question[Any, Any] | str, ...] = ()
    examples: Mapping[str, tuple[str, ...]] | None = None

    def _general(self) -> Mapping[str, str]:
        return {}

    def _others(self) -> Mapping[str, str]:
        return {}

    @cached_property
    def questions(self) -> Mapping[str, Question[Any, Any]]:
        """All questions by name: its own, then those of all games of its kind, those about rules last."""
        own = {each if isinstance(each, str) else each.name: partial(self._own, each) for each in self.own}
        general = self._made({name: at for name, at in self._general().items() if name not in own})
        return _WhenAsked(self, own | general)

    @cached_property
    def declared(self) -> Mapping[str, Declared[Any]]:
        """All that its program has a command for, by name."""
        asked = {name: partial(self.questions.__getitem__, name) for name in self.questions}
        rules = {name: make for name, make in asked.items() if name.startswith("rules ")}
        others = self._made(self._others())
        play = {name: others.pop(name) for name in ("play",) if name in others}
        rest = {name: make for name, make in asked.items() if name not in rules}
        return _WhenAsked(self, {**rest, **play, **rules, **others})

    def _made(self, places: Mapping[str, str]) -> dict[str, Callable[[], Any]]:
        return {name: partial(_of, place, self) for name, place in places.items()}

    def _own(self, each: Question[Any, Any] | str) -> Question[Any, Any]:
        if not isinstance(each, str):
            return each
        package = self.place.partition(":")[0].rpartition(".")[0]
        module = import_module(f"{package}.questions.{each.split()[0].replace('-', '_')}")
        found = getattr(module, "QUESTIONS", None) or (module.QUESTION,)
        return next(question for question in found if question.name == each)

    def question(self, name: str) -> Question[Any, Any]:
        """Return a question by its name; RequestError if there is no such one."""
        if name not in self.questions:
            raise RequestError(f"{self.name} has no question {name!r}; there are {', '.join(self.questions)}")
        return self.questions[name]


@dataclass(frozen=True, kw_only=True, eq=False)
class Game(Program):
    """A game.

    Attributes
    ----------
    seats : how many may play.
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
    rests_on : (rules, setup) -> section of the rules -> the entries whose numbers deals with that setup rest
        on, for sections of which it is not all; None if it is always all of them.
    session : (rules, setup, seat, opponent, seed, advice) -> `session.Session`; None if nobody can play.
        Where more than two may play, the opponent is a tuple of those named: one for all seats, or one each.
    resume : (transcript, rules files, seed, advice) -> the `session.Session` to go on with; sessions then
        have ``record()``, which returns the transcript. None if games are not kept.
    tree : (rules, setup) -> `solver.extensive.GameSource`; None if the game is too large for one.
    sides : (setup, players) -> what to call the players of a match.
    size : setup -> how many play, where the setup says that.
    measure : whether a match is about shares of wins, or about payoffs.
    bounds : how many play -> the least and the largest payoff; None if they have no bounds.
    value_words : rules -> dotted keys of values that are data, such as effects, and what they say in words.
    said : rules -> a sentence that has to go with every answer; empty if there is none.
    remarks : rules -> sentences about what they do to the game, for ``rules check``; None if there are none.
    checks : a bundle of what else `rules check` may be asked to check, such as a deck.
    findings : (rules, checks) -> a `verbs.check.Finding` for each thing that was asked for; None if there is
        nothing to check. Its numbers are figures, so `rules check --vary` exists then.
    own_names : rules -> id -> name of what a rules file names itself; answers are shown with these names.
    board_changes : whether only what has changed of a board is shown again; each line begins with a head.
    tallies : group of plays -> whose wins are counted in it; the first player's where it is not said.
    play_note : what is not for a person to decide, a sentence of `play --help`; empty if there is none.
    moves_help : lines about words that `session.Session.named` reads.
    length : what a play's length is counted in.
    entries : word -> an `analysis.front.entries.EntryKind`: what ``balance --only`` can be asked about.
    copied : (table, values, all tables) -> the values of an entry like another one, where some have to differ
        from those of all others; None if none do.
    plan : who plays in a check-up, and how much.
    """

    seats: tuple[int, ...]
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
    rests_on: Callable[[Any, Any], Mapping[str, Collection[str]]] | None = None
    session: str | Callable[..., Any] | None = None
    resume: str | Callable[..., Any] | None = None
    tree: str | Callable[..., Any] | None = None
    sides: str | Callable[[Any, Sequence[Player]], Sequence[str]] = _by_place
    size: Callable[[Any], int] | None = None
    measure: Literal["share", "signed"] = "share"
    bounds: Callable[[int], tuple[float, float]] | None = None
    value_words: str | Callable[[Any], Mapping[str, str]] | None = None
    said: Callable[[Any], str] | None = None
    remarks: str | Callable[[Any], list[str]] | None = None
    checks: type[Bundle] = NoFindings
    findings: str | Callable[[Any, Any], list[Any]] | None = None
    own_names: Callable[[Any], dict[str, str]] | None = None
    board_changes: bool = False
    tallies: Mapping[str, str] = field(default_factory=dict)
    play_note: str = ""
    moves_help: str = ""
    length: str = "turns"
    entries: Mapping[str, Any] = field(default_factory=dict)
    copied: str | Callable[[str, Any, Any], Any] | None = None
    plan: Plan = field(default_factory=Plan)

    def _general(self) -> Mapping[str, str]:
        from analysis.front.verbs import general_places

        return general_places(self)

    def _others(self) -> Mapping[str, str]:
        from analysis.front.verbs import other_places

        return other_places(self)

    @property
    def play(self) -> Declared[Any] | None:
        """How a person plays; None if nobody can."""
        return self.declared.get("play")

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
        found = {**found, "sections": sections, "kinds": kind_names(self.schema)}
        if self.entries:
            from analysis.front.entries import entries_of

            found["entries"] = entries_of(self, rules)
        return found

    @cached_property
    def said_names(self) -> dict[str, str]:
        """What sentences call entries of the box: id -> name."""
        lists = self.lists(self.read())
        known = [each for name in _SAID if name in lists for each in lists[name]]
        return {each.id: each.name for each in known if each.id not in _NO_ENTRIES}

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
