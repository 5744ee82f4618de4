"""Questions: each is declared once, and command, Python function, schema, reference and page come from that.

Modules that declare questions import neither numba nor numpy: ``--help`` reads them.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Generic, Literal, TypeVar

import msgspec

from analysis.errors import NothingYetError
from analysis.estimates import Estimate
from analysis.exit_codes import EXIT_INTERRUPTED, EXIT_TARGET_NOT_REACHED
from analysis.front.bundles import RulesFiles, Seeded
from analysis.front.kinds import Names
from analysis.front.page import Format, Page
from analysis.front.parameters import Parameter, build, parameters
from analysis.interrupt import Interrupt
from analysis.progress import Reporter, Silent
from analysis.timing import Stopwatch
from analysis.version import __version__

if TYPE_CHECKING:
    from analysis.payoff_matrices import PayoffMatrix

__all__ = ["Amount", "Answer", "Declared", "Exactness", "OrNan", "Question", "RulesNote", "Running", "Timing"]

Asked = TypeVar("Asked")
_CUT = 200
"""Characters of the longest name that rules can have."""
OrNan = Annotated[float, msgspec.Meta(extra_json_schema={"x-nan": True})]
"""A number that may not be known: it is no number (NaN) then, which JSON writes as null."""
Exactness = Literal["exact", "bounded", "measured"]


class RulesNote(msgspec.Struct, frozen=True):
    """Which rules an answer is about.

    Attributes
    ----------
    name, sha256 : of the rules, and of their values.
    changed : keys of the values that are not the box's.
    said : a sentence that has to go with every answer, such as that cards are illustrative; or empty.
    names : id -> name of what a rules file names itself.
    """

    name: str
    sha256: str
    changed: list[str] = []
    said: str = ""
    names: dict[str, str] = {}


class Timing(msgspec.Struct, frozen=True):
    """Seconds of compiling, which a second question does not take, and of work."""

    compile_s: float = 0.0
    work_s: float = 0.0


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """What JSON holds of every answer; the rest is each question's own.

    Attributes
    ----------
    schema : major version of the answer's form.
    exactness : ``exact``: proved; ``bounded``: with a proved bound; ``measured``: with intervals. The
        question's own, unless its function says better of one answer.
    complete : whether everything that was asked for is in.
    reached : whether a goal that was asked for was met.
    found_again : whether it was computed before, and kept; `timing` is that of then.
    """

    schema: int = 1
    game: str = ""
    question: str = ""
    version: str = ""
    rules: RulesNote | None = None
    exactness: Exactness = "measured"
    seed: int | None = None
    complete: bool = True
    reached: bool = True
    timing: Timing = Timing()
    found_again: bool = False

    @property
    def exit_code(self) -> int:
        """What a command ends with."""
        if not self.complete:
            return EXIT_INTERRUPTED
        return 0 if self.reached else EXIT_TARGET_NOT_REACHED

    def _declared(self) -> Question[Any, Any]:
        from analysis.registry import game_named

        found: Question[Any, Any] = game_named(self.game).question(self.question)
        return found

    def with_said(self, page: Page) -> Page:
        """Return a page with the names of the game's entries in place of ids."""
        from analysis.registry import game_named

        return page.with_said(game_named(self.game).said_names) if self.game else page

    def page(self) -> Page:
        """Return how the answer looks."""
        return self._declared().page_of(self)

    def rows(self) -> list[dict[str, str | int | float | None]]:
        """Return the rows of the answer's table, for pandas or polars."""
        return self.page().rows()

    def as_html(self) -> str:
        """Return the answer as a page with its pictures; a notebook shows it so."""
        from analysis.front.render import in_format

        return in_format(self.page(), self, "html")

    _repr_html_ = as_html


AnswerT = TypeVar("AnswerT", bound=Answer)


class Amount(msgspec.Struct, frozen=True):
    """A figure of an answer that can be compared between two answers; its `key` is the same in both."""

    key: str
    head: str
    value: float | Estimate | None
    kind: Format = "number"


def _silent(phase: str, done: int, total: int) -> None:
    """Tell nobody."""


@dataclass
class Running:
    """All that a question's function gets of the outside.

    Attributes
    ----------
    note : told the phase, how much of it is done, and of how much; 0 where nobody knows that.
    interrupt : whether to stop with what there is.
    limit_bytes : memory that may be used; None: what the machine has free, asked once.
    reporter : told how single solves go, and what people need to know meanwhile.
    fresh : whether to compute anew what was computed before.
    show : told an answer that better ones will follow; None where nobody looks at these.
    """

    note: Callable[[str, int, int], None] = _silent
    interrupt: Interrupt = field(default_factory=Interrupt)
    limit_bytes: int | None = None
    reporter: Reporter = field(default_factory=Silent)
    fresh: bool = False
    show: Callable[[Any], None] | None = None

    def shows(self, answer: Callable[[Any], Any]) -> Callable[[Any], None] | None:
        """Return what shows the answer that is made of what is known so far; None where nobody looks."""
        show = self.show
        return None if show is None else lambda known: show(answer(known))

    def note_or_leave(self, phase: str, done: int, total: int) -> None:
        """Tell how much is done where a part of it answers nothing; NothingYetError if that is to stop."""
        self.note(phase, done, total)
        if self.interrupt():
            raise NothingYetError("there was nothing to show yet")

    @cached_property
    def memory_bytes(self) -> int:
        """Memory that a question may use."""
        from arena_solver.machine import memory_limit

        return memory_limit(self.limit_bytes)


def imported(what: Any) -> Any:
    """Return what a ``module:attribute`` text names; anything else as it is."""
    if not isinstance(what, str):
        return what
    module, _, attribute = what.partition(":")
    return getattr(importlib.import_module(module), attribute)


@dataclass(frozen=True, kw_only=True)
class Declared(Generic[Asked]):
    """What a command can be made of.

    Attributes
    ----------
    name : the verb: one word, the same for every game.
    about : what it does, a sentence or more; the first one stands alone in lists.
    asked : the struct of its parameters.
    examples : words of command lines after the program's name, each of which works as it stands.
    needs : the game, as `analysis.front.game.Game` declares it.
    local : whether it changes files of this machine that nobody names: other fronts than a command line leave
        it out.
    settles : whether what is usual has to be in the rules; else the question finds something else.
    by_example : whether what is usual cannot be asked, so that forms open with the first example.
    door, asks : what a designer comes with who needs it, and what it asks in their words
        (`analysis.front.doors`); empty: as its verb says.
    """

    name: str
    about: str
    asked: type[Asked]
    examples: tuple[str, ...] = ()
    needs: Any = None
    local: bool = False
    settles: bool = True
    by_example: bool = False
    door: str = ""
    asks: str = ""

    @property
    def function_name(self) -> str:
        """How Python calls it."""
        return self.name.replace(" ", "_").replace("-", "_")

    @cached_property
    def parameters(self) -> tuple[Parameter, ...]:
        """The parameters, those of bundles included."""
        return parameters(self.asked)

    @property
    def has_rules(self) -> bool:
        """Whether rules can be named."""
        return {"rules", "set"} <= {each.name for each in self.parameters}

    def names(self, given: dict[str, Any]) -> Names:
        """Return the lists of the rules that are asked about."""
        if self.needs is None or not any(each.shape.name == "KIND" for each in self.parameters):
            return {}
        files, overrides = (given.get(key, ()) for key in ("rules", "set"))
        rules = self.needs.rules_of(RulesFiles(rules=several(files), set=several(overrides)))
        found: Names = self.needs.lists(rules)
        return found

    def build(self, **given: Any) -> Asked:
        """Return what is asked, from values or texts; RequestError names what is wrong."""
        return build(self.asked, given, self.names(given), settles=self.settles)


@dataclass(frozen=True, kw_only=True)
class Question(Declared[Asked], Generic[Asked, AnswerT]):
    """A question.

    Attributes
    ----------
    answers : the struct of its answer.
    also : further structs that its answer may be.
    function : of what is asked and a `Running`; or where it is, ``module:function``, imported when asked.
    page : of an answer; or where it is.
    exactness : see `Answer`.
    amounts : the figures that can be compared; None if there are none. With it ``--vary`` exists.
    observed : the answer, and what each deal came to by the keys of `amounts`: two rules are then compared by
        equal deals. None if the question plays no deals.
    leaves : whether its function heeds a second interrupt, too (`analysis.interrupt.Interrupt.leaves`).
    matrix : of an answer, and whether it must have no gaps, who gets how much against whom; or where it is.
        With it ``--matrix`` exists.
    without_matrix : of what is asked, why its answer has no matrix; None where it has one.
    document : a text that the answer is wanted for, such as a file of another program's; its format; and
        whether the command writes that if no format is named; how a file of it is called, if not like that.
    written : of what is asked, and a file: what it holds, and the page that says so, or None if its name asks
        for no file of that kind; such as a spreadsheet. None if there are no such files.
    shows_ids : whether ids of the rules stay on its page where a rules file has names for them.
    what_if : the question that shows what a change of the rules does to this one's answer, of what both are
        about; itself if empty.
    beforehand : the question that is asked meanwhile, so that what-ifs have less to do; none if empty.
    gives_way : whether it stops as soon as something else is asked; what it has done is not lost.
    kept : whether answers with figures are kept to be found again; not where they rest on what else is kept
        on this machine, which changes.
    """

    answers: type[AnswerT]
    also: tuple[type[AnswerT], ...] = ()
    function: str | Callable[[Asked, Running], AnswerT]
    page: str | Callable[[AnswerT], Page]
    exactness: Exactness
    amounts: Callable[[AnswerT], Sequence[Amount]] | None = None
    observed: str | Callable[[Asked, Running], tuple[AnswerT, dict[str, list[float]]]] | None = None
    matrix: str | Callable[[AnswerT, bool], PayoffMatrix] | None = None
    without_matrix: Callable[[Asked], str | None] = lambda asked: None
    leaves: bool = False
    document: Callable[[AnswerT], str] | None = None
    document_format: str = ""
    document_first: bool = True
    document_suffix: Callable[[AnswerT], str] | None = None
    written: Callable[[Asked, Path], tuple[bytes, Page] | None] | None = None
    shows_ids: bool = False
    what_if: str = ""
    beforehand: str = ""
    gives_way: bool = False
    kept: bool = True

    def answer(self, asked: Asked, running: Running | None = None) -> AnswerT:
        """Answer, and say in the head what it is an answer to."""
        running = running or Running()
        rules = self.rules_note(asked)
        watch = Stopwatch()
        show = running.shows(lambda found: self._headed(found, asked, watch, rules))
        return self._headed(imported(self.function)(asked, replace(running, show=show)), asked, watch, rules)

    def observe(self, asked: Asked, running: Running) -> tuple[AnswerT, dict[str, list[float]]]:
        """Answer, and return what each deal came to; nothing if the question plays no deals."""
        if self.observed is None:
            return self.answer(asked, running), {}
        watch = Stopwatch()
        found, seen = imported(self.observed)(asked, running)
        return self._headed(found, asked, watch, self.rules_note(asked)), seen

    def _headed(self, found: AnswerT, asked: Asked, watch: Stopwatch, rules: RulesNote | None) -> AnswerT:
        seed = _within(asked, Seeded)
        return msgspec.structs.replace(
            found,
            game=self.needs.name,
            question=self.name,
            version=__version__,
            rules=found.rules or rules,
            exactness=self.exactness if found.exactness == "measured" else found.exactness,
            seed=found.seed if seed is None else seed.seed,
            timing=Timing(watch.compile_s or 0.0, watch.work_s),
        )

    def rules_note(self, asked: Asked) -> RulesNote | None:
        """Return which rules are asked about; None if none are."""
        files = _within(asked, RulesFiles)
        return None if files is None else self.needs.rules_note(self.needs.rules_of(files))

    def page_of(self, answer: AnswerT) -> Page:
        """Return how an answer looks."""
        page: Page = imported(self.page)(answer)
        rules = answer.rules
        if rules is None:
            return page
        notes = [*page.notes, *([rules.said] if rules.said else [])]
        if answer.found_again:
            notes.append(f"Found again: it took {answer.timing.work_s:.0f} s once; --fresh computes it anew.")
        headline = page.headline
        if rules.changed and rules.name not in headline:
            headline = f"{_name_of(rules)}: {headline}"
        whole = msgspec.structs.replace(page, headline=headline, notes=notes)
        return whole if self.shows_ids else whole.with_names(rules.names).with_said(self.needs.said_names)

    def schema(self) -> dict[str, Any]:
        """Return the JSON schema (2020-12) of what is asked and what is answered."""
        (_, *kinds), components = msgspec.json.schema_components(
            [self.asked, self.answers, *self.also], schema_hook=_hooked, ref_template="#/$defs/{name}"
        )
        answers = {"anyOf": kinds} if self.also else kinds[0]
        major = next(each.default for each in msgspec.structs.fields(self.answers) if each.name == "schema")
        whole = {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "$id": f"urn:arena-solver:{self.needs.name}:{self.name.replace(' ', '-')}-{major}",
            "title": f"{self.needs.name} {self.name}",
            **answers,
            "$defs": components,
        }
        return _short_names(whole)


def _name_of(rules: RulesNote) -> str:
    """The name of changed rules; a long one is cut, so what it leaves out is named, too."""
    unsaid = [key for key in rules.changed if key not in rules.name] if len(rules.name) >= _CUT else []
    return f"{rules.name}; changed, too: {', '.join(unsaid)}" if unsaid else rules.name


def several(given: Any) -> tuple[Any, ...]:
    """Return what was given once, or several times, as several."""
    return (given,) if isinstance(given, str | Path) else tuple(given)


def _within(asked: Any, bundle: type[Any]) -> Any:
    """The bundle of a type in what is asked; None if it takes none."""
    for each in msgspec.structs.fields(asked):
        value = getattr(asked, each.name)
        if isinstance(value, bundle):
            return value
    return None


def _hooked(kind: type[Any]) -> dict[str, Any]:
    if issubclass(kind, Path):
        return {"type": "string", "format": "path"}
    raise NotImplementedError


def _short_names(schema: dict[str, Any]) -> dict[str, Any]:
    """Name generic structs by their beginning: msgspec writes all their type arguments into the name."""
    text = msgspec.json.encode(schema).decode()
    text = text.replace('"x-nan":true,"type":"number"', '"type":["number","null"]')
    for name in schema["$defs"]:
        short = name.partition("_")[0] if name[:1].isupper() else name
        if short != name and short not in schema["$defs"]:
            text = text.replace(f'"{name}"', f'"{short}"').replace(f'/{name}"', f'/{short}"')
    named: dict[str, Any] = msgspec.json.decode(text)
    return named
