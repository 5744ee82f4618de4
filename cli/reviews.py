"""How hints by playouts and reviews of a person's decisions are said, the same in all games."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from analysis.estimates import quantile
from analysis.reviewed import Review
from cli.play import say, wrapped


class HintOption(Protocol):
    """A move, and what it is worth by playouts with the same luck as those of the others."""

    @property
    def text(self) -> str:
        """The move in words."""
        ...

    @property
    def win(self) -> float:
        """Its chance to win."""
        ...

    @property
    def error(self) -> float:
        """The standard error of that."""
        ...

    @property
    def behind(self) -> float:
        """How far it is behind the first move."""
        ...

    @property
    def behind_error(self) -> float:
        """The standard error of that."""
        ...

    @property
    def told(self) -> bool:
        """Whether it is surely behind."""
        ...

    @property
    def playouts(self) -> int:
        """How many playouts say so."""
        ...


def say_hint(options: Sequence[HintOption], *, alike: bool, who: str) -> None:
    """Say what moves are worth, the best first, and which are not told apart from it.

    Parameters
    ----------
    alike
        Whether all moves went alike in all playouts.
    who
        Who plays the playouts.
    """
    if not options:
        say("  there is nothing here that playouts could try")
        return
    say(f"  chances to win, by playouts of {who}:")
    for option in options:
        say(wrapped(f"{_worth(option)}  {option.text}{_behind(option)}", 4, 11))
    others = options[1:]
    tried = min((option.playouts for option in others if not option.told), default=0)
    if alike and others:
        say(f"  All moves went alike in all {tried} playouts of each: more may not tell them apart.")
    elif tried:
        number = sum(not option.told for option in others)
        which = "None of the others is" if number == len(others) else f"{number} of the others are not"
        text = f"{which} told apart from the first by {tried} playouts of each; --playouts tells more."
        say(wrapped(text, 2))


def say_review(said: Review) -> None:
    """Say what decisions cost, and what is not known of them."""
    if said.heading:
        say(said.heading)
    for decision in said.named:
        say(wrapped(str(decision), 2, 10))
    for sentence in said.sentences:
        say(wrapped(sentence, 0))


def _worth(option: HintOption) -> str:
    """A chance to win, with the half of its interval."""
    if not option.playouts:
        return "  ?     "
    return f"{100 * option.win:3.0f} ±{100 * min(1.0, quantile() * option.error):.0f} %"


def _behind(option: HintOption) -> str:
    """How far a move is surely behind the first, if it is."""
    if not option.told:
        return ""
    if option.behind <= quantile() * option.behind_error:
        # Surely behind the move that was ahead then, which is no longer the first.
        return f" (left after {option.playouts} playouts)"
    return f" ({100 * option.behind:.0f} ±{100 * quantile() * option.behind_error:.0f} % behind)"
