"""Setups, such as decks, against each other."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from typing import Any

import msgspec

from analysis.estimates import Estimate, estimate, share_of_deals
from analysis.front.checkup.answer import Ask, Finding, Part, Verdict
from analysis.front.checkup.measuring import Measured, scaled
from analysis.front.checkup.scene import Scene, Suspect, either_way, share_said

__all__ = ["means_of", "met_by", "of_setups", "setups"]


def setups(scene: Scene) -> Part | None:
    met = met_by(scene)
    _, names = scene.measures.contestants()
    if not met:
        return None
    called = {each.id: each.name for each in names}
    means = {name: value for name, (value, _, _) in means_of(scene, scene.known).items()}
    most = max(means, key=lambda name: means[name].mean or 0.0)
    least = min(means, key=lambda name: means[name].mean or 0.0)
    said = f"From {called[least]}, {share_said(means[least])}, to {called[most]}, {share_said(means[most])}"
    sure = {pair for pair, value in met.items() if (value.low or 0.0) > 0.5}
    cycle = next(
        (
            each
            for each in permutations(means, 3)
            if {(each[0], each[1]), (each[1], each[2]), (each[2], each[0])} <= sure
        ),
        None,
    )
    if cycle is not None:
        one, two, three = (called[name] for name in cycle)
        said += f"; {one} beats {two}, {two} beats {three}, {three} beats {one} (rock, paper, scissors)"
    everybody = [name for name in means if all((name, other) in sure for other in means if other != name)]
    if everybody and len(means) > 2:
        said += f"; {called[everybody[0]]} beats all others"
    inside = all(
        (value.low or 0.0) >= 1 - scene.bounds.fix and (value.high or 1.0) <= scene.bounds.fix
        for value in means.values()
    )
    return Part("Setups", "fine" if inside else "open", f"{said}.")


def of_setups(scene: Scene) -> list[Suspect]:
    _, names = scene.measures.contestants()
    called = {each.id: each.name for each in names}
    found = []
    for name, (value, _, asks) in means_of(scene, scene.known).items():
        mean = value.mean or 0.0
        far = abs(mean - 0.5)
        verdict: Verdict = "fix" if far >= scene.bounds.fix - 0.5 else "watch"
        said = f"{called[name]} wins {share_said(value)} against the others."
        table = next((each for each in scene.rules.tables() if each.endswith(f".{name}")), "")
        finding = Finding(
            *("Setups", table, verdict, said, "share", value),
            *(1 - scene.bounds.fix, scene.bounds.fix, False),
            size=far / (scene.bounds.fix - 0.5),
            changed=table in scene.changes,
            asks=asks,
        )
        found.append(Suspect(finding, either_way(value, 0.5)))
    return found


def met_by(scene: Scene) -> dict[tuple[str, str], Estimate]:
    """Return what each of two setups wins against the other."""
    found: dict[tuple[str, str], Estimate] = {}
    for (one, other), (answer, _) in scene.known.setups.items():
        found[one, other] = scaled(scene.game, 2, answer.sides[0].won)
        found[other, one] = scaled(scene.game, 2, answer.sides[1].won)
    return found


def means_of(scene: Scene, known: Measured) -> dict[str, tuple[Estimate, list[float], list[Ask]]]:
    """What each setup wins on average over the others, by deal too, and where that comes from."""
    rows: dict[str, list[Sequence[float]]] = {}
    asks: dict[str, list[Ask]] = {}
    for (one, other), (_, deals) in known.setups.items():
        ask = scene.measures.against(one, other)
        for name, key in ((one, "won_1"), (other, "won_2")):
            rows.setdefault(name, []).append(deals[key])
            asks.setdefault(name, []).append(msgspec.structs.replace(ask, key=key))
    found = {}
    for name, each in rows.items():
        values = [sum(deal) / len(deal) for deal in zip(*each, strict=True)]
        found[name] = (scaled(scene.game, 2, _estimate(values, scene.game)), values, asks[name])
    return found


def _estimate(values: Sequence[float], game: Any) -> Estimate:
    if game.measure == "share":
        return share_of_deals(values)
    return estimate(values, None if game.bounds is None else game.bounds(2))
