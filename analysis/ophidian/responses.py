"""An attack that may be answered from a hidden hand, solved exactly: whether to dare it, and when not to."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace

import numpy as np

from analysis.errors import WorkError
from analysis.ophidian.proving import Fight, fighter_name, in_words
from analysis.ophidian.questions.response import Decision, ResponseAnswer, Threshold, Unit
from analysis.ophidian.response_game import (
    ATTACK,
    OTHERWISE,
    ResponseGame,
    ResponseQuestion,
    Sight,
    can_answer,
)
from analysis.pools import OTHER, open_value
from engine.ophidian.reference import Kind, Move, Phase, State, legal_moves
from engine.ophidian.reference_moves import ABILITIES, IN_PLAY
from engine.ophidian.wave_codec import Objective
from solver.extensive import ExtensiveGame, build_game, infoset_reach
from solver.sequence_form import solve_sequence_form

__all__ = ["action_words", "response_tree", "seen_words", "solved"]

MAX_NODES = 400_000
_TABLE_BYTES = 1 << 26
_SHOWN = 1e-6
_HALVINGS = 24
_EQUAL = 1e-9


class _Worths:
    """What positions without cards are worth to player 0: proved, each once."""

    def __init__(self, position: State, objective: Unit | None) -> None:
        last = position.wave >= position.rules.match.waves
        self.value_in: Unit = objective or ("result" if last else "points")
        fighters = [each for team in position.teams for each in team]
        lives = sum(position.rules.gladiators[each.gladiator].life[each.level] for each in fighters)
        counts = {"result": 1, "points": position.rules.match.winning_points, "wounds": lives}
        self.win_counts = counts[self.value_in]
        part = {"result": Objective.RESULT, "points": Objective.POINTS, "wounds": Objective.WOUNDS}
        self.fight = Fight(position, part[self.value_in], _TABLE_BYTES)
        self._known: dict[State, float] = {}

    def __call__(self, state: State) -> float:
        if state not in self._known:
            self._known[state] = self.of_value(self.fight.outcome_of(state))
        return self._known[state]

    def of_value(self, value: int) -> float:
        """A value of the search in the unit of the answer."""
        worth = self.fight.worth(value)
        amount = {"result": 0, "points": worth.points, "wounds": worth.wounds}[self.value_in]
        return float(self.win_counts * worth.result if worth.result else amount or 0)


def solved(question: ResponseQuestion) -> ResponseAnswer:
    """Solve an attack that may be answered from hidden hands.

    Raises
    ------
    WorkError
        If the tree is too large; the message says what would do.
    """
    position, attack, pools = question.position, question.attack, question.hidden
    question, idle = _without_idle(question)
    mover = position.turn
    sign = -1.0 if mover else 1.0
    worths = _Worths(position, question.objective)
    other, otherwise = _best_other(worths, position)
    game = _built(ResponseGame(position, attack, question.hidden, worths, otherwise))
    found = solve_sequence_form(game)
    forced_source = ResponseGame(position, attack, question.hidden, worths, None)
    forced = solve_sequence_form(_built(forced_source))
    reach = infoset_reach(game, found.strategy)
    decisions = _decisions(position, game, found.strategy, reach)
    first = [each for each in decisions if not each.seen]
    return ResponseAnswer(
        attack=in_words(position, attack),
        attacker="against" if mover else "team",
        wave=position.wave,
        value_in=worths.value_in,
        win_counts=worths.win_counts,
        value=sign * found.value,
        attack_value=sign * forced.value,
        otherwise=sign * otherwise,
        best_other=other,
        open_value=sign * open_value(game),
        attacks=sum(each.reach * each.mix.get(ATTACK, 0.0) for each in first),
        pools=[dict(each.pool) for each in pools],
        idle=idle,
        cards=[each.cards for each in pools],
        resources=[each.resources for each in pools],
        thresholds=_thresholds(question, worths, otherwise),
        decisions=decisions,
        nodes=len(game.node_player),
        infosets=len(game.infoset_player),
        nash_conv=found.nash_conv,
    )


def response_tree(question: ResponseQuestion, max_nodes: int) -> ExtensiveGame:
    """Return the game that `solved` solves; WorkError if it has more nodes."""
    question, _ = _without_idle(question)
    worths = _Worths(question.position, question.objective)
    _, otherwise = _best_other(worths, question.position)
    source = ResponseGame(question.position, question.attack, question.hidden, worths, otherwise)
    return _built(source, max_nodes)


def _built(source: ResponseGame, max_nodes: int = MAX_NODES) -> ExtensiveGame:
    try:
        return build_game(source, max_nodes=max_nodes)
    except MemoryError:
        raise WorkError(f"more than {max_nodes:,} nodes; fewer kinds of responses would do") from None


def _without_idle(question: ResponseQuestion) -> tuple[ResponseQuestion, list[list[str]]]:
    """Count cards that cannot answer the attack as others: the same game, smaller; and say which they are."""
    rules = question.position.rules
    hidden, idle = [], []
    for player, side in enumerate(question.hidden):
        kept: dict[str, int] = {}
        named = []
        for name, copies in side.pool:
            rule = None if name == OTHER else rules.cards[rules.card(name)]
            fits = rule is not None and can_answer(question.position, player, side.resources, rule)
            if rule is not None and not fits and copies:
                named.append(rule.name)
            place = name if fits else OTHER
            kept[place] = kept.get(place, 0) + copies
        hidden.append(replace(side, pool=tuple(kept.items())))
        idle.append(named)
    return replace(question, hidden=(hidden[0], hidden[1])), idle


def _best_other(worths: _Worths, position: State) -> tuple[str, float]:
    """The best action that is no attack: in words, and what it is worth to player 0 without cards.

    Other attacks may be answered as well, so they are questions of their own.
    """
    found = []
    for move in legal_moves(position):
        if move.kind != Kind.ATTACK:
            bounds, _ = worths.fight.action(position, move, None)
            found.append((worths.of_value(bounds.low), in_words(position, move)))
    best = (min if position.turn else max)(found, key=lambda each: each[0])
    return best[1], best[0]


def _thresholds(question: ResponseQuestion, worths: _Worths, otherwise: float) -> list[Threshold]:
    """For each response of the other side, how likely it has to be for the attack to be wrong."""
    mover = question.position.turn
    side = question.hidden[1 - mover]
    sign = -1.0 if mover else 1.0
    rules = question.position.rules
    total = sum(copies for _, copies in side.pool)
    reports = []
    for name, copies in side.pool:
        if name == OTHER or not copies:
            continue
        alone = replace(side, pool=((name, 1), (OTHER, 1)), cards=1)
        nobody = replace(question.hidden[mover], pool=((OTHER, 1),), cards=0)
        hidden = (alone, nobody) if mover else (nobody, alone)
        game = _built(ResponseGame(question.position, question.attack, hidden, worths, None))
        held = 1.0 - _none_of(copies, total, side.cards)
        reports.append(
            Threshold(rules.cards[rules.card(name)].name, held, _wrong_from(game, sign, otherwise))
        )
    return reports


def _none_of(copies: int, total: int, cards: int) -> float:
    """How likely a hand has none of so many copies."""
    chance = 1.0
    for drawn in range(cards):
        chance *= max(total - copies - drawn, 0) / (total - drawn)
    return chance


def _wrong_from(game: ExtensiveGame, sign: float, otherwise: float) -> float | None:
    """Bisect the probability from which on the attack is worth less than the best other action.

    A side that may hold a response can play as if it did not, so the attack is worth less, the likelier that
    is.
    """

    def lacks(probability: float) -> bool:
        return sign * _with_chance(game, probability) < sign * otherwise - _EQUAL

    if lacks(0.0):
        return 0.0
    if not lacks(1.0):
        return None
    low, high = 0.0, 1.0
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (low, middle) if lacks(middle) else (middle, high)
    return high


def _with_chance(game: ExtensiveGame, probability: float) -> float:
    """The value where the one deal in which somebody holds a response has a probability."""
    chance = game.chance_probability.copy()
    for deal in range(int(game.first_child[0]), int(game.first_child[0] + game.num_children[0])):
        held = any(game.node_labels[deal])  # type: ignore[arg-type]
        chance[deal] = probability if held else 1.0 - probability
    reach = np.ones_like(chance)
    for node in range(1, len(reach)):
        reach[node] = reach[game.parent[node]] * chance[node]
    return solve_sequence_form(replace(game, chance_probability=chance, chance_reach=reach)).value


def _decisions(
    position: State, game: ExtensiveGame, strategy: np.ndarray, reach: np.ndarray
) -> list[Decision]:
    rules = position.rules
    rows = []
    for infoset in np.argsort(-reach, kind="stable"):
        if reach[infoset] <= _SHOWN:
            break
        player = int(game.infoset_player[infoset])
        _, sight = game.infoset_keys[infoset]
        begin, end = int(game.first_slot[infoset]), int(game.first_slot[infoset + 1])
        mix = {
            action_words(position, player, game.slot_labels[slot]): float(strategy[slot])
            for slot in range(begin, end)
            if strategy[slot] > _SHOWN
        }
        rows.append(
            Decision(
                side="against" if player else "team",
                hand=[rules.cards[card].name for card in sight.hand],
                seen=seen_words(position, sight),
                reach=float(reach[infoset]),
                mix=mix,
            )
        )
    return rows


def seen_words(position: State, sight: Sight) -> list[str]:
    """What was done in sight of all: who stands in, and the responses."""
    action = sight.action
    if action is None:
        return ["the attack is done"] if sight.phase == Phase.ROAR else []
    said = ["attack"]
    if action.hit != action.target:
        said.append(f"{fighter_name(position, 1 - action.player, action.hit)} stands in")
    said += [_response(position, player, key) for player, key in sight.used]
    return [*said, "the attack is done"] if action.resolved else said


def _response(position: State, player: int, key: int) -> str:
    """A card, or the ability of a gladiator, by its key among what was used."""
    if key < IN_PLAY:
        return position.rules.cards[key].name
    return f"ability of {fighter_name(position, player, (key - IN_PLAY) // ABILITIES)}"


_WORDS = {Kind.TAKE: "takes it", Kind.DECLINE: "no response", Kind.ROAR: "roar", Kind.QUIET: "no roar"}


def action_words(position: State, player: int, label: Hashable) -> str:
    """An action of a decision in words."""
    if not isinstance(label, Move):
        return ATTACK if label == ATTACK else OTHERWISE
    if label.kind == Kind.REPLY:
        return position.rules.cards[label.card].name
    if label.kind == Kind.REACT:
        return f"ability of {fighter_name(position, player, label.who)}"
    if label.kind in (Kind.INTERCEPT, Kind.PROTECT):
        return f"{fighter_name(position, player, label.who)} {label.kind.name.lower()}s"
    return _WORDS[label.kind]
