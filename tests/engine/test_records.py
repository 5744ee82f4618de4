"""Changed copies of records."""

from __future__ import annotations

import dataclasses

from engine.records import replace
from engine.warage.reference_state import Hero


def test_copies_are_those_of_the_library() -> None:
    hero = Hero(20, (1, 2), (0, 1))
    changed = replace(hero, hp=7, hand=())
    assert changed == dataclasses.replace(hero, hp=7, hand=())
    assert hash(changed) == hash(dataclasses.replace(hero, hp=7, hand=()))
    assert hero == Hero(20, (1, 2), (0, 1))
