"""Who may ask, and how much: each line of the design has a test."""

from __future__ import annotations

import gc
import http.client
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("starlette", reason="the app needs the extra `app`")

from analysis.errors import RequestError
from app.folder import Folder
from app.security import HEADERS, MOST_BODY
from tests.app.client import TOKEN, running

if TYPE_CHECKING:
    from tests.app.client import Client

SCRIPT = "<script>alert('x')</script>\"'"


def test_the_token_is_good_once_and_becomes_a_cookie(tmp_path: Path) -> None:
    with running(tmp_path) as client:
        again = client.raw("GET", f"/?token={TOKEN}")
        assert again.status == 403
        assert "arena app" in again.text
        reply = client.raw("GET", "/?token=whatever&x=1", headers={"Cookie": client.cookie})
        assert (reply.status, reply.where) == (303, "/?x=1")


def test_the_cookie_is_strict_and_hidden_from_scripts(tmp_path: Path) -> None:
    from app.security import Guard

    guard = Guard(lambda *_: None, "t", ("h",), "arena-1")  # type: ignore[arg-type, return-value]
    scope = {"query_string": b"token=t", "raw_path": b"//evil.example/", "type": "http"}
    answer = guard._entered(scope)
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie
    assert answer.headers["location"] == "/evil.example/"


@pytest.mark.parametrize("cookie", ["", "arena=x", "arena-{port}=wrong", "arena-{port}="])
def test_nobody_comes_in_without_the_cookie(client: Client, cookie: str) -> None:
    reply = client.raw("GET", "/bidding/match", headers={"Cookie": cookie.format(port=client.port)})
    assert reply.status == 403
    assert reply.text.count("\n") == 1


@pytest.mark.parametrize("host", ["evil.example", "evil.example:{port}", "localhost:1", "127.0.0.1", ""])
def test_a_foreign_host_is_refused(client: Client, host: str) -> None:
    headers = {"Cookie": client.cookie, "Host": host.format(port=client.port)}
    assert client.raw("GET", "/", headers=headers).status in (400, 421)


@pytest.mark.parametrize(
    "headers",
    [
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Sec-Fetch-Site": "none"},
        {"Sec-Fetch-Site": "cross-site", "Origin": "http://127.0.0.1:{port}"},
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "https://127.0.0.1:{port}"},
        {},
    ],
)
def test_what_changes_something_has_to_come_from_our_pages(client: Client, headers: dict[str, str]) -> None:
    sent = {name: value.format(port=client.port) for name, value in headers.items()}
    sent |= {"Cookie": client.cookie, "Content-Type": "application/x-www-form-urlencoded"}
    assert client.raw("POST", "/bidding/rules", "name=stolen", sent).status == 403
    assert not (client.folder / "rules" / "bidding" / "stolen.toml").exists()


@pytest.mark.parametrize("path", ["/", "/nothing", "/bidding/match", "/static/app.js", "/jobs"])
def test_every_reply_has_the_headers(client: Client, path: str) -> None:
    headers = client.get(path).headers
    for name, value in HEADERS.items():
        if name != "Cache-Control":
            assert headers[name.lower()] == value
    assert "unsafe" not in headers["content-security-policy"]
    assert "server" not in headers


@pytest.mark.parametrize("path", ["/", "/bidding/match", "/bidding/rules/box", "/bidding/play", "/jobs"])
def test_nothing_in_a_page_needs_more_than_the_policy_allows(client: Client, path: str) -> None:
    text = client.get(path).text
    for forbidden in (" style=", "<style", "onclick", "onload", "javascript:", "http://", "https://"):
        assert forbidden not in text.replace("http://www.w3.org", "")


def test_a_body_that_is_too_large_is_not_read(client: Client) -> None:
    line = http.client.HTTPConnection("127.0.0.1", client.port, timeout=20)
    line.putrequest("POST", "/bidding/rules")
    for name, value in {
        "Cookie": client.cookie,
        "Sec-Fetch-Site": "same-origin",
        "Content-Type": "application/x-www-form-urlencoded",
        "Content-Length": str(2**30),
    }.items():
        line.putheader(name, value)
    line.endheaders()
    reply = line.getresponse()
    assert reply.status == 413
    assert b"256 KiB" in reply.read()
    line.close()


@pytest.mark.parametrize("kind", ["application/x-www-form-urlencoded", "multipart/form-data; boundary=b"])
# An older starlette leaves the file of a body that is too large to the garbage collector.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_body_that_does_not_say_its_size_is_counted(client: Client, kind: str) -> None:
    def parts() -> object:
        if kind.startswith("multipart"):
            yield b'--b\r\nContent-Disposition: form-data; name="file"; filename="f"\r\n\r\n'
        for _ in range(MOST_BODY // 1024 + 8):
            yield b"a" * 1024

    headers = {"Cookie": client.cookie, "Sec-Fetch-Site": "same-origin", "Content-Type": kind}
    try:
        reply = client.raw("POST", "/bidding/rules", parts(), headers)
    except (BrokenPipeError, ConnectionResetError):
        return  # it did not wait for the rest
    finally:
        gc.collect()  # so that this is here and not in a later test
    assert reply.status == 413


def test_many_fields_and_long_ones_are_refused(client: Client) -> None:
    many = [(f"f{number}", "x") for number in range(1001)]
    assert client.post("/bidding/match", many).status == 413
    assert client.post("/bidding/match", {"deals": "1" * 5000}).status == 413
    assert client.get("/bidding/match?deals=" + "1" * 5000).status == 413
    assert client.get("/bidding/match?x=" + "1" * 20000).status == 414
    assert client.get("/bidding/match?" + "&".join(f"a{n}=1" for n in range(1001))).status == 413
    assert client.post("/bidding/match", {"deals": "1"}, **{"Content-Type": "text/plain"}).status == 415


@pytest.mark.parametrize(
    "name", ["../x", "a/b", "..", "", "x" * 41, "a\\b", "a:b", "Box", "ä", "con", "con\x00", SCRIPT]
)
def test_names_stay_inside_the_folder(client: Client, name: str) -> None:
    before = sorted(client.folder.rglob("*.toml"))
    reply = client.post("/bidding/rules", {"name": name})
    assert reply.status == 422
    assert sorted(client.folder.rglob("*.toml")) == before
    assert SCRIPT not in reply.text
    with pytest.raises(RequestError):
        Folder(client.folder).rules_path("bidding", name)


@pytest.mark.parametrize(
    "path",
    [
        "/static/../server.py",
        "/static/%2e%2e/server.py",
        "/static/..%2fserver.py",
        "/answers/..%2f..%2fetc%2fpasswd.json",
        "/answers/../jobs/x.json",
        "/bidding/rules/..%2f..%2fx",
        "/bidding/rules/..%2fx.toml",
        "/bidding/play/..%2f..%2fx",
        "/jobs/..%2fx",
        "/%00",
        "/%ff%fe",
        "//evil.example/",
    ],
)
def test_paths_outside_are_refused(client: Client, path: str) -> None:
    reply = client.get(path)
    assert reply.status in (400, 404)
    assert "def " not in reply.text


def test_a_link_out_of_the_folder_is_not_followed(client: Client, tmp_path: Path) -> None:
    outside = tmp_path / "outside.toml"
    outside.write_text("name = 'outside'\n")
    (client.folder / "rules" / "bidding").mkdir(parents=True, exist_ok=True)
    (client.folder / "rules" / "bidding" / "link.toml").symlink_to(outside)
    assert client.get("/bidding/rules/link").status == 400
    assert client.get("/bidding/rules/link.toml").status == 400


@pytest.mark.parametrize(
    "path",
    [
        "/ophidian/match?player=values:file=/etc/passwd",
        "/bidding/match?keep=/etc/passwd",
        "/bidding/match?scheduler=evil.example:80",
        "/bidding/rules-check?files=/etc/passwd",
        "/bidding/match?rules=/etc/passwd",
        "/bidding/match?rules=../../../etc/passwd",
    ],
)
def test_no_file_and_no_other_machine_can_be_named(client: Client, path: str) -> None:
    before = set((client.folder / "jobs").glob("*.json"))
    reply = client.answered(path)
    assert reply.status == 422
    assert "root:" not in reply.text
    assert set((client.folder / "jobs").glob("*.json")) == before


def test_script_in_every_field_is_shown_as_text(client: Client) -> None:
    for path in ("/bidding/match", "/bidding/solve", "/bidding/play"):
        fields = [(name, SCRIPT) for name, _ in client.get(path).fields(path)]
        reply = client.post(path, fields)
        assert reply.status == 422
        assert SCRIPT not in reply.text
        assert "alert(" in reply.text
    for path in (
        f"/{SCRIPT}",
        f"/bidding/{SCRIPT}",
        f"/bidding/match?deals={SCRIPT}",
        f"/bidding/match?{SCRIPT}=1",
    ):
        reply = client.get(
            path.replace(" ", "%20").replace('"', "%22").replace("<", "%3C").replace(">", "%3E")
        )
        assert reply.status in (404, 422)
        assert "<script>alert" not in reply.text


def test_two_servers_share_a_folder(client: Client, tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    other = Folder(tmp_path)
    assert folder.others() == other.others() == 1
    assert folder.is_alive(other.server)
    other.close()
    assert folder.others() == 0
    # A server that is gone without a word is known by its process.
    (tmp_path / "servers" / "dead.json").write_text('{"pid": 999999999, "started": 1.0}')
    assert not folder.is_alive("dead")
    assert not (tmp_path / "servers" / "dead.json").exists()
