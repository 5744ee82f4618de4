"""The one way files are written: what can be replaced is, whole; what cannot is written through."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from arena_solver.writing import is_stream, try_out, writing

ROOT = Path(__file__).resolve().parents[2]
FULL = Path("/dev/full")


def write(path: Path, data: bytes = b"new") -> None:
    with writing(path) as file:
        file.write(data)


@pytest.mark.parametrize("same_name", [False, True])
def test_a_regular_file_is_the_old_one_or_the_new_one(tmp_path: Path, same_name: bool) -> None:
    path = tmp_path / "file"
    with writing(path, same_name=same_name) as file:
        file.write(b"half")
        file.flush()
        assert not path.exists()
    assert path.read_bytes() == b"half"

    def half(path: Path) -> None:
        with writing(path, same_name=same_name) as file:
            file.write(b"other")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        half(path)
    assert path.read_bytes() == b"half"
    assert list(tmp_path.iterdir()) == [path]


def test_a_link_stays_and_its_target_is_replaced(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "target").write_bytes(b"old")
    for name, target in (("link", "folder/target"), ("second", "link"), ("dangling", "folder/later")):
        (tmp_path / name).symlink_to(target)
        write(tmp_path / name, name.encode())
        assert (tmp_path / name).is_symlink()
    assert (folder / "target").read_bytes() == b"second"
    assert (folder / "later").read_bytes() == b"dangling"
    (tmp_path / "loop").symlink_to("loop")
    with pytest.raises(OSError, match="symbolic links"):
        write(tmp_path / "loop")
    with pytest.raises(OSError, match="folder"):
        write(folder)
    assert sorted(each.name for each in tmp_path.iterdir()) == [
        "dangling",
        "folder",
        "link",
        "loop",
        "second",
    ]


@pytest.mark.skipif(not FULL.exists(), reason="no device that is always full")
def test_devices_are_written_through(tmp_path: Path) -> None:
    """Also by way of links; a full one fails and is still a device afterwards."""
    (tmp_path / "null").symlink_to("/dev/null")
    for path in (Path("/dev/null"), tmp_path / "null"):
        assert is_stream(path)
        try_out(path)
        write(path)
    (tmp_path / "full").symlink_to(FULL)
    for path in (FULL, tmp_path / "full"):
        with pytest.raises(OSError, match="No space"):
            write(path)
    assert FULL.is_char_device()
    assert Path("/dev/null").is_char_device()
    assert sorted(each.name for each in tmp_path.iterdir()) == ["full", "null"]


def test_pipes_are_written_through(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()))
    reader.start()
    write(pipe, b"through")
    reader.join(20)
    assert read == [b"through"]
    assert pipe.is_fifo()


def test_stdout_and_open_files_go_on_where_they_are(tmp_path: Path) -> None:
    """`-`, /dev/stdout and /dev/fd/1: what a shell has in the file already is not lost."""
    code = (
        "import sys; from pathlib import Path; from arena_solver.writing import is_stream, writing\n"
        "print('first')\n"
        "for name in sys.argv[1:]:\n"
        "    assert is_stream(Path(name))\n"
        "    with writing(Path(name)) as file: file.write(name.encode() + b'\\n')\n"
        "print('last')"
    )
    names = ["-", "/dev/stdout", "/dev/fd/1"]
    log = tmp_path / "log"
    log.write_text("before\n")
    for opened in ("a", "w"):
        with log.open(opened) as file:
            subprocess.run([sys.executable, "-c", code, *names], cwd=ROOT, stdout=file, check=True)
    assert log.read_text().splitlines() == ["first", *names, "last"]
    log.write_text("before\n")
    with log.open("a") as file:
        subprocess.run([sys.executable, "-c", code, *names], cwd=ROOT, stdout=file, check=True)
    assert log.read_text().splitlines() == ["before", "first", *names, "last"]
    assert list(tmp_path.iterdir()) == [log]


def test_trying_out_touches_nothing(tmp_path: Path) -> None:
    path = tmp_path / ("n" * 250)
    try_out(path)
    write(path)
    try_out(path)
    assert list(tmp_path.iterdir()) == [path]
    assert path.read_bytes() == b"new"
    with pytest.raises(OSError, match="No such file"):
        try_out(tmp_path / "nowhere" / "file")
    with pytest.raises(OSError, match="folder"):
        try_out(tmp_path)


def opens_for_writing(call: ast.Call) -> bool:
    """Whether a call writes a file by itself."""
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    if name in {"write_text", "write_bytes", "mkstemp", "NamedTemporaryFile", "fdopen", "savetxt", "tofile"}:
        return True
    if name != "open":
        return False
    place = 0 if isinstance(call.func, ast.Attribute) else 1
    modes = call.args[place : place + 1] + [each.value for each in call.keywords if each.arg == "mode"]
    return any(
        isinstance(mode, ast.Constant) and re.fullmatch(r"[rbt]*[wax+][rbt+]*", str(mode.value))
        for mode in modes
    )


def test_nobody_else_writes_files() -> None:
    found = set()
    for package in ("cli", "engine", "solver"):
        for path in sorted((ROOT / package).rglob("*.py")):
            tree = ast.parse(path.read_text(encoding="utf-8"))
            if any(isinstance(node, ast.Call) and opens_for_writing(node) for node in ast.walk(tree)):
                found.add(str(path.relative_to(ROOT)))
    # It opens nothing but the device that swallows everything.
    assert found == {"cli/entry.py"}
