"""Sentences of the documentation are short enough to be read once."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
DOCS = sorted((ROOT / "docs").glob("*.md"))
PAGES = ("README.md", "CHANGELOG.md", *(f"docs/{page.name}" for page in DOCS))
MOST_WORDS = 32
#: Of all pages together: what one page says, no other one says again.
MOST_WORDS_IN_ALL = 38_000

_FENCED = re.compile(r"^\s*```.*?^\s*```\s*$", flags=re.MULTILINE | re.DOTALL)
#: Tables, headings, pictures and comments are no sentences.
_NO_PROSE = re.compile(r"^\s*(?:\||#|!\[|<!--).*$", flags=re.MULTILINE)
_ITEM = re.compile(r"^\s*(?:[-*]|\d+\.)\s+", flags=re.MULTILINE)
_LINK = re.compile(r"\[([^]]*)]\([^)]*\)")
_END = re.compile(r"(?<=[.!?:;])\s+(?=[A-Z`*(\"])")


def sentences(page: str) -> Iterator[str]:
    """Yield the sentences of a Markdown page; a colon or semicolon before a capital letter ends one, too."""
    prose = _NO_PROSE.sub("", _FENCED.sub("", page))
    for paragraph in re.split(r"\n\s*\n", _ITEM.sub("\n\n", prose)):
        yield from filter(None, _END.split(_LINK.sub(r"\1", " ".join(paragraph.split()))))


def test_what_counts_as_a_sentence() -> None:
    page = (
        "# Head\n\nOne [two three](a b.md). Four\nfive; six\n\n- seven\n- eight\n\n"
        "```\nnot this\n```\n| nor | this |\n"
    )
    assert list(sentences(page)) == ["One two three.", "Four five; six", "seven", "eight"]


@pytest.mark.parametrize("page", PAGES)
def test_no_sentence_is_long(page: str) -> None:
    long = [
        f"{len(sentence.split())} words: {sentence}"
        for sentence in sentences((ROOT / page).read_text(encoding="utf-8"))
        if len(sentence.split()) > MOST_WORDS
    ]
    assert long == []


def test_the_documentation_stays_short() -> None:
    words = {page.name: len(page.read_text(encoding="utf-8").split()) for page in DOCS}
    assert len(words) > 20
    assert sum(words.values()) <= MOST_WORDS_IN_ALL, words
