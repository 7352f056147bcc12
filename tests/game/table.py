"""How rule scenarios are written: a table in one call, choices as text, the expected table in one call.

    game = table(hands={0: "tech-1 tech-2"}, ships={0: {"contracts": "lux-1", "containers": "lux-2"}},
                 faces={"lux-1": needs(technology=1, luxury=1)})
    play(game, "0 lead:load:tech-1*1")       # the others have no cards and draw: nothing to ask
    play(game, "0 load:tech-2@ship-0")       # asked, because the contract could be discarded instead
    expect(game, ships={0: {"place": "sea"}}, credits={0: 16}, fulfilled={0: "lux-1"})

What a scenario does not say is P39: three seats, seat 0 leads, 10 credits, a Port that gives no Level, empty
zones; the first Ship of each seat is empty in Port, the second at sea with 4 Containers; a draw pile of 60.

The 170 cards of the house can be used whatever their set, and there is a card, or a side of one, for every power,
by its id: a card with two contracts is named by the side that is up, or in a hand, in a pile and on the Island by
its own id, as in any position. Then there are plain ones, whose power
is none: `tech-1` to `tech-20`, `agri-`, `cons-`, `lux-`, `ill-` (each needs 2 Containers of its own colour
and no Level), `blank-1` to `blank-40` without colour, and as fillers `sea-1` ... and `pile-1` ... (colours by
turns). Any card may get another face (`faces`), as in `Catalogue.with_faces`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from random import Random
from typing import Any

import pytest

from arena.game import Event, Game
from arena.game.catalogue import Card, Catalogue, Face, default_catalogue
from arena.game.hooks import MASKS, Hook
from arena.game.positions import load
from arena.game.state import SHIP_PLACES
from arena.game.terms import ANY, CAPITAL, FIVE, TYPES

Cards = str | Iterable[str]
"""Card ids, as one string with blanks or as a list."""

COLORS = ("tech", "agri", "cons", "lux", "ill")
PLAIN = "plain"  # the power of plain cards, which no hook knows
EACH = 20
BLANKS = 40
SEA = 24
PILE = 60


@cache
def fixtures() -> Catalogue:
    """The house catalogue, all of it in use, and behind it the cards that only tests have."""
    house = default_catalogue()
    cards = [card._replace(set="base") for card in house.cards]

    def add(id: str, color: int) -> None:
        face = Face(PLAIN, color, (ANY, ANY) if color == CAPITAL else (1 << color,) * 2)
        action = house.action_of_type[color]
        cards.append(Card(len(cards) + 1, id, id, "base", (color,), action, (), (face,), {}, ""))

    for color in FIVE:
        for number in range(1, EACH + 1):
            add(f"{COLORS[color]}-{number}", color)
    for number in range(1, BLANKS + 1):
        add(f"blank-{number}", CAPITAL)
    for number in range(1, SEA + 1):
        add(f"sea-{number}", number % 5)
    for number in range(1, PILE + 1):
        add(f"pile-{number}", number % 5)
    return Catalogue(
        "fixtures",
        cards,
        action_of_type=house.action_of_type,
        tokyo_prices=house.tokyo_prices,
        ports=house.ports,
    )


def with_powers(catalogue: Catalogue, powers: Mapping[str, str]) -> Catalogue:
    """A copy in which some cards have another power."""
    cards = list(catalogue.cards)
    for id, power in powers.items():
        card = catalogue.card(id)
        cards[card.number - 1] = card._replace(contracts=(card.contracts[0]._replace(power=power),))
    return Catalogue(
        catalogue.name,
        cards,
        action_of_type=catalogue.action_of_type,
        tokyo_prices=catalogue.tokyo_prices,
        ports=catalogue.ports,
    )


def invent(
    monkeypatch: pytest.MonkeyPatch,
    power: str,
    hook: Hook,
    listener: Callable[..., Any],
    *,
    own: bool = False,
    when: Callable[..., bool] | None = None,
) -> None:
    """Register a power of the test's own, until its end; `table(powers=...)` puts it on a card."""
    monkeypatch.setitem(hook.listeners, power, listener)
    monkeypatch.setitem(MASKS, power, MASKS.get(power, 0) | hook.mask)
    if own:
        monkeypatch.setattr(hook, "own", hook.own | {power})
    if when is not None:
        monkeypatch.setitem(hook.when, power, when)


def ids(cards: Cards) -> list[str]:
    """The card ids of a string with blanks, or of a list."""
    return cards.split() if isinstance(cards, str) else list(cards)


def lying(cards: Cards, tokens: bool) -> list[str]:
    """Card ids; where tokens lie `lux-2` stands for `luxury-token-2`, and a filler for one of its colour."""
    found = ids(cards)
    return [_token(card) for card in found] if tokens else found


def _token(card: str) -> str:
    name, _, number = card.rpartition("-")
    if name == "sea":
        return f"{TYPES[int(number) % 5]}-token-{EACH + 1 + int(number) // 5}"
    return f"{TYPES[COLORS.index(name)]}-token-{number}" if name in COLORS else card


def table(
    *,
    players: int = 3,
    lead: int = 0,
    port: Mapping[int, str] | None = None,
    credits: Mapping[int, int] | None = None,
    hands: Mapping[int, Cards] | None = None,
    crew: Mapping[int, Cards] | None = None,
    goods: Mapping[int, Cards] | None = None,
    fulfilled: Mapping[int, Cards] | None = None,
    contracts: Mapping[int, int] | None = None,
    ships: Mapping[int, Mapping[str, Any]] | None = None,
    island: Cards = "",
    pile: Cards | None = None,
    discard: Cards = "",
    faces: Mapping[str, Mapping[str, object]] | None = None,
    powers: Mapping[str, str] | None = None,
    **more: Any,
) -> Game:
    """A game at the first decision of the turn of `lead`; maps are by seat, `ships` by ship number.

    `contracts` is the exact number of fulfilled contracts of a seat, the printed one included; without it a
    seat gets as many blank ones as its Crew and Goods need (P39). `pile` and `discard` are written top
    first. `powers` gives cards another power, by id. `more` are further keys of a position, `player_0={...}`
    those of a player. With `containers="tokens"` or `"tokens-everywhere"` plain cards where tokens lie are
    tokens of their colour.
    """
    kind = more.get("containers", "cards")
    everywhere = kind == "tokens-everywhere"
    catalogue = fixtures().with_faces(faces) if faces else fixtures()
    if powers:
        catalogue = with_powers(catalogue, powers)
    blanks = iter(range(1, BLANKS + 1))
    fillers = iter(range(1, SEA + 1))
    rows: list[dict[str, Any]] = []
    for seat in range(players):
        row: dict[str, Any] = {
            "port": (port or {}).get(seat, "capital"),
            "credits": (credits or {}).get(seat, 10),
            "hand": ids((hands or {}).get(seat, "")),
            "crew": lying((crew or {}).get(seat, ""), everywhere),
            "goods": lying((goods or {}).get(seat, ""), everywhere),
            "fulfilled": ids((fulfilled or {}).get(seat, "")),
        }
        if contracts and seat in contracts:
            wanted = contracts[seat] - 1
            assert wanted >= len(row["fulfilled"]), f"seat {seat} has more contracts than {contracts[seat]}"
        else:
            wanted = max(len(row["crew"]), (len(row["goods"]) + 1) // 2) - 1
        while len(row["fulfilled"]) < wanted:
            row["fulfilled"].append(f"blank-{next(blanks)}")
        rows.append({**row, **more.pop(f"player_{seat}", {})})
    fleet: list[dict[str, Any]] = []
    for index in range(max([2 * players, *(number + 1 for number in ships or {})])):
        ship = dict((ships or {}).get(index, {}))
        for key in ("contracts", "containers", "rainbow", "riders", "yen"):
            if key in ship:
                ship[key] = ids(ship[key])
        if ship.get("place", "port" if index % 2 == 0 else "sea") == "sea" and "containers" not in ship:
            ship["containers"] = [f"sea-{next(fillers)}" for _ in range(4)]
        if "containers" in ship:
            ship["containers"] = lying(ship["containers"], kind != "cards")
        fleet.append({"ship": index, **ship})
    data = {
        "players": rows,
        "ships": fleet,
        "lead": lead,
        "island": ids(island),
        "pile": [f"pile-{number}" for number in range(1, PILE + 1)] if pile is None else ids(pile),
        "discard": ids(discard),
        "rest": "box",
        **more,
    }
    return load(data, catalogue)


def side_up(catalogue: Catalogue, id: str, chance: Random) -> str:
    """The id of a card where one side of a double card must be up: either one."""
    return catalogue.ids[chance.choice(catalogue.sides[catalogue.number_of[id]])]


def crowded(players: int, sets: tuple[str, ...], seed: int, containers: str = "cards") -> Game:
    """A game of the house catalogue in which everybody has many fulfilled contracts, Goods and Crew.

    Powers act from the first turn on, which a dealt game takes long to come to. `containers` says whether tokens
    lie on Ships, and as Crew and Goods.
    """
    chance = Random(seed)
    catalogue = default_catalogue()
    cards = [card.id for card in catalogue.cards if card.set == "base" or card.set in sets]
    chance.shuffle(cards)

    def take(number: int) -> list[str]:
        return [cards.pop() for _ in range(number)]

    def lay(number: int) -> list[str]:
        return [side_up(catalogue, id, chance) for id in take(number)]

    stock = [f"{TYPES[color]}-token-{number}" for color in FIVE for number in range(1, 15)]
    chance.shuffle(stock)

    def take_tokens(number: int) -> list[str]:
        return [stock.pop() for _ in range(number)]

    take_aboard = take if containers == "cards" else take_tokens
    take_area = take_tokens if containers == "tokens-everywhere" else lay
    rows = [
        {
            "hand": take(chance.randrange(3, 7)),
            "fulfilled": lay(chance.randrange(3, 6)),
            "crew": take_area(chance.randrange(3)),
            "goods": take_area(chance.randrange(4)),
            "credits": 2 * chance.randrange(4, 12),
        }
        for _ in range(players)
    ]
    ships: list[dict[str, Any]] = []
    for _ in range(players):
        ships.append({"contracts": lay(1)})
        ships.append({"containers": take_aboard(chance.randrange(2, 4))})
    data = {
        "players": rows,
        "ships": ships,
        "island": take(2),
        "pile": take(len(cards)),
        "sets": list(sets),
        "seed": seed,
        "containers": containers,
    }
    return load(data)


def play(game: Game, *moves: str) -> list[Event]:
    """Make choices in this order, `"seat option"` each, several in one string between commas; returns the events.

    A decision that is not named is not skipped: the seat must be asked and the option offered.
    """
    events: list[Event] = []
    for move in (part.strip() for text in moves for part in text.split(",")):
        seat, _, text = move.partition(" ")
        asked = {seat: sorted(offered(game, seat)) for seat in game.to_act}
        assert int(seat) in asked, f"{move!r}: asked is {asked}"
        assert text in asked[int(seat)], f"{move!r}: asked is {asked}"
        events += game.choose_text(int(seat), text)
    return events


def offered(game: Game, seat: int) -> set[str]:
    """The text forms of what `seat` may answer now; empty if it is not asked."""
    if seat not in game.to_act:
        return set()
    return set(game.decision(seat).texts(game.catalogue))


def uses(game: Game, seat: int) -> set[str]:
    """The any-time powers that a seat is offered."""
    return {text for text in offered(game, seat) if text.startswith("use")}


def asked(game: Game) -> str:
    """Who is asked what, as `"0 lead"` or `"0 bid, 2 bid"`; empty when the game is over."""
    return ", ".join(f"{seat} {game.decision(seat).kind}" for seat in game.to_act)


def run_defaults(game: Game, until: str | Callable[[Game], bool] = "", *, most: int = 2000) -> list[Event]:
    """Take the default answers until `until`, a predicate or what `asked` says; without it to the end.

    Returns the events. Fails if the game ends, or goes on for `most` decisions, without coming there.
    """
    events: list[Event] = []
    for _ in range(most):
        if until(game) if callable(until) else until and asked(game) == until:
            return events
        if game.over:
            assert not until, f"the game is over and {until!r} did not come"
            return events
        seat = game.to_act[0]
        events += game.choose(seat, game.decision(seat).default)
    raise AssertionError(f"{until!r} did not come in {most} decisions; asked is {asked(game)}")


def finish_turn(game: Game) -> list[Event]:
    """Take the defaults until the next turn has begun, or the game is over."""
    turn = game.turn
    return run_defaults(game, lambda game: game.over or game.turn > turn)


def names(game: Game, cards: Iterable[int]) -> str:
    """Card ids, with blanks."""
    return " ".join(game.catalogue.ids[card] for card in cards)


def expect(game: Game, *, asks: str | None = None, **zones: Any) -> None:
    """Check parts of the table, in the words of `table`; hands are compared without order.

    By seat: `hands`, `crew`, `goods`, `fulfilled`, `played`, `credits`, `announced`; and `hand_sizes`. By
    ship number: `ships`, with any of place, contracts, containers. `island`, `pile`, `discard` (top first),
    `pile_size`, `turn`, `lead`, `ending`.
    """
    if asks is not None:
        _same(asked(game), asks, "asked")
    for zone, wanted in zones.items():
        match zone:
            case "hands":
                for seat, cards in wanted.items():
                    hand = names(game, game.players[seat].hand).split()
                    _same(sorted(hand), sorted(ids(cards)), f"hand of {seat}")
            case "hand_sizes":
                for seat, size in wanted.items():
                    _same(len(game.players[seat].hand), size, f"hand size of {seat}")
            case "crew" | "goods" | "fulfilled" | "played":
                for seat, cards in wanted.items():
                    _same(names(game, getattr(game.players[seat], zone)), _joined(cards), f"{zone} of {seat}")
            case "credits" | "announced" | "sold" | "extra_turns":
                for seat, amount in wanted.items():
                    _same(getattr(game.players[seat], zone), amount, f"{zone} of {seat}")
            case "ships":
                for index, lies in wanted.items():
                    ship = game.ships[index]
                    for key, value in lies.items():
                        if key == "place":
                            _same(SHIP_PLACES[ship.place], value, f"place of ship-{index}")
                        else:
                            _same(names(game, getattr(ship, key)), _joined(value), f"{key} of ship-{index}")
            case "island":
                _same(names(game, game.island), _joined(wanted), zone)
            case "pile" | "discard":
                _same(names(game, reversed(getattr(game, zone))), _joined(wanted), zone)
            case "pile_size":
                _same(len(game.pile), wanted, zone)
            case _:
                _same(getattr(game, zone), wanted, zone)


def _same(found: object, wanted: object, what: str) -> None:
    assert found == wanted, f"{what} is {found!r}, not {wanted!r}"


def _joined(cards: Cards) -> str:
    return " ".join(ids(cards))


def totals(game: Game) -> tuple[int, ...]:
    """The final credits of a game that is over."""
    assert game.result is not None, f"the game is not over; asked is {asked(game)}"
    return game.result.credits


def kinds(events: Iterable[Event]) -> list[str]:
    """The kinds of events, in order."""
    return [event.kind for event in events]


def needs(level: Mapping[str, int] | None = None, /, **load: int) -> dict[str, object]:
    """A face: `needs({"luxury": 2}, technology=1, any=1)` has Level Luxury 2 and needs 2 Containers."""
    assert set(load) <= {*TYPES, "any"}
    return {"level": dict(level or {}), "load": load}
