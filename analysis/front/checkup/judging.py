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
from analysis.front.checkup.answer import CheckupAnswer, Finding, Part
from analysis.front.checkup.of_changes import changes_said, of_changes
from analysis.front.checkup.scene import Scene, Suspect
from analysis.front.parameters import text_of
from analysis.front.question import Amount
from analysis.front.verbs.match_page import match_amounts

__all__ = ["answer_of", "figures", "findings", "parts"]


def figures(scene: Scene) -> list[tuple[Amount, Sequence[float]]]:
    """Return all figures, by keys that are the same in every check-up of a game, and their deals."""
    names, known, measures = scene.names, scene.known, scene.measures
    found: list[tuple[Amount, Sequence[float]]] = []
    for at, value in of_matches.first_seats(scene).items():
        amount = Amount(f"seats_{names[at]}", f"first seat wins, by {names[at]}", value, "share")
        found.append((amount, measures.scaled_row(known.alone[at][1]["first_seat"])))
    for at, value in of_matches.skills(scene).items():
        head = f"{names[at]} wins against {names[at - 1]}"
        deals = measures.scaled_row(known.above[at - 1][1]["won_1"])
        found.append((Amount(f"skill_{names[at]}", head, value, "share"), deals))
    played = of_matches.played(scene)
    if played is not None:
        found += [(each, ()) for each in match_amounts(played) if each.key == "length"]
    for word, each in scene.entries():
        amount = Amount(f"{word}/{each.entry}", f"{each.name} is worth", each.worth, scene.gain)
        found.append((amount, known.entries[word][1].get(each.entry, ())))
    for name, mean in of_setups.means_of(scene, known).items():
        amount = Amount(f"setup/{name}", f"{scene.setups[name]} wins", mean.value, "share")
        found.append((amount, mean.deals))
    return found


def parts(scene: Scene, out: Sequence[Finding]) -> list[Part]:
    """Return a line for each part that something is known of."""
    one = (of_matches.seats, of_matches.skill, of_matches.luck, of_matches.length, of_matches.leads)
    lines = [line(scene) for line in (*one, of_entries.choices, of_setups.setups)]
    lines[-1:-1] = of_entries.entries(scene, out)
    if scene.changes:
        differ = "differs" if len(scene.changes) == 1 else "differ"
        lines.append(Part("Changes", "told", f"{changes_said(scene)} {differ} from the box."))
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
    named = [name for name in scene.setups if any(name in pair for pair in met)]
    played = of_matches.played(scene)
    return CheckupAnswer(
        rules=scene.game.rules_note(scene.rules),
        effort=measures.effort,
        players=[text_of(rung.player) for rung in measures.ladder],
        parts=parts(scene, found),
        findings=list(found),
        figures=[each for each, _ in figures(scene)],
        setups=[scene.setups[name] for name in named],
        against=[
            [met[one, other].value.mean if (one, other) in met else None for other in named] for one in named
        ],
        leads=[] if played is None else [(each.time, each.leader_won) for each in played.leads],
        length=scene.game.length,
        complete=complete,
    )
