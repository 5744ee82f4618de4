"""`clash match`, `solo`, `play`, `export`, `report`: refusals at once, answers, games at the terminal."""

from __future__ import annotations

import csv
import html
import io
import json
from contextlib import redirect_stderr
from fractions import Fraction
from pathlib import Path

import pytest
from click.testing import CliRunner

from arena_solver.compiling import began, ended
from cli.clash.main import clash
from cli.compiling import compiling_said
from engine.clash.rules import ILLUSTRATIVE
from solver.efg_reader import constant_sum_game, parse_efg
from solver.exact_sequence_form import solve_exactly
from tests.cli.test_clash import checked, one_line, run

TINY = ("--attacker", "bohorg: 1 III", "--defender", "elves: 1 Elder", "--rage", "3,3")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("match", "--players", "search,rulle"), "did you mean rule"),
        (("match", "--players", "rule"), "two to four play"),
        (("match", "--clans", "bohorg"), "2 players have so many clans"),
        (("match", "--clans", "bohorg,bohorg"), "each clan is played once"),
        (("match", "--clans", "bohorg,tmb"), "did you mean tomb"),
        (("match", "--habit", "shure=1"), "did you mean sure"),
        (("solo", "--policy", "planner"), "no player is called 'planner'"),
        (("solo", "--difficulty", "esy"), "did you mean easy"),
        (("play", "--solo", "hard"), "no difficulty is called 'hard' (there are easy,"),
        (("play", "--solo", "dificult"), "did you mean difficult?"),
        (("play", "--opponents", "rule", "--seat", "3"), "seat 3 of 2"),
        (("play", "--clans", "tomb"), "2 players have so many clans"),
        (("play", "--solo", "easy", "--opponents", "rule,random"), "'--opponents': alone against the elves"),
        (("play", "--opponents", "rule", "--time", "1s"), "'--time': only a search heeds it"),
        (("solo", "--policy", "random", "--no-first", "--playouts", "7"), "'--playouts': it does nothing"),
        (("solo", "--policy", "rule", "--no-first", "--time", "1s"), "'--time': it does nothing"),
        (("solo", "--policy", "random", "--no-first", "--habit", "sure=0.5"), "'--habit': it does nothing"),
        (("match", "--players", "rule,random", "--playouts", "7"), "'--playouts': it does nothing"),
        (("match", "--players", "random,random", "--habit", "sure=1"), "'--habit': it does nothing"),
        (("match", "--tiles", "1a,6b"), "no tile is called '6b'"),
        (("solo", "--tiles", "1a,1b"), "one player needs 2 different tiles, not 1a, 1b"),
        (("play", "--tiles", "1a,2a,3a"), "2 players need 2 different tiles"),
        (("export", "graph", *TINY, "--set", "battle.rage_limit=3", "-o", "x"), "may go on for ever"),
        (("report", __file__, "-o", "x"), "is no JSON"),
    ],
)
def test_refusals(words: tuple[str, ...], message: str) -> None:
    assert message in one_line(run(*words, exit_code=2).output)


def test_a_battle_as_a_graph(tmp_path: Path) -> None:
    path = tmp_path / "battle.json"
    run("export", "graph", *TINY, "-o", str(path))
    graph = json.loads(path.read_text(encoding="utf-8"))
    nodes = graph["nodes"]
    assert [node["number"] for node in nodes] == list(range(len(nodes)))
    value: dict[int, Fraction] = {}

    def worth(number: int) -> Fraction:
        if number not in value:
            node = nodes[number]
            if node["decides"] == "nobody":
                value[number] = Fraction(node["payoff"])
            elif node["decides"] == "chance":
                parts = [Fraction(each["probability"]) * worth(each["to"]) for each in node["moves"]]
                assert sum(Fraction(each["probability"]) for each in node["moves"]) == 1
                value[number] = sum(parts, Fraction(0))
            else:
                best = max if node["decides"] == "attacker" else min
                value[number] = best(worth(each["to"]) for each in node["moves"])
        return value[number]

    words = ("solve", "--fraction", *TINY, "--format", "json")
    assert worth(0) == Fraction(json.loads(run(*words).stdout)["fraction"])


def test_a_battle_as_a_tree_and_what_is_too_large_for_one(tmp_path: Path) -> None:
    path = tmp_path / "battle.efg"
    run("export", "efg", *TINY, "-o", str(path))
    lines = path.read_text(encoding="utf-8").splitlines()
    assert lines[0].startswith('EFG 2 R "bohorg: 1 Executioner against elves: 1 High Elder"')
    assert sum(line.startswith("t ") for line in lines) > 5
    tree, constant = constant_sum_game(parse_efg(path.read_text(encoding="utf-8")))
    assert constant == (0, 0)
    exact = json.loads(run("solve", "--fraction", *TINY, "--format", "json").stdout)["fraction"]
    assert solve_exactly(tree).value == Fraction(exact)
    refused = run("export", "efg", *TINY[:-2], "--max-nodes", "100", "-o", str(path), exit_code=1)
    assert "clash export graph writes each once" in one_line(refused.output)


def test_ends_add_up(tmp_path: Path) -> None:
    path = tmp_path / "ends.csv"
    battle = ("--attacker", "bohorg: 2 Pummeler, 1 Executioner", "--defender", "elves: 2 Templar")
    run("export", "outcomes", *battle, "-o", str(path))
    rows = list(csv.DictReader(io.StringIO(path.read_text(encoding="utf-8"))))
    assert sum(float(row["probability"]) for row in rows) == pytest.approx(1.0, abs=1e-12)
    held = sum(float(row["probability"]) for row in rows if row["holds"] == "attacker")
    assert held == pytest.approx(json.loads(run("solve", *battle, "--format", "json").stdout)["win"])


def test_a_page(tmp_path: Path) -> None:
    pytest.importorskip("vl_convert")
    pytest.importorskip("jinja2")
    files = [str(tmp_path / name) for name in ("battle.json", "balance.json")]
    run("solve", *TINY, "--format", "json", "--output", files[0])
    run(
        *("balance", "--clans", "bohorg,tomb", "--points", "2", "--battles", "2"),
        *("--format", "json", "--output", files[1]),
    )
    path = tmp_path / "clash.html"
    run("report", *files, "-o", str(path))
    text = html.unescape(path.read_text(encoding="utf-8"))
    assert ILLUSTRATIVE in one_line(text)
    assert text.count("<svg ") >= 4
    assert "One icon more" in text
    assert "Balance of bohorg, tomb, 2 points" in text
    assert "<dt>attacker</dt><dd>" in text
    # The chart says it: letters would be no picture on a page.
    assert "All armies: attackers down" not in text


# -- whole games ----------------------------------------------------------------------------------------


@pytest.mark.kernels
def test_match_and_solo(tmp_path: Path) -> None:
    short = ("--set", "match.max_rounds=1", "--playouts", "8", "-q")
    words = ("match", "--players", "search,rule,random", "--deals", "1", *short)
    report = checked("match", *words)
    assert report["games"] == 3
    assert report["complete"]
    table = run(*words).stdout
    assert max(map(len, table.splitlines())) <= 80
    assert ILLUSTRATIVE in one_line(table)
    words = ("solo", "--games", "1", "--clans", "bohorg", *short)
    solo = checked("solo", *words)
    assert [each["difficulty"] for each in solo["difficulties"]] == [
        "easy",
        "medium",
        "difficult",
        "impossible",
    ]
    table = run(*words).stdout
    assert max(map(len, table.splitlines())) <= 80
    assert "The first decision of game 1 (easy)" in table
    assert "difficulty,threshold,won" in run(*words, "--format", "csv").stdout
    files = [str(tmp_path / name) for name in ("match.json", "solo.json")]
    for file, found in zip(files, (report, solo), strict=True):
        Path(file).write_text(json.dumps(found), encoding="utf-8")
    run("report", *files, "-o", str(tmp_path / "games.html"))
    page = (tmp_path / "games.html").read_text(encoding="utf-8")
    assert "Match: search against rule against random" in page
    assert "Solo, search" in page


@pytest.mark.kernels
def test_a_match_says_what_is_by_design_and_each_table_once() -> None:
    short = ("--set", "match.max_rounds=1", "--deals", "2", "-q")
    twins = ("--players", "rule,rule", "--clans", "bohorg,tomb", "--tiles", "2a,5b")
    table = run("match", *twins, *short).stdout
    assert table.count("50.0 % by design") == 2
    assert "equal shares are by design" in one_line(table)
    assert "By clan, in the order of seats" in table
    assert "By seat" not in table
    assert "Tiles: 2a 5b, as given." in table
    table = run("match", "--players", "rule,random", *short).stdout
    assert "by design" not in table
    assert "By seat" in table
    assert "Tiles: by chance for each deal" in one_line(table)


@pytest.mark.kernels
def test_whom_a_first_decision_is_weighed_for_is_said() -> None:
    short = ("--set", "match.max_rounds=1", "--games", "1", "--clans", "bohorg", "--playouts", "8", "-q")
    table = one_line(run("solo", "--policy", "random", *short).stdout)
    assert "weighed by a search of 8 playouts; random itself plays without one, and without habits" in table


@pytest.mark.kernels
def test_compiling_is_told_only_where_something_compiles() -> None:
    short = ("--set", "match.max_rounds=1", "--players", "rule,random", "--deals", "1")
    run("match", *short)
    assert "ompil" not in run("match", *short).stderr
    told = io.StringIO()
    with redirect_stderr(told), compiling_said():
        began("kernel")
        ended()
        began("another")
        ended()
    assert told.getvalue().count("Compiling kernels") == 1


def played(typed: str, *words: str) -> tuple[int, str]:
    result = CliRunner().invoke(clash, ["play", *words], input=typed, prog_name="clash")
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.exit_code, result.output


@pytest.mark.kernels
def test_a_game_at_the_terminal() -> None:
    words = ("--solo", "easy", "--clans", "bohorg", "--seed", "3", "--playouts", "8")
    code, output = played("hint\nhelp axe\nhelp nonsense\n1\nu\n" + "any\n" * 300, *words)
    assert code == 0
    assert max(map(len, output.splitlines())) <= 80
    for text in ("chances to win, by playouts", "Axe: a weapon for 5 gold. It adds 2 to", "taken back"):
        assert text in output
    assert "nothing is called 'nonsense'" in output
    assert ILLUSTRATIVE in one_line(output)
    assert ("You win." in output) != ("You lose." in output)
    assert "told apart" in one_line(output)
    code, again = played("hint\nhelp axe\nhelp nonsense\n1\nu\n" + "any\n" * 300, *words)
    assert again == output


@pytest.mark.kernels
def test_a_game_that_is_left() -> None:
    code, output = played("no such thing\nq\n", "--opponents", "rule", "--seed", "1", "--no-costs")
    assert code == 1
    assert "is none of these choices" in output


BOTH = ("--clans", "bohorg,tomb", "--tiles", "first", "--seed", "7", "--opponents", "rule", "--no-costs")


@pytest.mark.kernels
def test_a_number_never_means_two_things() -> None:
    assert "You: card 1: 4 gold, 2 Pummeler." in played("1\nq\n", *BOTH)[1]
    code, output = played("11\ncard 11\nq\n", *BOTH)
    assert "choices have the numbers 1 to 3" in output
    assert "You: card 11: 3 gold" in output
    assert code == 1
    # The card of order 2 stands in the first line, and others have two figures of something.
    words = ("--clans", "steamfield", "--solo", "easy", "--no-costs", "--seed", "0")
    assert "You: card 2: 5 gold" in played("card 2\nq\n", *words)[1]
    assert "You: card 2: 5 gold" not in played("2\nq\n", *words)[1]


@pytest.mark.kernels
def test_all_that_is_open_is_told() -> None:
    typed = "help bohorg\nhelp slowness\nhelp stone 5\n1\nany\nany\nany\nany\nany\nany\ntable\nq\n"
    output = played(typed, *BOTH)[1]
    said = one_line(output)
    for text in (
        "You play bohorg on tiles 1a 2a.",
        "Bohorg Tribe. Pummeler: power 4, life 2, movement 1, 7 figures, level I.",
        "Slowness is the sum of the slowness icons",
        "stone 5 of level I (to",
        "over mountains to",
        "Tactic cards of round 1, in the order of turns: you (bohorg) card 1: 4 gold, 2 Pummeler; tomb card",
        "tomb, cards on the discard pile: ",
        "turns in the order you (bohorg), tomb",
        "bohorg, reserve: 7 Pummeler, 5 Kragrider, 3 Executioner",
        "tomb, Bastion beside",
        "Templar among the elves find ",
        "Elves carry: Templar ",
        "Black market: ",
        " for 3 gold",
        "equipment cards; 14 legendary cards",
        "4 points win",
        "Lost: ",
    ):
        assert text in said, text


@pytest.mark.kernels
def test_only_what_has_changed_is_shown_again() -> None:
    tables = played("1\nany\nany\ntable\nq\n", *BOTH)[1].split("\nRound ")
    places = [sum("(to " in line for line in each.splitlines()) for each in tables[1:]]
    assert places[0] == places[-1] == 14
    assert max(places[1:-1]) < 7


def test_the_examples_of_help_are_commands() -> None:
    for name in ("match", "solo", "play", "export", "report"):
        text = run(name, "--help").stdout
        assert f"clash {name}" in text
