"""`ragers balance`, on the carried answers for Solennos."""

from __future__ import annotations

import json
import re
import shlex
from typing import Any

import pytest
from click.testing import CliRunner

from analysis.ragers.answers.findings import DEAD_PLACED, MUST, NEVER_OPENS
from analysis.ragers.answers.health import judge
from analysis.ragers.naive import greedy_attack
from cli.programs import program_of
from engine.ragers.rules import load_rules

ragers = program_of("ragers")

CHEERS = ("two-bashers", "prodder-stopper")
WORDS = ("balance", "--patron", "Solennos", *(f"--cheers={card}" for card in CHEERS), "-q")


@pytest.fixture(scope="module")
def report() -> dict[str, Any]:
    result = CliRunner().invoke(ragers, [*WORDS, "--format", "json"], catch_exceptions=False)
    return dict(json.loads(result.stdout))


def test_verdicts(report: dict[str, Any]) -> None:
    for each in report["scenarios"]:
        veteran = each["cards"]["veteran"]
        assert (veteran["verdict"], veteran["certain"]) == ("forbidden", True)
        for name, card in each["cards"].items():
            assert (card["verdict"] == "must") == (card["opening"] > MUST)
            seldom = ("dead", "hardly opens", "late card", "forbidden")
            assert (card["verdict"] in seldom) == (card["opening"] < NEVER_OPENS)
            if name != "veteran":
                # What is placed often enough in any step is not dead.
                assert (card["verdict"] == "dead") <= (sum(card["placed"]) < DEAD_PLACED)
    assert judge(0.005, [0.005, 0.02], None) == ("dead", False)
    assert judge(0.005, [0.005, 0.02], (0, 0.009)) == ("dead", True)
    assert judge(0.005, [0.005, 0.06], (0, 0.02)) == ("hardly opens", False)
    assert judge(0.005, [0.005, 0.1], (0, 0.009)) == ("late card", True)
    assert judge(0.0, [0.0, 0.0], None, forbidden=True) == ("forbidden", True)
    assert judge(0.7, [0.7], (0.61, 0.8)) == ("must", True)
    assert judge(0.3, [0.3], (0, 1)) == ("", False)


def test_missing_scenarios_are_named(no_nameless: None, run: Any) -> None:
    words = (*WORDS, "--patron", "The Nameless", "--cheers", "two-prodders")
    result = run(*words, "--format", "json")
    assert len(json.loads(result.stdout)["scenarios"]) == 3
    assert {each["patron"] for each in json.loads(result.stdout)["missing"]} == {"the-nameless"}
    text = run(*words).stdout
    assert "Missing 3 of 6 scenarios" in text
    assert "The Nameless: Two Bashers, Prodder and Stopper, Two Prodders" in text
    assert max(map(len, text.splitlines())) <= 80


@pytest.mark.parametrize("patrons", [("Solennos",), ("Solennos", "Gharan-zul")])
def test_who_is_sent_on_for_bounds_finds_them(patrons: tuple[str, ...], run: Any) -> None:
    days = [word for name in patrons for word in ("--patron", name)]
    text = " ".join(run("solve", *days, "-q").stdout.split())
    [command] = re.findall(r"differently: details have bounds \(ragers (.* --details)\)", text)
    shown = run(*shlex.split(command), "-q").stdout
    assert "at least and at most: in every equilibrium" in " ".join(shown.split())


def test_own_solves_count(fake_solver: Any, run: Any) -> None:
    small = ("--set", "match.row_length=2", "--set", "match.hand_size=2", "--patron", "the-nameless")
    run("solve", *small, "--cheers", "two-bashers", "--iterations", "2", "-q")
    found = json.loads(run("balance", *small, "-q", "--format", "json").stdout)
    # The two other kinds of two attacks are the same game.
    assert [each["cheers"] for each in found["scenarios"]] == ["two-bashers", "two-slashers", "two-prodders"]
    assert len(found["missing"]) == 3


@pytest.mark.parametrize("preparation", ["redraw", "seen"])
@pytest.mark.parametrize("player", ["accusers", "defenders"])
def test_sampled_days_are_scored_card_by_card(
    fake_solver: Any, run: Any, player: str, preparation: str
) -> None:
    """Three days of four end Basher, Slasher against Slasher, Slasher, one the other way round: all draws."""
    small = ("--set", "match.row_length=2", "--set", "match.hand_size=2", "--patron", "the-nameless")
    words = (*small, "--cheers", "two-slashers", "--preparation", preparation, "-q")
    run("solve", *words, "--iterations", "2")
    shown = ("--side", player, "--format", "json")
    (found,) = json.loads(run("balance", *words, *shown).stdout)["scenarios"]
    sampled, first = found["sampled"], player == "accusers"
    assert (sampled["days"], sampled["steps"], sampled["nash_conv_gp"]) == (4, 2.0, 0.5)
    # Two Slashers score 6, and the cheers card goes to who has them; a Basher beside a Slasher scores 3.
    assert found["cards"]["slasher"]["gp"] == 3 * ((3 * 1 + 1 * 2) if first else (3 * 2 + 1 * 1)) / 4
    assert found["cards"]["basher"]["gp"] == 0.0
    alone = (sampled["cheers_own"], sampled["cheers_other"])
    assert alone == ((0.25, 0.75) if first else (0.75, 0.25))
    assert (sampled["cheers_both"], sampled["cheers_nobody"]) == (0.0, 0.0)
    assert sampled["cheers_swing_gp"] == 2.0
    # The stand-in's value is 0.25 for the Accusers; its simple players get -1 and -1.5.
    assert sampled["loss_gp"]["uniform"] == 1.25
    assert set(sampled["loss_gp"]) == {"uniform", "greedy", "playouts"}
    assert (sampled["deal_share"] is None) == (preparation == "seen")
    text = run("balance", *words, "--details").stdout
    words_of = " ".join(text.split())
    assert "standard errors up to 0.12 GP" in words_of or "standard errors up to 0.25 GP" in words_of
    assert max(map(len, text.splitlines())) <= 80


def test_greedy_attack() -> None:
    rules = load_rules(overrides=["cards.prodder.gp=5"])
    assert greedy_attack((2, 1, 0, 2, 0, 0, 0, 0), (0, 1, 3), rules) == (0,)
    assert greedy_attack((1, 1, 0, 3, 0, 0, 0, 0), (0, 1, 3), rules) == (0, 1)
    assert greedy_attack((1, 1, 1, 0, 0, 0, 0, 0), (0, 1, 2), rules) == (2,)
    assert greedy_attack((0, 0, 0, 2, 1, 0, 0, 0), (3, 4), rules) == (3, 4)
    assert greedy_attack((0,) * 8, (), rules) == ()


def test_the_command_that_is_suggested_has_the_same_rules(run: Any) -> None:
    words = ("--set", "cards.basher.gp=7", "--set", "patrons.solennos.forbidden=[]", "--preparation", "none")
    for command in (("balance",), ("export", "--to", "strategies", "-o", "file.csv")):
        result = run(*command, *words)
        assert result.exit_code == 1
        suggested = shlex.split(" ".join(result.output.split()).partition("ragers solve ")[2])
        assert " ".join(words[:4]) in " ".join(suggested)
        assert suggested[-2:] == ["--preparation", "none"]
