"""What ``export`` writes; numpy is imported once nothing is wrong with what is asked."""

from __future__ import annotations

import msgspec

from analysis.front.question import Running
from analysis.front.verbs.export import ExportAnswer, exported
from analysis.ophidian.exchanges import exchange_of
from analysis.ophidian.fights import position_of
from analysis.ophidian.game import GAME
from analysis.ophidian.questions.export import Export
from engine.ophidian.reference import State

__all__ = ["graph", "response", "tree"]


def _position(asked: Export) -> State:
    return position_of(GAME.rules_of(asked.rules), asked.exchange.fight)


def _title(asked: Export) -> str:
    return f"{asked.exchange.fight.team} against {asked.exchange.fight.against}"


def tree(asked: Export, running: Running) -> ExportAnswer:
    """Return the rest of a wave as a tree."""
    position = _position(asked)
    from analysis.ophidian.exporting import wave_tree

    found = wave_tree(position, asked.objective, asked.max_nodes)
    return exported(found, _title(asked), ("team", "against"))


def graph(asked: Export, running: Running) -> ExportAnswer:
    """Return the states of a wave as JSON."""
    position = _position(asked)
    from analysis.ophidian.exporting import wave_graph

    found = wave_graph(position, asked.objective, asked.max_nodes)
    text = msgspec.json.format(msgspec.json.encode(found), indent=2).decode() + "\n"
    return ExportAnswer(title=_title(asked), size={"states": len(found["nodes"])}, text=text)


def response(asked: Export, running: Running) -> ExportAnswer:
    """Return an attack that hidden hands may answer as a tree."""
    question = exchange_of(GAME.rules_of(asked.rules), asked.exchange)
    from analysis.ophidian.exporting import exchange_tree

    found = exchange_tree(question, asked.max_nodes)
    return exported(found, str(asked.exchange.attack), ("team", "against"))
