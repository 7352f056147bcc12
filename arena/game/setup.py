"""Options of a game, and the deal (R2)."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

from arena.game import knowledge, market, tokens
from arena.game.catalogue import SETS, Catalogue, default_catalogue, quoted
from arena.game.chance import below, shuffle
from arena.game.errors import OptionsError
from arena.game.game import Game
from arena.game.hooks import FROM_HAND
from arena.game.moves import discard, take_top, to_token
from arena.game.state import PORT, SEA, Player, Ship
from arena.game.terms import CAPITAL, HAND_SIZE, MAX_PLAYERS, MIN_PLAYERS, SHIP_CARDS, START_CREDITS
from arena.game.tokyo import PORT_ALONE
from arena.game.turn import Table

MAX_SEED = 2**256 - 1
PLAYABLE_SETS = tuple(name for name in SETS if name != "base")
"""The sets that can be dealt beside the base one."""


class Options(NamedTuple):
    """What is played: the number of seats and the sets beside the base one (Q1, Q2)."""

    players: int = 4
    sets: tuple[str, ...] = ()
    market: bool = False
    containers: str = "cards"

    def check(self) -> Options:
        """The same options with the sets in their usual order; raises `OptionsError` for anything illegal."""
        if type(self.players) is not int or not MIN_PLAYERS <= self.players <= MAX_PLAYERS:
            raise OptionsError(f"{self.players!r} players cannot play; {MIN_PLAYERS} to {MAX_PLAYERS} can")
        if not isinstance(self.sets, (tuple, list)):
            raise OptionsError(f"sets is {self.sets!r}; give a list of names of {', '.join(SETS)}")
        for name in self.sets:
            if name not in (*SETS, PORT_ALONE):
                raise OptionsError(f"there is no set {name!r}; the sets are {', '.join((*SETS, PORT_ALONE))}")
        if type(self.market) is not bool:
            raise OptionsError(f"market is {self.market!r}; say true or false")
        if self.containers not in tokens.CONTAINERS:
            raise OptionsError(
                f"containers is {quoted(self.containers)}; take {', '.join(tokens.CONTAINERS[:-1])} "
                f"or {tokens.CONTAINERS[-1]}"
            )
        names = [name for name in SETS if name in self.sets and name != "base"]
        if PORT_ALONE in self.sets and "tokyo" not in names:
            names.append(PORT_ALONE)
        return self._replace(sets=tuple(names))

    def to_json(self) -> dict[str, Any]:
        """For records and messages."""
        return {**self._asdict(), "sets": list(self.sets)}


def check_seed(seed: int) -> int:
    """A seed is a whole number from 0 to 2**256 - 1."""
    if type(seed) is not int or not 0 <= seed <= MAX_SEED:
        shown = repr(seed)[:40]
        raise OptionsError(f"the seed {shown} is not one; give a whole number from 0 to 2**256 - 1")
    return seed


def cards_in_use(options: Options, catalogue: Catalogue) -> list[int]:
    """The numbers of the cards that are shuffled (R2.2)."""
    return sorted(card.number for card in catalogue.cards if card.set == "base" or card.set in options.sets)


@lru_cache(16)
def _hand_powers(catalogue: Catalogue, capital: bool) -> frozenset[int]:
    """The cards that may be used from the hand: by their power, or as Capital cards that may be discarded."""
    return frozenset(
        catalogue.front[number]
        for number, power in enumerate(catalogue.powers)
        if power in FROM_HAND.listeners or (capital and catalogue.colors[number] == CAPITAL)
    )


def blank(options: Options, seed: int, catalogue: Catalogue) -> Game:
    """A table without cards, credits or frames."""
    if options.containers != tokens.CARDS:
        catalogue = tokens.catalogue_with(catalogue, tokens.STOCK)
    game = Game.__new__(Game)
    game.catalogue = catalogue
    game.options = options
    game.seed = seed
    game.drawn = 0
    game.players = [Player(seat, CAPITAL) for seat in range(options.players)]
    game.ships = [Ship(seat, place) for seat in range(options.players) for place in (PORT, SEA)]
    game.pile = []
    game.discard = []
    game.island = ()
    game.boxed = ()
    game.turn = game.lead = game.first = game.next_lead = 0
    game.copies = {}
    game.marks = {}
    game.market = ()
    game.tokens = 0
    game.face_up = False
    game.ban = -1
    game.ran_dry = False
    game.ending = ""
    game.result = None
    game.doubles = not catalogue.double_sets.isdisjoint(("base", *options.sets))
    game.hand_powers = _hand_powers(catalogue, "capital" in options.sets)
    game.hooks = game.depth = 0
    game.due = ()
    game.stack = []
    game.asking = ()
    game.answers = ()
    game.then = ""
    game.together = False
    game.zones = bytearray(len(catalogue.ids))
    game.batches = bytearray(len(catalogue.ids))
    game.batch = game.mixed = 0
    game.patient = False
    game.secrets = ()
    game.events = []
    return game


def deal(options: Options, seed: int, catalogue: Catalogue | None = None) -> Game:
    """Set up a game in the order of R2, and run it to its first decision (Q3)."""
    options = options.check()
    catalogue = catalogue or default_catalogue()
    game = blank(options, check_seed(seed), catalogue)
    seats = options.players

    game.pile = cards_in_use(options, catalogue)  # R2.2
    knowledge.hide_in_pile(game, game.pile)
    shuffle(game, game.pile)
    game.island = tuple(take_top(game) for _ in range(seats))  # R2.3

    ports = list(catalogue.ports)
    if seats < MAX_PLAYERS and "capital" not in options.sets:  # R2.4, Q97
        ports.remove(CAPITAL)
    shuffle(game, ports)
    for player in game.players:
        player.port = ports[player.seat]

    for index, ship in enumerate(game.ships):  # R2.5, R2.6
        if ship.place == SEA:
            cards = tuple(_ship_card(game) for _ in range(SHIP_CARDS))
            game.ships[index] = ship._replace(containers=cards)

    for player in game.players:
        player.credits = START_CREDITS  # R2.7
        if player.port == CAPITAL:
            player.credits += 2 if "capital" in options.sets else 4  # R16.2, Q6
    for player in game.players:  # R2.9
        player.hand = tuple(sorted(take_top(game, player.seat) for _ in range(HAND_SIZE)))

    game.lead = game.first = game.next_lead = below(game, seats)  # R2.10
    if options.market:
        market.start(game)
    _emit_deal(game)
    game.stack = [Table()]
    game.run()
    return game


def _ship_card(game: Game) -> int:
    """A card for a Ship at sea; a Capital card is discarded and replaced, again and again (R16.3, Q7).

    Where Containers are tokens it is swapped for one (Q88), a double card for one of its first colour.
    """
    card = take_top(game)
    while game.catalogue.colors[card] == CAPITAL and "capital" in game.options.sets:
        discard(game, card)
        card = take_top(game)
    return to_token(game, card, game.catalogue.colors[card]) if tokens.aboard(game) else card


def _emit_deal(game: Game) -> None:
    from arena.game.views import board

    ids = game.catalogue.ids
    hands = {player.seat: {"hand": [ids[card] for card in player.hand]} for player in game.players}
    game.emit_secret("deal", hands, first=game.first, **board(game))
