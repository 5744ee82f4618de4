"""An attack with hidden responses, read from its words; numpy is imported once nothing is wrong with them."""

from __future__ import annotations

from analysis.errors import RequestError
from analysis.ophidian.fights import announced_attack, position_of
from analysis.ophidian.questions.response import Unit
from analysis.ophidian.questions.solve import Solve
from analysis.ophidian.response_game import Hidden, ResponseQuestion, parse_pool
from analysis.ophidian.setup import Exchange
from engine.ophidian.rules import Rules

__all__ = ["exchange_of", "question_of"]


def question_of(asked: Solve) -> ResponseQuestion:
    """Return the attack that ``solve --attack`` asks about; RequestError if there can be no such one."""
    from analysis.ophidian.game import GAME

    if asked.objective == "match":
        raise RequestError("with --attack it is one of result, points, wounds", "--objective")
    return exchange_of(GAME.rules_of(asked.rules), asked.exchange, asked.objective)


def exchange_of(rules: Rules, asked: Exchange, objective: Unit | None = None) -> ResponseQuestion:
    """Return the attack that a question asks about; RequestError if there can be no such one."""
    if asked.attack is None or asked.hidden is None:
        raise RequestError("has to be given", "--hidden" if asked.attack else "--attack")
    state = position_of(rules, asked.fight)
    move = announced_attack(state, asked.attack, "--attack")
    left = _resources(asked.resources, rules, state.wave)
    options = ("--own", "--hidden")
    texts, numbers = (asked.own, asked.hidden), (asked.own_cards, asked.hidden_cards)
    pools = [parse_pool(rules, text, option) for text, option in zip(texts, options, strict=True)]
    for pool, number, option in zip(pools, numbers, options, strict=True):
        held = sum(copies for _, copies in pool)
        if held < number:
            raise RequestError(f"{number} cards in hand, and the pool has {held}", option)
    # Sides come in the order of the teams, the attacker's first only if the team attacks.
    mine = Hidden(pools[0], numbers[0], left[state.turn])
    theirs = Hidden(pools[1], numbers[1], left[1 - state.turn])
    return ResponseQuestion(state, move, (theirs, mine) if state.turn else (mine, theirs), objective)


def _resources(text: str | None, rules: Rules, wave: int) -> tuple[int, int]:
    """Resources of both sides."""
    if text is None:
        usual = rules.match.base_resources + wave
        return usual, usual
    parts = text.replace(",", ":").split(":")
    if len(parts) != 2 or not all(part.strip().isdigit() for part in parts):
        raise RequestError(f"{text!r}: write the resources of both sides, such as 11:9", "--resources")
    return int(parts[0]), int(parts[1])
