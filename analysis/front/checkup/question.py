"""``checkup``: what works in a game, what breaks, and what to try."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Annotated, Any, Generic, TypeVar

import msgspec

from analysis.front.bundles import RulesFiles, Work
from analysis.front.checkup.answer import CheckupAnswer, Finding
from analysis.front.checkup.page import checkup_amounts, checkup_page
from analysis.front.checkup.plan import Effort
from analysis.front.kinds import Pick
from analysis.front.parameters import param, parameters
from analysis.front.question import Question, Running

__all__ = ["Checkup", "checkup_of"]

S = TypeVar("S")


class Checkup(msgspec.Struct, Generic[S], frozen=True, kw_only=True):
    """At what, how thoroughly, and what counts as out of its bounds."""

    setup: S
    effort: Annotated[
        Effort,
        param("How much is played: some seconds, some minutes, a quarter of an hour, or a night."),
    ] = "quick"
    watch: Annotated[
        float, param("Share of wins of a seat from which on it is to be watched.", ge=0.5, le=1.0, more=True)
    ] = 0.52
    fix: Annotated[
        float,
        param(
            "Share of wins of a seat, or a setup, from which on it is to be mended.",
            ge=0.5,
            le=1.0,
            more=True,
        ),
    ] = 0.55
    work: Work = Work()
    rules: RulesFiles = RulesFiles()


def checkup_of(game: Any) -> Question[Any, CheckupAnswer]:
    """Return the question of a game."""
    return Question(
        name="checkup",
        about="Find out what works in the game, what breaks, and what to try. Seats, skill, luck, length,"
        " leads, setups and entries are measured; nothing is judged that chance may explain.",
        asked=Checkup[game.setup],
        answers=CheckupAnswer,
        function=partial(_answer, game),
        page=checkup_page,
        exactness="measured",
        settles=False,
        amounts=checkup_amounts,
        observed=partial(_observed, game),
        examples=("checkup", "checkup --effort glance"),
    )


def _answer(game: Any, asked: Checkup[Any], running: Running) -> CheckupAnswer:
    return _observed(game, asked, running)[0]


def _observed(
    game: Any, asked: Checkup[Any], running: Running
) -> tuple[CheckupAnswer, dict[str, list[float]]]:
    from analysis.front.checkup.judging import answer_of, figures, findings
    from analysis.front.checkup.measuring import Measured, Measures
    from analysis.front.checkup.of_entries import changed_entries, furthest
    from analysis.front.checkup.remedies import FINDINGS, with_remedies
    from analysis.front.checkup.scene import Bounds, Scene

    given = {
        **_setup(game, asked),
        "rules": asked.rules.rules,
        "set": asked.rules.set,
        "seed": asked.work.seed,
        "jobs": asked.work.jobs,
        "scheduler": asked.work.scheduler,
    }
    # Parts are not shown one by one by the questions that are asked: their answers are not this one's.
    measures = Measures(game, asked.effort, given, replace(running, show=None))
    known = Measured()
    scene = Scene(measures, Bounds(asked.watch, asked.fix), known)

    def show(found: Sequence[Finding] | None = None) -> None:
        if running.show is not None:
            out = [each.finding for each in findings(scene)] if found is None else found
            running.show(answer_of(scene, out, complete=False))

    for _ in measures.all_parts(known):
        show()
    if scene.changes and not running.interrupt():
        scene.box = measures.of_box(known, changed_entries(scene))
    if not running.interrupt():
        scene.refined = measures.once_more(furthest(scene))
    suspects = findings(scene)
    found = [each.finding for each in suspects]
    show(found)
    for number, suspect in enumerate(suspects[:FINDINGS]):
        if not suspect.finding.certain or running.interrupt():
            break
        found[number] = with_remedies(measures, suspect)
        show(found)
    complete = not running.interrupt()
    return answer_of(scene, found, complete=complete), {
        amount.key: list(deals) for amount, deals in figures(scene) if deals
    }


def _setup(game: Any, asked: Checkup[Any]) -> dict[str, Any]:
    """What is settled before the first move; changed rules may no longer have what is usual."""
    lists = game.lists(game.rules_of(asked.rules))
    found: dict[str, Any] = {}
    for number, each in enumerate(parameters(game.setup)):
        value = getattr(asked.setup, each.name)
        if isinstance(each.kind, Pick) and isinstance(value, str):
            known = [one.id for one in lists[each.kind.names]]
            value = value if value in known or not known else known[number % len(known)]
        if value != each.default:
            found[each.name] = value
    return found
