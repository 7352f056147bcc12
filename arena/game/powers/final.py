"""Powers of the end: final scoring, and wins."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.game.choices import PASS, Option, option, with_card
from arena.game.goods import count_goods, crew_cards, crew_of
from arena.game.hooks import (
    END_CREDITS,
    END_MOVE,
    FINAL_GOODS,
    GOOD_VALUE,
    MAJORITY,
    PLACED,
    WIN_CHECK,
    Placed,
)
from arena.game.limits import goods_room
from arena.game.moves import add_good, without
from arena.game.powers.base import PowerFrame, is_first
from arena.game.scoring import FinalScoring, final_goods, has_most
from arena.game.terms import ACTIONS, CONSUMER, FIVE, ILLEGAL, LUXURY, SUPPLY, TYPE_OF, TYPES

if TYPE_CHECKING:
    from arena.game.game import Game


# What Goods count as, and for how much


@FINAL_GOODS("ceramics")
def ceramics(game: Game, owner: int, card: int, counts: list[int]) -> list[int]:
    """Every 2 Consumer Goods in your Goods add 1 Luxury Good to your count."""
    counts[LUXURY] += count_goods(game, owner)[CONSUMER] // 2
    return counts


@GOOD_VALUE("long-coats")
def long_coats(game: Game, owner: int, card: int, values: list[int]) -> list[int]:
    """Your Luxury Goods are worth 3 credits instead of 1."""
    values[LUXURY] = 3
    return values


@MAJORITY("ivory")
def ivory(game: Game, owner: int, card: int, share: int, kind: int) -> int:
    """For the most Illegal Goods you take credits instead of paying them."""
    return abs(share)


@MAJORITY("sauna")
def sauna(game: Game, owner: int, card: int, share: int, kind: int) -> int:
    """What you receive, or pay, for the most Goods of a type is doubled."""
    return 2 * share if is_first(game, owner, card) else share


# Credits


@END_CREDITS("artifacts")
def artifacts(game: Game, owner: int, card: int) -> int:
    """20 credits if you have at least 2 Goods of each type."""
    return 20 if min(final_goods(game, owner)) >= 2 else 0


@END_CREDITS("champagne")
def champagne(game: Game, owner: int, card: int) -> int:
    """8 credits if you have more fulfilled contracts than every other player."""
    return 8 if has_most(game, owner, [player.contracts for player in game.players]) else 0


@END_CREDITS("cologne")
def cologne(game: Game, owner: int, card: int) -> int:
    """4 credits for each Crew card of one type of action, here the one that pays most."""
    return 4 * max(len(crew_of(game, owner, action)) for action in range(len(ACTIONS)))


@END_CREDITS("gold-stuff", "import-export-definitive-edition")
def paid_for_luxury_contracts(game: Game, owner: int, card: int) -> int:
    """6 credits for each Luxury contract among your fulfilled ones, this one included."""
    colors = game.catalogue.colors
    return 6 * sum(colors[contract] == LUXURY for contract in game.players[owner].fulfilled)


@END_CREDITS("nice-suits")
def nice_suits(game: Game, owner: int, card: int) -> int:
    """16 credits if your Ships, in Port and at sea, carry more Containers than those of every other player."""
    carried = [0] * len(game.players)
    for ship in game.ships:
        carried[ship.owner] += len(ship.containers)
    return 16 if has_most(game, owner, carried) else 0


@END_CREDITS("velvet-robes")
def velvet_robes(game: Game, owner: int, card: int) -> int:
    """1 credit for each card in your hand."""
    return len(game.players[owner].hand)


def _luxury(game: Game, owner: int, card: int, placed: Placed) -> bool:
    return game.catalogue.colors[placed.card] == LUXURY


@PLACED("helicopter", when=_luxury, simple=True)
def helicopter(game: Game, owner: int, card: int, placed: Placed) -> None:
    """Each time a player places a Luxury contract, put 4 credits on Helicopter; you take them in final scoring."""
    game.marks[card] = game.marks.get(card, 0) + 4
    game.emit("mark", seat=owner, card=game.catalogue.ids[card], credits=game.marks[card])


@END_CREDITS("helicopter")
def take_from_helicopter(game: Game, owner: int, card: int) -> int:
    """The credits that lie on it."""
    return game.marks.get(card, 0)


# Before Goods are counted


@END_MOVE("cheap-shirts")
def cheap_shirts(game: Game, owner: int, card: int) -> None:
    """Move as many Crew cards as possible to your Goods."""
    game.push(CheapShirts(owner, card))


class CheapShirts(PowerFrame):
    """Asks for the cards one at a time, if not all can move."""

    moving: tuple[int, ...] = ()

    def start(self, game: Game) -> None:
        crew = [card for card in game.players[self.owner].crew if card not in self.moving]
        fitting = self._fill(game, self.moving)
        if len(fitting) == len(self.moving) + len(crew):
            return self._move(game, (*self.moving, *crew))
        if len(fitting) == len(self.moving):
            return self._move(game, self.moving)
        options = [
            with_card("move", card)
            for card in crew
            if goods_room(game, self.owner, *self.moving, card)
            and len(self._fill(game, (*self.moving, card))) == len(fitting)
        ]
        return game.ask(self.owner, "cheap-shirts", options, then=self.choose)

    def choose(self, game: Game, chosen: Option) -> None:
        self.moving += (chosen.card,)

    def _fill(self, game: Game, cards: tuple[int, ...]) -> tuple[int, ...]:
        """`cards` and as many others as fit with them; Luxury first, of which two may take one place (Scotch)."""
        colors = game.catalogue.colors
        rest = [card for card in game.players[self.owner].crew if card not in cards]
        for card in sorted(rest, key=lambda card: colors[card] != LUXURY):
            if goods_room(game, self.owner, *cards, card):
                cards = (*cards, card)
        return cards

    def _move(self, game: Game, cards: tuple[int, ...]) -> None:
        self.done(game)
        player = game.players[self.owner]
        for card in cards:
            player.crew = without(player.crew, card)
            add_good(game, self.owner, card)


@END_MOVE("teslas")
def teslas(game: Game, owner: int, card: int) -> None:
    """Each Supply card in your Crew also counts as a Good of a type that you choose."""
    game.push(Teslas(owner, card))


class Teslas(PowerFrame):
    """Asks for a type card by card; what is declared is public."""

    asked: tuple[int, ...] = ()

    def start(self, game: Game) -> None:
        waiting = [card for card in crew_of(game, self.owner, SUPPLY) if card not in self.asked]
        if not waiting:
            return self.done(game)
        self.asked += (waiting[0],)
        options = [option("declare", TYPES[kind], waiting[0]) for kind in FIVE]
        return game.ask(self.owner, "teslas", [PASS, *options], then=self.declare)

    def declare(self, game: Game, chosen: Option) -> None:
        if chosen.verb == "pass":
            return
        for scoring in game.stack:
            if isinstance(scoring, FinalScoring):
                scoring.declared += ((self.card, chosen.card, TYPE_OF[chosen.name]),)
        game.emit("declare", seat=self.owner, card=game.catalogue.ids[chosen.card], type=chosen.name)


@FINAL_GOODS("teslas")
def count_declared(game: Game, owner: int, card: int, counts: list[int]) -> list[int]:
    """What has been declared counts as long as it is Crew."""
    for scoring in game.stack:
        if isinstance(scoring, FinalScoring):
            for power, member, kind in scoring.declared:
                counts[kind] += power == card and member in game.players[owner].crew
    return counts


# Wins


@WIN_CHECK("exotic-fish")
def exotic_fish(game: Game, owner: int, card: int) -> bool:
    """You win with twice the credits of each other player, and more Goods than every other one."""
    own = game.players[owner].credits
    rich = own > 0 and all(own >= 2 * game.players[seat].credits for seat in game.others(owner))
    return rich and has_most(game, owner, [len(player.goods) for player in game.players])


@WIN_CHECK("improbability")
def improbability(game: Game, owner: int, card: int) -> bool:
    """You win if your Crew, your fulfilled contracts and your Goods each have a card of all five colours."""
    player = game.players[owner]
    colors = game.catalogue.colors
    areas = (crew_cards(game, owner), player.fulfilled, player.goods)
    return all(set(FIVE) <= {colors[lying] for lying in area} for area in areas)


@WIN_CHECK("mother-load")
def mother_load(game: Game, owner: int, card: int) -> bool:
    """You win with 8 or more Illegal Goods."""
    return count_goods(game, owner)[ILLEGAL] >= 8
