"""Every question of every declared game: help, bounds, schema, formats, examples, Python."""

from __future__ import annotations

import csv
import inspect
import io
import json
import re
import shlex
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from html.parser import HTMLParser
from itertools import chain, repeat
from pathlib import Path
from typing import Any

import jsonschema
import msgspec
import pytest
from click.testing import CliRunner, Result

from analysis import registry
from analysis.front.asking import function_of
from analysis.front.doors import by_door
from analysis.front.page import Follow, Heat, Page, Table
from analysis.front.parameters import Shape, text_of
from analysis.front.players import players_of
from analysis.front.question import Question, Running
from analysis.front.reference import common_of, common_reference, default_text, option_line, reference
from analysis.front.render.html import SCRIPT
from analysis.kept_tasks import KeptTasks
from arena_solver.folders import CACHE_VARIABLE
from cli.front import group_of, sentence_of
from tests.front.games import FILES, QUICK, check_each, declared, game, walks
from tests.golden import pages

_ANSWERS: dict[str, Any] = {}


@pytest.fixture
def once(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let a question be answered once, by an empty library, for all formats and all tests of this process."""
    answer = Question.answer

    def answered_once(asked_of: Any, asked: Any, running: Running | None = None) -> Any:
        key = f"{asked_of.needs.name} {asked_of.name} {asked}"
        if key not in _ANSWERS:
            _ANSWERS[key] = answer(asked_of, asked, running)
        return _ANSWERS[key]

    monkeypatch.setattr(Question, "answer", answered_once)
    # Its name is short enough for a line.
    with tempfile.TemporaryDirectory() as folder:
        monkeypatch.setenv(CACHE_VARIABLE, folder)
        yield


def run(name: str, *words: str, check: bool = True) -> Result:
    """Run a game's program in this process."""
    words = (*words[0].split(), *words[1:])
    result = CliRunner().invoke(group_of(game(name)), list(words), prog_name=name, catch_exceptions=False)
    assert not check or result.exit_code == 0, result.output
    return result


def answered(name: str, verb: str, *words: str) -> dict[str, Any]:
    """Return a question's JSON without what no two runs share."""
    found = json.loads(run(name, verb, *QUICK[name][verb], *words, "--format", "json", "-q").stdout)
    steadied: dict[str, Any] = pages.steady(found)
    return steadied


def words_of(name: str, verb: str, parameter: Any, value: Any) -> list[str]:
    """Return the words that give a parameter a value; words before it keep their defaults."""
    if not parameter.argument:
        return [f"{parameter.option}={value}"]
    question = game(name).question(verb)
    before = [each for each in question.parameters if each.argument]
    return [*(text_of(each.default) for each in before[: before.index(parameter)]), str(value)]


def plain(text: str) -> str:
    """Return help as one line."""
    return " ".join(text.split())


@pytest.mark.parametrize("name", QUICK)
def test_help_names_every_question_in_a_line_and_each_parameter_in_a_sentence(name: str) -> None:
    asked = game(name)
    assert set(QUICK[name]) == set(asked.questions)
    screen, _, examples = run(name, "--help").output.partition("\nExamples:")
    doors = [door for door, _ in by_door(asked.declared.items())]
    assert screen.count("\n") <= 24
    places = [screen.index(f"\n {door}\n") for door in doors]
    assert places == sorted(places)
    for verb, each in asked.declared.items():
        assert re.search(rf"^  {verb} +{re.escape(sentence_of(each.about))}$", screen, re.MULTILINE)
        assert f"{name} {each.examples[0]}" in examples

    def check(verb: str) -> None:
        shown = run(name, verb, "--help").output
        for each in asked.question(verb).parameters:
            assert each.option in shown
            assert re.match(r"[A-Z].*\.", each.help), each.help
            assert len(each.help.split()) >= 3, each.help
            assert each.help.split(".")[0] in plain(shown)
        assert "…" not in shown

    check_each(asked.questions, check)


@pytest.mark.parametrize("name", QUICK)
def test_what_is_out_of_bounds_or_unknown_is_refused_by_its_options_name(name: str) -> None:
    def check(verb: str) -> None:
        declaration = game(name).play if verb == "play" else game(name).question(verb)
        needed = QUICK[name].get(verb, ())
        for each in declaration.parameters:
            wrong: list[object] = []
            if each.shape in (Shape.WHOLE, Shape.NUMBER):
                assert each.least is not None, f"{each.option} has no least value"
                wrong = [each.least - 1, "many"] + ([] if each.largest is None else [each.largest + 1])
            elif each.shape in (Shape.PLAYER, Shape.KIND):
                wrong = ["zzz"]
            for value in wrong:
                words = [*(() if each.argument else needed), *words_of(name, verb, each, value)]
                result = run(name, verb, *words, check=False)
                assert result.exit_code == 2
                assert f"'{each.option}'" in result.output
                assert ("zzz" if value == "zzz" else each.allowed) in plain(result.output)
        if verb in ("play", "rules check"):  # whose answer that is
            return
        # Quoted by our own messages, and by newer versions of click.
        for option, text in (("--rules", "none.toml"), ("--set", "nothing.at.all=1")):
            refused = run(name, verb, *needed, option, text, check=False)
            assert refused.exit_code == 2
            assert re.search(f"(No such option: |'){option}", refused.output)

    check_each([*QUICK[name], *(["play"] if name == "bidding" else [])], check)


class _Texts(HTMLParser):
    """The texts of a page, and what it would load from elsewhere."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.loads: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.loads += [tag] if tag in ("script", "link", "img", "iframe") else []
        self.loads += [value or "" for key, value in attrs if key in ("src", "href")]

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def _leads_on(page: Page) -> list[Follow]:
    """All that a page leads on to."""
    found: list[Follow | None] = list(page.follow)
    for section in page.sections:
        if isinstance(section, Table):
            found += section.follow
        elif isinstance(section, Heat):
            found += [each for row in section.follow for each in row]
    return [each for each in found if each is not None]


@pytest.mark.parametrize(("name", "verbs"), walks())
@pytest.mark.usefixtures("once")
def test_answers_are_as_before_and_the_same_in_all_formats_and_in_python(name: str, verbs: list[str]) -> None:
    def check(verb: str) -> None:
        found = json.loads(run(name, verb, *QUICK[name][verb], "--format", "json", "-q").stdout)
        check_json(name, verb, found)
        check_formats(name, verb)
        question = game(name).question(verb)
        answer = function_of(question)(**given_by(question, QUICK[name][verb]))
        assert pages.steady(json.loads(msgspec.json.encode(answer))) == pages.steady(found)
        assert answer.rows() == question.page_of(answer).rows()
        assert "<h1>" in answer._repr_html_()

    check_each(verbs, check)


def check_json(name: str, verb: str, found: dict[str, Any]) -> None:
    """Check an answer against the schema that is made of its type, and against what is kept of it."""
    question = game(name).question(verb)
    schema = question.schema()
    # Once: `jsonschema.validate` would look at the schema itself each time.
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    validator.validate(found)
    assert schema["$id"].endswith(f":{name}:{verb.replace(' ', '-')}-{found['schema']}")
    assert not [key for key in schema["$defs"] if "[" in key or "__" in key], "names of types are stable"
    assert (found["game"], found["question"], found["exactness"]) == (name, verb, question.exactness)
    assert found["complete"]
    assert len(found["rules"]["sha256"]) == 64
    assert pages.differences(name, pages.quick_line(name, verb), found) == []
    assert not validator.is_valid(found | {"complete": "yes"})


def check_formats(name: str, verb: str) -> None:
    """Check that all formats come, and say the same."""

    def shown(form: str, *more: str) -> str:
        return run(name, verb, *QUICK[name][verb], "--format", form, "-q", *more).stdout

    page = msgspec.json.decode(shown("page"), type=Page)
    assert page.headline.endswith(".")
    rows = list(csv.DictReader(io.StringIO(shown("csv"))))
    assert len(rows) == len(page.rows()) > 0
    for row, known in zip(rows, page.rows(), strict=True):
        # Full precision: what is written reads back as the same number.
        numbers = {key: value for key, value in known.items() if isinstance(value, float)}
        assert {key: float(row[key]) for key in numbers} == numbers
    table, reader, html = plain(shown("table")), _Texts(), shown("html")
    assert max(map(len, shown("table", "--details").splitlines())) <= 80
    assert f"**{page.headline}**" in shown("md")
    sorts = f"<script>\n{SCRIPT.read_text(encoding='utf-8')}\nsortable(document);\n</script>"
    assert (sorts in html) == (" data-many" in html.partition("<script>")[0])
    reader.feed(html.replace(sorts, "", 1))
    assert reader.loads == []
    for sentence in (page.headline, *page.notes):
        assert sentence in table
        assert sentence in "".join(reader.texts)
    for each in _leads_on(page):
        asked = game(name).play if each.question == "play" else game(name).question(each.question)
        asked.build(**each.given)


def given_by(question: Any, words: Sequence[str]) -> dict[str, Any]:
    """Return the arguments of a function that stand for words of a command."""
    given: dict[str, Any] = {}
    repeatable = {each.name for each in question.parameters if each.repeatable}
    known = [each.name for each in question.parameters if each.argument]
    flags = {each.name for each in question.parameters if each.shape is Shape.FLAG}
    arguments = chain(known, repeat(known[-1]) if known else ())
    rest = iter(words)
    for word in rest:
        option = word[2:].replace("-", "_") if word.startswith("--") else ""
        key = option or next(arguments)
        value: Any = option in flags or (next(rest) if option else word)
        given[key] = [*given.get(key, ()), value] if key in repeatable else value
    return given


def test_every_question_can_be_called_from_python_and_says_what_it_takes() -> None:
    import arena_solver

    for name in (*registry.GAMES, "arena"):
        functions = getattr(arena_solver, name)
        for question in game(name).questions.values():
            assert question.function_name.isidentifier()
            function = getattr(functions, question.function_name)
            told = re.findall(r"^(\w+)\n    \S", function.__doc__, re.MULTILINE)
            assert told == list(inspect.signature(function).parameters), question.name


#: Examples of Ragers solve on the spot what its quick settings find in the library.
LIVE = [
    pytest.param(*each.values, id=each.id, marks=pytest.mark.kernels if each.id == "ragers" else each.marks)
    for each in walks()
]


LONG = (
    "checkup",
    "match --deals 2",
    "review match.txt --think 1s",
    "solve orc/warrior:war-axe elf/mage:fireball --hp 60 --other-hp 45 --season spring --rounds-left 12",
    "solve orc/warrior:great-sword,plate-armour human/mage:bone-collar,fireball,lightning",
    "solve human/warrior:war-axe elf/warrior:war-axe --set match.season_unit=point",
    "train values.npz --plays 100",
    "warmup --patron Solennos --cheers two-bashers",
)
"""Examples that take a quarter of a minute and more."""


@pytest.mark.parametrize("long", [False, pytest.param(True, id="long", marks=pytest.mark.slow)])
@pytest.mark.parametrize(("name", "verbs"), LIVE)
def test_examples_are_answered(
    name: str, verbs: list[str], long: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for file in (FILES / name).glob("*"):
        shutil.copy(file, tmp_path)

    def check(verb: str) -> None:
        for number, example in enumerate(game(name).question(verb).examples):
            if (example in LONG) != long:
                continue
            monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / f"cache{verb}{number}"))
            words = shlex.split(example)
            assert " ".join(words).startswith(verb)
            if pages.is_asked(words):
                told = run(name, *words, "--format", "json", "-q").stdout.replace(str(tmp_path), "FOLDER")
                assert pages.differences(name, example, json.loads(told)) == []
            else:
                run(name, *words, "-q")

    check_each(verbs, check)


@pytest.mark.parametrize("name", QUICK)
def test_the_reference_has_every_option_and_every_player(name: str) -> None:
    asked, common = game(name), common_of(list(map(game, QUICK)))
    page, shared = reference(asked, common), common_reference(common)
    several = page.partition("## Options of several questions\n")[2].partition("\n## ")[0]
    for each in asked.declared.values():
        if each.name in common.whole:
            found = shared.split(f"### GAME {each.name}\n")[1].split("\n### ")[0]
        else:
            found = page.split(f"### {name} {each.name}\n")[1].split("\n## ")[0].split("\n### ")[0]
        told = {*common.options.values(), *common.verbs.get(each.name, ())}
        for parameter in each.parameters:
            line = option_line(parameter)
            assert line in told or f"`{parameter.option}" in found or line in several
            assert (
                f"- {line}" in page + shared or f"as elsewhere (default: {default_text(parameter)})" in found
            )
            assert parameter.help in page + shared
        assert all(sentence in found + shared for sentence in each.about.split(". "))
    assert all(f"`{player}`: " in page for player in players_of(asked.player))


def test_the_same_option_means_the_same_in_all_questions_of_a_game() -> None:
    for name in QUICK:
        helps: dict[tuple[str, bool], set[str]] = {}
        for question in game(name).questions.values():
            for each in question.parameters:
                # What follows the first sentence may be of one question only.
                helps.setdefault((each.name, each.repeatable), set()).add(each.help.partition(".")[0])
        assert [key for key, several in helps.items() if len(several) > 1] == [], name


@pytest.mark.parametrize(
    ("name", "verb"), [each for each in declared(asks=True) if each.values[1] == "match"]
)
def test_kept_deals_and_several_jobs_give_the_same_answer(
    name: str, verb: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The processes of a pool find the game as installed packages are found.
    from tests.front.games import BIDDING

    monkeypatch.setenv("PYTHONPATH", str(BIDDING))
    kept = tmp_path / "kept.jsonl"
    once = answered(name, verb)
    assert answered(name, verb, "--keep", str(kept)) == once
    lines = kept.read_text(encoding="utf-8").splitlines()
    assert len(lines) > 1
    assert answered(name, verb, "--keep", str(kept)) == once
    assert kept.read_text(encoding="utf-8").splitlines() == lines
    # What is kept is not played again: what somebody else keeps there comes back.
    other = KeptTasks(kept, f"{name}-deals", json.loads(lines[0].partition("\t")[0])[f"{name}-deals"], "")
    for key, [deals] in list(other.done.items()):
        other.add(key, deals | {"draws": 999})
    assert answered(name, verb, "--keep", str(kept))["draws"] > once["draws"]
    kept.write_text("\n".join(lines[:-1]) + "\n", encoding="utf-8")
    assert answered(name, verb, "--keep", str(kept)) == once
    assert answered(name, verb, "--jobs", "2") == once
    seed = run(name, verb, *QUICK[name][verb], "--keep", str(kept), "--seed", "1", "-q", check=False)
    assert seed.exit_code == 2
    assert "--keep" in seed.output


def test_deals_that_were_kept_with_other_learned_values_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from analysis.front import contest

    kept = str(tmp_path / "kept.jsonl")
    answered("bidding", "match", "--keep", kept)
    monkeypatch.setattr(contest.ReferenceContest, "depends_on", "other values")
    contest._contests.clear()
    result = run("bidding", "match", "--deals", "120", "--keep", kept, "-q", check=False)
    assert result.exit_code == 2
    assert "--keep" in result.output


def test_an_interrupted_match_says_what_is_finished() -> None:
    from analysis.interrupt import Interrupt

    question = game("bidding").question("match")
    interrupt = Interrupt()

    def stop(phase: str, done: int, total: int) -> None:
        assert (phase, total) == ("deals", 120)
        interrupt.requested = done >= 50

    found = question.answer(question.build(deals=120), Running(note=stop, interrupt=interrupt))
    assert (found.deals, found.plays, found.complete) == (50, 100, False)
    assert "Stopped early: 50 of 120 deals are finished." in question.page_of(found).notes
    whole = function_of(question)(deals=50)
    assert found.sides == whole.sides, "deals depend on their number only"


def test_a_player_against_itself_wins_half_by_design() -> None:
    match = function_of(game("bidding").question("match"))
    for player in ("rank", "high:least=3", "random"):
        found = match(player=[player], deals=7, seed=2)
        assert found.by_design
        assert [side.won.mean for side in found.sides] == [0.5, 0.5]
        assert found.sides[0].won.low is None
        assert "by design" in " ".join(found.page().notes)
    other = match(player=["rank", "high"], deals=40)
    assert not other.by_design
    assert sum(side.won.mean or 0.0 for side in other.sides) == pytest.approx(1.0)
    swapped = match(player=["high", "rank"], deals=40)
    # Rules of thumb draw nothing, so the answer for swapped players is the same with the names swapped.
    assert [side.won.mean for side in swapped.sides] == [side.won.mean for side in other.sides][::-1]
    assert [side.by_seat for side in swapped.sides] == [side.by_seat for side in other.sides][::-1]


def test_solving_agrees_with_play_and_with_itself_from_the_other_seat() -> None:
    solve = function_of(game("bidding").question("solve"))
    fair = solve()
    assert abs(fair.value) < 1e-9
    assert fair.nash_conv < 1e-8
    assert {decision.seat for decision in fair.decisions} == {1, 2}
    openings = [decision for decision in fair.decisions if decision.knows == "gold?"]
    assert [decision.seat for decision in openings] == [1, 2]
    assert [decision.mix["three"] for decision in openings] == pytest.approx([1.0, 1.0])
    for decision in fair.decisions:
        assert sum(decision.mix.values()) == pytest.approx(1.0)
    better = solve(first="three, three, two", second="one, two, three", prize="gold")
    worse = solve(first="one, two, three", second="three, three, two", prize="gold")
    assert better.value == pytest.approx(-worse.value)
    assert better.value > 0
    assert "first seat gains" in better.page().headline
    assert "second seat gains" in worse.page().headline
    refused = run("bidding", "solve", "--max-nodes", "100", check=False)
    assert refused.exit_code == 4
    assert "--max-nodes" in refused.output


def test_kept_answers_are_shown_together_on_one_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    run("bidding", "solve", "--format", "json", "-o", "solve.json", "-q")
    run("bidding", "match", "--deals", "10", "--format", "json", "-o", "match.json", "-q")
    grid = ("--vary", "prizes.gold.worth=2:3", "--format", "json", "-o", "grid.json", "-q")
    run("bidding", "solve", *grid)
    one = json.loads(run("arena", "report", "solve.json", "--format", "json").stdout)
    assert one["answers"] == [json.loads(Path("solve.json").read_text(encoding="utf-8"))]
    run("arena", "report", "solve.json", "match.json", "grid.json", "-o", "all.html")
    reader = _Texts()
    reader.feed(Path("all.html").read_text(encoding="utf-8"))
    text = "".join(reader.texts)
    assert "3 answers about" in text
    assert "bidding solve: Neither seat is better" in text
    assert "bidding match: " in text
    assert "largest" in text
    changed = Path("solve.json").read_text(encoding="utf-8").replace('"value":', '"worth":')
    Path("other.json").write_text(changed, encoding="utf-8")
    assert "another version" in plain(run("arena", "report", "other.json", check=False).output)
    assert "name one file" in run("arena", "report", check=False).output
