"""The golden answers and pages hold; and the comparisons notice what they are for."""

from __future__ import annotations

import pytest

from cli.programs import program_of
from tests.front.games import QUICK
from tests.golden import compare, pages

PAGES = (*QUICK, "arena")


@pytest.mark.slow
@pytest.mark.parametrize("program", compare.lines())
def test_answers_are_those_that_were_kept(program: str) -> None:
    assert compare.compare([program]) == []


@pytest.mark.parametrize("name", PAGES)
def test_kept_answers_look_as_they_did(name: str) -> None:
    known = pages.kept(name)
    assert known
    for line, each in known.items():
        looks = {key: value for key, value in each.items() if key not in ("answer", "varies")}
        assert pages.now(name, each["answer"]) == looks, line


@pytest.mark.parametrize("line", pages.kept("arena"))
def test_games_of_other_programs_are_answered_as_they_were(line: str) -> None:
    assert pages.differences("arena", line, dict(pages.ask("arena", [line]))[line]) == []


def test_differences_are_rows_and_numbers_and_no_new_fields(monkeypatch: pytest.MonkeyPatch) -> None:
    answer = {"version": "1.0.0", "rows": [{"a": 0.1 + 0.2}], "timing": 3, "sha256": "x"}
    monkeypatch.setattr(pages, "kept", lambda name: {"asked": {"answer": answer}, "other": {"varies": True}})
    same = {"version": "1.1.0", "rows": [{"a": 0.3, "b": 1}], "timing": 4, "sha256": "y", "new": None}
    assert pages.differences("game", "asked", same) == []
    assert pages.differences("game", "other", {}) == []
    assert pages.differences("game", "nothing", {}) == []
    for rows, found in (([{"a": 0.31}], 1), ([{}], 1), ([], 1), ([{"a": 0.3}, {"a": 0.3}], 1)):
        assert len(pages.differences("game", "asked", same | {"rows": rows})) == found


def test_every_command_of_every_program_has_a_line() -> None:

    import click

    lines = [line for asked in compare.lines().values() for line in asked]
    said = {tuple(line.split()[:3]) for line in [*lines, *compare.renamed()["lines"].values()]}
    # Questions that came later are in the suite of all questions.
    exempt = {"warmup", "report"} | {
        "balance",
        "train",
        "build",
        "prune",
        "review",
        "play",
        "tune",
        "value",
        "new",
        "sheet",
    }
    missing = []
    for program in compare.lines():
        group = program_of(program)
        context = click.Context(group)
        for name in group.list_commands(context):
            if program == "arena" and name not in ("solve", "games"):
                continue  # the programs of the games, which have lines of their own
            command = group.get_command(context, name)
            deeper = (
                [(name, each) for each in command.list_commands(context)]
                if isinstance(command, click.Group)
                else [(name,)]
            )
            for words in deeper:
                line = any(each[: 1 + len(words)] == (program, *words) for each in said)
                if not line and words[-1] not in exempt:
                    missing.append(" ".join((program, *words)))
    assert missing == []
    assert sum(map(len, compare.lines().values())) >= 120


def test_differences_are_noticed_and_renamed_ones_are_not() -> None:
    kept = {"answer": {"win": 0.5, "rows": [{"a": 1}, {"a": 2}], "time_s": compare.VARIES, "gone": 1}}
    now = {"answer": {"won": {"mean": 0.5 + 1e-12}, "lines": [{"b": 1}, {"b": 3}], "time_s": 4.0, "new": 0}}
    keys = {"warage match": {"answer.win": "answer.won.mean", "answer.rows.*.a": "answer.lines.*.b"}}
    found = dict(compare.differences("warage match x y", kept, now, keys))
    assert found == {
        "answer.rows.1.a": "2 is 3",
        "answer.gone": "1 is gone",
        "answer.lines.0.b": "1 is new",
        "answer.lines.1.b": "3 is new",
        "answer.new": "0 is new",
    } or set(found) == {"answer.rows.1.a", "answer.gone", "answer.new"}
    assert "answer.win" in dict(compare.differences("clash match", kept, now, keys))


def test_what_varies_between_runs_is_marked() -> None:
    one = {"a": 1.0, "b": [1, 2], "c": {"time_s": 1.0}, "d": [1]}
    other = {"a": 1.0, "b": [1, 3], "c": {"time_s": 2.0}, "d": [1, 2]}
    varies = compare.VARIES
    assert compare.merged(one, other) == {"a": 1.0, "b": [1, varies], "c": {"time_s": varies}, "d": varies}
    assert compare.same(varies, 7)
    assert compare.same("exact, version 0.1.0", "exact, version 1.0.0")
    assert compare.same("60 iterations in 0:01", "60 iterations in 0:02")
    assert not compare.same("60 iterations in 0:01", "61 iterations in 0:01")
    assert not compare.same("60 iterations, version 0.1.0", "61 iterations, version 1.0.0")
    assert not compare.same(True, 1.5)
