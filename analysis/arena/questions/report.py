"""``report``: answers that were kept as JSON, read again and shown together on one page."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import msgspec

from analysis import registry
from analysis.errors import RequestError
from analysis.files import read_file
from analysis.front.page import Facts, Page, Section
from analysis.front.parameters import param
from analysis.front.question import Answer, Question, Running

__all__ = ["QUESTION", "ReportAnswer", "read_answer"]


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """Which answers are shown."""

    files: Annotated[
        tuple[Path, ...],
        param("Files that questions wrote with --format json; repeatable.", argument=True, metavar="FILES"),
    ] = ()


class ReportAnswer(Answer, frozen=True, kw_only=True):
    """Answers of any games, as they were kept."""

    answers: list[dict[str, Any]]


def read_answer(path: Path) -> Answer:
    """Return the answer that a file holds.

    Raises
    ------
    RequestError
        If it is none to a question about a game that is in.
    """
    return _answer(_read(path), str(path))


def _read(path: Path) -> Any:
    try:
        return msgspec.json.decode(read_file(path))
    except OSError as error:
        raise RequestError(f"cannot read {path}: {error.strerror}") from None
    except (msgspec.DecodeError, RecursionError) as error:
        raise RequestError(f"{path} is no JSON: {error}") from None


def _answer(found: Any, whose: str) -> Answer:
    head = found if isinstance(found, dict) else {}
    game = head.get("game")
    if game not in (*registry.places(), "arena"):
        raise RequestError(f"{whose} is no answer about a game that is in: {', '.join(registry.places())}")
    questions = registry.game_named(game).questions
    if head.get("question") not in questions:
        raise RequestError(f"{whose} is no answer of {', '.join(f'{game} {name}' for name in questions)}")
    question = questions[head["question"]]
    kinds: list[type[Answer]] = [question.answers, *question.also]
    if "points" in head and "asked_points" in head:
        from analysis.front.grid import GridAnswer

        kinds = [GridAnswer]
    if "differences" in head and "before_rules" in head:
        from analysis.front.difference import DifferenceAnswer

        kinds = [DifferenceAnswer]
    wrong = ""
    for kind in kinds:
        try:
            return msgspec.convert(found, kind)
        except msgspec.ValidationError as error:
            wrong = wrong or str(error)
    raise RequestError(f"{whose} was written by another version, or changed: {wrong}")


def answer(asked: Report, running: Running) -> ReportAnswer:
    """Read answers."""
    if not asked.files:
        raise RequestError("name one file at least", "FILES")
    found = [_read(file) for file in asked.files]
    for each, file in zip(found, asked.files, strict=True):
        _answer(each, str(file))
    return ReportAnswer(answers=found)


def page(found: ReportAnswer) -> Page:
    """Return one page of all: of several a heading and the sections of each; what all say stands once."""
    answers = [_answer(each, "an answer") for each in found.answers]
    pages = [each.page() for each in answers]
    if len(pages) == 1:
        return pages[0]
    sections: list[Section] = []
    for each, one in zip(answers, pages, strict=True):
        sections += [Facts([], f"{each.game} {each.question}: {one.headline}"), *one.sections]
    titles = dict.fromkeys(registry.game_named(each.game).title for each in answers)
    return Page(
        headline=f"{len(pages)} answers about {_and(list(titles))}.",
        sections=sections,
        notes=list(dict.fromkeys(note for one in pages for note in one.notes)),
        method=list(dict.fromkeys(line for one in pages for line in one.method)),
    )


def _and(names: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def _html(found: ReportAnswer) -> str:
    from analysis.front.render.html import html_text

    return html_text(page(found), found)


QUESTION = Question(
    name="report",
    about="Show kept answers about any games as a page for colleagues. Nothing is asked again.",
    asked=Report,
    answers=ReportAnswer,
    function=answer,
    page=page,
    exactness="measured",
    document=_html,
    document_format="html",
    examples=("report answer.json other.json -o page.html",),
)
