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

from cli.programs import program_of
from tests.cli.conftest import ROOT

#: How soon (`refused.txt` says what each means), by which program, with what exit code; and what is named.
REFUSED = [
    (soon, program, int(code), shlex.split(line), named)
    for soon, program, code, line, named in (
        line.split("\t")
        for line in Path(__file__).with_name("refused.txt").read_text(encoding="utf-8").splitlines()
        if not line.startswith("#")
    )
]
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
    light = [each for each in REFUSED if each[0] == "light"]
    asked: dict[str, list[list[str]]] = {}
    for _, program, _, words, _ in light:
        asked.setdefault(program, []).append(words)
    done = subprocess.run(
        [sys.executable, "-c", CODE],
        input=json.dumps(asked),
        check=True,
        capture_output=True,
        text=True,
        cwd=ROOT,
    )
    expected = {" ".join([program, *words]): (code, named) for _, program, code, words, named in light}
    for line, code, output, heavy in json.loads(done.stdout):
        wanted, named = expected.pop(line, (0, "Usage: "))
        text = " ".join(output.replace("│", " ").split())
        assert (code, named in text, "Traceback" in text) == (wanted, True, False), f"{line}\n{output}"
        assert heavy == [], line
    assert not expected


@pytest.mark.parametrize(
    ("soon", "program"),
    [
        pytest.param(soon, program, marks=pytest.mark.kernels if soon == "kernels" else [])
        for soon, program in sorted({each[:2] for each in REFUSED if each[0] != "light"})
    ],
)
def test_what_is_wrong_is_said_with_what_would_do(
    soon: str, program: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    wrong = []
    for *of, code, words, named in REFUSED:
        if of == [soon, program]:
            result = CliRunner().invoke(program_of(program), words, prog_name=program)
            text = " ".join(result.output.split())
            if (result.exit_code, named in text, "Traceback" in text) != (code, True, False):
                wrong.append((words, result.exit_code, text))
    assert wrong == []
