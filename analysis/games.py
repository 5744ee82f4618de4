"""What can be asked about each game, and with which command."""

from __future__ import annotations

from dataclasses import dataclass

from engine.games import GAMES, Game

__all__ = ["ANSWERS", "Answerable", "answers_about"]


@dataclass(frozen=True)
class Answerable:
    """A question, how exact its answer is, and a command that asks it.

    Attributes
    ----------
    question
        In the words of whoever asks.
    kind
        ``exact``: proved; ``bounded``: with a proved bound on what it may be off by; ``measured``: with
        intervals, for the players named.
    command
        An example that works as it stands.
    """

    question: str
    kind: str
    command: str


ANSWERS: dict[str, tuple[Answerable, ...]] = {
    "ragers": (
        Answerable("how is a day played, and what is it worth?", "bounded", "ragers-solve --patron Arianna"),
        Answerable("which card is hardly ever worth playing?", "bounded", "ragers balance"),
        Answerable(
            "what do I play with this hand?",
            "bounded",
            'ragers advise --patron Solennos --cheers two-bashers --hand "B B S C T"',
        ),
        Answerable(
            "what if a value were another?",
            "bounded",
            "ragers sweep --vary cards.basher.gp=2:6 --patron Solennos --cheers two-bashers",
        ),
        Answerable("can I beat it?", "measured", "ragers play"),
    ),
    "raverun": (
        Answerable(
            "how is a small game played?",
            "exact",
            "raverun-solve --exact --set match.characters=2 --set match.hand_size=2",
        ),
        Answerable("which card opens, and what is a hand worth?", "measured", "raverun-solve"),
        Answerable("who beats whom?", "measured", "raverun match"),
    ),
    "clash": (
        Answerable(
            "do I win this battle, what do I lose, when do I run?",
            "exact",
            'clash-solve --attacker "bohorg: 2 Executioner, 1 Kragrider" --defender "elves: 3 Templar"',
        ),
        Answerable(
            "how many are enough?",
            "exact",
            'clash need --attacker bohorg --defender "elves: 2 Templar, 2 Guard" --chance .9 --max "3,2,1"',
        ),
    ),
    "warage": (
        Answerable(
            "who wins, my hero or theirs?",
            "exact",
            "warage-solve orc/warrior:great-sword,plate-armour human/mage:bone-collar,fireball,lightning",
        ),
        Answerable(
            "does this attack kill, and do spells go together?",
            "exact",
            'warage attack "elf/mage:scepter-of-the-lich,fireball 2" human/paladin --hp 20',
        ),
        Answerable(
            "what is a point of attack worth, and which card is over- or underpriced?",
            "exact",
            "warage worth orc/warrior:great-sword,wolf-fang human/paladin:war-axe,lunar-shield",
        ),
    ),
}


def answers_about(game: Game) -> tuple[Answerable, ...]:
    """Return what can be asked about a game; nothing yet where only its rules are in."""
    return ANSWERS[game.name]


assert set(ANSWERS) == set(GAMES)
