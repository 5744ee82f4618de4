"""A page of the app in a real browser."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.app.client import Client


class Tab:
    """A page of the app in the browser; whatever it complains of, or asks for elsewhere, is noted."""

    def __init__(self, chromium: Any, app: Client, **settings: Any) -> None:
        self.context = chromium.new_context(**{"viewport": {"width": 1280, "height": 900}} | settings)
        name, _, value = app.cookie.partition("=")
        self.base = f"http://127.0.0.1:{app.port}"
        self.context.add_cookies([{"name": name, "value": value, "url": self.base, "sameSite": "Strict"}])
        self.page = self.context.new_page()
        self.complaints: list[str] = []
        self.page.on("console", lambda message: self._console(message))
        self.page.on("pageerror", lambda error: self.complaints.append(f"uncaught: {error}"))
        self.page.on("request", lambda request: self._asked(request.url))

    def _console(self, message: Any) -> None:
        # The browser says of every page that is not there, or refused, that it is.
        if not re.search(r"status of 4\d\d", message.text):
            self.complaints.append(message.text)

    def _asked(self, url: str) -> None:
        if not url.startswith((self.base, "data:")):
            self.complaints.append(f"asks for {url}")

    def go(self, path: str) -> Any:
        """Open a page, and wait until it is answered."""
        self.page.goto(self.base + path)
        return self.settled()

    def settled(self) -> Any:
        """Wait until nothing is at work."""
        self.page.wait_for_function(
            "() => !document.querySelector('[data-live]') && document.readyState == 'complete'",
            timeout=200_000,
        )
        return self.page
