"""Rules are tested on the reference alone, and with the kernel beside it where kernels are tested."""

from __future__ import annotations

import pytest

from tests.engine.raverun.notation import Table


@pytest.fixture(params=["reference", pytest.param("kernel", marks=pytest.mark.kernels)])
def tables(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let tables be played on the reference, or on both."""
    monkeypatch.setattr(Table, "beside_kernel", request.param == "kernel")
