"""Who plays whole games of Clash of Rage: seats and luck, what is searched, tables of battles."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from analysis.clash import outcomes, players, searching
from analysis.clash.contest import Games, Solo, advisor, budget_of, check_clans, scenario_of_deal, seated
from analysis.clash.maps import MapReport, check_tiles, map_text, num_tiles, tiles_of_deal
from analysis.clash.outcomes import OutcomeTables
from analysis.clash.players import Option, RandomPlayer, RulePlayer, habits_of, marching_plans
from analysis.clash.searching import Budget, SearchPlayer
from analysis.clash.session import begin
from analysis.clash.setup import RULE, SEARCH, Advice, Random, Rule, Search, Setup, SoloSetup
from analysis.clash.whole_game import Choice, WholeGame, coming_battles
from analysis.errors import RequestError
from engine.clash import kernel_fighters as kf
from engine.clash import layout
from engine.clash.board import scenario
from engine.clash.fighters import fighter
from engine.clash.kernel_rules import army, kernel_rules
from engine.clash.kernel_state import controls
from engine.clash.plans import worth
from engine.clash.rule_based import EQUIPS, MARCHES, PASSES
from engine.clash.rules import load_rules
from tests.analysis.battles import battle

RULES = load_rules()
SHORT = load_rules((), ["match.max_rounds=2"])
SOON = load_rules((), ["match.max_rounds=4", "match.points=2"])
"""Somebody wins before long, or nobody."""

# -- what needs no game ---------------------------------------------------------------------------------


def test_budgets_in_words() -> None:
    assert str(Budget()) == "2000 playouts"
    assert str(Budget(30, 1.5)) == "1.5 s"
    assert budget_of(Search(playouts=7)) == Budget(7, None)
    assert budget_of(Search(seconds=2.0)) == Budget(400, 2.0)
    assert budget_of(RULE) == Budget(400, None)


def test_players_have_their_own_weights() -> None:
    usual = seated(RULE, 1)
    assert isinstance(usual, RulePlayer)
    assert usual.habits.tolist() == habits_of().tolist()
    other = seated(Rule(city=9.0), 1)
    assert isinstance(other, RulePlayer)
    changed = np.flatnonzero(other.habits != usual.habits)
    assert other.habits[changed].tolist() == [9.0]
    search = seated(Search(playouts=5, sure=0.5), 1)
    assert isinstance(search, SearchPlayer)
    assert search.budget == Budget(5, None)
    assert 0.5 in search.habits.tolist()
    assert isinstance(seated(Random(), 1), RandomPlayer)
    assert advisor(Random(), 3).habits.tolist() == habits_of().tolist()


def test_clans_fit_the_players() -> None:
    check_clans((), 3)
    check_clans(("bohorg", "tomb"), 2)
    with pytest.raises(RequestError, match="3 players have 3 clans, not 2"):
        check_clans(("bohorg", "tomb"), 3)
    with pytest.raises(RequestError, match="each clan is played once"):
        check_clans(("bohorg", "bohorg"), 2)


def test_as_many_different_tiles_as_players_and_two_at_least() -> None:
    assert [num_tiles(number) for number in (1, 2, 3, 4)] == [2, 2, 3, 4]
    for number in (1, 2, 3, 4):
        for deal in range(20):
            tiles = tiles_of_deal(RULES, None, number, 5, deal)
            check_tiles(tiles, number)
            assert len({tile[:-1] for tile in tiles}) == len(tiles) == max(2, number)
    assert {tile[-1] for deal in range(20) for tile in tiles_of_deal(RULES, None, 2, 5, deal)} == {"a", "b"}
    for tiles, number in ((("1a",), 1), (("1a", "2b", "3a"), 2), (("1a", "1b", "2a"), 3)):
        with pytest.raises(RequestError, match="different tiles, not 1a"):
            check_tiles(tiles, number)


def test_three_maps_are_named_of_those_that_chance_dealt() -> None:
    maps = [["2a", "1a"], ["1a", "2a"], ["3a", "1b"], ["1a", "2a"]]
    said = map_text(MapReport("chance", maps, []))
    assert "3 maps (1a 2a; 2a 1a; 3a 1b); --tiles" in said
    said = map_text(MapReport("chance", [*maps, ["5a", "4a"]], []), "game")
    assert said == "Tiles: by chance for each game, 4 maps (1a 2a; 2a 1a; 3a 1b, ...); --tiles names one map."
    assert map_text(MapReport("first", [["1a", "2a"]], [])) == "Tiles: 1a 2a, the first sides."
    assert map_text(MapReport("given", [["2a", "5b"]], [])) == "Tiles: 2a 5b, as given."


@pytest.mark.parametrize(
    ("given", "option", "said"),
    [
        ({"opponents": (RULE,) * 4}, "--opponent", "two to four play, not 5"),
        ({"clan": ("tomb",), "opponents": (RULE,)}, "--clan", "two to four play, not 1"),
        ({"seat": 2}, "--seat", "there is no seat 3 of 2"),
        ({"seat": 1, "solo": "easy"}, "--seat", "there is no seat 2 of 1"),
        ({"opponents": (RULE, RULE), "seat": 3}, "--seat", "there is no seat 4 of 3"),
        ({"solo": "easy", "opponents": (RULE,)}, "--opponent", "alone against the elves"),
        ({"solo": "easy", "clan": ("tomb", "bohorg")}, "--clan", "1 players have 1 clans, not 2"),
        ({"opponents": (RULE, RULE), "clan": ("tomb", "bohorg")}, "--clan", "3 players have 3 clans, not 2"),
        ({"tiles": "1a,2a,3a"}, "--tiles", "2 players need 2 different tiles"),
        ({"solo": "easy", "tiles": "1a"}, "--tiles", "one player needs 2 different tiles"),
    ],
)
def test_games_that_cannot_begin(given: dict[str, Any], option: str, said: str) -> None:
    setup = Setup(clan=given.get("clan", ()), tiles=given.get("tiles", "chance"))
    advice = Advice(solo=given.get("solo"))
    with pytest.raises(RequestError, match=said) as caught:
        begin(RULES, setup, given.get("seat", 0), given.get("opponents", (SEARCH,)), 1, advice)
    assert caught.value.option == option


# -- games ----------------------------------------------------------------------------------------------


@pytest.mark.kernels
def test_as_many_play_as_there_are_opponents_or_clans() -> None:
    clans = ("tomb", "bohorg", "godleif", "steamfield")
    for setup, opponents, seat, size in (
        (Setup(), (RULE,), 1, 2),
        (Setup(clan=clans), (RULE,), 3, 4),
        (Setup(clan=clans[:3]), (SEARCH,), 0, 3),
        (Setup(), (RULE, Random(), RULE), 2, 4),
    ):
        session = begin(SHORT, setup, seat, opponents, 1, Advice())
        where = session.game.game.scenario
        assert (session.seat, len(where.clans)) == (seat, size)
        assert setup.clan in ((), tuple(where.clans))
        assert session.game.events[-1].startswith(f"You play {where.clans[seat]} on tiles ")
    alone = begin(SHORT, Setup(), 0, (SEARCH,), 1, Advice(solo="easy"))
    assert len(alone.game.game.scenario.clans) == 1


@pytest.mark.kernels
def test_a_card_is_named_by_its_number_where_one_is_chosen() -> None:
    session = begin(SHORT, Setup(clan=("bohorg", "tomb")), 0, (RULE,), 1, Advice(no_costs=True))
    session.advance()
    hand = session.game.hand()
    assert len(hand) == 3
    assert [session.named(f"card {order}") for order in hand] == [0, 1, 2]
    assert session.named("Card " + str(hand[1])) == 1
    assert session.named("card 999") is None
    assert session.named(f"{hand[0]}") is None
    options = session.options()
    assert options is not None
    for number, order in enumerate(hand):
        assert options[number].startswith(f"card {order}: ")
    before = session.fingerprint()
    session.make(1)
    assert session.fingerprint() != before
    session.advance()
    assert session.game.hand() == []
    assert session.named(f"card {hand[0]}") is None
    assert session.undo()
    assert session.fingerprint() == before
    assert not session.undo()


def turned(won: list[list[float]]) -> list[list[float]]:
    """What players won by rotation if each sits down one seat further on."""
    size = len(won)
    return [
        [won[(rotation + 1) % size][(player + 1) % size] for player in range(size)]
        for rotation in range(size)
    ]


@pytest.mark.kernels
@pytest.mark.parametrize("seats", [(RULE, Random()), (RULE, Random(), Rule(city=0.0))])
def test_whoever_is_named_first_the_same_games_are_played(seats: tuple[Any, ...]) -> None:
    size, deals = len(seats), 5 - len(seats)
    found = Games(SOON, Setup(), seats).play(0, deals, 4)
    other = Games(SOON, Setup(), (*seats[1:], seats[0])).play(0, deals, 4)
    assert found is not None
    assert other is not None
    assert other.won == [turned(won) for won in found.won]
    assert any(won[0] != won[1] for won in found.won)
    assert other.lengths == found.lengths
    assert sum(found.lengths.values()) == deals * size
    assert other.draws == found.draws
    assert found.draws == sum(len(set(won)) == 1 for deal in found.won for won in deal)
    for group in ("clan", "tiles"):
        expected = {name: pytest.approx(both) for name, both in other.tallies[group].items()}
        assert found.tallies[group] == expected
    for deal in found.won:
        assert [sum(won) for won in deal] == pytest.approx([1.0] * size)
    assert sum(plays for plays, _ in found.tallies["clan"].values()) == deals * size * size
    assert sum(points for _, points in found.tallies["clan"].values()) == pytest.approx(deals * size)
    assert sum(plays for plays, _ in found.tallies["tiles"].values()) == deals * size
    # The first player sits first in the first rotation, the second one in the next.
    first = sum(deal[rotation][rotation] for deal in found.won for rotation in range(size))
    assert sum(points for _, points in found.tallies["tiles"].values()) == pytest.approx(first)
    own = sum(won[0] for deal in found.won for won in deal)
    assert sum(points for _, points in found.tallies["ending"].values()) == pytest.approx(own)
    assert set(found.leads) == set(range(1, max(found.lengths)))
    for time, numbers in found.leads.items():
        later = sum(number for length, number in found.lengths.items() if length > time)
        assert numbers[0] == later
        assert numbers[1] + sum(numbers[3:]) == later
        assert other.leads[time][:3] == pytest.approx(numbers[:3])
        assert other.leads[time][3:] == [*numbers[4:], numbers[3]]


@pytest.mark.kernels
def test_solo_games_take_clans_in_turn() -> None:
    setup = SoloSetup(clan=("bohorg", "tomb"), difficulties=("easy", "impossible"))
    game = Solo(SHORT, setup, (RULE,))
    assert [game.begun(1, deal, "easy").scenario.clans[0] for deal in range(4)] == ["bohorg", "tomb"] * 2
    found = game.play(1, 2, 1)
    assert found is not None
    assert [[len(won) for won in deal] for deal in found.won] == [[1, 1], [1, 1]]
    assert {name: plays for name, (plays, _) in found.tallies["rounds"].items()} == {
        "easy": 2,
        "impossible": 2,
    }
    assert all(2 <= rounds <= 4 for _, rounds in found.tallies["rounds"].values())
    assert game.play(0, 1, 1, lambda: True) is None


def game_at(phase: int, marches: int = 0) -> WholeGame:
    """A game of two by rule of thumb up to a phase in which there is a choice, or so many marches."""
    where = scenario(RULES, ["bohorg", "tomb"])
    game, player = WholeGame(RULES, where, OutcomeTables(RULES), 1), RulePlayer()
    while (
        game.phase != phase
        or game.num_moves == 1
        or (marches and len(marching_plans(game, player.habits)) < marches)
    ):
        game.make(player.choose(game))
    return game


@pytest.mark.kernels
def test_a_search_tries_the_promising_choices_more_often() -> None:
    game = game_at(layout.TACTIC)
    before = game.words.copy()
    spent: list[int] = []
    tried = searching.Trials.tried

    def counted(self: searching.Trials, index: int, number: int, rng: Any) -> float:
        spent.append(index)
        return tried(self, index, number, rng)

    search = SearchPlayer(Budget(playouts=96), seed=2)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(searching.Trials, "tried", counted)
        options = search.options(game)
    assert len(options) == game.num_moves == 3
    # Two stages, each of 48 playouts or a few more, four at a time for each choice that is left.
    plays = [4 * spent.count(index) for index in range(3)]
    assert 96 <= sum(plays) <= 96 + 2 * 12
    assert plays[options[-1].choice.move] == min(plays) < max(plays)
    assert [option.choice for option in options] == [option.choice for option in search.options(game)]
    assert sorted(option.choice.move for option in options) == [0, 1, 2]
    assert all(0.0 <= option.worth <= 1.0 for option in options)
    assert all(0.0 < option.error < 0.5 for option in options)
    assert np.array_equal(game.words, before)
    assert search.choose(game) == options[0].choice
    usual = RulePlayer(search.habits).choose(game)
    best = max(option.worth for option in options)
    (of_usual,) = [option for option in options if option.choice == usual]
    if options[0].choice != usual:
        assert options[0].worth - of_usual.worth > 0.5 * np.hypot(options[0].error, of_usual.error)
    else:
        assert best - of_usual.worth <= best
    # A search by the clock makes a round in each stage at least.
    quick = SearchPlayer(Budget(seconds=0.001), seed=2).options(game)
    assert len(quick) == 3


@pytest.mark.kernels
def test_a_search_looks_at_equipment_passing_and_the_best_marches() -> None:
    game = game_at(layout.ACTING, 7)
    search = SearchPlayer(Budget(playouts=8), width=5)
    plans = marching_plans(game, search.habits)
    assert len(plans) > 5
    assert [plan.gain for plan in plans] == sorted((plan.gain for plan in plans), reverse=True)
    arms = search.arms(game, Choice(PASSES))
    assert [arm.choice.move for arm in arms] == [EQUIPS, PASSES, MARCHES, MARCHES, MARCHES]
    assert [arm.move for arm in arms] == [EQUIPS, PASSES, -1, -1, -1]
    assert [arm.choice for arm in arms[2:]] == [plan.choice for plan in plans[:3]]
    # What the player by rule of thumb does is among them, however many there are.
    late = search.arms(game, plans[4].choice)
    assert [arm.choice for arm in late] == [*(arm.choice for arm in arms), plans[4].choice]
    assert len(search.arms(game, plans[1].choice)) == len(arms)
    for arm, plan in zip(arms[2:], plans, strict=False):
        fields, chances, found = arm.tables
        for place in range(layout.MAX_TERRITORIES):
            begin_, end = int(fields[place]), int(fields[place + 1])
            numbers = next((each for where, each in plan.battles if where == place), None)
            if numbers is None:
                assert begin_ == end
            else:
                table = game.tables.table(numbers)
                assert found[begin_:end].tolist() == table.outcomes.tolist()
                assert chances[begin_:end].tolist() == table.chances.tolist()
        assert len(chances) == len(found) == int(fields[-1]) + 1


@pytest.mark.kernels
def test_units_that_arrive_together_go_to_one_place() -> None:
    game = game_at(layout.REINFORCE)
    search, seen = SearchPlayer(Budget(playouts=8), seed=1), list[tuple[int, int]]()
    while game.phase == layout.REINFORCE and len(seen) < 3:
        decider = game.decider
        if game.num_moves > 1:
            choice = search.choose(game)
            seen.append((decider, search._place(game, choice.move)))
            game.make(choice)
        else:
            game.make(Choice(0))
    for player in {decider for decider, _ in seen}:
        assert len({place for decider, place in seen if decider == player}) == 1
    search.forget()
    assert search._as_before(game) is None


@pytest.mark.kernels
def test_a_player_by_rule_of_thumb_weighs_marches_against_equipment_and_passing() -> None:
    game = game_at(layout.ACTING, 7)
    player = RulePlayer()
    options = player.options(game)
    worths = [option.worth for option in options]
    assert worths == sorted(worths, reverse=True)
    assert Option(Choice(PASSES), 0.0) in options
    assert sum(option.choice.move == MARCHES for option in options) == players.CLOSE_LOOKS
    assert player.choose(game) == options[0].choice
    for plan in marching_plans(game, player.habits)[:3]:
        expected = plan.walked
        for place in range(int(game.compiled[layout.RULE_NUM_TERRITORIES])):
            value = float(worth(plan.words, game.compiled, player.habits, 0, place))
            mine, now = (bool(controls(words, game.decider, place)) for words in (game.words, plan.words))
            if mine != now:
                expected += (now - mine) * float(
                    worth(plan.words, game.compiled, player.habits, game.decider, place)
                )
            assert value >= 0.0
        for place, numbers in plan.battles:
            table = game.tables.table(numbers)
            value = float(worth(plan.words, game.compiled, player.habits, game.decider, place))
            expected += table.hold * value - RULE.loss * table.losses[0]
        assert player._worth(game, plan) == pytest.approx(expected)


@pytest.mark.kernels
def test_habits_that_value_nothing_pass() -> None:
    from engine.clash.habits import DEFAULT_HABITS

    game = game_at(layout.ACTING)
    idle = RulePlayer(habits_of(dict.fromkeys(DEFAULT_HABITS, 0.0)))
    assert idle.choose(game).move == PASSES


# -- tables ---------------------------------------------------------------------------------------------


def numbers_of(
    own: tuple[int, int, int], other: tuple[int, int, int], rules: Any = RULES, *, elves: bool = False
) -> Any:
    """A battle of Bohorg against Tomb, or elves, as kernels describe it."""
    compiled = kernel_rules(rules, scenario(rules, ["bohorg", "tomb"]))
    numbers = np.zeros(kf.NUM_NUMBERS, np.int64)
    numbers[: kf.SIDE] = np.ravel([fighter(unit) for unit in rules.clan("bohorg").units])
    types = rules.elves if elves else rules.clan("tomb").units
    numbers[kf.SIDE : 2 * kf.SIDE] = np.ravel([fighter(unit) for unit in types])
    kf.set_armies(compiled, army(own), army(other), elves, numbers)
    kf.forget_absent(numbers)
    return numbers


@pytest.mark.kernels
@pytest.mark.parametrize("elves", [False, True])
def test_tables_hold_every_end_of_a_battle(elves: bool) -> None:
    own, other = (2, 0, 1), (1, 1, 0)
    sides = "1 Templar, 1 Elder" if elves else "1 I, 1 II"
    asked = battle("bohorg: 2 I, 1 III", f"{'elves' if elves else 'tomb'}: {sides}", objective="material")
    from analysis.clash.solving import battle_answer

    report = battle_answer(asked)
    table = OutcomeTables(RULES).table(numbers_of(own, other, elves=elves))
    found = dict(zip(table.outcomes.tolist(), np.diff(table.chances, prepend=0.0).tolist(), strict=True))
    expected = {}
    for end in report.ends:
        if end.probability > 1e-12:
            flags = 0 if end.result == "destroyed" else kf.FLED
            flags |= kf.ATTACKER_FLED if end.result == "attacker-fled" else 0
            left, left_other = (army(tuple(counts)) for counts in (end.attacker, end.defender))
            expected[int(left) | int(left_other) << layout.ARMY_BITS | flags] = end.probability
    assert found == pytest.approx(expected, abs=1e-9)
    assert table.chances[-1] == 1.0
    assert table.hold == pytest.approx(report.win, abs=1e-9)
    for side, army_ in enumerate((report.attacker, report.defender)):
        lives = [asked.armies[side].fighters[level].life for level in army_.levels]
        lost = sum(life * each.lost for life, each in zip(lives, army_.types, strict=True))
        assert table.losses[side] == pytest.approx(lost, abs=1e-9)
    assert table.beyond == pytest.approx(0.0, abs=1e-9)


@pytest.mark.kernels
def test_tables_that_were_not_asked_for_longest_are_forgotten() -> None:
    tables = OutcomeTables(RULES, most_tables=2)
    one, two, three = (numbers_of((number, 0, 0), (1, 0, 0)) for number in (1, 2, 3))
    first = tables.table(one)
    tables.table(two)
    assert tables.table(one) is first
    assert (tables.solved, len(tables)) == (2, 2)
    tables.table(three)
    assert (tables.solved, len(tables)) == (3, 2)
    assert tables.table(one) is first
    tables.table(two)
    assert tables.solved == 4
    assert tables.size(one) < tables.size(two) < tables.size(three)
    assert tables.solved == 4


@pytest.mark.kernels
def test_a_battle_that_is_too_large_is_cut_and_its_chances_are_scaled_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    numbers = numbers_of((3, 0, 0), (0, 2, 0))
    tables = OutcomeTables(RULES)
    whole = tables.battle(numbers)
    assert tables.size(numbers) == whole.num_positions
    monkeypatch.setattr(outcomes, "MOST_POSITIONS", whole.num_positions)
    assert tables.battle(numbers).num_positions == whole.num_positions
    monkeypatch.setattr(outcomes, "MOST_POSITIONS", whole.num_positions - 1)
    less = tables.battle(numbers)
    assert less.num_positions < whole.num_positions
    assert max(less.cuts) == max(whole.cuts) - 1
    monkeypatch.setattr(outcomes, "MOST_POSITIONS", 1)
    cut = tables.battle(numbers)
    assert max(cut.cuts) == 2
    assert tables.size(numbers) == whole.num_positions
    exact, table = OutcomeTables(RULES), tables.table(numbers)
    assert table.beyond > 0.0
    assert table.chances[-1] == 1.0
    monkeypatch.setattr(outcomes, "MOST_POSITIONS", whole.num_positions)
    assert exact.table(numbers).beyond == pytest.approx(0.0, abs=1e-9)
    assert table.hold == pytest.approx(exact.table(numbers).hold, abs=0.2)


@pytest.mark.kernels
def test_what_large_battles_come_to_is_guessed_from_life_points(monkeypatch: pytest.MonkeyPatch) -> None:
    game = game_at(layout.ACTING)
    numbers = numbers_of((2, 0, 1), (1, 1, 0))
    table = game.tables.table(numbers)
    assert players._expected(game, numbers) == (table.hold, table.losses[0])
    monkeypatch.setattr(players, "MOST_POSITIONS", game.tables.size(numbers))
    assert players._expected(game, numbers) == (table.hold, table.losses[0])
    monkeypatch.setattr(players, "MOST_POSITIONS", game.tables.size(numbers) - 1)
    hold, lost = players._expected(game, numbers)
    assert hold == pytest.approx(float(kf.forecast(game.compiled, numbers)))
    # 2 Pummeler and 1 Executioner have 9 life points, 1 Tomb I and 1 Tomb II have 6.
    assert lost == pytest.approx((1.0 - hold) * 9 + hold * 3)
    small = numbers_of((1, 0, 0), (0, 0, 2))
    monkeypatch.setattr(players, "MOST_POSITIONS", 0)
    hold, lost = players._expected(game, small)
    assert lost == pytest.approx((1.0 - hold) * 2 + hold * 0.7 * 2)


@pytest.mark.kernels
def test_battles_to_come_are_those_where_enemies_meet() -> None:
    game = game_at(layout.ACTING)
    assert coming_battles(game.words, game.compiled, game.buffers.numbers) == []
    plans = [plan for plan in marching_plans(game, habits_of()) if plan.battles]
    assert plans
    for plan in plans[:5]:
        assert plan.choice.marches is not None
        targets = {move % 32 for move in plan.choice.marches}
        assert {place for place, _ in plan.battles} <= targets


@pytest.mark.kernels
def test_a_deal_is_played_where_it_says() -> None:
    setup = Setup(tiles="2a,5b", long=True)
    where = scenario_of_deal(RULES, setup, ["bohorg", "tomb"], 1, 0)
    assert tuple(where.tiles) == ("2a", "5b")
    assert where.long_game
    chance = scenario_of_deal(RULES, Setup(), ["bohorg", "tomb"], 1, 3)
    assert tuple(chance.tiles) == tiles_of_deal(RULES, None, 2, 1, 3)
    assert not chance.long_game
