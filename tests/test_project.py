"""The project as a whole: who imports whom, what the README promises, links that lead somewhere."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").glob("*.md"))]
PAGES += [ROOT / "results" / "README.md", ROOT / "benchmarks" / "README.md"]


def test_import_contracts() -> None:
    code = "from importlinter.cli import lint_imports_command; lint_imports_command()"
    result = subprocess.run(
        [sys.executable, "-c", code, "--no-cache"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stdout + result.stderr


def test_ci_runs_the_commands_of_the_readme() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    ci = (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()
    for command in ("pip install . && ragers-solve --patron Arianna", "pip install -e '.[test]' && pytest"):
        assert f"```\n{command}\n" in readme
        assert command in ci
    assert os.access(ROOT / ".ci" / "run", os.X_OK)


@pytest.mark.parametrize(
    ("words", "several"),
    [(["tests"], True), (["tests/solver"], True), (["tests/test_a.py"], False), (["tests/a.py::b"], False)],
)
def test_what_is_named_is_tested_in_this_process(
    words: list[str], several: bool, request: pytest.FixtureRequest
) -> None:
    workers = request.config.hook.pytest_xdist_auto_num_workers(config=SimpleNamespace(args=words))
    assert (workers > 0) is several


def test_reference_pages_are_what_is_declared() -> None:
    """``python docs/make_reference.py`` writes them."""
    path = ROOT / "docs" / "make_reference.py"
    done = subprocess.run([sys.executable, str(path), "--check"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for link in re.findall(r"\]\(([^)\s]+)\)", text):
        if link.startswith(("http://", "https://")):
            continue
        name, _, anchor = link.partition("#")
        target = (page.parent / name).resolve() if name else page
        assert target.exists(), f"{page.name} -> {link}"
        if anchor:
            headings = re.findall(r"^#+ (.*)$", target.read_text(encoding="utf-8"), flags=re.MULTILINE)
            anchors = [re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings]
            assert anchor in anchors, f"{page.name} -> {link}"


PRIVATE_WORDS = {
    "perfect-information bound": r"foresee\w*|foreseen|foresight",
    "last-step re-solving": r"settl(?:e|ed|es)[ _](?:anew|final|steps?|records?)|steps? settled|settling",
    "thresholding": r"concentrat(?:e|es|ing)|(?:play|actions?) (?:is |are )?concentrated on",
    "lazy updates": r"deferr?(?:al|als|ed|ing|s)?",
    "partial updates": r"sleep(?:s|ing)?|asleep|awake",
    "refined": r"told_apart|histories (?:\w+ )?told apart|tell\w* histories apart",
    "symmetry quotient": r"folded tree|folds",
    "locked frequency": r"habits?",
    "baseline policy": r"manners?",
    "inverse temperature": r"heat",
    "pilot iterations, reach": r"scouts?|scouted|traffic",
    "cumulative reach": r"flows?|inflows?|(?:met|lone|sum|opp|child)_(?:in)?flows?|flow_\w+",
    "forward and backward pass": r"(?:open|close)_(?:node|window)|(?:opening|closing) (?:a|the) node",
}
"""What the field calls it, and what this project once did."""
ALLOWED_WORDS = {
    # The option, its report and its key, and a field of reports.
    ("app/", "cli/", "analysis/", "docs/"): r"(?i)habits?|heat|told_apart|folds",
    # Names of arrays in files that were saved before; a solve goes on from them.
    ("solver/hidden_hands/tables.py",): r"deferred_\{name\}|\"flows?\"",
    # A word of the states of games says how far play is.
    ("analysis/clash/", "analysis/ragers/match/", "analysis/raverun/"): r"(?i)flow",
    # Waiting for another process; a search that puts its updates off.
    (
        "app/jobs.py",
        "app/working.py",
        "arena_solver/",
        "analysis/ragers/workbench/searching.py",
    ): r"sleep|deferred",
    # Other games and other solvers.
    ("solver/bimatrix", "docs/day-solver-experiments.md"): r"folds|sleep\w*|deferr\w*",
}


def test_the_words_are_those_of_the_field() -> None:
    private = re.compile("|".join(rf"\b(?:{word})\b" for word in PRIVATE_WORDS.values()), re.IGNORECASE)
    found = []
    files = [
        path for top in ("solver", "analysis", "app", "cli", "docs") for path in (ROOT / top).rglob("*.*")
    ]
    for path in files:
        if path.suffix not in (".py", ".md"):
            continue
        name = path.relative_to(ROOT).as_posix()
        allowed = [words for tops, words in ALLOWED_WORDS.items() if name.startswith(tops)]
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            text = line
            for words in allowed:
                text = re.sub(words, "", text)
            if private.search(text):
                found.append(f"{name}:{number}: {line.strip()}")
    assert found == []


def test_no_file_outgrows_a_reader() -> None:
    packages = ("engine", "solver", "analysis", "app", "cli", "arena_solver")
    files = [path for top in packages for path in (ROOT / top).rglob("*.py")]
    long = {path.name for path in files if len(path.read_text(encoding="utf-8").splitlines()) > 500}
    assert files
    assert long == set()
