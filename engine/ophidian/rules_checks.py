"""What is wrong between values of a rules file that are each allowed on their own."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from engine.ophidian.abilities import ability_of, filter_of
from engine.ophidian.abilities_checks import wrong_ability
from engine.ophidian.rules_schema import DISCIPLINES, LEVELS, MAX_CARDS, MAX_DECK, MAX_GLADIATORS, NUMBERS
from engine.rulefiles import MISSING, Problem, canonical_id, unknown
from engine.rulelayers import Draft, Leaf


def contradictions(draft: Draft) -> Iterator[Problem]:
    """Yield what is wrong: teams and decks that cannot be, words of abilities, names used twice."""
    for kind, limit in (("gladiators", MAX_GLADIATORS), ("cards", MAX_CARDS)):
        entries = list(draft.entries[kind])
        if len(entries) > limit:
            file = draft.entries[kind][entries[limit]]
            reason = f"there are {len(entries)} {kind}"
            yield Problem(file, kind, "", entries[limit], reason, f"at most {limit}")
    for name in draft.entries["gladiators"]:
        yield from _gladiator(draft, name)
        yield from _abilities(draft, f"gladiators.{name}", "gladiator")
    for name in draft.entries["cards"]:
        yield from _card(draft, name)
    draft.set_aside("teams", _team)
    draft.set_aside("decks", _deck)
    for name in draft.entries["teams"]:
        yield from _team(draft, name)
    for name in draft.entries["decks"]:
        yield from _deck(draft, name)
    for kind in ("gladiators", "cards", "teams", "decks"):
        yield from _names(draft, kind)


def parse_number(text: str) -> tuple[str, int] | None:
    """Read `warrior 2`, or `warrior` for 1; None if it is neither."""
    name, _, number = text.partition(" ")
    if not number:
        return name, 1
    return (name, int(number)) if number.isascii() and number.isdigit() and int(number) > 0 else None


def _abilities(draft: Draft, table: str, owner: str) -> Iterator[Problem]:
    """Words of abilities, and what does not go together."""
    leaf = draft.leaves[f"{table}.abilities"]
    for number, words in enumerate(leaf.value):
        key = "abilities" if len(leaf.value) == 1 else f"abilities[{number + 1}]"
        try:
            found = list(wrong_ability(ability_of(words), owner))
        except ValueError as error:
            found = [(str(error), "the words of abilities")]
        for reason, allowed in found:
            yield Problem(leaf.file, table, key, words, reason, allowed)


def _card(draft: Draft, name: str) -> Iterator[Problem]:
    """What a card of each type has and has not (P2, P3)."""
    table = f"cards.{name}"
    kind, sign, requires, put_on, abilities, maintain, unique, life = (
        draft.leaves[f"{table}.{key}"]
        for key in ("type", "sign", "requires", "put_on", "abilities", "maintain", "unique", "stats.life")
    )
    for text in requires.value:
        pair = parse_number(text)
        if pair is None or pair[0] not in DISCIPLINES or pair[1] > len(LEVELS):
            near = unknown("discipline", text.partition(" ")[0], DISCIPLINES)
            reason = f"not a discipline with a level: {near}"
            yield Problem(requires.file, table, "requires", text, reason, '"warrior 2"')
    if kind.value == "quick-hit":
        owner = "response" if sign.value == "response" else "quick-hit"
        if len(abilities.value) != 1:
            reason = "a quick-hit is one ability"
            yield Problem(abilities.file, table, "abilities", abilities.value, reason, "one")
        for leaf, key, none in ((maintain, "maintain", 0), (unique, "unique", False)):
            if leaf.value != none:
                reason = "a quick-hit does not stay in play"
                yield Problem(draft.files([leaf, kind]), table, key, leaf.value, reason, f"{none}".lower())
    else:
        owner = kind.value
        if sign.value == "response":
            reason = f"a {owner} is no response"
            yield Problem(draft.files([sign, kind]), table, "sign", sign.value, reason, "+, -, variable")
    if sign.value == "variable" and owner != "quick-hit":
        reason = f"a {owner} has nothing that decides its sign"
        yield Problem(draft.files([sign, kind]), table, "sign", sign.value, reason, "+ or -")
    if sign.value != "-" and any(words.get("counts_as_pass") for words in abilities.value):
        reason = "only a negative action counts as a pass (M5)"
        yield Problem(draft.files([sign, abilities]), table, "sign", sign.value, reason, '"-"')
    stats = [draft.leaves[f"{table}.stats.{key}"] for key in NUMBERS]
    if kind.value == "minion" and life.value < 1:
        yield Problem(
            draft.files([life, kind]), table, "stats.life", life.value, "a minion lives", "1 or more"
        )
    elif kind.value != "minion" and any(leaf.value for leaf in stats):
        yield Problem(draft.files([*stats, kind]), table, "stats", MISSING, f"a {owner} has no body", "none")
    if put_on.value and kind.value != "pump":
        reason = f"a {owner} is put on nobody"
        yield Problem(draft.files([put_on, kind]), table, "put_on", put_on.value, reason, "nothing")
    try:
        filter_of(put_on.value)
    except ValueError as error:
        yield Problem(put_on.file, table, "put_on", put_on.value, str(error), '{ side = "enemy" }')
    yield from _abilities(draft, table, owner)


def _deck(draft: Draft, name: str) -> Iterator[Problem]:
    """A team, up to three different reinforcements, and a deck (T3)."""
    table = f"decks.{name}"
    team, stack, cards = (draft.leaves[f"{table}.{key}"] for key in ("team", "reinforcements", "cards"))
    if team.value not in draft.entries["teams"]:
        reason = unknown("team", team.value, draft.entries["teams"])
        yield Problem(team.file, table, "team", team.value, reason, ", ".join(draft.entries["teams"]))
    reinforcements = [
        each for each in draft.entries["gladiators"] if draft.leaves[f"gladiators.{each}.reinforcement"].value
    ]
    for each, count in Counter(stack.value).items():
        if each not in reinforcements:
            reason = "there is no such reinforcement"
            yield Problem(stack.file, table, "reinforcements", each, reason, ", ".join(reinforcements))
        elif count > 1:
            yield Problem(stack.file, table, "reinforcements", each, "twice (T1)", "different ones")
    most = {each: draft.leaves[f"cards.{each}.deck_max"].value for each in draft.entries["cards"]}
    for reason, allowed in wrong_deck(cards.value, most, fewest_cards(draft.leaves)):
        yield Problem(cards.file, table, "cards", MISSING, reason, allowed)


def fewest_cards(leaves: Mapping[str, Leaf]) -> int:
    """How many cards a deck has at least: a hand has to be drawn, or the match is lost at once (T3, W4)."""
    least, hand, more = (leaves[f"match.{key}"].value for key in ("min_deck", "hand_size", "extra_draws"))
    return max(int(least), int(hand) + int(more))


def wrong_deck(cards: Sequence[str], most: Mapping[str, int], least: int) -> Iterator[tuple[str, str]]:
    """Yield what is wrong with a deck's list of cards, and what is allowed (T3).

    Parameters
    ----------
    most : copies allowed, by card.
    """
    copies: Counter[str] = Counter()
    for text in cards:
        pair = parse_number(text)
        if pair is None:
            yield f'"{text}" is not a card with its copies', '"cheap-shot 3", or "cheap-shot"'
        elif pair[0] not in most:
            yield f"{pair[0]}: {unknown('card', pair[0], most)}", "a card of [cards]"
        else:
            copies[pair[0]] += pair[1]
    for card, number in copies.items():
        if number > most[card]:
            yield f"{number} copies of {card}", f"at most {most[card]}"
    total = sum(copies.values())
    if not least <= total <= MAX_DECK:
        yield f"{total} cards", f"from {least} to {MAX_DECK}"


def _gladiator(draft: Draft, name: str) -> Iterator[Problem]:
    table = f"gladiators.{name}"
    discount, points = draft.leaves[f"{table}.discount"], draft.leaves[f"{table}.points"]
    if discount.value >= points.value:
        reason = f"not below its {points.value} points (T2)"
        yield Problem(discount.file, table, "discount", discount.value, reason, f"0 to {points.value - 1}")
    reinforcement, maintain = draft.leaves[f"{table}.reinforcement"], draft.leaves[f"{table}.maintain"]
    if maintain.value and not reinforcement.value:
        reason = "only reinforcements are maintained (B4)"
        file = draft.files([maintain, reinforcement])
        yield Problem(file, table, "maintain", maintain.value, reason, "0")
    lives = [draft.leaves[f"{table}.life.{level}"] for level in LEVELS]
    for before, after in pairwise(lives):
        if after.value < before.value:
            reason = f"below the level before ({before.value}): a promotion could destroy"
            yield Problem(draft.files([before, after]), table, "life", after.value, reason, "not to fall")


def _team(draft: Draft, name: str) -> Iterator[Problem]:
    """Different gladiators that exist, and points that add up, with a discount if need be (T1, T2)."""
    table, leaf = f"teams.{name}", draft.leaves[f"teams.{name}.gladiators"]
    known = draft.entries["gladiators"]
    for gladiator, count in Counter(leaf.value).items():
        if gladiator not in known:
            reason = "there is no such gladiator"
            yield Problem(leaf.file, table, "gladiators", gladiator, reason, ", ".join(known))
            return
        if count > 1:
            yield Problem(leaf.file, table, "gladiators", gladiator, "twice in a team (T1)", "different ones")
        if draft.leaves[f"gladiators.{gladiator}.reinforcement"].value:
            reason = "a reinforcement does not start (B4)"
            yield Problem(leaf.file, table, "gladiators", gladiator, reason, "a gladiator of level 1")
    wanted, most = draft.leaves["match.team_points"].value, draft.leaves["match.team_size"].value
    if len(leaf.value) > most:
        reason = "too many gladiators (T1)"
        yield Problem(leaf.file, table, "gladiators", len(leaf.value), reason, f"at most {most}")
    points = [draft.leaves[f"gladiators.{each}.points"].value for each in leaf.value]
    discounts = [draft.leaves[f"gladiators.{each}.discount"].value for each in leaf.value]
    reason = points_problem(sum(points), wanted, max(discounts))
    if reason:
        yield Problem(leaf.file, table, "gladiators", sum(points), reason, f"{wanted} points (T1, T2)")


def points_problem(points: int, wanted: int, discount: int) -> str:
    """Say why a team of so many points cannot play, empty if it can; one Legend may count less (T1, T2)."""
    if wanted <= points <= wanted + discount:
        return ""
    if points < wanted:
        return f"{points} points, {wanted - points} too few"
    over = points - wanted
    saved = f"; a discount takes off {discount}" if discount else "; no gladiator of the team has a discount"
    return f"{points} points, {over} too many{saved}"


def name_id(name: str) -> str:
    """Spell a name as an id: `G'frhtru` -> `gfrhtru`."""
    return canonical_id(name.replace("'", "").replace("’", ""))


def _names(draft: Draft, kind: str) -> Iterator[Problem]:
    """No two are called the same: they are looked up by id and by name."""
    seen: dict[str, str] = {}
    for entry in draft.entries[kind]:
        leaf = draft.leaves[f"{kind}.{entry}.name"]
        for word in {name_id(leaf.value), entry}:
            if seen.setdefault(word, entry) != entry:
                reason = f"{seen[word]} is called so as well"
                yield Problem(leaf.file, f"{kind}.{entry}", "name", leaf.value, reason, "names that differ")
