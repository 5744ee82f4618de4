"""The project as a whole: who imports whom, what the README promises, links that lead somewhere."""

from __future__ import annotations

import base64
import hashlib
import os
import re
import runpy
import shutil
import subprocess
import sys
import tomllib
import zipfile
from importlib import metadata
from pathlib import Path
from types import SimpleNamespace

import pytest

from arena_solver import folders

ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").glob("*.md"))]
PAGES += [ROOT / "CONTRIBUTING.md", ROOT / "SECURITY.md"]
PAGES += [ROOT / "results" / "README.md", *sorted((ROOT / "benchmarks").glob("*.md"))]


def test_import_contracts() -> None:
    code = "from importlinter.cli import lint_imports_command; lint_imports_command()"
    result = subprocess.run(
        [sys.executable, "-c", code, "--no-cache"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stdout + result.stderr


def test_ci_runs_the_commands_of_the_readme() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    ci = [line.strip() for line in (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()]
    for command in ("pip install . && ragers-solve --patron Arianna", "pip install -e '.[test]' && pytest"):
        assert f"```\n{command}\n" in readme
        assert command in ci
    assert os.access(ROOT / ".ci" / "run", os.X_OK)


STEPS = ("lint", "site", "tests", "kernels", "speed", "main", "slow", "lowest", "package")


def test_workflows_run_the_steps_of_ci_and_scripts_that_there_are() -> None:
    ci = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert tuple(re.findall(r"^(\w+)\(\) \{$", ci, flags=re.M)) == ("enter", "full", *STEPS)
    called = set()
    for workflow in sorted((ROOT / ".github" / "workflows").glob("*.yml")):
        text = workflow.read_text(encoding="utf-8")
        for script, words in re.findall(r"- run: ((?:\.ci|packaging)/\w+)(.*)", text):
            assert os.access(ROOT / script, os.X_OK), f"{workflow.name}: {script}"
            if script == ".ci/run":
                steps = " ".join(re.findall(r"step: (\w+)", text))
                called.update(words.replace("${{ matrix.step }}", steps).split())
    assert called == set(STEPS)


def test_hooks_are_the_linters_of_ci() -> None:
    ci = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    hooks = (ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8")
    lint = re.search(r"^lint\(\) \{\n(.*?)^\}", ci, flags=re.M | re.S)
    assert lint is not None
    commands = [line.strip().removesuffix(" .") for line in lint[1].splitlines()]
    entries = [entry.removesuffix(" --force-exclude") for entry in re.findall(r"entry: (.*)", hooks)]
    assert entries
    assert set(entries) == {each for each in commands if each.startswith(("ruff", "mypy", "lint-imports"))}


@pytest.mark.skipif(shutil.which("actionlint") is None, reason="actionlint is not installed")
def test_workflows_are_sound() -> None:
    done = subprocess.run(["actionlint"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_one_version_everywhere_and_what_has_changed_in_it() -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    assert f"\nversion: {version}\n" in (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    script = [sys.executable, str(ROOT / "packaging" / "changelog")]
    done = subprocess.run([*script, version], capture_output=True, text=True, check=False)
    assert done.returncode == 0
    assert done.stdout.startswith(("###", "A change"))
    assert "\n## " not in done.stdout
    assert subprocess.run([*script, "9.9.9"], capture_output=True, check=False).returncode == 1


@pytest.mark.parametrize(
    ("file", "least"),
    [
        ("arena_solver/writing.py", {"tests/arena_solver/test_writing.py"}),
        ("arena_solver/machine.py", {"tests/arena_solver/test_machine.py"}),
        ("tests/test_prose.py", {"tests/test_prose.py"}),
        ("docs/concepts.md", {"tests/test_prose.py", "tests/test_project.py"}),
        (".ci/run", {"tests/test_project.py"}),
    ],
)
def test_what_is_touched_is_tested(file: str, least: set[str]) -> None:
    tests_of = runpy.run_path(str(ROOT / ".ci" / "touched"), run_name="touched")["tests_of"]
    found = set(tests_of([file]))
    assert least <= found
    assert len(found) < 40


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
        "analysis/front/searching.py",
    ): r"sleep|deferred",
    # Other games and other solvers.
    ("solver/bimatrix",): r"folds|sleep\w*|deferr\w*",
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


def test_a_wheel_of_kernels_lays_them_beside_the_program(tmp_path: Path) -> None:
    write_wheel = runpy.run_path(str(ROOT / "packaging" / "kernels"), run_name="kernels")["write_wheel"]
    versions = {"arena-solver": "9.8", "numba": "0.60.0", "llvmlite": "0.43.0"}
    path = write_wheel({"engine-0123/one.kernel.xz": b"packed"}, tmp_path / "dist", versions)
    zipfile.ZipFile(path).extractall(tmp_path / "site")
    (found,) = metadata.distributions(name="arena-solver-kernels", path=[str(tmp_path / "site")])
    assert found.version == "9.8"
    assert found.requires == ["arena-solver ==9.8", "numba ==0.60.0", "llvmlite ==0.43.0"]
    kept = tmp_path / "site" / folders.SHIPPED.relative_to(ROOT) / "engine-0123" / "one.kernel.xz"
    assert kept.read_bytes() == b"packed"
    files = found.files or []
    assert {file.name for file in files} == {"one.kernel.xz", "METADATA", "WHEEL", "RECORD"}
    for file in files:
        if file.name != "RECORD":
            assert file.hash is not None
            digest = hashlib.sha256(file.read_binary()).digest()
            assert base64.urlsafe_b64encode(digest).rstrip(b"=").decode() == file.hash.value


def test_a_player_is_it() -> None:
    word = re.compile(r"\b(?:he|his|him|himself)\b", re.IGNORECASE)
    found = [
        f"{path.relative_to(ROOT)}: {line}"
        for top in ("analysis", "app", "arena_solver", "cli", "engine", "solver")
        for path in sorted((ROOT / top).rglob("*.py"))
        for line in path.read_text(encoding="utf-8").splitlines()
        if word.search(line)
    ]
    assert found == []
