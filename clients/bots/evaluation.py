"""What a position is worth to a seat, in credits: the knowledge of the greedy bot.

Only what the seat may know goes in, if the game is a sample: the board, the own hand, and the sizes of the
others' hands. How options are tried out is in `greedy`.
"""

from __future__ import annotations

from typing import NamedTuple

from arena.game import Game
from arena.game.fulfil import PAYOUTS
from arena.game.goods import count_goods, levels, missing_levels
from arena.game.hooks import CONTAINER, GOODS_COUNT, LEVELS, SLOT
from arena.game.matching import match
from arena.game.scoring import ALL_TYPES, GOOD_VALUES, MAJORITIES
from arena.game.ships import container_masks, load_room, slots_of
from arena.game.state import PORT, Player, Ship
from arena.game.terms import CAPITAL, END_CREDITS


class Weights(NamedTuple):
    """What things are worth, in credits. Estimates from the rules, good enough for a first bot; none was fitted."""

    good: float = 1.0
    """Of what the Goods would score now by R14.2."""
    all_types: float = 0.8
    """Of the bonus for all types (R14.3), by the square of the share of types that are there."""
    majority: float = 0.7
    """Of what the most Goods of each type would score now (R14.4): others may still catch up."""
    crew: float = 3.0
    """A Crew card at the beginning; it has fewer turns to work as the end comes nearer."""
    contract: float = 4.0
    """A fulfilled contract at the beginning: room for Crew and Goods, and its power."""
    hand: float = 1.2
    """Each of the first five cards in hand."""
    further_hand: float = 0.5
    """Each further card: a Draw action brings one alone then (R3.2)."""
    held_container: float = 1.6
    """Of a hand card that an own Ship needs."""
    missing: float = 3.2
    """Cost of a Container that a contract still needs: a card, and the action that loads it."""
    begun: float = 0.25
    """Least share of a contract's reward that it is worth while Containers are missing."""
    placeable: float = 0.8
    """A contract in hand that could be placed now."""
    pending: float = 1.5
    """An action that is announced and may not have been performed yet."""
    rivals: float = 0.5
    """Of the mean worth of the others."""
    victory: float = 30.0
    """For a game that has ended with the seat on the first place."""


WEIGHTS = Weights()


def worth(game: Game, seat: int, weights: Weights = WEIGHTS) -> float:
    """How well `seat` stands: its own worth less a part of the others'; after the end, by the result."""
    return Appraiser(weights).worth(game, seat)


class Appraiser:
    """Values positions of one game; Goods, hands and Ships that it has seen it does not work out again."""

    def __init__(self, weights: Weights) -> None:
        self.weights = weights
        self._goods: dict[tuple[tuple[int, ...], ...], list[tuple[float, float]]] = {}
        self._hands: dict[tuple[int, tuple[int, ...], tuple[int, ...], int, int], float] = {}
        self._ships: dict[tuple[tuple[int, ...], tuple[int, ...]], float] = {}

    def worth(self, game: Game, seat: int) -> float:
        """See `worth`."""
        weights = self.weights
        if game.result is not None:
            credits = game.result.credits
            rivals = max(credits[:seat] + credits[seat + 1 :])
            won = game.result.places[seat] == 1
            return credits[seat] - rivals + (weights.victory if won else -weights.victory)
        goods = self.goods(game)
        ships = self.ships(game)
        left = 1 - min(1.0, max([player.credits for player in game.players]) / END_CREDITS)
        own = 0.0
        others = 0.0
        for player in game.players:
            shares, scored = goods[player.seat]
            stands = (
                player.credits
                + shares
                + scored
                + left * (weights.crew * len(player.crew) + weights.contract * len(player.fulfilled))
                + ships[player.seat]
            )
            if player.seat == seat:
                own = stands + self.hand(game, player) + weights.pending * max(0, player.announced)
            else:
                others += stands + cards_worth(len(player.hand), weights)
        return own - weights.rivals * others / (len(game.players) - 1)

    def goods(self, game: Game) -> list[tuple[float, float]]:
        """For each seat what its Goods score in majorities, and by themselves."""
        areas = tuple([player.goods for player in game.players])
        known = self._goods.get(areas) if not game.hooks & GOODS_COUNT.mask else None
        if known is None:
            counts = [count_goods(game, player.seat) for player in game.players]
            known = [
                (self.weights.majority * share, goods_worth(own, self.weights))
                for share, own in zip(majorities(counts), counts, strict=True)
            ]
            self._goods[areas] = known
        return known

    def hand(self, game: Game, player: Player) -> float:
        """What a hand is worth to its player just now."""
        needed, room = port_needs(game, player.seat)
        if player.hooks & (LEVELS.mask | GOODS_COUNT.mask):
            return hand_worth(game, player, needed, room, self.weights)
        held = player.seat, player.hand, player.goods, needed, room
        if held not in self._hands:
            self._hands[held] = hand_worth(game, player, needed, room, self.weights)
        return self._hands[held]

    def ships(self, game: Game) -> list[float]:
        """For each seat its contracts under way: reward less what is still to be done for it."""
        totals = [0.0] * len(game.players)
        bent = game.hooks & (SLOT.mask | CONTAINER.mask)
        for ship in game.ships:
            if ship.contracts and ship.place == PORT:
                if bent or ship.rainbow or ship.pairs or ship.reduced:
                    totals[ship.owner] += contract_worth(game, ship, self.weights)
                    continue
                aboard = ship.contracts, ship.containers
                if aboard not in self._ships:
                    self._ships[aboard] = contract_worth(game, ship, self.weights)
                totals[ship.owner] += self._ships[aboard]
        return totals


def majorities(counts: list[list[int]]) -> list[float]:
    """For each seat what the most Goods of each type would score now (R14.4), ties split (R14.6)."""
    shares = [0.0] * len(counts)
    for amount, column in zip(MAJORITIES, zip(*counts, strict=True), strict=True):
        most = max(column)
        if most:
            share = amount / column.count(most)
            for seat, count in enumerate(column):
                if count == most:
                    shares[seat] += share
    return shares


def goods_worth(counts: list[int], weights: Weights) -> float:
    """What the Goods score by themselves (R14.2, R14.3)."""
    if not any(counts):
        return 0.0
    scored = sum([count * value for count, value in zip(counts, GOOD_VALUES, strict=True)])
    share = 1 - counts.count(0) / len(counts)
    return weights.good * scored + weights.all_types * ALL_TYPES * share**2


def contract_worth(game: Game, ship: Ship, weights: Weights) -> float:
    """One Ship with contracts: between a small share of its reward and all of it."""
    slots = [mask for mask, _ in slots_of(game, ship)]
    served = match(slots, container_masks(game, ship))
    missing = sum(1 for container in served if container < 0)
    aboard = len(ship.containers) + missing
    reward = PAYOUTS[min(aboard, 5)] + weights.contract * len(ship.contracts)
    done = 1 - missing / len(slots) if slots else 1.0
    least = weights.begun * reward * (0.2 + 0.8 * done)
    return max(least, reward - weights.missing * missing)


def cards_worth(cards: int, weights: Weights) -> float:
    """A number of cards in hand, whatever they are."""
    return weights.hand * min(cards, 5) + weights.further_hand * max(0, cards - 5)


def hand_worth(game: Game, player: Player, needed: int, room: int, weights: Weights) -> float:
    """The own hand, with what its cards are good for just now: see `port_needs`."""
    total = cards_worth(len(player.hand), weights)
    masks, loads = game.catalogue.masks, game.catalogue.loads
    found = levels(game, player.seat) if room else []
    for card in player.hand:
        if needed & masks[card] and masks[card] != 1 << CAPITAL:
            total += weights.held_container - weights.hand
        elif room >= len(loads[card]) and not missing_levels(game, card, found):
            total += weights.placeable
    return total


def port_needs(game: Game, seat: int) -> tuple[int, int]:
    """The colours that the Ships in the own Port need, as a mask, and the most load that one can still take."""
    needed = 0
    room = 0
    for ship in game.ships:
        if ship.owner == seat and ship.place == PORT:
            needed |= ship.open
            room = max(room, load_room(game, ship))
    return needed, room
