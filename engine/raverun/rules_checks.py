"""What is wrong between values of a rules file that are each allowed on their own."""

from collections.abc import Iterator

from engine.raverun.rules_schema import HAND_PARTS, MAX_CARDS, PLAYER_COUNTS
from engine.rulefiles import Problem
from engine.rulelayers import Draft

ENDLESS = ("draw", "deploy", "bury")
"""Acting on stacks together, these bring cards back to the hands for ever; without one of them every round
leaves fewer cards to play, or more of them on the battlefields."""


def contradictions(draft: Draft) -> Iterator[Problem]:
    """Yield what is wrong: too many cards, too few for two hands, a game that need not end."""
    characters, letters = draft.leaves["match.characters"], draft.leaves["match.letters"]
    cards = characters.value * letters.value
    if cards > MAX_CARDS:
        file = draft.files([characters, letters])
        reason = f"{characters.value} characters of {letters.value} letters are {cards} cards"
        yield Problem(file, "match", "letters", letters.value, reason, f"at most {MAX_CARDS} cards")
    hands = draft.leaves[f"match.hand_size.{HAND_PARTS[0]}"]
    needed = PLAYER_COUNTS[0] * hands.value
    if needed > cards:
        file = draft.files([hands, characters, letters])
        reason = f"two hands need {needed} cards, and there are {cards}"
        allowed = "no more than half of all cards"
        yield Problem(file, "match", f"hand_size.{HAND_PARTS[0]}", hands.value, reason, allowed)
    acting = {}
    for number in range(1, characters.value + 1):
        colour = draft.leaves[f"characters.{number}.colour"]
        place = draft.leaves[f"colours.{colour.value}.acts_on"]
        action = draft.leaves[f"characters.{number}.action"]
        if place.value == "stacks":
            acting[action.value] = (number, colour, place, action)
    if all(action in acting for action in ENDLESS):
        # Name the last of the three as the one to mend.
        number, colour, place, action = max(acting[word] for word in ENDLESS)
        file = draft.files([leaf for word in ENDLESS for leaf in acting[word][1:]])
        reason = f"with {', '.join(ENDLESS)} all acting on stacks a game need not end"
        allowed = "one of the three on battlefields, nowhere, or not in the game"
        yield Problem(file, f"characters.{number}", "action", action.value, reason, allowed)
