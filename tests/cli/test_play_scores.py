"""Why days of Ragers scored so, and what is said about cards."""

from __future__ import annotations

import re

import pytest

from analysis.ragers.narration import sides_of, why
from analysis.ragers.play.opponents import Uniform
from analysis.ragers.play.scoring import day_scores
from analysis.ragers.play.transcript import Game, Header
from engine.ragers.rules import load_rules
from tests.cli.played_games import games, play_on


def test_the_day_is_explained_card_by_card() -> None:
    """What is said of each finished day adds up to its score, over matches of all kinds."""
    text = ""
    for number, game in enumerate(games(Uniform(), 30)):
        play_on(game)
        scored = day_scores(game.steps(), game.state)
        assert [score.result for score in scored] == list(game.state.results)
        for score in scored:
            for player in (0, 1):
                paid = sum(each.gp for each in score.cards[player])
                assert paid == score.result.combat_gp[player]
                assert all((each.gp == 0) == (each.reason is not None) for each in score.cards[player])
            lines = why(game.header.rules, score, sides_of(number % 2), number % 2)
            found = re.findall(r"^(You|Your opponent) scores? (\S+) ", "\n".join(lines), flags=re.MULTILINE)
            said = dict(found)
            for player in (0, 1):
                whose = "You" if player == number % 2 else "Your opponent"
                words = {str(score.result.combat_gp[player])}
                words |= set() if score.result.combat_gp[player] else {"no", "nothing"}
                assert said.get(whose, "nothing") in words
            text += "\n".join(lines)
    for part in ("is a draw", "beats", "Only ", "having lost", "nobody meets", "(doubled)", "face-down"):
        assert part in text


def test_a_game_that_goes_on_has_scores_of_its_finished_days_alone() -> None:
    game, *_ = games(Uniform(), 3)
    play_on(game)
    moves, results = game.steps(), list(game.state.results)
    ends = [each.state for each in moves[1:]] + [game.state]
    seen = set()
    for number, state in enumerate(ends, 1):
        scored = day_scores(moves[:number], state)
        assert [score.result for score in scored] == list(state.results)
        seen.add(len(scored))
    assert seen == set(range(len(results) + 1))


@pytest.mark.parametrize(
    "override",
    [
        ["cards.veteran.copies=9", "cards.basher.copies=1", "match.hand_size=2"],
        ["cards.cheater.copies=9", "cards.veteran.copies=9", "match.hand_size=2"],
        ["cards.deadeye.copies=9", "cards.veteran.copies=9", "match.deadeye_card=at-once"],
        ["cards.deadeye.copies=9", "cards.stopper.copies=9", "match.row_length=2"],
    ],
)
def test_final_rows_are_those_that_were_scored(override: list[str]) -> None:
    """Also where hands run out, or hold nothing that can be placed."""
    for seed in range(6):
        game = Game.begin(Header(load_rules(overrides=override), None, True, 0, "test", seed))
        play_on(game)
        scored = day_scores(game.steps(), game.state)
        assert [score.result for score in scored] == list(game.state.results)
