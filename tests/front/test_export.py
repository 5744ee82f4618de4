"""``export``: in every game each form refuses, before anything is written, what only others heed."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from analysis.errors import RequestError
from analysis.front.parameters import Shape, parameters
from analysis.front.verbs.export import Form
from solver.efg_reader import parse_efg
from tests.front.games import QUICK, game

GAMES = [name for name in QUICK if "export" in game(name).questions]


def forms_of(name: str) -> tuple[Form, ...]:
    found: Any = game(name).question("export").function
    forms: tuple[Form, ...] = found.args[0]
    return forms


@pytest.mark.parametrize("name", GAMES)
def test_forms_name_parameters_that_there_are(name: str) -> None:
    known = {each.name for each in parameters(game(name).question("export").asked)}
    for form in forms_of(name):
        assert {*form.takes, *form.needs} <= known
        assert form.suffix in ("csv", "efg", "nfg", "json")


@pytest.mark.parametrize("name", GAMES)
def test_what_a_form_does_not_heed_is_refused_and_what_it_needs_is_missed(name: str) -> None:
    question, forms = game(name).question("export"), forms_of(name)
    names = game(name).lists(game(name).read())
    known = {each.name: each for each in parameters(question.asked)}
    usual = {each.name: "Runt" for each in known.values() if each.required}
    for form in forms:
        others = {each for other in forms for each in other.takes} - set(form.takes)
        for option in [known[each] for each in sorted(others)]:
            value = _other(option, names)
            asked = question.build(**usual, to=form.name, **{option.name: value})
            with pytest.raises(RequestError, match="means nothing with --to") as refused:
                question.answer(asked)
            assert refused.value.option == option.option
        for needed in form.needs:
            asked = question.build(**usual, to=form.name)
            with pytest.raises(RequestError, match=f"has to be given with --to {form.name}") as refused:
                question.answer(asked)
            assert refused.value.option in {known[each].option for each in form.needs}, needed


def _other(option: Any, names: Any) -> Any:
    """A value of a parameter that is not its default."""
    if option.shape is Shape.FLAG:
        return not option.default
    if option.shape in (Shape.WHOLE, Shape.NUMBER):
        return option.least if option.default != option.least else option.least + 1
    if option.shape is Shape.CHOICE:
        return next(each for each in option.choices if each != option.default)
    if option.shape is Shape.KIND and option.kind is not None and hasattr(option.kind, "names"):
        listed = names.get(option.kind.names)
        if listed:
            return next(each.id for each in listed if each.id != option.default)
    return "x"


def test_a_profile_is_of_the_tree_and_worth_what_solve_says() -> None:
    asked = game("bidding")
    tree, profile = (
        asked.question("export").answer(asked.question("export").build(to=form))
        for form in ("efg", "profile")
    )
    assert tree.size == profile.size
    read = parse_efg(tree.text)
    decisions = {
        (node.player, node.infoset): len(node.labels) for node in read.nodes if node.player in (0, 1)
    }
    shares = [Fraction(word) for word in profile.text.split(",")]
    assert len(shares) == sum(decisions.values())
    assert sum(shares) == len(decisions)
    solved = asked.question("solve").answer(asked.question("solve").build())
    assert f"worth {solved.value:.6g} to seat 1" in profile.remarks[0]
