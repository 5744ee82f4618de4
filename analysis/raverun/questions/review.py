"""``review``: a transcript is read again, checked, and what decisions cost is said."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import msgspec

from analysis.amounts import counted
from analysis.errors import RequestError
from analysis.front.bundles import RulesFiles
from analysis.front.hints import SPLIT_NOTE, split_sections, split_words
from analysis.front.page import Board, Cell, Column, Fact, Facts, Page, Section, Table
from analysis.front.parameters import param
from analysis.front.question import Answer, Question, RulesNote, Running
from analysis.reviewed import Node, Split, judged_to_the_end, split

if TYPE_CHECKING:
    from analysis.raverun.played_game import Decision
    from analysis.raverun.transcript import Transcript

__all__ = ["QUESTION", "Review", "ReviewAnswer"]


class Review(msgspec.Struct, frozen=True, kw_only=True):
    """Which game is looked at."""

    transcript: Annotated[Path, param("File that play --transcript wrote.", argument=True)]
    values: (
        Annotated[
            Path,
            param(
                "File of values that raverun train wrote."
                "  [default: those of the package, if there are any for these rules]"
            ),
        ]
        | None
    ) = None
    rules: RulesFiles = RulesFiles()


class Cost(msgspec.Struct, frozen=True):
    """A decision: what was done, what was best, what that cost in payoff, who says so, and how surely."""

    cost: float
    did: str
    best: str
    how: str
    exact: bool


class ReviewAnswer(Answer, frozen=True, kw_only=True):
    """A game that was played.

    Attributes
    ----------
    seat, players, opponent : the person's seat, from 1; how many played, and who played the others.
    hands : what everybody was dealt.
    happened : in words, under the headings of rounds and phases.
    costs : of the decisions that could be judged, the dearest first.
    payoffs : of all players; None if the game is not finished.
    unjudged : how many more decisions there were, of which nothing tells what they cost.
    split : the person's payoff in luck and decisions; None if more than two play, or the last decisions are
        not judged.
    """

    seat: int
    players: int
    opponent: str
    hands: dict[str, str]
    happened: list[tuple[str, list[str]]]
    costs: list[Cost]
    payoffs: list[float] | None
    split: Split | None
    unjudged: int = 0


def answer(asked: Review, running: Running) -> ReviewAnswer:
    """Read a transcript again.

    Raises
    ------
    RequestError
        If it is none, or damaged.
    """
    from analysis.files import read_file
    from analysis.raverun.game import GAME
    from analysis.raverun.narration import Names, move_text, wrong_words
    from analysis.raverun.played_game import judged_game
    from analysis.raverun.transcript import read
    from analysis.transcripts import TranscriptError
    from engine.raverun.reference import Phase, is_over, legal_moves, payoffs

    GAME.rules_of(asked.rules)  # what is wrong with them is said of them
    path, option = asked.transcript, "TRANSCRIPT"
    try:
        played = read(read_file(path).decode(), asked.rules.rules, asked.rules.set)
    except OSError as error:
        raise RequestError(f"cannot read {str(path)!r}: {error.strerror}", option) from None
    except UnicodeDecodeError:
        raise RequestError(f"{path} is no transcript: it is no text (UTF-8)", option) from None
    except TranscriptError as error:
        raise RequestError(f"{path}: {error}", option) from None
    wrong = wrong_words(played)
    if wrong is not None:
        raise RequestError(f"{path}: line {wrong.line}: its words are not those of its number", option)
    header = played.header
    names = Names(header.num_players, header.seat)
    hands: dict[str, str] = {}
    happened: list[tuple[str, list[str]]] = []
    before, rounds = Phase.DEAL, 0
    for step in played.steps:
        phase = step.state.phase
        if phase == Phase.BID != before:
            for player, each in enumerate(step.state.players):
                hands[names.subject(player)] = " ".join(map(header.rules.card_name, each.hand))
            happened.append(("First cards", []))
        elif phase == Phase.ORDER != before:
            rounds += 1
            happened.append((f"Round {rounds}", []))
        elif phase == Phase.LAST != before:
            happened.append(("Last phase", []))
        if phase != Phase.DEAL:
            happened[-1][1].append(step.words)
        before = phase
    costs = []
    ways = [step.way for step in played.steps]
    game = judged_game(header, ways, asked.values)
    for decision in game.decisions:
        moves = list(legal_moves(decision.state))
        did, best = (
            move_text(decision.state, moves[each], names) for each in (decision.index, decision.best)
        )
        costs.append(Cost(decision.cost, did, best, decision.how, decision.exact))
    rules = header.rules
    return ReviewAnswer(
        rules=RulesNote(rules.name, rules.sha256, list(rules.changed)),
        seat=header.seat + 1,
        players=header.num_players,
        opponent=header.opponent,
        hands=hands,
        happened=happened,
        costs=sorted(costs, key=lambda each: -each.cost),
        payoffs=list(payoffs(played.end)) if is_over(played.end) else None,
        split=_split(played, game.decisions, asked.values),
        unjudged=game.num_made - len(game.decisions),
    )


def _split(played: Transcript, own: Sequence[Decision], values: Path | None) -> Split | None:
    """A game of two in luck and decisions, both judged by what they could see."""
    from analysis.raverun.played_game import judged_game
    from engine.raverun.reference import decider, is_over, legal_moves, payoffs

    header = played.header
    if header.num_players != 2 or not is_over(played.end):
        return None
    ways = [step.way for step in played.steps]
    others = judged_game(replace(header, seat=1 - header.seat), ways, values).decisions
    known = {each.after: (each.worth, each.worth - each.cost) for each in [*own, *others]}
    nodes: list[Node] = [
        (f"line {step.line}", {decider(step.state): known.get(number)})
        for number, step in enumerate(played.steps)
        if decider(step.state) >= 0 and len(list(legal_moves(step.state))) > 1
    ]
    judged = judged_to_the_end(nodes, header.seat)
    return split(payoffs(played.end)[header.seat], judged) if judged else None


def page(found: ReviewAnswer) -> Page:
    """Return a game with what its decisions cost."""
    from analysis.raverun.narration import LEAST_COST, unjudged_words

    own = None if found.payoffs is None else found.payoffs[found.seat - 1]
    headline = "Not finished."
    if own is not None:
        headline = "You win." if own > 0 else "You lose." if own < 0 else "A draw."
    facts = [Fact("seat", "your seat", found.seat, "count"), Fact("opponent", "the others", found.opponent)]
    facts += [Fact(f"hand_{name}", f"{name} dealt", cards) for name, cards in found.hands.items()]
    facts += [
        Fact(f"payoff_{n}", f"payoff of seat {n}", each, "signed")
        for n, each in enumerate(found.payoffs or (), 1)
    ]
    sections: list[Section] = [Facts(facts)]
    dear = [each for each in found.costs if each.cost >= LEAST_COST]
    columns = [Column("cost", "costs", "number", 2), Column("did", "your move"), Column("best", "better")]
    rows: list[list[Cell]] = [[each.cost, each.did, each.best, each.how] for each in dear]
    if rows:
        sections.append(
            Table([*columns, Column("how", "judged")], rows, "What your decisions cost, in payoff")
        )
    sections += [Board(lines, title) for title, lines in found.happened]
    notes = []
    guessed = [each for each in found.costs if not each.exact]
    if found.costs and not rows:
        by = ", by what judges" if guessed else ""
        number = counted(len(found.costs), "decision")
        notes.append(f"Of your {number} that could be judged none cost {LEAST_COST} or more{by}.")
    if guessed:
        notes.append(
            f"{len(guessed)} of {len(found.costs)} are judged {guessed[0].how}: estimates, no proofs."
        )
    if found.unjudged:
        notes.append(unjudged_words(found.unjudged, len(found.costs) + found.unjudged, found.players))
    if found.split is not None:
        headline += f" {split_words(found.split, 'signed')}"
        sections[1:1] = split_sections(found.split, "your payoff", "signed")
        notes.append(SPLIT_NOTE)
    return Page(headline=headline, sections=sections, notes=notes)


QUESTION = Question(
    name="review",
    about="Play a transcript again, and say what your decisions cost. All that happened by the rules is"
    " shown. Decisions are judged by what you could see: by learned values, and exactly in the last phase.",
    asked=Review,
    answers=ReviewAnswer,
    function=answer,
    page=page,
    exactness="bounded",
    examples=("review game.txt",),
)
