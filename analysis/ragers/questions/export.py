"""``export``: small games for other people's solvers, and strategies as tables."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import msgspec

from analysis.errors import RequestError, WorkError
from analysis.files import check_output, write_atomically
from analysis.front.bundles import RulesFiles, Seeded
from analysis.front.parameters import param
from analysis.front.question import Running
from analysis.front.verbs.export import MAX_NODES, ExportAnswer, Form, export_question, exported
from analysis.ragers.bundles import (
    CheersCards,
    History,
    Limits,
    Patrons,
    Preparation,
    solving_command,
)
from analysis.ragers.scenarios import scenarios
from engine.ragers.rules import PLAYERS

if TYPE_CHECKING:
    from solver.extensive import ExtensiveGame

__all__ = ["QUESTION"]

_HANDS = (
    "Both hands, known to both players, with nothing left to draw: B S P, a bar, S S B. --history then"
    " begins there, in each step the Accusers' card, a slash, the Defenders', - for nothing."
)


class Export(msgspec.Struct, frozen=True, kw_only=True):
    """Which day is written, or which openings."""

    patron: Patrons = ()
    cheers: CheersCards = ()
    preparation: Preparation | None = None
    history: History = ""
    hands: Annotated[str, param(_HANDS, metavar="CARDS|CARDS")] | None = None
    max_nodes: Annotated[int, MAX_NODES] = 1_000_000
    profile: (
        Annotated[
            Path,
            param(
                "Solve the tree, and write how both play to this file, as Gambit's tools read it.", more=True
            ),
        ]
        | None
    ) = None
    max_plans: Annotated[
        int, param("More plans of a player are refused.", ge=1, le=100_000, unit="plans", more=True)
    ] = 2000
    numbered: Annotated[
        bool, param("Number the plans instead of naming them: all that OpenSpiel reads.", more=True)
    ] = False
    effort: Limits = Limits()
    chance: Seeded = Seeded()
    rules: RulesFiles = RulesFiles()


def _day(asked: Export, max_nodes: int) -> tuple[ExtensiveGame, str]:
    """One day as a tree, and what to call it."""
    from analysis.ragers.game import GAME
    from analysis.ragers.play.trees import tree

    patrons, cheers = asked.patron or ("solennos",), asked.cheers or ("two-bashers",)
    for option, several in (("--patron", patrons), ("--cheers", cheers)):
        if len(several) > 1:
            raise RequestError("one day is written, so name one", option)
    [day] = scenarios(GAME.rules_of(asked.rules), patrons, cheers, asked.preparation or "none")
    return tree(day, asked.hands, asked.history or None, max_nodes)


def _tree(asked: Export, running: Running) -> ExportAnswer:
    from analysis.ragers.play.exporting import profile

    if asked.profile is None:
        return exported(*_day(asked, asked.max_nodes), (PLAYERS[0], PLAYERS[1]))
    check_output(asked.profile, "--profile")
    game, title = _day(asked, asked.max_nodes)
    text, solved = profile(game)
    try:
        write_atomically(asked.profile, text.encode())
    except OSError as error:
        raise WorkError(f"cannot write {str(asked.profile)!r}: {error.strerror}") from None
    found = exported(game, title, (PLAYERS[0], PLAYERS[1]))
    return msgspec.structs.replace(found, remarks=[*found.remarks, f"{solved}."])


def _matrix(asked: Export, running: Running) -> ExportAnswer:
    from analysis.ragers.play.exporting import nfg

    game, title = _day(asked, 200_000)
    text, plans = nfg(game, title, max_plans=asked.max_plans, numbered=asked.numbered)
    sizes = {f"plans of the {name.capitalize()}": n for name, n in zip(PLAYERS, plans, strict=True)}
    return ExportAnswer(title=title, size=sizes, text=text)


def _strategies(asked: Export, running: Running) -> ExportAnswer:
    """Read stored openings, or solve on from them."""
    from analysis.ragers.game import GAME
    from analysis.ragers.play.exporting import strategies

    preparation = asked.preparation or "redraw"
    todo = scenarios(GAME.rules_of(asked.rules), asked.patron, asked.cheers, preparation)
    effort, fresh = asked.effort.limits(asked.chance.seed), asked.effort.fresh
    rows, missing = strategies(todo, asked.history or None, effort, running.reporter, fresh=fresh)
    if not rows:
        command = solving_command(asked.rules, asked.patron, asked.cheers, preparation)
        raise WorkError(f"nothing is stored for these scenarios; solve them first: {command}")
    return ExportAnswer(
        exactness="bounded",
        title=f"How to play, {len(todo) - len(missing)} of {len(todo)} days",
        size={"rows": len(rows)},
        table=rows,
        remarks=[f"Not stored: {', '.join(missing)}."] if missing else [],
    )


QUESTION = export_question(
    Export,
    (
        Form(
            name="strategies",
            about="stored openings as CSV, a row for each day, player, hand and action, with its share and"
            " its worth. With --history it is the decision that is due then, solved on the spot",
            write=_strategies,
            suffix="csv",
            takes=("memory", "threads", "iterations", "time_limit", "target", "fresh", "seed"),
        ),
        Form(
            name="efg",
            about="a day as a tree that Gambit and OpenSpiel read, exactly. Full decks make trees far beyond"
            " any memory, so take tiny decks (a rules file), or known --hands",
            write=_tree,
            suffix="efg",
            takes=("hands", "max_nodes", "profile"),
        ),
        Form(
            name="nfg",
            about="the same in reduced normal form: a plan says what its owner does wherever its own choices"
            " may lead. There are exponentially many, so give --hands, and a --history to begin late",
            write=_matrix,
            suffix="nfg",
            takes=("hands", "max_plans", "numbered"),
        ),
    ),
    about="Write strategies as a table, or a small day for others.",
    examples=(
        "export --to strategies --patron Solennos --cheers two-bashers -o openings.csv",
        'export --to efg --patron arianna --cheers two-bashers --hands "BSP | SSB" -o open-hands.efg',
        'export --to nfg --hands "BSPC | SSBH" --history "B/S; S/B" -o last.nfg',
    ),
)
