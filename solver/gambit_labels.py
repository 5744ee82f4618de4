"""Labels as Gambit's text formats bear them, and other readers of the formats too."""

from __future__ import annotations

import unicodedata
from collections.abc import Hashable, Iterable

# Control characters, invisible marks, halves of surrogate pairs, unassigned places, ends of lines and
# paragraphs.
_UNPRINTABLE = ("Cc", "Cf", "Cs", "Cn", "Zl", "Zp")
_IN_STRINGS = str.maketrans({"\\": "/", '"': "'"})


def label(text: Hashable) -> str:
    """Return a text without control characters, and blanks at its ends or side by side; "-" if none is left.

    Quotes become apostrophes and backslashes slashes, since not every reader knows how to escape them.
    """
    shown = "".join(" " if unicodedata.category(c) in _UNPRINTABLE else c for c in str(text))
    return " ".join(shown.translate(_IN_STRINGS).split()) or "-"


def distinct_labels(texts: Iterable[Hashable]) -> list[str]:
    """Return the labels of texts, all of them numbered if they are not all different by then."""
    labels = [label(text) for text in texts]
    if len(set(labels)) < len(labels):
        labels = [f"{number}: {text}" for number, text in enumerate(labels)]
    return labels


def quoted(text: Hashable) -> str:
    """Return the label of a text, in quotes."""
    return f'"{label(text)}"'
