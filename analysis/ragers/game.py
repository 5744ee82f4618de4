"""Ragers, declared: its lists of names, its players, its questions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from analysis.front.checkup.plan import Plan, Rung
from analysis.front.entries import EntryKind
from analysis.front.game import Game
from analysis.front.kinds import Named
from analysis.ragers.hands import LETTER_OF, LETTERS_HELP
from analysis.ragers.setup import PLAYERS, Advice, Greedy, Random, Rollouts, Setup, Values
from engine.ragers.rules import Rules

MOVES_HELP = (
    f"  a card      its name, the beginning of it, or its letter:\n              {LETTERS_HELP}\n"
    "  keep        discard nothing, before the day\n"
)
"""How moves are typed beside their numbers."""


def names(rules: Rules) -> dict[str, list[Named]]:
    """Return the lists that values are chosen from."""
    patrons = [Named(each.id, each.name) for each in rules.patrons]
    cheers = [Named(each.id, each.name) for each in rules.cheers]
    cards = [
        Named(each.id, each.id.capitalize(), most=max(each.copies), short=LETTER_OF[each.id])
        for each in rules.cards
    ]
    entries = [*(Named(each.id, each.name) for each in cards), *patrons, *cheers]
    lists = {"patrons": patrons, "cheers cards": cheers, "cards": cards, "entries": entries}
    own, other = _placements(cards, "veteran", "deadeye")
    return {**lists, "placements": own, "placements of the other": other}


def _placements(cards: Sequence[Named], open_: str, hides: str) -> tuple[list[Named], list[Named]]:
    """What both sides can have placed in a step; what the other hides is not seen."""
    own = [Named(each.id, each.name, also=(each.short,)) for each in cards]
    tops = [each for each in cards if each.id not in (open_, hides)]
    own += [_two(open_, "+", each, f"Veteran, {each.name} on top") for each in tops]
    hidden = Named(f"{hides}+?", "Deadeye, a card hidden", also=("D+?",))
    return [*own, *(_two(hides, "+?", each, f"Deadeye hiding {each.name}") for each in cards)], [*own, hidden]


def _two(first: str, sign: str, other: Named, said: str) -> Named:
    return Named(f"{first}{sign}{other.id}", said, also=(f"{LETTER_OF[first]}{sign}{other.short}",))


def rules_of(files: Sequence[Any], overrides: Sequence[str]) -> Rules:
    """Return the rules with changes; RulesError if they are wrong."""
    from engine.ragers.rules import load_rules

    return load_rules(files, overrides)


def said(rules: Rules) -> str:
    """Return the sentence that goes with answers where a ruling is read otherwise."""
    if not rules.hides_at_once:
        return ""
    return f"Played with a Deadeye's further card {rules.match.deadeye_card} (match.deadeye_card, K9)."


GAME = Game(
    name="ragers",
    title="Ragers: Champions of the Arena",
    seats=(2,),
    place="analysis.ragers.game:GAME",
    load="analysis.ragers.game:rules_of",
    rules_schema="engine.ragers.rules_schema:SCHEMA",
    rules_example="cards.basher.gp=4",
    setup=Setup,
    advice=Advice,
    player=PLAYERS,
    usual=(Values(), Values()),
    opponent=Rollouts(),
    names=names,
    contest="analysis.ragers.contest:Matches",
    session="analysis.ragers.session:begin",
    resume="analysis.ragers.session:go_on",
    length="days",
    plan=Plan(
        ladder=(Rung(Random(), 2000), Rung(Greedy(), 10_000), Rung(Rollouts(), 200)),
        changes_by=1,
        entries={"card": 300},
        kinds={"card": EntryKind("cards", "analysis.ragers.entries:cards", question="match")},
        seats="analysis.ragers.entries:equal_decks",
    ),
    moves_help=MOVES_HELP,
    said=said,
    own=(
        *("solve", "balance", "advise", "review", "match", "train", "warmup"),
        *("library list", "library build", "library prune", "export"),
    ),
    examples={
        "match": (
            "match --player greedy --player random --deals 200",
            "match",
            "match --player guided:iterations=50 --player rollouts --deals 4",
            "match --patron Solennos --cheers two-bashers --player stored --player random --deals 5",
        ),
        "play": (
            "play",
            "play --patron Solennos --cheers two-bashers --opponent equilibrium --hints",
            "play --opponent rollouts:playouts=300 --seat 2 --transcript match.txt",
        ),
    },
)
