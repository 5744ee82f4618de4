"""Raverun and the sampling solvers together: contract, exact exploitability of reduced games, abstraction."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from analysis.raverun.figures import hand_root
from engine.raverun import kernel, layout, sampling
from engine.raverun.codec import encode
from engine.raverun.greedy import greedy_moves
from engine.raverun.layout import NUM_WORDS
from engine.raverun.rules import Rules, load_rules
from solver.extensive import CHANCE, ExtensiveGame, build_game, expected_payoff, uniform_strategy
from solver.sampling.external_sampling import ExternalSamplingSettings, train_external_sampling
from solver.sampling.game import FloatArray, MalformedSamplingGameError
from solver.sampling.head_to_head import play_matches
from solver.sampling.infoset_table import InfosetTable
from solver.sampling.policy import function_policy, uniform_policy
from solver.sequence_form import solve_sequence_form
from solver.tree_best_response import exploitability
from tests.games.sampling_checks import check_sampling_game
from tests.oracles.raverun_reference_tree import ExactGame, Node, all_deals

pytestmark = pytest.mark.kernels

BOX = load_rules()
REDUCED = load_rules(
    overrides=["match.characters=4", "match.letters=2", "match.hand_size=2", "characters.4.action=bury"]
)


#: A stack is shuffled before its top is buried, in each round or in the last phase.
BURIED, BURIED_LAST = (
    load_rules(
        overrides=[
            *("match.characters=5", "match.hand_size=5", "characters.1.action=shuffle"),
            *("characters.4.action=bury", f"characters.4.colour={colour}"),
        ]
    )
    for colour in ("green", "red")
)


@pytest.mark.parametrize("recall", sampling.RECALLS)
@pytest.mark.parametrize("num_players", [2, 3])
@pytest.mark.parametrize(
    "rules", [BOX, REDUCED, BURIED, BURIED_LAST], ids=["box", "reduced", "buried", "buried-last"]
)
def test_the_games_keep_the_contract(rules: Rules, num_players: int, recall: str) -> None:
    check_sampling_game(sampling.sampling_tables(rules, num_players, recall), num_plays=40)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("rules", "bids_held_back"), [(BOX, False), (BURIED, True), (BURIED_LAST, True)], ids=["V3", "6", "8"]
)
def test_V4_a_move_that_shows_its_player_what_he_cannot_know_yet_is_found(
    rules: Rules, bids_held_back: bool
) -> None:
    """Carried out as the rules have it, the last first choice uncovers all, and a burial what lies below."""
    game = sampling.sampling_tables(rules, 2, "view")

    def leaking(tables: sampling.Words, state: sampling.Words, work: sampling.Words, move: int) -> None:
        in_bid = kernel.phase(state) == layout.BID
        if bids_held_back and in_bid:
            sampling.apply(tables, state, work, move)
        else:
            kernel.transition(state, tables, move)

    with pytest.raises(MalformedSamplingGameError, match="what it cannot know yet"):
        check_sampling_game(replace(game, apply=leaking, is_open=None), num_plays=200)


def strategy_on_tree(
    tree: ExtensiveGame, source: ExactGame, game: sampling.SamplingTables, table: InfosetTable
) -> FloatArray:
    """The trained averages as a strategy of the explicit tree: both games are walked side by side."""
    strategy = uniform_strategy(tree)
    work = np.zeros(game.work_words, np.int64)

    def settle(words: sampling.Words, node: Node) -> None:
        """Make single moves as the tree does, up to the node's state."""
        assert node.state is not None
        while words[:NUM_WORDS].tolist() != encode(node.state).tolist():
            game.observe(game.tables, words, work)
            assert work[0] == 1
            game.apply(game.tables, words, work, 0)

    def dealt(node: Node) -> sampling.Words:
        """Words after dealing what the node's opponent holds."""
        assert node.state is not None
        words = game.root.copy()
        cards = set(node.state.players[1].hand)
        for _ in range(len(cards)):
            batch = [card for card in range(24) if words[8] >> card & 1]
            game.apply(game.tables, words, work, next(i for i, card in enumerate(batch) if card in cards))
        settle(words, node)
        return words

    todo: list[tuple[int, Node, sampling.Words | None]] = [(0, source.root(), None)]
    while todo:
        index, node, words = todo.pop()
        if source.is_terminal(node):
            continue
        by_chance = source.player(node) == CHANCE
        ways = [way for way, _ in source.chance_outcomes(node)] if by_chance else source.actions(node)
        if not by_chance:
            assert words is not None
            assert game.observe(game.tables, words, work) == source.player(node)
            assert work[0] == len(ways)
            rows = table.rows(int(work[1]))
            if rows is not None and rows[1].sum() > 0:
                first = tree.first_slot[tree.node_infoset[index]]
                strategy[first : first + len(ways)] = rows[1] / rows[1].sum()
        for number, way in enumerate(ways):
            child = source.child(node, way)
            if words is None:
                after = dealt(child)
            else:
                after = words.copy()
                game.apply(game.tables, after, work, number)
                settle(after, child)
            todo.append((int(tree.first_child[index]) + number, child, after))
    return strategy


ACTIONS = {
    "swap-exchange": ("swap", "exchange", "green"),
    "draw-capture": ("draw", "capture", "red"),
    "shuffle-bury": ("shuffle", "bury", "red"),
}


@pytest.mark.parametrize("name", ACTIONS)
def test_training_reaches_the_value_of_the_linear_program(name: str) -> None:
    """One hand against all: the game is worth something, and exploitability is exact on its tree."""
    first, second, colour = ACTIONS[name]
    rules = load_rules(
        overrides=[
            *("match.characters=2", "match.letters=3", "match.hand_size=2"),
            *(f"characters.1.action={first}", f"characters.2.action={second}"),
            f"characters.2.colour={colour}",
        ]
    )
    hand = (1, 4)
    source = ExactGame(rules, [deal for deal in all_deals(range(6), 2) if deal[0] == hand])
    tree = build_game(source)
    value = solve_sequence_form(tree).value
    game = sampling.sampling_tables(rules, 2, "perfect")
    game = replace(game, root=hand_root(rules, 2, game, hand))
    settings = ExternalSamplingSettings(max_infosets=20_000)
    results = [train_external_sampling(game, settings, iterations=count) for count in (100, 40_000)]
    strategies = [strategy_on_tree(tree, source, game, result.table) for result in results]
    early, late = (exploitability(tree, strategy) for strategy in strategies)

    assert late.nash_conv < 0.03
    assert late.nash_conv < early.nash_conv
    assert abs(expected_payoff(tree, strategies[1]) - value) <= late.nash_conv + 1e-8


def test_summaries_tell_no_more_than_views_and_much_less() -> None:
    fine = sampling.sampling_tables(BOX, 2, "view")
    coarse = sampling.sampling_tables(BOX, 2, "summary")
    rng = np.random.default_rng(0)
    work = np.zeros(coarse.work_words, np.int64)
    summary_of: dict[int, int] = {}
    for _ in range(150):
        state = fine.root.copy()
        while (who := fine.observe(fine.tables, state, work)) != -2:
            number, key = int(work[0]), int(work[1])
            if who >= 0:
                coarse.observe(coarse.tables, state, work)
                assert summary_of.setdefault(key, int(work[1])) == work[1]
            fine.apply(fine.tables, state, work, int(rng.integers(number)))
    # Short samples rarely meet a view twice; a summary they do.
    assert len(set(summary_of.values())) < 0.8 * len(summary_of)


def test_greedy_looks_at_nothing_hidden_and_beats_random_play() -> None:
    game = sampling.sampling_tables(BOX, 2, "view")
    assert game.determinise is not None
    rng = np.random.default_rng(1)
    work = np.zeros(game.work_words, np.int64)
    other, chances, again = np.zeros_like(game.root), np.zeros(game.max_moves), np.zeros(game.max_moves)
    asked = 0
    for play in range(40):
        state = game.root.copy()
        while (who := game.observe(game.tables, state, work)) != -2:
            number = int(work[0])
            if who >= 0:
                greedy_moves(game.tables, state, work, chances)
                assert sorted(chances[:number]) == [0.0] * (number - 1) + [1.0]
                game.determinise(game.tables, state, work, who, play, other)
                game.observe(game.tables, other, work)
                greedy_moves(game.tables, other, work, again)
                assert again[:number].tolist() == chances[:number].tolist()
                asked += 1
            game.apply(game.tables, state, work, int(rng.integers(number)))
    assert asked > 500
    match = play_matches(game, function_policy("greedy", greedy_moves), uniform_policy(), num_deals=2000)
    assert match.interval[0] > 0.4
