"""How an answer about the full game looks."""

from __future__ import annotations

from analysis.estimates import CONFIDENCE, Estimate, number, percent, signed
from analysis.raverun.approximate_answers import ApproximateReport, Groups, HandReport, TrainingReport
from cli.grid import Section

_Rows = list[tuple[str, str, Estimate]]


def _numbers(report: ApproximateReport) -> _Rows:
    """All estimates: what, of which, how much."""
    rows: _Rows = [("match", match.opponent, match.payoff) for match in report.matches]
    if report.bound is not None:
        rows += [("response", str(seat), value) for seat, value in enumerate(report.bound.responses)]
    if report.hand is not None:
        rows.append(("hand", "payoff", report.hand.payoff))
        for each in report.hand.cards:
            rows += [("hand_worth", each.card, each.worth), ("hand_behind", each.card, each.behind)]
    for prefix, cards in (
        ("first_card", report.first_cards),
        *((f"round_{a_round.round}", a_round.cards) for a_round in report.rounds),
    ):
        for card in cards:
            rows += [
                (f"{prefix}_{name}", card.card, getattr(card, name))
                for name in ("chosen", "worth", "advantage", "holding")
            ]
    for prefix, groups in (("first_card", report.bid_groups), ("played", report.play_groups)):
        for kind, members in (("character", groups.characters), ("letter", groups.letters)):
            for group in members:
                rows += [
                    (f"{prefix}_{kind}_advantage", group.name, group.advantage),
                    (f"{prefix}_{kind}_holding", group.name, group.holding),
                ]
    for action in report.actions:
        rows += [
            (f"action_{name}", action.character, getattr(action, name))
            for name in ("offered", "used", "gain", "worth")
        ]
    for part in report.strengths:
        rows.append(("strength_wins", f"{part.least}-{part.most}", part.wins))
    for section, struct in (
        ("order", report.order),
        ("advantage", report.advantage),
        ("length", report.length),
    ):
        for name in struct.__struct_fields__:
            value = getattr(struct, name)
            if isinstance(value, Estimate):
                rows.append((section, name, value))
    return rows


def csv_rows(report: ApproximateReport) -> list[dict[str, object]]:
    """Return all estimates, a line each."""
    least = None if report.bound is None else report.bound.lower_bound
    return [
        {
            "rules_sha256": report.rules.sha256,
            "label": report.label,
            "nash_conv_at_least": least,
            "what": what,
            "of": which,
            "mean": value.mean,
            "low": value.low,
            "high": value.high,
            "n": value.observations,
        }
        for what, which, value in _numbers(report)
    ]


def training_words(training: TrainingReport) -> str:
    """Return how strategies were found."""
    if training.num_hidden is not None:
        where = {"shipped": "come with the package", "trained": "learned for this answer"}
        took = f" in {training.seconds:.0f} s" if training.seconds else ""
        return (
            f"{training.method}; {training.num_hidden} hidden units, {training.iterations} plays{took}, seed"
            f" {training.seed}; {where.get(training.source, training.source)}"
            + ("" if training.stopped == "limit" else ", unfinished")
        )
    return (
        f"{training.iterations} iterations in {training.seconds:.0f} s, {training.method}, abstraction"
        f" {training.abstraction!r}, {training.infosets} infosets"
        + (f" (table full: {training.lost} visits found no room)" if training.lost else "")
        + f", seed {training.seed}"
        + (", interrupted" if training.stopped == "interrupted" else "")
    )


def _facts(report: ApproximateReport) -> list[tuple[str, str]]:
    facts = [
        ("answer", report.label),
        (
            "training",
            training_words(report.training),
        ),
    ]
    if report.bound is not None:
        bound = report.bound
        seats = ", ".join(map(signed, bound.responses))
        facts.append(
            (
                "bound",
                f"responses ({', '.join(dict.fromkeys(bound.kinds))}, {bound.iterations} iterations) win"
                f" {bound.nash_conv:.3f} of 2 ({seats} by seat): NashConv is at least"
                f" {bound.lower_bound:.3f} ({report.confidence:.0%} one-sided), exploitability at least"
                f" {bound.lower_bound / report.players:.3f}",
            )
        )
        curve = ", ".join(
            f"{each.iterations} iterations {each.nash_conv:.2f} (at least {each.lower_bound:.2f})"
            for each in report.bounds
        )
        if len(report.bounds) > 1:
            facts.append(("", f"with more effort they win more: {curve}"))
    elif report.players == 2:
        facts.append(("bound", "not measured here (raverun train measures it): exploitability is unknown"))
    for match in report.matches:
        facts.append(
            (
                "against",
                f"{match.opponent}: {signed(match.payoff)} a game"
                f" ({match.wins} won, {match.draws} drawn, {match.losses} lost)",
            )
        )
    order, advantage, length = report.order, report.advantage, report.length
    facts += [
        (
            "order",
            f"deciding it brings {signed(order.right_a_game)} a game over drawing lots,"
            f" {signed(order.right)} a decision, {signed(order.right_in_round_1)} in round 1; who decides"
            f" plays first in {percent(order.plays_first)} %",
        ),
        (
            "",
            f"playing first brings {signed(order.first)}; always first when deciding:"
            f" {signed(order.always_first)} a game, never: {signed(order.never_first)}",
        ),
        (
            "bidding",
            f"the highest first card has {signed(advantage.highest_bid)},"
            f" wins {percent(advantage.highest_bid_wins)} %",
        ),
        (
            "first",
            f"who plays first in round 1 has {signed(advantage.first_mover)},"
            f" wins {percent(advantage.first_mover_wins)} %; {percent(advantage.draws)} % draws",
        ),
        (
            "length",
            f"{number(length.rounds)} rounds (at most {length.most_rounds}),"
            f" {number(length.decisions)} decisions",
        ),
    ]
    return facts


def tables(report: ApproximateReport, num_rounds: int = 4) -> list[Section]:
    """Return the tables; of the rounds, the first `num_rounds`."""
    shown = report.rounds[:num_rounds]
    made = [] if report.hand is None else [_hand(report.hand)]
    return [
        *made,
        Section(
            "first cards",
            ["card", "chosen %", "worth", "over the hand's rest", "holding it"],
            [
                [card.card, percent(card.chosen), *map(signed, (card.worth, card.advantage, card.holding))]
                for card in report.first_cards
            ],
            level=3,
        ),
        _groups("first cards", report.bid_groups),
        _groups("cards played", report.play_groups),
        Section(
            "over the hand's rest in round",
            ["card", *(str(a_round.round) for a_round in shown)],
            [
                [card.card, *(signed(a_round.cards[index].advantage) for a_round in shown)]
                for index, card in enumerate(report.first_cards)
            ],
            level=3,
        ),
        Section(
            "actions",
            ["", "action", "offered a game", "used %", "gain an offer", "worth a game"],
            [
                [
                    action.character,
                    action.action,
                    number(action.offered),
                    percent(action.used),
                    signed(action.gain),
                    signed(action.worth),
                ]
                for action in report.actions
            ],
            left=2,
            level=3,
        ),
        Section(
            "hands by sum of ranks (1A is 1)",
            ["sum", "wins %", "payoff"],
            [[f"{p.least}-{p.most}", percent(p.wins), signed(p.payoff)] for p in report.strengths],
            level=3,
        ),
    ]


def _hand(hand: HandReport) -> Section:
    rows = [
        [
            card.card,
            f"{100 * card.mix:.1f}",
            signed(card.worth),
            signed(card.behind) if card.behind.high else "-",
        ]
        for card in hand.cards
    ]
    untrained = "" if hand.trained else " (never trained: even mix)"
    head = ["first card", "mix %", "then worth", "behind the best"]
    return Section(f"this hand: {signed(hand.payoff)}{untrained}", head, rows, level=3)


def _groups(title: str, groups: Groups) -> Section:
    rows = [
        [group.name, signed(group.advantage), signed(group.holding)]
        for group in (*groups.characters, *groups.letters)
    ]
    head = ["cards", "over the hand's rest", "holding it"]
    return Section(f"{title} by character and by letter", head, rows, level=3)


NOTE = (
    "Payoffs a game: win 1, draw 0, loss -1 (three players: -1/2 each). ±: 95 % confidence interval. Worth:"
    " what the game pays after the move, all playing on as they do. Over the hand's rest: how much more than"
    " with another card of the same hand. Holding it: how much more hands with it bring. Gain: over passing,"
    " an offer; worth of an action: what a player loses a game who never uses it. All of it holds for these"
    " players against each other, and better ones may play otherwise."
)
assert CONFIDENCE == 0.95


def sections(report: ApproximateReport) -> list[Section]:
    """Return facts and tables."""
    return [Section(report.rules.name, facts=_facts(report)), *tables(report)]


def notes(_report: ApproximateReport) -> list[str]:
    """Return what the numbers mean."""
    return [NOTE]
