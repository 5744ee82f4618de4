"""Clash of Rage, declared: its questions, and where a match and a person's game are made."""

from __future__ import annotations

from analysis.clash.setup import RULE, SEARCH, Advice, Random, Rule, Search, Setup, names, said
from analysis.front.checkup.plan import Plan, Rung
from analysis.front.entries import EntryKind
from analysis.front.game import Game
from engine.clash.rules import Rules


def rests_on(rules: Rules, setup: Setup) -> dict[str, set[str]]:
    """Return whose numbers games rest on: those of all clans where chance says which ones play."""
    clans = {rules.clan(name).id for name in setup.clan} or {clan.id for clan in rules.clans}
    return {"clans": clans, "tactics": clans}


GAME = Game(
    name="clash",
    title="Clash of Rage",
    seats=(2, 3, 4),
    place="analysis.clash.game:GAME",
    load="analysis.clash.setup:rules_of",
    rules_schema="engine.clash.rules_schema:SCHEMA",
    rules_example="clans.bohorg.units.executioner.power=7",
    setup=Setup,
    advice=Advice,
    player=Search | Rule | Random,
    usual=(SEARCH, RULE),
    names=names,
    contest="analysis.clash.contest:contest",
    rests_on=rests_on,
    session="analysis.clash.session:begin",
    said=said,
    own=("solve", "tactic", "balance", "match", "export"),
    board_changes=True,
    plan=Plan(
        ladder=(Rung(Random(), 4), Rung(RULE, 10), Rung(Search(playouts=4), 1)),
        setups_by=1,
        setups=4,
        entries={"equipment": 40},
        kinds={"unit": EntryKind("clans.*.units", "analysis.clash.entries:lone_units", together=True)},
        tried=4,
    ),
    tallies={"clan": "its player", "tiles": "whoever sits first"},
    play_note="The machine fights battles for both sides, fleeing included. It does as well as can be for 3"
    " of the territory, 1 to 3 of a figure by its level, and 1 of an elf.",
    moves_help="""\
  card ORDER  a tactic card by the number on it
              Whole marches are offered at the beginning of an action; march
              moves figure by figure.
""",
    length="rounds",
    copied="analysis.clash.setup:copied",
    entries={
        "equipment": EntryKind(
            *("equipment", "analysis.clash.entries:equipment", "cost", "gold", "battles"),
            number="battles",
            whole="analysis.clash.entries:acts_in_battle",
        ),
        "unit": EntryKind(
            "clans.*.units", "analysis.clash.entries:units", "level", "points", "battles", number="battles"
        ),
    },
    examples={
        "match": (
            "match --player rule --player random --deals 2",
            "match --player search:playouts=2 --player rule --player random --deals 1",
            "match --player rule --clan bohorg --clan tomb --deals 2",
            "match --player rule --player random --deals 1 --vary clans.bohorg.units.executioner.power=5:6",
            "match --solo all --player rule --deals 8",
            "match --solo medium --player rule --clan tomb --deals 8 --no-first",
            "match --solo all --player rule --tiles 2a,5b --deals 2 --set match.max_rounds=2",
        ),
        "play": (
            "play --opponent rule --seed 7",
            "play --seat 2 --clan bohorg --clan tomb",
            "play --solo easy --clan bohorg --hints",
            "play --opponent rule --opponent random --seat 2",
        ),
    },
)
