"""What a position must look like: its keys, and the reader that refuses all others in one sentence.

What a position is, and how one is written, stands in `positions`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from arena.game import tokens
from arena.game.catalogue import SETS, Catalogue, power_ids, quoted, similar
from arena.game.errors import PositionError
from arena.game.game import Game
from arena.game.market import HIGHEST, LOWEST
from arena.game.setup import Options, blank, cards_in_use, check_seed
from arena.game.ships import open_colors
from arena.game.state import GONE, PORT, SEA, SHIP_PLACES, Player, Ship
from arena.game.terms import ACTIONS, FIVE, MAX_PLAYERS, MIN_PLAYERS, SHIP_CARDS, START_CREDITS, TYPES

MAX_CREDITS = 10_000  # the game ends soon after 50
MAX_WORD = 40  # the longest id has 21 letters
MAX_TURN = 10_000  # twenty times the turn cap

TOKEN_AREAS = ("containers", "crew", "goods")
ZONES = ("hand", "crew", "goods", "fulfilled")
TURN_FIELDS: dict[str, Any] = {  # of a player in mid-turn, and what they are before it
    "played": (),
    "announced": -1,
    "doing": -1,
    "sold": False,
    "performed": False,
    "used": (),
    "virtual_crew": (),
}
PLAYER_KEYS = ("port", "credits", *ZONES, "extra_turns", *TURN_FIELDS)
SHIP_CARDS_KEYS = ("contracts", "containers", "rainbow", "riders", "yen")
SHIP_KEYS = ("ship", "owner", "place", *SHIP_CARDS_KEYS, "pairs", "reduced", "joined", "single_use")
KEYS = (
    *("format", "comment", "catalogue", "sets", "market", "containers", "seed", "turn", "lead", "first"),
    *("players", "ships", "island", "pile", "discard", "rest", "held", "unchecked"),
    *("face_up", "ban", "ending", "copies", "marks", "progress"),
)
FORMAT = 1


# Checks of single values. `where` is the place in the position, as in `players[0].hand`.


def shown(value: Any) -> str:
    """A value as an error message may show it: short and printable, whatever it is."""
    if isinstance(value, (list, tuple)):
        return "a list"
    if isinstance(value, Mapping):
        return "an object"
    return "null" if value is None else quoted(value)


def object_of(value: Any, where: str, known: Sequence[str]) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise PositionError(f"{where} is {shown(value)}; an object is expected")
    for key in value:
        if key not in known:
            near = similar(str(key), known)
            if near.startswith("no name"):
                near = f"known are {', '.join(known)}"
            raise PositionError(f"{where} has the unknown key {shown(key)}; {near}")
    return value


def list_of(value: Any, where: str, most: int) -> list[Any] | tuple[Any, ...]:
    if not isinstance(value, (list, tuple)):
        raise PositionError(f"{where} is {shown(value)}; a list is expected")
    if len(value) > most:
        raise PositionError(f"{where} has {len(value)} entries; there can be at most {most}")
    return value


def row_of(value: Any, where: str, length: int) -> Sequence[Any]:
    entries = list_of(value, where, length)
    if len(entries) != length:
        raise PositionError(f"{where} has {len(entries)} parts; {length} are expected")
    return entries


def whole(value: Any, where: str, low: int, high: int) -> int:
    if type(value) is not int or not low <= value <= high:
        expected = f"{low}" if low == high else f"a whole number from {low} to {high}"
        raise PositionError(f"{where} is {shown(value)}; {expected} is expected")
    return value


def flag(value: Any, where: str) -> bool:
    if type(value) is not bool:
        raise PositionError(f"{where} is {shown(value)}; true or false is expected")
    return value


def word(value: Any, where: str) -> str:
    if not isinstance(value, str) or len(value) > MAX_WORD:
        raise PositionError(f"{where} is {shown(value)}; a word is expected")
    return value


def one_of(value: Any, where: str, names: Sequence[str]) -> int:
    """The index of a name among `names`."""
    if not isinstance(value, str) or value not in names:
        raise PositionError(f"{where} is {shown(value)}; it must be one of {', '.join(names)}")
    return names.index(value)


class Reader:
    """Reads the table of one position; knows which cards have been placed where."""

    def __init__(self, catalogue: Catalogue) -> None:
        self.catalogue = catalogue
        self.game: Game
        self.in_use: frozenset[int] = frozenset()
        self.placed: dict[int, str] = {}

    def table(self, data: Mapping[str, Any]) -> Game:
        """A game with all cards in place and no frame yet; raises `PositionError` and `OptionsError`."""
        catalogue = self.catalogue
        whole(data.get("format", FORMAT), "format", FORMAT, FORMAT)
        wanted = data.get("catalogue", catalogue.hash)
        if wanted != catalogue.hash:
            raise PositionError(
                f"the position is for the catalogue {shown(wanted)}, this is {catalogue.hash[:12]}"
            )
        rows = list_of(data.get("players", ()), "players", MAX_PLAYERS + 1)
        if not MIN_PLAYERS <= len(rows) <= MAX_PLAYERS:
            raise PositionError(
                f"players has {len(rows)} entries; one for each of {MIN_PLAYERS} to {MAX_PLAYERS} is expected"
            )
        sets = tuple(word(name, "sets") for name in list_of(data.get("sets", ()), "sets", len(SETS) + 1))
        markers = data.get("market", False)
        market = isinstance(markers, Mapping) or flag(markers, "market")
        containers = word(data.get("containers", "cards"), "containers")
        options = Options(len(rows), sets, market, containers).check()
        self.game = game = blank(options, check_seed(data.get("seed", 0)), catalogue)
        self.catalogue = game.catalogue
        if market:
            game.market = self.markers({} if markers is True else markers)
        self.in_use = frozenset(cards_in_use(options, catalogue))
        last = len(rows) - 1
        game.lead = game.next_lead = whole(data.get("lead", 0), "lead", 0, last)
        game.first = whole(data.get("first", game.lead), "first", 0, last)
        game.turn = whole(data.get("turn", 1), "turn", 0, MAX_TURN)
        going = "progress" in data
        for seat, row in enumerate(rows):
            self.player(game.players[seat], row, going)
        self.ports(game, rows)
        unfilled = self.ships(game, data.get("ships", ()), going)
        self.common(game, data)
        self.rest(game, data, unfilled, going)
        for player in game.players:
            game.refresh(player.seat)
        for index, ship in enumerate(game.ships):
            if ship.place == PORT:
                game.ships[index] = ship._replace(open=open_colors(game, ship))
        return game

    def markers(self, value: Any) -> tuple[int, ...]:
        """The markers of the Market; those that are not named are on 0."""
        types = TYPES[: len(FIVE)]
        named = object_of(value, "market", types)
        return tuple(whole(named.get(name, 0), f"market.{name}", LOWEST, HIGHEST) for name in types)

    def number(self, value: Any, where: str) -> int:
        """The number of a card in use, or of a side of one (R18)."""
        number = self.catalogue.number_of.get(value) if isinstance(value, str) else None
        if number is None and isinstance(value, str) and tokens.aboard(self.game):
            number = self.token(value)
        if number is not None and tokens.is_token(self.game, number):
            return number
        if number is None:
            near = similar(value, self.catalogue.number_of) if isinstance(value, str) else "give its id"
            raise PositionError(f"{where} names {shown(value)}, which is no card; {near}")
        if self.catalogue.front[number] not in self.in_use:
            name = self.catalogue.cards[self.catalogue.front[number] - 1].set
            raise PositionError(
                f'{where} names {value} of the set {name}, which is not in use; add "{name}" to sets'
            )
        return number

    def numbers(self, value: Any, where: str) -> tuple[int, ...]:
        entries = list_of(value, where, len(self.catalogue.cards))
        return tuple(self.number(entry, where) for entry in entries)

    def token(self, id: str) -> int | None:
        """The number of a token further behind than those that have got one; none beyond what a game needs."""
        name, _, digits = id.rpartition("-token-")
        plain = digits.isascii() and digits.isdigit() and len(digits) <= 3 and not digits.startswith("0")
        if name not in TYPES[: len(FIVE)] or not plain:
            return None
        tokens.make_room(self.game, len(FIVE) * (int(digits) - 1) + TYPES.index(name))
        self.catalogue = self.game.catalogue
        return self.catalogue.number_of[id]

    def zone(self, value: Any, where: str, sided: bool | None = False) -> tuple[int, ...]:
        """The cards of a zone, each of which lies nowhere else.

        `sided` says whether double cards lie there with one side up (R18); None that both may be.
        """
        cards = self.numbers(value, where)
        area = where.rpartition(".")[2]
        ids, front, sides = self.catalogue.ids, self.catalogue.front, self.catalogue.sides
        for card in cards:
            token = tokens.is_token(self.game, card)
            if area in TOKEN_AREAS and token != (area in tokens.areas(self.game)):
                kind = "a token, as luxury-token-1" if not token else "a card"
                raise PositionError(
                    f"{where} has {self.catalogue.ids[card]}; with containers "
                    f"{self.game.options.containers} what lies there is {kind}"
                )
            if token and area not in (*TOKEN_AREAS, "held"):
                raise PositionError(
                    f"{where} has {self.catalogue.ids[card]}; tokens lie on Ships, and as Crew or Goods"
                )
            if token:
                self.game.tokens |= 1 << card - self.catalogue.first_token
            name, number = ids[card], front[card]
            if number in self.placed:
                other = self.placed[number]
                also = "twice" if other == where else f"and {other} has it too"
                raise PositionError(f"{where} has {ids[number]} {also}; each card lies in one place")
            if sided and len(sides[card]) > 1:
                either = " or ".join(ids[side] for side in sides[card])
                raise PositionError(f"{where} has {name}, of which one side must be up there; say {either}")
            if sided is False and number != card:
                raise PositionError(
                    f"{where} has {name}, one side of {ids[number]}; no side is up there, so say {ids[number]}"
                )
            self.placed[number] = where
        return cards

    def player(self, player: Player, row: Any, going: bool) -> None:
        where = f"players[{player.seat}]"
        row = object_of(row, where, PLAYER_KEYS)
        if not going:
            for key in TURN_FIELDS:
                if key in row:
                    raise PositionError(
                        f"{where}.{key} belongs to the middle of a turn; without `progress` a turn begins"
                    )
        player.credits = whole(
            row.get("credits", START_CREDITS), f"{where}.credits", -MAX_CREDITS, MAX_CREDITS
        )
        if player.credits < 0 and not going:  # final scores may be (Q68)
            raise PositionError(f"{where}.credits is {player.credits}; nobody has less than 0")
        for zone in (*ZONES, "played"):
            sided = zone not in ("hand", "played")
            setattr(player, zone, self.zone(row.get(zone, ()), f"{where}.{zone}", sided))
        player.hand = tuple(sorted(player.hand))
        player.extra_turns = whole(row.get("extra_turns", 0), f"{where}.extra_turns", 0, MAX_TURN)
        player.announced = whole(row.get("announced", -1), f"{where}.announced", -1, len(self.catalogue.ids))
        if "doing" in row:
            player.doing = one_of(row["doing"], f"{where}.doing", ACTIONS)
        elif player.announced > 0:
            raise PositionError(f"{where}.announced is {player.announced}, but {where}.doing names no action")
        player.sold = flag(row.get("sold", False), f"{where}.sold")
        player.performed = flag(row.get("performed", False), f"{where}.performed")
        player.used = self.numbers(row.get("used", ()), f"{where}.used")
        crew = list_of(row.get("virtual_crew", ()), f"{where}.virtual_crew", MAX_CREDITS)
        player.virtual_crew = tuple(one_of(name, f"{where}.virtual_crew", ACTIONS) for name in crew)

    def ports(self, game: Game, rows: Sequence[Mapping[str, Any]]) -> None:
        """Who has none named gets the next one that is free."""
        named = {
            seat: one_of(row["port"], f"players[{seat}].port", TYPES)
            for seat, row in enumerate(rows)
            if "port" in row
        }
        free = [port for port in self.catalogue.ports if port not in named.values()]
        for player in game.players:
            player.port = named[player.seat] if player.seat in named else free.pop(0)

    def ships(self, game: Game, rows: Any, going: bool) -> list[int]:
        """Fill `game.ships`; returns those at sea of which no Containers were named."""
        regular = 2 * len(game.players)
        unfilled = set(range(1, regular, 2))
        index, seen = -1, set()
        for place, row in enumerate(list_of(rows, "ships", regular + len(self.catalogue.ids))):
            row = object_of(row, f"ships[{place}]", SHIP_KEYS)
            index = whole(row.get("ship", index + 1), f"ships[{place}].ship", 0, len(game.ships))
            if index in seen:
                raise PositionError(f"ships[{place}] is ship-{index} once more; each Ship has one entry")
            seen.add(index)
            if index == len(game.ships):
                game.ships.append(Ship(-1, PORT))
            where = f"ship-{index}"
            ship = self.ship(row, where, game.ships[index], len(game.players), index < regular, going)
            game.ships[index] = ship
            if "containers" in row or ship.place != SEA:
                unfilled.discard(index)
            elif index >= regular:
                unfilled.add(index)
        for index, ship in enumerate(game.ships):
            others = [n for n, other in enumerate(game.ships) if other.owner == ship.owner and n != index]
            if ship.joined >= 0 and ship.joined not in others:
                raise PositionError(
                    f"ship-{index}.joined is {ship.joined}; the other half is a Ship of the same owner"
                )
        return sorted(unfilled)

    def ship(
        self, row: Mapping[str, Any], where: str, before: Ship, seats: int, regular: bool, going: bool
    ) -> Ship:
        owner = whole(row.get("owner", before.owner), f"{where}.owner", 0, seats - 1)
        if regular and owner != before.owner:
            raise PositionError(f"{where}.owner is {owner}; this Ship is of seat {before.owner}")
        place = one_of(row["place"], f"{where}.place", SHIP_PLACES) if "place" in row else before.place
        single = 0
        if not regular:
            single = self.number(row.get("single_use"), f"{where}.single_use")
        elif "single_use" in row:
            raise PositionError(f"{where}.single_use is for further Ships; this is one of the first two")
        if single and place != GONE:
            self.zone([row["single_use"]], f"{where}.single_use", sided=True)
        lies = {}
        for key in SHIP_CARDS_KEYS:
            cards = row.get(key, ())
            if key in ("contracts", "containers") or (key == "yen" and place != GONE):
                dealt = key == "containers" and (place == SEA or going)  # they may have no side up yet (Q101)
                lies[key] = self.zone(cards, f"{where}.{key}", None if dealt else True)
            else:
                lies[key] = self.numbers(cards, f"{where}.{key}")
        pairs: list[tuple[int, int]] = []
        for pair in list_of(row.get("pairs", ()), f"{where}.pairs", len(lies["containers"])):
            first, second = self.numbers(row_of(pair, f"{where}.pairs", 2), f"{where}.pairs")
            pairs.append((first, second))
        paired = tuple(card for pair in pairs for card in pair)
        for key, part in (("rainbow", lies["rainbow"]), ("riders", lies["riders"]), ("pairs", paired)):
            for card in part:
                if part.count(card) > 1 or card not in lies["containers"]:
                    name = self.catalogue.ids[card]
                    raise PositionError(
                        f"{where}.{key} has {name}, which must be one of its containers, once"
                    )
        reduced = self.reduced(row.get("reduced", ()), f"{where}.reduced", lies["contracts"])
        joined = whole(row.get("joined", -1), f"{where}.joined", -1, len(self.catalogue.ids))
        contracts, containers, rainbow, riders, yen = (lies[key] for key in SHIP_CARDS_KEYS)
        return Ship(
            owner, place, contracts, containers, rainbow, riders, tuple(pairs), yen, reduced, joined, single
        )

    def reduced(self, value: Any, where: str, contracts: tuple[int, ...]) -> tuple[tuple[int, int], ...]:
        """Slots that Yen spares a contract: its id and the mask of the slot."""
        spared = []
        left = {card: list(self.catalogue.loads[card]) for card in contracts}
        for entry in list_of(value, where, 12):
            entry = list_of(entry, where, 2)
            card = self.number(entry[0], where) if len(entry) == 2 else 0
            if card not in left or type(entry[1]) is not int or entry[1] not in left[card]:
                raise PositionError(
                    f"{where} must be pairs of a contract of this Ship and a slot that it has"
                )
            left[card].remove(entry[1])
            spared.append((card, entry[1]))
        return tuple(spared)

    def common(self, game: Game, data: Mapping[str, Any]) -> None:
        """What belongs to nobody."""
        game.island = self.zone(data.get("island", ()), "island")
        game.pile = list(reversed(self.zone(data.get("pile", ()), "pile")))
        game.discard = list(reversed(self.zone(data.get("discard", ()), "discard")))
        game.face_up = flag(data.get("face_up", False), "face_up")
        if data.get("ban") is not None:
            game.ban = whole(data["ban"], "ban", 0, len(game.players) - 1)
        reasons = ("", "credits", "cards", "turns", *sorted(power_ids()))
        game.ending = word(data.get("ending", ""), "ending")
        if game.ending not in reasons:
            raise PositionError(f"ending is {shown(game.ending)}; say credits, cards, turns or a power's id")
        fulfilled = {card for player in game.players for card in player.fulfilled}
        for key in ("copies", "marks"):
            for name, value in object_of(data.get(key, {}), key, self.catalogue.ids[1:]).items():
                card = self.number(name, key)
                if key == "marks":
                    game.marks[card] = whole(value, f"marks.{name}", -MAX_CREDITS, MAX_CREDITS)
                elif card not in fulfilled or not isinstance(value, str) or value not in power_ids():
                    raise PositionError(f"copies.{name} must be a power's id for a card in a fulfilled area")
                else:
                    game.copies[card] = value

    def rest(self, game: Game, data: Mapping[str, Any], unfilled: list[int], going: bool) -> None:
        """The cards that are named nowhere."""
        if "held" in data and not going:
            raise PositionError(
                "held is for cards on their way in the middle of a turn; without `progress` none are"
            )
        self.zone(data.get("held", ()), "held")
        rest = sorted(self.in_use - self.placed.keys())
        for index in unfilled:
            ship = game.ships[index]
            cards = tuple(rest[:SHIP_CARDS])
            if tokens.aboard(game):
                colors = [game.catalogue.colors[card] for card in cards]
                cards = tuple(tokens.take(game, color) for color in colors if color in FIVE)
            else:
                del rest[:SHIP_CARDS]
            game.ships[index] = ship._replace(containers=cards)
        if one_of(data.get("rest", "pile"), "rest", ("pile", "box")):
            game.boxed = tuple(rest)
        else:
            game.pile = [*reversed(rest), *game.pile]
