"""What answers requests: `make_app` is the whole app for any server; `app.serving` starts ours."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import msgspec
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from analysis.errors import RequestError, WorkError
from analysis.front.examples import opens_with
from analysis.front.forms import read_form
from analysis.front.render import as_json
from analysis.front.render.csv import csv_text
from analysis.front.render.html import SCRIPT, STYLE, html_text
from analysis.front.render.markdown import markdown_text
from analysis.front.rules_form import values_of
from app import rules, texts
from app.browse import address
from app.folder import BOX, Asked, Folder
from app.forms import SET, asked_of, one_more_value, varies, what_changes
from app.jobs import Jobs
from app.pages import Missing, Site, option_field
from app.play import Plays
from app.security import MOST_BODY, NAME, Guard, TooLargeError, posted, query_of

__all__ = ["LOOPBACK", "make_app"]

LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
QUICK_S = 1.0
"""A page waits as long for an answer; then it shows how far that is."""
_HERE = Path(__file__).resolve().parent


class _App:
    """What answers requests."""

    def __init__(self, folder: Folder) -> None:
        self.folder, self.site = folder, Site(folder)
        self.jobs, self.plays = Jobs(folder), Plays(folder)

    @contextlib.asynccontextmanager
    async def lifespan(self, _app: Starlette) -> AsyncIterator[None]:
        """Begin and end."""
        await self.jobs.open()
        try:
            yield
        finally:
            await self.plays.close()
            await self.jobs.close()
            self.folder.close()

    def routes(self) -> list[Route | Mount]:
        """Return who answers what."""
        return [
            Route("/", self.home),
            Route("/style.css", self.style),
            Route("/sections.js", self.style),
            Mount("/static", StaticFiles(directory=_HERE / "static")),
            Route("/here", self.here),
            Route("/words", self.words),
            Route("/jobs", self.all_jobs),
            Route("/jobs/{id}", self.job, methods=["GET", "POST"]),
            Route("/answers/{key}.{form}", self.saved),
            Route("/{game}", self.game),
            Route("/{game}/what-if", self.what_if),
            Route("/{game}/play", self.play, methods=["GET", "POST"]),
            Route("/{game}/play/{id}", self.playing, methods=["GET", "POST"]),
            Route("/{game}/rules", self.all_rules, methods=["GET", "POST"]),
            Route("/{game}/rules/{name}.{form}", self.rules_file),
            Route("/{game}/rules/{name}", self.rules, methods=["GET", "POST"]),
            Route("/{game}/rules/{name}/{table}", self.entry, methods=["GET", "POST"]),
            Route("/{game}/{question}", self.question, methods=["GET", "POST"]),
        ]

    # ---- home and games ------------------------------------------------------------------------------------

    async def home(self, request: Request) -> Response:
        """The first page: a tile for each game."""
        at_work = [each for each in self.jobs.all() if each.state in ("running", "waiting", "interrupted")]
        return self.site.page("home", request, at_work=at_work[:5], pictures=self.site.pictures())

    async def style(self, request: Request) -> Response:
        """The style sheet of sections or their script, which the command line's pages have, too."""
        file, kind = (STYLE, "text/css") if request.url.path.endswith("css") else (SCRIPT, "text/javascript")
        return Response(file.read_text(encoding="utf-8"), media_type=kind, headers=_KEPT)

    async def here(self, request: Request) -> Response:
        """What every page asks for now and then: whether the app is there, and how much is at work."""
        states = [job.record.state for job in self.jobs.live.values()]
        return JSONResponse({"work": sum(state in ("running", "waiting", "paused") for state in states)})

    async def game(self, request: Request) -> Response:
        """What can be asked about a game."""
        game = self.site.game(request.path_params["game"])
        use = query_of(request).get("rules", [""])[-1]
        records = self.jobs.all()
        values: dict[str, Any] = {
            "striking": await asyncio.to_thread(self.site.known.by_door, game, use, records),
            "inside": self.site.known.numbers(game, use),
            "picture": None if use not in ("", BOX) else self.site.pictures()[game.name],
        }
        return self.site.page("game", request, game=game, use=use, **values)

    async def what_if(self, request: Request) -> Response:
        """Two sets of rules beside each other."""
        game, query = self.site.game(request.path_params["game"]), query_of(request)
        names = [BOX, *self.folder.rules_names(game.name)]
        use, other, verb = (query.get(key, [""])[-1] for key in ("rules", "diff", "question"))
        error = ""
        if verb:
            declared = self.site.declared(game, verb)
            asked = what_changes(declared, use or BOX, [])
            if (more := one_more_value(declared, asked, query)) is not None:
                return _see(address(more))
            if other and (use or BOX) != other:
                return _see(address(msgspec.structs.replace(asked, diff=other)))
            error = texts.SAME_SIDES
        values = {"game": game, "use": use, "names": names, "other": other, "error": error}
        values["rule_values"] = values_of(game.read(self.folder.rules_files(game.name, use)))
        return self.site.page("what_if", request, 422 if error else 200, **values)

    # ---- questions -----------------------------------------------------------------------------------------

    async def question(self, request: Request) -> Response:
        """A form, and with parameters in the address its answer."""
        game = self.site.game(request.path_params["game"])
        declared = self.site.declared(game, request.path_params["question"])
        if request.method == "POST":
            fields = await posted(request)
            asked, errors = self._read(declared, fields)
            if not errors:
                self.jobs.forget(asked)
                return _see(address(asked))
            return self._asking(request, declared, asked, errors, fields)
        query = query_of(request)
        asked = Asked(game=game.name, question=declared.name)
        try:
            asked = asked_of(declared, query)
            if not query or "form" in query:
                given, sets = opens_with(declared)
                return self._asking(request, declared, msgspec.structs.replace(asked, given=given, set=sets))
            if (more := one_more_value(declared, asked, query)) is not None:
                return _see(address(more))
            again = query.get("ask") == ["again"]
            key, job = await self.jobs.ask(asked, again=again)
        except RequestError as error:
            return self._asking(request, declared, asked, _beside(error, declared))
        if job is not None and not await self.jobs.waited(job, QUICK_S):
            so_far = self.folder.so_far(key)
            found = {} if so_far is None else self.site.answer(so_far, declared, key)
            return self._asking(request, declared, asked, job=job.shown(), **found)
        if again:
            return _see(address(asked))
        result = self.folder.result(key)
        record = None if job is None else job.record
        if result is None and record is not None and not record.wrong:
            return self._asking(request, declared, asked, stopped=record, first=record.first)
        if result is None:
            said, option = (texts.LOST, "") if record is None else (record.error, record.option)
            return self._asking(request, declared, asked, _beside(RequestError(said, option), declared))
        # The same values under another name are the same answer; the address says which were asked about.
        result = msgspec.structs.replace(result, asked=asked)
        return self._asking(request, declared, asked, **self.site.answer(result, declared, key))

    def _read(self, declared: Any, fields: dict[str, list[str]]) -> tuple[Asked, dict[str, str]]:
        names = ("rules", "set", *(("vary", "goal", "diff") if varies(declared) else ()))
        own = {name: values for name, values in fields.items() if name in names or name.startswith(SET)}
        try:
            asked = asked_of(declared, own)
        except RequestError as error:
            return Asked(game=declared.needs.name, question=declared.name), _beside(error, declared)
        given, errors = read_form(declared, fields, self.site.names(declared, asked))
        return msgspec.structs.replace(asked, given=given), errors

    def _asking(
        self,
        request: Request,
        declared: Any,
        asked: Asked,
        errors: dict[str, str] | None = None,
        fields: dict[str, list[str]] | None = None,
        **values: Any,
    ) -> Response:
        form = self.site.form(declared, asked, errors, fields)
        empty: dict[str, Any] = {"result": None, "job": None, "stopped": None, "first": None}
        values = empty | self.site.asking(declared, asked) | values
        page = self.site.page("question", request, 422 if errors else 200, form=form, **values)
        if errors and request.headers.get("hx-request"):
            # Only the answer was waited for; what is wrong stands in the form.
            page.headers.update({"HX-Retarget": "#main", "HX-Reselect": "#main", "HX-Reswap": "outerHTML"})
        return page

    async def saved(self, request: Request) -> Response:
        """An answer as a file."""
        key, form = request.path_params["key"], request.path_params["form"]
        result = self.folder.result(key) if NAME.fullmatch(key) else None
        if result is None:
            raise Missing(texts.NO_PAGE)
        name = f"{result.asked.game}-{result.asked.question}"
        forms: dict[str, tuple[str, Callable[[], str]]] = {
            "json": ("application/json", lambda: as_json(result.answer)),
            "csv": ("text/csv", lambda: csv_text(result.page)),
            "md": ("text/markdown", lambda: markdown_text(result.page)),
            "html": ("text/html", lambda: html_text(result.page, result.asked)),
        }
        if result.document:
            forms[result.document_format] = ("text/plain", lambda: result.document)
        if form not in forms:
            raise Missing(texts.NO_PAGE)
        kind, written = forms[form]
        suffix = result.document_suffix if form == "file" else form
        headers = {"Content-Disposition": f'attachment; filename="{name}.{suffix}"'}
        return Response(written(), media_type=f"{kind}; charset=utf-8", headers=headers)

    async def words(self, request: Request) -> Response:
        """What words of answers mean."""
        return self.site.page("words", request)

    # ---- jobs ----------------------------------------------------------------------------------------------

    async def all_jobs(self, request: Request) -> Response:
        """All jobs."""
        return self.site.page("jobs", request, jobs=self.jobs.all())

    async def job(self, request: Request) -> Response:
        """A job: its answer's address; or stop it, pause it, let it go on."""
        record = self.jobs.record(request.path_params["id"])
        if record is None:
            raise Missing(texts.NO_PAGE)
        if request.method == "POST":
            do = (await posted(request)).get("do", [""])[-1]
            if do == "stop":
                await self.jobs.stop(record.id)
            elif do == "first":
                self.jobs.first(record.id)
                return _see("/jobs")
            elif do in ("pause", "go-on"):
                await self.jobs.pause(record.id, still=do == "pause")
            elif do in ("again", "long"):
                self.folder.forget_job(record.id)
                await self.jobs.ask(record.asked, again=True, long=do == "long")
            if do in ("stop", "again") and record.state == "interrupted":
                return _see(address(record.asked) if do == "again" else "/jobs")
        return _see(address(record.asked))

    # ---- play ----------------------------------------------------------------------------------------------

    async def play(self, request: Request) -> Response:
        """Begin a game, or go on with one."""
        game = self.site.game(request.path_params["game"])
        if game.play is None:
            raise Missing(texts.NO_PAGE)
        asked, fields = Asked(game=game.name, question="play"), None
        errors: dict[str, str] = {}
        try:
            if request.method == "POST":
                fields = await posted(request)
                asked, errors = self._read(game.play, fields)
                if not errors:
                    return _see(f"/{game.name}/play/{self.plays.begin(asked).id}")
            else:
                asked = asked_of(game.play, query_of(request))
        except RequestError as error:
            errors = _beside(error, game.play)
        form = self.site.form(game.play, asked, errors, fields)
        values = self.site.asking(game.play, asked) | {"kept": self.folder.plays(game.name)[:20]}
        return self.site.page("begin", request, 422 if errors else 200, form=form, **values)

    async def playing(self, request: Request) -> Response:
        """A game with a person in it."""
        game = self.site.game(request.path_params["game"])
        record = self.folder.play(request.path_params["id"])
        if record is None or record.asked.game != game.name:
            raise Missing(texts.NO_PAGE)
        live = await self.plays.at(record)
        await self.plays.waited(live)
        if request.method == "POST":
            fields = await posted(request)
            step, number = (_whole(fields.get(name, ["-1"])[-1]) for name in ("step", "number"))
            text = fields.get("text", [""])[-1].strip()[:200]
            do = fields.get("do", [""])[-1]
            if do in ("move", "undo", "hint", "explain", "named") and (
                text or do not in ("explain", "named")
            ):
                await self.plays.do(live, step, do, number - 1, text)
                await self.plays.waited(live)
            return _see(request.url.path)
        values = self.site.asking(game.play, live.record.asked)
        values["review"] = self.site.review(game, record.id)
        return self.site.page("play", request, live=live, record=live.record, state=live.state, **values)

    # ---- rules ---------------------------------------------------------------------------------------------

    async def all_rules(self, request: Request) -> Response:
        """The rules of a game that have names."""
        game = self.site.game(request.path_params["game"])
        errors: dict[str, str] = {}
        draft, name = None, ""
        if request.method == "POST":
            fields, file = await _sent(request)
            name, like, sent = (fields.get(key, [""])[-1].strip() for key in ("name", "like", "draft"))
            try:
                if file is not None:
                    draft = await asyncio.to_thread(rules.drafted, game, self.folder, *file)
                else:
                    kept = rules.new_rules(game, self.folder, name, like, fields.get("set", []), sent)
                    return _see(f"/{game.name}/rules/{kept}")
            except RequestError as error:
                errors = rules.errors_of(error)
                draft = rules.waiting(game, self.folder, sent, name) if sent else None
        names = [BOX, *self.folder.rules_names(game.name)]
        values = {"game": game, "names": names, "errors": errors, "new_name": name, "draft": draft}
        return self.site.page("all_rules", request, 422 if errors else 200, **values)

    async def rules(self, request: Request) -> Response:
        """All values of rules, with where each comes from."""
        game, name = self.site.game(request.path_params["game"]), request.path_params["name"]
        errors: dict[str, str] = {}
        fields: dict[str, list[str]] = {}
        if request.method == "POST":
            fields = await posted(request)
            try:
                if fields.get("do") == ["delete"]:
                    self.folder.rules_path(game.name, name).unlink(missing_ok=True)
                    return _see(f"/{game.name}/rules")
                return self._changed(game, name, "", fields)
            except rules.Wrong as error:
                errors = error.errors
        view = await asyncio.to_thread(rules.rules_view, game, self.folder, name, fields)
        values = {
            "game": game,
            "view": view,
            "errors": errors,
            "new": fields.get("new", [""])[-1],
            "use": name,
            "verdicts": await asyncio.to_thread(self.site.known.entries, game, name),
            "checked": await asyncio.to_thread(self.site.known.checkup, game, name),
        }
        return self.site.page("rules", request, 422 if errors else 200, **values)

    def _changed(self, game: Any, name: str, table: str, fields: dict[str, list[str]]) -> Response:
        """Do with rules what a form says: add an entry, take one out, keep values, or ask what they do."""
        do, new, called, entry = (fields.get(key, [""])[-1].strip() for key in ("do", "new", "copy", "entry"))
        where = f"/{game.name}/rules"
        if do == "copy":
            to, made = rules.add(game, self.folder, name, table or entry, called)
            return _see(f"{where}/{to}/{made}")
        if do == "out":
            rules.take_out(game, self.folder, name, table)
            return _see(f"{where}/{name}")
        overrides = rules.changed(game, self.folder, name, fields, table)
        if do == "ask":
            if name == BOX and not overrides:
                raise rules.Wrong({"": texts.NOTHING_CHANGED})
            rules.check(game, self.folder, name, overrides, table)
            declared = self.site.declared(game, fields.get("question", [""])[-1])
            return _see(address(what_changes(declared, name, overrides)))
        return _see(f"{where}/{rules.change(game, self.folder, name, overrides, new, table)}")

    async def rules_file(self, request: Request) -> Response:
        """Rules as a file, or as a spreadsheet."""
        game, name = self.site.game(request.path_params["game"]), request.path_params["name"]
        form = request.path_params["form"]
        headers = {"Content-Disposition": f'attachment; filename="{name}.{form}"'}
        if form == "xlsx":
            return Response(rules.workbook(game, self.folder, name), media_type=_WORKBOOK, headers=headers)
        path = self.folder.rules_path(game.name, name)
        if form != "toml" or not path.is_file():
            raise Missing(texts.NO_PAGE)
        return Response(path.read_bytes(), media_type="text/plain; charset=utf-8", headers=headers)

    async def entry(self, request: Request) -> Response:
        """The values of one table of rules in a form."""
        game, name = self.site.game(request.path_params["game"]), request.path_params["name"]
        table = request.path_params["table"]
        errors: dict[str, str] = {}
        fields: dict[str, list[str]] | None = None
        if request.method == "POST":
            fields = await posted(request)
            try:
                return self._changed(game, name, table, fields)
            except RequestError as error:
                errors = rules.errors_of(error)
        entry = rules.entry_form(game, self.folder, name, table, fields, errors)
        values = {"game": game, "name": name, "use": name, "table": table, "entry": entry}
        about = await asyncio.to_thread(self.site.known.entries, game, name)
        values["too_strong"] = about.get(table.rpartition(".")[2])
        checked = await asyncio.to_thread(self.site.known.checkup, game, name)
        values["checked"] = checked.get(table, "")
        values |= {key: (fields or {}).get(key, [""])[-1] for key in ("new", "copy")}
        return self.site.page("entry", request, 422 if errors else 200, **values)


_KEPT = {"Cache-Control": "private, max-age=300"}
_WORKBOOK = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


def _see(where: str) -> Response:
    return RedirectResponse(where, 303)


def _whole(text: str) -> int:
    return int(text) if text.isdecimal() and len(text) < 9 else -1


def _beside(error: RequestError, declared: Any) -> dict[str, str]:
    return {option_field(error.option, declared): str(error)}


async def _sent(request: Request) -> tuple[dict[str, list[str]], tuple[str, bytes] | None]:
    """The fields of a form, or the name and the bytes of a file if one was sent."""
    if not request.headers.get("content-type", "").lower().startswith("multipart/form-data"):
        return await posted(request), None
    async with request.form(max_files=1, max_fields=4, max_part_size=MOST_BODY) as form:
        found = form.get("file")
        if found is None or isinstance(found, str):
            return {}, ("", b"")
        return {}, (found.filename or "", await found.read())


def make_app(folder: Folder, token: str, port: int, *, hosts: tuple[str, ...] = LOOPBACK) -> Starlette:
    """Return the app; `token` stands in the address that is printed, `hosts` are names of the server."""
    app = _App(folder)

    def failed(status: int) -> Callable[[Request, Exception], Response]:
        def answer(request: Request, error: Exception) -> Response:
            text = str(error.detail) if isinstance(error, HTTPException) else str(error)
            code = error.status_code if isinstance(error, HTTPException) else getattr(error, "status", status)
            text = texts.NO_PAGE if code == 404 and isinstance(error, HTTPException) else text.strip("'\"")
            return app.site.page("error", request, code, text=text)

        return answer

    def broken(_request: Request, _error: Exception) -> Response:
        return PlainTextResponse(texts.SERVER_ERROR, 500)

    named = tuple(f"{host}:{port}".lower() for host in hosts)
    named += tuple(host.lower() for host in hosts) if port == 80 else ()
    return Starlette(
        routes=app.routes(),
        lifespan=app.lifespan,
        middleware=[
            Middleware(Guard, token=token, hosts=named, cookie=f"arena-{port}", secret=folder.secret())
        ],
        exception_handlers={
            HTTPException: failed(400),
            Missing: failed(404),
            RequestError: failed(400),
            WorkError: failed(400),
            TooLargeError: failed(413),
            Exception: broken,
        },
    )
