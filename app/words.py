"""What is written as for a command line, in words: values of the rules, and things made of several."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from analysis.front.forms import label_of

__all__ = ["change_words", "changed_words", "goal_words", "named_parts", "said_by"]

_PARTS = re.compile(
    r"(?<![\w/.-])([a-z][\w-]*(?:/[a-z][\w-]*)+)(?:: ?([a-z][\w-]*(?:, ?[a-z][\w-]*)*))?(?![\w/])"
)
"""One thing made of several, as a command line has it: ``orc/warrior: war-axe``."""


def changed_words(text: str, names: Mapping[str, str]) -> str:
    """Return a value of the rules in words: ``cards.basher.gp=4`` is “Basher gp 4”."""
    key, _, value = text.partition("=")
    first, *inner = key.split(".")
    words = [names.get(word, word if word.isdigit() else label_of(word)) for word in inner or [first]]
    inner = [word if word.isupper() else word.lower() for word in words[1:]]
    return " ".join([words[0], *inner, value.strip('"')]).strip()


def change_words(line: str, names: Mapping[str, str]) -> str:
    """Return a line of what differs in words: ``cards.basher.gp 3 → 4`` is “Basher GP 3 → 4”."""
    key, _, rest = line.partition(" ")
    return changed_words(key, names) + " " + rest.replace('"', "")


def goal_words(text: str) -> str:
    """Return what a figure is to be in words: ``draws=30:40`` is “draws from 30 to 40”."""
    key, _, bounds = text.partition("=")
    low, colon, high = bounds.partition(":")
    if not colon:
        return text
    words = f"from {low} to {high}" if low and high else f"at least {low}" if low else f"at most {high}"
    return f"{key.rpartition('/')[2].replace('_', ' ').replace('.', ' ')} {words}"


def named_parts(text: str, names: Mapping[str, str]) -> str:
    """Return a text with words in place of things made of several, where all of these have names."""
    return _PARTS.sub(lambda found: _parts_words(found, names), text)


def _parts_words(found: re.Match[str], names: Mapping[str, str]) -> str:
    """Return it in words, if all of it has names: “Orc Warrior with War Axe”."""
    heads, held = found[1].split("/"), re.split(", ?", found[2]) if found[2] else []
    if not all(word in names for word in (*heads, *held)):
        return found[0]
    return " ".join(names[word] for word in heads) + (
        f" with {', '.join(names[word] for word in held)}" if held else ""
    )


def said_by(say: Callable[[str], str], shown: Any) -> Any:
    """Say otherwise all that stands in parts of a page; addresses stay."""
    if isinstance(shown, dict):
        return {key: each if key == "href" else said_by(say, each) for key, each in shown.items()}
    if isinstance(shown, list | tuple):
        return type(shown)(said_by(say, each) for each in shown)
    return say(shown) if isinstance(shown, str) else shown
