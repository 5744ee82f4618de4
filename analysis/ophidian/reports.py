"""The public form of answers about fights: fields of their JSON."""

from __future__ import annotations

from typing import Literal

import msgspec

from engine.ophidian.rules import ILLUSTRATIVE, Rules

SCHEMA_NUMBER = 1
Side = Literal["team", "against"]


class RulesReport(msgspec.Struct, frozen=True):
    """Which rules were used; `illustrative` is the sentence that has to go with their answers, or None."""

    name: str
    sha256: str
    changed: list[str]
    illustrative: str | None
    stand_in_defends: bool


def rules_report(chosen: Rules) -> RulesReport:
    """Say which rules an answer is of."""
    return RulesReport(
        name=chosen.name,
        sha256=chosen.sha256,
        changed=chosen.changed,
        illustrative=ILLUSTRATIVE if chosen.illustrative else None,
        stand_in_defends=chosen.combat.stand_in_defends,
    )
