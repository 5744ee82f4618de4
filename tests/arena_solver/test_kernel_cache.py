"""Compiled kernels on disk: what is damaged, closed or full is compiled again, and said in one line."""

from __future__ import annotations

import importlib.util
import itertools
import lzma
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, cast

import numpy as np
import pytest

from arena_solver import folders, kernel_files
from arena_solver.kernel_cache import cached_njit

TEXT = (Path(__file__).parent / "kernel_module.py").read_text(encoding="utf-8")
_numbers = itertools.count()
Load = Callable[[], ModuleType]


@pytest.fixture(autouse=True)
def forgetful() -> Iterator[None]:
    """What a process remembers is forgotten, as if each test were one."""

    def forget() -> None:
        folders.forget_states()
        folders.folder_to_write.cache_clear()
        kernel_files._damaged.clear()

    forget()
    yield
    forget()


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(folders.KERNELS_VARIABLE, str(tmp_path / "kernels"))
    monkeypatch.setenv(folders.SPARE_VARIABLE, "")  # so that it is restored
    monkeypatch.delenv(folders.SPARE_VARIABLE)
    # Or else pytest would find its own way back only when it is over.
    monkeypatch.setattr(folders.tempfile, "gettempdir", lambda: str(tmp_path))
    return tmp_path / "kernels"


@pytest.fixture
def load(tmp_path: Path, root: Path, monkeypatch: pytest.MonkeyPatch) -> Load:
    """Load the module of kernels from a folder of its own, as another process would."""
    # Bytecode does not tell edits of one second apart.
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    source = tmp_path / "game" / "kernel_module.py"
    source.parent.mkdir()
    source.write_text(TEXT, encoding="utf-8")

    def fresh() -> ModuleType:
        spec = importlib.util.spec_from_file_location(f"kernel_module_{next(_numbers)}", source)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[module.__name__] = module
        spec.loader.exec_module(module)
        return module

    return fresh


def was_compiled(function: Any) -> bool:
    return bool(function.stats.cache_misses)


def kept(root: Path) -> list[Path]:
    return sorted(root.rglob("*.kernel"))


def compiled_once(load: Load, root: Path) -> list[Path]:
    assert load().outer(1.0) == 4.0
    files = kept(root)
    assert len(files) == 2
    return files


def test_what_was_compiled_once_is_loaded(load: Load, root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    compiled_once(load, root)
    again = load()
    assert again.outer(1.0) == 4.0
    assert not was_compiled(again.outer)
    assert capsys.readouterr().err == ""
    assert not list(root.rglob("*.tmp"))


def test_compilers_of_two_versions_leave_each_others_files_alone(root: Path) -> None:
    import pickle

    versions = [
        f"numba {version}, llvmlite 0.{n}" for n, version in enumerate(("0.60.0", "0.68.1", "0.68.1rc1"))
    ]
    several = [kernel_files.KernelFiles(root, "outer-3.py311", each, pickle.dumps) for each in versions]
    for number, files in enumerate(several):
        assert not files.is_kept()
        files.save("signature", number)
    assert len(kept(root)) == len(several)
    assert [files.load("signature") for files in several] == [0, 1, 2]
    assert all(version in path.name for version, path in zip(("0.60.0", "0.68.1."), kept(root), strict=False))
    several[1].flush()
    assert [files.load("signature") for files in several] == [0, None, 2]


def test_kernels_that_came_with_a_download_are_loaded_unless_they_are_damaged(
    load: Load, root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shipped = tmp_path / "shipped"
    for path in compiled_once(load, root):
        place = shipped / path.relative_to(root).with_name(f"{path.name}.xz")
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(lzma.compress(path.read_bytes()))
        path.unlink()
    again = load()
    assert again.outer(1.0) == 4.0
    assert was_compiled(again.outer)
    for path in kept(root):
        path.unlink()
    monkeypatch.setattr(folders, "SHIPPED", shipped)
    again = load()
    assert again.outer(1.0) == 4.0
    assert not was_compiled(again.outer)
    assert kept(root) == []
    for path in shipped.rglob("*.xz"):
        path.write_bytes(path.read_bytes()[:-20])
    again = load()
    assert again.outer(1.0) == 4.0
    assert was_compiled(again.outer)


def empty(path: Path) -> None:
    path.write_bytes(b"")


def cut_off(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-100])


def one_bit(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


def other_pickle(path: Path) -> None:
    """Whole, but nothing that numba can make a kernel of."""
    import pickle

    files = kernel_files.KernelFiles(path.parent, "", kernel_files_versions(), pickle.dumps)
    body = files._versions + b"\n" + pickle.dumps(("key", "data"))
    kernel_files._replace(path, kernel_files._MAGIC + kernel_files.hashlib.sha256(body).digest() + body)


def kernel_files_versions() -> str:
    from arena_solver import kernel_cache

    return kernel_cache._VERSIONS


def folder_in_its_place(path: Path) -> None:
    path.unlink()
    path.mkdir()
    (path / "something").touch()


DAMAGE = [empty, cut_off, one_bit, folder_in_its_place]
QUIET = [other_pickle, Path.unlink]


@pytest.mark.parametrize("damage", [*DAMAGE, *QUIET], ids=lambda each: each.__name__)
def test_a_damaged_file_is_compiled_again_and_replaced(
    damage: Callable[[Path], None], load: Load, root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for path in compiled_once(load, root):
        damage(path)
    again = load()
    assert again.outer(1.0) == 4.0
    assert was_compiled(again.outer)
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == (damage in DAMAGE)
    assert all("damaged" in line for line in lines)
    healed = load()
    assert healed.outer(1.0) == 4.0
    assert not was_compiled(healed.outer)
    assert capsys.readouterr().err == ""


def test_another_version_of_the_compiler_is_a_miss(
    load: Load, root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from arena_solver import kernel_cache

    compiled_once(load, root)
    monkeypatch.setattr(kernel_cache, "_VERSIONS", "numba 99")
    again = load()
    assert again.outer(1.0) == 4.0
    assert was_compiled(again.outer)
    assert capsys.readouterr().err == ""


def test_an_edited_callee_compiles_its_callers(load: Load, root: Path, tmp_path: Path) -> None:
    compiled_once(load, root)
    source = tmp_path / "game" / "kernel_module.py"
    source.write_text(TEXT.replace("number + 1.0", "number + 2.0"), encoding="utf-8")
    folders.forget_states()
    assert load().outer(1.0) == 6.0


def closed(folder: Path) -> Callable[[Path], str | None]:
    """What the system says of a folder on a read-only file system (permissions do not bind root)."""
    ask = folders._why_not_writable
    return lambda each: "Read-only file system" if each.is_relative_to(folder) else ask(each)


def test_a_warm_cache_that_nobody_can_write_to_is_used(
    load: Load, root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    compiled_once(load, root)
    folders.folder_to_write.cache_clear()
    monkeypatch.setattr(folders, "_why_not_writable", closed(root))
    again = load()
    assert again.outer(1.0) == 4.0
    assert not was_compiled(again.outer)
    assert capsys.readouterr().err == ""


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="permissions of Unix")
def test_what_cannot_be_kept_goes_to_a_temporary_folder(
    load: Load,
    root: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(folders, "_why_not_writable", closed(root))
    load().outer(1.0)
    spare = tmp_path / f"arena-solver-kernels-{os.getuid()}"
    assert len(kept(spare)) == 2
    assert spare.stat().st_mode & 0o777 == 0o700
    (line,) = capsys.readouterr().err.splitlines()
    assert str(root) in line
    assert "Read-only file system" in line
    assert str(spare) in line
    # So it is found by the processes that this one starts, which say nothing.
    folders.folder_to_write.cache_clear()
    child = load()
    child.outer(1.0)
    assert not was_compiled(child.outer)
    assert capsys.readouterr().err == ""


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="permissions of Unix")
@pytest.mark.parametrize("way", ["open", "link"])
def test_kernels_are_not_taken_from_a_folder_that_others_can_write_to(
    way: str, load: Load, root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spare = tmp_path / f"arena-solver-kernels-{os.getuid()}"
    if way == "open":
        spare.mkdir()
        spare.chmod(0o777)
    else:
        (tmp_path / "theirs").mkdir()
        spare.symlink_to(tmp_path / "theirs")
    monkeypatch.setattr(folders, "_why_not_writable", closed(root))
    load().outer(1.0)
    assert kept(spare) == []
    shutil.rmtree(os.environ[folders.SPARE_VARIABLE])


def test_constants_have_no_compilations_of_their_own() -> None:
    @cached_njit(cache=False)
    def put(row: Any, place: int, number: int) -> int:
        row[place] = number
        return place + 1

    @cached_njit(cache=False)
    def put_all(row: Any, number: int) -> int:
        return put(row, put(row, put(row, 0, 7), number), 9)

    row = np.zeros(3, np.int64)
    assert put_all(row, 8) == 3
    assert row.tolist() == [7, 8, 9]
    assert len(cast(Any, put).signatures) == 1
