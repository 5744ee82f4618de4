"""What can be asked about each game, and with which command."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from engine.games import GAMES, Game

__all__ = ["ANSWERS", "Answerable", "GameEntry", "GamesReport", "answers_about", "games_report"]

SCHEMA_NUMBER = 1


class Answerable(msgspec.Struct, frozen=True):
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
            'clash need --attacker bohorg --defender "elves: 2 Templar, 2 Guard" --chance .9',
        ),
        Answerable(
            "which of two targets do I attack, and with whom?",
            "exact",
            'clash split --attacker "bohorg: 4 I, 1 III" --defender "elves: 2 Elder"'
            ' --defender "elves: 2 Guard"',
        ),
        Answerable(
            "what do I buy for it?",
            "exact",
            'clash equip --attacker "bohorg: 2 I, 1 III" --defender "elves: 3 Templar"'
            ' --market "axe 2, crossbow, plate-armor" --gold 15',
        ),
        Answerable(
            "which tactic card do I play?",
            "measured",
            "clash tactic --clan bohorg --clan tomb --playouts 500",
        ),
        Answerable("which clan, unit or card is too strong?", "measured", "clash balance"),
        Answerable("can I beat it?", "measured", "clash play"),
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
            'warage attack "elf/mage:scepter-of-the-lich,fireball 2" human/paladin --other-hp 20',
        ),
        Answerable(
            "what is a point of attack worth, and which card is overpriced?",
            "exact",
            "warage worth orc/warrior:great-sword,wolf-fang human/paladin:war-axe,lunar-shield",
        ),
        Answerable(
            "do I answer an attack with a card, or keep it?",
            "exact",
            "warage queue orc/warrior:great-sword human/paladin --hp 40 --other-hp 12",
        ),
        Answerable("which deck beats which?", "measured", "warage balance"),
        Answerable("can I beat it?", "measured", "warage play orc-warrior elf-mage"),
    ),
    "ophidian": (
        Answerable(
            "whom do I attack, and what does each action cost?",
            "exact",
            "ophidian-solve --team iron --against storm",
        ),
        Answerable(
            "do I intercept?",
            "exact",
            'ophidian-solve --team "Thorn, Runt" --against "Tempest, Scrap" --momentum against'
            ' --pending "Tempest > Thorn"',
        ),
        Answerable("which gladiator beats which?", "exact", "ophidian duel"),
        Answerable("what is a gladiator, a level or a cheer worth?", "measured", "ophidian worth"),
        Answerable(
            "do I dare this attack, when a card may answer it?",
            "exact",
            'ophidian response --team "Tempest, Scrap@S" --against "Thorn, Runt" --attack "Tempest > Thorn"'
            " --hidden brood",
        ),
        Answerable("can I beat it?", "measured", "ophidian play"),
    ),
}


class GameEntry(msgspec.Struct, frozen=True):
    """A game.

    Attributes
    ----------
    name, title
        Of its commands, and as on the box.
    players
        How many may play.
    commands
        Of its program.
    answers
        What can be asked about it.
    """

    name: str
    title: str
    players: list[int]
    commands: list[str]
    answers: list[Answerable]


class GamesReport(msgspec.Struct, frozen=True, kw_only=True):
    """All games that are in."""

    schema: int = SCHEMA_NUMBER
    games: list[GameEntry]


def answers_about(game: Game) -> tuple[Answerable, ...]:
    """Return what can be asked about a game; nothing yet where only its rules are in."""
    return ANSWERS[game.name]


def games_report(commands: Mapping[str, Sequence[str]] | None = None) -> GamesReport:
    """Return all games with what can be asked about them.

    Parameters
    ----------
    commands
        Of each game's program, if they are to be listed, too.

    Examples
    --------
    >>> from analysis.games import games_report
    >>> [(game.name, game.players) for game in games_report().games][:2]
    [('ragers', [2]), ('raverun', [2, 3])]
    """
    known = commands or {}
    entries = [
        GameEntry(
            game.name,
            game.title,
            list(game.players),
            list(known.get(game.name, ())),
            list(answers_about(game)),
        )
        for game in GAMES.values()
    ]
    return GamesReport(games=entries)


assert set(ANSWERS) == set(GAMES)
