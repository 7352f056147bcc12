"""Import (R8): bidding rounds, taking and placing the cards, and Imports done alone."""

from __future__ import annotations

from itertools import combinations, product
from typing import TYPE_CHECKING, ClassVar

from arena.game.actions import Action, Performing, extended
from arena.game.choices import PASS, Option, number, to_place
from arena.game.choices import seat as seat_option
from arena.game.choices import ship as ship_option
from arena.game.doubles import is_side_of
from arena.game.frames import Frame
from arena.game.hooks import (
    CHOSEN,
    COMPENSATION,
    GOODS_PLACES,
    IMPORT_COUNT,
    IMPORT_TARGETS,
    IMPORTED,
    ISLAND,
    SAILS_HOME_AT,
    WINS_TIES,
)
from arena.game.limits import crew_limit, crew_room, goods_room
from arena.game.moves import add_crew, add_good, discard, from_island, gain, pay
from arena.game.ships import at_sea, unload
from arena.game.state import SEA
from arena.game.terms import IMPORT

if TYPE_CHECKING:
    from arena.game.game import Game

COMPENSATED = 2  # credits for the owner of the Ship (R8.7)
SUPER_COMPENSATED = 4  # the same for a Super Ship (Partnership)


class Auctions(Frame):
    """The bidding rounds of a led Import (R8.1, R8.2)."""

    round: int = 0
    rounds: int = -1

    def start(self, game: Game) -> None:
        """As many rounds as the highest number of Import actions that one player announced."""
        if self.rounds < 0:
            self.rounds = max([p.announced for p in game.players if p.doing == IMPORT], default=0)
        if self.round == self.rounds:
            return self.done(game)
        self.round += 1
        self.step = "target"
        return None

    def target(self, game: Game) -> None:
        """In every round the lead player picks the Ship, also when not taking part (R8.3)."""
        options = import_targets(game, game.lead, self)
        if not options or options == [PASS]:
            game.emit("round-void", round=self.round)  # Q37
            self.step = "start"
            return None
        return game.ask(game.lead, "import-ship", options, then=self.bid, window=True)

    def bid(self, game: Game, chosen: Option) -> None:
        """The round is one event (P7)."""
        self.step = "start"
        if chosen.verb == "pass":
            game.emit("round-void", round=self.round)
            return
        bidders = tuple(
            seat
            for seat in game.clockwise(game.lead)
            if game.players[seat].doing == IMPORT and game.players[seat].announced >= self.round
        )
        for seat in bidders:
            game.players[seat].performed = True
        ship = chosen.ship if chosen.ship >= 0 else None
        game.emit("round", round=self.round, ship=ship, bidders=list(bidders))
        game.perform(Auction(bidders, chosen.ship, chosen.name))


def import_targets(game: Game, seat: int, frame: Frame) -> list[Option]:
    """The Ships at sea, and what powers of the chooser add; those are never forced."""
    options = [ship_option("import", index) for index in at_sea(game)]
    forced = bool(options)
    options = extended(game, IMPORT_TARGETS, seat, options, frame)
    if options and not forced:
        options.insert(0, PASS)
    return options


class Auction(Frame):
    """One bidding round: secret bids, the tie, the payment, the taking (R8.4, R8.5)."""

    bidders: tuple[int, ...]
    ship: int
    target: str = ""  # another target that a power offered
    best: int = 0

    def start(self, game: Game) -> None:
        """A single participant is not asked and wins for 0 (Q39)."""
        if len(self.bidders) == 1:
            return self.won(game, seat_option("tie", self.bidders[0]))
        step = 1 if game.options.market else 2  # Q10
        return game.ask_together(
            "bid",
            [
                (seat, [number("bid", n) for n in range(0, game.players[seat].credits + 1, step)])
                for seat in self.bidders
            ],
            then=self.revealed,
        )

    def revealed(self, game: Game, bids: list[Option]) -> None:
        """All bids are shown together; in a tie the lead player decides, unless a power does (Q41, P24)."""
        self.best = max(bid.amount for bid in bids)
        game.emit("bids", bids=[[seat, bid.amount] for seat, bid in zip(self.bidders, bids, strict=True)])
        tied = [seat for seat, bid in zip(self.bidders, bids, strict=True) if bid.amount == self.best]
        foxes = [seat for seat in tied if len(tied) > 1 and game.query(WINS_TIES, seat, False)]
        game.ask(game.lead, "tie", [seat_option("tie", seat) for seat in foxes or tied], then=self.won)

    def won(self, game: Game, chosen: Option) -> None:
        """The winner pays the bank (R8.4) and takes the cards."""
        self.done(game)
        winner = chosen.seat
        game.emit("won", seat=winner, bid=self.best)
        if self.target:
            CHOSEN.listeners[self.target](game, winner, Option("won", self.target, amount=self.best))
            return
        pay(game, winner, self.best, "bid")
        game.push(Taking(winner, self.ship))


class ImportAlone(Action):
    """One Import without an auction: a bid of 0, alone (P16)."""

    def do(self, game: Game, chosen: Option) -> None:
        """R8.6."""
        game.push(Taking(self.seat, chosen.ship))


class Importing(Performing):
    """Import actions that a power grants; the importer picks the Ship."""

    action: ClassVar[int] = IMPORT
    act: ClassVar[type[Action]] = ImportAlone

    def options(self, game: Game) -> list[Option]:
        return import_targets(game, self.seat, self)


class Taking(Frame):
    """The winner takes cards from the Ship and places them; then its owner is compensated (R8.6-R8.9).

    A card and its place are one choice, one card at a time. All leave the Ship together at the end (Q44),
    unless its owner has Aeroponics, where the Ship may leave as soon as one card is left. In place of a Ship
    a power may name the Supply Island.
    """

    seat: int
    ship: int  # or `ISLAND`
    taken: tuple[int, ...] = ()
    places: tuple[str, ...] = ()
    gone: tuple[int, ...] = ()  # cards that have left the Ship already, one at a time
    joined: bool = False  # it was a Super Ship, which may break up meanwhile

    def start(self, game: Game) -> None:
        """Ask for the next card, as long as there is one to take."""
        front = game.catalogue.front
        taken = [front[card] for card in self.taken]
        aboard = [card for card in self._source(game) if front[card] not in taken]
        number_to_take = game.query(IMPORT_COUNT, self.seat, 2)
        if not aboard or len(self.taken) >= number_to_take:
            self.step = "place"
            return None
        left = 0
        if self.ship != ISLAND:
            ship = game.ships[self.ship]
            self.joined = ship.joined >= 0
            left = game.query(SAILS_HOME_AT, ship.owner, 0)
        rest = max(min(number_to_take, len(self.taken) + len(aboard) - left), len(self.taken) + 1)
        options = []
        for card in aboard:
            others = [other for other in aboard if other != card]
            options += self._places(game, card, others, rest)
        if len(self.taken) >= 2 and _least(game, self.seat, self.taken, self.places):
            options.insert(0, PASS)  # a third card is a "may" (Shampoo)
        return game.ask(self.seat, "import-take", options, then=self.take)

    def _places(self, game: Game, card: int, others: list[int], rest: int) -> list[Option]:
        """A double card without a side is taken for either colour, and discarded only if neither can be placed."""
        sides = game.catalogue.sides[card]
        legal = [legal_places(game, self.seat, self.taken, self.places, side, others, rest) for side in sides]
        if len(sides) == 1:
            return [to_place("take", card, place) for place in legal[0]]
        return [
            to_place("take", side, place)
            for side, places in zip(sides, legal, strict=True)
            for place in places
            if place != "discard" or all("discard" in others for others in legal)
        ]

    def take(self, game: Game, chosen: Option) -> None:
        """One card has its place."""
        if chosen.verb == "pass":
            self.step = "place"
            return
        self.taken += (chosen.card,)
        self.places += (chosen.place,)
        if self.ship == ISLAND:
            return
        owner = game.ships[self.ship].owner
        if game.players[owner].hooks & SAILS_HOME_AT.mask:
            self.gone += (chosen.card,)
            unload(game, self.ship, chosen.card)

    def _source(self, game: Game) -> tuple[int, ...]:
        """What may be taken now."""
        if self.ship == ISLAND:
            return game.island
        ship = game.ships[self.ship]
        return ship.containers if ship.place == SEA else ()

    def place(self, game: Game) -> None:
        """The cards are placed, the owner is compensated, an emptied Ship returns (Q44)."""
        self.done(game)
        tell_import(game, self.seat, self.ship, self.taken)
        for card, place in zip(self.taken, self.places, strict=True):
            if self.ship == ISLAND:
                from_island(game, card)
            put_imported(game, self.seat, card, place)
        if self.ship != ISLAND:
            compensate(game, self.seat, self.ship, self.joined)
            for card in self.taken:
                if card not in self.gone:
                    unload(game, self.ship, card)
        game.trigger(IMPORTED, self.seat, self.ship, self.taken, True)


class TakeOne(Frame):
    """An Import by a power: 1 Container of a Ship at sea, without a bid (P21)."""

    seat: int
    optional: bool
    ship: int = -1  # the only Ship it may come from, -1 for any
    areas: tuple[str, ...] = ("crew", "goods")
    compensated: bool = True  # whether its owner takes credits

    def start(self, game: Game) -> None:
        """The card and its place are one choice; without room it is discarded."""
        places = [area for area in self.areas if area == "goods" or crew_room(game, self.seat)]
        options = [PASS] if self.optional else []
        for index in at_sea(game):
            if self.ship in (-1, index):
                for card in game.ships[index].containers:
                    sides = game.catalogue.sides[card]
                    fitting = [
                        to_place("take", side, place)
                        for side in sides
                        for place in places
                        if place == "crew" or goods_room(game, self.seat, side)
                    ]
                    options += fitting or [to_place("take", side, "discard") for side in sides]
        if not options or options == [PASS]:
            return self.done(game)
        return game.ask(self.seat, "import-one", options, then=self.take)

    def take(self, game: Game, chosen: Option) -> None:
        """In the order of Q44."""
        self.done(game)
        if chosen.verb == "pass":
            return
        card = chosen.card
        index = next(index for index in at_sea(game) if is_side_of(game, card, game.ships[index].containers))
        tell_import(game, self.seat, index, (card,))
        put_imported(game, self.seat, card, chosen.place)
        if self.compensated:
            compensate(game, self.seat, index, game.ships[index].joined >= 0, action=False)
        unload(game, index, card)
        game.trigger(IMPORTED, self.seat, index, (card,), False)


def tell_import(game: Game, seat: int, index: int, cards: tuple[int, ...]) -> None:
    """Tell everybody what has been imported from a Ship, or from the Island."""
    ids = game.catalogue.ids
    game.emit("import", seat=seat, ship=index if index >= 0 else None, cards=[ids[card] for card in cards])


def put_imported(game: Game, seat: int, card: int, place: str) -> None:
    """Crew, Goods, or the discard pile for what does not fit (R8.8)."""
    if place == "crew":
        add_crew(game, seat, card)
    elif place == "goods":
        add_good(game, seat, card)
    else:
        discard(game, card)


def compensate(game: Game, importer: int, index: int, joined: bool, *, action: bool = True) -> None:
    """The owner of the Ship, if another player, takes credits from the bank (R8.7, P21).

    `joined` says that it was a Super Ship. Powers that pay more speak of the Import action alone.
    """
    owner = game.ships[index].owner
    if owner != importer:
        amount = SUPER_COMPENSATED if joined else COMPENSATED
        if action:
            amount = game.query(COMPENSATION, owner, amount)
        gain(game, owner, amount, "compensation")


def legal_places(
    game: Game,
    seat: int,
    taken: tuple[int, ...],
    places: tuple[str, ...],
    card: int,
    others: list[int],
    number_to_take: int,
) -> list[str]:
    """Where `card` may go, so that as few of all the cards taken as possible are discarded (R8.8, Q33).

    `others` may be taken after it, until `number_to_take` cards are taken in all. A place is legal if
    some further cards make a placing with it that discards no more than any placing of the same cards.
    """
    free_crew = "crew" not in places and len(game.players[seat].crew) < crew_limit(game, seat)
    further = number_to_take - len(taken) - 1
    kept = [c for c, place in zip(taken, places, strict=True) if place == "goods"]
    scotch = game.players[seat].hooks & GOODS_PLACES.mask
    if not scotch and goods_room(game, seat, *kept, card, *others[:further]):
        return ["crew", "goods"] if free_crew else ["goods"]  # all of them fit, whatever comes
    legal = []
    following = list(combinations(others, further))
    if scotch and game.doubles:
        following = [cards for row in following for cards in product(*(game.catalogue.sides[c] for c in row))]
    if not scotch:
        del following[1:]  # without Scotch all cards take one place, so one case stands for all
    for place in ("crew", "goods", "discard"):
        if any(_least(game, seat, (*taken, card, *rest), (*places, place)) for rest in following):
            legal.append(place)
    return legal


def _least(game: Game, seat: int, cards: tuple[int, ...], fixed: tuple[str, ...]) -> bool:
    """Whether the `fixed` places of the first `cards` can belong to a placing of all with the fewest discards."""
    fewest, with_fixed = len(cards) + 1, len(cards) + 1
    for placing in product(("crew", "goods", "discard"), repeat=len(cards)):
        discards = placing.count("discard")
        goods = [c for c, p in zip(cards, placing, strict=True) if p == "goods"]
        crew = placing.count("crew")
        if crew > 1 or (crew and len(game.players[seat].crew) >= crew_limit(game, seat)):
            continue
        if goods and not goods_room(game, seat, *goods):
            continue
        fewest = min(fewest, discards)
        if placing[: len(fixed)] == fixed:
            with_fixed = min(with_fixed, discards)
    return with_fixed <= fewest
