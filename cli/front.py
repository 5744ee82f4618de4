"""Commands out of declarations: a question's parameters become options, its answer goes out in any format.

Knows no game. A group of a game's commands is made by `group_of`; `main` runs it by the game's name, and so
do programs that other packages bring with their games.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NoReturn

import click
from click.core import ParameterSource
from click.shell_completion import CompletionItem

from analysis.errors import RequestError
from analysis.front.doors import by_door
from analysis.front.parameters import Parameter, Shape
from analysis.front.question import Declared, Question, Running, imported
from analysis.front.reference import default_text, metavar, option_lines
from analysis.front.render import FORMATS, in_format
from analysis.registry import game_named, places
from analysis.version import __version__
from cli.entry import Command, Group, run

__all__ = ["command_of", "declared_command", "declared_names", "group_of", "main"]

_STOPPING = "Stopping with what is finished; again to leave without it."
_SOON = "Stopping with what is finished; again to finish less of it."
_LEAVING = "Leaving with what is known; again to leave without it."


_OUTPUT = "File for the answer, instead of stdout."
_FILE = click.Path(path_type=Path, dir_okay=False, allow_dash=True)


class _Text(click.ParamType):  # type: ignore[type-arg]
    """Any text; the declaration reads it. Shells complete what it may begin with."""

    name = "text"

    def __init__(self, words: Sequence[str] = ()) -> None:
        self.words = words

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Return the words that go on so."""
        return [CompletionItem(word) for word in self.words if word.startswith(incomplete)]


class FrontCommand(Command):
    """A command made of a declaration."""

    def __init__(self, declared: Declared[Any], game: Any, **settings: Any) -> None:
        super().__init__(declared.name.split()[-1], help=declared.about, **settings)
        self.declared, self.game = declared, game

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Show what stands by its position first: click shows options only."""
        arguments = [each for each in self.declared.parameters if each.argument]
        if arguments:
            with formatter.section("Arguments"):
                formatter.write_dl([(each.option, _help_of(each, self.game)) for each in arguments])
        super().format_options(ctx, formatter)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Show the players, if there are any, and examples."""
        if any(each.shape is Shape.PLAYER for each in self.declared.parameters):
            with formatter.section("Players"):
                rows = (line.partition(": ") for line in option_lines(self.game.player))
                formatter.write_dl([(name.strip("`"), text) for name, _, text in rows])
        with formatter.section("Examples"):
            for example in self.declared.examples:
                formatter.write(f"{'':>{formatter.current_indent}}{self.game.name} {example}\n")


class FrontGroup(Group):
    """The commands of a game; each is made when it is named."""

    def __init__(self, game: Any, **settings: Any) -> None:
        super().__init__(game.name, options_metavar="[-h] [--version]", **settings)
        self.game = game

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the commands."""
        return declared_names(self.game)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command, or None if there is no such one."""
        return declared_command(self.game, cmd_name)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Show what can be asked; options stand in the line of usage, for all of it is to fit a screen."""
        write_questions(self.game, formatter)


def write_questions(game: Any, formatter: click.HelpFormatter) -> None:
    """Show what can be asked, a line for each, and for each a command that works as it stands."""
    doors = by_door(game.declared.items())
    widest = max(len(name) for _, several in doors for name, _ in several)
    formatter.write_heading(f"Questions about {game.title}")
    with formatter.indentation():
        for door, several in doors:
            # A line of its own for each door, and no blank ones: all of it is to fit a screen.
            formatter.write(f"{'':>{formatter.current_indent - 1}}{door}\n")
            formatter.write_dl([(name.ljust(widest), sentence_of(each.about)) for name, each in several])
    with formatter.section("Examples"):
        for _, each in [each for _, several in doors for each in several]:
            formatter.write(f"{'':>{formatter.current_indent}}{game.name} {each.examples[0]}\n")


def declared_names(game: Any) -> list[str]:
    """Return the names of a game's commands; questions of two words share the first one."""
    return list(dict.fromkeys(each.split()[0] for each in game.declared))


def declared_command(game: Any, name: str) -> click.Command | None:
    """Return a game's command, or None if there is no such one."""
    if name == "play" and game.play is not None:
        return play_command(game)
    if name in game.questions:
        return command_of(game.questions[name])
    below = [each for each in game.declared if each.startswith(f"{name} ")]
    return _Below(game, name, below) if below else None


class _Below(Group):
    """The commands of two words that share the first one."""

    def __init__(self, game: Any, name: str, below: Sequence[str]) -> None:
        super().__init__(name)
        self.game, self.below = game, {each.partition(" ")[2]: each for each in below}

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the second words."""
        return list(self.below)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command, or None if there is no such one."""
        each = self.game.declared.get(self.below.get(cmd_name))
        return command_of(each) if isinstance(each, Question) else None

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Show nothing: the questions say it."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Show what can be asked, each with a command that works as it stands."""
        declared = {word: self.game.declared[each] for word, each in self.below.items()}
        with formatter.section("Questions"):
            formatter.write_dl([(word, sentence_of(each.about)) for word, each in declared.items()])
        with formatter.section("Examples"):
            for each in declared.values():
                formatter.write(f"{'':>{formatter.current_indent}}{self.game.name} {each.examples[0]}\n")


def sentence_of(text: str) -> str:
    """Return the first sentence of a text, without its full stop: each has a line."""
    return re.split(r"(?<=[.?]) ", text, maxsplit=1)[0].removesuffix(".")


def group_of(game: Any) -> click.Group:
    """Return the commands of a game."""
    return click.version_option(__version__, prog_name=game.name)(FrontGroup(game))


def option_of(parameter: Parameter, game: Any) -> click.Parameter:
    """Return a parameter as an option of a command line."""
    if parameter.argument:
        several = -1 if parameter.repeatable else 1
        return click.Argument([parameter.name], type=_Text(), required=parameter.required, nargs=several)
    shown = _help_of(parameter, game)
    if parameter.shape is Shape.FLAG:
        return click.Option([parameter.option, parameter.name], is_flag=True, help=shown)
    # With a value that it has alone an option may stand without one.
    alone: dict[str, Any] = {"is_flag": False, "flag_value": parameter.bare} if parameter.bare else {}
    return click.Option(
        [parameter.option, parameter.name],
        type=_Text(parameter.choices),
        multiple=parameter.repeatable,
        metavar=metavar(parameter),
        help=shown,
        **alone,
    )


def _help_of(parameter: Parameter, game: Any) -> str:
    """A parameter's help with its default and what it may be."""
    help = parameter.help
    if parameter.name == "set":
        help = f"{help.rstrip('.')}, such as {game.rules_example}."
    told = [f"default: {default}"] if (default := default_text(parameter)) else []
    told += [parameter.allowed] if parameter.shape in (Shape.WHOLE, Shape.NUMBER, Shape.CHOICE) else []
    told += ["required"] if parameter.required else []
    told += ["repeatable"] if parameter.repeatable and "repeatable" not in help else []
    return f"{help}  [{'; '.join(told)}]" if told else help


def _given(declared: Declared[Any], values: dict[str, Any]) -> dict[str, Any]:
    """What the command line says; what it does not say keeps its default."""
    known = {each.name: each for each in declared.parameters}
    return {
        name: value
        for name, value in values.items()
        if name in known and value not in (None, ()) and not (known[name].shape is Shape.FLAG and not value)
    }


def _format_option(formats: Sequence[str], default: str) -> click.Option:
    help = f"Format of the answer.  [default: {default}]"
    return click.Option(["--format", "form"], type=click.Choice(formats), default=default, help=help)


def command_of(question: Question[Any, Any]) -> click.Command:
    """Return a question as a command."""
    document = (question.document_format,) if question.document_format else ()
    formats = list(dict.fromkeys((*document, *FORMATS) if question.document_first else (*FORMATS, *document)))
    options = [option_of(each, question.needs) for each in question.parameters]
    if question.amounts is not None:
        options += _extra_options(question)
        if not any(each.name == "fresh" for each in question.parameters):
            help = "Compute it anew, even if the same was asked before."
            options.append(click.Option(["--fresh"], is_flag=True, help=help))
    if question.matrix is not None:
        help = "Also write what everybody gets against everybody: FILE.csv, or FILE.nfg for Gambit."
        options.append(click.Option(["--matrix"], type=_FILE, metavar="FILE", help=help))
    options += [
        _format_option(formats, formats[0]),
        click.Option(["--output", "-o"], type=_FILE, metavar="FILE", help=_OUTPUT),
        click.Option(["--details"], is_flag=True, help="Show everything that is known, and how."),
        click.Option(["--quiet", "-q"], is_flag=True, help="Show no progress."),
    ]
    made = FrontCommand(question, question.needs, params=options)
    made.callback = lambda **values: _ask(question, values)
    return made


_EXTRAS = {
    "vary": (
        "KEY=VALUES",
        "Ask over values of an option or of the rules.  [KEY=1:4, KEY=4:8:2 or KEY=a,b; repeatable]",
    ),
    "goal": (
        "FIGURE=LOW:HIGH",
        "With --vary: the smallest change by which a figure is so, shares in %.  [won_1=45:55]",
    ),
    "budget": ("POINTS", "With --goal: search, and try as many points at most."),
    "diff": (
        "[FILE|KEY=VALUE]",
        "Compare: with the box, a rules file, or another value of an option or of the rules.",
    ),
    "jobs": ("PROCESSES", "With --vary: points at once; 0 is one for each processor."),
    "scheduler": ("ADDRESS", "With --vary: ask points on the Dask cluster there instead."),
}
"""What can be said of questions with figures besides what is declared; see `analysis.front.asking`."""
_SEVERAL = ("vary", "goal", "diff")


def _extra_options(question: Question[Any, Any]) -> list[click.Parameter]:
    own = {each.name for each in question.parameters}
    made: list[click.Parameter] = []
    for name, (shown, help) in _EXTRAS.items():
        if name in own:
            continue
        number = click.IntRange(int(name == "budget")) if name in ("budget", "jobs") else _Text()
        # What is compared may be left out where it is the box.
        alone: dict[str, Any] = {"is_flag": False, "flag_value": "box"} if name == "diff" else {}
        option = click.Option(
            [f"--{name}"], type=number, multiple=name in _SEVERAL, metavar=shown, help=help, **alone
        )
        made.append(option)
    return made


def _ask(question: Question[Any, Any], values: dict[str, Any]) -> NoReturn:
    # These are for answers; help is quicker without them.
    from analysis.files import STDOUT, check_output, write_atomically
    from analysis.front.asking import ask
    from analysis.front.render.text import plain_text
    from analysis.interrupt import Interrupt
    from analysis.kept_tasks import check_kept
    from cli.compiling import compiling_said
    from cli.output import Output
    from cli.payoff_matrices import matrix_file
    from cli.progress import Reporter

    path = None if values["output"] in (None, STDOUT) else values["output"]
    if path is not None:
        check_output(path)
    out = Output(values["form"], path, values["quiet"], values["details"])
    given = _given(question, values)
    named = click.get_current_context().get_parameter_source("form") is not ParameterSource.DEFAULT
    if path is not None and question.written is not None and not named:
        file = question.written(question.build(**given), path)
        if file is not None:
            write_atomically(path, file[0])
            click.echo("" if out.quiet else plain_text(file[1]), nl=False)
            raise click.exceptions.Exit(0)
    if "keep" in given:
        check_kept(Path(given["keep"]))
    matrix = matrix_file(values.get("matrix"))
    interrupt = Interrupt(_SOON, _LEAVING) if question.leaves else Interrupt(_STOPPING)
    # A question without figures to compare may have a parameter of its own of these names.
    own = {name: values[name] for name in _EXTRAS if name in values and name not in given}
    own = {name: value for name, value in own.items() if value not in (None, ())}
    several = question.amounts is not None and bool({"vary", "diff"} & set(own))
    if matrix and several:
        raise RequestError(
            f"a matrix is of one answer, without --{'vary' if 'vary' in own else 'diff'}", "--matrix"
        )
    if matrix and (why := question.without_matrix(question.build(**given))):
        raise RequestError(why, "--matrix")
    own = own if question.amounts is not None else {}
    with compiling_said(out.quiet), interrupt.installed(), Reporter(quiet=out.quiet, total=1) as told:
        fresh = bool(values.get("fresh"))
        running = Running(note=told.counted, interrupt=interrupt, reporter=told, fresh=fresh)
        answer = ask(question, given, running, **own)
    if matrix:
        matrix.write(imported(question.matrix)(answer, matrix.needs_all))
    if out.form == question.document_format and question.document is not None and not several:
        if question.document_first and not out.quiet:
            shown = question.page_of(answer)
            click.echo("\n".join((shown.headline, *shown.notes)), err=True)
        out.finish(question.document(answer), answer.exit_code)
    page = answer.page() if several else question.page_of(answer)
    out.finish(in_format(page, answer, out.form, details=out.details), answer.exit_code)


def play_command(game: Any) -> click.Command:
    """Return the command in which a person plays."""
    options = [option_of(each, game) for each in game.play.parameters]
    made = FrontCommand(game.play, game, params=options)
    made.callback = lambda **values: _play(game, values)
    return made


def _play(game: Any, values: dict[str, Any]) -> None:
    from cli.front_play import play

    asked = game.play.build(**_given(game.play, values))
    play(game, asked)


def main(name: str | None = None) -> NoReturn:
    """Run a game's commands; without a name, those of the game that the first word names."""
    if name is None:
        words = sys.argv[1:2]
        if not words or words[0] not in places():
            click.echo(
                f"Usage: python -m cli.front GAME QUESTION ...; games: {', '.join(places()) or 'none'}",
                err=True,
            )
            raise SystemExit(2)
        name = words[0]
        del sys.argv[1]
    try:
        game = game_named(name)
    except KeyError:
        raise RequestError(f"no game is called {name!r}") from None
    run(group_of(game), name)


if __name__ == "__main__":
    main()
