"""Pages out of templates: what each needs is put together here."""

from __future__ import annotations

import math
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlencode

import msgspec
from starlette.requests import Request
from starlette.responses import HTMLResponse

from analysis import registry
from analysis.errors import RequestError
from analysis.front.axes import read_axis
from analysis.front.doors import ABOUT, BY_PLAY, DOORS, INSIDE, PLAY, TOOLS, WHAT_IF, asks, by_door
from analysis.front.forms import Form, carried, form_of, label_of, needs_file, shown_parameters
from analysis.front.grid import with_links
from analysis.front.kinds import Names, Pick
from analysis.front.page import Page
from analysis.front.parameters import EFFORT, read, text_of
from analysis.front.question import Declared, Question
from analysis.front.reference import command_line
from analysis.front.render.html import environment, shown_sections
from analysis.front.render.tables import unit_of
from analysis.front.rules_form import Values, values_of
from app import texts
from app.browse import address, followed, slug
from app.folder import BOX, PLAYED, Asked, Folder, Result
from app.forms import keywords, query_pairs, set_fields, transcript_of, varies
from app.known import Known
from app.words import change_words, changed_words, goal_words, named_parts, said_by

__all__ = ["Missing", "Site", "about_of", "option_field"]


class Missing(Exception):
    """There is no such page; the message says what there is."""


def about_of(declared: Declared[Any]) -> tuple[str, str]:
    """Return the first sentence of what a question is about, and the rest."""
    first, stop, rest = declared.about.partition(". ")
    return (first + "." if stop else first), rest


def option_field(option: str | None, declared: Declared[Any]) -> str:
    """Return the field that an error's option names; empty if none does."""
    names = {each.option: each.name for each in declared.parameters}
    shared = option if option in ("--vary", "--goal", "--rules", "--set") else None
    return names.get(option or "", shared or "")


class Door(NamedTuple):
    """A door of a game: where it leads, what is behind it, and whether a page is there."""

    name: str
    about: str
    href: str
    questions: list[tuple[str, str, Any]]
    """Address, words, question."""
    here: bool


def _doors(game: Any, use: str = "", path: str = "") -> list[Door]:
    """The doors of a game that something is behind; links carry the rules in use."""
    query = f"?{urlencode({'form': '1', 'rules': use})}" if use not in ("", BOX) else ""
    behind = dict(by_door(game.questions.items()))
    places = {INSIDE: f"/{game.name}/rules/{use or BOX}"}
    places |= {WHAT_IF: f"/{game.name}/what-if{query}"} if _comparing(game) else {}
    places |= {PLAY: f"/{game.name}/play{query}"} if game.play is not None else {}
    places[TOOLS] = f"/{game.name}#tools"
    found = []
    for door in (*DOORS, TOOLS):
        asked = [
            (f"/{game.name}/{slug(verb)}{query}", asks(each), each) for verb, each in behind.get(door, [])
        ]
        if asked or door in places.keys() - {TOOLS}:
            href = places.get(door) or asked[0][0]
            here = {href.partition("?")[0], *(place.partition("?")[0] for place, _, _ in asked)}
            below = {INSIDE: "/rules", PLAY: "/play"}.get(door)
            inside = below is not None and f"{path}/".startswith(f"/{game.name}{below}/")
            found.append(Door(door, ABOUT[door], href, asked, path in here or inside))
    return found


def _asked_in_words(name: str, game: Any = None) -> str:
    """What a question asks, by its verb."""
    known = None if game is None else game.declared.get(name)
    return label_of(name) if known is None else asks(known)


def smaller(declared: Declared[Any], asked: Asked, names: Names) -> Asked | None:
    """Return a smaller question: of what all of a list are asked about, one; None if there is no such."""
    given = dict(asked.given)
    for each in shown_parameters(declared):
        if isinstance(each.kind, Pick) and each.repeatable and not each.default and each.name not in given:
            given[each.name] = [names[each.kind.names][0].id]
    return None if given == asked.given else msgspec.structs.replace(asked, given=given)


def sharper(declared: Declared[Any], asked: Asked) -> Asked | None:
    """Return the same question with more of what makes it exact; None where nothing does."""
    for each in shown_parameters(declared):
        if each.name not in EFFORT or each.repeatable:
            continue
        given = asked.given.get(each.name, each.default)
        try:
            now = read(each, given, {}) if isinstance(given, str) else given
        except RequestError:
            return None
        if isinstance(now, int | float) and now > 0:
            more = min(now * EFFORT[each.name], each.largest or math.inf)
            if more > now:
                return msgspec.structs.replace(asked, given={**asked.given, each.name: text_of(more)})
    return None


def _comparing(game: Any) -> list[str]:
    """The questions that show what a change of the rules does, those about play first."""
    doors = sorted(by_door(game.questions.items()), key=lambda each: each[0] != BY_PLAY)
    found = [(verb, each) for _, several in doors for verb, each in several]
    return [verb for verb, each in found if varies(each) and each.has_rules and not needs_file(each)]


class Site:
    """Writes pages; `games` are all games by name, those with a picture first."""

    def __init__(self, folder: Folder) -> None:
        self.folder, self.known = folder, Known(folder)
        self.templates = environment("app")
        self.templates.globals |= {
            "t": texts,
            "label": label_of,
            "address": address,
            "slug": slug,
            "pairs": query_pairs,
            "doors": _doors,
            "asks": _asked_in_words,
            "comparing": _comparing,
            "title_of": self._title_of,
            "kept_rules": lambda game: self.folder.rules_names(game.name),
            "said_of": self.said_of,
            "changed_words": changed_words,
            "changes_words": lambda game, lines: [change_words(line, game.said_names) for line in lines],
        }
        self.templates.filters |= {"duration": texts.duration, "plain": texts.plain}
        self.games: dict[str, Any] = {}
        self._names: dict[Any, dict[str, str]] = {}
        files = Path(__file__).resolve().parent.glob("pictures/*.json")
        kept = {path.stem: msgspec.json.decode(path.read_bytes(), type=tuple[Asked, Page]) for path in files}
        for name in sorted(registry.places(), key=lambda name: name not in kept):
            self.games[name] = registry.game_named(name)
        self._pictures = {name: kept[name] for name in self.games if name in kept}

    def _title_of(self, game: Any, name: str) -> str:
        """What rules are called on a page."""
        return texts.BOX_TITLE if name in ("", BOX) else self.folder.rules_title(game.name, name)

    def said_names(self, game: Any, rules: str) -> dict[str, str]:
        """Return what sentences call entries of rules, those of one's own among them: id -> name."""
        files = self.folder.rules_files(game.name, rules)
        key = (game.name, *((str(file), file.stat().st_mtime_ns) for file in files))
        if key not in self._names:
            tables = game.read(files).tables().items() if files else ()
            own = {table.rpartition(".")[2]: str(each["name"]) for table, each in tables if "name" in each}
            self._names[key] = own | game.said_names
        return self._names[key]

    def _listed(self, name: str) -> dict[str, str]:
        """All that lists of a game's box have, by id."""
        if name not in self._names:
            lists = self.games[name].lists(self.games[name].read())
            self._names[name] = {each.id: each.name for several in lists.values() for each in several}
        return self._names[name]

    def said_of(self, asked: Asked) -> str:
        """What is asked, in words: the question, what it is about, and what is changed or compared."""
        game = self.games.get(asked.game)
        names = {} if game is None else game.said_names
        with suppress(RequestError):  # unless these rules are not there any more
            names = names if game is None else self.said_names(game, asked.rules)
        about = [
            label_of(name)
            if value == "true"
            else f"{label_of(name).lower()} {value}"
            if value.isdigit()
            else names.get(value, value)
            for name, values in asked.given.items()
            for value in ([values] if isinstance(values, str) else values)
        ]
        sides = [self._title_of(game, asked.rules)] if game is not None and asked.rules else []
        sides += [changed_words(text, names) for text in asked.set]
        whole = ", ".join(sides)
        if asked.diff and game is not None:
            other = texts.THE_BOX if asked.diff == BOX else self._title_of(game, asked.diff)
            whole = texts.AGAINST.format(one=whole or texts.THE_BOX, other=other)
        parts = [_asked_in_words(asked.question, game), ", ".join(about), whole]
        return texts.SAID.join(filter(None, parts))

    def page(self, template: str, request: Request, status: int = 200, **values: Any) -> HTMLResponse:
        """Return a page."""
        values = {"games": self.games, "path": request.url.path, "use": "", **values}
        written = self.templates.get_template(f"{template}.html.j2").render(values)
        return HTMLResponse(written, status)

    def pictures(self) -> dict[str, Any]:
        """Return a picture for each game, out of an answer that comes with the app; None without one."""
        found: dict[str, Any] = dict.fromkeys(self.games)
        for name, (asked, page) in self._pictures.items():
            shown = self.shown(page, asked)
            words = shown["answer_page"].headline
            found[name] = {"section": shown["sections"][0], "words": words, "href": address(asked)}
        return found

    def review(self, game: Any, id: str) -> Asked | None:
        """Return the question what went wrong in a game that is over; None if nothing answers that."""
        if not self.folder.transcript(id).is_file():
            return None
        for verb, each in game.questions.items():
            file = transcript_of(each)
            if file is not None:
                return Asked(game=game.name, question=verb, given={file.name: f"{PLAYED}{id}"})
        return None

    def game(self, name: str) -> Any:
        """Return a game; Missing if there is none of that name."""
        if name not in self.games:
            raise Missing(texts.NO_GAME.format(name=name[:40], names=", ".join(self.games)))
        return self.games[name]

    def declared(self, game: Any, name: str) -> Any:
        """Return a question; Missing if there is none of that name."""
        found = next((each for each in game.questions.values() if slug(each.name) == name), None)
        if found is None:
            raise Missing(texts.NO_PAGE)
        return found

    def names(self, declared: Declared[Any], asked: Asked) -> Names:
        """Return the lists of the rules that are asked about; the box's if those cannot be used."""
        try:
            return declared.names(keywords(declared, asked, self.folder))
        except RequestError:
            return declared.names({})

    def form(
        self,
        declared: Declared[Any],
        asked: Asked,
        errors: dict[str, str] | None = None,
        posted: dict[str, list[str]] | None = None,
    ) -> Form:
        """Return a question's form."""
        return form_of(declared, self.names(declared, asked), asked.given, errors, posted)

    def asking(self, declared: Declared[Any], asked: Asked) -> dict[str, Any]:
        """Return what every page with a form needs beside the form."""
        game, what_if = declared.needs, self._about_the_same(declared, asked, "what_if")
        first, rest = about_of(declared)
        files = self._files(declared, asked.rules)
        given = {**self.folder.given(asked.given), "rules": list(files), "set": asked.set}
        several: dict[str, Any] = {"vary": asked.vary, "goal": asked.goal}
        if asked.diff:
            other = self._files(declared, asked.diff)
            several["diff"] = list(other) or asked.diff
        given |= {name: value for name, value in several.items() if value}
        return {
            "game": game,
            "declared": declared,
            "asked": asked,
            "use": asked.rules,
            "about": first,
            "needs_file": needs_file(declared),
            "played": transcript_of(declared) is not None,
            "about_rest": rest,
            "command": command_line(declared, given),
            "sharper": sharper(declared, asked),
            "smaller": smaller(declared, asked, self.names(declared, asked)),
            "rules_names": [BOX, *self.folder.rules_names(game.name)] if declared.has_rules else [],
            "can_vary": varies(declared),
            "rule_keys": self._rule_keys(declared, asked),
            "set_fields": set_fields(asked, lambda text: changed_words(text, game.said_names)),
            "what_if": what_if,
            "what_if_varies": varies(game.questions.get(what_if.question, declared)),
            "beforehand": self._about_the_same(declared, asked, "beforehand"),
        }

    def _about_the_same(self, declared: Declared[Any], asked: Asked, which: str) -> Asked:
        """Return another question, as the declaration names it, about what this one is about; or itself."""
        other = declared.needs.questions.get(getattr(declared, which, ""), declared)
        if other is declared:
            return asked
        return msgspec.structs.replace(
            asked,
            question=other.name,
            given=carried(declared, other, asked.given),
            vary=[],
            goal=[],
            diff="",
        )

    def _files(self, declared: Declared[Any], name: str) -> tuple[Any, ...]:
        """The files of rules; none where they are not there any more."""
        try:
            return self.folder.rules_files(declared.needs.name, name) if declared.has_rules else ()
        except RequestError:
            return ()

    def _rule_keys(self, declared: Declared[Any], asked: Asked) -> Values:
        """The values of the rules that can vary, by what has them: of each key, words, and value."""
        if declared.name == "play" or not declared.has_rules:
            return []
        rules = declared.needs.read(self._files(declared, asked.rules))
        return values_of(rules)

    def answer(self, result: Result, declared: Declared[Any], key: str) -> dict[str, Any]:
        """Return what an answer's page needs."""
        asked, page = result.asked, result.page
        if asked.vary:
            page = with_links(page, declared, asked.given, asked.set, list(map(read_axis, asked.vary)))
        figures = self._figures(result, declared)
        return {"result": result, "key": key, "figures": figures} | self.shown(page, result.asked)

    def _figures(self, result: Result, declared: Declared[Any]) -> list[tuple[str, str]]:
        """The figures that a what-if can be about: key, and what each is; those of a comparison are not."""
        asked = result.asked
        if not isinstance(declared, Question) or asked.diff or asked.vary or declared.what_if:
            return []
        if (amounts := declared.amounts) is None:
            return []
        for kind in (declared.answers, *declared.also):
            with suppress(msgspec.MsgspecError):
                found = amounts(msgspec.json.decode(result.answer, type=kind))
                return [(each.key, f"{each.head}{unit_of(each.kind)}") for each in found]
        return []

    def shown(self, page: Page, asked: Asked) -> dict[str, Any]:
        """Return what the macros need of a page."""
        names = self.games[asked.game].said_names
        keys = [key for key in (text.partition("=")[0].strip() for text in asked.vary) if "." in key]
        said = {text: goal_words(text) for text in asked.goal}
        said |= {key: changed_words(key, names) for key in [*map(str.strip, asked.set), *keys]}
        listed = self._listed(asked.game)

        def say(text: str) -> str:
            for key, words in said.items():
                text = text.replace(key, words)
            return texts.plain(named_parts(text, listed))

        shown = shown_sections(page.sections, lambda follow: followed(asked, follow))
        sections, headline, notes = said_by(say, (shown, page.headline, page.notes))
        page = msgspec.structs.replace(page, headline=headline, notes=notes)
        cut = len(sections) if page.details is None else page.details
        return {
            "answer_page": page,
            "sections": sections[:cut],
            "details": sections[cut:],
            "leads": [(each.head, followed(asked, each)) for each in page.follow],
            "crumbs": [(each.head, followed(asked, each)) for each in page.path],
        }
