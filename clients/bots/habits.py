"""How to answer at once, without trying anything out: the rules of thumb that `heuristic` imagines games with.

Each answer is found from the hand, the own Ships and what lies on the table, in about 0.2 ms, so that some turns can be
played in the time that one decision has. Only what the seat that is asked may know is looked at, if the
game is a sample. What a position is worth after some turns is said in `outlook`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from arena.game import Decision, Game
from arena.game.choices import Option
from arena.game.fulfil import PAYOUTS
from arena.game.goods import count_crew, levels, missing_levels
from arena.game.hooks import CONTAINER, SLOT
from arena.game.limits import crew_limit
from arena.game.matching import match
from arena.game.ships import container_masks, fleet, load_room, slots_of
from arena.game.state import PORT, SEA, Player, Ship
from arena.game.terms import (
    ACTION_OF,
    ANY,
    CAPITAL,
    CONTRACT,
    END_CREDITS,
    HAND_SIZE,
    IMPORT,
    LOAD,
    PIRACY,
    SUPPLY,
)
from arena.game.turn import led_action
from clients.bots.numbers import Numbers

SALE = 4  # credits for the card sold in a turn (R7.1)
BIDS = 3  # a rule of thumb for bids has no memory: it bids 0, 2 or 4, each as likely as the others


class Habits(NamedTuple):
    """What the rules of thumb hold things for, in credits.

    Found by trial: a change of one to three of them was kept if it won credits in games of the rules of thumb
    against themselves, two seats and base rules.
    """

    card: float = 0.4
    """A card that a Draw brings."""
    needed: float = 1.4
    """What a hand card costs in addition, if an own Ship needs its colour."""
    placeable: float = 0.6
    """What a hand card costs in addition, if it could be placed as a contract now."""
    load: float = 1.8
    """A Container loaded from the hand."""
    pirated: float = 2.8
    """A Container loaded by Piracy, which costs no card of the hand."""
    complete: float = 0.425
    """Of the reward for a contract, to the Container that completes it."""
    contract: float = 8.0
    """A fulfilled contract besides its payout: limits and a power."""
    begin: float = 1.75
    """A contract placed on a Ship that has none."""
    add: float = 1.1
    """A contract placed on a Ship that has some."""
    crew: float = 2.5
    """A Crew card at the beginning; it has fewer turns to work as the end comes nearer."""
    good: float = 2.7
    """A Good."""
    new_type: float = 1.4
    """A Good of a type that the player has not yet, in addition."""
    home: float = 0.85
    """To bring an own Ship home, if there is none in Port."""


HABITS = Habits()


class Needs(NamedTuple):
    """What one own Ship in Port lacks."""

    ship: Ship
    missing: list[int]
    """Slots that no Container serves yet, as masks."""


def missing_slots(game: Game, ship: Ship) -> list[int]:
    """The slots that no Container serves."""
    slots = [mask for mask, _ in slots_of(game, ship)]
    if not ship.containers:
        return slots
    colors = game.catalogue.colors
    aboard = [colors[card] for card in ship.containers]
    plain = not (ship.rainbow or ship.pairs or game.players[ship.owner].hooks & (SLOT.mask | CONTAINER.mask))
    if plain and ANY not in slots and CAPITAL not in aboard:
        for color in aboard:
            if 1 << color in slots:
                slots.remove(1 << color)
        return slots
    taken = match(slots, container_masks(game, ship))
    return [mask for mask, container in zip(slots, taken, strict=True) if container < 0]


class Thought:
    """What a seat sees at a glance. It is made anew for each answer."""

    def __init__(self, game: Game, seat: int, habits: Habits) -> None:
        self.game = game
        self.player: Player = game.players[seat]
        self.habits = habits
        self.left = 1 - min(1.0, max(player.credits for player in game.players) / END_CREDITS)
        self.ships = [ship for _, ship in fleet(game, seat) if ship.place == PORT]
        self.needs = [Needs(ship, missing_slots(game, ship)) for ship in self.ships if ship.contracts]
        self.needs.sort(key=lambda needs: len(needs.missing))
        self.needed = 0
        for ship in self.ships:
            self.needed |= ship.open
        self.rooms = [load_room(game, ship) for ship in self.ships]
        self.levels = levels(game, seat)

    def cost(self, card: int) -> float:
        """What it costs to part with a card of the hand."""
        habits = self.habits
        cost = habits.card
        if self.needed & self.game.catalogue.masks[card]:
            cost += habits.needed
        elif self.rooms and self.placeable(card):
            cost += habits.placeable
        return cost

    def placeable(self, card: int) -> bool:
        """Whether it could be placed as a contract without skipping Levels."""
        return max(self.rooms) >= len(self.game.catalogue.loads[card]) and not missing_levels(
            self.game, card, self.levels
        )

    def reward(self, needs: Needs) -> float:
        """What the contracts of a Ship bring when they are fulfilled."""
        ship = needs.ship
        payout = PAYOUTS[min(len(ship.containers) + len(needs.missing), 5)]
        return payout + self.habits.contract * self.left * len(ship.contracts)

    def steps(self, action: int) -> list[float]:
        """What the first, second ... action of this kind brings; shorter if no more can be done."""
        return STEPS[action](self) if action in STEPS else []

    def by_crew(self) -> float:
        """What Crew may do after a Draw, if another player leads (R4.3)."""
        seat = self.player.seat
        if seat == self.game.lead or not self.player.crew:
            return 0.0
        action = led_action(self.game)
        return sum(self.steps(action)[: count_crew(self.game, seat, action)])

    def filling(self, colors: list[int], each: float) -> list[float]:
        """Loading Containers of these colours onto the own Ships, those that lack least first."""
        colors = colors.copy()
        gains: list[float] = []
        for needs in self.needs:
            served = 0
            for mask in needs.missing:
                for color in colors:
                    if mask >> color & 1:
                        colors.remove(color)
                        served += 1
                        break
            gains += [each] * served
            if served and served == len(needs.missing):
                gains[-1] += self.habits.complete * self.reward(needs)
        return gains

    def loading(self) -> list[float]:
        """Cards of the hand."""
        if not self.needed:
            return []
        colors = self.game.catalogue.colors
        return self.filling([colors[card] for card in self.player.hand], self.habits.load)

    def pirating(self) -> list[float]:
        """Containers of all Ships at sea and the cards of the Island."""
        if not self.needed:
            return []
        colors = self.game.catalogue.colors
        around = [colors[card] for card in self.game.island]
        for ship in self.game.ships:
            if ship.place == SEA:
                around += [colors[card] for card in ship.containers]
        return self.filling(around, self.habits.pirated)

    def contracting(self) -> list[float]:
        """Cards of the hand on Ships with room."""
        if not self.ships:
            return []
        habits = self.habits
        gains: list[float] = []
        used: list[int] = []
        loads = self.game.catalogue.loads
        for ship, room in sorted(zip(self.ships, self.rooms, strict=True), key=lambda pair: -pair[1]):
            for card in self.player.hand:
                if card not in used and len(loads[card]) <= room:
                    missing = missing_levels(self.game, card, self.levels)
                    if not missing:
                        used.append(card)
                        gains.append(habits.add if ship.contracts else habits.begin)
                        break
        if not gains:
            most = max(self.rooms)
            skips = [
                missing_levels(self.game, card, self.levels)
                for card in self.player.hand
                if len(loads[card]) <= most
            ]
            if skips:
                gains = [0.0] * min(skips) + [habits.begin]
        return gains

    def supplying(self) -> list[float]:
        """One sale, and Crew while there is room."""
        gains: list[float] = []
        if not self.player.sold and len(self.player.hand) > 1:
            gains.append(SALE - min(self.cost(card) for card in self.player.hand))
        room = crew_limit(self.game, self.player.seat) - len(self.player.crew)
        gains += [self.habits.crew * self.left] * min(room, len(self.game.island))
        return gains

    def importing(self) -> list[float]:
        """Two cards of a Ship, less what others may bid."""
        ships = [ship for ship in self.game.ships if ship.place == SEA]
        if not ships:
            return []
        habits = self.habits
        crew = len(self.player.crew) < crew_limit(self.game, self.player.seat)
        room = 2 * self.player.contracts - len(self.player.goods)
        gain = habits.good * min(room, 2 - crew) + (habits.crew * self.left if crew else 0)
        if not self.ships and any(
            ship.owner == self.player.seat and len(ship.containers) < 3 for ship in ships
        ):
            gain += habits.home
        return [gain, 0.5 * gain] if room > 2 else [gain]


STEPS: dict[int, Callable[[Thought], list[float]]] = {
    LOAD: Thought.loading,
    CONTRACT: Thought.contracting,
    SUPPLY: Thought.supplying,
    IMPORT: Thought.importing,
    PIRACY: Thought.pirating,
}


def answer(game: Game, decision: Decision, numbers: Numbers, habits: Habits = HABITS) -> int:
    """The index of the option that the rules of thumb prefer."""
    rule = RULES.get(decision.kind)
    if rule is None:
        return 1 if decision.options[0].verb == "pass" else 0
    if rule is bid:
        return numbers.below(min(BIDS, len(decision.options)))
    thought = Thought(game, decision.seat, habits)
    values = rule(thought, decision.options)
    return values.index(max(values))


def announce(thought: Thought, options: tuple[Option, ...]) -> list[float]:
    """Lead, follow, or announce Crew: what the actions bring, less the cards that are played for them."""
    known: dict[str, list[float]] = {}
    costs: dict[int, float] = {}
    values = []
    for option in options:
        if option.verb == "draw":
            value = thought.habits.card * max(1, HAND_SIZE - len(thought.player.hand))
            value += thought.by_crew()
        elif option.verb in ("lead", "follow", "crew"):
            name = option.name
            if name not in known:
                known[name] = thought.steps(action_of(thought, name))
            value = sum(known[name][: option.amount])
            for card in (option.card, option.other):
                if card:
                    if card not in costs:
                        costs[card] = thought.cost(card)
                    value -= costs[card]
            value -= 0.01 * option.amount
        else:
            value = -1.0  # any-time powers wait for a closer look
        values.append(value)
    return values


def action_of(thought: Thought, name: str) -> int:
    """The action that would be performed; Crew after a Draw does the led one unless it says another."""
    last = name.rpartition("/")[2]
    if last:
        return ACTION_OF.get(last, -1)
    return led_action(thought.game)


def supply(thought: Thought, options: tuple[Option, ...]) -> list[float]:
    """Sell what is needed least; Crew for actions of which there is little."""
    values = []
    room = len(thought.player.crew) < crew_limit(thought.game, thought.player.seat)
    for option in options:
        if option.verb == "sell":
            values.append(SALE + 1 - thought.cost(option.card))
        elif option.verb == "take":
            values.append(crew_worth(thought, option.card) if room else 0.0)
        else:
            values.append(-1.0)
    return values


def crew_worth(thought: Thought, card: int) -> float:
    """A further Crew card; the second of an action is worth a little less."""
    action = thought.game.catalogue.actions[card]
    already = count_crew(thought.game, thought.player.seat, action)
    return thought.habits.crew * thought.left * PREFERRED[action] / (1 + 0.2 * already)


PREFERRED = (1.2, 0.8, 1.0, 1.0, 1.1, 0.3)
"""How good Crew for each action is, on the average 1."""


def good_worth(thought: Thought, card: int) -> float:
    """A further Good."""
    colors = thought.game.catalogue.colors
    new = colors[card] not in [colors[good] for good in thought.player.goods]
    return thought.habits.good + (thought.habits.new_type if new else 0.0)


def contract(thought: Thought, options: tuple[Option, ...]) -> list[float]:
    """Contracts that the hand and what is aboard already serve."""
    game = thought.game
    masks, loads, front = game.catalogue.masks, game.catalogue.loads, game.catalogue.front
    hand = [masks[card] for card in thought.player.hand]
    values = []
    for option in options:
        if not option.card or option.ship < 0:
            values.append(-1.0)
            continue
        ship = game.ships[option.ship]
        held = [*hand, *[masks[card] for card in ship.containers]]
        if front[option.card] in thought.player.hand:  # powers place cards from elsewhere, too (Spacecraft)
            held.remove(masks[front[option.card]])
        served = 0
        for mask in loads[option.card]:
            for color in held:
                if color & mask:
                    held.remove(color)
                    served += 1
                    break
        size = len(ship.containers) + len(loads[option.card])
        values.append(
            10
            + PAYOUTS[min(size, 5)] / 2
            + 1.5 * (served - len(loads[option.card]))
            - 3 * bool(ship.contracts)
        )
    return values


def load(thought: Thought, options: tuple[Option, ...]) -> list[float]:
    """The Ship that lacks least comes first."""
    values = []
    for option in options:
        if option.verb not in ("load", "pirate"):
            values.append(0.0)
        elif option.ship < 0 or thought.game.ships[option.ship].place != PORT:
            values.append(0.1)
        else:
            values.append(10.0 - len(missing_slots(thought.game, thought.game.ships[option.ship])))
    return values


def import_ship(thought: Thought, options: tuple[Option, ...]) -> list[float]:
    """An own Ship that will come home, else one with many different cards."""
    values = []
    for option in options:
        if option.ship < 0:
            values.append(0.0)
            continue
        ship = thought.game.ships[option.ship]
        value = sum(sorted([good_worth(thought, card) for card in ship.containers])[-2:])
        if ship.owner == thought.player.seat:
            value += 2 + (len(ship.containers) < 3)
        values.append(value)
    return values


def import_take(thought: Thought, options: tuple[Option, ...]) -> list[float]:
    """Crew or Goods, whichever is worth more."""
    values = []
    for option in options:
        if option.place == "crew":
            values.append(crew_worth(thought, option.card))
        elif option.place == "goods":
            values.append(good_worth(thought, option.card))
        else:
            values.append(0.0)
    return values


def tie(thought: Thought, options: tuple[Option, ...]) -> list[float]:
    """The own seat."""
    return [float(option.seat == thought.player.seat) for option in options]


def bid(thought: Thought, options: tuple[Option, ...]) -> list[float]:
    """See `BIDS`."""
    return [0.0] * len(options)


RULES: dict[str, Callable[[Thought, tuple[Option, ...]], list[float]]] = {
    "lead": announce,
    "follow": announce,
    "crew": announce,
    "supply": supply,
    "contract": contract,
    "load": load,
    "piracy": load,
    "import-ship": import_ship,
    "import-take": import_take,
    "import-one": import_take,
    "tie": tie,
    "bid": bid,
}
