"""Whole games in numbers: shares, duplicate deals, what is kept; players and exact tables of outcomes."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import msgspec
import numpy as np
import pytest

from analysis.clash import games, solo
from analysis.clash.game_reports import SoloReport
from analysis.clash.games import GameTask, Played, Running, Terms, play_all, share_of, task_of, tasks_of
from analysis.clash.maps import check_tiles, map_text, read_tiles
from analysis.clash.matches import MatchQuestion, match_report, read_habits
from analysis.clash.solo import SoloQuestion, solo_report
from analysis.errors import RequestError
from analysis.interrupt import Interrupt
from engine.clash.rules import load_rules
from engine.clash.rules_schema import DIFFICULTIES

SHORT = load_rules((), ["match.max_rounds=2"])


def terms(seed: int) -> Terms:
    return Terms(SHORT, seed, (10, None))


def tasks(deals: int = 3) -> list[GameTask]:
    return tasks_of(terms(5), ["rule", "random"], deals, clans=["bohorg", "tomb"])


def test_a_share_counts_deals_not_games() -> None:
    share = share_of([[1.0, 0.0]] * 8)
    assert share.mean == 0.5
    assert share.low is not None
    assert share.high is not None
    assert 0.3 < share.low < 0.5 < share.high < 0.7
    assert share.low + share.high == pytest.approx(1.0)
    few = share_of([[1.0, 1.0]] * 3)
    assert few.low is not None
    assert few.low < 0.6
    assert (share.games, share.deals) == (16, 8)
    assert share_of([]).mean is None
    assert share_of([[1.0, 1.0]]).low is None


def test_clans_come_by_chance_and_the_same_again() -> None:
    one, two = (tasks_of(terms(1), ["rule"] * 3, 6, clans=None) for _ in range(2))
    assert [task.scenario for task in one] == [task.scenario for task in two]
    assert len({task.scenario.clans for task in one}) > 1
    assert len({task.chance for task in one}) == 6


@pytest.mark.parametrize(
    ("players", "clans", "message"),
    [
        (("search", "rul"), None, "did you mean rule"),
        (("rule",), None, "two to four"),
        (("rule",) * 5, None, "two to four"),
        (("rule", "rule"), ("bohorg",), "so many clans"),
    ],
)
def test_matches_that_cannot_be(
    players: tuple[str, ...], clans: tuple[str, ...] | None, message: str
) -> None:
    with pytest.raises(RequestError, match=message):
        MatchQuestion(terms(0), players, clans, 1)


@pytest.mark.parametrize(("text", "message"), [("shure=1", "did you mean sure"), ("sure=x", "is a number")])
def test_habits_that_there_are_not(text: str, message: str) -> None:
    with pytest.raises(RequestError, match=message):
        read_habits([text])


def test_a_file_of_other_games_is_not_written_over(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    path.write_text('{"something": "else"}\n', encoding="utf-8")
    with pytest.raises(RequestError, match="other terms"):
        play_all(tasks(), Running(Interrupt(), keep=path))
    assert path.read_text(encoding="utf-8") == '{"something": "else"}\n'


def fake(monkeypatch: pytest.MonkeyPatch, interrupt: Interrupt | None = None) -> list[int]:
    """Games that need no time; the interrupt comes with the second."""
    played: list[int] = []

    def play(task: GameTask, stop: object = None) -> Played:
        played.append(task.number)
        if interrupt is not None and len(played) == 2:
            interrupt.requested = True
        return Played(task.number, [[1.0, 0.0], [0.0, 1.0]], [4, 5])

    monkeypatch.setattr(games, "WORK", replace(games.WORK, do=play))
    return played


def test_killed_games_go_on_where_they_were(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "games.jsonl"
    first = fake(monkeypatch)
    whole = play_all(tasks(), Running(Interrupt(), keep=path))
    assert first == [0, 1, 2]
    lines = path.read_text(encoding="utf-8").splitlines()
    path.write_text("\n".join(lines[:2]) + "\n" + lines[2][:7], encoding="utf-8")
    second = fake(monkeypatch)
    again = play_all(tasks(), Running(Interrupt(), keep=path))
    assert second == [1, 2]
    assert again == whole
    # Each line is JSON, and a check sum behind a tab.
    kept = [line.partition("\t")[0] for line in path.read_text(encoding="utf-8").splitlines()[3:]]
    assert all(map(json.loads, kept))
    third = fake(monkeypatch)
    play_all(tasks(), Running(Interrupt(), keep=path))
    assert third == []


def test_kept_games_serve_whoever_asks_for_more_of_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    running = Running(Interrupt(), keep=tmp_path / "games.jsonl")
    played = fake(monkeypatch)
    few = play_all(tasks(2), running)
    more = play_all(tasks(4), running)
    assert played == [0, 1, 2, 3]
    assert {number: more[number] for number in few} == few
    # Other clans are other games.
    play_all(tasks_of(terms(5), ["rule", "random"], 4, clans=["tomb", "bohorg"]), running)
    assert played == [0, 1, 2, 3] * 2
    with pytest.raises(RequestError, match="other terms"):
        play_all(tasks_of(terms(6), ["rule", "random"], 4, clans=["tomb", "bohorg"]), running)


def test_solo_play_that_is_stopped_has_games_of_each_difficulty(monkeypatch: pytest.MonkeyPatch) -> None:
    interrupt = Interrupt()
    fake(monkeypatch, interrupt)
    question = SoloQuestion(terms(5), "rule", ("bohorg",), ("easy", "difficult"), 3, first=False)
    report = solo_report(question, Running(interrupt))
    assert not report.complete
    assert [each.won.deals for each in report.difficulties] == [1, 1]


def test_a_match_that_is_stopped_reports_what_was_played(monkeypatch: pytest.MonkeyPatch) -> None:
    interrupt = Interrupt()
    played = fake(monkeypatch, interrupt)
    question = MatchQuestion(terms(5), ("rule", "random"), ("bohorg", "tomb"), 4)
    report = match_report(question, Running(interrupt))
    assert played == [0, 1]
    assert not report.complete
    assert report.games == 4
    # Player 1 won the first game of each deal in seat 1, player 2 the second one, in seat 1 as well.
    assert [player.won.mean for player in report.players] == [0.5, 0.5]
    assert [group.won.mean for group in report.by_seat] == [1.0, 0.0]
    assert {group.name: group.won.mean for group in report.by_clan} == {"bohorg": 1.0, "tomb": 0.0}
    assert report.draws == 0


def test_tiles_come_by_chance_the_same_again_and_at_each_difficulty() -> None:
    one, two = (tasks_of(terms(1), ["rule"] * 2, 20, clans=["bohorg", "tomb"]) for _ in range(2))
    maps = [task.scenario.tiles for task in one]
    assert maps == [task.scenario.tiles for task in two]
    assert len(set(maps)) > 10
    assert all(left[0] != right[0] for left, right in maps)
    question = SoloQuestion(terms(1), "rule", ("bohorg",), ("easy", "difficult"), 4, first=False)
    alone = [task.scenario.tiles for task in solo._tasks(question)]
    assert alone[::2] == alone[1::2]
    assert len(set(alone)) > 1


@pytest.mark.parametrize(
    ("text", "tiles", "choice"),
    [("first", ("1a", "2a"), "first"), ("2A, 5b", ("2a", "5b"), "given"), (None, None, "chance")],
)
def test_the_map_is_a_choice_and_part_of_the_answer(
    text: str | None, tiles: tuple[str, ...] | None, choice: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake(monkeypatch)
    asked = replace(terms(1), tiles=read_tiles(SHORT, text))
    report = match_report(MatchQuestion(asked, ("rule", "random"), None, 3), Running(Interrupt()))
    assert report.map.choice == choice
    if tiles is None:
        assert len(report.map.tiles) == 3
    else:
        assert report.map.tiles == [list(tiles)]
    assert "Tiles: " in map_text(report.map)
    question = SoloQuestion(asked, "rule", ("tomb",), ("easy",), 3, first=False)
    alone = solo_report(question, Running(Interrupt()))
    assert alone.map == report.map


@pytest.mark.parametrize(
    ("text", "players", "message"),
    [
        ("2a", 2, "2 players need 2 different tiles, not 2a"),
        ("2a,2b", 2, "different tiles"),
        ("2a,3b", 3, "3 players need 3"),
        ("9x,2b", 2, "no tile is called"),
    ],
)
def test_maps_that_cannot_be(text: str, players: int, message: str) -> None:
    with pytest.raises(RequestError, match=message) as raised:
        check_tiles(read_tiles(SHORT, text), players)
    assert raised.value.option == "--tiles"


# -- real games -----------------------------------------------------------------------------------------


@pytest.mark.kernels
@pytest.mark.parametrize("name", ["rule", "random", "search"])
def test_a_player_against_itself_wins_half_by_design_whatever_the_seed(name: str) -> None:
    for seed, clans in ((3, ("bohorg", "tomb")), (0, None)):
        asked = Terms(load_rules((), ["match.max_rounds=3"]), seed, (8, None))
        deals = 1 if name == "search" else 4
        report = match_report(MatchQuestion(asked, (name, name), clans, deals), Running(Interrupt()))
        for player in report.players:
            assert (player.won.mean, player.won.low, player.won.high) == (0.5, None, None)
            assert player.won.by_design
        assert not any(group.won.by_design for group in report.by_seat)


@pytest.mark.kernels
def test_what_was_played_before_in_this_process_changes_no_game(tmp_path: Path) -> None:
    clans = ["tomb"]
    asked = Terms(load_rules(), 5)

    def played(difficulty: str, deals: int, keep: Path | None = None) -> list[Played]:
        found = play_all(
            [
                task_of(asked, ["rule"], deal, deal, clans=clans, difficulty=difficulty)
                for deal in range(deals)
            ],
            Running(Interrupt(), keep=keep),
        )
        return [found[number] for number in sorted(found)]

    games._tables.clear()
    first = played("medium", 12)
    played("easy", 12)
    assert played("medium", 12) == first
    kept = tmp_path / "games.jsonl"
    games._tables.clear()
    played("medium", 5, kept)
    played("easy", 5, kept)
    assert played("medium", 12, kept) == first


@pytest.mark.kernels
def test_processes_change_no_game() -> None:
    asked = replace(terms(3), rules=SHORT)
    names = ["search", "random"]
    alone, beside = (
        play_all(tasks_of(asked, names, 3, clans=None), Running(Interrupt(), jobs=jobs)) for jobs in (1, 2)
    )
    assert alone == beside


@pytest.mark.kernels
def test_a_game_taken_back_goes_on_as_it_went_on_before() -> None:
    from analysis.clash.played_game import PlayedGame
    from analysis.clash.searching import Budget
    from engine.clash.board import scenario

    where = scenario(SHORT, ["bohorg", "tomb", "godleif"])
    game = PlayedGame(SHORT, where, 0, ["search", "random"], Budget(20), 20, 6, judged=False)
    game.others_move()
    for _ in range(6):
        choice = game.choices()[-1]
        game.make(choice)
        game.others_move()
        after, events = game.game.words.copy(), game.events[:]
        assert game.undo()
        game.make(choice)
        game.others_move()
        assert np.array_equal(game.game.words, after)
        assert game.events == events[-len(game.events) :]
        if game.game.over:
            break


@pytest.mark.kernels
def test_a_kept_table_does_not_change_what_a_battle_is_held_to_be() -> None:
    from analysis.clash.outcomes import OutcomeTables
    from analysis.clash.players import MOST_POSITIONS, _expected
    from analysis.clash.whole_game import WholeGame
    from engine.clash import kernel_fighters as kf
    from engine.clash.board import scenario
    from engine.clash.fighters import fighter
    from engine.clash.kernel_rules import army

    rules = load_rules()
    tables = OutcomeTables(rules)
    game = WholeGame(rules, scenario(rules, ["bohorg", "tomb"]), tables, 1)
    numbers = np.zeros(kf.NUM_NUMBERS, np.int64)
    numbers[: kf.SIDE] = np.ravel([fighter(unit) for unit in rules.clan("bohorg").units])
    numbers[kf.SIDE : 2 * kf.SIDE] = np.ravel([fighter(unit) for unit in rules.clan("tomb").units])
    kf.set_armies(game.compiled, army((4, 2, 1)), army((4, 2, 1)), False, numbers)
    before = tables.size(numbers)
    assert before > MOST_POSITIONS
    guessed = _expected(game, numbers)
    tables.table(numbers)
    assert tables.size(numbers) == before
    assert _expected(game, numbers) == guessed


@pytest.mark.kernels
def test_figures_that_are_far_from_everything_walk() -> None:
    from analysis.clash.outcomes import OutcomeTables
    from analysis.clash.players import RulePlayer, marching_plans
    from analysis.clash.whole_game import WholeGame
    from engine.clash import layout
    from engine.clash.board import scenario
    from engine.clash.rule_based import PASSES

    rules = load_rules()
    where = scenario(rules, ["godleif"], tiles=("4b", "5a"), difficulty="medium")
    game, player, walked = WholeGame(rules, where, OutcomeTables(rules), 1), RulePlayer(), 0
    while not game.over:
        if game.phase == layout.ACTING:
            best = player.options(game)[0]
            walked += best.choice.marches is not None
            # Nobody passes while somebody could come nearer to what is worth taking.
            nearer = [plan for plan in marching_plans(game, player.habits) if plan.walked > 0.1]
            assert best.choice.move != PASSES or not nearer
        game.make(player.choose(game))
    assert walked


@pytest.mark.kernels
def test_real_matches_repeat_and_are_fair_to_twins() -> None:
    question = MatchQuestion(terms(3), ("rule", "rule"), None, 2)
    report = match_report(question, Running(Interrupt()))
    # Twins in both seats play the same game twice.
    assert [player.won.mean for player in report.players] == [0.5, 0.5]
    assert report.games == 4


@pytest.mark.kernels
def test_solo_at_all_difficulties() -> None:
    question = SoloQuestion(
        Terms(load_rules(), 1, (20, None)), "search", ("bohorg", "tomb"), DIFFICULTIES, 2, first=True
    )
    report = solo_report(question, Running(Interrupt()))
    assert [each.difficulty for each in report.difficulties] == list(DIFFICULTIES)
    assert all(each.won.games == 2 for each in report.difficulties)
    assert report.first[0].choice.startswith("card ")
    assert all(0.0 <= each.chance <= 1.0 for each in report.first)
    again = solo_report(question, Running(Interrupt()))
    assert again.difficulties == report.difficulties
    assert again.first == report.first


@pytest.mark.kernels
def test_a_first_decision_without_a_choice_has_no_chances() -> None:
    rules = load_rules((), ["match.hand_size=1"])
    question = SoloQuestion(Terms(rules, 0, (4, None)), "rule", ("bohorg",), ("easy",), 1)
    report = solo_report(question, Running(Interrupt()))
    assert report.first == []
    assert msgspec.json.decode(msgspec.json.encode(report), type=SoloReport) == report


@pytest.mark.kernels
def test_tables_of_outcomes_are_those_of_battles() -> None:
    from analysis.clash import battle
    from analysis.clash.outcomes import OutcomeTables
    from analysis.clash.solving import battle_report
    from engine.clash import kernel_fighters as kf
    from engine.clash import layout
    from engine.clash.board import scenario
    from engine.clash.fighters import fighter
    from engine.clash.kernel_rules import army, kernel_rules

    rules = load_rules()
    compiled = kernel_rules(rules, scenario(rules, ["bohorg", "tomb"]))
    numbers = np.zeros(kf.NUM_NUMBERS, np.int64)
    numbers[: kf.SIDE] = np.ravel([fighter(unit) for unit in rules.clan("bohorg").units])
    numbers[kf.SIDE : 2 * kf.SIDE] = np.ravel([fighter(elf) for elf in rules.elves])
    kf.set_armies(compiled, army((2, 0, 1)), army((2, 0, 0)), True, numbers)
    kf.forget_absent(numbers)
    tables = OutcomeTables(rules)
    table = tables.table(numbers)
    assert tables.table(numbers.copy()) is table
    assert tables.solved == len(tables) == 1
    report = battle_report(
        battle("bohorg: 2 Pummeler, 1 Executioner", "elves: 2 Templar", objective="material", rules=rules)
    )
    assert table.hold == pytest.approx(report.win, abs=1e-9)
    assert table.beyond < 1e-12
    left = np.diff(table.chances, prepend=0.0) @ np.bitwise_and(table.outcomes, layout.COUNT_MASK)
    assert 2 - left == pytest.approx(report.attacker.types[0].lost, abs=1e-9)


@pytest.mark.kernels
def test_B12_a_battle_without_end_is_left() -> None:
    from analysis.clash.outcomes import OutcomeTables
    from engine.clash import kernel_fighters as kf
    from engine.clash.board import scenario
    from engine.clash.kernel_rules import army, kernel_rules

    rules = load_rules((), ["battle.rage_limit=0", "battle.sparing=false"])
    compiled = kernel_rules(rules, scenario(rules, ["bohorg", "tomb"]))
    numbers = np.zeros(kf.NUM_NUMBERS, np.int64)
    for side in (0, 1):
        numbers[side * kf.SIDE : side * kf.SIDE + kf.NUM_PARTS] = (1, 9, 0, 0, 9, 0, side)
    kf.set_armies(compiled, army((1, 0, 0)), army((1, 0, 0)), True, numbers)
    kf.forget_absent(numbers)
    table = OutcomeTables(rules).table(numbers)
    assert table.outcomes.tolist() == [1 | 1 << 12 | kf.FLED | kf.ATTACKER_FLED]
    assert int(kf.roll_battle(compiled, numbers, np.array([1], np.int64))) == int(table.outcomes[0])


@pytest.mark.kernels
@pytest.mark.parametrize("difficulty", [None, "easy"])
def test_who_passes_all_game_long_and_loses_is_told_which_decisions_cost_most(difficulty: str | None) -> None:
    from analysis.clash.played_game import PlayedGame
    from analysis.clash.searching import Budget
    from analysis.clash.whole_game import Choice
    from analysis.reviewed import review
    from engine.clash import layout
    from engine.clash.board import scenario
    from engine.clash.rule_based import PASSES

    rules = load_rules()
    clans = ["bohorg"] if difficulty else ["bohorg", "tomb"]
    where = scenario(rules, clans, difficulty=difficulty)
    game = PlayedGame(rules, where, 0, ["rule"] * (len(clans) - 1), Budget(8), 2000, 4)
    game.others_move()
    while not game.game.over:
        passes = game.game.phase == layout.ACTING
        game.make(Choice(PASSES) if passes else game.choices()[0])
        game.others_move()
    assert game.game.winner != 0
    said = review(game.decisions, "--playouts")
    assert said.named
    assert any(each.made == "pass" for each in said.named)
    for decision in said.named:
        assert decision.cost > 1.96 * decision.error > 0.0


@pytest.mark.kernels
def test_more_playouts_of_a_hint_say_more() -> None:
    from analysis.clash.played_game import PlayedGame
    from analysis.clash.searching import Budget
    from engine.clash.board import scenario

    rules = load_rules()
    errors = []
    for playouts in (60, 2000):
        game = PlayedGame(
            rules, scenario(rules, ["bohorg", "tomb"]), 0, ["rule"], Budget(8), playouts, 4, judged=False
        )
        game.others_move()
        options = game.hint().options
        assert [each.text for each in options[:1]] == [max(options, key=lambda each: -each.behind).text]
        errors.append(options[0].error)
    assert errors[1] < errors[0] / 2
