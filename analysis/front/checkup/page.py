"""How a check-up looks: the worst first, a line for each part, what to try, pictures."""

from __future__ import annotations

from analysis.front.checkup.answer import CheckupAnswer, Finding
from analysis.front.page import Cell, Column, Curve, Follow, Format, Heat, Page, Section, Table
from analysis.front.question import Amount
from analysis.front.render.tables import unit_of

__all__ = ["checkup_amounts", "checkup_page"]

_WORDS = {"fine": "fine", "watch": "watch", "fix": "fix", "open": "not known yet", "told": "-"}
_LIMITS = (
    "It cannot say whether the game is fun, what people at a table feel, or how good they are: who played is"
    " named in each line, and a better player may change what is said."
)


def checkup_amounts(found: CheckupAnswer) -> list[Amount]:
    """Return all figures that were measured."""
    return found.figures


def checkup_page(found: CheckupAnswer) -> Page:
    """Return the worst that is certain in a sentence; all parts; findings and what to try; pictures."""
    parts: list[list[Cell]] = [
        [each.name, _WORDS[each.verdict if found.complete else "open"], each.said] for each in found.parts
    ]
    sections: list[Section] = []
    if parts:
        columns = [Column("part", "part"), Column("verdict", "verdict"), Column("said", "what was measured")]
        sections.append(Table(columns, parts))
    certain = [each for each in found.findings if each.certain and found.complete]
    if certain:
        sections.append(_findings(certain))
        if (tried := _remedies(certain)) is not None:
            sections.append(tried)
    if len(found.setups) > 1:
        names: list[float | str] = [*found.setups]
        cells = [list(row) for row in found.against]
        sections.append(Heat("A row beats a column", "against", "setup", "share", names, names, cells))
    if len(found.leads) > 1:
        series = {"wins in the end": [won for _, won in found.leads]}
        times: list[float | str] = [float(time) for time, _ in found.leads]
        sections.append(Curve("Whoever is ahead", found.length, "wins in the end", "share", times, series))
    brief = len(sections)
    open_ = [each for each in found.findings if not each.certain and found.complete]
    if open_:
        rows: list[list[Cell]] = [[each.part, each.said] for each in open_]
        sections.append(
            Table(
                [Column("part", "part"), Column("said", "may be so, and may be chance")], rows, "Not certain"
            )
        )
    figures: list[list[Cell]] = [[f"{each.head}{unit_of(each.kind)}", each.value] for each in found.figures]
    if figures:
        columns = [Column("figure", "figure"), Column("value", "value", "row")]
        kinds = [each.kind for each in found.figures]
        sections.append(Table(columns, figures, "All figures", kinds=kinds))
    notes = [f"{one.said}: {one.also}" for each in certain for one in each.remedies if one.also]
    notes.append(_LIMITS)
    if not found.complete:
        notes.insert(0, "Stopped early: not all of it was looked at.")
    return Page(
        headline=_headline(found, certain),
        sections=sections,
        notes=notes,
        method=[
            f"Players, from the weakest to the strongest: {', '.join(found.players)}. Each deal is played"
            " from every seat with the same luck, and is one observation. All that could be called wrong is"
            " tested together: in a game without any fault something is called certain in at most 5 % of"
            " check-ups.",
        ],
        details=brief,
        follow=_follow(certain),
    )


def _headline(found: CheckupAnswer, certain: list[Finding]) -> str:
    if certain:
        more = len(certain) - 1
        others = f" {more} more {'finding is' if more == 1 else 'findings are'} certain." if more else ""
        return f"{certain[0].said}{others}"
    if not found.parts:
        return "Nothing is measured yet."
    if not found.complete:
        return f"Stopped early: {len(found.parts)} parts are measured, none of them is judged."
    open_ = [each.name.lower() for each in found.parts if each.verdict == "open"]
    if not open_:
        return "Nothing stands out."
    return f"Nothing stands out for certain; not known yet: {', '.join(open_)}."


def _findings(certain: list[Finding]) -> Table:
    columns = [Column("finding", "certain, the worst first")]
    return Table(columns, [[each.said] for each in certain])


def _remedies(certain: list[Finding]) -> Table | None:
    columns = [Column("number", "to mend", "count"), Column("value", "what to try")]
    columns += [Column("after", "what it would be then", "row"), Column("sure", "within bounds")]
    rows: list[list[Cell]] = []
    kinds: list[Format] = []
    for number, each in enumerate(certain, 1):
        for one in each.remedies:
            rows.append([number, one.said, one.after, "certain" if one.certain else "as measured"])
            kinds.append(each.kind)
        if each.tried and not each.remedies:
            rows.append([number, f"nothing of {each.tried} changes helps", None, ""])
            kinds.append(each.kind)
    return Table(columns, rows, "What to try", kinds=kinds) if rows else None


def _follow(certain: list[Finding]) -> list[Follow]:
    found = []
    for each in certain[:3]:
        if each.asks:
            ask = each.asks[0]
            question = "balance" if ask.question.startswith("checkup ") else ask.question
            found.append(Follow(question, ask.given, each.said.partition(":")[0].rstrip(".")))
    return found
