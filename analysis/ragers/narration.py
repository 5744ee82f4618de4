"""What is said at the table: rows, cheers cards, cards held, and why a finished day scored so."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from analysis.ragers.play.scoring import CardScore, DayScore, Rows
from analysis.ragers.wording.names import card, listed
from engine.ragers.reference import NOTHING, Phase, State, scores
from engine.ragers.reference_row import Outcome, Placed, Slot
from engine.ragers.rules import CHANCER, PLAYERS, TYPES, CheersRule, Rules

ROWS_HELP = (
    "Rows: (Basher) is turned face-down; Basher*2 is doubled, and safe from Cheaters; Chancer=Basher is a"
    " copy; Veteran/Basher is a stack; ? lies face-down beside a Deadeye."
)

_REASONS = {
    "negated": "turned face-down",
    "hidden": "face-down beside a Deadeye",
    "other attack": "not the attack that counts",
    "worth nothing": "worth nothing",
}


@dataclass(frozen=True)
class Side:
    """A player in sentences.

    Attributes
    ----------
    subject, possessive : ``you`` and ``your``.
    singular : whether a verb takes an s.
    """

    subject: str
    possessive: str
    singular: bool = False

    def verb(self, verb: str) -> str:
        """Return subject and verb."""
        return f"{self.subject} {verb}{'s' if self.singular else ''}"


YOU = Side("you", "your")
OPPONENT = Side("your opponent", "your opponent's", singular=True)
PLAYER_SIDES = tuple(Side(f"the {name.capitalize()}", f"the {name.capitalize()}'") for name in PLAYERS)


def sides_of(me: int) -> tuple[Side, Side]:
    """Return both players in sentences, the person at the table being `me`."""
    return (YOU, OPPONENT) if me == 0 else (OPPONENT, YOU)


def row_text(row: Sequence[Slot], *, is_own: bool) -> str:
    """Return a row; hidden cards of the other player stay hidden."""
    return " ".join("/".join(_card_text(each, is_own) for each in slot) for slot in row) or "–"


def _card_text(placed: Placed, is_own: bool) -> str:
    name = card(TYPES[placed.printed])
    if placed.hidden:
        return f"?{name}" if is_own else "?"
    if not placed.face_up:
        return f"({name})"
    if placed.printed == CHANCER:
        name += "=" + ("nothing" if placed.icon is None else card(TYPES[placed.icon]))
    return name + ("*2" if placed.marked else "")


def cheers_text(cheers: CheersRule) -> str:
    """Return a cheers card: its name, what it wants, and what it pays."""
    without = f" without {listed([card(each) for each in cheers.forbidden])}" if cheers.forbidden else ""
    return f"{cheers.name}: {' + '.join(card(each) for each in cheers.required)}{without} for {cheers.gp} GP"


_TASKS = {
    Phase.PREPARE: "Discard a card, or keep all of them.",
    Phase.PLACE: "Place a card.",
    Phase.VETERAN: "Place a card on your Veteran.",
    Phase.DEADEYE: "Hide a card beside your Deadeye.",
}


def task_text(state: State) -> str:
    """Return what is to be decided."""
    return _TASKS.get(state.phase, "")


def action_words(state: State, action: int) -> str:
    """Return an action as one of a list: a card, or what stands for none."""
    if action == NOTHING:
        return "keep all cards" if state.phase == Phase.PREPARE else "nothing"
    return f"discard {card(TYPES[action])}" if state.phase == Phase.PREPARE else card(TYPES[action])


def table_lines(state: State, me: int, *, match: bool) -> list[str]:
    """Return patron, cheers cards, rows and hand as a player sees them."""
    assert state.patron is not None
    rules, patron = state.rules, state.rules.patrons[state.patron]
    banned = f", no {listed([card(each) for each in patron.forbidden], 'or')}" if patron.forbidden else ""
    day = f"Day {state.day + 1} of {rules.match.days}"
    lines = [f"{day}, {patron.name}: rows of {rules.row_length(patron)}{banned}"]
    lines += [f"Cheers: {cheers_text(rules.cheers[index])}" for index in state.cheers_table]
    if match and state.day:
        own, opp = scores(state)[me], scores(state)[1 - me]
        lines.append(f"Match: you {own} GP, your opponent {opp}{_taken(state, me)}")
    lines += row_lines([(*own.row, own.slot) for own in state.players], me)
    for name, player in (("Your opponent's", 1 - me), ("Your", me)):
        if state.players[player].mark:
            lines.append(f"{name} next card is doubled, by the Stopper")
    lines.append(f"Cards: {_cards_seen(state, me)}")
    lines.append(f"Hand: {_hand(state, me, patron.forbidden) or 'empty'}")
    return lines


def row_lines(rows: Sequence[Sequence[Slot]], me: int) -> list[str]:
    """Return both rows as a player sees them."""
    return [
        f"{name + ':':10} {row_text([slot for slot in rows[player] if slot], is_own=player == me)}"
        for name, player in (("Opponent", 1 - me), ("You", me))
    ]


def final_row_lines(rows: Rows) -> list[str]:
    """Return the rows of a finished day, every hidden card shown."""
    return [
        f"{name.capitalize():11}{row_text(row, is_own=True)}" for name, row in zip(PLAYERS, rows, strict=True)
    ]


def _cards_seen(state: State, me: int) -> str:
    """What all see of both players' cards: held, to be drawn, discarded."""
    texts = []
    for name, player in (("opponent", 1 - me), ("you", me)):
        side = state.players[player]
        text = f"{name} {sum(side.hand)} in hand, {sum(side.deck)} to draw"
        if side.discard is not None:
            text += f", discarded {card(TYPES[side.discard])} today"
        texts.append(text)
    return "; ".join(texts)


def _taken(state: State, me: int) -> str:
    """Which cheers cards have been taken, by whom."""
    texts = []
    for name, player in (("you", me), ("your opponent", 1 - me)):
        taken = [state.rules.cheers[index].name for index in state.players[player].cheers]
        if taken:
            texts.append(f"; {name} took {listed(taken)}")
    return "".join(texts)


def _hand(state: State, me: int, forbidden: Sequence[str]) -> str:
    words = []
    for name, number in zip(TYPES, state.players[me].hand, strict=True):
        if number:
            text = card(name) if number == 1 else f"{number} {card(name)}s"
            words.append(f"{text} (forbidden)" if name in forbidden else text)
    return ", ".join(words)


def why(rules: Rules, score: DayScore, sides: Sequence[Side], first: int = 0) -> list[str]:
    """Return why a day scored so, in sentences.

    Parameters
    ----------
    sides : both players, by number.
    first : who is spoken of first.
    """
    lines = [_outcome(rules, score, sides, first)]
    if score.result.outcome == Outcome.TWO_LOSERS:
        return [*lines, "Nobody scores, and no cheers card is taken."]
    lines += [_cards(score, player, sides[player]) for player in (first, 1 - first)]
    for each in score.cheers:
        cheers = rules.cheers[each.number]
        named = f"{cheers.name}, {cheers.gp} GP"
        if all(each.met):
            lines.append(f"{named}: both meet it, so nobody scores it.")
        elif any(each.met):
            side = sides[each.met.index(True)]
            take = "takes" if side.singular else "take"
            lines.append(f"{named}: only {side.verb('meet')} it, and {take} it.")
        else:
            lines.append(f"{named}: nobody meets it.")
    return lines


def _outcome(rules: Rules, score: DayScore, sides: Sequence[Side], first: int) -> str:
    attacks = score.attacks
    if score.result.outcome == Outcome.TWO_LOSERS:
        return "Neither row shows an attack that counts: both lose the day."
    won = {Outcome.WIN_0: 0, Outcome.WIN_1: 1}.get(score.result.outcome)
    ending = "the day is a draw" if won is None else f"{sides[won].verb('win')} the day"
    if won is not None and attacks[1 - won] is None:
        return f"Only {sides[won].verb('show')} an attack that counts: {ending}."
    one, other = (card(TYPES[attack]) for attack in attacks if attack is not None)
    if one == other:
        return f"The last attack of both rows is the {one}: {ending}."
    if first == 1:
        one, other = other, one
    mine, yours = sides[first].possessive, sides[1 - first].possessive
    last = f"{mine[0].upper()}{mine[1:]} last attack is the {one}, {yours} the {other}."
    if won is None:
        return f"{last} Neither beats the other: {ending}."
    better, worse = (one, other) if won == first else (other, one)
    return f"{last} {better} beats {worse}: {ending}."


def _cards(score: DayScore, player: int, side: Side) -> str:
    result, cards = score.result, score.cards[player]
    subject = side.subject[0].upper() + side.subject[1:]
    scores = f"{subject} score{'s' if side.singular else ''}"
    if result.outcome == (Outcome.WIN_1 if player == 0 else Outcome.WIN_0):
        return f"{scores} nothing for cards, having lost the day."
    paid = [_paid(each, slot) for each, slot in zip(cards, _flat(score.rows[player]), strict=True) if each.gp]
    text = f"{scores} no GP for cards"
    if paid:
        text = f"{scores} {result.combat_gp[player]} GP for cards: {', '.join(paid)}"
    unpaid: dict[str, list[str]] = {}
    for each in cards:
        if each.reason is not None and each.reason != "hidden":
            unpaid.setdefault(_REASONS[each.reason], []).append(card(TYPES[each.printed]))
    for reason, names in unpaid.items():
        text += f"; {listed(names)} {reason}"
    return f"{text}."


def _paid(score: CardScore, placed: Placed) -> str:
    return f"{card(TYPES[score.printed])} {score.gp}{' (doubled)' if placed.marked else ''}"


def _flat(row: Sequence[Slot]) -> list[Placed]:
    return [each for slot in row for each in slot]
