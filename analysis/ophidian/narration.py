"""A whole match in words: moves, what is on the table, what a thing of the game is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from analysis.ophidian.wording import ability_words, deed_words
from engine.ophidian.reference import Fighter, Kind, Move, Phase, State, is_alive, is_over, points
from engine.ophidian.reference_moves import maintained
from engine.ophidian.reference_state import ACTION, is_raging, number, printed, rule_of
from engine.ophidian.rules import NUM_LEVELS, DeckRule, Rules, UnknownNameError

__all__ = ["discards", "explained", "happened", "move_words", "phase_words", "table_lines"]

_PLAIN = {
    Kind.PASS: "pass",
    Kind.TAKE: "nobody stands in",
    Kind.QUIET: "no roar",
    Kind.ROAR: "roar, for 1 cheer",
    Kind.DECLINE: "no response",
    Kind.STOP: "no more",
}
_PHASES = {
    Phase.ACT: "your action",
    Phase.STAND_IN: "you are attacked: does anybody stand in?",
    Phase.ROAR: "does the crowd roar?",
    Phase.RESPOND: "a response?",
    Phase.DISCARD: "which card do you discard?",
    Phase.UNDER: "which card goes under your deck?",
    Phase.MAINTAIN: "what do you pay for?",
    Phase.PROMOTE: "whom do you promote?",
    Phase.REINFORCE: "does a reinforcement enter?",
    Phase.PLACE: "who stands where?",
}


def name_of(state: State, side: int, index: int) -> str:
    """The name of a Character on the table."""
    return rule_of(state.rules, state.teams[side][index]).name


def phase_words(state: State) -> str:
    """What is to be decided."""
    return _PHASES.get(state.phase, "")


def move_words(state: State, move: Move) -> str:
    """A move of whoever decides, in words."""
    turn, rules = state.turn, state.rules
    if move.kind in _PLAIN:
        return _PLAIN[move.kind]
    if move.kind == Kind.ATTACK:
        return f"{name_of(state, turn, move.who)} attacks {name_of(state, 1 - turn, move.target)}"
    if move.kind in (Kind.ADVANCE, Kind.RETREAT, Kind.INTERCEPT, Kind.PROTECT):
        return f"{name_of(state, turn, move.who)} {move.kind.name.lower()}s"
    if move.kind in (Kind.PLAY, Kind.REPLY):
        card = rules.cards[move.card]
        deeds = "".join(f"; {deed_words(each)}" for each in card.abilities)
        price = f"cost {card.cost}, {_sign(card.sign)}"
        return f"play {card.name}{_on(state, move)}{_payer(state, move)} ({price}{deeds})"
    if move.kind in (Kind.ABILITY, Kind.REACT):
        abilities = rule_of(rules, state.teams[turn][move.who]).abilities
        reacts = move.kind == Kind.REACT
        deeds = "; ".join(deed_words(each) for each in abilities if each.responds == reacts)
        return f"{name_of(state, turn, move.who)} uses its ability{_on(state, move)} ({deeds})"
    if move.kind in (Kind.DISCARD, Kind.UNDER):
        what = "discard" if move.kind == Kind.DISCARD else "put under the deck:"
        return f"{what} {rules.cards[move.card].name}"
    if move.kind in (Kind.MAINTAIN, Kind.ABANDON):
        side, index, pump, cost = maintained(state, turn)[state.left]
        what = name_of(state, side, index)
        if pump >= 0:
            card = rules.cards[state.teams[side][index].pumps[pump][1]]
            what = f"{card.name} on {what}"
        return f"pay {cost} for {what}" if move.kind == Kind.MAINTAIN else f"let {what} go"
    if move.kind == Kind.REINFORCE:
        return f"{rules.gladiators[move.card].name} enters"
    if move.kind == Kind.PROMOTE:
        return "promote " + (" and ".join(name_of(state, turn, each) for each in move.many) or "nobody")
    return _placed(state, move)


def _placed(state: State, move: Move) -> str:
    own = state.teams[state.turn]
    front = [
        name_of(state, state.turn, index)
        for index, each in enumerate(own)
        if is_alive(state.rules, each) and move.many[index] == ACTION
    ]
    return f"in the action field: {', '.join(front) or 'nobody'}"


def _on(state: State, move: Move) -> str:
    return f" on {name_of(state, move.side, move.target)}" if move.side >= 0 else ""


def _payer(state: State, move: Move) -> str:
    return f", wounding {name_of(state, state.turn, move.who)}" if move.who >= 0 else ""


def _sign(sign: str) -> str:
    return {"+": "positive", "-": "negative"}.get(sign, sign)


def _fighter(state: State, side: int, fighter: Fighter) -> str:
    rules = state.rules
    name = rule_of(rules, fighter).name
    if not is_alive(rules, fighter):
        return f"{name} (destroyed)"
    numbers = "/".join(str(number(state, side, fighter, stat)) for stat in ("attack", "defence", "shield"))
    life = number(state, side, fighter, "life")
    words = [f"{fighter.wounds} of {life} wounds", numbers]
    if fighter.is_gladiator:
        words.insert(0, f"level {fighter.level + 1}")
    words += [word for word, true in (("set", fighter.is_set), ("raging", is_raging(rules, fighter))) if true]
    words += [rules.cards[card].name for _, card in fighter.pumps]
    return f"{name} ({', '.join(words)})"


def table_lines(state: State, seat: int, decks: Sequence[DeckRule]) -> Iterator[str]:
    """What a player sees of the table: the other side, the own one, the own hand; `decks` by seat."""
    yield f"Wave {max(state.wave, 1)}. Attack/defence/shield after the wounds."
    yield _momentum(state, seat)
    for side in (1 - seat, seat):
        holding = state.holdings[side]
        who, whose = ("You", "your") if side == seat else ("They", "their")
        yield (
            f"{who}: {points(state, side)} points, cheer {state.cheer[side]}, resources {holding.resources},"
            f" {len(holding.hand)} cards in hand, {sum(holding.deck) + len(holding.bottom)} in the deck"
        )
        for word, place in (("action", ACTION), ("support", 1 - ACTION)):
            there = [each for each in state.teams[side] if each.field == place]
            if there:
                yield f"  {whose} {word} field: {'; '.join(_fighter(state, side, each) for each in there)}"
        yield f"  {whose} discards: {_names(state, discards(state, side, decks[side])) or 'nothing'}"
    hand = ", ".join(state.rules.cards[card].name for card in state.holdings[seat].hand)
    yield f"Your hand: {hand or 'empty'}"
    if state.action is not None and not is_over(state):
        yield f"Announced: {_announced(state)}"


def _momentum(state: State, seat: int) -> str:
    """Who has momentum, and how many passes in a row there were."""
    if state.momentum not in (0, 1):
        return "Momentum: nobody's yet"
    whose = "yours" if state.momentum == seat else "theirs"
    return f"Momentum: {whose}; {state.passes} pass{'' if state.passes == 1 else 'es'} in a row"


def discards(state: State, side: int, deck: DeckRule) -> Counter[int]:
    """The cards of a player's discard pile, with copies: what is neither held, nor left, nor in play."""
    rules, holding = state.rules, state.holdings[side]
    left = Counter({rules.card_numbers[card]: copies for card, copies in deck.cards})
    left.subtract(holding.hand)
    left.subtract(holding.bottom)
    left.subtract({card: copies for card, copies in enumerate(holding.deck) if copies})
    for each in (fighter for team in state.teams for fighter in team):
        left.subtract(card for owner, card in each.pumps if owner == side)
    left.subtract(each.card for each in state.teams[side] if not each.is_gladiator and is_alive(rules, each))
    return +left


def _names(state: State, cards: Counter[int]) -> str:
    named = {state.rules.cards[card].name: copies for card, copies in sorted(cards.items())}
    return ", ".join(name if copies == 1 else f"{name} ({copies})" for name, copies in named.items())


def happened(before: State, after: State, seat: int) -> Iterator[str]:
    """What a step has done to those on the table, in sentences, as both players see it."""
    for side, (old, new) in enumerate(zip(before.teams, after.teams, strict=True)):
        for was, now in zip(old, new, strict=False):
            if (was.gladiator, was.card) != (now.gladiator, now.card):
                break
            name, taken = rule_of(after.rules, now).name, now.wounds - was.wounds
            whose = "Your" if side == seat else "Their"
            if is_alive(before.rules, was) and not is_alive(after.rules, now):
                yield f"{whose} {name} is destroyed."
            elif taken:
                verb = "takes" if taken > 0 else "loses"
                many = f"{abs(taken)} wound{'' if abs(taken) == 1 else 's'}"
                yield f"{whose} {name} {verb} {many}: {now.wounds} by now."
        gained = after.cheer[side] - before.cheer[side]
        if gained:
            verb = ("get" if gained > 0 else "lose") + ("" if side == seat else "s")
            yield f"{'You' if side == seat else 'The other side'} {verb} {abs(gained)} cheer."


def _announced(state: State) -> str:
    action = state.action
    assert action is not None
    move = Move(action.kind, action.who, action.target, (), action.card, action.side)
    words = move_words(_as_announcer(state, action.player), move)
    if action.kind == Kind.ATTACK and action.by != Kind.TAKE:
        words += f"; {name_of(state, 1 - action.player, action.hit)} stands in"
    return words


def _as_announcer(state: State, player: int) -> State:
    return replace(state, turn=player)


def explained(rules: Rules, name: str) -> str | None:
    """What a gladiator or a card is; None if nothing is called so."""
    try:
        card = rules.cards[rules.card(name)]
    except UnknownNameError:
        pass
    else:
        words = [f"{card.name}: {card.type}, cost {card.cost}, {_sign(card.sign)}"]
        if card.requires:
            words.append("needs " + ", ".join(f"{what} {level}" for what, level in card.requires))
        if card.type != "quick-hit":
            words.append("cannot be maintained" if card.maintain < 0 else f"maintain {card.maintain}")
        if card.type == "minion":
            words.append(_body(rules, Fighter(-1, card=rules.card_numbers[card.id])))
        return "; ".join([*words, *map(ability_words, card.abilities)]) + "."
    try:
        rule = rules.gladiators[rules.gladiator(name)]
    except UnknownNameError:
        return None
    levels = [_body(rules, Fighter(rules.gladiator(rule.id), level)) for level in range(NUM_LEVELS)]
    text = f"{rule.name}: {rule.points} points, {', '.join(rule.disciplines)}; by level {' | '.join(levels)}"
    return "; ".join([text, *map(ability_words, rule.abilities)]) + "."


def _body(rules: Rules, fighter: Fighter) -> str:
    stats = ("life", "rage", "attack", "defence", "shield")
    return ", ".join(f"{stat} {printed(rules, fighter, stat)}" for stat in stats)
