"""Who may ask: the person at this machine, by a cookie; and how much: limits of bodies, fields and names.

The server listens on the loopback address, but any page in the same browser can send requests there. So there
is a token that only the person has seen, the ``Host`` has to be ours (a name that somebody lets point here is
not), and what changes something has to come from our own pages.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping, MutableMapping
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import parse_qsl, urlencode

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app import texts

__all__ = ["HEADERS", "MOST_BODY", "NAME", "Guard", "TooLargeError", "posted", "query_of"]

MOST_BODY = 256 * 1024
MOST_FIELDS = 1_000
MOST_QUERY = 16 * 1024
MOST_TEXT = 4_000
"""Characters of one field."""
NAME = re.compile(r"[a-z0-9-]{1,40}")
"""What is kept under a name is called so; `fullmatch` it before it becomes a path."""
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self'; "
        "form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
_SAFE = ("GET", "HEAD")


class TooLargeError(Exception):
    """A request with more than is taken; `status` and the message say what."""

    def __init__(self, message: str, status: int = 413) -> None:
        super().__init__(message)
        self.status = status


class Guard:
    """Lets through what the person asks, and puts the headers on what goes back.

    The token of the address that is printed is good once; `hosts` are the names of this server with its port;
    `secret` is what the cookie holds, so that pages which are open go on after a restart.
    """

    def __init__(
        self, app: ASGIApp, token: str, hosts: tuple[str, ...], cookie: str, secret: str = ""
    ) -> None:
        self.app, self.hosts, self.cookie = app, hosts, cookie
        self._token: str | None = token
        self._secret = secret or secrets.token_urlsafe(32)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        sending = _with_headers(scope, send)
        refused = self._refusal(scope)
        if refused is not None:
            await refused(scope, receive, sending)
            return
        await self.app(scope, _limited(receive), sending)

    def _refusal(self, scope: Scope) -> Response | None:
        headers = Headers(scope=scope)
        if headers.get("host", "").lower() not in self.hosts:
            return PlainTextResponse(texts.FOREIGN_HOST, 421)
        if scope["method"] not in (*_SAFE, "POST"):
            return PlainTextResponse(texts.NO_METHOD, 405)
        if len(scope["query_string"]) > MOST_QUERY:
            return PlainTextResponse(texts.LONG_ADDRESS, 414)
        if scope["method"] not in _SAFE and not self._is_own(headers):
            return PlainTextResponse(texts.FOREIGN_ORIGIN, 403)
        if not self._is_known(headers):
            return self._entered(scope)
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length[:18]) > MOST_BODY:
            return PlainTextResponse(texts.LARGE_BODY, 413)
        if "token=" in scope["query_string"].decode("latin-1"):
            return RedirectResponse(_without_token(scope), 303)
        return None

    def _is_own(self, headers: Mapping[str, str]) -> bool:
        """Whether a request comes from a page of ours; all browsers say so for what changes something."""
        site, origin = headers.get("sec-fetch-site"), headers.get("origin")
        if site is not None:
            # Without a referrer a form of our own has the origin "null".
            return site == "same-origin"
        return origin is not None and origin.lower() in {f"http://{host}" for host in self.hosts}

    def _is_known(self, headers: Headers) -> bool:
        for line in headers.getlist("cookie"):
            try:
                found = SimpleCookie(line).get(self.cookie)
            except CookieError:
                continue
            if found is not None and secrets.compare_digest(found.value.encode(), self._secret.encode()):
                return True
        return False

    def _entered(self, scope: Scope) -> Response:
        """Change the token for a cookie; it is good once."""
        given = dict(parse_qsl(scope["query_string"].decode("latin-1"))).get("token", "")
        if self._token is None or not secrets.compare_digest(given.encode(), self._token.encode()):
            return PlainTextResponse(texts.NO_COOKIE, 403)
        self._token = None
        entered = RedirectResponse(_without_token(scope), 303)
        entered.set_cookie(self.cookie, self._secret, httponly=True, samesite="strict", path="/")
        return entered


def _without_token(scope: Scope) -> str:
    pairs = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
    rest = urlencode([pair for pair in pairs if pair[0] != "token"])
    # Two slashes at the beginning would be another machine's address.
    path = "/" + scope["raw_path"].decode("latin-1").lstrip("/\\")
    return f"{path}?{rest}" if rest else path


def _with_headers(scope: Scope, send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                if name != "Cache-Control" or "cache-control" not in headers:
                    headers[name] = value
        await send(message)

    return sending


def _limited(receive: Receive) -> Receive:
    """Count a body that does not say how large it is."""
    taken = 0

    async def receiving() -> MutableMapping[str, Any]:
        nonlocal taken
        message = await receive()
        if message["type"] == "http.request":
            taken += len(message.get("body", b""))
            if taken > MOST_BODY:
                raise TooLargeError(texts.LARGE_BODY)
        return message

    return receiving


Fields = dict[str, list[str]]


def _parsed(text: str) -> Fields:
    """Return fields by name; TooLargeError if there are too many, or one is too long."""
    try:
        pairs = parse_qsl(text, keep_blank_values=True, max_num_fields=MOST_FIELDS, errors="replace")
    except ValueError:
        raise TooLargeError(texts.MANY_FIELDS) from None
    found: Fields = {}
    for name, value in pairs:
        if max(len(name), len(value)) > MOST_TEXT:
            raise TooLargeError(texts.LONG_FIELD)
        found.setdefault(name, []).append(value)
    return found


def query_of(request: Request) -> Fields:
    """Return the fields of an address."""
    return _parsed(request.url.query)


async def posted(request: Request) -> Fields:
    """Return the fields of a form; TooLargeError if there are too many, or the body is none of a form."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/x-www-form-urlencoded":
        raise TooLargeError(texts.NO_FORM, 415)
    return _parsed((await request.body()).decode("utf-8", "replace"))
