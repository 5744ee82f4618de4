"""Setups, such as decks, against each other."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from typing import NamedTuple

import msgspec

from analysis.estimates import Estimate, estimate, share_of_deals
from analysis.front.checkup.answer import Ask, Finding, Part
from analysis.front.checkup.measuring import Measured
from analysis.front.checkup.scene import Scene, Suspect, either_way, share_said

__all__ = ["Mean", "means_of", "met_by", "of_setups", "setups"]


class Mean(NamedTuple):
    """What a setup wins on average over the others, by deal too, and where that comes from."""

    value: Estimate
    deals: list[float]
    asks: list[Ask]


def met_by(scene: Scene) -> dict[tuple[str, str], Estimate]:
    """Return what each of two setups wins against the other."""
    found: dict[tuple[str, str], Estimate] = {}
    for (one, other), (answer, _) in scene.known.setups.items():
        found[one, other], found[other, one] = (scene.measures.scaled(side.won) for side in answer.sides)
    return found


def means_of(scene: Scene, known: Measured) -> dict[str, Mean]:
    """Return what each setup wins on average over the others."""
    rows: dict[str, list[Sequence[float]]] = {}
    asks: dict[str, list[Ask]] = {}
    for pair, (_, deals) in known.setups.items():
        ask = scene.measures.against(*pair)
        for name, key in zip(pair, ("won_1", "won_2"), strict=True):
            rows.setdefault(name, []).append(scene.measures.scaled_row(deals[key]))
            asks.setdefault(name, []).append(msgspec.structs.replace(ask, key=key))
    found = {}
    for name, each in rows.items():
        means = [sum(deal) / len(deal) for deal in zip(*each, strict=True)]
        bounded = scene.game.measure == "share" or scene.game.bounds is not None
        found[name] = Mean(share_of_deals(means) if bounded else estimate(means), means, asks[name])
    return found


def setups(scene: Scene) -> Part | None:
    """Return which wins most and least, circles, and which beats all others."""
    means, called = means_of(scene, scene.known), scene.setups
    if not means:
        return None
    least, *_, most = sorted(means, key=lambda name: means[name].value.mean or 0.0)
    ends = [f"{called[name]}, {share_said(means[name].value)}" for name in (least, most)]
    said = f"From {ends[0]}, to {ends[1]}"
    sure = {pair for pair, value in met_by(scene).items() if (value.low or 0.0) > 0.5}
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
