"""Random positions in which some powers are at work, and random play from them with the invariants on.

    play_out(("nanobots", "yogurt"), seed=7)

sets up what `position` describes, plays on and checks after every choice. A failure carries the call that
repeats it. What must hold in every game is told in `test_properties`; here the same is looked at in one go.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import chain, combinations
from random import Random
from typing import Any, Final

from table import PLAIN, fixtures, table
from test_properties import asked, flat, pick, wrong_sides

from arena.game import Event, Game
from arena.game.catalogue import Card, power_ids
from arena.game.choices import Decision
from arena.game.hooks import HOOKS, MASKS
from arena.game.limits import crew_limit, goods_places
from arena.game.positions import places
from arena.game.terms import CAPITAL, LOAD, LOAD_LIMIT, TURN_CAP
from bench.coverage_of_powers import busily

Powers = tuple[str, ...]

WATCHED: Final = 100
"""Choices after which everything is checked; what two powers do to each other shows early in a position."""
COPIED: Final = 20
"""A clone, a JSON copy and a sample are looked at once in so many choices, since each costs as much as they."""
LONGEST: Final = 20_000
"""Choices of a whole game: a random one takes under 3000, and a loop takes more than any number."""

WHERE: Final = {
    "on_fulfil": ("contract",),
    "own_slot": ("contract",),
    "ship_limit": ("contract",),
    "rides_on": ("contract",),
    "last_aboard": ("contract",),
    "from_hand": ("hand",),
    "load_from_hand": ("hand",),
    "contract_from_hand": ("hand",),
    "aboard": ("container", "hand"),
    "self_loaded": ("hand", "island"),
}
"""Where a card must lie to act by such a hook; by all others it acts from the fulfilled area."""


@cache
def sharing_a_hook() -> tuple[Powers, ...]:
    """All pairs of powers that listen to one hook, but for the two sides of one card."""
    pairs = {pair for hook in HOOKS.values() for pair in combinations(sorted(hook.listeners), 2)}
    return tuple(sorted(pair for pair in pairs if can_meet(pair)))


def any_powers(chance: Random) -> Powers:
    """Two or three powers out of all, no two of them sides of one card."""
    while True:
        powers = tuple(sorted(chance.sample(sorted(power_ids()), chance.choice((2, 3)))))
        if can_meet(powers):
            return powers


def can_meet(powers: Powers) -> bool:
    """Whether these powers can be in play together, one card for each."""
    return len({card_itself(power) for power in powers}) == len(powers)


def card_itself(id: str) -> str:
    """The id of the card that this is, or is a side of."""
    catalogue = fixtures()
    return catalogue.ids[catalogue.front[catalogue.number_of[id]]]


def placements(power: str) -> tuple[str, ...]:
    """The places from which a power can act."""
    mask = MASKS.get(power, 0)
    hooks = [hook for hook in HOOKS.values() if mask & hook.mask and hook.name not in ("use", "chosen")]
    found = [place for hook in hooks for place in WHERE.get(hook.name, ("fulfilled",))]
    return tuple(dict.fromkeys(found)) or ("fulfilled",)


def owns_card(power: str) -> Card:
    """The card of this power in the tests' catalogue."""
    return fixtures().card(power)


class Layout:
    """Deals the cards of one position."""

    def __init__(self, powers: Powers, seed: int) -> None:
        self.chance = chance = Random(f"{seed}/{','.join(powers)}")
        self.seats = seats = chance.choice((2, 3, 3, 4))
        self.plain = [
            card.id
            for card in fixtures().cards
            if card.contracts[0].power == PLAIN and card.colors[0] != CAPITAL
        ]
        others = sorted(power_ids())
        chance.shuffle(self.plain)
        chance.shuffle(others)
        one_side = {card_itself(id): id for id in (*others, *powers)}
        self.others = [id for id in one_side.values() if id not in powers]
        self.hands: dict[int, list[str]] = {seat: self.some(2, 5) for seat in range(seats)}
        self.fulfilled: dict[int, list[str]] = {seat: [] for seat in range(seats)}
        self.crew = {seat: self.some(0, 2) for seat in range(seats)}
        self.goods = {seat: self.some(0, 4) for seat in range(seats)}
        self.island = self.some(1, 4)
        self.ships: dict[int, dict[str, Any]] = {}
        for index in range(2 * seats):
            if index % 2:
                aboard = [card_itself(id) if chance.random() < 0.5 else id for id in self.some(1, 4)]
                self.ships[index] = {"place": "sea", "containers": aboard}
        for power in powers:
            seat = 0 if chance.random() < 0.75 else chance.randrange(seats)
            self.put(power, seat, chance.choice(placements(power)))
        for seat in range(seats):
            second = self.ships[2 * seat + 1]
            if "aeroponics" in self.fulfilled[seat] and second["place"] == "sea":
                second["containers"].append(self.plain.pop())  # with one alone it would have come home
            for index in (2 * seat, 2 * seat + 1):
                if index not in self.ships and chance.random() < 0.7:
                    self.place(chance.choice((self.plain, self.others)).pop(), seat)

    def some(self, least: int, most: int) -> list[str]:
        """Some cards, half of them with powers."""
        rows = (self.plain, self.plain, self.others)
        return [self.chance.choice(rows).pop() for _ in range(self.chance.randint(least, most))]

    def put(self, power: str, seat: int, place: str) -> None:
        """Lay the card of a power where it can act."""
        if place == "contract":
            self.place(power, seat)
        elif place == "hand":
            self.hands[seat].append(power)
        elif place == "island":
            self.island.append(power)
        elif place == "container":
            self.ships[2 * self.chance.randrange(self.seats) + 1]["containers"].append(power)
        else:
            self.fulfilled[seat].append(power)

    def place(self, id: str, seat: int) -> None:
        """Lay a contract on a Ship that lacks one Container, and give its owner cards that can load it."""
        load = list(load_of(id))
        self.chance.shuffle(load)
        for index in (2 * seat, 2 * seat + 1):
            ship = self.ships.get(index)
            if ship is None or not ship.get("contracts"):
                self.ships[index] = {
                    "place": "port",
                    "contracts": [id],
                    "containers": [self.fitting(mask) for mask in load[1:]],
                }
                break
            if self.size(ship["contracts"]) + len(load) <= LOAD_LIMIT:
                ship["contracts"].append(id)
                ship["containers"] += [self.fitting(mask) for mask in load[1:]]
                break
        else:
            return self.fulfilled[seat].append(id)
        self.hands[seat] += [self.fitting(load[0]), self.fitting(1 << LOAD)]
        return None

    def size(self, contracts: list[str]) -> int:
        return sum(len(load_of(id)) for id in contracts)

    def fitting(self, mask: int) -> str:
        """A plain card of one of these colours."""
        colors = fixtures().colors
        number_of = fixtures().number_of
        fits = next(id for id in reversed(self.plain) if mask >> colors[number_of[id]] & 1)
        self.plain.remove(fits)
        return fits


def load_of(id: str) -> tuple[int, ...]:
    """What this contract needs."""
    return fixtures().loads[fixtures().number_of[id]]


def position(powers: Powers, seed: int) -> Game:
    """A game in which each of these powers lies where it can act, mostly with seat 0, amid random cards.

    All cards are of the base set; the rules of Capital, the Tokyo Port and the Market are in play by chance.

    A power that acts when it is fulfilled lies on a Ship that lacks one Container, with cards in its owner's
    hand that load it.
    """
    layout = Layout(powers, seed)
    chance = layout.chance
    pile = [card_itself(id) for id in (*layout.plain[:20], *layout.others[:20])]
    chance.shuffle(pile)
    return table(
        players=layout.seats,
        lead=0,
        port=dict(enumerate(("technology", "agriculture", "consumer", "luxury"))),
        credits={seat: 2 * chance.randrange(1, 16) for seat in range(layout.seats)},
        hands={seat: [card_itself(id) for id in hand] for seat, hand in layout.hands.items()},
        crew=layout.crew,
        goods=layout.goods,
        fulfilled=layout.fulfilled,
        ships=layout.ships,
        island=[card_itself(id) for id in layout.island],
        pile=pile[:-3],
        discard=pile[-3:],
        sets=[name for name in ("capital", "tokyo") if chance.random() < 0.25],
        market=chance.random() < 0.25,
        seed=seed,
    )


def lively(game: Game, chance: Random) -> tuple[int, int]:
    """A seat that is asked and an option: any one, or one that does something, loading above all."""
    seat, index = pick(game, chance)
    decision = game.decision(seat)
    dull = decision.options[index].verb == "scrap" and chance.random() < 0.9
    if dull or decision.kind in ("lead", "follow") or chance.random() < 0.6:
        index = busily(game, seat, chance)
    return seat, index


class Watch:
    """Checks a game after every choice, beginning with the position it is at."""

    def __init__(self, game: Game) -> None:
        self.credits = [player.credits for player in game.players]
        self.cards = lying(game)
        assert set(self.cards.values()) == {1}

    def look(self, game: Game, events: list[Event]) -> None:
        """What must hold always."""
        self.decisions(game)
        self.zones(game)
        self.told(game, events)
        self.limits(game)

    def decisions(self, game: Game) -> None:
        """Whoever is asked has a choice (P3)."""
        assert game.over == (not game.to_act)
        for seat in game.to_act:
            decision: Decision = game.decision(seat)
            texts = decision.texts(game.catalogue)
            assert len(texts) == len(set(texts)) >= 2, texts

    def zones(self, game: Game) -> None:
        """Every card lies in one place, or is on its way in a frame."""
        found = lying(game)
        twice = [game.catalogue.ids[card] for card, number in found.items() if number > 1]
        assert not twice, f"in two places: {twice}"
        missing = self.cards.keys() - found.keys()
        assert found.keys() <= self.cards.keys()
        assert not wrong_sides(game)
        assert missing <= held(game), f"nowhere: {[game.catalogue.ids[card] for card in sorted(missing)]}"
        if game.over or asked(game) in ("lead", "follow", "crew", "bid"):
            assert not missing, f"gone: {[game.catalogue.ids[card] for card in sorted(missing)]}"

    def told(self, game: Game, events: list[Event]) -> None:
        """The changes that are told add up to the credits, which without the Market are even before the end (Q10)."""
        for event in events:
            told = event.public
            if event.kind == "credits":
                self.credits[told["seat"]] += told["change"]
                assert self.credits[told["seat"]] == told["credits"] >= 0
            elif event.kind == "score":
                self.credits[told["seat"]] += sum(told["parts"].values())
        assert [player.credits for player in game.players] == self.credits
        assert game.over or game.options.market or not any(amount % 2 for amount in self.credits)

    def limits(self, game: Game) -> None:
        """R6, but for an event that is not over (P7)."""
        if not game.depth and not asked(game).startswith("overflow"):
            for player in game.players:
                assert len(player.crew) <= crew_limit(game, player.seat)
                assert goods_places(game, player.seat, player.goods) <= 2 * player.contracts


def lying(game: Game) -> Counter[int]:
    """The cards that lie anywhere, whichever side of one is up."""
    return Counter(map(game.catalogue.front.__getitem__, chain.from_iterable(places(game).values())))


def held(game: Game) -> set[int]:
    """The numbers that the frames hold, cards among them."""
    front = game.catalogue.front
    return {
        front[value] if 0 < value < len(front) else value
        for frame in game.stack
        for field in frame.fields
        for value in flat(getattr(frame, field))
        if type(value) is int
    }


def look_at_copies(game: Game, chance: Random) -> None:
    """A clone and a JSON copy go on like the game; a sample looks the same to the seat that is asked."""
    text = game.to_json()
    twin, copy = game.clone(), Game.from_json(text, game.catalogue)
    assert copy.to_json() == twin.to_json() == text
    for _ in range(10):
        if twin.over:
            break
        seat, index = pick(twin, chance)
        told = [event.for_seat(None) for event in twin.choose(seat, index)]
        assert [event.for_seat(None) for event in copy.choose(seat, index)] == told
    assert copy.to_json() == twin.to_json()
    assert game.to_json() == text
    if game.over:
        return
    seat = chance.choice(game.to_act)
    sampled = game.sample(seat, chance.randrange(1 << 30))
    assert sampled.view(seat) == game.view(seat)
    assert sampled.decision(seat) == game.decision(seat)
    for _ in range(10):
        if not sampled.over:
            sampled.choose(*pick(sampled, chance))


def moments(game: Game, chance: Random, most: int) -> Iterator[list[Event]]:
    """What happened at each of at most so many lively choices."""
    for _ in range(most):
        if game.over:
            return
        yield game.choose(*lively(game, chance))


def play_out(powers: Powers, seed: int, *, to_the_end: bool = True) -> Game:
    """Set up the position, play `WATCHED` choices with all checks and then to the end; returns the game.

    Whatever goes wrong is raised with a note that says how to repeat it.
    """
    try:
        game = position(powers, seed)
        chance = Random(seed)
        watch = Watch(game)
        watch.look(game, [])
        for step, events in enumerate(moments(game, chance, WATCHED)):
            watch.look(game, events)
            if step % COPIED == seed % COPIED:
                look_at_copies(game, chance)
        if to_the_end:
            for events in moments(game, chance, LONGEST):
                watch.told(game, events)
            assert game.over, f"no end after {LONGEST} choices, in turn {game.turn}"
            assert game.turn <= TURN_CAP
            watch.look(game, [])
    except Exception as error:
        error.add_note(f"repeat it with play_out({powers!r}, seed={seed})")
        raise
    return game
