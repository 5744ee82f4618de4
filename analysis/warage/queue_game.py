"""One attack with hidden replies as a game tree, for the exact solvers: hands are dealt from known pools.

Built on the reference: whoever may add to the queue does so, until both pass in sequence; then everything
resolves, and the dice are taken on average. What a player knows is his hand and all that was played and
passed in sight of him, in order, so recall is perfect. Equal cards are one, and a player who can only pass
is not asked.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace
from typing import NamedTuple

from analysis.errors import RequestError
from analysis.pools import OTHER, Pool, counted, hands
from analysis.warage.loadouts import Table
from engine.rulefiles import AmbiguousNameError, UnknownNameError
from engine.warage.combat import NO_DAMAGE, Attack, Law, law
from engine.warage.reference import Item, Kind, Move, Phase, State, is_over, legal_moves, step
from engine.warage.reference_round import settled
from engine.warage.reference_state import Do, Task, attack_total, defence_total, number_of_dice
from engine.warage.rules import Rules

CHANCE = -1
Worth = Callable[[int, int], float]
"""What HP of both heroes after the attack are worth to the first one, 0 or less being beaten."""
REFUSED = ("draw", "discard", "season", "reroll")


class Node(NamedTuple):
    """A node: the reference's state, None before the deal, and what each player has seen and done."""

    state: State | None
    memory: tuple[tuple[Hashable, ...], tuple[Hashable, ...]] = ((), ())


def parse_pool(rules: Rules, text: str, option: str) -> Pool:
    """Read `battle-cry 3, negate 2, other 10`: a deck's cards that may be in the hand, and all others.

    Raises
    ------
    RequestError
        If a card is unknown, no flash, or one whose effects are not of this game.
    """
    pool: dict[str, int] = {}
    for name, number in counted(text):
        if name != OTHER:
            try:
                card = rules.card(name)
            except (UnknownNameError, AmbiguousNameError) as error:
                raise RequestError(str(error), option) from None
            if card.kind != "flash":
                raise RequestError(
                    f"{card.id} is a {card.kind}; replies are flashes, all else is other", option
                )
            for effect in card.effects:
                if effect.action in REFUSED:
                    said = f"{card.id}: {effect.action} brings more chance than this tree has"
                    raise RequestError(f"{said}; count it as {OTHER}", option)
            name = card.id
        pool[name] = pool.get(name, 0) + number
    return tuple(pool.items())


class QueueGame:
    """One attack and its replies, as a `GameSource` of `solver.extensive`.

    Parameters
    ----------
    table : the heroes, their HP, and the season; hero 0 attacks.
    spell, copies : what he attacks with; None for his weapon.
    pools, sizes : of both players: where hands come from, and how many cards they hold.
    worth : what HP are worth in the end.
    card_hp : HP that a card kept in hand counts for.
    """

    def __init__(
        self,
        table: Table,
        spell: str | None,
        copies: int,
        pools: tuple[Pool, Pool],
        sizes: tuple[int, int],
        worth: Worth,
        card_hp: int = 0,
    ) -> None:
        self._worth, self._card_hp = worth, card_hp
        self._deals = [
            ((own, other), weight * factor)
            for own, weight in hands(pools[0], sizes[0])
            for other, factor in hands(pools[1], sizes[1])
        ]
        state = table.state()
        rules = table.rules
        item = Item(Kind.MELEE, 0, hero=1)
        if spell is not None:
            number = rules.card_numbers[spell]
            places = [index for index, piece in enumerate(state.heroes[0].play) if piece.card == number]
            item = Item(Kind.MAGIC, 0, number, 1, sources=tuple(places[:copies]))
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
        state = node.state
        return state is not None and (is_over(state) or state.agenda[-1].do != Do.PRIORITY or not state.queue)

    def actions(self, node: Node) -> Sequence[Hashable]:
        """Return what the player may play from his hand, and pass."""
        assert node.state is not None
        return [move for move in legal_moves(node.state) if move.kind in ("pass", "flash")]

    def child(self, node: Node, action: Hashable) -> Node:
        """Return the node after a deal, or a move."""
        if node.state is None:
            return Node(self._dealt(action))  # type: ignore[arg-type]
        assert isinstance(action, Move)
        player = node.state.priority
        memory = list(node.memory)
        memory[player] = (*memory[player], (self._sight(node.state, player), action))
        return Node(self._asked(step(node.state, action)), (memory[0], memory[1]))

    def infoset(self, node: Node) -> Hashable:
        """Return all that the deciding player has seen and done."""
        assert node.state is not None
        player = node.state.priority
        return node.memory[player], self._sight(node.state, player)

    def payoff(self, node: Node) -> float:
        """Return what the end is worth to the attacker, on average over the dice."""
        state = node.state
        assert state is not None
        hp = [hero.hp + self._card_hp * len(hero.hand) * (not hero.beaten) for hero in state.heroes]
        total = 0.0
        for (damage, _), chance in self.damage(node).items():
            beaten = state.heroes[1].hp - damage <= 0
            total += float(chance) * self._worth(hp[0], 0 if beaten else hp[1] - damage)
        return total

    def damage(self, node: Node) -> Law:
        """Return the law of the damage that is left at the end."""
        state = node.state
        assert state is not None
        if is_over(state) or not state.queue or state.agenda[-1].do != Do.DICE:
            return NO_DAMAGE
        item = state.queue[0]
        return law(
            Attack(
                attack_total(state, item),
                number_of_dice(state, 0, item.dice[0]),
                defence_total(state, item),
                number_of_dice(state, 1, item.dice[1]),
                item.prevent,
            )
        )

    def _dealt(self, deal: tuple[tuple[str, ...], tuple[str, ...]]) -> State:
        numbers = self._rules.card_numbers
        heroes = tuple(
            replace(hero, hand=tuple(sorted(numbers[name] for name in hand)))
            for hero, hand in zip(self._start.heroes, deal, strict=True)
        )
        return self._asked(replace(self._start, heroes=heroes))

    def _asked(self, state: State) -> State:
        """Go on to a player who has a reply: sales and uses are none."""
        state = settled(state)
        while not is_over(state) and state.queue and state.agenda[-1].do == Do.PRIORITY:
            if any(move.kind == "flash" for move in legal_moves(state)):
                break
            state = step(state, Move("pass"))
        return state

    def _sight(self, state: State, player: int) -> Hashable:
        """What a player sees: his hand, the queue, HP, and who has passed."""
        return (
            state.heroes[player].hand,
            state.queue,
            tuple(hero.hp for hero in state.heroes),
            state.passes,
        )
