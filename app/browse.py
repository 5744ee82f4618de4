"""Where to go from an answer: what its page leads on to, as addresses."""

from __future__ import annotations

from urllib.parse import urlencode

from analysis.front.page import Follow
from app.folder import Asked
from app.forms import query_pairs

__all__ = ["address", "followed", "slug"]


def slug(question: str) -> str:
    """Return a question's name in an address."""
    return question.replace(" ", "-")


def address(asked: Asked, place: str = "") -> str:
    """Return the address at which a question is asked."""
    pairs = query_pairs(asked) or [("ask", "1")]
    return f"/{asked.game}/{slug(asked.question)}{place}?{urlencode(pairs)}"


def followed(asked: Asked, follow: Follow) -> str:
    """Return the address of what leads on from a question, by the same rules."""
    sets = follow.given.get("set", asked.set)
    given = {name: value for name, value in follow.given.items() if name != "set"}
    other = Asked(
        game=asked.game,
        question=follow.question,
        given=given,
        rules=asked.rules,
        set=[sets] if isinstance(sets, str) else list(sets),
    )
    return address(other)
