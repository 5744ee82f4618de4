"""Teams and decks: what is legal, what is missing, and which cards can be played when (T1-T3, P2)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from analysis.errors import RequestError
from analysis.front.question import Running
from analysis.ophidian.game import GAME
from analysis.ophidian.questions.deck import THESE, CardLine, DeckAnswer, DeckCheck
from analysis.ophidian.questions.teams import Team, Teams, TeamsAnswer
from engine.ophidian.rules import CardRule, GladiatorRule, Rules, UnknownNameError
from engine.ophidian.rules_checks import points_problem, wrong_deck
from engine.ophidian.rules_schema import DISCIPLINES

__all__ = ["check", "teams"]

_TYPES = ("minion", "pump", "quick-hit")


def teams(asked: Teams, running: Running) -> TeamsAnswer:
    """Return all teams that may play, or those with some gladiators.

    Raises
    ------
    RequestError
        For a gladiator named twice, and reinforcements.
    """
    rules = GAME.rules_of(asked.rules)
    named = _asked(rules, asked.gladiators, "GLADIATORS")
    starting = [rule for rule in rules.gladiators if not rule.reinforcement]
    chosen = [rules.gladiators[number] for number in named]
    others = [rule for rule in starting if rule not in chosen]
    found = []
    for size in range(max(1, len(chosen)), rules.match.team_size + 1):
        for more in combinations(others, size - len(chosen)):
            team = [*chosen, *more]
            points, discount = sum(rule.points for rule in team), max(rule.discount for rule in team)
            if not points_problem(points, rules.match.team_points, discount):
                over = points - rules.match.team_points
                found.append(Team([rule.name for rule in team], points, over, _disciplines(team)))
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


def check(asked: DeckCheck, running: Running) -> DeckAnswer:
    """Check a deck of the rules, or a team with cards: ``hex 3, veil 3``.

    Raises
    ------
    RequestError
        For names there are not.
    """
    rules = GAME.rules_of(asked.rules)
    gladiators = None if asked.team is None else _team(rules, asked.team)
    texts = None if asked.cards is None else _cards(rules, asked.cards)
    name = THESE
    if asked.deck is not None and gladiators is None and texts is None:
        rule = rules.deck(asked.deck)
        name, gladiators = rule.name, list(rules.team(rule.team).gladiators)
        texts = [f"{card} {copies}" for card, copies in rule.cards]
    elif asked.deck is not None or gladiators is None or texts is None:
        raise RequestError("name a deck of the rules, or give --team and --cards")
    chosen = [rules.gladiators[rules.gladiator(each)] for each in gladiators]
    most = {card.id: card.deck_max for card in rules.cards}
    problems = [
        f"{reason} (T3: {allowed})" for reason, allowed in wrong_deck(texts, most, rules.match.fewest_cards)
    ]
    points, discount = sum(rule.points for rule in chosen), max(rule.discount for rule in chosen)
    wrong_points = points_problem(points, rules.match.team_points, discount)
    if wrong_points:
        problems.append(f"the team has {wrong_points} (T1, T2)")
    lines, warnings = [], []
    for text in texts:
        card_id, copies = text.rsplit(" ", 1)
        line = _line(rules, chosen, rules.cards[rules.card_numbers[card_id]], int(copies))
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
