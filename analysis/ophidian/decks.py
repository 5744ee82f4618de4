"""Teams and decks: what is legal, what is missing, and which cards can be played when (T1-T3, P2)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

from analysis.errors import RequestError
from analysis.front.verbs.check import Finding
from analysis.ophidian.setup import ANY, Checks
from engine.ophidian.rules import CardRule, GladiatorRule, Rules, UnknownNameError
from engine.ophidian.rules_checks import points_problem, wrong_deck
from engine.ophidian.rules_schema import DISCIPLINES

__all__ = ["findings"]

_TYPES = ("minion", "pump", "quick-hit")


def findings(rules: Rules, asked: Checks) -> list[Finding]:
    """Say whether a deck may be played, and which teams may.

    Raises
    ------
    RequestError
        For names there are not.
    """
    found = []
    if asked.deck is not None or asked.team is not None or asked.cards is not None:
        found.append(_deck(rules, asked))
    return found if asked.teams is None else [*found, *_teams(rules, asked.teams)]


def _teams(rules: Rules, names: str) -> list[Finding]:
    """All teams that may play, or those with some gladiators; and how many have each."""
    texts = [] if names == ANY else [name.strip() for name in names.split(",") if name.strip()]
    chosen = [rules.gladiators[number] for number in _asked(rules, texts, "--teams")]
    found: list[dict[str, Any]] = []
    others = [rule for rule in rules.gladiators if not rule.reinforcement and rule not in chosen]
    for size in range(max(1, len(chosen)), rules.match.team_size + 1):
        for more in combinations(others, size - len(chosen)):
            team = [*chosen, *more]
            points, wrong = _points(rules, team)
            if not wrong:
                gladiators = ", ".join(rule.name for rule in team)
                over = points - rules.match.team_points
                found.append(
                    {
                        "gladiators": gladiators,
                        "points": points,
                        "discount": over,
                        "disciplines": _disciplines(team),
                    }
                )
    found.sort(key=lambda team: team["discount"])
    plain = sum(not team["discount"] for team in found)
    facts: dict[str, Any] = {"teams": len(found), "without a discount": plain}
    whom = f" with {', '.join(rule.name for rule in chosen)}" if chosen else ""
    if not found:
        why = _no_team(rules, chosen)
        return [Finding(f"No team{whom} may play{why and f': {why}'} (T1, T2).", ok=False, facts=facts)]
    about = f"{len(found):,} teams{whom} may play, {plain} of them without a discount."
    met = [name for team in found for name in team["gladiators"].split(", ")]
    often: list[dict[str, Any]] = [
        {"gladiator": name, "teams": met.count(name)}
        for name in sorted(dict.fromkeys(met), key=lambda name: -met.count(name))
    ]
    return [
        Finding("One team" + whom + " may play." if len(found) == 1 else about, facts=facts, rows=found),
        Finding("How many of these teams have the gladiator", rows=often),
    ]


def _points(rules: Rules, team: Sequence[GladiatorRule]) -> tuple[int, str]:
    """The points of a team, and why it may not play with them, if that is so."""
    points, discount = sum(rule.points for rule in team), max(rule.discount for rule in team)
    return points, points_problem(points, rules.match.team_points, discount)


def _no_team(rules: Rules, chosen: Sequence[GladiatorRule]) -> str:
    if not chosen:
        return ""
    points, problem = _points(rules, chosen)
    left = rules.match.team_size - len(chosen)
    if points < rules.match.team_points and left:
        more = f"{left} more gladiator{'s' if left > 1 else ''}"
        return f"{points} points, and no {more} make it {rules.match.team_points}"
    return problem


def _deck(rules: Rules, asked: Checks) -> Finding:
    """Whether a deck of the rules, or a team with cards, may be played, and what is odd about it."""
    gladiators = None if asked.team is None else _team(rules, asked.team)
    texts = None if asked.cards is None else _cards(rules, asked.cards)
    name = "These cards"
    if asked.deck is not None and gladiators is None and texts is None:
        rule = rules.deck(asked.deck)
        name, gladiators = f"The deck {rule.name}", list(rules.team(rule.team).gladiators)
        texts = [f"{card} {copies}" for card, copies in rule.cards]
    elif asked.deck is not None or gladiators is None or texts is None:
        said = "--deck" if asked.deck is not None else "--cards" if gladiators is None else "--team"
        raise RequestError("name a deck of the rules, or give --team and --cards", said)
    team = [rules.gladiators[rules.gladiator(each)] for each in gladiators]
    most = {card.id: card.deck_max for card in rules.cards}
    problems = [
        f"{reason} (T3: {allowed})" for reason, allowed in wrong_deck(texts, most, rules.match.fewest_cards)
    ]
    _, wrong_points = _points(rules, team)
    problems += [f"the team has {wrong_points} (T1, T2)"] if wrong_points else []
    rows = [_row(rules, team, *text.rsplit(" ", 1)) for text in texts]
    odd = []
    for row in rows:
        if row["level"] is None:
            odd.append(f"{row['card']}: nobody of the team has the discipline (P2)")
        elif row["from wave"] > rules.match.waves:
            within = f"within {rules.match.waves} waves"
            odd.append(f"{row['card']}: nobody reaches level {row['level']} {within}")
    size = sum(row["copies"] for row in rows)
    facts: dict[str, Any] = {"team": ", ".join(rule.name for rule in team), "cards": size}
    facts |= {kind: sum(row["copies"] for row in rows if row["type"] == kind) for kind in _TYPES}
    facts["cost, mean"] = sum(row["copies"] * row["cost"] for row in rows) / max(size, 1)
    facts["cards not playable in wave 1"] = sum(row["copies"] for row in rows if row["from wave"] != 1)
    verdict = "may not be played" if problems else "may be played"
    return Finding(f"{name} {verdict}.", ok=not problems, lines=[*problems, *odd], facts=facts, rows=rows)


def _asked(rules: Rules, names: Sequence[str], option: str) -> list[int]:
    try:
        numbers = [rules.gladiator(name) for name in names]
    except UnknownNameError as error:
        raise RequestError(str(error), option) from None
    for number in numbers:
        rule = rules.gladiators[number]
        if numbers.count(number) > 1:
            raise RequestError(f"{rule.name} is there twice; gladiators of a team are different (T1)", option)
        if rule.reinforcement:
            raise RequestError(f"{rule.name} is a reinforcement, which does not start (B4)", option)
    if len(numbers) > rules.match.team_size:
        raise RequestError(
            f"{len(numbers)} gladiators; a team has at most {rules.match.team_size} (T1)", option
        )
    return numbers


def _team(rules: Rules, text: str) -> list[str]:
    """A team of the rules by name, or gladiators between commas."""
    try:
        return list(rules.team(text).gladiators)
    except UnknownNameError:
        names = [part.strip() for part in text.split(",") if part.strip()]
        return [rules.gladiators[number].id for number in _asked(rules, names, "--team")]


def _cards(rules: Rules, text: str) -> list[str]:
    """Cards with their copies, by their ids."""
    try:
        return [_card_text(rules, part.strip()) for part in text.split(",") if part.strip()]
    except UnknownNameError as error:
        raise RequestError(str(error), "--cards") from None


def _card_text(rules: Rules, text: str) -> str:
    """A card with its copies, by its id: `Mirror Ward 2` -> `mirror-ward 2`."""
    name, _, copies = text.rpartition(" ")
    if not copies.isdigit() or not name:
        name, copies = text, "1"
    return f"{rules.cards[rules.card(name)].id} {copies}"


def _disciplines(team: Sequence[GladiatorRule]) -> str:
    known = {each for rule in team for each in rule.disciplines}
    return " ".join(each for each in DISCIPLINES if each in known)


def _row(rules: Rules, team: Sequence[GladiatorRule], id_: str, copies: str) -> dict[str, Any]:
    """A card, and the lowest level at which, and first wave in which, a team can play it; None for never."""
    card = rules.cards[rules.card_numbers[id_]]
    level = _level(team, card)
    # A gladiator rises a level in each breather.
    wave = None if level is None else max(1, level)
    if wave is not None and not rules.match.promotions and wave > 1:
        wave = rules.match.waves + rules.match.extra_waves + 1
    row = {"card": card.name, "type": card.type, "copies": int(copies), "cost": card.cost}
    return row | {"sign": card.sign, "level": level, "from wave": wave}


def _level(team: Sequence[GladiatorRule], card: CardRule) -> int | None:
    known = {each for rule in team for each in rule.disciplines}
    if any(each != "universal" and not {each, "universal"} & known for each, _ in card.requires):
        return None
    return max((needed for _, needed in card.requires), default=0)
