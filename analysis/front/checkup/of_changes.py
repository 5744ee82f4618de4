"""What differs from the box, and what that does on the same deals."""

from __future__ import annotations

from dataclasses import replace

import msgspec

from analysis.estimates import Estimate
from analysis.front.chance import apart, compared
from analysis.front.checkup.answer import Ask, Finding
from analysis.front.checkup.of_setups import means_of
from analysis.front.checkup.scene import LEAST, Scene, Suspect, plural, upper
from analysis.front.entries import EntryWorth, in_sentence
from analysis.front.page import Format
from analysis.front.question import Amount
from analysis.front.render.numbers import cell_text
from analysis.front.render.tables import unit_of
from analysis.front.verdicts import doubt_said, listed

__all__ = ["changes_said", "of_changes"]

_Change = tuple[Estimate, float | None]


def of_changes(scene: Scene) -> list[Suspect]:
    """Return what changed values do to entries, to matches, and to setups."""
    return [] if scene.box is None else [*_of_entries(scene), *_of_match(scene), *_of_setups(scene)]


def changes_said(scene: Scene) -> str:
    """Return what differs from the box: ``Fireball (cost 8 → 4)``."""
    return listed([f"{scene.name_of(each)} ({', '.join(said)})" for each, said in scene.changes.items()])


def _of_entries(scene: Scene) -> list[Suspect]:
    found = []
    assert scene.box is not None
    for word, (before, deals) in scene.box.entries.items():
        answer, seen = scene.known.entries[word]
        now = {each.entry: each for each in answer.entries}
        for each in before.entries:
            if each.entry in now and each.worth.mean is not None:
                head = f"{upper(in_sentence(now[each.entry].name, word))} is worth"
                after = Amount(upper(plural(word)), head, now[each.entry].worth, scene.gain)
                change = apart(seen.get(each.entry, ()), deals.get(each.entry, ()))
                asks = [scene.measures.worth(word, each.entry)]
                table = scene.table_of(word, each.entry)
                suspect = _suspect(scene, each.worth, after, change, asks, table)
                found.append(_priced(suspect, now[each.entry], each, word))
    return found


def _priced(suspect: Suspect, now: EntryWorth, before: EntryWorth, word: str) -> Suspect:
    """The same; where an entry has another price, that is certain whatever matches say of its worth."""
    more = (now.price or 0.0) - (before.price or 0.0)
    if not more:
        return suspect
    finding = suspect.finding
    what, _, worth = finding.said.partition(": ")
    name = in_sentence(now.name, word)
    if now.worth == before.worth:
        worth = f"{name} does what it does in the box."
    said = f"{what}: it costs {abs(more):g} {'more' if more > 0 else 'less'}. {worth}"
    size = max(finding.size, 1.0 + abs(more) / max(now.price or 0.0, before.price or 0.0))
    return replace(suspect, finding=msgspec.structs.replace(finding, said=said, size=size), chance=0.0)


def _of_match(scene: Scene) -> list[Suspect]:
    found = []
    assert scene.box is not None
    amounts, place = scene.game.question("match").amounts, scene.measures.changes
    for before, seen_before in scene.box.alone:
        now, seen = scene.known.alone[place]
        old = {each.key: each.value for each in amounts(before)}
        for each in amounts(now):
            if each.key in old and each.key != "won_2" and not (now.by_design and each.key == "won_1"):
                both = (seen_before[each.key], seen[each.key]) if each.key in seen else None
                change = compared(old[each.key], each.value, both)
                ask = scene.measures.alone(place)
                asks = [Ask(ask.question, ask.given, each.key)]
                after = Amount("Changes", each.head, each.value, each.kind)
                found.append(_suspect(scene, old[each.key], after, change, asks))
    return [each for each in found if each.chance is not None]


def _of_setups(scene: Scene) -> list[Suspect]:
    found = []
    assert scene.box is not None
    now, same = means_of(scene, scene.known), scene.known.setups.keys() == scene.box.setups.keys()
    # Against the same others: changed rules may have put some aside.
    for name, before in means_of(scene, scene.box).items() if same else ():
        if name in now:
            after = Amount("Setups", f"{scene.setups[name]} wins", now[name].value, "share")
            change = compared(before.value, now[name].value, (before.deals, now[name].deals))
            found.append(_suspect(scene, before.value, after, change, now[name].asks))
    return found


def _suspect(
    scene: Scene,
    before: Estimate | float | None,
    after: Amount,
    change: _Change,
    asks: list[Ask],
    table: str = "",
) -> Suspect:
    """What changed values do to a figure; the key of `after` is the part that it belongs to."""
    value, chance = change
    old, new = (
        each if isinstance(each, Estimate) else Estimate(each, None, None, 0)
        for each in (before, after.value)
    )
    texts = [cell_text(each.mean, after.kind) for each in (new, old)]
    now = f"{texts[0]}{unit_of(after.kind)}"
    gain: Format = "gain" if after.kind in ("share", "gain") else "signed"
    doubt = "" if value.low is None else f" (a change of {doubt_said(value, gain)})"
    far, mean = abs(value.mean or 0.0), old.mean or 0.0
    width = max(old.width, far / 3)
    finding = Finding(
        part=after.key,
        about=table if table in scene.changes else next(iter(scene.changes), ""),
        verdict="watch",
        said=f"{changes_said(scene)}: {after.head} {now} instead of {texts[1]} in the box{doubt}.",
        kind=after.kind,
        value=new,
        low=mean - width,
        high=mean + width,
        size=1.0 + far / (LEAST * (scene.span if after.kind == "signed" else 1.0)),
        changed=True,
        asks=asks,
    )
    return Suspect(finding, chance, of_box=True)
