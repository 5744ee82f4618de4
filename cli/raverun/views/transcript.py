"""What happened in a game, in words: the lines of a transcript."""

from __future__ import annotations

from collections.abc import Sequence

from analysis.raverun.transcript import Header, Step, Transcript, ways_at, written
from cli.raverun.views.moves import Names, action_of, move_text
from engine.raverun.reference import Move, State, decider, start, step


def happening(state: State, done: Move | int, names: Names) -> str:
    """Return what happened at a state, hidden cards included."""
    if isinstance(done, int):
        card = state.rules.card_name(done)
        if state.shuffler is not None:
            return f"laid out: {card} on {names.stack(state.shuffler)}"
        return f"drawn by {names.all[state.drawer]}: {card}" if state.drawer is not None else f"drawn: {card}"
    player = decider(state)
    text = move_text(state, done, names)
    if player != names.seat and action_of(state) == "recall":
        text = text.replace("your stack", "his stack")
    with_card = "" if state.offered is None else f" with {state.rules.card_name(state.offered)}"
    return f"{names.subject(player)}{with_card}: {text}"


def transcript_text(header: Header, ways: Sequence[int]) -> str:
    """Return the transcript of a game, by the number of each thing that happened among all possible."""
    names, state, words = Names(header.num_players, header.seat), start(header.rules, header.num_players), []
    for way in ways:
        done = ways_at(state)[way]
        words.append(happening(state, done, names))
        state = step(state, done)
    return written(header, ways, words, state)


def wrong_words(transcript: Transcript) -> Step | None:
    """Return the first step whose words are not those of its number, None if there is none."""
    names = Names(transcript.header.num_players, transcript.header.seat)
    return next(
        (each for each in transcript.steps if each.words != happening(each.state, each.done, names)), None
    )
