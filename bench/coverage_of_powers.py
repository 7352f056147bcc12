"""`python -m bench.coverage_of_powers`: play until each of the 180 powers has acted; say how often each did.

Games are dealt with all sets, and positions set up in which everybody has powers at work; both are played by
chance and by a player that prefers doing something to passing. Exits with 1 if a power never acted.

A power *acted* when a listener of it changed the value it was given, offered something that needs no further
listener when it is chosen, or set off an event, a question or a change of the table, by itself or by what it
left to be done. A listener that was called in vain does not count.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from random import Random
from typing import Any, ClassVar, Final, NamedTuple

from arena.game import Game, Options, powers
from arena.game.catalogue import Catalogue, default_catalogue, power_ids
from arena.game.frames import Frame
from arena.game.hooks import (
    CHOSEN,
    CONTRACT_FROM_HAND,
    FROM_HAND,
    HOOKS,
    LOAD_FROM_HAND,
    ON_FULFIL,
    OWN_SLOT,
    RIDES_ON,
    SHIP_LIMIT,
    USE,
    Hook,
)
from arena.game.positions import load
from arena.game.powers.inert import NOTHING_TO_DO
from arena.game.setup import PLAYABLE_SETS
from arena.game.terms import CAPITAL, MAX_PLAYERS, MIN_PLAYERS

LEAST: Final = 100
"""Games that are played even if all powers have acted before, so that the counts can be compared."""
MOST: Final = 3000
"""Games after which a power that has not acted never will; the rarest one needs under 500."""
WORTH: Final = {
    "load": 3,
    "contract": 3,
    "pirate": 3,
    "fulfil": 3,
    "use": 2,
    "yes": 2,
    "resolve": 2,
    "draw": -1,
    "pass": -2,
    "scrap": -5,
}
"""What the busy player prefers, by the verb of an option; chance decides between like ones."""
LED: Final = {"load": 2, "contract": 1}
"""What it prefers to lead and to follow."""
CALLED_AS_QUERY: Final = ("play_as", "follow_cards", "instead")
"""Replacements that get a value and return it, changed or not."""
IN_HAND: Final = (FROM_HAND, LOAD_FROM_HAND, CONTRACT_FROM_HAND)
ON_SHIP: Final = (ON_FULFIL, OWN_SLOT, SHIP_LIMIT, RIDES_ON)
"""Hooks of powers that act from a hand, and from a Ship."""

Listener = Callable[..., Any]
Pick = Callable[[Game, int, Random], int]


class Acted:
    """How often each power acted, and in how many games each was owned."""

    def __init__(self) -> None:
        self.times: Counter[str] = Counter()
        self.owned: Counter[str] = Counter()
        self.choices = 0
        self.games = 0

    def missing(self) -> list[str]:
        """The powers that have not acted yet; of those that have nothing to do it is enough to be owned."""
        idle = {power for power in NOTHING_TO_DO if self.owned[power]}
        return sorted(power for power in power_ids() - idle if not self.times[power])


class Extent(Frame):
    """Lies under what a listener left to be done, and looks at the end whether anything came of it."""

    power: str
    before: object

    counts: ClassVar[Acted]  # of the recording in progress; on the class, since it is no part of a game

    def start(self, game: Game) -> None:
        """All of it is over."""
        self.done(game)
        if table_of(game, self.counts) != self.before:
            self.counts.times[self.power] += 1


def table_of(game: Game, counts: Acted) -> tuple[object, ...]:
    """All that a power may change, and how much has been told and asked so far."""
    players = tuple(
        (p.credits, p.hand, p.crew, p.goods, p.fulfilled, p.extra_turns, p.virtual_crew, p.used)
        for p in game.players
    )
    common = (tuple(game.pile), game.island, len(game.discard), game.face_up, game.ban)
    kept = (tuple(game.copies.items()), tuple(game.marks.items()), tuple(game.ships), game.due, game.asking)
    return (counts.choices, len(game.events), players, common, kept)


def watched(hook: Hook, power: str, listener: Listener, counts: Acted) -> Listener:
    """The same listener, counted when it acts."""
    if isinstance(listener, type):
        frame = listener

        def listener(game: Game, *values: Any) -> None:
            game.push(frame(*values))

    def asks(game: Game, *values: Any) -> Any:
        """A query."""
        has_value = len(values) > 2
        before = list(values[2]) if has_value and isinstance(values[2], list) else values[2:3]
        found = listener(game, *values)
        given = before if isinstance(found, list) else before[0] if has_value else False
        counts.times[power] += found != given
        return found

    def offers(game: Game, *values: Any) -> Any:
        """A replacement that adds options."""
        found = listener(game, *values)
        if power not in CHOSEN.listeners and power not in USE.listeners:
            counts.times[power] += bool(found)
        return found

    def scores(game: Game, *values: Any) -> Any:
        """Credits in final scoring, or a win."""
        found = listener(game, *values)
        counts.times[power] += bool(found)
        return found

    def acts(game: Game, *values: Any) -> Any:
        """Whatever does something at once or pushes frames that do."""
        height = len(game.stack)
        before = table_of(game, counts)
        found = listener(game, *values)
        if table_of(game, counts) != before:
            counts.times[power] += 1
        elif len(game.stack) > height:
            game.stack.insert(height, Extent(power, before))
        return found

    if hook.name in ("end_credits", "win_check"):
        return scores
    if hook.kind == "query" or hook.name in (*CALLED_AS_QUERY, "own_slot", "ship_limit"):
        return asks
    if hook.name == "before_sailing" or hook.kind not in ("replacement", "activated"):
        return acts
    return acts if hook.name in ("use", "chosen") else offers


@contextmanager
def recording(counts: Acted) -> Iterator[None]:
    """While this lasts, every power that acts in this process is counted."""
    assert powers
    originals = {hook.name: dict(hook.listeners) for hook in HOOKS.values()}
    Extent.counts = counts
    try:
        for hook in HOOKS.values():
            for power, listener in originals[hook.name].items():
                hook.listeners[power] = watched(hook, power, listener, counts)
        yield
    finally:
        for hook in HOOKS.values():
            hook.listeners.update(originals[hook.name])


# The games


def dealt(catalogue: Catalogue, chance: Random) -> Game:
    """A game from its beginning."""
    options = Options(chance.randint(MIN_PLAYERS, MAX_PLAYERS), PLAYABLE_SETS, chance.random() < 0.3)
    return Game.new(options, chance.randrange(1 << 60), catalogue)


class Layout:
    """Deals the cards of a position from a shuffled heap."""

    def __init__(self, catalogue: Catalogue, chance: Random) -> None:
        self.catalogue = catalogue
        self.chance = chance
        self.heap = [card.id for card in catalogue.cards]
        chance.shuffle(self.heap)

    def take(self, number: int) -> list[str]:
        """So many cards."""
        return [self.heap.pop() for _ in range(number)]

    def lay(self, number: int) -> list[str]:
        """So many cards where one side of a double card must be up: either one."""
        return [self.turned(id) for id in self.take(number)]

    def turned(self, id: str) -> str:
        """The card, or a side of it."""
        return self.catalogue.ids[self.chance.choice(self.catalogue.sides[self.catalogue.number_of[id]])]

    def pull(self, power: str) -> str:
        """The card of a power, or the side of one that has it."""
        card = self.catalogue.card(power)
        self.heap.remove(card.id)
        return card.id if len(card.contracts) == 1 else power

    def fitting(self, mask: int) -> str:
        """A single card of one of these colours, but no grey one: that never comes by a load (P20)."""
        masks, sides, number_of = self.catalogue.masks, self.catalogue.sides, self.catalogue.number_of
        fits = mask & ~(1 << CAPITAL)
        id = next(
            id for id in reversed(self.heap) if fits & masks[number_of[id]] and len(sides[number_of[id]]) == 1
        )
        self.heap.remove(id)
        return id

    def load_of(self, id: str) -> list[str]:
        """Cards that meet the load of a contract."""
        return [self.fitting(mask) for mask in self.catalogue.loads[self.catalogue.number_of[id]]]

    def level_of(self, id: str) -> list[str]:
        """Goods that meet the Level of a card, but for that of any type."""
        level = self.catalogue.card(id).level
        return [self.fitting(1 << type_) for type_, count in level if type_ != CAPITAL for _ in range(count)]


def under_way(catalogue: Catalogue, chance: Random, favoured: str) -> Game:
    """A position in which everybody has powers, Goods and Crew, and Ships that lack one Container.

    The favoured power lies where it can act: on such a Ship, in a hand with what it needs, or fulfilled.
    """
    layout = Layout(catalogue, chance)
    rows: list[dict[str, Any]] = []
    ships: list[dict[str, Any]] = []
    card = layout.pull(favoured)
    for seat in range(chance.choice((2, 2, 3, 3, 4))):
        row: dict[str, Any] = {
            "hand": layout.take(chance.randrange(2, 5)),
            "fulfilled": layout.lay(chance.randrange(3, 7)),
            "crew": layout.lay(chance.randrange(4)),
            "goods": layout.lay(chance.randrange(7)),
            "credits": 2 * chance.randrange(2, 22),
        }
        waiting = []  # contracts for its Ships
        if not seat and any(favoured in hook.listeners for hook in IN_HAND):
            row["hand"] += [card, *layout.load_of(card)]
            row["goods"] = layout.level_of(card)
        elif not seat and any(favoured in hook.listeners for hook in ON_SHIP):
            waiting = [card]
        elif not seat:
            row["fulfilled"].append(card)
        for place in (0, 1):
            if waiting or chance.random() < 0.6 - 0.2 * place:
                contract = waiting.pop() if waiting else layout.lay(1)[0]
                last, *containers = layout.load_of(contract)
                row["hand"].append(last)
                ships.append({"place": "port", "contracts": [contract], "containers": containers})
            elif place:  # two at least, for with Aeroponics a Ship comes home with its last one
                ships.append({"place": "sea", "containers": layout.take(chance.randrange(2, 5))})
            else:
                ships.append({"place": "port"})
        rows.append(row)
    data: dict[str, Any] = {"players": rows, "ships": ships, "island": layout.take(3), "lead": 0}
    data |= {"pile": layout.take(len(layout.heap)), "sets": list(PLAYABLE_SETS)}
    data |= {"market": chance.random() < 0.3, "seed": chance.randrange(1 << 60)}
    return load(data, catalogue)


def at_random(game: Game, seat: int, chance: Random) -> int:
    """Any option."""
    return chance.randrange(len(game.decision(seat).options))


def busily(game: Game, seat: int, chance: Random) -> int:
    """An option that does something rather than nothing."""
    options = game.decision(seat).options
    worth = [WORTH.get(o.verb, 0) + LED.get(o.name, 0) + 2 * chance.random() for o in options]
    return worth.index(max(worth))


def play(game: Game, pick: Pick, chance: Random, counts: Acted) -> None:
    """To the end, or for as many turns as powers need to show themselves."""
    owned = {game.power_of(card) for player in game.players for card in player.fulfilled}
    catalogue = game.catalogue
    while not game.over:
        seat = game.to_act[0]
        counts.choices += 1
        for event in game.choose(seat, pick(game, seat, chance)):
            if event.kind == "fulfilled":
                owned.add(game.power_of(catalogue.number_of[event.public["card"]]))
    counts.games += 1
    counts.owned.update(owned)


def run(seed: int, least: int, most: int) -> Acted:
    """Play until each power has acted, at least `least` games and at most `most`."""
    catalogue = default_catalogue()
    counts = Acted()
    with recording(counts):
        while counts.games < least or (counts.games < most and counts.missing()):
            chance = Random(f"{seed}/{counts.games}")
            game = dealt(catalogue, chance)
            if counts.games % 4:
                favoured = chance.choice(counts.missing() or sorted(power_ids()))
                game = under_way(catalogue, chance, favoured)
            play(game, at_random if counts.games % 2 else busily, chance, counts)
    return counts


# The table


class Row(NamedTuple):
    """What is printed of one power."""

    power: str
    games: int
    acted: int


def rows(counts: Acted) -> list[Row]:
    """All powers, those that acted least often first."""
    found = [Row(power, counts.owned[power], counts.times[power]) for power in power_ids()]
    return sorted(found, key=lambda row: (row.acted, row.power))


def lines(counts: Acted) -> Iterable[str]:
    """The table, and what it comes to."""
    yield f"{'power':34} {'games owned':>11} {'acted':>9}"
    for row in rows(counts):
        note = "  (nothing to do)" if row.power in NOTHING_TO_DO else ""
        yield f"{row.power:34} {row.games:11} {row.acted:9}{note}"
    missing = counts.missing()
    yield f"{counts.games} games, {counts.choices} choices, {len(power_ids()) - len(missing)} powers acted"
    if missing:
        yield f"never acted: {', '.join(missing)}"


def main(arguments: list[str] | None = None) -> int:
    """Read the command line and run; returns the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.coverage_of_powers", description="Play until each power has acted."
    )
    parser.add_argument("--seed", type=int, default=1, help="another run (%(default)s)")
    parser.add_argument("--least", type=int, default=LEAST, help="games played in any case (%(default)s)")
    parser.add_argument("--most", type=int, default=MOST, help="games after which it fails (%(default)s)")
    wanted = parser.parse_args(arguments)
    counts = run(wanted.seed, wanted.least, wanted.most)
    for line in lines(counts):
        print(line)
    return 1 if counts.missing() else 0


if __name__ == "__main__":
    sys.exit(main())
