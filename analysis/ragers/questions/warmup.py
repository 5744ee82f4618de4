"""``warmup``: compile all kernels once, so that no solve has to wait for it."""

from __future__ import annotations

import msgspec

from analysis.front.page import Fact, Facts, Page
from analysis.front.question import Answer, Question, Running

__all__ = ["QUESTION"]


class Warmup(msgspec.Struct, frozen=True, kw_only=True):
    """Nothing has to be said."""


class WarmupAnswer(Answer, frozen=True, kw_only=True):
    """The kernels are ready."""


def answer(asked: Warmup, running: Running) -> WarmupAnswer:
    """Compile what is not compiled yet."""
    from analysis.ragers.game import GAME
    from solver.hidden_hands import warmup

    running.reporter.begin("kernels", 1, None)
    # What is ready is kept, so there is nothing to wait for.
    running.interrupt.then = _leave
    warmup(running.reporter)
    return WarmupAnswer(rules=GAME.rules_note(GAME.read()))


def _leave() -> None:
    raise KeyboardInterrupt


def page(found: WarmupAnswer) -> Page:
    """Return that nothing has to be compiled any more."""
    return Page(headline="The kernels are ready.", sections=[Facts([Fact("kernels", "kernels", "ready")])])


QUESTION = Question(
    name="warmup",
    about="Compile the kernels of the day solver now (two to five minutes on two cores, once per"
    " installation). Stopped by Ctrl-C or SIGTERM it keeps what is ready, and goes on from there next time.",
    asked=Warmup,
    answers=WarmupAnswer,
    function=answer,
    page=page,
    exactness="exact",
    local=True,
)
