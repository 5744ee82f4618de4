"""Pages out of templates: what each needs is put together here."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import HTMLResponse

from analysis import registry
from analysis.errors import RequestError
from analysis.front.axes import read_axis
from analysis.front.doors import BY_PLAY, by_door
from analysis.front.forms import Form, carried, form_of, label_of, needs_file, shown_parameters
from analysis.front.grid import with_links
from analysis.front.kinds import Names, Pick
from analysis.front.page import Page
from analysis.front.question import Declared
from analysis.front.reference import command_line
from analysis.front.render.html import environment, shown_sections
from app import texts
from app.browse import address, followed, slug
from app.folder import BOX, Asked, Folder, Result
from app.forms import keywords, query_pairs, set_fields, varies

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


def _questions(game: Any) -> list[tuple[str, Any]]:
    """The questions of a game but those about its rules, which have pages of their own, door by door."""
    return [each for _, several in _doors(game) for each in several]


def _doors(game: Any) -> list[tuple[str, list[tuple[str, Any]]]]:
    return by_door((verb, each) for verb, each in game.questions.items() if not verb.startswith("rules "))


def changed_words(text: str, names: Mapping[str, str]) -> str:
    """Return a value of the rules in words: ``cards.basher.gp=4`` is “Basher gp 4”."""
    key, _, value = text.partition("=")
    first, *inner = key.split(".")
    words = [names.get(word, word if word.isdigit() else label_of(word)) for word in inner or [first]]
    return " ".join([words[0], *map(str.lower, words[1:]), value.strip('"')])


def smaller(declared: Declared[Any], asked: Asked, names: Names) -> Asked | None:
    """Return a smaller question: of what all of a list are asked about, one; None if there is no such."""
    given = dict(asked.given)
    for each in shown_parameters(declared):
        if isinstance(each.kind, Pick) and each.repeatable and not each.default and each.name not in given:
            given[each.name] = [names[each.kind.names][0].id]
    return None if given == asked.given else msgspec.structs.replace(asked, given=given)


def _comparing(game: Any) -> list[str]:
    """The questions that show what a change of the rules does, those about play first."""
    doors = sorted(_doors(game), key=lambda each: each[0] != BY_PLAY)
    found = [(verb, each) for _, several in doors for verb, each in several]
    return [verb for verb, each in found if varies(each) and each.has_rules and not needs_file(each)]


class Site:
    """Writes pages; `games` are all games by name, those with a picture first."""

    def __init__(self, folder: Folder) -> None:
        self.folder = folder
        self.templates = environment("app")
        self.templates.globals |= {
            "t": texts,
            "label": label_of,
            "address": address,
            "slug": slug,
            "pairs": query_pairs,
            "doors": _doors,
            "questions": _questions,
            "comparing": _comparing,
            "title_of": self._title_of,
            "said_of": self.said_of,
            "changed_words": changed_words,
        }
        self.templates.filters |= {"duration": texts.duration, "plain": texts.plain}
        self.games: dict[str, Any] = {}
        files = Path(__file__).resolve().parent.glob("pictures/*.json")
        kept = {path.stem: msgspec.json.decode(path.read_bytes(), type=tuple[Asked, Page]) for path in files}
        for name in sorted(registry.places(), key=lambda name: name not in kept):
            self.games[name] = registry.game_named(name)
        self._pictures = {name: kept[name] for name in self.games if name in kept}

    def _title_of(self, game: Any, name: str) -> str:
        """What rules are called on a page."""
        return texts.BOX_TITLE if name in ("", BOX) else self.folder.rules_title(game.name, name)

    def said_of(self, asked: Asked) -> str:
        """What is asked, in words: the question, what it is about, and what is changed or compared."""
        game = self.games.get(asked.game)
        names = {} if game is None else game.said_names
        about = [
            label_of(name) if value == "true" else names.get(value, value)
            for name, values in asked.given.items()
            for value in ([values] if isinstance(values, str) else values)
        ]
        sides = [self._title_of(game, asked.rules)] if game is not None and asked.rules else []
        sides += [changed_words(text, names) for text in asked.set]
        whole = ", ".join(sides)
        if asked.diff and game is not None:
            other = texts.THE_BOX if asked.diff == BOX else self._title_of(game, asked.diff)
            whole = texts.AGAINST.format(one=whole or texts.THE_BOX, other=other)
        parts = [label_of(asked.question), ", ".join(about), whole]
        return texts.SAID.join(filter(None, parts))

    def page(self, template: str, request: Request, status: int = 200, **values: Any) -> HTMLResponse:
        """Return a page."""
        written = self.templates.get_template(f"{template}.html.j2").render(
            games=self.games, path=request.url.path, **values
        )
        return HTMLResponse(written, status)

    def pictures(self) -> dict[str, Any]:
        """Return a picture for each game, out of an answer that comes with the app; None without one."""
        found: dict[str, Any] = dict.fromkeys(self.games)
        for name, (asked, page) in self._pictures.items():
            section = self.shown(page, asked)["sections"][0]
            found[name] = {"section": section, "words": page.headline, "href": address(asked)}
        return found

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
        game = declared.needs
        first, rest = about_of(declared)
        files = self._files(declared, asked.rules)
        given = {**asked.given, "rules": list(files), "set": asked.set}
        several: dict[str, Any] = {"vary": asked.vary, "goal": asked.goal}
        if asked.diff:
            other = self._files(declared, asked.diff)
            several["diff"] = list(other) or asked.diff
        given |= {name: value for name, value in several.items() if value}
        return {
            "game": game,
            "declared": declared,
            "asked": asked,
            "about": first,
            "needs_file": needs_file(declared),
            "about_rest": rest,
            "command": command_line(declared, given),
            "smaller": smaller(declared, asked, self.names(declared, asked)),
            "rules_names": [BOX, *self.folder.rules_names(game.name)] if declared.has_rules else [],
            "can_vary": varies(declared),
            "rule_keys": self._rule_keys(declared, asked),
            "set_fields": set_fields(asked),
            "what_if": self._about_the_same(declared, asked, "what_if"),
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

    def _rule_keys(self, declared: Declared[Any], asked: Asked) -> list[tuple[str, str]]:
        """The values of the rules that can vary, with what they are."""
        if declared.name == "play" or not declared.has_rules:
            return []
        rules = declared.needs.read(self._files(declared, asked.rules))
        return [(key, str(value)) for key, value in rules.values().items()]

    def answer(self, result: Result, declared: Declared[Any], key: str) -> dict[str, Any]:
        """Return what an answer's page needs."""
        asked, page = result.asked, result.page
        page = msgspec.structs.replace(
            page, headline=texts.plain(page.headline), notes=list(map(texts.plain, page.notes))
        )
        if asked.vary:
            page = with_links(page, declared, asked.given, asked.set, list(map(read_axis, asked.vary)))
        return {"result": result, "key": key} | self.shown(page, result.asked)

    def shown(self, page: Page, asked: Asked) -> dict[str, Any]:
        """Return what the macros need of a page."""
        sections = shown_sections(page.sections, lambda follow: followed(asked, follow))
        cut = len(sections) if page.details is None else page.details
        return {
            "answer_page": page,
            "sections": sections[:cut],
            "details": sections[cut:],
            "leads": [(each.head, followed(asked, each)) for each in page.follow],
        }
