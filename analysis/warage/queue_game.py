"""One attack with hidden replies as a game tree, for the exact solvers: hands are dealt from known pools.

Built on the reference: whoever may add to the queue does so, until both pass in sequence; then everything
resolves, and the dice are taken on average. What a player knows is its hand and all that was played and
passed in sight of it, in order, so recall is perfect. Equal cards are one, and a player who can only pass
is not asked.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from analysis.errors import RequestError
from analysis.front.parameters import unheeded
from analysis.pools import Pool, hands
from analysis.warage.game import GAME
from analysis.warage.loadouts import Table, hp_of, loadouts_of
from analysis.warage.positions import Heroes
from analysis.warage.questions.attack import Attack as Asked
from analysis.warage.questions.replies import MAX_NODES, Replies
from engine.records import replace
from engine.warage.combat import NO_DAMAGE, Attack, Law, law
from engine.warage.reference import Item, Kind, Move, Phase, State, carried_out, is_over, legal_moves
from engine.warage.reference_round import passed, resolved, settled
from engine.warage.reference_state import Do, Task, attack_total, defence_total, number_of_dice
from engine.warage.rules import Rules

CHANCE = -1
Worth = Callable[[int, int], float]
"""What HP of both heroes after the attack are worth to the first one, 0 or less being beaten."""
Memory = tuple[int, int]
PASS = Move("pass")


@dataclass(frozen=True)
class QueueQuestion:
    """An attack and its replies.

    Attributes
    ----------
    spell, copies : what the first hero attacks with; None for its weapon.
    pools, hidden : where hands come from, and how many cards they have.
    rounds_left : with them the end is worth what a race of so many rounds says; without, HP.
    card_hp : HP that a card kept in hand counts for.
    max_nodes : larger trees are refused.
    """

    table: Table
    spell: str | None
    copies: int
    pools: tuple[Pool, Pool]
    hidden: tuple[int, int]
    rounds_left: int | None = None
    card_hp: int = 1
    max_nodes: int = MAX_NODES


def question_of(asked: Asked) -> QueueQuestion:
    """Return the attack that ``attack --replies`` asks about."""
    unheeded(asked, "is solved, so it goes without --replies", "with_cards", "against_cards")
    rules = GAME.rules_of(asked.rules)
    return queue_question(rules, asked.heroes, asked.season, asked.held, asked.max_nodes)


def queue_question(rules: Rules, heroes: Heroes, season: str, held: Replies, max_nodes: int) -> QueueQuestion:
    """Return an attack with hidden replies; RequestError if it cannot be made, or a pool is too small."""
    loadouts = loadouts_of(rules, heroes)
    pools, sizes = (held.pool, held.other_pool), (held.hidden, held.other_hidden)
    for pool, number, option in zip(pools, sizes, ("--pool", "--other-pool"), strict=True):
        if sum(pool.values()) < number:
            raise RequestError(f"{number} hidden cards, and the pool has fewer", option)
    spell, copies = _attack_named(loadouts[0].spells, held.attack.strip())
    return QueueQuestion(
        Table(rules, loadouts, season, hp=hp_of(loadouts, held.totals)),
        spell,
        copies,
        (tuple(pools[0].items()), tuple(pools[1].items())),
        sizes,
        held.rounds_left,
        held.card_hp,
        max_nodes,
    )


def _attack_named(spells: dict[str, int], text: str) -> tuple[str | None, int]:
    """Read ``melee``, or a spell in play with its copies."""
    if text == "melee":
        return None, 1
    name, _, count = text.rpartition(" ")
    counted = bool(name) and count.isdigit()
    copies, word = (int(count), name) if counted else (1, text)
    found = [each for each in spells if each.startswith(word)]
    if not found or not 1 <= copies <= spells[found[0]]:
        there = ", ".join(f"{each} {number}" for each, number in spells.items()) or "none"
        raise RequestError(f"{text!r}: melee, or spells in play: {there}", "--attack")
    return found[0], copies


class Node(NamedTuple):
    """A node: the reference's state, None before the deal, and what each player has seen and done.

    `moves` are those of the player who is asked; none at the end. What somebody has seen and done is a
    number in the game's list of all that anybody has.
    """

    state: State | None
    moves: tuple[Move, ...] = ()
    memory: Memory = (0, 0)


class End(NamedTuple):
    """What an end of the tree comes to, on average over the dice.

    Attributes
    ----------
    kill : the chance that the defender is beaten.
    taken : HP that the attack takes, no more than the defender has left.
    paid : HP that replies have cost each hero, less what they brought.
    """

    kill: float
    taken: float
    paid: tuple[int, int]


class QueueGame:
    """One attack and its replies, as a `GameSource` of `solver.extensive`.

    Parameters
    ----------
    question : which attack; hero 0 attacks.
    worth : what HP are worth in the end.

    Attributes
    ----------
    ends : what the ends of the tree come to, in the order in which their payoffs were asked for.
    before : by how many HP, cards in hand included, the attacker is ahead before the attack, on average.
    """

    def __init__(self, question: QueueQuestion, worth: Worth) -> None:
        table, spell, card_hp = question.table, question.spell, question.card_hp
        self._worth, self._card_hp = worth, card_hp
        self._memories: dict[Hashable, int] = {}
        self._resolved: dict[Hashable, State] = {}
        self._average = cache(self._mean)
        self._deals = [
            ((own, other), weight * factor)
            for own, weight in hands(question.pools[0], question.hidden[0])
            for other, factor in hands(question.pools[1], question.hidden[1])
        ]
        self.ends: list[End] = []
        kept = sum((len(own) - len(other)) * weight for (own, other), weight in self._deals)
        total = sum(weight for _, weight in self._deals)
        self.before = table.hp[0] - table.hp[1] + card_hp * kept / total
        state = table.state()
        rules = table.rules
        item = Item(Kind.MELEE, 0, hero=1)
        if spell is not None:
            number = rules.card_numbers[spell]
            places = [index for index, piece in enumerate(state.heroes[0].play) if piece.card == number]
            item = Item(Kind.MAGIC, 0, number, 1, sources=tuple(places[: question.copies]))
        phase = Phase.MELEE if spell is None else Phase.MAGIC
        # Of what is in play nothing is sold or used: these are replies by cards in hand.
        self._start = replace(
            state, phase=phase, queue=(item,), agenda=(Task(Do.PRIORITY),), attacked=True, ability=True
        )
        self._rules = rules

    def root(self) -> Node:
        """Return the game before the deal."""
        return Node(None)

    def chance_outcomes(self, node: Node) -> Sequence[tuple[Hashable, int]]:
        """Return the deals, with their weights."""
        return self._deals

    def player(self, node: Node) -> int:
        """Return who decides; `CHANCE` before the deal."""
        return CHANCE if node.state is None else node.state.priority

    def is_terminal(self, node: Node) -> bool:
        """Tell whether all replies are resolved: dice would come next, or nothing."""
        return node.state is not None and not node.moves

    def actions(self, node: Node) -> Sequence[Hashable]:
        """Return what the player may play from its hand, and pass."""
        return node.moves

    def child(self, node: Node, action: Hashable) -> Node:
        """Return the node after a deal, or a move."""
        if node.state is None:
            return self._asked(self._dealt(action), (0, 0))  # type: ignore[arg-type]
        assert isinstance(action, Move)
        player = node.state.priority
        memory = list(node.memory)
        seen = memory[player], self._sight(node.state, player), action
        memory[player] = self._memories.setdefault(seen, len(self._memories) + 1)
        if action == PASS and _is_last(node.state):
            return Node(node.state, memory=(memory[0], memory[1]))
        return self._asked(carried_out(node.state, action), (memory[0], memory[1]))

    def infoset(self, node: Node) -> Hashable:
        """Return all that the deciding player has seen and done."""
        assert node.state is not None
        player = node.state.priority
        return node.memory[player], self._sight(node.state, player)

    def payoff(self, node: Node) -> float:
        """Return what the end is worth to the attacker, on average over the dice."""
        assert node.state is not None
        after = self._end(node.state)
        self.ends.append(self._what_becomes(after))
        own, other = (
            end.hp + self._card_hp * len(hero.hand) * (not end.beaten)
            for hero, end in zip(node.state.heroes, after.heroes, strict=True)
        )
        return self._average(_attack(after), own, other, after.heroes[1].hp)

    def _what_becomes(self, after: State) -> End:
        """What an end comes to, the queue resolved."""
        hp = after.heroes[1].hp
        damage = NO_DAMAGE if _attack(after) is None else law(_attack(after))
        kill = float(sum(chance for (hurt, _), chance in damage.items() if hurt >= hp))
        taken = float(sum(chance * min(hurt, max(hp, 0)) for (hurt, _), chance in damage.items()))
        own, other = (begun.hp - end.hp for begun, end in zip(self._start.heroes, after.heroes, strict=True))
        return End(kill, taken, (own, other))

    def attack(self, node: Node) -> Attack | None:
        """Return the attack that is left at the end; None if there is none."""
        assert node.state is not None
        return _attack(self._end(node.state))

    def _end(self, state: State) -> State:
        """Resolve the queue. Hands do not matter there: deals share what becomes of it."""
        if is_over(state):
            return state
        key = state.queue, state.heroes[0].hp, state.heroes[1].hp
        found = self._resolved.get(key)
        if found is None:
            found = self._resolved[key] = resolved(passed(state))
        return found

    def damage(self, node: Node) -> Law:
        """Return the law of the damage that is left at the end."""
        attack = self.attack(node)
        return NO_DAMAGE if attack is None else law(attack)

    def _mean(self, attack: Attack | None, own: int, other: int, hp: int) -> float:
        """What totals, cards included, are worth after an attack on so many HP."""
        total = 0.0
        for (damage, _), chance in (NO_DAMAGE if attack is None else law(attack)).items():
            total += float(chance) * self._worth(own, 0 if hp <= damage else other - damage)
        return total

    def _dealt(self, deal: tuple[tuple[str, ...], tuple[str, ...]]) -> State:
        numbers = self._rules.card_numbers
        heroes = tuple(
            replace(hero, hand=tuple(sorted(numbers[name] for name in hand)))
            for hero, hand in zip(self._start.heroes, deal, strict=True)
        )
        return settled(replace(self._start, heroes=heroes))

    def _asked(self, state: State, memory: Memory) -> Node:
        """Go on to a player who has a reply: sales and uses are none."""
        while not is_over(state) and state.queue and state.agenda[-1].do == Do.PRIORITY:
            moves = tuple(move for move in legal_moves(state) if move.kind in ("pass", "flash"))
            if len(moves) > 1:
                return Node(state, moves, memory)
            if _is_last(state):
                break
            state = carried_out(state, PASS)
        return Node(state, memory=memory)

    def _sight(self, state: State, player: int) -> Hashable:
        """What a player sees: its hand, the queue, HP, and who has passed."""
        return (
            state.heroes[player].hand,
            state.queue,
            tuple(hero.hp for hero in state.heroes),
            state.passes,
        )


def _is_last(state: State) -> bool:
    """Whether all have passed once one more does: then the queue is resolved."""
    return state.passes + 1 >= len(state.alive)


def _attack(state: State) -> Attack | None:
    """The attack whose dice are rolled next; None if there is none."""
    if is_over(state) or not state.queue:
        return None
    item = state.queue[0]
    return Attack(
        attack_total(state, item),
        number_of_dice(state, 0, item.dice[0]),
        defence_total(state, item),
        number_of_dice(state, 1, item.dice[1]),
        item.prevent,
    )
