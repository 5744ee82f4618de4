"""Search for infinite HP: optional actions of one player that bring everything back, with more HP (W2).

What leaves play or a hand never comes back, and what works once a turn leaves a mark. So only uses without a
limit can be part of a loop, and of a hero's situation they change the season alone: a loop is a cycle
of gain among the base seasons.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from engine.warage.effects import TAKING, Effect


class Use(NamedTuple):
    """What a card lets its owner do any number of times, if all of it is reversible.

    Attributes
    ----------
    gain : HP less what it costs.
    season : the base season that it names; empty if none.
    """

    card: str
    gain: int
    season: str
    if_season: str
    if_race: str
    if_class: str


class Loop(NamedTuple):
    """Uses one after the other, from a season back to it; `gain` HP each time."""

    season: str
    uses: tuple[Use, ...]
    gain: int
    race: str
    hero_class: str

    def __str__(self) -> str:
        steps = ", then ".join(f"{use.card} ({use.gain:+d} HP)" for use in self.uses)
        who = " ".join(word for word in (self.race, self.hero_class) if word)
        return (
            f"{steps}: {self.gain:+d} HP each time round"
            + (f", in {self.season}" if any(use.season or use.if_season for use in self.uses) else "")
            + (f", for a hero that is {who}" if who else "")
        )


def uses_of(card: str, effects: Sequence[Effect]) -> Iterator[Use]:
    """Yield what a card lets one do again and again; nothing if it has a limit, or leaves a trace."""
    uses = [effect for effect in effects if effect.trigger == "use"]
    if not uses or any(effect.limit for effect in uses):
        return
    gain, season = 0, ""
    for effect in uses:
        if effect.action in ("gain", "lose") and effect.target == "self":
            gain += effect.amount if effect.action == "gain" else -effect.amount
        elif effect.action == "season" and effect.season != "next":
            season = effect.season
        elif effect.action not in TAKING:  # what is taken from opponents ends with their HP
            return  # it needs an attack, cards or chance
        gain -= effect.cost_hp
    conditions = [
        {getattr(effect, key) for effect in uses} - {""} for key in ("if_season", "if_race", "if_class")
    ]
    if all(len(names) <= 1 for names in conditions):
        yield Use(card, gain, season, *("".join(names) for names in conditions))


def find_loop(uses: Sequence[Use], seasons: Sequence[str]) -> Loop | None:
    """Return a loop that gains HP, the shortest there is; None if there is none."""
    heroes = {(use.if_race, use.if_class) for use in uses} | {("", "")}
    races = {race for race, _ in heroes}
    classes = {name for _, name in heroes}
    for length in range(1, len(seasons) + 1):
        for race in sorted(races):
            for hero_class in sorted(classes):
                open_to = [
                    use for use in uses if use.if_race in ("", race) and use.if_class in ("", hero_class)
                ]
                for season in seasons:
                    for walk in _walks(open_to, season, season, length):
                        gain = sum(use.gain for use in walk)
                        if gain > 0:
                            return Loop(season, walk, gain, race, hero_class)
    return None


def _walks(uses: Sequence[Use], here: str, home: str, length: int) -> Iterator[tuple[Use, ...]]:
    """Ways back to the first season in so many uses."""
    if length == 0:
        if here == home:
            yield ()
        return
    for use in uses:
        if use.if_season in ("", here):
            for rest in _walks(uses, use.season or here, home, length - 1):
                yield (use, *rest)
