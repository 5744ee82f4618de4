"""What cards, races, classes and seasons do, in sentences. Imports nothing heavy."""

from __future__ import annotations

from collections.abc import Sequence

from engine.warage.effects import Effect
from engine.warage.rules import CardRule, ClassRule, RaceRule, Rules, SeasonRule
from engine.warage.rules_schema import one_of

_STATS = {"A": "attack", "D": "defence", "M": "magic"}
_WHEN = {
    "opening": "in each opening",
    "closing": "in each closing phase",
    "hit": "when an attack of its owner hits",
    "hurt": "when its owner is hurt",
    "season-change": "when the season changes",
}
_WHILE = {
    "this-round": " this round",
    "until-opening": " until the next opening",
}
_WHOSE = {"opponent": " for the opponent", "chosen-hero": " for a hero of your choice"}
_LOSERS = {"self": "you lose", "opponent": "the opponent loses", "chosen-hero": "a hero of your choice loses"}
_DISCARDERS = {
    "self": "you discard",
    "opponent": "the opponent discards",
    "chosen-hero": "a hero of your choice discards",
}
_PLACES = {"helmet": "a helmet", "armour": "an armour", "hand": "one-handed", "two-hands": "two-handed"}
_LAWS = {
    "no-race-modifiers": "seasons add nothing to races, and take nothing away",
    "no-sale-value": "sales pay nothing",
}


def _number(count: int, thing: str) -> str:
    return f"{count} {thing}" if count == 1 else f"{count} {thing}s"


def _either(kinds: Sequence[str], usual: str) -> str:
    """What may be chosen: one of these kinds."""
    return " or ".join(map(one_of, kinds)) or usual


def _conditions(effect: Effect) -> list[str]:
    told = [f"in {effect.if_season}"] if effect.if_season else []
    told += [f"for {effect.if_race}s"] if effect.if_race else []
    told += [f"for {effect.if_class}s"] if effect.if_class else []
    return told + ([f"with {effect.if_hp} HP or less"] if effect.if_hp else [])


def _modified(effect: Effect) -> str:
    dice = "die" if abs(effect.amount) == 1 else "dice"
    what = f"{effect.amount:+d} {_STATS.get(effect.stat, dice)}"
    if effect.target == "this-attack" and effect.trigger != "attack":
        return f"{what} {'against' if effect.stat == 'D' else 'for'} this attack"
    return f"{what}{_WHOSE.get(effect.target, '')}{_WHILE.get(effect.duration, '')}"


def _done(effect: Effect) -> str:
    """What an effect does, without when and if."""
    amount = effect.amount
    texts = {
        "gain": f"gain {amount} HP",
        "lose": f"{_LOSERS.get(effect.target, 'you lose')} {amount} HP",
        "drain": f"{_LOSERS.get(effect.target, 'you lose')} {amount} HP, and you gain what was lost",
        "draw": f"draw {_number(amount, 'card')}",
        "discard": f"{_DISCARDERS.get(effect.target, 'you discard')} {_number(amount, 'card')}",
        "destroy": f"destroy {_either(effect.kinds, 'a card in play')}",
        "negate": f"negate {_either(effect.kinds, 'what lies on the queue')}",
        "prevent": f"prevent {amount} HP of the damage of this attack",
        "season": "the next season card comes" if effect.season == "next" else f"it becomes {effect.season}",
        "deactivate": f"make {_either(effect.kinds, 'a card in play')} inactive",
        "reroll": f"roll {_number(amount, 'die') if amount == 1 else f'{amount} dice'} of this attack again",
        "extra-amulet": f"{_number(amount, 'amulet')} more a round",
    }
    return _modified(effect) if effect.action == "modify" else texts[effect.action]


def effect_text(effect: Effect) -> str:
    """Return one effect in words, such as ``in spring, once a turn: +3 magic for this attack``."""
    when = _conditions(effect)
    if effect.trigger == "use":
        when.append("once a turn" if effect.limit else "any number of times")
        when += [f"for {effect.cost_hp} HP"] if effect.cost_hp else []
    elif effect.trigger == "attack":
        when.append("a magic attack")
    elif effect.trigger in _WHEN:
        when.append(_WHEN[effect.trigger])
    return f"{', '.join(when)}: {_done(effect)}" if when else _done(effect)


def effects_text(effects: Sequence[Effect]) -> str:
    """Return effects in words; a dash for none."""
    return "; ".join(map(effect_text, effects)) or "-"


def value_words(rules: Rules) -> dict[str, str]:
    """Return what effects do, by the dotted keys of races, seasons and cards."""
    kinds = (("races", rules.races), ("seasons", rules.seasons), ("cards", rules.cards))
    return {
        f"{kind}.{each.id}.effects": effects_text(each.effects) for kind, entries in kinds for each in entries
    }


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."


def card_text(card: CardRule) -> str:
    """Return what a card is and does."""
    parts = [f"{card.name}: {one_of(card.kind)}"]
    parts += [_PLACES[card.encumbrance]] if card.encumbrance != "none" else []
    parts += [f"costs {card.cost} HP"]
    parts += [f"sells for {card.sell}"] if card.sell else []
    parts += [f"takes {_number(card.red, 'red slot')}"] if card.red else []
    parts += [f"takes {_number(card.blue, 'blue slot')}"] if card.blue else []
    parts += [f"defence {card.helper_defence}"] if card.kind == "helper" else []
    done = effects_text(card.effects)
    return f"{', '.join(parts)}. {'It does nothing.' if done == '-' else _sentence(done)}"


def race_text(rules: Rules, race: RaceRule) -> str:
    """Return what a race begins with, what seasons do to it, and its ability."""
    unit = "one die" if rules.match.season_unit == "die" else "one point"
    seasons = [
        f"{unit} {change} for attack, defence and magic in {season}"
        for season, change in ((race.plus, "more"), (race.minus, "less"))
        if season != "none"
    ]
    able = f" In its own round: {effects_text(race.effects)}." if race.effects else ""
    return f"{race.name}: {', '.join([f'{race.hp} HP', *seasons])}.{able}"


def class_text(each: ClassRule) -> str:
    """Return the values and slots of a class."""
    return (
        f"{each.name}: attack {each.attack}, defence {each.defence}, magic {each.magic};"
        f" {_number(each.red, 'red slot')} for equipment and amulets, {each.blue} blue for spells."
    )


def season_text(rules: Rules, season: SeasonRule) -> str:
    """Return what a season card does: to races, or to all while it lies over a season."""
    if season.base:
        more = ", ".join(race.name for race in rules.races if race.plus == season.id) or "nobody"
        less = ", ".join(race.name for race in rules.races if race.minus == season.id) or "nobody"
        unit = "die" if rules.match.season_unit == "die" else "point"
        return f"{season.name}: one {unit} more for {more}, one less for {less}."
    told = [_LAWS[season.law]] if season.law in _LAWS else []
    told += [effects_text(season.effects)] if season.effects else []
    return f"{season.name} lies over a season: {'; '.join(told) or 'it does nothing'}."


def explained(rules: Rules, name: str) -> str | None:
    """Return what a card, a race, a class or a season does; None if nothing is called so."""
    wanted = " ".join(name.replace("-", " ").casefold().split())

    def called(entry: CardRule | RaceRule | ClassRule | SeasonRule) -> bool:
        return wanted in (entry.id.replace("-", " "), entry.name.replace("-", " ").casefold())

    texts = [card_text(card) for card in rules.cards if called(card)]
    texts += [race_text(rules, race) for race in rules.races if called(race)]
    texts += [class_text(each) for each in rules.classes if called(each)]
    texts += [season_text(rules, season) for season in rules.seasons if called(season)]
    return " ".join(texts) or None
