"""What differs from the box, and what that does on the same deals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from analysis.estimates import Estimate
from analysis.front.chance import apart, compared
from analysis.front.checkup.answer import Ask, Finding
from analysis.front.checkup.measuring import Deals
from analysis.front.checkup.of_setups import means_of
from analysis.front.checkup.scene import LEAST, Scene, Suspect, gain_of, plural, upper
from analysis.front.entries import EntryWorth, in_sentence
from analysis.front.page import Format
from analysis.front.render.numbers import cell_text
from analysis.front.render.tables import unit_of
from analysis.front.verbs.match_page import MatchAnswer
from analysis.front.verdicts import doubt_said, listed

__all__ = ["of_changes"]


def of_changes(scene: Scene) -> list[Suspect]:
    """What changed values do, on the same deals as in the box."""
    if scene.box is None:
        return []
    found = []
    for word, (before, deals) in scene.box.entries.items():
        for each in before.entries:
            found += _of_changed_entry(scene, word, each, deals.get(each.entry, ()))
    for before_match, seen_before in scene.box.alone:
        found += _of_match(scene, before_match, seen_before)
    means, before_means = means_of(scene, scene.known), means_of(scene, scene.box)
    _, names = scene.measures.contestants()
    called = {each.id: each.name for each in names}
    for name in means.keys() & before_means.keys():
        value, chance = apart(means[name][1], before_means[name][1])
        head = f"{called[name]} wins"
        ends = (before_means[name][0], means[name][0])
        found.append(_changed(scene, "Setups", head, "share", ends, value, chance, means[name][2]))
    return found


def _of_changed_entry(scene: Scene, word: str, before: EntryWorth, deals: Sequence[float]) -> list[Suspect]:
    answer, seen = scene.known.entries[word]
    now = next((each for each in answer.entries if each.entry == before.entry), None)
    if now is None or now.worth.mean is None or before.worth.mean is None:
        return []
    value, chance = apart(seen.get(before.entry, ()), deals)
    kind: Format = "gain" if scene.game.measure == "share" else "signed"
    head = f"{upper(in_sentence(now.name, word))} is worth"
    asks = [scene.measures.worth(word, before.entry)]
    table = scene.table_of(word, before.entry)
    part = upper(plural(word))
    return [_changed(scene, part, head, kind, (before.worth, now.worth), value, chance, asks, table)]


def _of_match(scene: Scene, before: MatchAnswer, seen_before: Deals) -> list[Suspect]:
    question, place = scene.game.question("match"), scene.measures.usual
    now, seen = scene.known.alone[place]
    values = {each.key: each for each in question.amounts(before)}
    ask = scene.measures.alone(scene.measures.ladder[place])
    found = []
    for each in question.amounts(now):
        if each.key not in values or each.key == "won_2" or (now.by_design and each.key == "won_1"):
            continue
        old = values[each.key].value
        deals = (seen_before[each.key], seen[each.key]) if each.key in seen else None
        value, chance = compared(old, each.value, deals)
        if chance is None:
            continue
        asks = [msgspec.structs.replace(ask, key=each.key)]
        ends = old, each.value
        found.append(_changed(scene, "Seats", each.head, each.kind, ends, value, chance, asks))
    return found


def _changed(
    scene: Scene,
    part: str,
    head: str,
    kind: Format,
    ends: tuple[Any, Any],
    value: Estimate,
    chance: float | None,
    asks: list[Ask],
    table: str = "",
) -> Suspect:
    about = table if table in scene.changes else next(iter(scene.changes), "")
    what = listed([f"{scene.name_of(each)} ({', '.join(said)})" for each, said in scene.changes.items()])
    texts = [cell_text(end.mean if isinstance(end, Estimate) else end, kind) for end in ends]
    doubt = "" if value.low is None else f" (a change of {doubt_said(value, gain_of(kind))})"
    said = f"{what}: {head} {texts[1]}{unit_of(kind)} instead of {texts[0]} in the box{doubt}."
    old = ends[0] if isinstance(ends[0], Estimate) else Estimate(ends[0], None, None, 0)
    width = max(old.width, abs(value.mean or 0.0) / 3)
    least = LEAST * (scene.span if kind == "signed" else 1.0)
    mean = old.mean or 0.0
    now = ends[1] if isinstance(ends[1], Estimate) else Estimate(ends[1], None, None, 0)
    finding = Finding(
        *(part, about, "watch", said, kind, now, mean - width, mean + width, False),
        size=1.0 + abs(value.mean or 0.0) / least,
        changed=True,
        asks=asks,
    )
    return Suspect(finding, chance, of_box=True)
