"""How an answer about the full game looks."""

from __future__ import annotations

from collections.abc import Sequence

from analysis.amounts import counted
from analysis.estimates import Estimate
from analysis.front.page import (
    Cell,
    Column,
    Curve,
    Fact,
    Facts,
    Format,
    Page,
    Section,
    Table,
    data_of,
)
from analysis.front.verdicts import Figure, best
from analysis.raverun.approximate_answers import (
    ApproximateAnswer,
    BoundReport,
    Groups,
    MatchReport,
    TrainingReport,
)

NOTE = (
    "Payoffs a game: win 1, draw 0, loss -1 (three players: -1/2 each). In brackets: intervals of 95 %"
    " confidence. Worth: what the game pays after the move, all playing on as they do. Over the hand's rest:"
    " how much more than with another card of the same hand. Holding it: how much more hands with it bring."
    " Gain: over passing, an offer; worth of an action: what a player loses a game who never uses it. All of"
    " it holds for these players against each other, and better ones may play otherwise."
)


def page(found: ApproximateAnswer) -> Page:
    """Return who was asked, facts and tables; all rounds, and how often things happen, with the details."""
    matches = [matches_table(found.matches)]
    hand = [] if found.hand is None else [_hand(found)]
    sections: list[Section] = [*hand, *matches, *bound_sections(found.bounds), _order(found), _cards(found)]
    sections += [_groups("First cards", found.bid_groups), _groups("Cards played", found.play_groups)]
    sections += [_actions(found), _strengths(found)]
    details = len(sections)
    sections.append(_by_round(found, "advantage", "signed", "Over the hand's rest in each round"))
    sections.append(_by_round(found, "chosen", "share", "Chosen when held in each round"))
    sections.append(_reached(found))
    unmeasured = "How far from an equilibrium was not measured here; raverun train measures it."
    notes = [f"{found.label[:1].upper()}{found.label[1:]}.", training_words(found.training)]
    notes += [unmeasured] if found.bound is None and found.players == 2 else []
    return Page(
        headline=_headline(found),
        sections=sections,
        notes=[*notes, NOTE],
        method=[f"How often things happen rests on {counted(found.games, 'game')}."],
        details=details,
        data=data_of(_data(found)),
    )


def _headline(found: ApproximateAnswer) -> str:
    nothing = f"These {found.games:,} games do not tell which first card is best."
    if found.hand is not None:
        worths = {each.card: each.worth for each in found.hand.cards}
        leader, verb = found.hand.best, "is the best first card of this hand"
    else:
        worths = {each.card: each.advantage for each in found.first_cards if each.advantage.mean is not None}
        leader = best([Figure(*each) for each in worths.items()])
        verb = "gains most over the rest of its hand as a first card"
    if not found.complete:
        return "Stopped early: which first card is best is not told."
    return leader.said(verb, verb, nothing, worths, "signed") if leader.kind != "open" else nothing


def training_words(training: TrainingReport) -> str:
    """Return how the player learned."""
    where = {"shipped": "the values come with the package", "trained": "learned for this answer"}
    took = f" in {training.seconds:.0f} s" if training.seconds and training.source != "trained" else ""
    whole = "" if training.stopped == "limit" else ", unfinished"
    method = f"{training.method[:1].upper()}{training.method[1:]}"
    return (
        f"{method}; {training.num_hidden} hidden units, {counted(training.iterations, 'play')}{took}, seed"
        f" {training.seed}; {where.get(training.source, training.source)}{whole}."
    )


def matches_table(matches: Sequence[MatchReport]) -> Table:
    """Return what a player won from others, every deal once from every seat."""
    columns = [Column("opponent", "against"), Column("payoff", "payoff a game", "signed")]
    columns += [Column(key, key, "count") for key in ("won", "drawn", "lost")]
    rows: list[list[Cell]] = [
        [each.opponent, each.payoff, each.wins, each.draws, each.losses] for each in matches
    ]
    return Table(columns, rows, "The player against others")


def bound_sections(bounds: Sequence[BoundReport]) -> list[Section]:
    """Return what responses win: a lower bound of NashConv, and a curve where there are several."""
    if not bounds:
        return []
    columns = [Column("iterations", "iterations", "count"), Column("won", "won of 2", "number", 3)]
    columns += [Column("nash_conv", "NashConv at least", "number", 3)]
    columns += [Column("exploitability", "exploitability at least", "number", 3)]
    columns += [Column(f"seat_{seat}", f"in seat {seat}", "signed") for seat in (1, 2)]
    rows: list[list[Cell]] = [
        [each.iterations, each.nash_conv, each.lower_bound, each.lower_bound / 2, *each.responses]
        for each in bounds
    ]
    title = f"What responses by {' and '.join(dict.fromkeys(bounds[0].kinds))} win from it"
    sections: list[Section] = [Table(columns, rows, title)]
    if len(bounds) > 1:
        series: dict[str, list[float | None]] = {
            "won": [each.nash_conv for each in bounds],
            "NashConv at least": [each.lower_bound for each in bounds],
        }
        points: list[float | str] = [each.iterations for each in bounds]
        sections.append(
            Curve("More search wins more", "iterations of each search", "of 2", "number", points, series)
        )
    return sections


def _order(found: ApproximateAnswer) -> Facts:
    order, advantage, length = found.order, found.advantage, found.length
    lines: list[tuple[str, str, Estimate, Format]] = [
        ("right_a_game", "deciding the order, over lots all game", order.right_a_game, "signed"),
        ("right", "deciding the order, over a lot", order.right, "signed"),
        ("right_in_round_1", "the same in round 1", order.right_in_round_1, "signed"),
        ("plays_first", "who decides plays first", order.plays_first, "share"),
        ("first", "playing first rather than later", order.first, "signed"),
        ("always_first", "always first when deciding, a game", order.always_first, "signed"),
        ("never_first", "never first when deciding, a game", order.never_first, "signed"),
        ("highest_bid", "having the highest first card", advantage.highest_bid, "signed"),
        ("highest_bid_wins", "the highest first card wins", advantage.highest_bid_wins, "share"),
        ("first_mover", "playing first in round 1", advantage.first_mover, "signed"),
        ("first_mover_wins", "who plays first in round 1 wins", advantage.first_mover_wins, "share"),
        ("draws", "draws", advantage.draws, "share"),
        ("rounds", "rounds in a game", length.rounds, "number"),
        ("decisions", "decisions in a game", length.decisions, "number"),
    ]
    facts = [Fact("players", "players", found.players, "count")]
    facts += [Fact(key, head, value, kind) for key, head, value, kind in lines]
    facts.append(Fact("most_rounds", "most rounds of a game", length.most_rounds, "count"))
    return Facts(facts, "Order, bidding, first move and length")


def _hand(found: ApproximateAnswer) -> Table:
    assert found.hand is not None
    columns = [Column("card", "first card"), Column("mix", "chosen", "share")]
    columns += [Column("worth", "then worth", "signed"), Column("behind", "behind the best", "signed")]
    rows: list[list[Cell]] = [
        [each.card, each.mix, each.worth, each.behind if each.behind.high else None]
        for each in found.hand.cards
    ]
    worth = found.hand.payoff.mean or 0.0
    return Table(columns, rows, f"This hand: worth {worth:+.3f}")


def _cards(found: ApproximateAnswer) -> Table:
    columns = [Column("card", "card"), Column("chosen", "chosen", "share")]
    columns += [Column("worth", "worth", "signed"), Column("advantage", "over the hand's rest", "signed")]
    columns.append(Column("holding", "holding it", "signed"))
    rows: list[list[Cell]] = [
        [each.card, each.chosen, each.worth, each.advantage, each.holding] for each in found.first_cards
    ]
    return Table(columns, rows, "First cards")


def _groups(title: str, groups: Groups) -> Table:
    columns = [Column("cards", "cards"), Column("advantage", "over the hand's rest", "signed")]
    columns.append(Column("holding", "holding it", "signed"))
    rows: list[list[Cell]] = [
        [each.name, each.advantage, each.holding] for each in (*groups.characters, *groups.letters)
    ]
    return Table(columns, rows, f"{title} by character and by letter")


def _by_round(found: ApproximateAnswer, name: str, kind: Format, title: str) -> Table:
    columns = [Column("card", "card")]
    columns += [Column(f"round_{each.round}", f"round {each.round}", kind) for each in found.rounds]
    rows: list[list[Cell]] = [
        [card.card, *(getattr(each.cards[at], name) for each in found.rounds)]
        for at, card in enumerate(found.first_cards)
    ]
    return Table(columns, rows, title)


def _reached(found: ApproximateAnswer) -> Table:
    columns = [Column("round", "round", "count"), Column("reached", "games that have it", "share")]
    return Table(columns, [[each.round, each.reached] for each in found.rounds], "Rounds")


def _actions(found: ApproximateAnswer) -> Table:
    columns = [Column("character", "character"), Column("action", "action")]
    columns += [Column("offered", "offered a game", "number"), Column("used", "used", "share")]
    columns += [Column("gain", "gain an offer", "signed"), Column("worth", "worth a game", "signed")]
    rows: list[list[Cell]] = [
        [each.character, each.action, each.offered, each.used, each.gain, each.worth]
        for each in found.actions
    ]
    return Table(columns, rows, "Actions")


def _strengths(found: ApproximateAnswer) -> Table:
    columns = [Column("sum", "sum"), Column("wins", "wins", "share"), Column("payoff", "payoff", "signed")]
    rows: list[list[Cell]] = [
        [f"{each.least}-{each.most}", each.wins, each.payoff] for each in found.strengths
    ]
    return Table(columns, rows, "Hands by sum of ranks (1A is 1)")


def _data(found: ApproximateAnswer) -> list[dict[str, Cell]]:
    """All estimates, a row each: what, of which, how much."""
    assert found.rules is not None
    head: dict[str, Cell] = {
        "rules_sha256": found.rules.sha256,
        "label": found.label,
        "nash_conv_at_least": None if found.bound is None else found.bound.lower_bound,
    }
    return [
        head
        | {
            "what": what,
            "of": of,
            "mean": value.mean,
            "low": value.low,
            "high": value.high,
            "n": value.observations,
        }
        for what, of, value in _estimates(found)
    ]


def _estimates(found: ApproximateAnswer) -> list[tuple[str, str, Estimate]]:
    rows = [("match", match.opponent, match.payoff) for match in found.matches]
    if found.bound is not None:
        rows += [("response", str(seat), value) for seat, value in enumerate(found.bound.responses)]
    if found.hand is not None:
        rows.append(("hand", "payoff", found.hand.payoff))
        for each in found.hand.cards:
            rows += [("hand_worth", each.card, each.worth), ("hand_behind", each.card, each.behind)]
    by_round = [(f"round_{each.round}", each.cards) for each in found.rounds]
    for prefix, cards in (("first_card", found.first_cards), *by_round):
        for card in cards:
            for name in ("chosen", "worth", "advantage", "holding"):
                rows.append((f"{prefix}_{name}", card.card, getattr(card, name)))
    for prefix, groups in (("first_card", found.bid_groups), ("played", found.play_groups)):
        for kind, members in (("character", groups.characters), ("letter", groups.letters)):
            for group in members:
                rows.append((f"{prefix}_{kind}_advantage", group.name, group.advantage))
                rows.append((f"{prefix}_{kind}_holding", group.name, group.holding))
    for action in found.actions:
        for name in ("offered", "used", "gain", "worth"):
            rows.append((f"action_{name}", action.character, getattr(action, name)))
    for part in found.strengths:
        rows.append(("strength_wins", f"{part.least}-{part.most}", part.wins))
    for section, struct in (
        ("order", found.order),
        ("advantage", found.advantage),
        ("length", found.length),
    ):
        for name in struct.__struct_fields__:
            value = getattr(struct, name)
            if isinstance(value, Estimate):
                rows.append((section, name, value))
    return rows
