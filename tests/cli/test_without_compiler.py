"""Help and wrong usage import neither a compiler nor numpy, in any program."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

WRONG = {
    "arena": (),
    "clash": (
        "solve --attacker bohorg:9,I --defender elves:1,Guard",
        "need --attacker elves --defender elves:1,Guard",
        "split --attacker tomb:I --defender tomb:I --defender elves:II",
        "equip --attacker tomb:I --defender bohorg:I --market axe --gold 3 --shares 1,2",
        "tactic --clan tomb --against bohorg --playouts 1 --hand 1",
        "balance --points 99",
    ),
    "ophidian": (
        "export efg --team iron --against strom -o x.efg",
        "export response --team iron --against storm --attack Runt>Nobody --hidden iron -o x.efg",
        "response --team iron --against storm --attack Runt>Tempest --hidden nothing",
        "match --player nobody",
        "report pyproject.toml -o x.html",
    ),
    "ragers": ("match --player nobody",),
    "raverun": ("match --player nobody",),
    "warage": (
        "attack elf/mage:firebill elf/mage",
        "solve orc elf/mage",
        "solve orc/warrior elf/warrior --hp 0,5",
        "worth orc/warrior elf/wizard",
        "attack orc/warrior elf/mage --replies --attack fireball",
        "match orc-warrior elf-mage --player greedi",
        "deck value orc-warrior --cards fireball",
        "brawl orc-warrior elf-mage",
        "guild orc-warrior elf-mage human-paladin",
        "balance --decks orc-warrior,orc-warrior",
        "play orc-warrior nobody",
    ),
}
CODE = """
import json, sys
from click.testing import CliRunner
from cli.programs import program_of
program = program_of(sys.argv[1])
calls = [["--help"], *([name, "--help"] for name in program.list_commands(None))]
helped, wrong = ([CliRunner().invoke(program, call).exit_code for call in each]
                 for each in (calls, map(str.split, sys.argv[2:])))
print(json.dumps([helped, wrong, sorted({"numba", "scipy", "numpy"} & set(sys.modules))]))
"""


@pytest.mark.parametrize("program", WRONG)
def test_help_and_wrong_usage_need_no_compiler(program: str) -> None:
    call = [sys.executable, "-c", CODE, program, *WRONG[program]]
    folder = Path(__file__).resolve().parents[2]
    done = subprocess.run(call, check=True, capture_output=True, text=True, cwd=folder)
    helped, wrong, heavy = json.loads(done.stdout)
    assert set(helped) == {0}
    assert set(wrong) <= {2}
    assert heavy == []
