"""How kernels are compiled: a way in from Python only where one is used, and once for all whole numbers."""

from __future__ import annotations

import ast
from pathlib import Path

import numpy as np
import pytest

from solver.hidden_hands import jit
from solver.hidden_hands.jit import entry, kernel, was_compiled

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "solver" / "hidden_hands"
WAYS = ("kernel", "inlined", "entry", "pointed")
FOR_KERNELS = ("kernel", "inlined")


@pytest.fixture(autouse=True)
def compiled_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(jit._OPTIONS, "cache", False)


def test_whole_numbers_of_all_kinds_share_one_compilation() -> None:
    @kernel
    def doubled(number: int) -> int:
        return 2 * number

    @entry
    def all_doubled(small: np.int32, numbers: np.ndarray[tuple[int], np.dtype[np.int8]]) -> int:
        return doubled(1) + doubled(small) + doubled(numbers[0])

    assert all_doubled(np.int32(2), np.array([3], np.int8)) == 12
    assert len(doubled.overloads) == 1  # type: ignore[attr-defined]
    assert was_compiled(all_doubled)


def ways(node: ast.AST) -> list[str]:
    if not isinstance(node, ast.FunctionDef):
        return []
    return [each.id for each in node.decorator_list if isinstance(each, ast.Name) and each.id in WAYS]


def is_compiled(node: ast.FunctionDef) -> bool:
    """Whether a function is a kernel, or one that a test compiles."""
    return bool(ways(node)) or any("njit" in ast.unparse(each) for each in node.decorator_list)


class Calls(ast.NodeVisitor):
    """Names that are used outside of kernels."""

    def __init__(self) -> None:
        self.names: set[str] = set()

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        if not is_compiled(node):
            self.generic_visit(node)

    def visit_Name(self, node: ast.Name) -> None:
        if isinstance(node.ctx, ast.Load):
            self.names.add(node.id)


def dotted(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts)


def used_by_python(path: Path, kernels: dict[tuple[str, str], str]) -> set[tuple[str, str]]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    meant = {
        name: (module, name) for module, name in kernels if path == ROOT / f"{module.replace('.', '/')}.py"
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("solver.hidden_hands."):
            meant |= {each.asname or each.name: (str(node.module), each.name) for each in node.names}
    calls = Calls()
    calls.visit(tree)
    return {meant[name] for name in calls.names if name in meant}


def test_what_python_uses_is_an_entry_and_nothing_else_is() -> None:
    """A way in takes a second or two to compile; one that is missing would be found by whoever needs it."""
    kernels = {
        (dotted(path), node.name): ways(node)[0]
        for path in PACKAGE.rglob("*.py")
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.FunctionDef) and ways(node)
    }
    assert len(kernels) > 100
    used: set[tuple[str, str]] = set()
    for folder in ("solver", "analysis", "cli", "tests", "benchmarks"):
        for path in (ROOT / folder).rglob("*.py"):
            if PACKAGE.name in path.read_text(encoding="utf-8"):
                used |= used_by_python(path, kernels)
    assert {each for each, way in kernels.items() if way not in FOR_KERNELS} == used & kernels.keys()


def test_what_is_inlined_is_called_once_in_any_kernel() -> None:
    """A second call would compile a large kernel twice."""
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in PACKAGE.rglob("*.py")]
    functions = [node for tree in trees for node in tree.body if isinstance(node, ast.FunctionDef)]
    large = {node.name for node in functions if ways(node) == ["inlined"]}
    assert "push" in large
    for function in functions:
        called = [each.func for each in ast.walk(function) if isinstance(each, ast.Call)]
        names = [each.id for each in called if isinstance(each, ast.Name) and each.id in large]
        assert len(names) == len(set(names)), function.name
