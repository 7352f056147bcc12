"""Powers that take from the other players, or make them pay."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.game import knowledge
from arena.game.chance import below
from arena.game.choices import Option, named, with_card
from arena.game.choices import seat as seat_option
from arena.game.frames import Frame
from arena.game.goods import count_goods, good_types, is_type
from arena.game.hooks import (
    BEFORE_PIRACY,
    FULFILLED,
    ON_FULFIL,
    PAID,
    PIRATED,
    Fulfilled,
    Paid,
    Piracy,
    Pirated,
)
from arena.game.limits import goods_room
from arena.game.moves import (
    add_good,
    discard,
    draw,
    from_hand,
    gain,
    hand_over,
    pay,
    seen_to_hand,
    to_island,
    without,
)
from arena.game.powers.base import PowerFrame, leave_fulfilled
from arena.game.terms import AGRICULTURE, ILLEGAL, LUXURY

if TYPE_CHECKING:
    from arena.game.game import Game


# Credits


@ON_FULFIL("ammunition")
def ammunition(game: Game, owner: int, card: int, ship: int) -> None:
    """Each other player with at least one Illegal Good pays you 2 credits."""
    for seat in game.others(owner):
        if count_goods(game, seat)[ILLEGAL]:
            pay(game, seat, 2, "ammunition", to=owner)


@ON_FULFIL("danger-pets")
def danger_pets(game: Game, owner: int, card: int, ship: int) -> None:
    """Each other player gives you 2 credits."""
    for seat in game.others(owner):
        pay(game, seat, 2, "danger-pets", to=owner)


@ON_FULFIL("flametorch")
def flametorch(game: Game, owner: int, card: int, ship: int) -> None:
    """Flip a coin. Heads: each other player pays you 4 credits. Tails: you pay each of them 2."""
    heads = below(game, 2) == 0
    game.emit("coin", seat=owner, heads=heads)
    others = game.others(owner)
    if heads:
        for seat in others:
            pay(game, seat, 4, "flametorch", to=owner)
    elif pay(game, owner, 2 * len(others), "flametorch"):  # one payment, in full or not at all (P2, P38)
        for seat in others:
            gain(game, seat, 2, "flametorch")


@ON_FULFIL("import-tax")
def import_tax(game: Game, owner: int, card: int, ship: int) -> None:
    """Each other player with at least 4 credits pays 4 to the bank. Then Import Tax is discarded."""
    for seat in game.others(owner):
        pay(game, seat, 4, "import-tax")
    if leave_fulfilled(game, owner, card):
        discard(game, card)


def _illegal_of_another(game: Game, owner: int, card: int, done: Fulfilled) -> bool:
    return done.seat != owner and ILLEGAL in done.contract_types


@FULFILLED("pistols", when=_illegal_of_another, simple=True)
def pistols(game: Game, owner: int, card: int, done: Fulfilled) -> None:
    """Each time another player fulfils an Illegal contract, he pays you 2 credits."""
    for _ in range(done.contract_types.count(ILLEGAL)):
        pay(game, done.seat, 2, "pistols", to=owner)


def _much_of_another(game: Game, owner: int, card: int, paid: Paid) -> bool:
    return paid.seat != owner and paid.amount >= 4


@PAID("fake-dvds", when=_much_of_another, simple=True)
def fake_dvds(game: Game, owner: int, card: int, paid: Paid) -> None:
    """Each time another player pays or loses 4 or more credits in one payment, take 2 credits."""
    gain(game, owner, 2, "fake-dvds")


def _first_of_another(game: Game, owner: int, card: int, piracy: Piracy) -> bool:
    return piracy.seat != owner and card not in game.players[piracy.seat].used


@BEFORE_PIRACY("poison-bottles", when=_first_of_another, simple=True)
def poison_bottles(game: Game, owner: int, card: int, piracy: Piracy) -> None:
    """Another player who does Piracy pays you 2 credits, once per turn, just before the first such action."""
    game.players[piracy.seat].used += (card,)  # who cannot pay now owes nothing later
    pay(game, piracy.seat, 2, "poison-bottles", to=owner)


# Goods


@ON_FULFIL("insects")
class Insects(PowerFrame):
    """Give another player all your Illegal Goods; those beyond the limit are discarded. Then take one Good back."""

    target: int = -1
    cards: tuple[int, ...] = ()  # given, and kept so far

    def start(self, game: Game) -> None:
        options = [seat_option("give", seat) for seat in game.others(self.owner)]
        game.ask(self.owner, "insects", options, then=self.give)

    def give(self, game: Game, chosen: Option) -> None:
        self.target = chosen.seat
        giver = game.players[self.owner]
        kinds = good_types(game, self.owner)
        self.cards = tuple(card for card, kind in zip(giver.goods, kinds, strict=True) if kind == ILLEGAL)
        for card in self.cards:
            giver.goods = without(giver.goods, card)
        self.step = "keep"

    def keep(self, game: Game) -> None:
        """The receiver picks which of them to discard, one at a time, until the rest fits."""
        if goods_room(game, self.target, *self.cards):
            for card in self.cards:
                add_good(game, self.target, card)
            self.cards = ()
            self.step = "take"
            return None
        options = [with_card("discard", card) for card in self.cards]
        return game.ask(self.target, "insects", options, then=self.drop)

    def drop(self, game: Game, chosen: Option) -> None:
        self.cards = without(self.cards, chosen.card)
        discard(game, chosen.card)

    def take(self, game: Game) -> None:
        goods = game.players[self.target].goods
        if not goods:
            return self.done(game)
        options = [with_card("take", card) for card in goods]
        return game.ask(self.owner, "insects", options, then=self.taken)

    def taken(self, game: Game, chosen: Option) -> None:
        self.done(game)
        move_good(game, self.target, self.owner, chosen.card)


def move_good(game: Game, giver: int, receiver: int, card: int) -> None:
    """A Good goes from one player to another."""
    game.players[giver].goods = without(game.players[giver].goods, card)
    add_good(game, receiver, card)


@ON_FULFIL("interest")
class Interest(PowerFrame):
    """Each other player who has Goods gives you one of own choice."""

    asked: int = 0

    def start(self, game: Game) -> None:
        others = game.others(self.owner)
        while self.asked < len(others):
            giver = game.players[others[self.asked]]
            self.asked += 1
            if giver.goods:
                options = [with_card("give", card) for card in giver.goods]
                return game.ask(giver.seat, "interest", options, then=self.given)
        return self.done(game)

    def given(self, game: Game, chosen: Option) -> None:
        giver = game.others(self.owner)[self.asked - 1]
        move_good(game, giver, self.owner, chosen.card)


@ON_FULFIL("vacuums")
class Vacuums(PowerFrame):
    """Each other player gives you, of own choice, the whole hand or one Luxury Good."""

    asked: int = 0

    def start(self, game: Game) -> None:
        others = game.others(self.owner)
        while self.asked < len(others):
            giver = game.players[others[self.asked]]
            self.asked += 1
            options = [named("give", "hand")] if giver.hand else []
            kinds = good_types(game, giver.seat)
            options += [
                with_card("give", card)
                for card, kind in zip(giver.goods, kinds, strict=True)
                if kind == LUXURY
            ]
            if options:
                return game.ask(giver.seat, "vacuums", options, then=self.given)
        return self.done(game)

    def given(self, game: Game, chosen: Option) -> None:
        giver = game.others(self.owner)[self.asked - 1]
        if chosen.name == "hand":
            hand_over(game, giver, self.owner, game.players[giver].hand)
        else:
            move_good(game, giver, self.owner, chosen.card)


# Cards of hands


@ON_FULFIL("hawaiian-salt")
def hawaiian_salt(game: Game, owner: int, card: int, ship: int) -> None:
    """All others reveal their hands; take every Agriculture card into your hand and 2 credits for each."""
    ids = game.catalogue.ids
    taken = 0
    for seat in game.others(owner):
        hand = game.players[seat].hand
        game.emit("reveal", seat=seat, cards=[ids[held] for held in hand])
        knowledge.hand_shown(game, seat)
        for held in hand:
            if is_type(game, held, AGRICULTURE):
                from_hand(game, seat, held)
                seen_to_hand(game, owner, held)
                taken += 1
    gain(game, owner, 2 * taken, "hawaiian-salt")


@ON_FULFIL("muji-pens")
def muji_pens(game: Game, owner: int, card: int, ship: int) -> None:
    """Put your whole hand on the Island, then take 3 cards at random from each other hand, or all of fewer."""
    for held in game.players[owner].hand:
        from_hand(game, owner, held)
        to_island(game, held)
    for seat in game.others(owner):
        take_at_random(game, seat, owner, 3)


def take_at_random(game: Game, giver: int, receiver: int, count: int) -> None:
    """So many cards of a hand, or all of fewer, go into another one; these two players alone see which."""
    hand = list(game.players[giver].hand)
    taken = [hand.pop(below(game, len(hand))) for _ in range(min(count, len(hand)))]
    hand_over(game, giver, receiver, tuple(sorted(taken)))


class Secretly(Frame):
    """Some players each choose cards of their hands, at the same time and unseen by each other (P12).

    They are asked for one card at a time; nobody is asked who has no choice. Then all is carried out.
    """

    seats: tuple[int, ...]  # in the order in which it is carried out
    count: int
    chosen: tuple[tuple[int, int], ...] = ()  # (seat, card)

    def start(self, game: Game) -> None:
        asked: list[tuple[int, list[Option]]] = []
        for seat in self.seats:
            picked = [card for by, card in self.chosen if by == seat]
            rest = [card for card in game.players[seat].hand if card not in picked]
            left = min(self.count - len(picked), len(rest))
            if left == len(rest):
                self.chosen += tuple((seat, card) for card in rest)
            elif left:
                asked.append((seat, [with_card(self.verb(), card) for card in rest]))
        if asked:
            return game.ask_together(self.verb(), asked, then=self.choose)
        self.done(game)
        for seat in self.seats:
            self.carry_out(game, seat, tuple(card for by, card in self.chosen if by == seat))
        return None

    def choose(self, game: Game, chosen: list[Option]) -> None:
        for choice in chosen:
            seat = next(p.seat for p in game.players if choice.card in p.hand)
            self.chosen += ((seat, choice.card),)

    def take_back(self, seat: int | None) -> None:
        self.chosen = tuple(pick for pick in self.chosen if pick[0] == seat)

    def verb(self) -> str:
        raise NotImplementedError

    def carry_out(self, game: Game, seat: int, cards: tuple[int, ...]) -> None:
        raise NotImplementedError


class Gifts(Secretly):
    """The cards go into the hand of `receiver`."""

    receiver: int = -1

    def verb(self) -> str:
        return "give"

    def carry_out(self, game: Game, seat: int, cards: tuple[int, ...]) -> None:
        hand_over(game, seat, self.receiver, cards)


class Discards(Secretly):
    """The cards are discarded."""

    def verb(self) -> str:
        return "discard"

    def carry_out(self, game: Game, seat: int, cards: tuple[int, ...]) -> None:
        for card in cards:
            from_hand(game, seat, card)
        discard(game, *cards)


@ON_FULFIL("market-data")
class MarketData(PowerFrame):
    """Every other player gives you 2 cards of own choice, or all of fewer. Then Market Data is discarded."""

    def start(self, game: Game) -> None:
        self.step = "leave"
        game.push(Gifts(game.others(self.owner), 2, receiver=self.owner))

    def leave(self, game: Game) -> None:
        self.done(game)
        if leave_fulfilled(game, self.owner, self.card):
            discard(game, self.card)


@ON_FULFIL("opposition-leaflets")
def opposition_leaflets(game: Game, owner: int, card: int, ship: int) -> None:
    """Every player, you included, discards 1 card of own choice."""
    game.push(Discards(game.clockwise(owner), 1))


@ON_FULFIL("sculptures")
def sculptures(game: Game, owner: int, card: int, ship: int) -> None:
    """Every other player draws 3 cards, then gives you 2 of own choice; who has fewer gives nothing."""
    for seat in game.others(owner):
        draw(game, seat, 3)
    givers = tuple(seat for seat in game.others(owner) if len(game.players[seat].hand) >= 2)
    game.push(Gifts(givers, 2, receiver=owner))


def _of_another(game: Game, owner: int, card: int, done: Fulfilled) -> bool:
    return done.seat != owner


@FULFILLED("a-small-tank", when=_of_another)
def a_small_tank(game: Game, owner: int, card: int, done: Fulfilled) -> None:
    """Each time another player fulfils a contract, he gives you 1 card of own choice from his hand."""
    game.push(Gifts((done.seat,), len(done.contracts), receiver=owner))


def _from_another_at_sea(game: Game, owner: int, card: int, pirated: Pirated) -> bool:
    return pirated.seat == owner != pirated.victim and pirated.at_sea


@PIRATED("big-ammunition", when=_from_another_at_sea)
def big_ammunition(game: Game, owner: int, card: int, pirated: Pirated) -> None:
    """Each time you pirate from another player's Ship at sea, take a random card from that player's hand."""
    take_at_random(game, pirated.victim, owner, 1)


def _first_of_anyone(game: Game, owner: int, card: int, piracy: Piracy) -> bool:
    return card not in game.players[piracy.seat].used


@BEFORE_PIRACY("shotguns", when=_first_of_anyone, simple=True)
def shotguns(game: Game, owner: int, card: int, piracy: Piracy) -> None:
    """Before your first Piracy of a turn all who did Piracy before you in it give you 2 credits or 2 cards.

    That a player has done Piracy in this turn is noted in `used`, the owner's own Piracy too.
    """
    game.players[piracy.seat].used += (card,)
    if piracy.seat == owner:
        before = [seat for seat in game.others(owner) if card in game.players[seat].used]
        game.push(Shotguns(owner, tuple(before)))


class Shotguns(Frame):
    """Asks openly for credits or cards, clockwise; the cards are then chosen by all at the same time (P12)."""

    owner: int
    pirates: tuple[int, ...]
    givers: tuple[int, ...] = ()  # who gives cards

    def start(self, game: Game) -> None:
        if not self.pirates:
            self.done(game)
            return game.push(Gifts(self.givers, 2, receiver=self.owner))
        pirate = game.players[self.pirates[0]]
        options = [named("give", "credits")] if pirate.credits >= 2 else []
        options += [named("give", "cards")] if len(pirate.hand) >= 2 else []
        if not options:
            self.pirates = self.pirates[1:]
            return None
        return game.ask(pirate.seat, "shotguns", options, then=self.given)

    def given(self, game: Game, chosen: Option) -> None:
        pirate, *others = self.pirates
        self.pirates = tuple(others)
        if chosen.name == "credits":
            pay(game, pirate, 2, "shotguns", to=self.owner)
        else:
            self.givers += (pirate,)
