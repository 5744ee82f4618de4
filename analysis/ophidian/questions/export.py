"""``export``: the rest of a wave, or an attack that hidden hands may answer, for other programs."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from analysis.front.bundles import RulesFiles
from analysis.front.parameters import param, parameters
from analysis.front.verbs.export import MAX_NODES, Form, export_question
from analysis.ophidian.setup import Exchange, Fight

__all__ = ["QUESTION"]


class Export(msgspec.Struct, frozen=True, kw_only=True):
    """Which rest of a wave is written, or which attack, and what its ends pay."""

    exchange: Exchange
    objective: Annotated[
        Literal["result", "points"],
        param("What counts at the end. It is paid to the team; a match won counts as many points as win it."),
    ] = "points"
    max_nodes: Annotated[int, MAX_NODES] = 200_000
    rules: RulesFiles = RulesFiles()


_END = '--team "Runt w4" --against "Scrap w4 set" --wave 4'
_ANSWERED = {each.name for each in parameters(Exchange)} - {each.name for each in parameters(Fight)}
QUESTION = export_question(
    Export,
    (
        Form(
            name="efg",
            about="the rest of a wave without cards as a tree that Gambit and OpenSpiel read. Every way to a"
            " state is a branch of its own, so only the last moments fit",
            write="analysis.ophidian.written:tree",
            suffix="efg",
            takes=("objective",),
        ),
        Form(
            name="graph",
            about="its states as JSON, each once: who decides, the moves, and what ends pay",
            write="analysis.ophidian.written:graph",
            suffix="json",
            takes=("objective",),
        ),
        Form(
            name="response",
            about="one attack that hidden hands may answer as such a tree",
            write="analysis.ophidian.written:response",
            suffix="efg",
            takes=tuple(sorted(_ANSWERED)),
            needs=("attack", "hidden"),
        ),
    ),
    about="Write a fight, or an attack that may be answered, for programs. Of a fight it is the rest of its"
    " wave. Ends pay the"
    " team: 1, 0 or -1; or points, a match that is won counting as many as win it.",
    examples=(
        f"export --to efg {_END} -o last.efg",
        f"export --to graph {_END} -o wave.json",
        'export --to response --team "Tempest, Scrap@S" --against "Thorn, Runt" --attack "Tempest > Thorn"'
        " --hidden brood -o exchange.efg",
    ),
)
