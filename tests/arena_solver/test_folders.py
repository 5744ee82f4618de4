"""Which state of the sources a kernel belongs to, and what becomes of the others."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from arena_solver import folders

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(autouse=True)
def forgetful() -> None:
    folders.forget_states()


def state(source: Path) -> str:
    folders.forget_states()
    return folders.state_of(source)


def written(folder: Path, texts: dict[str, str]) -> Path:
    """Packages below a folder, each folder of them a package."""
    for name, text in texts.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        for above in path.parents:
            if above == folder:
                break
            (above / "__init__.py").touch()
        path.write_text(text)
    return folder


IMPORTS = [
    "from solver.inner.callee import one",
    "from solver.inner import callee",
    "from solver.inner import (\n    other,  # a remark\n    callee,\n)",
    "import solver.inner.callee as other",
    "import os, solver.inner.callee",
    "from .inner.callee import one",
    "from ..solver.inner import callee",
    "def later():\n    from solver.inner.callee import one",
    "from solver.between import one",
    "from engine.between import one",
]


@pytest.mark.parametrize("line", IMPORTS)
def test_an_edited_file_means_another_folder_for_those_that_import_it(tmp_path: Path, line: str) -> None:
    through = "from solver.inner.callee import one\n"
    written(
        tmp_path,
        {
            "solver/inner/callee.py": "one = 1\n",
            "solver/inner/other.py": "",
            "solver/between.py": through,
            "engine/between.py": through,
            "solver/caller.py": f"{line}\n",
            "solver/stranger.py": "import os\n",
        },
    )
    names = ("inner/callee.py", "caller.py", "stranger.py")
    callee, caller, stranger = (tmp_path / "solver" / name for name in names)
    before = state(callee), state(caller), state(stranger)
    assert len(set(before)) == 3
    callee.write_text("one = 10\n")
    assert state(callee) != before[0]
    assert state(caller) != before[1]
    assert state(stranger) == before[2]


def test_what_a_package_lists_counts_for_those_that_take_names_from_it(tmp_path: Path) -> None:
    written(
        tmp_path,
        {
            "solver/inner/callee.py": "one = 1\n",
            "solver/inner/__init__.py": "from solver.inner.callee import one\n",
            "solver/caller.py": "from solver.inner import one\n",
            "solver/inner/beside.py": "two = 2\n",
        },
    )
    caller, beside = tmp_path / "solver" / "caller.py", tmp_path / "solver" / "inner" / "beside.py"
    before = state(caller), state(beside)
    (tmp_path / "solver" / "inner" / "callee.py").write_text("one = 10\n")
    assert state(caller) != before[0]
    assert state(beside) == before[1]


def test_a_kernel_of_one_solver_leaves_those_of_another(tmp_path: Path) -> None:
    """What an edit compiles again is what it can have changed."""
    reached = folders._reached(ROOT / "solver" / "hidden_hands" / "decisions" / "walk.py", ROOT)
    rooms = {path.relative_to(ROOT).parts[:2] for path in reached}
    assert rooms == {("solver", "hidden_hands")}


def test_folders_not_used_for_a_month_go(tmp_path: Path) -> None:
    old = [tmp_path / name for name in ("solver-0123456789abcdef", "0123456789abcdef")]
    others = [tmp_path / name for name in ("engine-0123456789abcdef", "somebody-else's")]
    for folder in (*old, *others):
        folder.mkdir()
        (folder / "one.kernel").touch()
    for folder in (*old, others[1]):
        os.utime(folder, (0.0, 0.0))
    folders.tidy(tmp_path)
    assert sorted(tmp_path.iterdir()) == sorted(others)


def test_asking_where_kernels_lie_imports_nothing_slow() -> None:
    code = "import sys; from arena_solver import commands, compiling, folders; print('numba' in sys.modules)"
    result = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, check=True)
    assert result.stdout == b"False\n"
