"""The app on a folder of its own, for all tests that only look."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

from tests.front.games import brought

if TYPE_CHECKING:
    from tests.app.client import Client

brought()


@pytest.fixture(scope="package")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    """A browser on an app."""
    for name in ("jinja2", "multipart", "starlette", "uvicorn"):
        pytest.importorskip(name, reason="the app needs the extra `app`")
    from tests.app.client import running

    with running(tmp_path_factory.mktemp("app")) as found:
        yield found


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    """An app of their own for all tests of a file."""
    from tests.app.client import running

    with running(tmp_path_factory.mktemp("app")) as found:
        yield found


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    """A real browser."""
    from tests.browser import launched

    with launched() as found:
        yield found
