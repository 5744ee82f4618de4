"""Bit layout of a state of Clash of Rage: 65 int64 words, at most 63 bits used of each.

| word | holds |
|---|---|
| `PLACE` + t | all figures in territory t: of each player, and of the elves |
| `HOME` | figures in the Bastions |
| `MOVED`, ... | figures that have moved in this action, by place |
| `PLAYER` + p | player p's tactic cards, Bastion, gold and crystals |
| `OWNED` + 2 p, + 1 | equipment it owns, attached or not: copies, and legendary cards a bit each |
| `ATTACHED` + p | the card in each space of its sheet |
| `DECK`, `MARKET`, two each | copies in the random part of the equipment deck, and on the black market |
| `UNDER`, ... | cards below the equipment deck, the next one first |
| `SHEET` | the legendary deck, the legendary cards that are looked at, the elves' equipment |
| `FLOW` | where in the game |
| `BATTLE` | the battle that is fought, 0 if there is none |
| `COUNTERS` | the bag, domination points, the number of cards in `UNDER`, dice |

An army is three counts of `COUNT_BITS` bits, level I lowest. Cards are numbered as in the reference:
equipment, then legendary equipment.
"""

from __future__ import annotations

from engine.bits import Bits, check_words
from engine.clash import rules_schema
from engine.clash.rules_schema import (
    BONUSES,
    ELVES,
    MAX_CARD_COPIES,
    MAX_COPIES,
    MAX_EQUIPMENT,
    MAX_FIGURES,
    MAX_LEGENDARY,
    MAX_PLAYERS,
    NUM_TACTICS,
    NUM_TYPES,
    SPACES,
    TILE_SIZE,
)

__all__ = ["MAX_PLAYERS", "NUM_TACTICS", "NUM_TYPES"]

MAX_TERRITORIES = MAX_PLAYERS * TILE_SIZE
MAX_PLACES = MAX_TERRITORIES + 1
MAX_SPOTS = 31
NUM_SLOTS = NUM_TYPES * len(SPACES)
COUNT_BITS = 4
COUNT_MASK = (1 << COUNT_BITS) - 1
ARMY_BITS = NUM_TYPES * COUNT_BITS
ARMY_MASK = (1 << ARMY_BITS) - 1
ELVES_AT = MAX_PLAYERS * ARMY_BITS
"""Offset of the elves' army in a territory's word."""

ARMIES_A_WORD = 5
CARDS_A_WORD = 12
COPIES_BITS = 3
COPIES_MASK = (1 << COPIES_BITS) - 1
UNDER_BITS = 5
UNDER_MASK = (1 << UNDER_BITS) - 1
MOVED_WORDS = -(-MAX_PLACES // ARMIES_A_WORD)
CARD_WORDS = -(-MAX_EQUIPMENT // CARDS_A_WORD)
UNDER_WORDS = -(-MAX_CARD_COPIES // CARDS_A_WORD)

PLACE = 0
HOME = PLACE + MAX_TERRITORIES
MOVED = HOME + 1
PLAYER = MOVED + MOVED_WORDS
OWNED = PLAYER + MAX_PLAYERS
ATTACHED = OWNED + CARD_WORDS * MAX_PLAYERS
DECK = ATTACHED + MAX_PLAYERS
MARKET = DECK + CARD_WORDS
UNDER = MARKET + CARD_WORDS
SHEET = UNDER + UNDER_WORDS
FLOW = SHEET + 1
BATTLE = FLOW + 1
COUNTERS = BATTLE + 1
NUM_WORDS = COUNTERS + 1

NO_TACTIC = 7
NO_SPOT = 31
NO_CARD = 63
"""An empty space of a sheet."""
NO_FIND = 31
"""An empty space of the elves."""
NO_WINNER = 7

ARMIES = Bits(
    0, ARMY_BITS, "an army of each player, in a territory also of the elves", MAX_PLAYERS + 1, ARMY_BITS
)
HOMES = Bits(0, ARMY_BITS, "each player's army in its Bastion", MAX_PLAYERS, ARMY_BITS)
MOVES = Bits(0, ARMY_BITS, "figures that have moved, by place (M1)", ARMIES_A_WORD, ARMY_BITS)

HAND = Bits(0, NUM_TACTICS, "tactic cards in hand")
DISCARD = Bits(7, NUM_TACTICS, "tactic cards on the discard pile")
CHOSEN = Bits(14, 3, "the tactic card of this round, NO_TACTIC before (T1)")
BASTION = Bits(17, 5, "spot of the Bastion, NO_SPOT before (U5)")
GOLD = Bits(22, 12, "gold")
CRYSTALS = Bits(34, 12, "crystals")

COPIES = Bits(0, COPIES_BITS, "copies of a card", CARDS_A_WORD, COPIES_BITS)
LEGENDS = Bits(36, MAX_LEGENDARY, "legendary cards owned, in the last word")
SLOTS = Bits(0, 6, "card in a space, NO_CARD if it is empty (E4)", NUM_SLOTS, 6)
BELOW = Bits(0, UNDER_BITS, "a card below the equipment deck", CARDS_A_WORD, UNDER_BITS)

LEGENDARY = Bits(0, MAX_LEGENDARY, "legendary cards in the deck")
DRAWN = Bits(16, MAX_LEGENDARY, "legendary cards that are looked at (E3)")
FINDS = Bits(
    32, UNDER_BITS, "an elf type's card by space, NO_FIND if it has none (I1)", NUM_SLOTS, UNDER_BITS
)

PHASE = Bits(0, 5, "where in the game")
ROUND = Bits(5, 7, "round, 0 during set-up")
TURN = Bits(12, 3, "place in the order of turns of who acts; how many have chosen a tactic card")
ACTION = Bits(15, 2, "1 or 2 (A1)")
ORDER = Bits(17, 2, "players in the order of turns, 0 before it is known (T1)", MAX_PLAYERS, 2)
ARRIVING = Bits(25, ARMY_BITS, "units still to be placed (T3, S1)")
FLOOR = Bits(37, 5, "the first place for them")
FRESH = Bits(42, 1, "nothing done yet in this equip action (X3)")
FORGED = Bits(43, 1, "forged in this action (E3)")
DRAWS = Bits(44, 3, "legendary cards still to be drawn (E3)")
SLOT = Bits(47, 3, "space that is filled next (E4)")
IMPROVING = Bits(50, 2, "type of elves that finds equipment next, plus 1; 0 if none (I1)")
SITE = Bits(52, 5, "first territory that may still get an elf (X2)")
WINNER = Bits(57, 3, "who has won, NO_WINNER if nobody")

FOUGHT = Bits(0, ARMY_BITS, "armies left of attacker and defender", 2, ARMY_BITS)
RAGE = Bits(24, 12, "rage tokens of attacker and defender (B9)", 2, 12)
FIELD = Bits(48, 5, "territory of the battle")
STAGE = Bits(53, 3, "where in the battle")
ASSAULTER = Bits(56, 1, "side whose assault it is (B3)")
AGAINST_ELVES = Bits(57, 1, "whether the defender is the elves")
FIGHTING = Bits(58, 1, "1 in a battle")

BAG = Bits(0, ARMY_BITS, "elves in the bag (U2)")
DOMINATION = Bits(12, 8, "points of the elves (X1)")
NUM_UNDER = Bits(20, 7, "cards below the equipment deck")
DICE = Bits(27, 5, "dice of this assault (B4)")
HITS = Bits(32, 5, "dice that injure")
REROLLS = Bits(37, 6, "how often blanks may still be rolled again (B5)")

(
    SITES,
    MARKETING,
    HANDS,
    TACTIC,
    BASTIONS,
    REINFORCE,
    ACTING,
    EQUIP,
    FORGE,
    KEEP,
    ATTACH,
    MARCH,
    BATTLES,
    FIGHT,
    STONES,
    IMPROVE,
    ARRIVALS,
    OVER,
) = range(18)
"""Values of PHASE, in the order of the reference's."""

ASSAULT, ROLL, REROLL, BLANKS, ELIMINATE = range(5)
"""Values of STAGE."""

WORDS: dict[str, tuple[Bits, ...]] = {
    "PLACE": (ARMIES,),
    "HOME": (HOMES,),
    "MOVED": (MOVES,),
    "PLAYER": (HAND, DISCARD, CHOSEN, BASTION, GOLD, CRYSTALS),
    "OWNED": (COPIES, LEGENDS),
    "ATTACHED": (SLOTS,),
    "DECK": (COPIES,),
    "UNDER": (BELOW,),
    "SHEET": (LEGENDARY, DRAWN, FINDS),
    "FLOW": (
        PHASE,
        ROUND,
        TURN,
        ACTION,
        ORDER,
        ARRIVING,
        FLOOR,
        FRESH,
        FORGED,
        DRAWS,
        SLOT,
        IMPROVING,
        SITE,
        WINNER,
    ),
    "BATTLE": (FOUGHT, RAGE, FIELD, STAGE, ASSAULTER, AGAINST_ELVES, FIGHTING),
    "COUNTERS": (BAG, DOMINATION, NUM_UNDER, DICE, HITS, REROLLS),
}

# The rules for kernels are one int64 array, see `kernel_rules`.
MAX_CARDS = MAX_EQUIPMENT + MAX_LEGENDARY
NUM_BONUSES = len(BONUSES)
POWER, REROLLING, INJURY, SHIELD, RAGING, SLOW, SPEED, FLIGHT = range(NUM_BONUSES)
"""Bonuses of a type or card, in the order of `BONUSES`."""
LIFE, MOVEMENT, MOST = NUM_BONUSES, NUM_BONUSES + 1, NUM_BONUSES + 2
"""Further numbers of a unit type, after its bonuses."""
TYPE_STRIDE = NUM_BONUSES + 3
SPACE, COST = NUM_BONUSES, NUM_BONUSES + 1
"""Further numbers of a card, after its bonuses."""
CARD_STRIDE = NUM_BONUSES + 2
TACTIC_STRIDE = 3

(
    RULE_NUM_PLAYERS,
    RULE_NUM_TERRITORIES,
    RULE_NUM_SPOTS,
    RULE_NUM_EQUIPMENT,
    RULE_NUM_LEGENDARY,
    RULE_GOAL,
    RULE_MAX_ROUNDS,
    RULE_HAND_SIZE,
    RULE_MARKET,
    RULE_CITY_CRYSTALS,
    RULE_FORGE_ONE,
    RULE_FORGE_MORE,
    RULE_STONE_PLACEMENT,
    RULE_THRESHOLD,
    RULE_FORGE_DOMINATION,
    RULE_CITY_DOMINATION,
    RULE_HIT_FACES,
    RULE_HIT_SIDES,
    RULE_SPARING,
    RULE_RAGE_LIMIT,
    RULE_ELVES_BY_ATTACKER,
    RULE_CITIES,
    RULE_FORGES,
    RULE_BAG,
) = range(24)
RULE_OPEN = 24  # [MAX_TERRITORIES], a bit each for neighbours that no mountains part from it (M1)
RULE_NEIGHBOURS = RULE_OPEN + MAX_TERRITORIES  # [MAX_TERRITORIES], a bit each for all neighbours (M4)
RULE_SITES = RULE_NEIGHBOURS + MAX_TERRITORIES  # [MAX_TERRITORIES], elves there at the beginning (U2)
RULE_STONES = RULE_SITES + MAX_TERRITORIES  # [MAX_TERRITORIES], level of its stone, 0 if there is none (S1)
RULE_SPOT_NEIGHBOURS = RULE_STONES + MAX_TERRITORIES  # [MAX_SPOTS], a bit for each territory (U5)
RULE_SPOTS_NEAR = RULE_SPOT_NEIGHBOURS + MAX_SPOTS  # [MAX_SPOTS], a bit for each spot too near (U5)
RULE_UNITS = RULE_SPOTS_NEAR + MAX_SPOTS  # [MAX_PLAYERS][NUM_TYPES][TYPE_STRIDE]
RULE_ELVES = RULE_UNITS + MAX_PLAYERS * NUM_TYPES * TYPE_STRIDE  # [NUM_TYPES][TYPE_STRIDE]
RULE_CARDS = RULE_ELVES + NUM_TYPES * TYPE_STRIDE  # [MAX_CARDS][CARD_STRIDE]
RULE_TACTICS = RULE_CARDS + MAX_CARDS * CARD_STRIDE  # [MAX_PLAYERS][NUM_TACTICS], order, gold, army
RULE_DECK = RULE_TACTICS + MAX_PLAYERS * NUM_TACTICS * TACTIC_STRIDE  # [CARD_WORDS], the whole equipment deck
NUM_RULES = RULE_DECK + CARD_WORDS

check_words(
    WORDS,
    [
        (MAX_FIGURES, COUNT_MASK, "figures of a type"),
        (7, COUNT_MASK, "reinforcements of a card"),
        (MAX_COPIES, COPIES_MASK, "copies of a card"),
        (MAX_EQUIPMENT, UNDER_MASK, "equipment below the deck, and NO_FIND"),
        (MAX_CARD_COPIES, UNDER_WORDS * CARDS_A_WORD, "cards below the deck"),
        (MAX_CARD_COPIES, NUM_UNDER.mask, "NUM_UNDER"),
        (MAX_CARDS, NO_CARD, "cards"),
        (NO_CARD, SLOTS.mask, "NO_CARD"),
        (NO_FIND, FINDS.mask, "NO_FIND"),
        (NUM_TACTICS, NO_TACTIC, "tactic cards"),
        (NO_TACTIC, CHOSEN.mask, "NO_TACTIC"),
        (MAX_SPOTS, NO_SPOT, "spots"),
        (NO_SPOT, BASTION.mask, "NO_SPOT"),
        (MAX_TERRITORIES, min(FLOOR.mask, SITE.mask, FIELD.mask), "places"),
        (MAX_PLAYERS, min(TURN.mask, NO_WINNER), "players"),
        (NO_WINNER, WINNER.mask, "NO_WINNER"),
        (NUM_SLOTS, SLOT.mask, "SLOT"),
        (1 + MAX_PLAYERS, DRAWS.mask, "DRAWS"),
        (len(ELVES), IMPROVING.mask, "IMPROVING"),
        (99, ROUND.mask, "rounds"),
        (99 * 20, GOLD.mask, "gold: all revenue of a game"),
        (99 * MAX_PLAYERS * 9 + NUM_TYPES * MAX_FIGURES, CRYSTALS.mask, "crystals: all revenue, all elves"),
        (98 + 2 * (9 + 9), DOMINATION.mask, "domination points at the end"),
        (rules_schema.MAX_POWER + 2 * rules_schema.MAX_BONUS, min(DICE.mask, HITS.mask), "dice"),
        (NUM_TYPES * (4 + 2 * rules_schema.MAX_BONUS), REROLLS.mask, "rerolls"),
        # Sparing ends when injuries exceed what survivors can take; then each assault eliminates.
        (45 * 11 + 60 + 61 + 45 * 60, RAGE.mask, "rage tokens"),
        (OVER, PHASE.mask, "PHASE"),
        (ELIMINATE, STAGE.mask, "STAGE"),
    ],
)
