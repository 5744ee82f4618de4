"""Compiling in two processes."""

from __future__ import annotations

import pytest

from solver.hidden_hands.assistant import Assistant
from solver.hidden_hands.compiling import compile_certificates, compile_kernels
from solver.hidden_hands.jit import ready


@pytest.mark.parametrize("method", [None, "magic"])
def test_who_cannot_assist_is_not_waited_for(method: str | None) -> None:
    with Assistant(method) as assistant:
        assistant.go_on()
        assistant.wait()


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
    done, total = ready()
    assert done == total > 200
