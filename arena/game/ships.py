"""Ships: what lies on them, what they still need, and how they come home.

A changed Ship is put back with `put`, which recomputes the colours it can take. A Ship in Port that may
now be complete is noted in `game.due`, and the engine looks at it before the next step ("at once", R11.1).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.game import tokens
from arena.game.choices import Option
from arena.game.frames import Frame
from arena.game.hooks import (
    CONTAINER,
    LAST_ABOARD,
    LOAD_LIMIT_OF,
    LOADED,
    OWN_SLOT,
    PLACED,
    REQUIREMENT,
    RETURNED,
    SAILS_HOME_AT,
    SELF_LOADED,
    SHIP_LIMIT,
    SLOT,
    Loaded,
)
from arena.game.matching import match, open_mask
from arena.game.moves import forget, to_token
from arena.game.settle import innermost, note_self
from arena.game.state import GONE, PORT, SEA, Ship
from arena.game.terms import ANY, CAPITAL, LOAD_LIMIT, TECHNOLOGY

if TYPE_CHECKING:
    from arena.game.game import Game


# What a Ship needs and can take


def slots_of(game: Game, ship: Ship) -> list[tuple[int, int]]:
    """The requirement slots of a Ship as (mask, contract), as the powers in force change them (P18)."""
    catalogue = game.catalogue
    hooks = game.players[ship.owner].hooks
    slots = []
    for contract in ship.contracts:
        masks = list(catalogue.loads[contract])
        for reduced, mask in ship.reduced:
            if reduced == contract:
                masks.remove(mask)
        own = OWN_SLOT.listeners.get(catalogue.powers[contract])
        for mask in masks:
            if own is not None:
                mask = own(game, ship.owner, contract, mask)
            if hooks & SLOT.mask:
                mask = game.query(SLOT, ship.owner, mask, catalogue.colors[contract])
            slots.append((mask, contract))
    return slots


def container_mask(game: Game, owner: int, color: int) -> int:
    """The colours that a Container of `color` may serve on a Ship of `owner`; grey serves any (R16.10)."""
    if color == CAPITAL:
        return ANY
    mask = 1 << color
    if game.players[owner].hooks & CONTAINER.mask:
        mask = game.query(CONTAINER, owner, mask, color)
    return mask


def container_masks(game: Game, ship: Ship) -> list[int]:
    """One mask for each Container aboard that can serve a slot; two that count as one give one."""
    colors = game.catalogue.colors
    paired = {card for pair in ship.pairs for card in pair}
    masks = [
        ANY if card in ship.rainbow else container_mask(game, ship.owner, colors[card])
        for card in ship.containers
        if card not in paired
    ]
    return masks + [container_mask(game, ship.owner, TECHNOLOGY)] * len(ship.pairs)


def open_colors(game: Game, ship: Ship) -> int:
    """Mask of the colours of which one more Container raises the matching; 0 for a complete Ship."""
    if not ship.contracts:
        return 0
    colors = game.catalogue.colors
    plain = not (ship.rainbow or ship.pairs or game.players[ship.owner].hooks & (SLOT.mask | CONTAINER.mask))
    slots = [mask for mask, _ in slots_of(game, ship)]
    if plain and ANY not in slots and CAPITAL not in [colors[card] for card in ship.containers]:
        for card in ship.containers:
            if 1 << colors[card] in slots:
                slots.remove(1 << colors[card])
        needed = 0
        for mask in slots:
            needed |= mask
        return needed
    needed = open_mask(slots, container_masks(game, ship))
    if needed and not plain:
        return sum(1 << color for color in range(6) if container_mask(game, ship.owner, color) & needed)
    return needed


def matched(game: Game, ship: Ship) -> int:
    """How many Containers aboard serve a requirement (R14.1, Q69)."""
    slots = [mask for mask, _ in slots_of(game, ship)]
    masks = container_masks(game, ship)
    single = len(masks) - len(ship.pairs)
    return sum(2 if container >= single else 1 for container in match(slots, masks) if container >= 0)


def load_total(game: Game, ship: Ship) -> int:
    """The sum of the load requirements on a Ship (R9.2), less what Yen spares."""
    loads = game.catalogue.loads
    total = -len(ship.reduced)
    for contract in ship.contracts:
        total += len(loads[contract])
    return total


def load_room(game: Game, ship: Ship) -> int:
    """How much load requirement may still be added (R9.2)."""
    limit: int = LOAD_LIMIT
    if game.players[ship.owner].hooks & LOAD_LIMIT_OF.mask:
        limit = game.query(LOAD_LIMIT_OF, ship.owner, limit)
    for contract in ship.contracts:
        listener = SHIP_LIMIT.listeners.get(game.catalogue.powers[contract])
        if listener is not None:
            limit = listener(game, ship.owner, contract, limit)
    return limit - load_total(game, ship)


def without_side(game: Game, ship: Ship) -> list[int]:
    """The double cards aboard of which no side is up: they were dealt to it (Q101)."""
    sides = game.catalogue.sides
    return [card for card in ship.containers if len(sides[card]) > 1]


def fleet(game: Game, seat: int) -> list[tuple[int, Ship]]:
    """The own Ships with their numbers: 2s, 2s + 1, and single-use Ships (Diesel Engine)."""
    ships = game.ships
    first, second = 2 * seat, 2 * seat + 1
    own = [(first, ships[first]), (second, ships[second])]
    extra = 2 * len(game.players)
    if len(ships) > extra:
        own += [(extra + i, ship) for i, ship in enumerate(ships[extra:]) if ship.owner == seat]
    return own


def in_port(game: Game, seat: int) -> list[int]:
    """The own Ships in Port, by number."""
    return [index for index, ship in fleet(game, seat) if ship.place == PORT]


def at_sea(game: Game) -> list[int]:
    """All Ships on the High Seas, by number."""
    return [index for index, ship in enumerate(game.ships) if ship.place == SEA]


# Changes


def put(game: Game, index: int, ship: Ship) -> None:
    """Put a changed Ship back; one in Port is looked at before the next step."""
    if ship.place == PORT:
        needed = open_colors(game, ship)
        if needed != ship.open:
            ship = ship._replace(open=needed)
        if ship.contracts:
            game.due += (index,)
    game.ships[index] = ship


def reopen(game: Game, seat: int, gained: int) -> None:
    """The powers of `seat` changed, so what its Ships can take may have changed too (P18).

    `gained` are the hooks that it did not listen to before. A Ship for which nothing changed is not looked at,
    so that nobody is asked about it again (Prefab Home).
    """
    for index, ship in enumerate(game.ships):
        if ship.owner == seat and ship.place == PORT and ship.contracts:
            if gained & REQUIREMENT.mask or open_colors(game, ship) != ship.open:
                put(game, index, ship)
        elif ship.owner == seat and ship.place == SEA:
            check_at_sea(game, index)


def load(game: Game, card: int, index: int, by: str, *, rainbow: bool = False, rides: bool = False) -> None:
    """Put a card aboard an own Ship in Port as a Container; the caller took it from where it was.

    Where Containers are tokens a card makes way for one of its colour (R20.1), which is nothing but that.
    """
    ship = game.ships[index]
    color = game.catalogue.colors[card]
    container = card
    if tokens.aboard(game) and not tokens.is_token(game, card):
        if rainbow or color == CAPITAL:
            return _choose_color(game, ship.owner, card, index, by)
        container = to_token(game, card, color)
    game.zones[container] = 0
    forget(game, container)
    game.emit("load", seat=ship.owner, card=game.catalogue.ids[container], ship=index, by=by)
    put(
        game,
        index,
        ship._replace(
            containers=(*ship.containers, container),
            rainbow=(*ship.rainbow, card) if rainbow else ship.rainbow,
            riders=(*ship.riders, card) if rides else ship.riders,
        ),
    )
    loaded = Loaded(ship.owner, container, CAPITAL if rainbow else color, index, by)
    game.trigger(LOADED, *loaded)
    note_self(game, SELF_LOADED, ship.owner, card, loaded)


def put_aboard_at_sea(game: Game, seat: int, card: int, index: int, by: str) -> None:
    """A card becomes a Container of any player's Ship at sea; it is not loaded by that player."""
    if tokens.aboard(game) and not tokens.is_token(game, card):
        color = game.catalogue.colors[card]
        if color == CAPITAL:
            return _choose_color(game, seat, card, index, by)
        card = to_token(game, card, color)
    ship = game.ships[index]
    game.emit("load", seat=seat, card=game.catalogue.ids[card], ship=index, by=by)
    return put(game, index, ship._replace(containers=(*ship.containers, card)))


def _choose_color(game: Game, seat: int, card: int, index: int, by: str) -> None:
    from arena.game.coloring import ChooseColor

    game.push(ChooseColor(seat, card, "ship", index, by))


def can_bring(game: Game, seat: int, card: int, *, rainbow: bool = False) -> list[int]:
    """The same for a power that loads this very card, which may be grey or `rainbow` (P20)."""
    color = game.catalogue.colors[card]
    if color != CAPITAL and not rainbow:
        return can_load(game, seat, color)
    return [index for index in in_port(game, seat) if game.ships[index].open]


def with_contract(game: Game, seat: int) -> list[int]:
    """The own Ships in Port that carry a contract."""
    own = []
    for index, ship in fleet(game, seat):
        if ship.contracts and ship.place == PORT:
            own.append(index)
    return own


def can_load(game: Game, seat: int, color: int) -> list[int]:
    """The own Ships in Port onto which a Container of this colour is a legal load (P19)."""
    if color == CAPITAL:
        return []  # R16.10
    return [i for i, ship in fleet(game, seat) if ship.place == PORT and ship.open >> color & 1]


def unload(game: Game, index: int, card: int) -> None:
    """Take a Container off a Ship; a Ship at sea may return at once (R8.9, R12.3)."""
    ship = game.ships[index]
    containers = list(ship.containers)
    if card not in containers:
        card = game.catalogue.front[card]  # no side of it was up
    containers.remove(card)
    due = game.due
    put(
        game,
        index,
        ship._replace(
            containers=tuple(containers),
            rainbow=tuple(c for c in ship.rainbow if c != card),
            riders=tuple(c for c in ship.riders if c != card),
            pairs=tuple(pair for pair in ship.pairs if card not in pair),
        ),
    )
    game.due = due  # a Container less completes nothing, so nobody is asked about it again (Prefab Home)
    if ship.place == SEA:
        check_at_sea(game, index)


def place_contract(game: Game, card: int, index: int, by: str, skipped: int = 0) -> None:
    """Put a card under a Ship as a contract; the caller checked Level and room and took it from its place."""
    ship = game.ships[index]
    first = not ship.contracts
    game.zones[card] = 0
    forget(game, card)
    game.emit("contract", seat=ship.owner, card=game.catalogue.ids[card], ship=index, by=by, skipped=skipped)
    put(game, index, ship._replace(contracts=(*ship.contracts, card)))
    if first and ship.yen:
        game.push(Reduce(index, card, len(ship.yen)))
    game.trigger(PLACED, ship.owner, card, index)


def spared_by_yen(game: Game, ship: Ship, card: int) -> int:
    """Load that a first contract on this Ship is spared; at least 1 stays (Yen)."""
    return 0 if ship.contracts else min(len(ship.yen), len(game.catalogue.loads[card]) - 1)


class Reduce(Frame):
    """The first contract on a Ship with Yen under it needs 1 Container less, of a colour of choice."""

    ship: int
    card: int
    left: int

    def start(self, game: Game) -> None:
        """One colour for each Yen; none if the contract has been fulfilled at once (Flour)."""
        if self.card not in game.ships[self.ship].contracts:
            return self.done(game)
        game.due = tuple(index for index in game.due if index != self.ship)
        ship = game.ships[self.ship]
        slots = [mask for reduced, mask in ship.reduced if reduced == self.card]
        masks = list(game.catalogue.loads[self.card])
        for mask in slots:
            masks.remove(mask)
        if not self.left or len(masks) == 1:
            self.done(game)
            return put(game, self.ship, ship)
        self.left -= 1
        return game.ask(
            ship.owner,
            "reduce",
            [Option("reduce", mask_name(mask)) for mask in sorted(set(masks))],
            then=self.reduced,
        )

    def reduced(self, game: Game, chosen: Option) -> None:
        """The colour is spared."""
        ship = game.ships[self.ship]
        mask = next(m for m in game.catalogue.loads[self.card] if mask_name(m) == chosen.name)
        game.emit("reduce", seat=ship.owner, ship=self.ship, color=chosen.name)
        game.ships[self.ship] = ship._replace(reduced=(*ship.reduced, (self.card, mask)))


def mask_name(mask: int) -> str:
    """The name of a slot: its type, or `any`."""
    from arena.game.terms import TYPES

    return "any" if mask == ANY else TYPES[mask.bit_length() - 1]


def scrap(game: Game, index: int) -> None:
    """Discard the unfulfilled contracts of a Ship; the Containers stay (R9.6)."""
    from arena.game.moves import discard

    ship = game.ships[index]
    game.emit("scrap", seat=ship.owner, ship=index)
    put(game, index, ship._replace(contracts=(), reduced=()))
    discard(game, *ship.contracts)
    if ship.joined >= 0:
        split(game, index)


# At sea and home again


def check_at_sea(game: Game, index: int) -> None:
    """A Ship at sea without Containers returns at once to its owner's Port (R8.9, R12.3, Q59)."""
    ship = game.ships[index]
    if ship.rainbow:
        innermost(game).few_aboard = True
    left = 0
    if game.players[ship.owner].hooks & SAILS_HOME_AT.mask:
        left = game.query(SAILS_HOME_AT, ship.owner, left)
    if len(ship.containers) <= left and not leave_last(game, index):
        come_home(game, index)


def leave_last(game: Game, index: int) -> bool:
    """Let a Container that is the only one left on a Ship at sea act; says whether one did (GPS)."""
    ship = game.ships[index]
    if ship.place == SEA and ship.rainbow == ship.containers and len(ship.containers) == 1:
        listener = LAST_ABOARD.listeners.get(game.catalogue.powers[ship.containers[0]])
        if listener is not None:
            listener(game, index, ship.containers[0])
            return True
    return False


def come_home(game: Game, index: int) -> None:
    """A Ship returns; a Super Ship as two, a single-use Ship that is empty not at all."""
    ship = game.ships[index]
    put(game, index, ship._replace(place=PORT))
    halves = [index]
    if ship.joined >= 0:
        halves.append(ship.joined)
        split(game, index)
    for half in halves:
        if game.ships[half].single_use and not ship.containers:
            use_up(game, half)
        else:
            game.emit("ship-returns", seat=ship.owner, ship=half)
            game.trigger(RETURNED, ship.owner, half)
    if game.doubles and ship.containers:
        game.due += (index,)  # its owner fixes the colours of cards that were dealt to it (Q101)


def use_up(game: Game, index: int) -> None:
    """A single-use Ship is discarded."""
    from arena.game.moves import discard

    ship = game.ships[index]
    game.ships[index] = ship._replace(place=GONE)
    game.emit("ship-gone", seat=ship.owner, ship=index)
    discard(game, ship.single_use, *ship.yen)


def split(game: Game, index: int) -> None:
    """A Super Ship becomes two Ships in Port again; its owner shares out what is still aboard."""
    ship = game.ships[index]
    other = ship.joined
    put(game, index, ship._replace(joined=-1))
    put(game, other, game.ships[other]._replace(place=PORT))
    if ship.containers:
        game.push(Share(index, other, ship.containers, ship.pairs))


class Share(Frame):
    """The owner of a Super Ship that broke up says which Ship keeps which Container."""

    ship: int
    other: int
    left: tuple[int, ...]
    pairs: tuple[tuple[int, int], ...]  # two Containers that counted as one still do on the same Ship

    def start(self, game: Game) -> None:
        """Container by Container."""
        if not self.left:
            return self.done(game)
        card = self.left[0]
        return game.ask(
            game.ships[self.ship].owner,
            "share",
            [Option("keep", "", card, ship=self.ship), Option("keep", "", card, ship=self.other)],
            then=self.keep,
        )

    def keep(self, game: Game, chosen: Option) -> None:
        """Move it, if it goes to the other Ship."""
        card, self.left = self.left[0], self.left[1:]
        if chosen.ship == self.other:
            source = game.ships[self.ship]
            unload(game, self.ship, card)
            ship = game.ships[self.other]
            aboard = (*ship.containers, card)
            put(
                game,
                self.other,
                ship._replace(
                    containers=aboard,
                    rainbow=(*ship.rainbow, card) if card in source.rainbow else ship.rainbow,
                    riders=(*ship.riders, card) if card in source.riders else ship.riders,
                    pairs=tuple(pair for pair in self.pairs if set(pair) <= set(aboard)),
                ),
            )
            game.emit("share", card=game.catalogue.ids[card], ship=self.other)


def sail(game: Game, index: int) -> None:
    """Step 3 of a fulfilment: the Ship goes to sea with its Containers (R11.4)."""
    ship = game.ships[index]
    game.ships[index] = ship._replace(place=SEA, riders=(), pairs=(), open=0)
    game.emit("sail", seat=ship.owner, ship=index)
    check_at_sea(game, index)
    leave_last(game, index)
