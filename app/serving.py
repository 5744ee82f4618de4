"""Start and end: the sockets, the address that is printed, and the server."""

from __future__ import annotations

import contextlib
import secrets
import socket
import threading
import webbrowser
from collections.abc import Callable
from pathlib import Path
from typing import Any

from starlette.applications import Starlette

from analysis.errors import RequestError
from app import texts
from app.folder import Folder
from app.server import LOOPBACK, make_app
from arena_solver.machine import keep_others_out

__all__ = ["listening", "serve", "server_of"]


def serve(
    folder: Path, *, host: str = "", port: int = 0, browser: bool = True, say: Callable[[str], None] = print
) -> None:
    """Serve the app until Ctrl-C, at this machine's addresses if `host` is empty; port 0: any free one."""
    sockets = listening(host, port) if port else []
    kept = Folder(folder)
    try:
        # Pages that were open when it ended go on at the same address.
        sockets = sockets or listening(host, kept.port())
    except RequestError:
        sockets = listening(host, 0)
    port = kept.port(sockets[0].getsockname()[1])
    token = secrets.token_urlsafe(16)
    hosts = (*LOOPBACK, *((f"[{host}]" if ":" in host else host,) if host else ()))
    app = make_app(kept, token, port, hosts=hosts)
    shown_host = host if host and host not in ("0.0.0.0", "::") else "127.0.0.1"
    where = f"http://{f'[{shown_host}]' if ':' in shown_host else shown_host}:{port}/?token={token}"
    say(texts.STARTED.format(address=where))
    if kept.others():
        say(texts.OTHERS)
    if host:
        say(texts.EVERYWHERE.format(host=host))
    if browser:
        threading.Timer(0.3, webbrowser.open, [where]).start()
    with contextlib.suppress(KeyboardInterrupt):
        server_of(app).run(sockets=sockets)


def server_of(app: Starlette) -> Any:
    """Return the app's server, which says nothing of itself."""
    import uvicorn

    config = uvicorn.Config(app, http="h11", log_level="error", access_log=False, server_header=False)
    config.timeout_graceful_shutdown, config.limit_concurrency = 2, 200
    config.h11_max_incomplete_event_size = 32 * 1024
    return uvicorn.Server(config)


def listening(host: str, port: int) -> list[socket.socket]:
    """The sockets of the loopback addresses, or of the one that was named; all with one port."""
    try:
        if host:
            family = socket.AF_INET6 if ":" in host else socket.AF_INET
            return [_socket(family, host, port)]
        found = [_socket(socket.AF_INET, "127.0.0.1", port)]
        with contextlib.suppress(OSError):
            found.append(_socket(socket.AF_INET6, "::1", found[0].getsockname()[1]))
        return found
    except (OSError, OverflowError) as error:
        why = (getattr(error, "strerror", None) or str(error)).lower()
        raise RequestError(texts.PORT_TAKEN.format(port=port, why=why), "--port") from None


def _socket(family: int, host: str, port: int) -> socket.socket:
    made = socket.socket(family, socket.SOCK_STREAM)
    keep_others_out(made)
    if family == socket.AF_INET6:
        made.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
    made.bind((host, port))
    # A browser that is quicker than the server waits, instead of being refused.
    made.listen(128)
    return made
