"""What is asked wrongly is refused at once, and what is wrong is named; no compiler is needed, nor for help.

Options beyond their bounds and names that do not exist are walked through all questions in `tests/front`.
"""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from analysis.errors import MalformedFileError, RefusedError, RequestError, WorkError
from cli.entry import command
from cli.programs import program_of
from tests.cli.conftest import ROOT

GAMES = Path(__file__).with_name("game_files")
SOLENNOS = "--patron Solennos --cheers two-bashers"

#: By program: a command line, its exit code, and what has to be named.
REFUSED: dict[str, list[tuple[str, int, str]]] = {
    "arena": [
        ("rager solve", 2, "Did you mean ragers"),
        (f"solve {GAMES / 'bets.efg'} --method exact --iterations 5", 2, "--iterations"),
        (f"solve {GAMES / 'bets.efg'} --method lp --target 0.1", 2, "--target"),
    ],
    "clash": [
        ("solve --attacker bohorg:9,I --defender elves:1,Guard", 2, "--attacker"),
        ("solve --attacker tomb:I --market axe --gold 3 --share 1 --share 2", 2, "--share"),
        ("tactic --clan tomb --clan bohorg --playouts 1 --hand 1", 2, "--hand"),
        ("balance --points 99", 2, "--points"),
        ("tactic --playouts 2 --save-values pyproject.toml", 2, "--save-values"),
        ("match --deals 1 --player random --keep no/such/folder", 2, "--keep"),
    ],
    "ophidian": [
        ("export --team iron --against strom -o x.efg", 2, "--against"),
        ("match --player nobody", 2, "--player"),
        ("match --deals 1 --player random --keep /dev/full", 2, "--keep"),
    ],
    "ragers": [
        ("solv", 2, "Did you mean solve?"),
        ("rules shwo", 2, "Did you mean show?"),
        ("solve --patron ariana", 2, "arianna"),
        ("solve --set match.discards=0 --preparation redraw", 2, "no discard"),
        ("solve --hand 'B B S C'", 2, "5 cards"),
        ("solve --hand 'V V V B B'", 2, "there are at most 2"),
        ("solve --hand 'B B S ch V'", 2, "chancer or cheater"),
        ("solve --output no/such/folder/file.json", 2, "no folder"),
        ("solve --output .", 2, "directory"),
        ("solve --force", 2, "--force"),
        ("solve stray", 2, "stray"),
        (f"advise {SOLENNOS} --hand 'B B S C T' --history B", 2, "a slash"),
        (f"advise {SOLENNOS} --hand 'B B S C T' --exchange --preparation none", 2, "--exchange is about"),
        ("match --no-discard --deals 1", 2, "is for a single day"),
        ("match --player nobody", 2, "--player"),
        ("library build", 2, "--target"),
        ("play --no-discard", 2, "single day"),
        ("play --transcript /nowhere/at/all", 2, "no folder"),
        ("review pyproject.toml", 2, "does not begin"),
    ],
    "raverun": [
        ("slove", 2, "Did you mean solve?"),
        ("match --player nobody", 2, "--player"),
        ("train -", 2, "the answer goes to stdout"),
    ],
    "warage": [
        ("attack elf/mage:firebill elf/mage", 2, "fireball"),
        ("solve orc elf/mage", 2, "orc"),
        ("worth orc/warrior elf/wizard", 2, "wizard"),
        ("match orc-warrior elf-mage --player greedi", 2, "--player"),
        ("play orc-warrior nobody", 2, "nobody"),
    ],
}
CODE = """
import json, sys
from click.testing import CliRunner
from cli.programs import program_of
asked, outcomes = json.loads(sys.stdin.read()), []
for name, lines in asked.items():
    program = program_of(name)
    helped = [["--help"], *([verb, "--help"] for verb in program.list_commands(None))]
    for words in [*helped, *lines]:
        result = CliRunner().invoke(program, words, prog_name=name)
        heavy = sorted({"numba", "scipy", "numpy"} & set(sys.modules))
        outcomes.append([" ".join([name, *words]), result.exit_code, result.output, heavy])
print(json.dumps(outcomes))
"""


def test_what_is_wrong_is_named_at_once_and_nothing_is_compiled() -> None:
    asked = {name: [shlex.split(line) for line, _, _ in lines] for name, lines in REFUSED.items()}
    done = subprocess.run(
        [sys.executable, "-c", CODE],
        input=json.dumps(asked),
        check=True,
        capture_output=True,
        text=True,
        cwd=ROOT,
    )
    expected = {
        " ".join([name, *shlex.split(line)]): (code, named)
        for name, lines in REFUSED.items()
        for line, code, named in lines
    }
    for line, code, output, heavy in json.loads(done.stdout):
        wanted, named = expected.pop(line, (0, "Usage: "))
        text = " ".join(output.replace("│", " ").split())
        assert (code, named in text, "Traceback" in text) == (wanted, True, False), f"{line}\n{output}"
        assert heavy == [], line
    assert not expected


def test_files_that_cannot_be_what_they_are_to_be_are_named() -> None:
    for program, line, named in (
        ("ragers", f"solve {SOLENNOS} --checkpoint -", "the answer goes to stdout"),
        ("raverun", "play --opponent values:file=pyproject.toml", "or damaged"),
    ):
        result = CliRunner().invoke(program_of(program), shlex.split(line), prog_name=program)
        assert result.exit_code == 2
        assert named in " ".join(result.stderr.split())


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        (RequestError("what?", "--left"), 2, "Invalid value for '--left': what?"),
        (RequestError("what?"), 2, "Error: what?"),
        (WorkError("no way"), 1, "Error: no way"),
        (RefusedError("too large"), 4, "Refused: too large"),
        (MalformedFileError("line 1"), 2, "Error: line 1"),
    ],
)
def test_errors_end_as_they_say(error: Exception, code: int, said: str) -> None:
    @command("fail")
    def fail() -> None:
        raise error

    result = CliRunner().invoke(fail)
    assert result.exit_code == code
    assert said in result.stderr
    assert result.stdout == ""
