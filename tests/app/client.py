"""A browser without a screen: requests over HTTP to the app on a real server in this process."""

from __future__ import annotations

import http.client
import re
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from app.folder import Folder
from app.server import make_app
from app.serving import listening, server_of

TOKEN = "the-token"
WAIT_S = 400.0


@dataclass
class Reply:
    """What came back."""

    status: int
    headers: dict[str, str]
    text: str

    @property
    def where(self) -> str:
        """Where it sends the browser."""
        return self.headers["location"]

    @property
    def seen(self) -> str:
        """The text that a person sees, on one line."""
        reader = _Reader()
        reader.feed(self.text)
        return " ".join(" ".join(reader.texts).split())

    def fields(self, action: str = "") -> list[tuple[str, str]]:
        """What the first form that goes there would send as it stands."""
        reader = _Reader()
        reader.feed(self.text)
        return next(fields for where, fields in reader.forms if where.endswith(action))


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.forms: list[tuple[str, list[tuple[str, str]]]] = []
        self._select = ""
        self._picked: str | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        has = {name: value or "" for name, value in attrs}
        if tag == "form":
            self.forms.append((has.get("action", ""), []))
        elif tag == "input" and has.get("name"):
            box = has.get("type") == "checkbox"
            if not box or "checked" in has:
                self.forms[-1][1].append((has["name"], has.get("value", "")))
        elif tag == "select":
            self._select, self._picked = has["name"], None
        elif tag == "option" and self._select and (self._picked is None or "selected" in has):
            self._picked = has.get("value", "")

    def handle_endtag(self, tag: str) -> None:
        if tag == "select":
            self.forms[-1][1].append((self._select, self._picked or ""))
            self._select = ""

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


@dataclass
class Client:
    """A browser that knows the cookie."""

    port: int
    folder: Path
    cookie: str = ""
    sent: dict[str, str] = field(default_factory=dict)

    def raw(self, method: str, path: str, body: Any = None, headers: dict[str, str] | None = None) -> Reply:
        """Send a request as it is."""
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=WAIT_S)
        try:
            line.request(method, path, body, headers or {})
            answer = line.getresponse()
            text = answer.read().decode("utf-8", "replace")
            return Reply(answer.status, {name.lower(): value for name, value in answer.getheaders()}, text)
        finally:
            line.close()

    def get(self, path: str, **headers: str) -> Reply:
        """Ask for a page, and follow where it sends."""
        reply = self.raw("GET", path, headers={"Cookie": self.cookie} | headers)
        return self.get(reply.where) if reply.status == 303 else reply

    def post(self, path: str, fields: Any, **headers: str) -> Reply:
        """Send a form of ours."""
        own = {"Cookie": self.cookie, "Sec-Fetch-Site": "same-origin"}
        own |= {"Content-Type": "application/x-www-form-urlencoded"}
        pairs = fields.items() if isinstance(fields, dict) else fields
        return self.raw("POST", path, urlencode(list(pairs)), own | headers)

    def upload(self, path: str, name: str, data: bytes) -> Reply:
        """Send a file as a browser does."""
        head = f'--b\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n\r\n'
        headers = {"Cookie": self.cookie, "Sec-Fetch-Site": "same-origin"}
        headers["Content-Type"] = "multipart/form-data; boundary=b"
        return self.raw("POST", path, head.encode() + data + b"\r\n--b--\r\n", headers)

    def answered(self, path: str) -> Reply:
        """Ask for a page until nothing is at work any more."""
        end = time.monotonic() + WAIT_S
        while time.monotonic() < end:
            reply = self.get(path)
            if "data-live" not in reply.text:
                return reply
            time.sleep(0.2)
        raise AssertionError(f"{path} is not answered: {reply.seen[-300:]}")

    def saved(self, reply: Reply, form: str = "json") -> Reply:
        """An answer's file."""
        found = re.search(rf'/answers/\w+\.{form}"', reply.text)
        assert found, reply.seen
        return self.get(found[0].rstrip('"'))


@contextmanager
def running(folder: Path) -> Iterator[Client]:
    """Run the app on a folder; what is under way is stopped at the end."""
    sockets = listening("", 0)
    port = sockets[0].getsockname()[1]
    app = make_app(Folder(folder), TOKEN, port)
    server = server_of(app)
    thread = threading.Thread(target=server.run, kwargs={"sockets": sockets})
    thread.start()
    client = Client(port, folder)
    end = time.monotonic() + 30
    while not server.started and time.monotonic() < end:
        time.sleep(0.01)
    try:
        entered = client.raw("GET", f"/?token={TOKEN}")
        client.cookie = entered.headers["set-cookie"].partition(";")[0]
        yield client
    finally:
        server.should_exit = True
        thread.join(30)
        for each in sockets:
            each.close()
        assert not thread.is_alive()
