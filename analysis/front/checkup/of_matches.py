"""Seats, skill, luck, length and leads: what matches of the players of a check-up say."""

from __future__ import annotations

from collections.abc import Sequence
from math import atanh, tanh
from statistics import StatisticsError, correlation

from analysis.estimates import Estimate, quantile, share
from analysis.front.checkup.answer import Finding, Part
from analysis.front.checkup.scene import Scene, Suspect, beyond, either_way, other_share, share_said, upper
from analysis.front.question import imported
from analysis.front.render.numbers import number_text
from analysis.front.verbs.match_page import Lead, MatchAnswer

__all__ = ["explained", "first_seats", "lead_of", "leads", "length", "luck", "of_leads", "of_seats"]
__all__ += ["of_skill", "played", "seats", "skill", "skills"]

RAN_ON = ("last round", "riot")
"""Names of endings that are no victory but a limit."""
_RUNAWAY, _RAN_ON = 0.9, 0.05
_FEWEST_PLAYS = 40


def first_seats(scene: Scene) -> dict[int, Estimate]:
    """Return what whoever sits first wins, by the number of the player."""
    alone = enumerate(scene.known.alone)
    return {at: scene.measures.scaled(one.first_seat) for at, (one, _) in alone if len(one.sides) == 2}


def seats(scene: Scene) -> Part | None:
    """Return how the first seat does, by the two strongest players."""
    known = dict(list(first_seats(scene).items())[-2:])
    if not known:
        return None
    said = [f"{share_said(value)} by {scene.names[at]}" for at, value in reversed(known.items())]
    surest = min(known.values(), key=lambda value: value.width)
    told = f"Whoever goes first wins {', '.join(said)}."
    if proved := scene.game.plan.seats and imported(scene.game.plan.seats)(scene.rules):
        told += f" {proved}"
    return Part("Seats", "fine" if scene.bounds.hold(surest) else "open", told)


def of_seats(scene: Scene) -> list[Suspect]:
    """Return that a seat wins too much, for each of the two strongest players."""
    found = []
    for at, value in list(first_seats(scene).items())[-2:]:
        far = abs((value.mean or 0.0) - 0.5)
        who, wins = "first", value
        if (value.mean or 0.0) < 0.5:
            who, wins = "second", other_share(value)
        finding = Finding(
            part="Seats",
            verdict="fix" if far >= scene.bounds.fix - 0.5 else "watch",
            said=f"Whoever goes {who} wins {share_said(wins)}, played by {scene.names[at]}.",
            kind="share",
            value=value,
            low=1 - scene.bounds.fix,
            high=scene.bounds.fix,
            size=far / (scene.bounds.watch - 0.5),
            asks=[scene.measures.alone(at)],
        )
        found.append(Suspect(finding, either_way(value)))
    return found


def skills(scene: Scene) -> dict[int, Estimate]:
    """Return what each player wins against the one below, by its number."""
    above = enumerate(scene.known.above, 1)
    return {at: scene.measures.scaled(found.sides[0].won) for at, (found, _) in above}


def skill(scene: Scene) -> Part | None:
    """Return whether better players win."""
    known, names = skills(scene), scene.names
    if not known:
        return None
    said = [
        f"{names[at]} wins {share_said(value)} against {names[at - 1]}"
        for at, value in reversed(known.items())
    ]
    pays = all((value.low or 0.0) > 0.5 for value in known.values())
    told = f"{upper(', '.join(said))}{': skill pays' if pays else ''}."
    return Part("Skill", "fine" if pays else "open", told)


def of_skill(scene: Scene) -> list[Suspect]:
    """Return that a player loses to the one below."""
    found = []
    for at, value in skills(scene).items():
        said = f"{scene.names[at]} wins only {share_said(value)} against {scene.names[at - 1]}"
        finding = Finding(
            part="Skill",
            verdict="watch",
            said=f"{upper(said)}: what looks better is not.",
            kind="share",
            value=value,
            low=0.5,
            size=2.0 if (value.mean or 0.0) < 0.5 else 0.0,
            asks=[scene.measures.above(at)],
        )
        found.append(Suspect(finding, beyond(value, 0.5, above=False)))
    return found


def luck(scene: Scene) -> Part | None:
    """Return how much the deal decides between the two players who met most often."""
    pairs = [(at, deals) for at, (one, deals) in enumerate(scene.known.above, 1) if len(one.sides) == 2]
    if not pairs:
        return None
    at, deals = max(pairs, key=lambda each: len(each[1]["won_1"]))
    # Of each deal: what the first seat won with either of them in it.
    first, won = (scene.measures.scaled_row(deals[key]) for key in ("first_seat", "won_1"))
    both = list(zip(first, won, strict=True))
    value = explained([one + more for one, more in both], [one - more for one, more in both])
    who = f"{scene.names[at]} and {scene.names[at - 1]}"
    return Part("Luck", "told", f"The deal decides {share_said(value)} of a game between {who}.")


def explained(one: Sequence[float], other: Sequence[float]) -> Estimate:
    """Return the share of the variance of results that deals explain, each being played twice.

    The correlation of the first seat's results when others sit there; its interval by Fisher's
    transformation (Fisher 1921).
    """
    try:
        found = correlation(one, other)
    except StatisticsError:
        return Estimate(None, None, None, len(one))
    if len(one) < 4 or abs(found) >= 1 - 1e-9:
        return Estimate(max(found, 0.0), None, None, len(one))
    width = quantile() / (len(one) - 3) ** 0.5
    low, high = (max(0.0, tanh(atanh(found) + sign * width)) for sign in (-1, 1))
    return Estimate(max(found, 0.0), low, high, len(one))


def played(scene: Scene) -> MatchAnswer | None:
    """Return the matches that tell how plays go: of the strongest player that played enough."""
    enough = [found for found, _ in scene.known.alone if found.plays >= _FEWEST_PLAYS]
    return enough[-1] if enough else None


def length(scene: Scene) -> Part | None:
    """Return how long plays are, and whether some run on."""
    found = played(scene)
    if found is None or found.length is None:
        return None
    unit, least, most = found.length.unit, found.length.tenth, found.length.ninetieth
    said = f"{least}{f' to {most}' if most > least else ''} {unit}, {found.length.mean:.1f} on average"
    ends = {group.name: group.plays for group in found.groups if group.group == "ending"}
    ran_on = sum(ends.get(name, 0) for name in RAN_ON) / max(sum(ends.values()), 1)
    if not ends:
        return Part("Length", "told", f"{said}.")
    told = f"{number_text(ran_on, 'share')} % are ended by a limit" if ran_on else "none ran on"
    return Part("Length", "watch" if ran_on > _RAN_ON else "fine", f"{said}; {told}.")


def lead_of(scene: Scene) -> Lead | None:
    """Return what whoever is ahead wins, when half of a play is over."""
    found = played(scene)
    if found is None or found.length is None:
        return None
    known = [each for each in found.leads if each.leader_won is not None]
    half = [each for each in known if each.time <= max(1, found.length.median // 2)] or known[:1]
    return half[-1] if half else None


def _leader(lead: Lead) -> Estimate:
    """What the leader wins; both rotations of a deal share its luck."""
    deals = round(lead.plays * (1 - lead.level)) / 2
    return share((lead.leader_won or 0.0) * deals, max(1, round(deals)))


def leads(scene: Scene) -> Part | None:
    """Return whether whoever is ahead has won."""
    lead, found = lead_of(scene), played(scene)
    if lead is None or found is None or found.length is None:
        return None
    value = _leader(lead)
    when = f"{found.length.unit.removesuffix('s')} {lead.time} of {found.length.median}"
    said = f"Whoever is ahead after {when} wins {share_said(value)}"
    if found.overtaken is not None:
        said += f"; the lead changes {number_text(found.overtaken, 'number')} times a play"
    return Part("Leads", "fine" if (value.high or 1.0) < _RUNAWAY else "open", f"{said}.")


def of_leads(scene: Scene) -> list[Suspect]:
    """Return that whoever is ahead wins nearly always."""
    lead = lead_of(scene)
    if lead is None:
        return []
    value = _leader(lead)
    finding = Finding(
        part="Leads",
        verdict="watch",
        said=f"Whoever is ahead after {lead.time} wins {share_said(value)}: a runaway.",
        kind="share",
        value=value,
        high=_RUNAWAY,
        size=(value.mean or 0.0) / _RUNAWAY,
    )
    return [Suspect(finding, beyond(value, _RUNAWAY, above=True))]
