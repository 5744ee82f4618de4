"""Setups, such as decks, against each other."""

from __future__ import annotations

from itertools import permutations
from typing import NamedTuple

from analysis.estimates import Estimate, share_of_deals
from analysis.front.checkup.answer import Ask, Finding, Part
from analysis.front.checkup.measuring import Measured
from analysis.front.checkup.scene import Scene, Suspect, either_way, share_said

__all__ = ["Mean", "means_of", "met_by", "of_setups", "setups"]


class Mean(NamedTuple):
    """What a setup wins on average over the others, by deal too, and where that comes from."""

    value: Estimate
    deals: list[float]
    asks: list[Ask]


def met_by(scene: Scene, known: Measured | None = None) -> dict[tuple[str, str], Mean]:
    """Return what each of two setups wins against the other."""
    found: dict[tuple[str, str], Mean] = {}
    played, row = (known or scene.known).setups, scene.measures.scaled_row
    for pair, (_, deals) in played.items():
        turned, ask = pair[::-1], scene.measures.against(*pair)
        for place, mine in enumerate((pair, turned)):
            key = f"won_{place + 1}"
            asks, wins = [Ask(ask.question, ask.given, key)], row(deals[key])
            if turned in played:
                # Setups stay with their seats: what counts is who sat first, and second.
                back = scene.measures.against(*mine[::-1])
                asks = [Ask(ask.question, scene.measures.against(*mine).given, "first_seat")]
                asks.append(Ask(back.question, back.given, "first_seat", others=True))
                firsts = [row(played[each][1]["first_seat"]) for each in (mine, mine[::-1])]
                wins = [(one + 1 - other) / 2 for one, other in zip(*firsts, strict=True)]
            found[mine] = Mean(share_of_deals(wins), wins, asks)
    return found


def means_of(scene: Scene, known: Measured) -> dict[str, Mean]:
    """Return what each setup wins on average over the others."""
    met: dict[str, list[Mean]] = {}
    for (name, _), mean in met_by(scene, known).items():
        met.setdefault(name, []).append(mean)
    found = {}
    for name, each in met.items():
        deals = [sum(deal) / len(deal) for deal in zip(*(mean.deals for mean in each), strict=True)]
        found[name] = Mean(share_of_deals(deals), deals, [ask for mean in each for ask in mean.asks])
    return found


def setups(scene: Scene) -> Part | None:
    """Return which wins most and least, circles, and which beats all others."""
    means, called = means_of(scene, scene.known), scene.setups
    if not means:
        return None
    least, *_, most = sorted(means, key=lambda name: means[name].value.mean or 0.0)
    ends = [f"{called[name]}, {share_said(means[name].value)}" for name in (least, most)]
    said = f"From {ends[0]}, to {ends[1]}"
    sure = {pair for pair, each in met_by(scene).items() if (each.value.low or 0.0) > 0.5}
    for circle in permutations(means, 3):
        beats = list(zip(circle, (*circle[1:], circle[0]), strict=True))
        if set(beats) <= sure:
            told = ", ".join(f"{called[one]} beats {called[other]}" for one, other in beats)
            said += f"; {told} (rock, paper, scissors)"
            break
    if len(means) > 2 and all((most, other) in sure for other in means if other != most):
        said += f"; {called[most]} beats all others"
    inside = all(scene.bounds.hold(each.value) for each in means.values())
    return Part("Setups", "fine" if inside else "open", f"{said}.")


def of_setups(scene: Scene) -> list[Suspect]:
    """Return that a setup wins too much or too little against the others."""
    found = []
    for name, mean in means_of(scene, scene.known).items():
        far = abs((mean.value.mean or 0.0) - 0.5) / (scene.bounds.fix - 0.5)
        table = next((each for each in scene.rules.tables() if each.endswith(f".{name}")), "")
        finding = Finding(
            part="Setups",
            about=table,
            verdict="fix" if far >= 1 else "watch",
            said=f"{scene.setups[name]} wins {share_said(mean.value)} against the others.",
            kind="share",
            value=mean.value,
            low=1 - scene.bounds.fix,
            high=scene.bounds.fix,
            size=far,
            changed=table in scene.changes,
            asks=mean.asks,
        )
        found.append(Suspect(finding, either_way(mean.value)))
    return found
