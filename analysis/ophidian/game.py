"""Ophidian Arena, declared: its questions, and where a match and a game with a person in it are made."""

from __future__ import annotations

from analysis.front.checkup.plan import Plan, Rung
from analysis.front.entries import EntryKind
from analysis.front.game import Game
from analysis.ophidian.setup import Advice, Checks, Decks, Greedy, Random, Search, Values, names, said
from engine.ophidian.rules import Rules


def rests_on(rules: Rules, setup: Decks) -> dict[str, set[str]]:
    """Return whose numbers matches of two decks rest on."""
    decks = [rules.deck(name) for name in (setup.deck, setup.against)]
    teams = [rules.team(deck.team) for deck in decks]
    known = [(*deck.reinforcements, *team.gladiators) for deck, team in zip(decks, teams, strict=True)]
    return {
        "decks": {deck.id for deck in decks},
        "teams": {team.id for team in teams},
        "gladiators": {gladiator for each in known for gladiator in each},
        "cards": {card for deck in decks for card, _ in deck.cards},
    }


GAME = Game(
    name="ophidian",
    title="Ophidian Arena",
    seats=(2,),
    place="analysis.ophidian.game:GAME",
    load="analysis.ophidian.setup:rules_of",
    rules_schema="engine.ophidian.rules_schema:SCHEMA",
    rules_example="cards.hex.cost=3",
    setup=Decks,
    checks=Checks,
    findings="analysis.ophidian.decks:findings",
    advice=Advice,
    player=Search | Values | Greedy | Random,
    usual=(Search(), Greedy()),
    opponent=Greedy(),
    names=names,
    value_words="analysis.ophidian.wording:value_words",
    length="waves",
    entries={
        "gladiator": EntryKind(
            *("gladiators", "analysis.ophidian.entries:gladiators", "points", "points", "positions"),
            together=True,
            able="analysis.ophidian.entries:in_fights",
        ),
        "card": EntryKind(
            *("cards", "analysis.ophidian.entries:cards", "cost", "resources"),
            able="analysis.ophidian.entries:in_decks",
        ),
    },
    plan=Plan(
        ladder=(Rung(Random()), Rung(Greedy()), Rung(Search(iterations=20), 4)),
        setups_by=1,
        setups=60,
        entries={"gladiator": 60, "card": 60},
        tried=4,
    ),
    contest="analysis.ophidian.contest:Matches",
    rests_on=rests_on,
    session="analysis.ophidian.session:begin",
    said=said,
    remarks="analysis.ophidian.teams:remarks",
    own=("solve", "duel", "worth", "train", "export"),
    board_changes=True,
    examples={
        "match": (
            "match --deals 2",
            "match --player greedy --player random --deck brood --against patron --deals 100",
            "match --player values --player greedy --deals 20",
            "match --player greedy --player random --deals 40 --vary gladiators.runt.attack.one=1:3",
        ),
        "rules check": (
            "rules check --set cards.hex.cost=3",
            "rules check --set cards.hex.cost=3 --format toml -o my.toml",
            "rules check --deck iron",
            'rules check --team "Tempest, G\'frhtru, Saw-Hand, Scrap" --cards "hex 3, veil 3, plate 3"'
            " --set match.min_deck=9",
            'rules check --teams "Pathogenesis, Bastion"',
            "rules check --teams --vary match.team_points=8:12",
        ),
        "play": ("play --opponent greedy --seed 7", "play --seat 2 --deck brood --against patron"),
    },
)
