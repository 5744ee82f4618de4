"""`ragers explain`: what a patron, a cheers card or a card does, from stored answers alone."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest


def test_a_patron_is_set_against_the_others(run: Any) -> None:
    result = run("explain", "patron", "Solennos", "--format", "json")
    report = json.loads(result.stdout)
    (one,) = report["explained"]
    assert one["here"]["days"] == 6
    assert one["others"]["days"] == 21  # Three of The Nameless' days have no answer yet.
    assert one["here"]["opening"]["veteran"] == 0
    assert {each["patron"] for each in report["findings"]} == {"solennos"}


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("patron", "solennos"), "Nobody can meet Slasher and Veteran"),
        (
            ("cheers", "two-bashers", "--patron", "arianna"),
            "patron what it does Arianna met in 42 % of days.",
        ),
        (("card", "Veteran"), "Solennos forbidden by the patron."),
        (("card", "basher", "--patron", "arianna"), "Arianna opens 19 % of days (<1 to 47 by cheers card)"),
        (("card", "veteran"), "Not counted, since there is no answer yet: The Nameless / Basher and Deadeye"),
    ],
)
def test_plain_sentences(run: Any, words: tuple[str, ...], told: str) -> None:
    shown = run("explain", *words).stdout
    assert told in " ".join(shown.split())
    assert max(map(len, shown.splitlines())) <= 80
    assert len(shown.splitlines()) <= 24


def test_several_at_once(run: Any) -> None:
    both = ("explain", "patron", "Arianna", "Solennos")
    shown = run(*both).stdout
    assert shown.index("Arianna: rows of 4") < shown.index("Solennos: rows of 5")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("patron", "Nobody"), "no patron is called"),
        (("card", "Knight"), "no card is called"),
        (("patron", "Arianna", "--patron", "Solennos"), "cards; name several patrons"),
        (("card", "basher", "--set", "cards.basher.gp=5"), "no answer is stored"),
    ],
)
def test_what_cannot_be_explained_is_said(run: Any, words: tuple[str, ...], said: str) -> None:
    result = run("explain", *words)
    assert result.exit_code == 2
    assert said in result.stderr


def test_neither_numba_nor_scipy_nor_numpy_is_loaded() -> None:
    code = (
        "import sys; from click.testing import CliRunner; from cli.programs import program_of;"
        "assert CliRunner().invoke(program_of('ragers'), ['explain', 'card', 'basher']).exit_code == 0;"
        "assert not {'numba', 'scipy', 'numpy'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
