"""How far ahead of the others a seat is, in credits: what `heuristic` looks at after some imagined turns.

Other than the evaluation of `greedy` it asks what has been seen to count at the end of games, not what things
cost. Only what the seat may know goes in, if the game is a sample.
"""

from __future__ import annotations

from typing import NamedTuple

from arena.game import Game
from arena.game.fulfil import PAYOUTS
from arena.game.goods import count_goods
from arena.game.state import PORT, Player
from arena.game.terms import END_CREDITS, HAND_SIZE
from clients.bots.evaluation import majorities
from clients.bots.habits import missing_slots


class Outlook(NamedTuple):
    """What things are worth, in credits at the end.

    Rounded means of two linear fits of the final difference in credits, over 1,200 games with two seats and 250
    with four, played by the rules of thumb.
    """

    credits: float = 1.05
    """A credit: it also brings the end nearer for the one who leads."""
    majority: float = 0.78
    """Of what the most Goods of each type would score now (R14.4)."""
    all_types: float = 1.0
    """Goods of all types (R14.3), by the square of the share of types that are there."""
    crew: float = 2.5
    """A Crew card at the beginning; it has fewer turns to work as the end comes nearer."""
    contract: float = 7.0
    """A fulfilled contract at the beginning: limits and a power."""
    hand: float = 0.4
    """Each of the first five cards in hand."""
    under_way: float = 0.9
    """Of the reward for contracts on a Ship, by the share of its Containers that is aboard."""
    pending: float = 6.0
    """A fulfilled contract at the beginning, as part of that reward."""
    leads: float = 0.45
    """To be the next to lead."""
    victory: float = 8.0
    """To have ended the game on the first place; as much less, if another one has."""


OUTLOOK = Outlook()


def lead_over_others(game: Game, seat: int, outlook: Outlook = OUTLOOK) -> float:
    """The own standing less the mean of the best of the others and of all others."""
    if game.result is not None:
        credits = game.result.credits
        won = game.result.places[seat] == 1
        margin = credits[seat] - max(credits[:seat] + credits[seat + 1 :])
        return margin + (outlook.victory if won else -outlook.victory)
    counts = [count_goods(game, player.seat) for player in game.players]
    shares = majorities(counts)
    left = 1 - min(1.0, max(player.credits for player in game.players) / END_CREDITS)
    stands = []
    for player, goods, share in zip(game.players, counts, shares, strict=True):
        types = 1 - goods.count(0) / len(goods)
        stands.append(
            outlook.credits * player.credits
            + outlook.majority * share
            + outlook.all_types * types**2
            + left * (outlook.crew * len(player.crew) + outlook.contract * len(player.fulfilled))
            + outlook.hand * min(HAND_SIZE, len(player.hand))
            + outlook.under_way * under_way(game, player, outlook.pending * left)
            + outlook.leads * (game.lead == player.seat)
        )
    own = stands.pop(seat)
    return own - (max(stands) + sum(stands) / len(stands)) / 2


def under_way(game: Game, player: Player, each: float) -> float:
    """The rewards of contracts on Ships in Port, as far as they are served; `each` is for a contract itself."""
    total = 0.0
    for ship in game.ships:
        if ship.contracts and ship.owner == player.seat and ship.place == PORT:
            missing = len(missing_slots(game, ship))
            size = len(ship.containers) + missing
            reward = PAYOUTS[min(size, 5)] + each * len(ship.contracts)
            total += reward * (1 - missing / max(1, size))
    return total
