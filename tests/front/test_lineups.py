"""Lineups: what a form's fields say is the text that the game reads, and the other way round."""

from __future__ import annotations

import random
import shlex
from functools import cache

from hypothesis import given
from hypothesis import strategies as st

from analysis.front.forms import form_of, read_form
from analysis.front.kinds import Holding, Lineup, Names, Steps
from analysis.front.lineups import Standing, holding_parts, holding_text, lineup_parts, lineup_text
from analysis.ragers.play.histories import history_text, parse_history
from tests.app.test_questions import fields_of
from tests.front.games import declared, game, random_value

LINEUPS = [
    (str(name), str(verb), each.name)
    for name, verb in (each.values for each in declared())
    for each in game(str(name)).question(str(verb)).parameters
    if isinstance(each.kind, Lineup)
]


@cache
def kind_of(name: str, verb: str, parameter: str) -> tuple[Lineup, Names]:
    question = game(name).question(verb)
    kind = next(each.kind for each in question.parameters if each.name == parameter)
    assert isinstance(kind, Lineup)
    return kind, question.names({})


@given(st.sampled_from(LINEUPS), st.integers(0, 10**6))
def test_entries_become_a_text_and_come_back(place: tuple[str, str, str], seed: int) -> None:
    kind, names = kind_of(*place)
    chance, entries = random.Random(seed), []
    for each in chance.sample(list(names[kind.names]), min(3, len(names[kind.names]))):
        marks = [mark for mark in kind.marks if chance.random() < 0.5]
        told = {
            mark.name: chance.randint(mark.least, mark.most or mark.least + 30) if "{}" in mark.text else 1
            for mark in marks
        }
        entries.append(Standing(each.id, told))
    text = lineup_text(kind, entries)
    assert lineup_parts(kind, text, names) == ("", entries), text
    assert lineup_parts(kind, text.upper(), names) == ("", entries), text


def test_every_example_is_in_fields_and_is_read_from_them_as_it_was() -> None:
    for name, verb, parameter, example in (
        (*place, example) for place in LINEUPS for example in game(place[0]).question(place[1]).examples
    ):
        question = game(name).question(verb)
        kind, names = kind_of(name, verb, parameter)
        option, words = f"--{parameter.replace('_', '-')}", shlex.split(example)
        if option not in words:
            continue
        text = words[words.index(option) + 1]
        form = form_of(question, names, {parameter: text})
        shown = [each for _, group in form.groups for each in group] + form.more
        field = next(each for each in shown if each.name == parameter)
        assert field.widget == "parts", text
        given, _ = read_form(question, dict(fields_of(form)), names)
        assert lineup_parts(kind, str(given[parameter]), names) == lineup_parts(kind, text, names)


def test_a_text_that_says_more_than_fields_can_stays_a_text() -> None:
    question = game("ophidian").question("solve")
    kind, names = kind_of("ophidian", "solve", "team")
    for text in ("nobody", "Thorn w1 w2", "Thorn by the wall", "Thorn Runt"):
        assert lineup_parts(kind, text, names) is None
        form = form_of(question, names, {"team": text})
        field = next(each for _, group in form.groups for each in group if each.name == "team")
        assert (field.widget, field.value) == ("text", text)


def test_what_units_carry_is_chosen_and_comes_back() -> None:
    found = [
        (question, each.kind)
        for question in game("clash").questions.values()
        for each in question.parameters
        if each.name == "equip" and isinstance(each.kind, Holding)
    ]
    assert found
    chance = random.Random(0)
    for question, kind in found:
        names = question.names({})
        for _ in range(5):
            name = chance.choice(list(names[kind.names])).id
            held = [each.id for each in chance.sample(list(names[kind.held]), chance.randint(1, kind.most))]
            text = holding_text(name, held)
            assert holding_parts(kind, text, names) == (name, held)
            form = form_of(question, names, {"equip": [text]})
            (field,) = (each for each in form.more if each.name == "equip")
            assert [each.widget for each in field.fields] == ["parts", "parts"]
            assert read_form(question, dict(fields_of(form)), names)[0]["equip"] == [text]
            # Whoever is chosen may carry nothing; nobody chosen is no answer.
            assert read_form(question, {"equip.0.0": [name]}, names)[0]["equip"] == [f"{name}: "]
            assert not read_form(question, {"equip.0.1": held}, names)[0].get("equip")
        # Several in one text, and a space that is named, stay as they are typed.
        for text in ("executioner: axe; kragrider: crossbow", "executioner: weapon=axe"):
            form = form_of(question, names, {"equip": [text]})
            (field,) = (each for each in form.more if each.name == "equip")
            assert (field.fields[0].widget, field.fields[0].value) == ("text", text)


def test_what_is_no_number_is_said_beside_the_lineup() -> None:
    question = game("ophidian").question("solve")
    posted = {"team.0.name": ["thorn"], "team.0.wounds": ["many"], "against.ready": ["storm"]}
    _, errors = read_form(question, posted, question.names({}))
    assert "many" in errors["team"]


def test_steps_are_laid_out_of_what_both_sides_can_have_done() -> None:
    question = game("ragers").question("advise")
    names, chance = question.names({}), random.Random(0)
    (declared,) = (each for each in question.parameters if each.name == "history")
    assert isinstance(declared.kind, Steps)
    for _ in range(20):
        text = random_value(declared, names, chance)
        form = form_of(question, names, {"history": text})
        assert read_form(question, dict(fields_of(form)), names)[0]["history"] == text
        # What a form lays is what the game reads.
        assert [*map(str, history_text(parse_history(text)))] == text.split("; ")
    # Letters, as people type them, come back as the same steps; what no drop-down says stays as it is typed.
    form = form_of(question, names, {"history": "B/S; V+B/D+?"})
    assert read_form(question, dict(fields_of(form)), names)[0]["history"] == (
        "basher/slasher; veteran+basher/deadeye+?"
    )
    half = {"history.0.own": ["basher"], "history.0.other": [""]}
    assert "history" in read_form(question, half, names)[1]
    form = form_of(question, names, {"history": "-B/-S"})
    (field,) = (each for _, group in form.groups for each in group if each.name == "history")
    assert (field.widget, field.value) == ("text", "-B/-S")
