"""What a game's copies of kernels are called: the on-disk cache knows them by that."""

from __future__ import annotations

import importlib.util
import os
import sys
from pathlib import Path
from typing import Any

from arena_solver import folders
from solver.sampling import specialisation
from solver.sampling.external_sampling_walk import train_kernel


def name(source: Path) -> str:
    """What a game is called whose functions lie in that file, in another process."""
    spec = importlib.util.spec_from_file_location("some_game", source)
    assert spec is not None
    assert spec.loader is not None
    module: Any = importlib.util.module_from_spec(spec)
    sys.modules["some_game"] = module
    spec.loader.exec_module(module)
    folders.forget_states()
    called, keep = specialisation._game_name((module.observe,), train_kernel)
    assert keep
    return called


def test_a_name_tells_the_state_of_all_that_a_game_imports(tmp_path: Path) -> None:
    """A game may call what lies beside or above it, as those of `engine` do."""
    folder = tmp_path / "package" / "game"
    folder.mkdir(parents=True)
    above, beside, source = folder.parent / "bits.py", folder / "layout.py", folder / "sampling.py"
    for path in (folder.parent / "__init__.py", folder / "__init__.py", above, beside):
        path.touch()
    source.write_text("def observe():\n    from package import bits\n    from package.game import layout\n")
    before = name(source)
    for path in (above, beside, source):
        os.utime(path, (0.0, 0.0))
    assert name(source) == before
    names = {before}
    for path in (above, beside, source):
        path.write_text(path.read_text() + "# edited\n")
        names.add(name(source))
    assert len(names) == 4
