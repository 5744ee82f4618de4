"""``report``: answers that were kept as JSON, read again and shown together on one page."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import msgspec

from analysis.errors import RequestError
from analysis.files import read_file
from analysis.front.page import Facts, Page, Section
from analysis.front.parameters import param
from analysis.front.question import Answer, Declared, Running
from analysis.front.store import answered

__all__ = ["Report", "answers_of", "joined", "read_answer", "report_of"]


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """Which answers are shown."""

    files: Annotated[
        tuple[Path, ...],
        param("Files that questions wrote with --format json; repeatable.", argument=True, metavar="FILES"),
    ] = ()


def report_of(game: Any) -> Declared[Report]:
    """Return how kept answers of a game are shown."""
    return Declared(
        name="report",
        about="Show kept answers together, as a page for colleagues. Nothing is asked again.",
        asked=Report,
        examples=("report answer.json other.json -o page.html",),
    )


def read_answer(game: Any, path: Path) -> Answer:
    """Return the answer that a file holds.

    Raises
    ------
    RequestError
        If it is none to a question about this game.
    """
    try:
        found = msgspec.json.decode(read_file(path))
    except OSError as error:
        raise RequestError(f"cannot read {path}: {error.strerror}") from None
    except (msgspec.DecodeError, RecursionError) as error:
        raise RequestError(f"{path} is no JSON: {error}") from None
    head = found if isinstance(found, dict) else {}
    if head.get("game") != game.name or head.get("question") not in game.questions:
        known = ", ".join(f"{game.name} {name}" for name in game.questions)
        raise RequestError(f"{path} is no answer of {known}")
    question = game.question(head["question"])
    kinds: list[type[Answer]] = [question.answers, *question.also]
    if "points" in head and "asked_points" in head:
        from analysis.front.grid import GridAnswer

        kinds = [GridAnswer]
    if "differences" in head and "box" in head:
        from analysis.front.difference import DifferenceAnswer

        kinds = [DifferenceAnswer]
    wrong = ""
    for kind in kinds:
        try:
            return msgspec.convert(found, kind)
        except msgspec.ValidationError as error:
            wrong = wrong or str(error)
    raise RequestError(f"{path} was written by another version, or changed: {wrong}")


def answers_of(game: Any, files: Sequence[Path], running: Running) -> list[Answer]:
    """Return the answers of some files; of none, what comes with the package, and what is read from it.

    Raises
    ------
    RequestError
        If there is none, or a file holds none.
    """
    import results

    if files:
        return [read_answer(game, each) for each in files]
    kept = sorted((Path(results.__file__).parent / game.name).glob("*.json")) if game.carried else []
    found = [read_answer(game, each) for each in kept]
    asked = [game.question(name) for name in game.reported]
    found += [answered(question, question.build(), running) for question in asked]
    if not found:
        raise RequestError("name one file at least", "FILES")
    return found


def joined(title: str, answers: Sequence[Answer]) -> Page:
    """Return one page of several answers: a heading and the sections of each; what all say once."""
    pages = [answer.page() for answer in answers]
    if len(pages) == 1:
        return pages[0]
    sections: list[Section] = []
    for answer, page in zip(answers, pages, strict=True):
        sections += [Facts([], f"{answer.question}: {page.headline}"), *page.sections]
    return Page(
        headline=f"{len(pages)} answers about {title}.",
        sections=sections,
        notes=list(dict.fromkeys(note for page in pages for note in page.notes)),
        method=list(dict.fromkeys(line for page in pages for line in page.method)),
    )
