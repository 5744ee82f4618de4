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
from engine.rulelayers import values_of
from engine.warage import rules as warage


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
