"""Compiling in two processes."""

from __future__ import annotations

import pytest

from arena_solver.kernel_cache import is_kept
from solver.hidden_hands import jit
from solver.hidden_hands.compiling import Assistant, compile_certificates, compile_kernels


def test_an_assistant_does_not_outlive_its_statement() -> None:
    with pytest.raises(KeyboardInterrupt), Assistant("exact") as assistant:
        raise KeyboardInterrupt
    assert assistant._process is None or assistant._process.returncode is not None


@pytest.mark.kernels
@pytest.mark.parametrize(("method", "waits"), [("exact", 0), ("merged", 1)])
def test_certificates_can_be_compiled_before_anything_is_learnt(method: str, waits: int) -> None:
    waited: list[None] = []
    compile_certificates(method, ready=lambda: waited.append(None))
    assert len(waited) == waits


@pytest.mark.kernels
def test_every_kernel_is_warmed_up() -> None:
    """Progress counts them, and whoever has warmed up waits for none later."""
    compile_kernels()
    # Tests have kernels of their own.
    ours = [each for each in jit._kernels if each.py_func.__module__.startswith("solver.")]
    assert len(ours) > 200
    assert [each.py_func.__qualname__ for each in ours if not (each.overloads or is_kept(each))] == []
