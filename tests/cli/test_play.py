"""`ragers play` and `ragers review`: whole games by script, what opponents know, why days scored so."""

from __future__ import annotations

import json
import re
from pathlib import Path
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner, Result

from analysis.front.players import players_of
from analysis.ragers.answers import library
from analysis.ragers.answers.solving import Effort
from analysis.ragers.narration import sides_of, why
from analysis.ragers.play.equilibrium import DaySolver
from analysis.ragers.play.opponents import (
    Greedy,
    Rollouts,
    StoredOpening,
    Uniform,
    deal_unseen,
    stored_mix,
    stored_worth,
)
from analysis.ragers.play.scoring import day_scores
from analysis.ragers.play.transcript import Game, Header
from analysis.ragers.play.views import View
from analysis.ragers.scenarios import scenarios
from analysis.ragers.setup import PLAYERS
from cli.programs import program_of
from engine.ragers import reference
from engine.ragers.reference import NOTHING, State, deciders, legal_actions, observe
from engine.ragers.rules import TYPES, load_rules
from tests.cli.played_games import at_the_end, games, play_on
from tests.engine.ragers.notation import state_move_of

ragers = program_of("ragers")


PLAYOUTS = 5


DAY = ("--patron", "Solennos", "--cheers", "two-bashers")


def played(*words: str, say: str = "any\n" * 200, code: int = 0) -> Result:
    """Play by script."""
    quick = () if "--opponent" in words else ("--opponent", f"rollouts:playouts={PLAYOUTS}")
    result = CliRunner().invoke(ragers, ["play", *quick, *words], input=say, catch_exceptions=False)
    assert result.exit_code == code, result.output
    return result


def moves(text: str) -> list[str]:
    return [line for line in text.splitlines() if not line.startswith("#")]


def end_of(state: State, lines: list[str]) -> State:
    """Return where the moves of a transcript lead, read by the engine's own tests' notation."""
    for line in lines:
        state = reference.step(state, state_move_of(state, line))
    return state


#: How quick opponents are set; those that are named alone search in kernels.
_QUICK = {"rollouts": f":playouts={PLAYOUTS}", "stored": f":playouts={PLAYOUTS}", "match": ":seconds=1"}


_QUICK |= {"guided": ":iterations=20"}


_BY_SCRIPT = [
    pytest.param(name, marks=[pytest.mark.kernels] if name in ("match", "values", "guided") else [])
    for name in players_of(PLAYERS)
    if name != "equilibrium"
]


@pytest.mark.parametrize("name", _BY_SCRIPT)
@pytest.mark.parametrize("seat", [1, 2])
def test_a_match_by_script_scores_as_the_engine(name: str, seat: int, tmp_path: Path, run: Any) -> None:
    file = tmp_path / "match.txt"
    words = ("--opponent", f"{name}{_QUICK.get(name, '')}", "--seat", str(seat), "--seed", "11")
    result = played(*words, "--transcript", str(file))
    end = end_of(reference.start_match(load_rules()), moves(file.read_text(encoding="utf-8")))
    assert reference.is_over(end)
    accusers, defenders = reference.scores(end)
    own, opp = (accusers, defenders) if seat == 1 else (defenders, accusers)
    won = "win" if reference.winner(end) == seat - 1 else "lose"
    assert f"You {won} the match, {own} to {opp}." in result.output
    assert f"Opponent {name}:" in result.output
    assert not [line for line in result.output.splitlines() if len(line) > 80 and str(file) not in line]
    report = json.loads(run("review", str(file), "--format", "json").stdout)
    assert report["scores"] == [accusers, defenders]
    assert report["finished"]
    assert report["winner"] == ["accusers", "defenders"][reference.winner(end)]
    assert sum(day["gp"][0] for day in report["days"]) == accusers


def test_judgement_is_the_stored_worth(run: Any, tmp_path: Path) -> None:
    (scenario,) = scenarios(load_rules(), ["solennos"], ["two-bashers"], "redraw")
    found = library.find(scenario)
    strategy = None if found is None else found.strategy()
    assert strategy is not None
    game = Game.begin(Header(load_rules(), ("solennos", "two-bashers"), True, 0, "test", 8))
    game.chance()
    game.go((NOTHING, NOTHING))
    game.chance()
    hand = game.state.players[0].hand
    view = View(game.state, 0)
    row = strategy.index(hand)
    assert row is not None
    assert stored_mix(view) == strategy.opening[0, row].tolist()
    worth = stored_worth(view)
    assert worth is not None
    legal = legal_actions(game.state, 0)
    worst = min(legal, key=lambda action: worth[action])
    game.go((worst, legal_actions(game.state, 1)[0]))
    file = tmp_path / "day.txt"
    file.write_text(game.text(), encoding="utf-8")
    report = json.loads(run("review", str(file), "--format", "json").stdout)
    _, mine = (judged for judged in report["judged"] if judged["player"] == "accusers")
    assert mine["cost_gp"] == pytest.approx(max(worth[action] for action in legal) - worth[worst])
    assert mine["action"] == TYPES[worst]
    assert not report["finished"]


@pytest.mark.parametrize("opponent", [Uniform(), Greedy(), Rollouts(3), StoredOpening(Greedy())])
def test_opponents_see_only_what_their_player_sees(opponent: Any) -> None:
    changed = 0
    for number, game in enumerate(games(Uniform(), 30)):
        view = View(game.state, 1, game.buried)
        dealt = deal_unseen(view, Random(number))
        assert observe(dealt, 1) == observe(game.state, 1)
        changed += dealt != game.state
        # Whatever is dealt, the cards of each player add up to what they were.
        other = View(dealt, 1, (_left(game, dealt), game.buried[1]))
        mine, yours = (opponent.choose(each, Random(7)) for each in (view, other))
        assert mine == yours
        assert mine in legal_actions(game.state, 1)
    assert changed > 10


def test_rollouts_take_what_did_best() -> None:
    for number, game in enumerate(games(Uniform(), 6)):
        view = View(game.state, 1, game.buried)
        means = Rollouts(3).means(view, Random(number))
        assert means[Rollouts(3).choose(view, Random(number))] == max(means.values())


def _left(game: Game, dealt: State) -> tuple[int, ...]:
    """Return what player 0 must have buried if everything else of his is as in `dealt`."""

    def unseen(state: State) -> list[int]:
        own = state.players[0]
        hidden = [slot[0].printed for slot in own.row if slot[0].hidden]
        return [n + own.deck[card] + hidden.count(card) for card, n in enumerate(own.hand)]

    before, after = unseen(game.state), unseen(dealt)
    return tuple(b + x - y for b, x, y in zip(game.buried[0], before, after, strict=True))


def test_hidden_cards_stay_hidden() -> None:
    words = ("--patron", "the-nameless", "--cheers", "two-bashers", "--no-discard", "--opponent", "random")
    shown = []
    for seed in range(10):
        output = played(*words, "--set", "cards.deadeye.copies=9", "--seed", str(seed)).output
        shown += [line for line in output.splitlines() if line.startswith("Opponent: ")]
    assert any("?" in line for line in shown)
    assert not any(f"?{name}" in line.lower() for line in shown for name in TYPES)


def test_a_transcript_in_which_something_was_changed_is_refused_by_what_it_is(
    tmp_path: Path, run: Any
) -> None:
    file = tmp_path / "day.txt"
    say = "keep\n" + "any\n" * 50
    played("--set", "cards.basher.gp=7", "--seed", "9", "--transcript", str(file), say=say)
    text = file.read_text(encoding="utf-8")
    for old, new, message in (
        ("# ragers transcript 1", "# something", "does not begin"),
        ("# finished", "# unfinished", "does not say so"),
        ("prepare -", "prepare veteran", "the accusers do not hold a Veteran there"),
        ("place ", "draw ", "expected 'place"),
        ("# set cards.basher.gp=7", "# set cards.basher.gp=6", "other rules"),
        (text.splitlines()[-1], "# finished 99 0", "claims a score"),
    ):
        assert old in text
        file.write_text(text.replace(old, new, 1), encoding="utf-8")
        result = run("review", str(file))
        assert result.exit_code == 2
        assert message in " ".join(result.output.split())


def test_a_left_game_goes_on_as_if_it_had_not_been_left(tmp_path: Path) -> None:
    whole, parts = tmp_path / "whole.txt", tmp_path / "parts.txt"
    game = ("--seed", "3", "--opponent", "greedy")
    played(*game, "--transcript", str(whole))
    left = played(*game, "--transcript", str(parts), say="any\n" * 4 + "q\n")
    assert f"ragers play --resume {parts}" in left.output
    assert f"ragers play --resume {parts}" in resumed(str(parts), say="any\n" * 2).output
    assert "the match" in resumed(str(parts), say="any\n" * 200).output
    assert moves(parts.read_text(encoding="utf-8")) == moves(whole.read_text(encoding="utf-8"))
    assert "is finished" in resumed(str(parts), code=2).output


def resumed(*words: str, say: str = "", code: int = 0) -> Result:
    result = CliRunner().invoke(ragers, ["play", "--resume", *words], input=say, catch_exceptions=False)
    assert result.exit_code == code, result.output
    return result


PYTHON = re.compile(
    r"Traceback|\b(Errno|codec|literal|None|True|False|deciders)\b|\(\d+, \d+\)|\w+Error\b[^:]"
)


def test_damaged_transcripts_are_refused_in_plain_words(run: Any, tmp_path: Path) -> None:
    """Each line in turn loses its last word to something else."""
    file = tmp_path / "day.txt"
    played(*DAY, "--opponent", "random", "--seed", "5", "--transcript", str(file))
    lines = file.read_text(encoding="utf-8").splitlines()
    for number, line in enumerate(lines):
        for spoil in ("", "é ü", "-1", "veteran veteran"):
            spoilt = f"{line.rpartition(' ')[0]} {spoil}"
            file.write_text("\n".join([*lines[:number], spoilt, *lines[number + 1 :]]), encoding="utf-8")
            result = run("review", str(file))
            assert result.exit_code in (0, 2)
            assert not PYTHON.search(result.output), result.output


@pytest.mark.kernels
def test_a_solved_decision_knows_what_its_player_sees() -> None:
    """Whatever the other one holds: the same answer, over what the hand allows."""
    solver, found = DaySolver(Effort(iterations=4)), 0
    for seed in range(3):
        game = Game.begin(Header(load_rules(), ("solennos", "two-bashers"), True, 0, "test", seed))
        while not at_the_end(game):
            view = game.view(1)
            if len(game.past) >= 4 and 1 in deciders(game.state):
                solved = solver.solve(view)
                dealt = View(deal_unseen(view, Random(seed)), 1, view.buried, view.past)
                again = solver.solve(dealt)
                assert solved is not None
                assert again is not None
                assert (again.mix, again.nash_conv_gp) == (solved.mix, solved.nash_conv_gp)
                # An action that cannot be taken is worth no number.
                assert repr(again.worth_gp) == repr(solved.worth_gp)
                assert sum(solved.mix) == pytest.approx(1.0)
                legal = legal_actions(game.state, 1)
                assert {action for action, share in enumerate(solved.mix) if share > 0} <= set(legal)
                found += 1
                break
            moves = [legal_actions(game.state, player) or (NOTHING,) for player in (0, 1)]
            game.go((moves[0][0], moves[1][0]))
    assert found >= 2


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
