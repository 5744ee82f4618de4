"""``tactic``: which tactic card to play."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import msgspec

from analysis.amounts import counted
from analysis.clash.maps import CHANCE, map_text, read_tiles
from analysis.clash.study_reports import TacticAnswer
from analysis.errors import RequestError
from analysis.estimates import Estimate
from analysis.front.bundles import LARGEST_SEED, RulesFiles
from analysis.front.kinds import Lineup, Pick
from analysis.front.page import Cell, Column, Fact, Facts, Page, Section, Table
from analysis.front.parameters import param
from analysis.front.question import Amount, Question, Running
from analysis.front.render.numbers import number_text
from analysis.front.verdicts import Figure, best, doubt_said, listed

__all__ = ["QUESTION", "Tactic"]


class Tactic(msgspec.Struct, frozen=True, kw_only=True):
    """Who asks, what both know, and what pairs of cards are worth."""

    clan: Annotated[
        tuple[str, ...],
        param("Clan that is played. Twice: who asks, then the other player.", kind=Pick("clans")),
    ] = ("bohorg", "tomb")
    hand: (
        Annotated[
            str,
            param(
                "Your hand, by the orders on the cards, such as 11,16,27.",
                kind=Lineup("tactic cards"),
                metavar="CARDS",
            ),
        ]
        | None
    ) = None
    played: (
        Annotated[
            str,
            param(
                "Your cards on the open discard pile.",
                kind=Lineup("tactic cards"),
                metavar="CARDS",
                more=True,
            ),
        ]
        | None
    ) = None
    played_against: (
        Annotated[
            str,
            param(
                "The other player's cards on the open discard pile.",
                kind=Lineup("tactic cards"),
                metavar="CARDS",
                more=True,
            ),
        ]
        | None
    ) = None
    values: (
        Annotated[
            Path,
            param(
                "CSV file with what pairs of cards are worth: columns card,other,value,error,round."
                "  [default: they are estimated]"
            ),
        ]
        | None
    ) = None
    playouts: Annotated[
        int,
        param("Playouts for each pair of cards, where no file says their values.", ge=1, le=10_000_000),
    ] = 100
    policy: Annotated[
        Literal["rule", "random"],
        param("Player of the playouts: by rule of thumb, or any move.", more=True),
    ] = "rule"
    tiles: Annotated[
        str,
        param("Tiles of the map: chance (others in every deal), first, or sides such as 2a,5b.", more=True),
    ] = CHANCE
    seed: Annotated[
        int, param("Random seed; the same seed gives the same answer.", ge=0, le=LARGEST_SEED, more=True)
    ] = 0
    save_values: (
        Annotated[Path, param("File to keep the values in, as --values reads them.", more=True)] | None
    ) = None
    rules: RulesFiles = RulesFiles()


def answer(asked: Tactic, running: Running) -> TacticAnswer:
    """Solve the game of tactic cards."""
    from analysis.clash.game import GAME
    from analysis.clash.tactics import (
        COLUMNS,
        estimate_values,
        read_values,
        tactic_answer,
        tactic_question,
        values_csv,
    )
    from analysis.files import check_kind, write_atomically

    if asked.save_values is not None:
        check_kind(asked.save_values, ",".join(COLUMNS).encode(), "--save-values")
    if asked.tiles != CHANCE and asked.values is not None:
        raise RequestError("the values of a file are for the maps that they are of", "--tiles")
    rules = GAME.rules_of(asked.rules)
    tiles = read_tiles(rules, asked.tiles)
    question = tactic_question(
        rules, asked.clan, played=asked.played, played_other=asked.played_against, hand=asked.hand
    )
    if asked.values is not None:
        given = read_values(question, asked.values)
    else:
        given = estimate_values(
            question, asked.playouts, asked.seed, running.note_or_leave, policy=asked.policy, tiles=tiles
        )
    found = tactic_answer(question, given)
    if asked.save_values is not None:
        write_atomically(asked.save_values, values_csv(found.values, found.values_round).encode())
    return found


def amounts(found: TacticAnswer) -> list[Amount]:
    """Return what can be compared between two answers."""
    value = Estimate(found.value, found.low, found.high, found.playouts or 0)
    return [Amount("value", f"worth to {found.clans[0]}", value, "signed")]


def page(found: TacticAnswer) -> Page:
    """Return how it looks."""
    worth = f"worth to {found.clans[0]}"
    facts = [Fact("value", worth, found.value, "signed", 4)]
    if found.low < found.high:
        share = f"with {found.confidence:.0%}"
        facts += [
            Fact("low", f"{share} at least", found.low, "signed", 4),
            Fact("high", f"{share} at most", found.high, "signed", 4),
        ]
    sections: list[Section] = [Facts(facts)]
    if found.hand is not None:
        columns = [
            *(Column("card", "card", "count"), Column("play", "play", "share")),
            *(Column("value", "then worth", "signed", 4), Column("cost", "costs", "number", 4)),
        ]
        options: list[list[Cell]] = [
            [each.card, each.probability, each.value, each.cost if each.cost > 1e-9 else None]
            for each in found.options
        ]
        hand = ", ".join(map(str, found.hand))
        sections.append(Table(columns, options, f"{found.clans[0]} has {hand}"))
    columns = [
        Column("card", "card", "count"),
        Column("played", "played", "share"),
        Column("value", worth, "signed", 4),
    ]
    for clan, cards in zip(found.clans, found.cards, strict=True):
        rows: list[list[Cell]] = [[each.card, each.probability, each.value] for each in cards]
        sections.append(Table(columns, rows, f"{clan}, over all hands", {"clan": clan}))
    values = {(cell.card, cell.other): cell.value for cell in found.values}
    others = [each.card for each in found.cards[1]]
    columns = [
        Column("card", "card", "count"),
        *(Column(f"{other}", f"{other}", "signed") for other in others),
    ]
    sections.append(
        Table(
            columns,
            [[each.card, *(values[each.card, other] for other in others)] for each in found.cards[0]],
            f"Worth to {found.clans[0]} of its card (rows) against {found.clans[1]}'s",
        )
    )
    hands: list[list[Cell]] = [
        [clan, " ".join(map(str, hand.cards)), card, probability]
        for clan, of_clan in zip(found.clans, found.hands, strict=True)
        for hand in of_clan
        for card, probability in zip(hand.cards, hand.probabilities, strict=True)
    ]
    heads = [Column("clan", "clan"), Column("hand", "hand"), Column("card", "card", "count")]
    return Page(
        headline=_headline(found),
        sections=sections,
        notes=_notes(found),
        method=[
            "An equilibrium over all hands, exact for the values of pairs of cards: best replies gain"
            f" {found.gap:.1e} in all. {found.sha256[:16]}.",
        ],
        data=Table([*heads, Column("probability", "play", "share")], hands),
    )


def _headline(found: TacticAnswer) -> str:
    clan, cards = found.clans[0], found.options if found.hand is not None else found.cards[0]
    if found.low < found.high:
        worth = Estimate(found.value, found.low, found.high, found.playouts or 0)
        return (
            f"{clan} stands at {number_text(found.value, 'signed')} ({doubt_said(worth, 'signed')});"
            " which card it should play most often these estimates do not tell."
        )
    often = best([Figure(f"card {each.card}", each.probability) for each in cards])
    of = "of its hand" if found.hand is not None else "over all hands"
    names = listed(often.names) or "the one card that it has"
    return f"In the equilibrium that was found {clan} plays {names} most often, {of}."


def _notes(found: TacticAnswer) -> list[str]:
    lines = []
    if found.source == "playouts":
        lines.append(
            f"The values are estimates by {counted(found.playouts or 0, 'game')} for each pair of cards, 1 a"
            f" game won and -1 a game lost, in which both go on as {found.policy} players. Somebody won"
            f" {found.decided or 0.0:.0%} of them; what they say about better players is a guess."
        )
        if found.map is not None:
            lines.append(map_text(found.map, "part of the games"))
    else:
        lines.append("The values of pairs are those of the file; the answer is as good as they are.")
    if found.values_round is not None and found.values_round != found.round:
        lines.append(
            f"The values are those of round {found.values_round} and used for round {found.round}: what cards"
            " are worth may have changed since."
        )
    elif found.values_round is None and found.round > 1:
        lines.append(f"The file does not say of which round: taken to be of round {found.round}.")
    return [*lines, "Cards are named by their order. Any hand of cards that do not lie open is as likely."]


QUESTION: Question[Tactic, TacticAnswer] = Question(
    name="tactic",
    about="Find which tactic card to play against one other player. The answer is an equilibrium over all"
    " hands: both choose at once, and know their own hand and the open discard piles only.",
    asked=Tactic,
    answers=TacticAnswer,
    function="analysis.clash.questions.tactic:answer",
    page=page,
    exactness="measured",
    amounts=amounts,
    examples=(
        "tactic --clan bohorg --clan tomb --playouts 20 --save-values values.csv",
        "tactic --clan bohorg --clan tomb --playouts 20 --hand 11,16,27",
    ),
)
