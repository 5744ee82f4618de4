"""Seats, skill, luck, length and leads: what matches of the players of a check-up say."""

from __future__ import annotations

from collections.abc import Sequence
from math import atanh, tanh
from statistics import StatisticsError, correlation

from analysis.estimates import Estimate, quantile, share
from analysis.front.checkup.answer import Finding, Part, Verdict
from analysis.front.checkup.measuring import by_rotation, scaled
from analysis.front.checkup.scene import Scene, Suspect, beyond, either_way, other_share, share_said, upper
from analysis.front.render.numbers import number_text
from analysis.front.verbs.match_page import MatchAnswer
from analysis.front.verdicts import doubt_said

__all__ = [
    *("explained", "first_seats", "lead_of", "leads", "length", "luck", "of_leads", "of_seats", "of_skill"),
    *("played", "seats", "skill", "skills"),
]

RAN_ON = ("last round", "riot", "limit", "turn limit", "most turns", "comes again")
"""Names of endings that are no victory but a limit."""
_RUNAWAY, _RAN_ON = 0.9, 0.05
_FEWEST_PLAYS = 20


def seats(scene: Scene) -> Part | None:
    seats = first_seats(scene)
    if not seats:
        return None
    said = [f"{share_said(value)} by {scene.names[place]}" for place, value in reversed(seats[-2:])]
    surest = min((value for _, value in seats[-2:]), key=lambda value: value.width)
    inside = (surest.low or 0.0) >= 1 - scene.bounds.fix and (surest.high or 1.0) <= scene.bounds.fix
    return Part("Seats", "fine" if inside else "open", f"Whoever goes first wins {', '.join(said)}.")


def of_seats(scene: Scene) -> list[Suspect]:
    found = []
    for place, value in first_seats(scene)[-2:]:
        mean = value.mean or 0.0
        far = abs(mean - 0.5)
        verdict: Verdict = "fix" if far >= scene.bounds.fix - 0.5 else "watch"
        who = "first" if mean > 0.5 else "second"
        wins = value if mean > 0.5 else other_share(value)
        said = f"Whoever goes {who} wins {share_said(wins)}, played by {scene.names[place]}."
        asks = [scene.measures.alone(scene.measures.ladder[place])]
        bound = (1 - scene.bounds.fix, scene.bounds.fix)
        finding = Finding(
            *("Seats", "", verdict, said, "share", value, *bound, False),
            size=far / (scene.bounds.watch - 0.5),
            asks=asks,
        )
        found.append(Suspect(finding, either_way(value, 0.5)))
    return found


def skill(scene: Scene) -> Part | None:
    known = skills(scene)
    if not known:
        return None
    said = [
        f"{scene.names[place]} wins {share_said(value)} against {scene.names[place - 1]}"
        for place, value in reversed(known)
    ]
    pays = all((value.low or 0.0) > 0.5 for _, value in known)
    return Part(
        "Skill", "fine" if pays else "open", f"{upper(', '.join(said))}{': skill pays' if pays else ''}."
    )


def of_skill(scene: Scene) -> list[Suspect]:
    found = []
    for place, value in skills(scene):
        mean = value.mean or 0.0
        said = (
            f"{scene.names[place]} wins only {share_said(value)} against {scene.names[place - 1]}:"
            " what looks better is not."
        )
        finding = Finding(
            *("Skill", "", "watch", upper(said), "share", value, 0.5, None, False),
            size=2.0 if mean < 0.5 else 0.0,
            asks=[scene.measures.above(place)],
        )
        found.append(Suspect(finding, beyond(value, 0.5, above=False)))
    return found


def luck(scene: Scene) -> Part | None:
    pairs = [deals for found, deals in scene.known.above if len(found.sides) == 2]
    if not pairs:
        return None
    deals = max(pairs, key=lambda each: len(each["won_1"]))
    place = 1 + pairs.index(deals)
    value = explained(*by_rotation(scene.game, deals))
    if value.mean is None:
        return Part("Luck", "open", "How much the deal decides is not known.")
    doubt = "" if value.low is None else f" ({doubt_said(value, 'share', 0)})"
    who = f"{scene.names[place]} and {scene.names[place - 1]}"
    return Part(
        "Luck",
        "told",
        f"The deal decides {number_text(value.mean, 'share', 0)} %{doubt} of a game between {who}.",
    )


def length(scene: Scene) -> Part | None:
    found = played(scene)
    if found is None or found.length is None:
        return None
    length = found.length
    span = f"{length.tenth} to {length.ninetieth}" if length.tenth < length.ninetieth else f"{length.tenth}"
    said = f"{span} {length.unit}, {length.mean:.1f} on average"
    ends = [group for group in found.groups if group.group == "ending"]
    total = sum(group.plays for group in ends)
    ran_on = [group for group in ends if group.name in RAN_ON and group.plays]
    if not ends:
        return Part("Length", "told", f"{said}.")
    if not ran_on:
        return Part("Length", "fine", f"{said}; none ran on.")
    part = sum(group.plays for group in ran_on) / total
    verdict: Verdict = "watch" if part > _RAN_ON else "fine"
    return Part("Length", verdict, f"{said}; {number_text(part, 'share')} % end by {ran_on[0].name}.")


def leads(scene: Scene) -> Part | None:
    lead, found = lead_of(scene), played(scene)
    if lead is None or found is None or found.length is None:
        return None
    time, won, plays = lead
    unit, length = found.length.unit.removesuffix("s"), found.length.median
    value = share(won * plays, plays)
    said = f"Whoever is ahead after {unit} {time} of {length} wins {share_said(value)}"
    verdict: Verdict = "fine" if (value.high or 1.0) < _RUNAWAY else "open"
    return Part("Leads", verdict, f"{said}.")


def of_leads(scene: Scene) -> list[Suspect]:
    lead = lead_of(scene)
    if lead is None:
        return []
    time, won, plays = lead
    # Both rotations of a deal share its luck.
    value = share(won * plays / 2, plays // 2)
    said = f"Whoever is ahead after {time} wins {share_said(value)}: a runaway."
    finding = Finding(
        *("Leads", "", "watch", said, "share", value, None, _RUNAWAY, False), size=won / _RUNAWAY
    )
    return [Suspect(finding, beyond(value, _RUNAWAY, above=True))]


def first_seats(scene: Scene) -> list[tuple[int, Estimate]]:
    return [
        (place, scaled(scene.game, len(found.sides), found.first_seat))
        for place, (found, _) in enumerate(scene.known.alone)
        if found.first_seat.mean is not None and len(found.sides) == 2
    ]


def skills(scene: Scene) -> list[tuple[int, Estimate]]:
    return [
        (place, scaled(scene.game, 2, found.sides[0].won))
        for place, (found, _) in enumerate(scene.known.above, 1)
    ]


def played(scene: Scene) -> MatchAnswer | None:
    """The matches that tell how plays go: of the strongest player that played enough."""
    enough = [found for found, _ in scene.known.alone if found.plays >= 2 * _FEWEST_PLAYS]
    return enough[-1] if enough else scene.known.alone[-1][0] if scene.known.alone else None


def lead_of(scene: Scene) -> tuple[int, float, int] | None:
    """When half of a play is over, what whoever is ahead wins, and in how many plays somebody is."""
    found = played(scene)
    if found is None or found.length is None or not found.leads:
        return None
    known = [each for each in found.leads if each.leader_won is not None]
    half = [each for each in known if each.time <= max(1, found.length.median // 2)] or known[:1]
    if not half:
        return None
    won = half[-1].leader_won or 0.0
    return half[-1].time, won, round(half[-1].plays * (1 - half[-1].level))


def explained(one: Sequence[float], other: Sequence[float]) -> Estimate:
    """Return the share of the variance of results that deals explain, each being played twice.

    The correlation of the first seat's results when others sit there; its interval by Fisher's
    transformation (Fisher 1921).
    """
    try:
        found = correlation(one, other)
    except StatisticsError:
        return Estimate(None, None, None, len(one))
    if len(one) < 4 or abs(found) >= 1:
        return Estimate(max(found, 0.0), None, None, len(one))
    width = quantile() / (len(one) - 3) ** 0.5
    low, high = (max(0.0, tanh(atanh(found) + sign * width)) for sign in (-1, 1))
    return Estimate(max(found, 0.0), low, high, len(one))
