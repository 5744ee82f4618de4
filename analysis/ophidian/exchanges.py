"""An attack that hidden hands may answer, from its words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from analysis.errors import RequestError
from analysis.front.question import Running
from analysis.ophidian.questions.response import Response, ResponseAnswer
from analysis.ophidian.setup import Exchange, Fight

if TYPE_CHECKING:
    from analysis.ophidian.responses import ResponseQuestion
    from engine.ophidian.rules import Rules

__all__ = ["answer", "exchange_of"]


def exchange_of(
    rules: Rules, fight: Fight, exchange: Exchange, objective: Literal["result", "points", "wounds"] | None
) -> ResponseQuestion:
    """Return an attack at a position, and what both sides may hold; RequestError if it makes no sense."""
    from analysis.ophidian.fights import announced_attack, position_of
    from analysis.ophidian.response_game import Hidden, parse_pool

    position = position_of(rules, fight)
    move = announced_attack(position, exchange.attack, "--attack")
    left = _resources(exchange.resources, rules, position.wave)
    hands = (
        (exchange.own, exchange.own_cards, "--own"),
        (exchange.hidden, exchange.hidden_cards, "--hidden"),
    )
    pools = []
    for asked, number, option in hands:
        pool = parse_pool(rules, asked, option)
        held = sum(copies for _, copies in pool)
        if held < number:
            raise RequestError(f"{number} cards in hand, and the pool has {held}", option)
        pools.append(pool)
    # Sides come in the order of the teams, the attacker's first only if the team attacks.
    mine = Hidden(pools[0], exchange.own_cards, left[position.turn])
    theirs = Hidden(pools[1], exchange.hidden_cards, left[1 - position.turn])
    # numpy, and with it all that solves, is imported when nothing is wrong any more.
    from analysis.ophidian.responses import ResponseQuestion

    return ResponseQuestion(position, move, (theirs, mine) if position.turn else (mine, theirs), objective)


def _resources(text: str | None, rules: Rules, wave: int) -> tuple[int, int]:
    """Resources of both sides."""
    if text is None:
        usual = rules.match.base_resources + wave
        return usual, usual
    parts = text.replace(",", ":").split(":")
    if len(parts) != 2 or not all(part.strip().isdigit() for part in parts):
        raise RequestError(f"{text!r}: write the resources of both sides, such as 11:9", "--resources")
    return int(parts[0]), int(parts[1])


def answer(asked: Response, running: Running) -> ResponseAnswer:
    """Solve the exchange."""
    from analysis.ophidian.game import GAME

    rules = GAME.rules_of(asked.rules)
    question = exchange_of(rules, asked.fight, asked.exchange, asked.objective)
    from analysis.ophidian.responses import response_report

    return response_report(question)
