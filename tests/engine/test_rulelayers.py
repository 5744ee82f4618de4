"""What finished rules of all games have in common. Digests here are older than their common class."""

import hashlib
import pickle
from typing import Any

import msgspec
import pytest

from engine.clash import rules as clash
from engine.ophidian import rules as ophidian
from engine.ragers import rules as ragers
from engine.raverun import rules as raverun
from engine.rulefiles import RulesError
from engine.rulelayers import LayeredRules, values_of
from engine.warage import rules as warage

DIGESTS: list[tuple[Any, tuple[str, ...], str]] = [
    (ragers, (), "2b06e816666a8c0528b07762fda2d939222ebf6acd87b98ca4e46d439f4f4d6a"),
    (ragers, ("match.hand_size=3",), "79a72a11f716af0462c85b685a41258eb8ac037cbe2b56d6c2256913ce84cc6a"),
    (
        ragers,
        ("match.deadeye_card=at-once",),
        "ed2d3726a20169f3199c6550fea04fa86781c92b8cf1c2963e0826e684c2c714",
    ),
    (raverun, (), "b5f81d1a66159bc9b233adb7a676936d052dd41f769b7ae0ec64f3c24fd2df60"),
    (
        raverun,
        ("match.characters=2", "match.letters=3", "match.hand_size=2"),
        "4b943510758b64cfefd944d1f318b5724cab0c51471f914af7f7d2ee8b76c180",
    ),
    (clash, (), "b3769d4f921d16f551a05f2c0b7bb7f6dcc1916a83d77e527ad16a755d3cb313"),
    (clash, ("battle.sparing=false",), "fc1ad696b381ba1ea95b039123c77204886fb99fd51101cd3462f53e7cde5cff"),
]


@pytest.mark.parametrize(("game", "overrides", "digest"), DIGESTS)
def test_answers_kept_under_the_digest_of_rules_are_found_again(
    game: Any, overrides: tuple[str, ...], digest: str
) -> None:
    rules = game.load_rules(overrides=overrides)
    assert isinstance(rules, LayeredRules)
    assert rules.sha256 == digest
    assert bool(rules.changed) == bool(overrides)


@pytest.mark.parametrize(
    ("game", "override"),
    [(clash, "battle.sparing=false"), (warage, "match.dice=3"), (ophidian, "match.riot=12")],
)
def test_a_digest_is_that_of_all_values_in_order_without_names(game: Any, override: str) -> None:
    for overrides in ([], [override]):
        rules = game.load_rules(overrides=overrides)
        values = values_of(game.SCHEMA, rules.tables()).items()
        kept = sorted((key, value) for key, value in values if not key.endswith(".name"))
        assert rules.sha256 == hashlib.sha256(msgspec.json.encode(kept)).hexdigest()


@pytest.mark.parametrize("game", [ragers, raverun, clash, warage, ophidian])
def test_rules_are_values(game: Any) -> None:
    rules = game.load_rules()
    again = pickle.loads(pickle.dumps(rules))
    assert again == rules
    assert {rules: 1}[again] == 1
    renamed = msgspec.structs.replace(rules, name="other", provenance={})
    assert renamed != rules
    assert (renamed.sha256, renamed.assumed) == (rules.sha256, [])
    with pytest.raises(AttributeError):
        rules.name = "other"


@pytest.mark.parametrize("game", [clash, ophidian, ragers, raverun, warage])
def test_a_file_stands_alone_and_no_single_value(game: Any) -> None:
    with pytest.raises(RulesError, match="alone = true in a rules file"):
        game.load_rules((), ["alone=true"])


def test_another_entry_is_named_with_its_table() -> None:
    with pytest.raises(RulesError, match=r"name: is missing, and .* did you mean \[cards\.parry\]\?"):
        warage.load_rules((), ["cards.pary.cost=1"])
