"""Teams and decks: what is legal, what is missing, and which cards can be played when (T1-T3, P2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

from analysis.errors import RequestError
from analysis.front.question import Running
from analysis.ophidian.questions.deck import CardLine, CheckDeck, DeckAnswer
from analysis.ophidian.questions.teams import TeamEntry, Teams, TeamsAnswer
from analysis.ophidian.teams import parse_team
from engine.ophidian.rules import CardRule, GladiatorRule, Rules
from engine.ophidian.rules_checks import points_problem, wrong_deck
from engine.ophidian.rules_schema import DISCIPLINES

__all__ = ["check", "deck_report", "teams", "teams_report"]

_TYPES = ("minion", "pump", "quick-hit")


def teams(asked: Teams, running: Running) -> TeamsAnswer:
    """Count the teams that are asked about."""
    from analysis.ophidian.game import GAME

    return teams_report(GAME.rules_of(asked.rules), asked.gladiators)


def check(asked: CheckDeck, running: Running) -> DeckAnswer:
    """Check the deck that is asked about."""
    from analysis.ophidian.game import GAME

    return deck_report(GAME.rules_of(asked.rules), asked.name, team=asked.team, cards=asked.cards)


def teams_report(rules: Rules, names: Sequence[str] = ()) -> TeamsAnswer:
    """Return all teams that may play, or those with some gladiators.

    Raises
    ------
    RequestError
        For a gladiator named twice, and reinforcements.
    """
    asked = _asked(rules, names)
    starting = [rule for rule in rules.gladiators if not rule.reinforcement]
    chosen = [rules.gladiators[number] for number in asked]
    others = [rule for rule in starting if rule not in chosen]
    found = []
    for size in range(max(1, len(chosen)), rules.match.team_size + 1):
        for more in combinations(others, size - len(chosen)):
            team = [*chosen, *more]
            points, discount = sum(rule.points for rule in team), max(rule.discount for rule in team)
            if not points_problem(points, rules.match.team_points, discount):
                over = points - rules.match.team_points
                found.append(TeamEntry([rule.name for rule in team], points, over, _disciplines(team)))
    found.sort(key=lambda team: team.discount)
    problem = ""
    if not found and chosen:
        points, discount = sum(rule.points for rule in chosen), max(rule.discount for rule in chosen)
        problem = points_problem(points, rules.match.team_points, discount)
        left = rules.match.team_size - len(chosen)
        if points < rules.match.team_points and left:
            others_needed = f"{left} more gladiator{'s' if left > 1 else ''}"
            problem = f"{points} points, and no {others_needed} make it {rules.match.team_points}"
    return TeamsAnswer(
        asked=[rule.name for rule in chosen],
        problem=problem,
        without_discount=sum(not team.discount for team in found),
        teams=found,
    )


def deck_report(
    rules: Rules, deck: str | None = None, *, team: str | None = None, cards: Mapping[str, int] | None = None
) -> DeckAnswer:
    """Check a deck of the rules, or a team with cards.

    Raises
    ------
    RequestError
        If neither or both are named, and for a team that there cannot be.
    """
    fighters = () if team is None else parse_team(rules, team, "--team")
    whole = bool(fighters and cards)
    if (deck is None) != whole or (deck is not None and (fighters or cards)):
        raise RequestError("name a deck of the rules, or give --team and --cards")
    if deck is not None:
        rule = rules.deck(deck)
        name, counts = rule.name, dict(rule.cards)
        chosen = [rules.gladiators[rules.gladiator(each)] for each in rules.team(rule.team).gladiators]
    else:
        name, counts = "these cards", dict(cards or {})
        chosen = [rules.gladiators[each.gladiator] for each in fighters]
        _check_starting(chosen)
    texts = [f"{card} {copies}" for card, copies in counts.items()]
    most = {card.id: card.deck_max for card in rules.cards}
    problems = [
        f"{reason} (T3: {allowed})" for reason, allowed in wrong_deck(texts, most, rules.match.fewest_cards)
    ]
    points, discount = sum(rule.points for rule in chosen), max(rule.discount for rule in chosen)
    wrong_points = points_problem(points, rules.match.team_points, discount)
    if wrong_points:
        problems.append(f"the team has {wrong_points} (T1, T2)")
    lines, warnings = [], []
    for card_id, copies in counts.items():
        line = _line(rules, chosen, rules.cards[rules.card_numbers[card_id]], copies)
        lines.append(line)
        if line.level is None:
            warnings.append(f"{line.card}: nobody of the team has the discipline (P2)")
        elif line.wave is not None and line.wave > rules.match.waves:
            warnings.append(
                f"{line.card}: nobody reaches level {line.level} within {rules.match.waves} waves"
            )
    size = sum(line.copies for line in lines)
    return DeckAnswer(
        name=name,
        team=[rule.name for rule in chosen],
        legal=not problems,
        problems=problems,
        warnings=warnings,
        size=size,
        by_type={kind: sum(line.copies for line in lines if line.type == kind) for kind in _TYPES},
        mean_cost=sum(line.copies * line.cost for line in lines) / max(size, 1),
        cards=lines,
    )


def _asked(rules: Rules, names: Sequence[str]) -> list[int]:
    numbers = [rules.gladiator(name) for name in names]
    for number in numbers:
        if numbers.count(number) > 1:
            name = rules.gladiators[number].name
            raise RequestError(f"{name} is there twice; gladiators of a team are different (T1)")
    _check_starting([rules.gladiators[number] for number in numbers])
    if len(numbers) > rules.match.team_size:
        raise RequestError(f"{len(numbers)} gladiators; a team has at most {rules.match.team_size} (T1)")
    return numbers


def _check_starting(chosen: Sequence[GladiatorRule]) -> None:
    for rule in chosen:
        if rule.reinforcement:
            raise RequestError(f"{rule.name} is a reinforcement, which does not start (B4)")


def _disciplines(team: Sequence[GladiatorRule]) -> list[str]:
    known = {each for rule in team for each in rule.disciplines}
    return [each for each in DISCIPLINES if each in known]


def _line(rules: Rules, team: Sequence[GladiatorRule], card: CardRule, copies: int) -> CardLine:
    """A card, and when a team can play it: a gladiator rises a level in each breather."""
    level: int | None = 0
    for discipline, needed in card.requires:
        known = {each for rule in team for each in rule.disciplines}
        if discipline != "universal" and not {discipline, "universal"} & known:
            level = None
            break
        assert level is not None
        level = max(level, needed)
    wave = None if level is None else max(1, level)
    if wave is not None and not rules.match.promotions and wave > 1:
        wave = rules.match.waves + rules.match.extra_waves + 1
    return CardLine(card.name, card.type, copies, card.cost, card.sign, level, wave)
