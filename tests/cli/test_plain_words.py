"""What is refused, at once and in plain words, with what to type instead."""

from __future__ import annotations

import re
import shlex
import time
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from analysis.ragers.hands import HandError, check_hand, parse_hand
from analysis.ragers.play.histories import own_cards, parse_history
from cli.programs import program_of

raverun = program_of("raverun")

DAY = ("--patron", "Solennos", "--cheers", "two-bashers")
VARY = ("--vary", "cards.basher.gp=1:6", *DAY)
PYTHON = re.compile(
    r"Traceback|\b(Errno|codec|literal|None|True|False|deciders)\b|\(\d+, \d+\)|\w+Error\b[^:]"
)


def run_raverun(*words: str) -> Result:
    return CliRunner().invoke(raverun, list(words), catch_exceptions=False)


# ---- words nearly right ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (("solv",), "Did you mean solve?"),
        (("rules", "shwo"), "Did you mean show?"),
        (("export", "strategy"), "Did you mean strategies?"),
        (("library", "lists"), "Did you mean list?"),
        (("zzz",), "No such command 'zzz'."),
    ],
)
def test_misspelt_commands(run: Any, words: tuple[str, ...], hint: str) -> None:
    result = run(*words)
    assert result.exit_code == 2
    assert hint in result.output


@pytest.mark.parametrize(("words", "hint"), [(("slove",), "solve"), (("rules", "shwo"), "show")])
def test_misspelt_commands_of_raverun(words: tuple[str, ...], hint: str) -> None:
    result = run_raverun(*words)
    assert result.exit_code == 2
    assert f"Did you mean {hint}?" in result.output


@pytest.mark.parametrize(
    ("override", "hint"),
    [
        ("basher.gp=4", "cards.basher.gp"),
        ("bashr.gp=4", "cards.basher.gp"),
        ("basher.copies.accusers=4", "cards.basher.copies.accusers"),
        ("veteran.copies=1", "cards.veteran.copies"),
        ("two-bashers.gp=4", "cheers.two-bashers.gp"),
        ("hand_size=4", "match.hand_size"),
        ("handsize=4", "match.hand_size"),
        ("card.basher.gp=4", "cards.basher.gp"),
        ("solennos.row_length=4", "patrons.solennos.row_length"),
    ],
)
def test_misplaced_values(run: Any, override: str, hint: str) -> None:
    result = run("rules", "show", "--set", override)
    assert result.exit_code == 2
    assert re.search(rf"did you mean ({re.escape(hint)}|cards)\b", result.output)
    assert f"{hint}=" not in override


@pytest.mark.parametrize(
    ("override", "hint"), [("1.action=bury", "characters.1.action"), ("letters=2", "match.letters")]
)
def test_misplaced_values_of_raverun(override: str, hint: str) -> None:
    assert f"did you mean {hint}?" in run_raverun("rules", "show", "--set", override).output


def test_a_misplaced_table_of_a_file(run: Any, tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text("[basher]\ngp = 4\n", encoding="utf-8")
    assert "did you mean cards.basher.gp?" in " ".join(run("rules", "check", str(file)).output.split())


def test_help_names_sections() -> None:
    ragers = program_of("ragers")

    for command in (ragers, raverun):
        for words in (("rules", "-h"), *(("rules", name, "-h") for name in ("show", "check", "diff"))):
            text = CliRunner().invoke(command, list(words)).output
            assert not re.search(r"cardsS|charactersS|\b[A-Z_]*SECTION\b|EXAMPLE|PROGRAM", text)


# ---- refused before anything is solved ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("lock", "--habit", "veteran=50%", *DAY), "nobody place a veteran"),
        (("lock", "--habit", "veteran=0", *DAY), "nobody place a veteran"),
        (("lock", "--habit", "veteran=50%", "--cheers", "two-bashers"), "nobody place a veteran"),
        (
            ("lock", "--habit", "cheater=0", "--set", "cards.cheater.copies=0", *DAY),
            "no cheater in their deck",
        ),
        (("tune", "--goal", "opening.basher=110:120", *VARY), "0 to 100 (in %)"),
        (("tune", "--goal", "opening.each=:-1", *VARY), "0 to 100 (in %)"),
        (("tune", "--goal", "draw=101:", *VARY), "0 to 100 (in %)"),
        (("tune", "--goal", "mean_gp=:-1", *VARY), "never below 0"),
        (("tune", "--goal", "placed.basher=-2:-1", *VARY), "never below 0"),
        (("tune", "--goal", "opening.veteran=5:10", *VARY), "nobody place a veteran"),
    ],
)
def test_what_cannot_be_is_refused_before_solving(
    run: Any, fake_solver: Any, words: tuple[str, ...], message: str
) -> None:
    result = run(*words, "-q")
    assert result.exit_code == 2
    assert message in " ".join(result.output.split())
    assert not fake_solver.solved


def test_a_habit_is_kept_where_a_patron_of_several_allows_it(run: Any, fake_solver: Any) -> None:
    words = ("--habit", "veteran=0", "--patron", "solennos", "--patron", "arianna", "--cheers", "two-bashers")
    assert run("lock", *words, "--iterations", "1", "-q").exit_code == 0


@pytest.mark.parametrize("kind", ["efg", "nfg"])
def test_whole_days_are_not_written_out(run: Any, tmp_path: Path, kind: str) -> None:
    start = time.monotonic()
    result = run("export", kind, *DAY, "-o", str(tmp_path / "day"))
    assert result.exit_code == 1
    assert "take smaller decks" in result.output
    assert time.monotonic() - start < 5.0


def test_the_least_number_of_nodes_is_no_more_than_there_are() -> None:
    from analysis.ragers.day_tree import DayTree
    from engine.ragers.rules import load_rules
    from tests.oracles.games import ASYMMETRIC, SYMMETRIC

    for game in (SYMMETRIC[0], ASYMMETRIC[0]):
        rules = load_rules(overrides=game.overrides)
        tree = game.tree()
        source = DayTree(rules, game.patron, game.cheers, game.preparation)
        assert 1 <= source.least_nodes() <= len(tree.node_player)


# ---- what to do instead ------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", [("balance",), ("export", "strategies", "-o", "file.csv")])
def test_the_command_that_is_suggested_has_the_same_rules(run: Any, command: tuple[str, ...]) -> None:
    words = ("--set", "cards.basher.gp=7", "--set", "patrons.solennos.forbidden=[]", "--preparation", "none")
    result = run(*command, *words)
    assert result.exit_code == 1
    suggested = shlex.split(" ".join(result.output.split()).partition("ragers solve ")[2])
    assert " ".join(words[:4]) in " ".join(suggested)
    assert suggested[-2:] == ["--preparation", "none"]


def test_fewer_threads_are_named() -> None:
    from solver.hidden_hands.game import MemoryRefused

    assert "; 1 thread would fit" in str(MemoryRefused(2**31, 2**30, 1))
    assert "thread" not in str(MemoryRefused(2**31, 2**30))


def test_too_many_threads_are_said_to_be_too_many(
    run: Any, fake_solver: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    from solver.hidden_hands.game import MemoryRefused

    def refuse(*_: Any, **__: Any) -> None:
        raise MemoryRefused(2**40, 2**30, 2)

    monkeypatch.setattr("analysis.ragers.answers.solving.solve", refuse)
    result = run("solve", *DAY, "--fresh", "--threads", "1000")
    assert result.exit_code == 4
    assert "try --threads 2" in result.output
    assert "smaller variant" not in result.output


@pytest.mark.parametrize(
    ("history", "hand", "message"),
    [
        ("B/S", "B B B B C", "4 × basher, but 3 are left; you placed one"),
        ("B/S; D+?B/C", "B B B C C", "3 × basher, but 2 are left; you placed two"),
        ("-B/-; B/S", "B B B C C", "3 × basher, but 2 are left; you placed one and put one away"),
        ("-V/-; B/S", "V V C C B", "2 × veteran, but 1 is left; you put one away"),
        ("", "B B B B B", "5 × basher, but the deck has 4"),
    ],
)
def test_a_hand_of_cards_that_are_gone(history: str, hand: str, message: str) -> None:
    steps = parse_history(history) if history else []
    gone = own_cards(steps)
    copies = (4, 4, 4, 2, 2, 2, 2, 2)
    left = tuple(n - placed - away for n, placed, away in zip(copies, *gone, strict=True))
    with pytest.raises(HandError, match=re.escape(message)):
        check_hand(parse_hand(hand), left, 5, gone)


# ---- transcripts -------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def transcript(tmp_path_factory: pytest.TempPathFactory) -> str:
    ragers = program_of("ragers")

    file = tmp_path_factory.mktemp("transcript") / "day.txt"
    words = ("play", *DAY, "--opponent", "random", "--seed", "5", "--transcript", str(file))
    assert CliRunner().invoke(ragers, list(words), input="any\n" * 20).exit_code == 0
    return file.read_text(encoding="utf-8")


@pytest.mark.parametrize("spoil", ["", "x", "é ü", "-1", "7 8", "'", "none", "veteran veteran", "-", "²"])
def test_damaged_transcripts_are_refused_in_plain_words(
    run: Any, tmp_path: Path, transcript: str, spoil: str
) -> None:
    """Each line in turn loses its last word to something else."""
    lines = transcript.splitlines()
    file = tmp_path / "spoilt.txt"
    for number, line in enumerate(lines):
        spoilt = f"{line.rpartition(' ')[0]} {spoil}"
        file.write_text("\n".join([*lines[:number], spoilt, *lines[number + 1 :]]), encoding="utf-8")
        result = run("review", str(file))
        assert result.exit_code in (0, 2)
        assert not PYTHON.search(result.output), result.output


@pytest.mark.parametrize(
    ("data", "message"),
    [(b"\xff\xfe\x00", "no text"), (b"", "does not begin"), (b"\x00" * 40, "does not begin")],
)
def test_other_files_are_no_transcripts(run: Any, tmp_path: Path, data: bytes, message: str) -> None:
    file = tmp_path / "file"
    file.write_bytes(data)
    result = run("review", str(file))
    assert result.exit_code == 2
    assert message in result.output
    assert not PYTHON.search(result.output), result.output


@pytest.mark.parametrize("data", [b"", b"\xff", b"PK\x03\x04damaged"])
def test_other_files_are_no_values_of_raverun(tmp_path: Path, data: bytes) -> None:
    file = tmp_path / "file.npz"
    file.write_bytes(data)
    result = run_raverun("play", "--opponent", f"values:file={file}")
    assert result.exit_code != 0
    assert "or damaged" in " ".join(result.output.split())
    assert not PYTHON.search(result.output), result.output
