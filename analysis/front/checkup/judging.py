"""What figures of a check-up say: verdicts line by line, and what is out of its bounds.

All that could be called wrong is tested together (`analysis.front.chance.holm`): something is called so for
certain by mistake in at most 5 % of check-ups, however much they look at.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import msgspec

from analysis.front.chance import holm
from analysis.front.checkup import of_entries, of_matches, of_setups
from analysis.front.checkup.answer import CheckupAnswer, Finding, Part, Shown
from analysis.front.checkup.of_changes import of_changes
from analysis.front.checkup.scene import Scene, Suspect
from analysis.front.page import Format
from analysis.front.parameters import text_of

__all__ = ["answer_of", "figures", "findings", "parts", "seen"]


def figures(scene: Scene) -> list[Shown]:
    """Return all figures, by keys that are the same in every check-up of a game."""
    found = [
        Shown(f"seats_{scene.names[place]}", f"first seat wins, by {scene.names[place]}", value, "share")
        for place, value in of_matches.first_seats(scene)
    ]
    found += [
        Shown(
            f"skill_{scene.names[place]}",
            f"{scene.names[place]} wins against {scene.names[place - 1]}",
            value,
            "share",
        )
        for place, value in of_matches.skills(scene)
    ]
    played = of_matches.played(scene)
    if played is not None and played.length is not None:
        found.append(Shown("length", f"{played.length.unit}, mean", played.length.mean))
    if lead := of_matches.lead_of(scene):
        found.append(Shown("lead", f"whoever is ahead after {lead[0]} wins", lead[1], "share"))
    kind: Format = "gain" if scene.game.measure == "share" else "signed"
    found += [
        Shown(f"{word}/{each.entry}", f"{each.name} is worth", each.worth, kind)
        for word, each in of_entries.all_entries(scene)
    ]
    _, names = scene.measures.contestants()
    called = {each.id: each.name for each in names}
    means = of_setups.means_of(scene, scene.known)
    return found + [
        Shown(f"setup/{name}", f"{called[name]} wins", value, "share")
        for name, (value, _, _) in means.items()
    ]


def seen(scene: Scene) -> dict[str, list[float]]:
    """Return what each deal came to, by the keys of figures."""
    found: dict[str, list[float]] = {}
    for place, (_, deals) in enumerate(scene.known.alone):
        found[f"seats_{scene.names[place]}"] = _scaled_row(scene, deals["first_seat"])
    for place, (_, deals) in enumerate(scene.known.above, 1):
        found[f"skill_{scene.names[place]}"] = _scaled_row(scene, deals["won_1"])
    for word, (_, rows) in scene.known.entries.items():
        found |= {f"{word}/{name}": list(row) for name, row in rows.items()}
    means = of_setups.means_of(scene, scene.known)
    return found | {f"setup/{name}": _scaled_row(scene, row) for name, (_, row, _) in means.items()}


def _scaled_row(scene: Scene, values: Sequence[float]) -> list[float]:
    if scene.game.measure == "share" or scene.game.bounds is None:
        return list(values)
    low, _ = scene.game.bounds(2)
    return [(value - low) / scene.span for value in values]


def parts(scene: Scene, out: Sequence[Finding]) -> list[Part]:
    """Return a line for each part that something is known of."""
    one = (of_matches.seats, of_matches.skill, of_matches.luck, of_matches.length, of_matches.leads)
    lines = [line(scene) for line in (*one, of_entries.choices, of_setups.setups)]
    lines[-1:-1] = of_entries.entries(scene, out)
    worst = {"fix": 2, "watch": 1}
    found = []
    for line in (each for each in lines if each is not None):
        mine = [each.verdict for each in out if each.part == line.name and each.certain]
        verdict = max(mine, key=lambda each: worst.get(each, 0), default=line.verdict)
        found.append(msgspec.structs.replace(line, verdict=verdict))
    return found


def findings(scene: Scene) -> list[Suspect]:
    """Return what is out of its bounds: the certain ones first, of these what was changed, then the worst."""
    looking = [of_matches.of_seats, of_matches.of_skill, of_matches.of_leads, of_entries.of_entries]
    looking += [of_entries.of_choices, of_setups.of_setups, of_changes]
    suspects = [suspect for look in looking for suspect in look(scene)]
    certain = holm([each.chance for each in suspects])
    found = [
        replace(each, finding=msgspec.structs.replace(each.finding, certain=bool(sure)))
        for each, sure in zip(suspects, certain, strict=True)
        if each.finding.size > 1
    ]
    found.sort(key=lambda each: (-each.finding.certain, -each.finding.changed, -each.finding.size))
    # A change shows in many figures: the one that it moves most stands for all.
    firsts = {each.finding.about: each for each in reversed(found) if each.of_box}
    return [each for each in found if not each.of_box or each is firsts[each.finding.about]]


def answer_of(scene: Scene, found: Sequence[Finding], *, complete: bool) -> CheckupAnswer:
    """Return all that is known by now."""
    measures, met = scene.measures, of_setups.met_by(scene)
    _, names = measures.contestants()
    named = [each for each in names if any(each.id in pair for pair in met)]
    played = of_matches.played(scene)
    return CheckupAnswer(
        rules=scene.game.rules_note(scene.rules),
        effort=measures.effort,
        players=[text_of(rung.player) for rung in measures.ladder],
        parts=parts(scene, found),
        findings=list(found),
        figures=figures(scene),
        setups=[each.name for each in named],
        against=[
            [met[pair].mean if (pair := (one.id, other.id)) in met else None for other in named]
            for one in named
        ],
        leads=[] if played is None else [(each.time, each.leader_won) for each in played.leads],
        length=scene.game.length,
        complete=complete,
    )
