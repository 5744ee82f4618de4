"""What a process may use of the machine is asked in one place, on every system, and in containers."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from arena_solver import folders, machine
from cli.programs import program_of

ragers = program_of("ragers")

ROOT = Path(__file__).resolve().parents[2]
GIB = 2**30
VERSIONS = ["v1", "v2"]


def container(
    folder: Path, version: str, monkeypatch: pytest.MonkeyPatch, *, memory: str = str(2 * GIB)
) -> None:
    """Let this process be in a container of 2 GiB, a half of it taken, and of half a processor.

    Of what is taken, a quarter GiB is files that were read. The limits stand above the group of the process.
    """
    own = folder / "own"
    own.write_text("0::/inner\n" if version == "v2" else "9:cpu,cpuacct:/\n4:memory:/inner/most\n0::/\n")
    files = {
        "memory.max": memory,
        "memory.current": str(GIB),
        "memory.stat": f"anon 5\ninactive_file {GIB // 4}\n",
        "cpu.max": "50000 100000",
        "inner/memory.max": "max",
        "inner/memory.current": str(GIB),
        "inner/cpu.max": "max 100000",
    }
    if version == "v1":
        unlimited = str(2**63 - 4096)
        files = {
            "memory/inner/memory.limit_in_bytes": memory if memory != "max" else unlimited,
            "memory/inner/memory.usage_in_bytes": str(GIB),
            "memory/inner/memory.stat": f"inactive_file 3\ntotal_inactive_file {GIB // 4}\n",
            "memory/memory.limit_in_bytes": unlimited,
            "memory/memory.usage_in_bytes": str(9 * GIB),
            "cpu/cpu.cfs_quota_us": "50000",
            "cpu/cpu.cfs_period_us": "100000",
        }
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text + "\n")
    monkeypatch.setattr(machine, "CGROUPS", folder)
    monkeypatch.setattr(machine, "OWN_CGROUPS", own)
    machine._say_once.cache_clear()


@pytest.mark.parametrize("version", VERSIONS)
def test_a_containers_limits_are_heeded_and_said_once(
    version: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    container(tmp_path, version, monkeypatch)
    assert machine.free_bytes() == 5 * GIB // 4
    assert machine.processors() == 1
    assert capsys.readouterr().err == ""
    name = {"v1": "memory/inner/memory.limit_in_bytes", "v2": "memory.max"}[version]
    cpu = {"v1": "cpu/cpu.cfs_quota_us", "v2": "cpu.max"}[version]
    for asked, allowed, said in (
        (None, 15 * GIB // 16, f"This container may use 2 GiB of memory ({tmp_path / name})."),
        (GIB, GIB, ""),
        (
            16 * GIB,
            2 * GIB,
            f"--memory 16 GiB is cut to 2 GiB: this container may use no more ({tmp_path / name}).",
        ),
    ):
        assert machine.memory_limit(asked) == machine.memory_limit(asked) == allowed
        assert capsys.readouterr().err.strip() == said
    why = f"this container may use 0.5 processors ({tmp_path / cpu})."
    for threads, said in ((0, f"--threads is 1: {why}"), (1, ""), (8, f"--threads 8 is cut to 1: {why}")):
        assert machine.thread_limit(threads) == machine.thread_limit(threads) == 1
        assert capsys.readouterr().err.strip() == said


SYSTEMS = (
    r"^\s*(?:import|from) (?:resource|fcntl|termios|tty|pty|pwd|grp|msvcrt|winreg|_winapi)\b",
    r"\bos\.(?:sysconf|get(?:e?[ug]id|pgid|pgrp|ppid|loadavg)|fork|kill|killpg|setsid|sched_\w+|uname|name)\b",
    r"\bos\.(?:cpu_count|posix_fallocate|mkfifo|link|chown|umask|nice|wait\w*)\b|\"posix_fallocate\"",
    r"/proc/(?:mem|cpu|self|stat)|/sys/fs",
    r"\bSIG(?:HUP|BREAK|KILL|ALRM|CHLD|USR[12]|QUIT|PIPE|STOP|CONT)\b",
    r"\b(?:cpu_count|getaffinity|cpu_affinity)\(|virtual_memory|sys\.platform|platform\.system|start_new_session",
    r"creationflags|preexec_fn|SO_REUSEADDR",
)
"""What some systems have, and others do not."""


def test_nothing_else_asks_the_system() -> None:
    asks = re.compile("|".join(SYSTEMS), re.M)
    found = {
        path.relative_to(ROOT).as_posix()
        for folder in ("analysis", "app", "arena_solver", "cli", "engine", "solver")
        for path in sorted((ROOT / folder).rglob("*.py"))
        if asks.search(path.read_text(encoding="utf-8"))
    }
    assert found == {"arena_solver/folders.py", "arena_solver/machine.py"}


def test_a_reserved_name_is_refused_where_it_is_reserved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ("games", "--format", "json", "--output", str(tmp_path / "con.json"))
    assert CliRunner().invoke(program_of("arena"), words).exit_code == 0
    monkeypatch.setattr(folders, "_IS_WINDOWS", True)
    refused = CliRunner().invoke(program_of("arena"), words)
    assert refused.exit_code == 2
    assert "no file can be called so on this system" in " ".join(refused.stderr.split())


class Held:
    """A file that somebody reads where no such file can be replaced, until `count` attempts were made."""

    def __init__(self, count: int, monkeypatch: pytest.MonkeyPatch) -> None:
        self.left, rename = count, os.replace

        def replace(source: object, target: object) -> None:
            self.left -= 1
            if self.left >= 0:
                raise PermissionError(13, "Access is denied", str(target))
            rename(source, target)  # type: ignore[call-overload]

        monkeypatch.setattr(os, "replace", replace)
        monkeypatch.setattr(folders, "_PAUSE_S", 0.0)


def test_a_file_that_is_read_is_replaced_once_it_is_free(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    new, place = tmp_path / "new", tmp_path / "place"
    new.write_text("new")
    place.write_text("old")
    held = Held(3, monkeypatch)
    folders.put_in_place(new, place)
    assert (held.left, place.read_text(), new.exists()) == (-1, "new", False)
